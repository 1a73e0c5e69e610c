"""Rows that stand several times are found by their content, where chance does not explain them."""

import numpy as np
import pytest

from nlpcalib.examination.repetition import (
    GROUPS_PER_BLOCK,
    copies,
    crossed,
    expected_cells,
    find_repetition,
    repeated_ids,
    repeated_run,
)


def column(values):
    names, codes = np.unique(np.asarray(values), return_inverse=True)
    return codes, [str(name) for name in names]


@pytest.mark.parametrize(("rows", "times", "found"), [(16, 2, False), (17, 2, True), (17, 3, True)])
def test_a_table_that_stands_several_times_is_found_from_seventeen_different_rows_on(rows, times, found):
    q = np.tile(np.arange(1, rows + 1) / 100, times)
    group = copies(q, [])
    assert (group is not None) == found
    if found:
        assert np.unique(group).size == rows
        assert all(np.unique(q[group == each]).size == 1 for each in range(rows))


def test_rows_that_are_equal_within_a_table_stay_apart_where_it_stands_twice():
    q = np.tile([*np.arange(1, 21) / 100, 0.01, 0.01], 2)
    group = copies(q, [])
    assert np.bincount(group).tolist() == [2] * 22


def test_predictions_of_several_classes_are_equal_if_all_are():
    q = np.column_stack([np.full(60, 0.2), np.arange(60) / 100, 0.8 - np.arange(60) / 100])
    texts = [f"t{row}" for row in range(60)]
    assert copies(q, [column(texts)]) is None
    assert np.bincount(copies(np.tile(q, (2, 1)), [column(texts * 2)])).tolist() == [2] * 60


def test_cells_expected_by_chance_are_those_of_many_exchanges():
    random = np.random.default_rng(3)
    group = np.unique(random.integers(0, 30, 300), return_inverse=True)[1]
    other = np.unique(random.geometric(0.3, 300), return_inverse=True)[1]
    block = group // GROUPS_PER_BLOCK
    order = np.argsort(block, kind="stable")
    sizes = [np.unique(group[order] * 1000 + other[np.lexsort((random.random(300), block))]).size for _ in range(4000)]
    assert abs(expected_cells(group, other) - np.mean(sizes)) < 4 * np.std(sizes) / 4000**0.5


@pytest.mark.parametrize("levels", [3, 10**6])
def test_cells_are_the_distinct_pairs_of_two_codings(levels):
    random = np.random.default_rng(4)
    one, other = random.integers(0, 9, 200), random.integers(0, levels, 200)
    pairs = sorted(set(zip(one.tolist(), other.tolist(), strict=True)))
    first, cell, counts = crossed(one, other)
    assert first.tolist() == [pair[0] for pair in pairs]
    assert [pairs[each] for each in cell] == list(zip(one.tolist(), other.tolist(), strict=True))
    assert counts.tolist() == np.bincount(cell).tolist()


def test_rows_of_one_id_and_equal_rows_are_named_by_number_and_effect():
    codes = np.array([0, 1, 0, 2], np.int32)
    found = repeated_ids(codes, ("a", "b", "c"))
    assert found.finding.sentence == "1 of 4 rows have the id of another: they are one unit"
    found = find_repetition(np.tile(np.arange(1, 31) / 32, 2), [], "they count as several")
    assert found.finding.sentence == (
        "30 of 60 rows are equal to another in every column, more than chance allows: they count as several"
    )
    assert (found.names[0], found.names[-1], found.codes.dtype) == ("00", "29", np.int32)


def test_columns_are_not_read_where_predictions_do_not_repeat():
    def columns():
        raise AssertionError
        yield

    assert find_repetition(np.random.default_rng(0).random(500), columns()) is None


@pytest.mark.parametrize("first", ["0", "text"])
def test_texts_after_a_zero_are_no_numbers_that_follow_from_predictions(first):
    q = np.round(np.random.default_rng(1).random(600), 6)
    texts = [first, *(f"text {row}" for row in range(1, 600))]
    assert copies(np.append(q, q[:120]), [column(texts + texts[:120])]) is not None


def test_a_run_of_rows_that_is_pasted_again_is_found_although_units_are_named():
    random = np.random.default_rng(9)
    unit, label = np.repeat(np.arange(200), 4), np.tile(np.arange(4), 200)
    q, y = random.random(800).round(2), random.integers(0, 2, 800)

    def found(rows):
        signs = repeated_run(q[rows], [column(unit[rows]), column(label[rows]), column(y[rows])])
        return [each.sentence for each in signs]

    every = np.arange(800)
    assert found(every) == []
    assert found(np.append(every, every[:300])) == ["rows 801 to 1,100 are rows 1 to 300 again: pasted twice?"]
    assert found(np.append(every, every)) == ["rows 801 to 1,600 are rows 1 to 800 again: pasted twice?"]
    assert found(np.insert(every, 500, every[100:160])) == ["rows 501 to 560 are rows 101 to 160 again: pasted twice?"]
    assert found(np.append(every, every[:5])) == []


def test_equal_rows_of_one_unit_are_not_pasted():
    random = np.random.default_rng(10)
    unit, label = np.repeat(np.arange(40), 50), random.integers(0, 6, 2000)
    q = random.choice([1.0, 0.99, 0.9, 0.5], 2000, p=[0.7, 0.1, 0.1, 0.1])
    assert repeated_run(q, [column(unit), column(label)]) == []
    assert repeated_run(np.tile([0.1, 0.2], 1000), [column(unit)]) == []
