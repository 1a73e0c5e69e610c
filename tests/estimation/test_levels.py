"""The level of texts without a keyword: labels decide it, a prior where there are few, and intervals hold."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

from nlpcalib.estimation.levels import CERTAIN, LevelPosterior, Levels, level_posterior
from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.estimation.shared_effect import level_effect


def of_rate(events: int, n: int, expected: float) -> LevelPosterior:
    """The posterior of n labels of one probability."""
    return level_posterior(np.full(n, -2.0), np.repeat([1.0, 0.0], [events, n - events]), np.ones(n), expected=expected)


@pytest.mark.parametrize(("events", "n", "expected"), [(9, 94, 0.065), (0, 118, 0.009), (1, 30, 0.5)])
def test_of_one_probability_the_level_is_that_of_a_rate_weighted_by_its_likelihood(
    events: int, n: int, expected: float
) -> None:
    covered = np.random.default_rng(0).beta(1, 0.4, 400_000)
    rate = expected * (1 - covered) / covered
    rate = rate[rate < 1]
    chance = stats.binom.pmf(events, n, rate)
    found = of_rate(events, n, expected)
    for level in (0.1, 0.5, 0.975):
        below = chance[rate <= expit(-2 + found.quantile(level))].sum() / chance.sum()
        assert below == pytest.approx(level, abs=0.01)


def test_without_labels_a_fifth_of_an_event_is_missed_for_each_that_words_find() -> None:
    prior = level_posterior(np.zeros(1), np.zeros(1), np.zeros(1), expected=0.001)
    assert expit(prior.quantile(0.5)) == pytest.approx(0.00021, abs=1e-5)
    assert expit(prior.quantile(0.975)) == pytest.approx(0.015, abs=0.001)


def test_many_labels_overrule_the_prior() -> None:
    assert expit(-2 + of_rate(300, 1000, 0.001).quantile(0.5)) == pytest.approx(0.3, abs=0.003)


def test_bins_have_the_level_of_their_labels() -> None:
    y = np.array([1.0, 0, 0, 0, 1, 0])
    odds = np.array([-3.0, -3, -3, -3, 0, 0])
    labels = level_posterior(odds, y, np.ones(6), expected=0.1)
    bins = level_posterior(np.array([-3.0, 0]), np.array([0.25, 0.5]), np.array([4.0, 2]), expected=0.1)
    np.testing.assert_allclose(bins.weights, labels.weights, atol=1e-12)


def test_intervals_of_new_units_hold_where_rates_are_of_the_prior() -> None:
    rng = np.random.default_rng(2)
    held = []
    for covered in rng.beta(1, 0.4, 600):
        rate = 0.02 * (1 - covered) / max(covered, 1e-9)
        if rate < 0.5:
            level = of_rate(rng.binomial(60, rate), 60, 0.02)
            q = np.full(400, expit(-2 + level.quantile(0.5)))
            low, high = Levels(wordless=level.around_median()).count(q, np.ones(400, bool)).interval()
            held.append(low <= rng.binomial(400, rate) <= high)
    assert 0.93 < np.mean(held) < 0.99


def test_a_count_of_both_kinds_is_the_sum_of_two() -> None:
    worded = level_effect((np.array([0.5]), np.array([40])))
    levels = Levels(worded, LevelPosterior(np.array([-1.0, 0, 1]), np.array([0.2, 0.6, 0.2])))
    q, wordless = np.array([0.6, 0.1, 0.7, 0.2]), np.array([False, True, False, True])
    other = sum(
        weight * PoissonBinomial(expit(logit(q[wordless]) + shift)).pmf
        for shift, weight in zip((-1, 0, 1), (0.2, 0.6, 0.2), strict=True)
    )
    found = levels.count(q, wordless)
    np.testing.assert_allclose(found.pmf, np.convolve(worded.distribution(q[~wordless]), other), atol=1e-9)
    assert found.mean == pytest.approx(q.sum())
    mean = found.pmf @ np.arange(5)
    assert found.sd == pytest.approx(np.sqrt(found.pmf @ (np.arange(5) - mean) ** 2), abs=1e-6)


def test_certain_levels_are_independent_units() -> None:
    q = np.array([0.2, 0.5])
    found = CERTAIN.count(q, np.array([True, False]))
    assert found.pmf.tolist() == PoissonBinomial(q).pmf.tolist()
