"""Counts of many groups are Poisson-binomials of rates that are uncertain, and hold what they promise."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import beta, binom, kstest

from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import LEVEL_LOG_ODDS, Cells, level_of
from nlpcalib.sampling.samples import count_cells, simple_random_sample
from studies.estimation import group_counts as module
from studies.estimation.group_counts import GroupCounts, group_counts, sample_working_models


def corpus(seed, items=20_000, groups=400, labels=300):
    random = np.random.default_rng(seed)
    q = random.beta(0.15, 1.5, items)
    y = random.random(items) < 1 / (1 + np.exp(-(0.5 + 0.7 * np.log(q / (1 - q)))))
    group = random.integers(0, groups, items)
    rows = random.choice(items, labels, replace=False)
    cells, _ = count_cells(q, simple_random_sample(items, rows, y[rows].astype(float)), group, groups)
    return cells, np.bincount(group, y, minlength=groups)


def test_the_distribution_is_that_of_sampled_labels():
    cells, _ = corpus(0)
    found = group_counts(cells)
    random = np.random.default_rng(1)
    rate = sample_working_models(cells.whole, 20_000, random)
    unread = (cells.size - cells.read)[3].astype(int)
    drawn = random.binomial(unread, rate).sum(axis=1) + int(cells.positive[3].sum())
    assert found.mean[3] == pytest.approx(drawn.mean(), rel=0.05)
    for count in range(int(drawn.min()), int(drawn.max())):
        assert found.probability(np.full(400, count))[3] == pytest.approx(np.mean(drawn == count), abs=0.03)


def test_groups_that_are_taken_in_parts_have_the_counts_of_all_at_once(monkeypatch):
    cells, _ = corpus(3, items=2000, groups=7)
    whole = group_counts(cells)
    monkeypatch.setattr(module, "_MAX_ARRAY_ENTRIES", 2 * whole.pmf.shape[1])
    parts = group_counts(cells)
    np.testing.assert_array_equal(parts.first, whole.first)
    np.testing.assert_allclose(parts.pmf, whole.pmf, rtol=0, atol=1e-15)


def test_everything_read_is_known():
    cells, truth = corpus(2, items=300, groups=10, labels=300)
    found = group_counts(cells)
    assert found.probability(truth.astype(int)) == pytest.approx(np.ones(10))


def test_counts_of_groups_are_in_their_intervals_as_often_as_promised():
    held, promised, score, uncalibrated = [], [], [], []
    for seed in range(5):
        cells, truth = corpus(seed)
        found = group_counts(cells)
        low, high = found.interval()
        held.append((low <= truth) & (truth <= high))
        inside = np.arange(found.pmf.shape[1]) + found.first[:, None]
        promised.append((found.pmf * ((inside >= low[:, None]) & (inside <= high[:, None]))).sum(axis=1))
        score.append(-np.log(found.probability(truth.astype(int))))
        uncalibrated.append((found.mean - truth).mean())
    assert np.mean(held) == pytest.approx(np.mean(promised), abs=0.02)
    assert np.mean(score) < 2.2
    assert abs(np.mean(uncalibrated)) < 0.3


def test_the_working_model_finds_the_curve_and_the_rates_where_the_model_is_sure():
    cells, _ = corpus(4, labels=15_000)
    eta = fit_working_model(cells.whole)
    between = (cells.level > 0) & (cells.level < 41)
    expected = 0.5 + 0.7 * LEVEL_LOG_ODDS[cells.level]
    assert eta[between] == pytest.approx(expected[between], abs=0.25)
    assert level_of(np.array([0.0, 0.01, 0.5, 0.99, 1.0])).tolist() == [0, 0, 21, 41, 41]
    assert isinstance(cells, Cells)


@pytest.mark.parametrize("q", [0.005, 0.995])
@pytest.mark.parametrize(("read", "positive"), [(5, 0), (40, 3)])
def test_the_rate_where_the_model_is_sure_has_jeffreys_posterior(q, read, positive):
    n, k = np.array([read, 60.0]), np.array([positive, 30.0])
    cells = Cells(level_of(np.array([q, 0.5])), np.array([0, 1]), *np.full((3, 2), 1000.0), n, k, n, k)
    drawn = sample_working_models(cells, 20_000, np.random.default_rng(0))[:, 0]
    assert kstest(drawn, beta(positive + 0.5, read - positive + 0.5).cdf).pvalue > 1e-3
    assert kstest(drawn, beta(positive + 1, read - positive + 1).cdf).pvalue < 1e-3
    assert expit(fit_working_model(cells)[0]) == pytest.approx((positive + 0.5) / (read + 1))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_the_ends_of_a_central_interval_are_quantiles(level):
    found = GroupCounts(np.array([3, 0]), binom.pmf(np.arange(31), 30, [[0.2], [0.7]]))
    expected = [binom.ppf(tail, 30, [0.2, 0.7]) + np.array([3, 0]) for tail in ((1 - level) / 2, (1 + level) / 2)]
    np.testing.assert_array_equal(found.interval(level), expected)
