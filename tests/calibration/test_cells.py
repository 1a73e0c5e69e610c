"""Sums of units over bins, and their products, against sums that are written out."""

import numpy as np
import pytest

from nlpcalib.calibration import by_class, cells, cox
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import Settings


def pairs_of_units(n, units, seed=0):
    rng = np.random.default_rng(seed)
    q = np.round(rng.random(n), 2)
    return SortedPairs(q, rng.random(n) < q, rng.integers(0, units, n) * 2)  # every other code has no pair


def written_out(pairs, starts):
    """Return residual sums, their squares and counts, each (U, T), pair by pair."""
    sums = np.zeros((3, pairs.unit.max() + 1, starts.size))
    bin_of = np.searchsorted(starts, np.arange(len(pairs)), side="right") - 1
    residual = pairs.y - pairs.q
    for table, values in zip(sums, (residual, residual**2, np.ones(len(pairs))), strict=True):
        np.add.at(table, (pairs.unit, bin_of), values)
    return sums


@pytest.mark.parametrize("units", [1, 7, 150])
def test_cells_are_the_sums_over_their_pairs(units):
    pairs = pairs_of_units(400, units)
    starts = pairs.half_information_starts(12)
    found = cells.unit_cells(pairs, starts)
    total, squares, count = written_out(pairs, starts)
    assert list(zip(found.unit, found.bin, strict=True)) == list(zip(*np.nonzero(count), strict=True))
    for values, expected in ((found.total, total), (found.squares, squares), (found.count, count)):
        np.testing.assert_allclose(values, expected[found.unit, found.bin], atol=1e-12)


@pytest.mark.parametrize("dense", [0.0, 2.0], ids=["rows", "cells"])
def test_products_are_those_of_different_units(dense, monkeypatch):
    monkeypatch.setattr(cells, "_MIN_DENSE_SHARE", dense)
    monkeypatch.setattr(cells, "BLOCK_NUMBERS", 24)
    pairs = pairs_of_units(300, 20)
    starts = pairs.half_information_starts(8)
    found = cells.unit_cells(pairs, starts)
    table = np.zeros(pairs.unit.max() + 1, np.int64)
    products = cells.UnitProducts(found.total, found.unit, found.bin, table, np.zeros(starts.size, np.int64))
    kernel = written_out(pairs, starts)[0]
    across = kernel @ kernel.T
    np.fill_diagonal(across, 0.0)
    np.testing.assert_allclose(products.pair_moments(), 2 * np.sum(across**2))
    expected = 8 * max(np.trace(across @ across @ across), 0.0)
    np.testing.assert_allclose(products.triple_moments(), expected, atol=1e-9)


def test_no_number_depends_on_how_many_pairs_are_in_memory_at_a_time(monkeypatch):
    pairs = pairs_of_units(3000, 60)
    label = np.random.default_rng(1).integers(0, 9, len(pairs))
    names = [f"label {code}" for code in range(9)]
    settings = Settings(bin_size=50, samples=50)
    together = by_class.class_rows(pairs, label, names, settings)
    monkeypatch.setattr(by_class, "BLOCK_NUMBERS", 700)
    monkeypatch.setattr(cox, "BLOCK_NUMBERS", 64)
    for row, other in zip(together, by_class.class_rows(pairs, label, names, settings), strict=True):
        assert row.keys() == other.keys()
        for name, value in row.items():
            assert value == (pytest.approx(other[name], rel=1e-8) if isinstance(value, float) else other[name])


def test_each_table_takes_out_its_own_units():
    """Two tables in one call have the moments that each has alone, however much larger the other's values are."""
    rng = np.random.default_rng(4)
    units, bins = 700, 12
    one, other = rng.normal(size=(units, bins)), 0.01 * rng.normal(size=(units, bins))
    values = np.concatenate([one.ravel(), other.ravel()])
    row = np.concatenate([np.repeat(np.arange(units), bins), units + np.repeat(np.arange(units), bins)])
    bin_of = np.concatenate([np.tile(np.arange(bins), units), bins + np.tile(np.arange(bins), units)])
    products = cells.UnitProducts(values, row, bin_of, np.repeat([0, 1], units), np.repeat([0, 1], bins))
    found = products.pair_moments(), products.triple_moments()
    for number, table in enumerate((one, other)):
        gram = table @ table.T
        np.fill_diagonal(gram, 0.0)
        assert np.allclose(found[0][number], 2 * np.sum(gram**2))
        assert np.allclose(found[1][number], 8 * np.trace(gram @ gram @ gram))
