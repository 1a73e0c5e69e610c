"""Regimes whose truth is known: what is drawn has the curve, the error and the dependence that are promised."""

import numpy as np
import pytest

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.intervals import mean_square
from nlpcalib.seeding import generator
from reproduction.simulation.regimes import DENSITIES, UNIT_SIZES, Regime

N = 200_000
REGIMES = [
    Regime(curve, density, dependence)
    for dependence in UNIT_SIZES
    for density in ("uniform", "skewed")
    for curve in ("calibrated", "mild", "strong")
]


@pytest.mark.parametrize("density", DENSITIES)
def test_the_parts_of_a_density_are_a_distribution(density):
    assert sum(weight for weight, *_ in DENSITIES[density]) == pytest.approx(1)


@pytest.mark.parametrize("regime", REGIMES, ids=lambda regime: regime.name)
def test_the_quadrature_agrees_with_the_predictions_drawn(regime):
    q, y, unit = regime.draw(N, generator(0, regime.name))
    assert (q.shape, y.dtype, q.min() >= 0, q.max() <= 1) == ((N,), bool, True, True)
    difference = q - regime.frequency(q)
    assert np.mean(difference**2) == pytest.approx(regime.squared_error(), rel=0.15, abs=1e-15)
    assert np.mean(abs(difference)) == pytest.approx(regime.absolute_error(), rel=0.15, abs=1e-15)
    if unit is not None:
        sizes = np.bincount(unit)[:-1]
        assert sizes.min() >= 1
        assert sizes.mean() == pytest.approx(UNIT_SIZES[regime.dependence], rel=0.15)


@pytest.mark.parametrize("regime", [r for r in REGIMES if r.dependence != "documents"], ids=lambda regime: regime.name)
def test_labels_follow_the_curve_whatever_their_dependence(regime):
    q, y, _ = regime.draw(N, generator(1, regime.name))
    frequency = regime.frequency(q)
    order = np.argsort(q)
    for part in np.array_split(order[-N // 10 :], 5):  # the upper end, where labels vary in every regime
        error = np.sqrt(np.sum(frequency[part] * (1 - frequency[part]))) / part.size
        assert np.mean(y[part]) == pytest.approx(np.mean(frequency[part]), abs=8 * error)


@pytest.mark.parametrize("density", ["uniform", "skewed"])
def test_the_truth_is_the_limit_of_fine_bins(density):
    regime = Regime("strong", density, "independent")
    q, y, _ = regime.draw(400_000, generator(0, "limit"))
    pairs = SortedPairs(q, y)
    bins = pairs.summarise(pairs.half_information_starts(100))
    assert mean_square(bins) == pytest.approx(regime.squared_error(), rel=0.1)


def test_labels_of_a_unit_are_wrong_together():
    regime = Regime("calibrated", "uniform", "documents")
    q, y, unit = regime.draw(N, generator(2, "dependence"))
    totals = np.bincount(unit, weights=y - q)
    assert np.var(totals) > 5 * np.sum(q * (1 - q)) / totals.size
