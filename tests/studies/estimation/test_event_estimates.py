"""Totals and series of events: what is read corrects the posterior, and phases without labels are left out."""

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.sampling.plan import draw_plan, extend_plan
from studies.estimation.coverage import PERIODS as PERIODS_TOGETHER
from studies.estimation.coverage import cell_rows, coverage_rows
from studies.estimation.estimates import labelled_samples, series_rows, total_rows
from studies.estimation.items import EventItems

D, P = 600, 6
RANDOM = np.random.default_rng(3)
ISR = np.where(RANDOM.random(D) < 0.3, RANDOM.beta(4, 1, D), 0)
TRUE_ISR = (RANDOM.random(D) < np.where(ISR > 0, ISR, 0.05)).astype(float)
USA = np.where(RANDOM.random(D) < 0.1, 0.8, 0.0)
TRUE_USA = (RANDOM.random(D) < USA).astype(float)
Q = np.array([1 - (1 - ISR) * (1 - USA), ISR, USA])
Y = np.array([np.maximum(TRUE_ISR, TRUE_USA), TRUE_ISR, TRUE_USA])
DOCUMENTS = tuple(f"d{number:03}" for number in range(D))
PERIODS = tuple(f"200{number}" for number in range(P))
ITEMS = EventItems(
    DOCUMENTS, np.arange(D) * P // D, PERIODS, tuple(f"{year}-01-01" for year in PERIODS), ("any", "ISR", "USA"), Q
)
QUEUE = draw_plan(ITEMS.frame, 200, 1).queue(ITEMS.frame)
LABELS = {
    name: frozenset(code for code, y in zip(("ISR", "USA"), Y[1:, row], strict=True) if y)
    for row, name in enumerate(DOCUMENTS)
}


@pytest.fixture(scope="module")
def plan():
    pilot = draw_plan(ITEMS.frame, 200, 1)
    return extend_plan(pilot, ITEMS.frame, QUEUE, Y[0][QUEUE.first(pilot.read[-1])])


def test_what_is_read_corrects_the_posterior(plan):
    rows = total_rows(ITEMS, labelled_samples(ITEMS, plan, QUEUE, LABELS))
    assert [row["country"] for row in rows] == ["any", "ISR", "USA"]
    for row, truth in zip(rows, Y.sum(axis=1), strict=True):
        assert row["low"] <= truth <= row["high"]
        assert row["read"] == 200
    # What the model misses is outside of its own interval.
    assert rows[1]["exact_high"] < TRUE_ISR.sum()


def test_periods_add_up_to_the_total(plan):
    rows = series_rows(ITEMS, labelled_samples(ITEMS, plan, QUEUE, LABELS))
    truth = np.array([np.bincount(ITEMS.period, y) for y in Y]).ravel()
    assert len(rows) == 3 * P
    assert sum(row["low"] <= number <= row["high"] for row, number in zip(rows, truth, strict=True)) >= 3 * P - 1
    assert sum(row["read"] for row in rows[:P]) == 200
    whole = total_rows(ITEMS, labelled_samples(ITEMS, plan, QUEUE, LABELS))[0]["estimate"]
    assert sum(row["estimate"] for row in rows[:P]) == pytest.approx(whole, abs=1e-6)


def test_a_period_that_no_label_reaches_may_have_any_number(plan):
    samples = labelled_samples(ITEMS, plan, QUEUE, LABELS)
    last = ITEMS.documents[samples[0].rows[-1]]
    period = np.where(np.arange(D) > DOCUMENTS.index(last), P - 1, np.minimum(ITEMS.period, P - 2))
    items = EventItems(DOCUMENTS, period, PERIODS, ITEMS.starts, ITEMS.groups, Q)
    rows = series_rows(items, samples)
    end = rows[P - 1]
    assert (end["read"], end["low"]) == (0, 0)
    assert end["high"] == pytest.approx(end["documents"], rel=0.05)
    assert end["notes"].startswith("No item was read: the interval has every number")


def test_a_phase_counts_when_all_its_labels_are_there(plan):
    whole = QUEUE.first(plan.read[-1])
    pilot = QUEUE.first(plan.read[0])
    part = {DOCUMENTS[row]: LABELS[DOCUMENTS[row]] for row in whole[:-1]} | {
        DOCUMENTS[row]: LABELS[DOCUMENTS[row]] for row in pilot
    }
    if len(part) == len(whole):  # The last one is of the pilot: leave out one that is not.
        part.pop(DOCUMENTS[np.setdiff1d(whole, pilot)[0]])
    with pytest.warns(UserWarning, match="part 2 of the plan is not complete"):
        assert len(labelled_samples(ITEMS, plan, QUEUE, part)[0].rows) == len(pilot)
    part.pop(DOCUMENTS[pilot[0]])
    with pytest.raises(InputError, match=f"found no label of {DOCUMENTS[pilot[0]]};"):
        labelled_samples(ITEMS, plan, QUEUE, part)


def test_what_is_read_whole_is_known():
    """By every design and method, and by the series."""
    rows = coverage_rows(ITEMS, Y, D, 2, 0)
    assert len(rows) == 3 * 4 + 1
    for row in rows:
        assert row["estimate"] == pytest.approx(row["truth"], rel=1e-6)
        assert row["rmse"] == pytest.approx(0, abs=1e-6)
        assert row["coverage"] == 1
        assert (row["documents"], row["read"], row["replicates"]) == (D, D, 2)
    assert {row["country"]: row["truth"] for row in rows[:12]} == dict(zip(ITEMS.groups, Y.sum(axis=1), strict=True))
    assert rows[-1]["method"] == PERIODS_TOGETHER
    assert rows[-1]["truth"] == pytest.approx(Y[0].sum() / P)


def test_the_posterior_before_recalibration_is_that_of_independent_events():
    """Cells of one document are Bernoulli variables: loss, bias and interval are those of their probabilities."""
    items = EventItems(DOCUMENTS, np.arange(D), DOCUMENTS, DOCUMENTS, ITEMS.groups, Q)
    before, after = cell_rows(items, Y, 50, 1, 0)
    q, y = Q[1:].ravel(), Y[1:].ravel()
    some = (q > 0) & (q < 1)
    q, y = q[some], y[some]
    assert before["cells"] == after["cells"] == 2 * D
    assert before["uncertain"] == some.sum()
    assert before["loss"] == pytest.approx(-np.log(np.where(y == 1, q, 1 - q)).mean())
    assert before["bias"] == pytest.approx((q - y).mean())
    sure = np.maximum(q, 1 - q) > 0.975
    assert before["promised"] == pytest.approx(np.where(sure, np.maximum(q, 1 - q), 1).mean())


@pytest.mark.slow
def test_intervals_hold_the_truth_over_samples():
    rows = coverage_rows(ITEMS, Y, 200, 60, 0)
    score = [row for row in rows if row["method"] == "score"]
    assert len(score) == 6
    assert all(row["coverage"] >= 0.9 for row in score)
    assert next(row for row in rows if row["method"] == PERIODS_TOGETHER)["coverage"] >= 0.9
    for row in rows:
        assert row["estimate"] == pytest.approx(row["truth"], abs=4 * row["rmse"] / 60**0.5 + 1)


@pytest.mark.slow
def test_recalibration_predicts_counts_better_than_the_posterior():
    before, after = cell_rows(ITEMS, Y, 200, 3, 0)
    assert after["loss"] < before["loss"]
    assert abs(after["bias"]) < abs(before["bias"])
    assert after["covered"] > before["covered"]


def test_samples_are_drawn_for_any_country_whatever_the_labels_of_each():
    rows, others = (coverage_rows(ITEMS, y, 100, 1, 0) for y in (Y, np.r_[Y[:1], 0 * Y[1:]]))
    of_any = [row for row in rows if row["country"] == ITEMS.groups[0]]
    assert of_any == [row for row in others if row["country"] == ITEMS.groups[0]]
    assert {row["design"] for row in of_any} == {"two-phase", "random"}
