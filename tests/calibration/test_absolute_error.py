"""Absolute errors over bins are those of a loop over rows, and of cases that are done by hand."""

from itertools import pairwise

import numpy as np
import pytest

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.absolute_error import adaptive_error, expected_error, maximum_error


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    q = rng.beta(0.5, 0.8, 1000)
    return q, rng.random(1000) < q**2


def gaps(q, y, groups):
    """Return the size and the absolute gap of each group of rows."""
    return [(rows.size, abs(q[rows].mean() - y[rows].mean())) for rows in groups if rows.size]


@pytest.mark.parametrize("bins", [1, 7, 15])
def test_expected_and_maximum_error_are_those_of_bins_of_equal_width(table, bins):
    q, y = table
    edges = np.linspace(0, 1, bins + 1)
    found = gaps(q, y, [np.flatnonzero((q >= low) & (q < high)) for low, high in pairwise(edges)])
    assert expected_error(SortedPairs(q, y), bins) == pytest.approx(sum(n * gap for n, gap in found) / 1000)
    assert maximum_error(SortedPairs(q, y), bins) == pytest.approx(max(gap for _, gap in found))


@pytest.mark.parametrize("bins", [1, 8, 20])
def test_the_adaptive_error_is_that_of_bins_of_equal_mass(table, bins):
    q, y = table
    found = gaps(q, y, np.split(np.argsort(q), np.arange(1, bins) * 1000 // bins))
    assert adaptive_error(SortedPairs(q, y), bins) == pytest.approx(sum(n * gap for n, gap in found) / 1000)


def test_fifteen_bins_are_the_default(table):
    pairs = SortedPairs(*table)
    for error in (expected_error, maximum_error, adaptive_error):
        assert error(pairs) == error(pairs, 15)
