"""Consistency bands hold the curve of a perfect model as often as they say, and not that of a distorted one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.bands import _binomial_quantile, clustered_bins, consistency_band
from nlpcalib.calibration.intervals import mean_square, noise_floor
from reproduction.simulation.regimes import Regime
from studies.simulation.coverage import draws


def band_of(pairs, starts, **options):
    return consistency_band(clustered_bins(pairs, starts), **options)


def inside(pairs):
    """Return whether all ten bins' frequencies lie in the band."""
    starts = pairs.half_information_starts(10)
    low, high = band_of(pairs, starts)
    frequency = pairs.summarise(starts).label_frequency
    return np.all((low <= frequency) & (frequency <= high))


def share_inside(regime, *, units=True):
    """Return how often, of 100 draws, the curve lies in the band."""
    drawn = draws(regime, 5000, range(100), seed=7)
    return np.mean([inside(pairs if units else pairs.without_units()) for pairs in drawn])


def labels_of_units(sizes, shared, rng, density):
    """Return perfect predictions, and labels whose latent causes correlate by `shared` within units."""
    unit = np.repeat(np.arange(sizes.size), sizes)
    q = density(rng, unit)
    latent = np.sqrt(shared) * rng.normal(size=sizes.size)[unit] + np.sqrt(1 - shared) * rng.normal(size=unit.size)
    return SortedPairs(q, special.ndtr(latent) < q, unit)


def evenly(rng, unit):
    return rng.random(unit.size)


def skewed(rng, unit):
    return rng.beta(0.15, 0.6, unit.size)


def by_unit(rng, unit):
    return special.expit(rng.normal(0, 1.5, unit.max() + 1)[unit] + 0.3 * rng.normal(size=unit.size))


def log_normal(rng):
    return np.maximum(rng.lognormal(2.5, 1.2, 100).astype(int), 1)


def equal(units, size):
    return lambda rng: np.full(units, size)


SIZES = {"2,000 of 2": equal(2000, 2), "200 of 20": equal(200, 20), "50 of 80": equal(50, 80), "unequal": log_normal}


@pytest.mark.parametrize("density", ["uniform", "skewed"])
def test_bands_hold_a_perfect_model(density):
    assert share_inside(Regime("calibrated", density, "independent")) >= 0.9
    assert share_inside(Regime("strong", density, "independent")) == 0


def test_bands_know_of_units():
    regime = Regime("calibrated", "uniform", "documents")
    assert share_inside(regime, units=False) < 0.6
    assert share_inside(regime) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("density", [evenly, skewed, by_unit])
@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
def test_the_curve_of_a_perfect_model_lies_in_the_band_whatever_its_units(sizes, density):
    rng = np.random.default_rng(11)
    held = np.mean([inside(labels_of_units(sizes(rng), 0.2, rng, density)) for _ in range(1000)])
    assert held >= 0.95 - 2.5 * np.sqrt(0.95 * 0.05 / 1000)


@given(
    st.integers(0, 2**32),
    st.integers(30, 400),
    st.floats(0.1, 2),
    st.floats(-2, 2),
    st.sampled_from([evenly, skewed, lambda rng, unit: rng.integers(0, 5, unit.size) / 4]),
)
def test_units_of_one_row_leave_bars_and_band_as_they_are_whatever_the_model(seed, n, slope, shift, density):
    rng = np.random.default_rng(seed)
    unit = rng.permutation(n)
    q = density(rng, unit)
    with np.errstate(divide="ignore"):
        y = rng.random(n) < special.expit(slope * special.logit(q) + shift)
    pairs = SortedPairs(q, y, unit)
    starts = pairs.adaptive_starts(30)
    with_units, without = (clustered_bins(each, starts) for each in (pairs, pairs.without_units()))
    for interval in (consistency_band, lambda bins: bins.frequency_interval()):
        np.testing.assert_allclose(interval(with_units), interval(without), rtol=0, atol=1e-12)


def test_the_models_own_error_makes_no_band_wider():
    """A model whose log odds are three times too large, with labels that are independent, alone and in tens."""
    rng = np.random.default_rng(0)
    logit = rng.normal(0, 2.5, 8000)
    pairs = SortedPairs(special.expit(logit), rng.random(8000) < special.expit(0.3 * logit), np.arange(8000) // 10)
    starts = pairs.adaptive_starts(8000 // 36)
    low, high = band_of(pairs, starts)
    alone = np.subtract(*band_of(pairs.without_units(), starts)[::-1]).mean()
    assert np.mean(high - low) == pytest.approx(alone, rel=0.05)
    frequency = pairs.summarise(starts).label_frequency
    assert np.mean((low <= frequency) & (frequency <= high)) < 0.25


@pytest.mark.parametrize("shared", [0.0, 0.3])
@pytest.mark.parametrize("density", [evenly, by_unit])
def test_the_noise_floor_of_units_is_what_a_perfect_model_shows(density, shared):
    squares, floors = [], []
    for seed in range(60):
        pairs = labels_of_units(np.full(50, 80), shared, np.random.default_rng(seed), density)
        starts = pairs.adaptive_starts(200)
        squares.append(mean_square(pairs.summarise(starts)))
        floors.append(noise_floor(pairs, starts))
    assert np.mean(floors) == pytest.approx(np.mean(squares) ** 0.5, rel=0.12)


def test_a_band_by_hand():
    pairs = SortedPairs(np.full(10, 0.5), np.arange(10) < 5)
    low, high = band_of(pairs, np.array([0]))
    assert (low[0], high[0]) == (0.2, 0.8)  # P(at most 1 of 10) = .0107, P(at most 2) = .0547
    low, high = band_of(pairs, np.array([0]), level=0.99)
    assert (low[0], high[0]) == (0.1, 0.9)  # P(none of 10) = .00098, P(at most 1) = .0107
    for q in (0.0, 1.0):
        assert band_of(SortedPairs(np.full(3, q), np.full(3, q)), np.array([0])) == (q, q)


def test_the_order_of_rows_leaves_no_trace_where_cuts_divide_ties():
    """Sorted pairs have the zeros of a run first: of units, each side of a cut would have the wrong labels."""
    rng = np.random.default_rng(0)
    unit = rng.integers(0, 40, 3000)
    q = rng.integers(1, 4, 3000) / 4
    y = rng.random(3000) < q
    order = rng.permutation(3000)
    one, other = SortedPairs(q, y, unit), SortedPairs(q[order], y[order], unit[order])
    starts = one.adaptive_starts(200)
    band = band_of(one, starts)
    np.testing.assert_array_equal(band, band_of(other, starts))
    alone = band_of(one.without_units(), starts)
    assert np.all(band[1] - band[0] < 1.5 * (alone[1] - alone[0]))


@pytest.mark.parametrize("p", [0.001, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("trials", [1, 10, 37, 1000])
def test_binomial_quantiles_are_exact_also_where_a_probability_is_reached(trials, p):
    counts = np.arange(trials)
    reached = special.betaincc(counts + 1.0, trials - counts, p)
    kept = (reached > 1e-12) & (reached < 0.9)
    counts, reached = counts[kept], reached[kept]
    for share, count in ((reached, counts), (reached * (1 + 1e-5), counts + 1), (reached * (1 - 1e-5), counts)):
        np.testing.assert_array_equal(_binomial_quantile(share, np.full(share.size, float(trials)), p), count)


def test_the_design_effect_of_a_bin_is_that_of_the_jackknife_over_its_units():
    rng = np.random.default_rng(3)
    pairs = labels_of_units(rng.integers(2, 30, 25), 0.5, rng, by_unit)
    residual = pairs.y - pairs.q
    left_out = np.array([residual[pairs.unit != each].mean() for each in range(25)])
    together = (1 - 1 / 25) * np.sum((left_out - residual.mean()) ** 2)
    alone = np.sum((residual - residual.mean()) ** 2) / len(pairs) ** 2
    bins = clustered_bins(pairs, np.array([0]))
    assert together / alone > 2
    assert len(pairs) / bins.effective_size == pytest.approx(together / alone)
