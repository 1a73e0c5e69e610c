"""At what level intervals hold, and with how many degrees of freedom."""

import numpy as np
import pytest

from nlpcalib.calibration.bias_corrected import squared_error
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.calibration.units import effective_freedom, units_within

HAPPENED = (790, 800, 805, 805)
"""Of a thousand pairs of each of four units, all predicted with one half."""


@pytest.fixture
def pairs():
    y = np.concatenate([np.arange(1000) < happened for happened in HAPPENED])
    return SortedPairs(np.full(4000, 0.5), y, np.repeat(np.arange(4), 1000))


def test_a_few_equal_units_have_one_degree_of_freedom_less_than_there_are(pairs):
    error = squared_error(pairs, np.zeros(1, np.int64))
    assert float(error.units.item()) == 4
    assert float(error.freedom.item()) == pytest.approx(3, abs=0.01)


@pytest.mark.parametrize("name", ["adaptive_rms/algorithm2", "adaptive_mse/thesis"])
def test_the_published_intervals_are_of_level_95_whatever_is_asked_for(pairs, name):
    asked, usual = (METHODS[name](pairs, Settings(bin_size=500, samples=200, level=level)) for level in (0.5, 0.95))
    assert asked == usual
    assert asked.level == 0.95


@pytest.mark.parametrize("name", ["rms/score", "rms/cluster_score", "squared/cluster_score"])
def test_other_intervals_have_the_level_that_is_asked_for(pairs, name):
    narrow, wide = (METHODS[f"bias_corrected_{name}"](pairs, Settings(level=level)) for level in (0.5, 0.95))
    assert (narrow.level, wide.level) == (0.5, 0.95)
    assert wide.low < narrow.low <= narrow.value < narrow.high < wide.high


def correlation_of(count, total, squares):
    """Return the correlation of two residuals of one unit: products of different ones over their expected number."""
    mean = total.sum() / count.sum()
    # Σ (r − m)² and (Σ (r − m))² of each unit.
    own = squares - 2 * mean * total + count * mean**2
    products = (total - count * mean) ** 2 - own
    return min(max(products.sum() / (count * (count - 1)).sum() / (own.sum() / count.sum()), 0.0), 1.0)


def satterthwaite(count, correlation):
    """Return 2 E²/Var of Σ (R − w ΣR)² / (1 − w), a quadratic form of independent normal totals R."""
    share = count / count.sum()
    centred = np.eye(count.size) - np.outer(share, np.ones(count.size))
    form = centred.T @ np.diag(1 / (1 - share)) @ centred @ np.diag(count * (1 + (count - 1) * correlation))
    return np.trace(form) ** 2 / np.trace(form @ form)


def test_degrees_of_freedom_are_satterthwaites_of_each_table_by_matrices():
    rng = np.random.default_rng(1)
    count = np.round(rng.lognormal(1.5, 0.8, 30)) + 1
    table = np.repeat([0, 1, 2], 10)
    shared = np.array([0.0, 0.5, 1.0])[table]  # what residuals of a unit have in common
    squares, total = np.zeros(30), np.zeros(30)
    for unit in range(30):
        residual = shared[unit] * rng.normal() + rng.normal(0, 0.5, int(count[unit])) * (shared[unit] < 1)
        squares[unit], total[unit] = np.sum(residual**2), residual.sum()
    found = effective_freedom(table, count, total, squares, 3)
    expected, correlations = [], []
    for number in range(3):
        rows = table == number
        correlations.append(correlation_of(count[rows], total[rows], squares[rows]))
        expected.append(satterthwaite(count[rows], correlations[-1]))
    assert (correlations[0], correlations[2]) == (0, 1)
    assert 0 < correlations[1] < 1
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("units", [1, 2, 4])
def test_units_of_one_pair_have_no_correlation_and_one_degree_less_than_there_are(units):
    residual = np.array([0.5, 0.4, -0.3, 0.6])[:units]
    freedom = effective_freedom(np.zeros(units, int), np.ones(units), residual, residual**2, 1)
    assert freedom == pytest.approx(units - 1)


def test_freedom_is_never_more_than_one_less_than_there_are_units_nor_less_than_one_of_two():
    rng = np.random.default_rng(2)
    for units in (2, 3, 9):
        for _ in range(50):
            count = np.ceil(rng.lognormal(2, 2, units))
            (freedom,) = effective_freedom(np.zeros(units, int), count, rng.normal(0, count), count, 1)
            assert 1 - 1e-9 <= freedom <= units - 1


def test_a_unit_in_two_parts_counts_in_each_however_sparse_the_codes():
    for unit in ([0, 0, 1, 1], [0, 0, 700, 700]):
        codes, part = units_within(np.array(unit), np.array([0, 1, 1, 1]), 2)
        assert codes.tolist() == [0, 1, 2, 2]
        assert part.tolist() == [0, 1, 1]
