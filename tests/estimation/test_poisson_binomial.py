"""The distribution of a count of independent events against enumeration, the binomial, a DFT and simulation."""

import time
from itertools import product

import numpy as np
import pytest
from scipy import stats

from nlpcalib.errors import InputError
from nlpcalib.estimation.poisson_binomial import PoissonBinomial, convolve_all


def enumerated(probabilities):
    pmf = np.zeros(len(probabilities) + 1)
    for outcome in product((0, 1), repeat=len(probabilities)):
        pmf[sum(outcome)] += np.prod(np.where(outcome, probabilities, 1 - np.asarray(probabilities)))
    return pmf


def from_characteristic_function(probabilities):
    """Return the pmf as the discrete Fourier transform of the characteristic function (Hong 2013)."""
    size = len(probabilities) + 1
    roots = np.exp(2j * np.pi * np.arange(size) / size)
    values = np.ones(size, dtype=complex)
    for p in probabilities:
        values *= 1 - p + p * roots
    return np.fft.fft(values).real / size


def test_the_distribution_matches_enumeration():
    rng = np.random.default_rng(0)
    for size in range(1, 12):
        probabilities = rng.beta(0.4, 0.6, size)
        np.testing.assert_allclose(PoissonBinomial(probabilities).pmf, enumerated(probabilities), rtol=1e-13, atol=0)


@pytest.mark.parametrize("size", [1, 9, 300])
def test_sums_side_by_side_are_those_of_each_alone(size):
    p = np.random.default_rng(size).beta(0.3, 0.5, (size, 2, 3))
    found = convolve_all(np.stack([1 - p, p]))
    assert found.shape == (size + 1, 2, 3)
    for row, column in product(range(2), range(3)):
        alone = enumerated(p[:, row, column]) if size < 10 else PoissonBinomial(p[:, row, column]).pmf
        np.testing.assert_allclose(found[:, row, column], alone, rtol=0, atol=1e-14)


@pytest.mark.parametrize("size", [127, 128, 129, 255, 256, 257, 1000, 3000])
def test_blocks_and_fourier_transforms_match_the_characteristic_function(size):
    probabilities = np.random.default_rng(size).beta(0.3, 0.5, size)
    pmf = PoissonBinomial(probabilities).pmf
    np.testing.assert_allclose(pmf, from_characteristic_function(probabilities), rtol=0, atol=1e-13)


@pytest.mark.parametrize("p", [1e-9, 0.003, 0.3, 0.5, 0.999])
@pytest.mark.parametrize("size", [100, 4_000])
def test_equal_probabilities_give_the_binomial(size, p):
    distribution = PoissonBinomial(np.full(size, p))
    np.testing.assert_allclose(distribution.pmf, stats.binom.pmf(np.arange(size + 1), size, p), rtol=0, atol=1e-12)
    levels = [0.001, 0.025, 0.5, 0.975, 0.999]
    np.testing.assert_array_equal(distribution.quantiles(levels), stats.binom.ppf(levels, size, p))


def test_few_events_have_precise_tails():
    pmf = PoissonBinomial(np.full(100, 0.5)).pmf
    np.testing.assert_allclose(pmf, stats.binom.pmf(np.arange(101), 100, 0.5), rtol=1e-11, atol=0)


def test_counts_to_two_sum_to_the_convolution_of_their_distributions():
    rng = np.random.default_rng(5)
    pmfs = rng.dirichlet([0.5, 0.5, 0.5], 300).T
    expected = np.ones(1)
    for pmf in pmfs.T:
        expected = np.convolve(expected, pmf)
    np.testing.assert_allclose(convolve_all(pmfs), expected, rtol=0, atol=1e-14)


def test_simulated_counts_follow_the_distribution():
    rng = np.random.default_rng(1)
    probabilities = rng.beta(0.5, 2.0, 150)
    distribution = PoissonBinomial(probabilities)
    counts = (rng.random((40_000, 150)) < probabilities).sum(axis=1)
    observed = np.bincount(counts, minlength=151)
    expected = distribution.pmf * counts.size
    kept = expected >= 5
    chi_square = ((observed - expected)[kept] ** 2 / expected[kept]).sum()
    assert stats.chi2.sf(chi_square, kept.sum() - 1) > 1e-3
    assert counts.mean() == pytest.approx(distribution.mean, abs=4 * distribution.sd / 200)


def test_moments_are_those_of_the_distribution():
    distribution = PoissonBinomial(np.random.default_rng(2).beta(0.4, 0.4, 500))
    count = np.arange(501)
    deviation = count - distribution.pmf @ count
    variance = distribution.pmf @ deviation**2
    assert distribution.pmf @ count == pytest.approx(distribution.mean, rel=1e-12)
    assert variance == pytest.approx(distribution.sd**2, rel=1e-10)


def test_certain_and_impossible_events_shift_the_count_and_add_nothing():
    distribution = PoissonBinomial(np.array([1.0, 0.0, 0.5, 1.0, 0.0]))
    np.testing.assert_array_equal(distribution.pmf, [0, 0, 0.5, 0.5, 0, 0])
    assert (distribution.mean, distribution.sd) == (2.5, 0.5)
    assert distribution.interval() == (2, 3)
    certain = PoissonBinomial(np.ones(3))
    assert certain.interval() == (3, 3)
    assert certain.sd == 0
    assert certain.pmf.tolist() == [0, 0, 0, 1]


def test_no_event_is_no_count():
    distribution = PoissonBinomial(np.empty(0))
    assert distribution.pmf.tolist() == [1.0]
    assert (distribution.mean, distribution.sd, distribution.interval()) == (0.0, 0.0, (0, 0))


def test_a_level_that_is_met_to_the_last_digit_is_met():
    assert PoissonBinomial(np.array([0.5])).quantiles([0.5]).tolist() == [0]
    assert PoissonBinomial(np.full(10, 0.5)).quantiles(stats.binom.cdf([2, 4, 8], 10, 0.5)).tolist() == [2, 4, 8]


def test_two_hundred_thousand_events_are_counted_in_a_second():
    probabilities = np.random.default_rng(3).beta(0.02, 0.5, 200_000)
    start = time.process_time()
    distribution = PoissonBinomial(probabilities)
    low, high = distribution.interval()
    assert time.process_time() - start < 2.0  # measured .2 s; the rest is for a busy machine
    normal = stats.norm.interval(0.95, distribution.mean, distribution.sd)
    assert np.abs(np.subtract((low, high), normal)).max() < 1.5
    assert distribution.pmf.sum() == pytest.approx(1, abs=1e-13)
    assert distribution.pmf @ np.arange(200_001) == pytest.approx(distribution.mean, abs=1e-7)


@pytest.mark.parametrize(
    ("probabilities", "found"),
    [([0.2, 1.5], "1.5 at place 1"), ([-0.1], "-0.1 at place 0"), ([0.1, 0.2, np.nan], "nan at place 2")],
)
def test_what_is_no_probability_is_named(probabilities, found):
    with pytest.raises(InputError, match=found):
        PoissonBinomial(np.array(probabilities))


def test_shapes_and_levels_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match=r"shape \(2, 2\)"):
        PoissonBinomial(np.zeros((2, 2)))
    for level in (0.0, 1.0, np.nan):
        with pytest.raises(InputError, match="between 0 and 1"):
            PoissonBinomial(np.zeros(2)).quantiles([level])
