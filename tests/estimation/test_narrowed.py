"""The first line of an estimate: by how much predictions narrow the interval of the same labels."""

import numpy as np
import pytest

import nlpcalib as nc


@pytest.fixture
def corpus():
    random = np.random.default_rng(7)
    q = random.beta(0.4, 1, 2000)
    y = np.where(random.permutation(2000) < 200, random.random(2000) < q, np.nan)
    return q, y


def test_predictions_are_compared_with_the_labels_that_were_given(corpus):
    q, y = corpus
    ours, alone = nc.estimate(nc.read(q, y)), nc.estimate(nc.read(np.full(q.size, q.mean()), y))
    narrower = 100 * (1 - (ours.high - ours.low) / (alone.high - alone.low))
    assert f"Predictions make this interval {narrower:.0f} % narrower than these labels alone." in ours.lines()[0]


def test_predictions_that_are_no_help_are_named(corpus):
    q, y = corpus
    useless = nc.estimate(nc.read(np.random.default_rng(8).permutation(q), y))
    assert "Predictions do not make this interval narrower than these labels alone." in useless.lines()[0]


def test_what_improves_the_predictions_has_a_part_in_it():
    random = np.random.default_rng(9)
    q, known = random.random(2000), random.random(2000)
    y = np.where(np.arange(2000) < 300, random.random(2000) < (known > 0.5), np.nan)
    first = nc.estimate(nc.read(q, y), features=known[:, None]).lines()[0]
    assert "Predictions and further columns make this interval" in first


def test_a_plan_is_compared_with_as_many_random_labels():
    """The plan takes off a fifth of what 250 random labels leave open."""
    random = np.random.default_rng(10)
    odds = -1.5 + 2 * random.normal(size=4000)
    q = 1 / (1 + np.exp(-odds))
    y = (random.random(4000) < q).astype(float)
    plan, labels = nc.plan_items(q, budget=250, design="stratified"), np.full(4000, np.nan)
    labels[plan.rows] = y[plan.rows]
    planned = nc.estimate(nc.read(q, y=labels, plan=plan))
    assert "The plan and predictions make this interval" in planned.lines()[0]
    said = int(planned.lines()[0].partition("this interval ")[2].partition(" %")[0])
    widths = []
    for _ in range(20):
        labels = np.full(4000, np.nan)
        rows = random.choice(4000, 250, replace=False)
        labels[rows] = y[rows]
        alone = nc.estimate(nc.read(np.full(4000, q.mean()), y=labels, drawn="random"))
        widths.append(alone.high - alone.low)
    assert said == pytest.approx(100 * (1 - (planned.high - planned.low) / np.mean(widths)), abs=6)


@pytest.mark.parametrize(("share", "read", "open_labels"), [(0.5, 60, 1), (0.02, 40, 0)])
def test_nothing_is_said_where_all_was_read_or_few_are_positive(share, read, open_labels):
    random = np.random.default_rng(11)
    q = random.random(60) if read == 60 else random.random(2000)
    plan = nc.plan_items(q, budget=read, design="stratified")
    labels = np.full(q.size, None, object)
    labels[plan.rows] = [str(int(each)) for each in random.random(len(plan.rows)) < share]
    labels[plan.rows[:open_labels]] = "cannot tell"
    estimate = nc.estimate(nc.read(q, y=list(labels), plan=plan))
    assert "narrower" not in estimate.lines()[0]
