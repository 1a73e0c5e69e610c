"""Consistency bands hold the curve of a perfect model as often as they say, and not that of a distorted one."""

import numpy as np
import pytest

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.bands import consistency_band
from nlpcalib.simulation.coverage import draws
from nlpcalib.simulation.regimes import Regime


def inside(regime, *, units=True, simultaneous=False):
    """Return, for 60 draws, which of ten bins' frequencies lie in the band."""
    found = []
    for pairs in draws(regime, 5000, range(60), seed=7):
        used = pairs if units else pairs.without_units()
        starts = pairs.half_information_starts(10)
        low, high = consistency_band(used, starts, simultaneous=simultaneous)
        frequency = pairs.summarise(starts).label_frequency
        found.append((low <= frequency) & (frequency <= high))
    return np.array(found)


@pytest.mark.parametrize("density", ["uniform", "skewed"])
def test_bands_hold_a_perfect_model(density):
    regime = Regime("calibrated", density, "independent")
    assert inside(regime).mean() > 0.93
    assert inside(regime, simultaneous=True).all(axis=1).mean() > 0.9
    assert not inside(Regime("strong", density, "independent"), simultaneous=True).all(axis=1).any()


def test_bands_know_of_units():
    regime = Regime("calibrated", "uniform", "documents")
    assert inside(regime, units=False).mean() < 0.8
    assert inside(regime).mean() > 0.85  # ten documents


def test_a_band_by_hand():
    pairs = SortedPairs(np.full(10, 0.5), np.arange(10) < 5)
    low, high = consistency_band(pairs, np.array([0]))
    assert (low[0], high[0]) == (0.2, 0.8)  # P(at most 1 of 10) = .0107, P(at most 2) = .0547
    for q in (0.0, 1.0):
        assert consistency_band(SortedPairs(np.full(3, q), np.full(3, q)), np.array([0])) == (q, q)
