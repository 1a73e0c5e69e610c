"""Consistency bands hold the curve of a perfect model as often as they say, and not that of a distorted one."""

import numpy as np
import pytest

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.bands import consistency_band
from reproduction.simulation.coverage import draws
from reproduction.simulation.regimes import Regime


def share_inside(regime, *, units=True):
    """Return how often, of 100 draws, all ten bins' frequencies lie in the band."""
    held = 0
    for pairs in draws(regime, 5000, range(100), seed=7):
        used = pairs if units else pairs.without_units()
        starts = used.half_information_starts(10)
        low, high = consistency_band(used, starts)
        frequency = used.summarise(starts).label_frequency
        held += np.all((low <= frequency) & (frequency <= high))
    return held / 100


@pytest.mark.parametrize("density", ["uniform", "skewed"])
def test_bands_hold_a_perfect_model(density):
    assert share_inside(Regime("calibrated", density, "independent")) >= 0.9
    assert share_inside(Regime("strong", density, "independent")) == 0


def test_bands_know_of_units():
    regime = Regime("calibrated", "uniform", "documents")
    assert share_inside(regime, units=False) < 0.6
    assert share_inside(regime) >= 0.9


def test_a_band_by_hand():
    pairs = SortedPairs(np.full(10, 0.5), np.arange(10) < 5)
    low, high = consistency_band(pairs, np.array([0]))
    assert (low[0], high[0]) == (0.2, 0.8)  # P(at most 1 of 10) = .0107, P(at most 2) = .0547
    low, high = consistency_band(pairs, np.array([0]), level=0.99)
    assert (low[0], high[0]) == (0.1, 0.9)  # P(none of 10) = .00098, P(at most 1) = .0107
    for q in (0.0, 1.0):
        assert consistency_band(SortedPairs(np.full(3, q), np.full(3, q)), np.array([0])) == (q, q)


def test_the_order_of_rows_leaves_no_trace_where_cuts_divide_ties():
    """Sorted pairs have the zeros of a run first: of units, each side of a cut would have the wrong labels."""
    rng = np.random.default_rng(0)
    unit = rng.integers(0, 40, 3000)
    q = rng.integers(1, 4, 3000) / 4
    y = rng.random(3000) < q
    order = rng.permutation(3000)
    one, other = SortedPairs(q, y, unit), SortedPairs(q[order], y[order], unit[order])
    starts = one.adaptive_starts(200)
    band = consistency_band(one, starts)
    np.testing.assert_array_equal(band, consistency_band(other, starts))
    alone = consistency_band(one.without_units(), starts)
    assert np.all(band[1] - band[0] < 1.5 * (alone[1] - alone[0]))
