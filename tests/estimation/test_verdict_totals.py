"""Corrected totals hold for good, poor and constant judges, and are narrow for good ones."""

import numpy as np
import pytest
from scipy.special import ndtri

from nlpcalib.errors import InputError
from nlpcalib.estimation.judges import Verdicts
from nlpcalib.estimation.verdict_totals import stratified_total, verdict_total


def tables(rate, sensitivity, specificity, labels, draws, seed, items=2000):
    """Return counts (draws, 2) of items, labels and positive labels by verdict, yes first, and the positive items."""
    rng = np.random.default_rng(seed)
    both, missed = rate * sensitivity, rate * (1 - sensitivity)
    cells = rng.multinomial(items, [both, (1 - rate) * (1 - specificity), missed, (1 - rate) * specificity], size=draws)
    drawn = np.array([rng.multivariate_hypergeometric(each, labels) for each in cells])
    size, read = (np.stack([each[:, 0] + each[:, 1], each[:, 2] + each[:, 3]], axis=1) for each in (cells, drawn))
    return size, read, drawn[:, [0, 2]], cells[:, 0] + cells[:, 2]


def held(found, truth):
    return ((found.low <= truth + 1e-6) & (truth <= found.high + 1e-6)).mean()


@pytest.mark.parametrize(
    "judge",
    [
        (0.75, 0.97, 0.96, 120), (0.35, 0.99, 0.98, 80), (0.85, 0.55, 0.6, 100), (0.1, 1.0, 1.0, 30),
        (0.4, 1.0, 0.0, 60), (0.6, 0.7, 0.75, 30), (0.25, 0.3, 0.4, 150),
    ],
)  # fmt: skip
def test_the_corrected_total_holds_whatever_the_judge_is_like(judge):
    *counts, truth = tables(*judge, draws=2000, seed=3)
    assert held(stratified_total(*counts), truth) >= 0.93
    rate, items = judge[0], counts[0].sum(axis=1)
    assert held(stratified_total(*counts, process=True), rate * items) >= 0.93


def test_a_good_judge_is_nearly_as_narrow_as_the_formula_without_a_guard_for_rare_errors():
    size, read, positive, _ = tables(0.8, 0.98, 0.97, 100, draws=2000, seed=4)
    items, labels = size.sum(axis=1), read.sum(axis=1)
    missed, alarms = positive[:, 1] / labels, (read - positive)[:, 0] / labels
    called = size[:, 0] / items
    variance = (missed + alarms - (missed - alarms) ** 2) / labels + called * (1 - called) / items
    found = stratified_total(size, read, positive)
    assert ((found.high - found.low) / items).mean() <= 1.05 * (2 * ndtri(0.975) * np.sqrt(variance)).mean()


def test_what_is_fully_labelled_is_known_and_its_process_is_not():
    counts = [np.array([60, 40])] * 2
    found = stratified_total(*counts, np.array([55, 4]))
    assert found.low == found.value == found.high == 59
    process = stratified_total(*counts, np.array([55, 4]), process=True)
    assert process.low < 51
    assert process.high > 66


def test_a_verdict_without_labels_may_be_anything():
    found = stratified_total(np.array([900, 100]), np.array([50, 0]), np.array([0, 0]))
    assert found.low == 0
    assert found.high > 100


def test_open_labels_widen_the_interval_to_both_answers_and_other_labels_are_refused():
    share, rows, y = np.repeat([1.0, 0.0], [60, 40]), np.arange(0, 100, 2), np.repeat([1.0, 0.0], [30, 20])
    plain = verdict_total(Verdicts(share, rows, y, np.ones(50)))
    y[0] = np.nan
    open_ = verdict_total(Verdicts(share, rows, y, np.ones(50)))
    assert open_.low < plain.low
    assert open_.high == plain.high
    with pytest.raises(InputError, match="other than 0 and 1"):
        verdict_total(Verdicts(share, rows, y + 2, np.ones(50)))


def test_units_whose_labels_are_alike_widen_the_interval():
    rng = np.random.default_rng(5)
    unit = np.repeat(np.arange(100), 10)
    y = (rng.random(100) < 0.4)[unit].astype(float)
    share, rows = np.where(rng.random(1000) < 0.8, y, 1 - y), np.arange(300)
    items, units = (verdict_total(Verdicts(share, rows, y[rows], np.ones(300), each)) for each in (None, unit))
    assert units.high - units.low > 1.5 * (items.high - items.low)


@pytest.mark.slow
def test_the_corrected_total_holds_where_labels_of_a_document_are_alike():
    hits = []
    for seed in range(400):
        rng = np.random.default_rng([6, seed])
        unit = np.repeat(np.arange(150), 8)
        rate = 1 / (1 + np.exp(-(0.3 + 1.2 * rng.normal(size=150))))[unit]
        y = (rng.random(1200) < rate).astype(float)
        share = np.where(rng.random(1200) < np.where(y, 0.9, 0.2), 1.0, 0.0)
        rows = np.flatnonzero(np.isin(unit, rng.choice(150, 25, replace=False)))
        found = verdict_total(Verdicts(share, rows, y[rows], np.ones(len(rows)), unit))
        hits.append(found.low <= y.sum() <= found.high)
    assert np.mean(hits) >= 0.93
