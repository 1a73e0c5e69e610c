"""Cells count each item once, strata are equal parts, and allocations are the textbook's."""

import numpy as np
import pytest
from scipy.special import expit, logit

from nlpcalib.errors import InputError
from nlpcalib.sampling import cells as module
from nlpcalib.sampling.allocation import (
    after_phase,
    after_pilot,
    by_prediction,
    of_units,
    phase_share,
    pilot_of_units,
    pilot_size,
)
from nlpcalib.sampling.cells import LEVEL_LOG_ODDS, Q_LEVELS, check_predictions, level_of
from nlpcalib.sampling.samples import Sample, count_cells
from nlpcalib.sampling.strata import anticipated_spread, strata_of_units, stratum_of_level, stratum_of_unit


def test_forty_levels_are_equally_wide_in_the_log_odds_between_those_where_the_model_is_sure():
    width = 2 * logit(0.99) / 40
    middle = logit(0.01) + width * (np.arange(40) + 0.5)
    np.testing.assert_allclose(LEVEL_LOG_ODDS, [logit(0.01), *middle, logit(0.99)])
    edges = expit(logit(0.01) + width * np.arange(1, 40))
    assert level_of(edges - 1e-9).tolist() == list(range(1, 40))
    assert level_of(edges + 1e-9).tolist() == list(range(2, 41))
    assert level_of(np.array([0, 0.01, 0.01 + 1e-9, 0.99 - 1e-9, 0.99, 1])).tolist() == [0, 0, 1, 40, 41, 41]


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("unequal", [False, True])
def test_cells_count_each_item_and_each_label_once(monkeypatch, grouped, unequal):
    """Also where all predictions of a cell are 0."""
    monkeypatch.setattr(module, "BLOCK_NUMBERS", 64)
    random = np.random.default_rng(3)
    q, stratum, group = random.beta(0.3, 0.5, 200), random.integers(0, 3, 200), random.integers(0, 2, 200)
    q = np.where(q < 0.01, 0, q)
    weights, rows = np.array([4.0, 2, 9]), np.sort(random.choice(200, 40, replace=False))
    y, expansion = random.integers(0, 2, 40).astype(float), random.uniform(1, 5, 40)
    sample = Sample(stratum, weights, rows, y, expansion=expansion if unequal else None)
    found, cell = count_cells(q, sample, group if grouped else None, 2 if grouped else 1)
    each = expansion if unequal else weights[stratum[rows]]
    known = set(zip(stratum.tolist(), level_of(q).tolist(), strict=True))
    assert list(zip(found.stratum.tolist(), found.level.tolist(), strict=True)) == sorted(known)
    for number in range(2 if grouped else 1):
        for place, (of, level) in enumerate(sorted(known)):
            mine = (stratum == of) & (level_of(q) == level) & ((group == number) | (not grouped))
            labelled = mine[rows]
            assert (cell[labelled] == place).all()
            expected = [
                mine.sum(), q[mine].sum(), weights[of], labelled.sum(), y[labelled].sum(), each[labelled].sum(),
                (each * y)[labelled].sum(),
            ]  # fmt: skip
            columns = (
                found.size, found.predicted, found.weight, found.read, found.positive, found.expanded,
                found.expanded_positive,
            )  # fmt: skip
            assert [column[number, place] for column in columns] == pytest.approx(expected)


def test_what_is_no_prediction_is_named_with_its_row(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_NUMBERS", 4)
    assert check_predictions([0, 1]).tolist() == [0, 1]
    for wrong in (1.5, -0.1, np.nan):
        with pytest.raises(InputError, match=f"found {wrong} at row 6, expected 0 to 1"):
            check_predictions(np.r_[np.full(6, 0.5), wrong, 2, 0.5])
    for shape in ((0,), (2, 2)):
        with pytest.raises(InputError, match="found an array of shape"):
            check_predictions(np.zeros(shape))


def test_three_strata_between_have_equal_sums_of_what_the_model_doubts():
    """To one level, with √(q (1 − q)) at the middle of each of 40."""
    size = np.random.default_rng(0).integers(0, 50, Q_LEVELS).astype(float)
    strata = stratum_of_level(size)
    doubt = size * np.sqrt(expit(LEVEL_LOG_ODDS) * (1 - expit(LEVEL_LOG_ODDS)))
    sums = np.bincount(strata[1:-1], doubt[1:-1], minlength=4)
    assert (strata[0], strata[-1], strata[1:-1].min(), strata[1:-1].max()) == (0, 4, 1, 3)
    assert sums[1:] == pytest.approx(np.full(3, doubt[1:-1].sum() / 3), abs=doubt.max())
    assert stratum_of_level(np.zeros(Q_LEVELS)).tolist() == [0, *[1] * 40, 4]


def test_the_spread_of_a_unit_is_half_the_models_doubt_and_half_that_of_the_mean_prediction():
    q, unit = np.array([0.9, 0.9, 0.1, 0.1, 0.0, 0.4]), np.array([0, 0, 0, 2, 2, 2])
    mean = 0.4
    for number, correlated in ((0, 1.4), (2, 1.4)):
        variance = sum((each * (1 - each) + mean * (1 - mean)) / 2 for each in q[unit == number])
        found = anticipated_spread(q, unit, 3)[number]
        assert found == pytest.approx(np.sqrt(variance * correlated))
    assert anticipated_spread(q, unit, 3)[1] == 0, "a unit without an item"
    assert anticipated_spread(np.array([0.5]), np.array([0]), 1) == pytest.approx(0.5)


def test_units_have_up_to_eight_strata_of_equal_sums_and_three_units_read_in_each():
    assert [strata_of_units(read) for read in (1, 2, 5, 6, 23, 24, 300)] == [1, 1, 1, 2, 7, 8, 8]
    assert stratum_of_unit(np.array([5.0, 1, 1, 1, 1, 1]), 2).tolist() == [1, 0, 0, 0, 0, 0]
    assert stratum_of_unit(np.array([3.0, 1, 2, 2, 1]), 3).tolist() == [2, 0, 1, 1, 0]
    assert stratum_of_unit(np.zeros(3), 2).tolist() == [0, 0, 0]


def test_half_of_a_pilot_is_proportional_and_half_goes_where_the_model_doubts():
    """Of 200: 100 as 1000 : 500 : 500, and 100 as 100 : 100 : 300."""
    sizes = np.array([1000, 500, 500])
    assert by_prediction(sizes, np.array([0.1, 0.2, 0.6]), 200).tolist() == [50 + 20, 25 + 20, 25 + 60]
    # Two of each stratum, fewer if the budget has not so many.
    for n, expected in ((10, [8, 2]), (4, [2, 2]), (3, [2, 1]), (1, [1, 0])):
        assert by_prediction(np.array([1000, 3]), np.array([0.5, 0]), n).tolist() == expected
    assert by_prediction(np.array([1, 2]), np.array([1, 0]), 1).tolist() == [1, 0]
    assert [pilot_size(n) for n in (10, 100)] == [4, 40]


def test_half_a_positive_is_added_to_what_a_pilot_found():
    """Standard deviations are √(6.25/25) = .5 and √(.5/50) = .1."""
    read, squares = np.array([24, 49]), np.array([5.75, 0])
    assert after_pilot(np.array([1000, 1000]), read, squares, 300).tolist() == [250, 50]


def test_of_documents_two_of_each_stratum_are_read_if_the_budget_has_them():
    sizes, spread = np.array([100, 50, 1]), np.array([1.0, 2, 0])
    assert of_units(sizes, spread, 21).tolist() == [10, 10, 1]
    assert of_units(sizes, spread, 5).tolist() == [2, 2, 1]
    assert of_units(sizes, spread, 4).tolist() == [2, 2, 0]
    read = np.array([6, 0, 0])
    assert of_units(sizes, spread, 9, read).tolist() == [6, 2, 1]
    assert of_units(sizes, spread, 8, read).tolist() == [6, 2, 0]
    assert pilot_of_units(np.array([0, 1, 2, 5, 10])).tolist() == [0, 1, 1, 2, 4]


@pytest.mark.parametrize(("left", "read", "planned"), [(20, 6, 10), (50, 1, 3), (9, 4, 8)])
def test_the_share_of_a_phase_is_where_two_estimates_vary_least_together(left, read, planned):
    """Of the totals of N units, n₁ of which are read, and of the N − n₁ that are left, n − n₁ of which are read."""
    first = left**2 * (1 / read - 1 / left)
    second = (left - read) ** 2 * (1 / (planned - read) - 1 / (left - read))
    found = phase_share(np.array([left, 3, 5]), np.array([read, 1, 0]), np.array([planned, 3, 0]))
    assert found == pytest.approx([second / (first + second), 0, 0])


@pytest.mark.parametrize(
    ("rest", "ratio", "n", "expected"),
    [
        ((1, 1), (9, 0.1), 50, [40, 10]),  # a ratio counts for 2 at most and for ½ at least
        ((1, 1), (1.5, 0.75), 30, [20, 10]),
        ((0.2, 1), (9, 0.1), 54, [20, 34]),  # a unit of the first stratum would weigh less than 1
        ((0.1, 0.1), (9, 0.1), 20, [10, 10]),
        ((0.1, 0.1), (9, 0.1), 50, [40, 10]),  # more than that are to be read
        ((0, 1), (9, 0.1), 50, [0, 50]),
        ((1, 1), (1, 1e-9), 2, [1, 1]),  # each stratum is read again
    ],
)
def test_the_next_phase_reads_more_where_labels_are_off_but_no_unit_may_weigh_less_than_1(rest, ratio, n, expected):
    found = after_phase(np.array([100, 100]), np.array(rest), np.ones(2), np.array(ratio), n)
    assert found.tolist() == expected
