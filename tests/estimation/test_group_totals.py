"""Groups add up to the corpus, none is 0 for lack of labels, and each interval holds where models differ by group."""

import numpy as np
import pytest
from scipy.special import expit, gammaln

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.group_totals import INTERVAL_SPREAD, group_totals
from nlpcalib.sampling.samples import Sample, count_cells, simple_random_sample

SIZES = np.array([80, 120, 200, 200, 400, 1000])
GROUP = np.repeat(np.arange(6), SIZES)
NAMES = list("abcdef")


def corpus(seed, shift=0.0):
    """Return predictions and labels of groups whose rates differ, and whose model is off by up to `shift`."""
    random = np.random.default_rng(seed)
    log_odds = np.array([-1.2, -3, -2, -4, -2.5, -3.5])[GROUP] + 1.5 * random.normal(size=GROUP.size)
    y = random.random(GROUP.size) < expit(log_odds)
    off = shift * np.array([1, -1, 0.5, -0.5, 1, -0.3])
    return expit(log_odds + off[GROUP]), y.astype(float), random


def estimated(q, y, rows, **options):
    sample = simple_random_sample(len(q), rows, y[rows])
    return estimate_totals(q, sample, **options), estimate_totals(q, sample, GROUP, NAMES, **options)


@pytest.mark.parametrize("labels", [30, 60, 400])
def test_groups_add_up_to_the_corpus_and_none_is_zero(labels):
    q, y, random = corpus(1, shift=0.8)
    [whole], groups = estimated(q, y, random.choice(GROUP.size, labels, replace=False))
    assert sum(each.total for each in groups) == pytest.approx(whole.total, abs=1e-6)
    assert min(each.total for each in groups) > 0.3
    assert all(each.low <= each.total <= each.high for each in groups)


def test_a_group_that_is_read_whole_is_counted_and_the_rest_add_up():
    q, y, random = corpus(2)
    rows = np.union1d(np.flatnonzero(GROUP == 1), random.choice(np.flatnonzero(GROUP != 1), 100, replace=False))
    sample = Sample((GROUP == 1).astype(int), np.array([(2000 - 120) / (len(rows) - 120), 1.0]), rows, y[rows])
    groups = estimate_totals(q, sample, GROUP, NAMES)
    assert groups[1].low == groups[1].total == groups[1].high == y[GROUP == 1].sum()
    assert sum(each.total for each in groups) == pytest.approx(estimate_totals(q, sample)[0].total, abs=1e-6)


def test_ends_are_quantiles_of_counts_of_the_posterior_by_enumeration():
    """One group of 12 items with one level of predictions, 5 of them labelled."""
    y = np.array([1.0, 0, 0, 1, 0])
    cells, _ = count_cells(np.full(12, 0.3), simple_random_sample(12, np.arange(5), y))
    eta, t = np.full(1, -0.8), np.linspace(-9, 9, 181)
    found, p, count = group_totals(cells, eta, 5.0), expit(-0.8 + t), np.arange(8)
    choose = np.exp(gammaln(8) - gammaln(count + 1) - gammaln(8 - count))
    for end, place, half in ((found.low, 0.025, 1 - p), (found.high, 0.975, p)):
        weight = p**2 * (1 - p) ** 3 * np.exp(-0.5 * (t / INTERVAL_SPREAD) ** 2) * np.sqrt(half)
        mass = (weight / weight.sum()) @ (choose * p[:, None] ** count * (1 - p[:, None]) ** (7 - count))
        assert end[0] == 2 + np.searchsorted(np.cumsum(mass), place)
    assert found.value[0] == pytest.approx(5.0)


def test_labels_of_units_that_are_alike_count_less():
    q, y, random = corpus(3)
    unit = np.empty(GROUP.size, np.int64)
    unit[np.lexsort((y, GROUP))] = np.arange(GROUP.size) // 10
    rows = np.flatnonzero(np.isin(unit, random.choice(200, 40, replace=False)))
    plain = simple_random_sample(GROUP.size, rows, y[rows])
    together = Sample(plain.stratum, plain.weights, rows, y[rows], unit, np.full(len(rows), plain.weights[0]))
    items, units = (estimate_totals(q, each, GROUP, NAMES) for each in (plain, together))
    assert sum(each.high - each.low for each in units) > 1.3 * sum(each.high - each.low for each in items)


@pytest.mark.slow
@pytest.mark.parametrize(("labels", "shift"), [(60, 0.0), (60, 1.0), (200, 1.0)])
def test_every_group_holds_where_the_model_is_off_by_group(labels, shift):
    held = []
    for seed in range(150):
        q, y, random = corpus([4, seed], shift)
        _, groups = estimated(q, y, random.choice(GROUP.size, labels, replace=False))
        truth = np.bincount(GROUP, y)
        held.append([each.low <= total <= each.high for each, total in zip(groups, truth, strict=True)])
    assert np.mean(held, axis=0).min() >= 0.91
