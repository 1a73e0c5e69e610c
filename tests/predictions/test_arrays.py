"""Whatever holds numbers is read as the same pairs, and what does not fit is refused in one line."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import nlpcalib as nc
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.predictions.arrays import ClassPredictions, as_categories

Q = [0.25, 0.5, 1.0, 0.0]
Y = [0, 1, 1, 0]


def pairs_of(q, y, **named):
    return nc.read(q, y=y, **named).pairs()


class Tensor:
    """What a tensor on the CPU offers: no conversion while it needs a gradient, none of half precision."""

    def __init__(self, values, *, half=False, attached=True):
        self._values, self._half, self._attached = np.asarray(values), half, attached

    def detach(self):
        return Tensor(self._values, half=self._half, attached=False)

    def float(self):
        return Tensor(self._values, attached=self._attached)

    def __array__(self, dtype=None, copy=None):
        if self._attached:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self._half:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self._values if dtype is None else self._values.astype(dtype)


class Column:
    """A column that has `to_numpy` and nothing else."""

    def __init__(self, values):
        self._values = values

    def to_numpy(self):
        return np.asarray(self._values)


@pytest.mark.parametrize(
    "hold",
    [
        list,
        tuple,
        np.array,
        pd.Series,
        pa.array,
        lambda values: pa.chunked_array([values[:1], values[1:]]),
        Tensor,
        lambda values: Tensor(values, half=True),
        Column,
        lambda values: [Decimal(value) for value in values],
        lambda values: pd.Series(values, dtype="Float64"),
        lambda values: np.array(values, np.float16),
    ],
    ids=[
        *("list", "tuple", "array", "pandas", "arrow", "chunked"),
        *("tensor", "bfloat16", "column", "decimal", "nullable", "half"),
    ],
)
def test_every_holder_of_numbers_gives_the_same_pairs(hold):
    pairs = pairs_of(hold(Q), hold(Y))
    np.testing.assert_array_equal(pairs.q, Q)
    np.testing.assert_array_equal(pairs.y, np.array(Y, bool))


def test_units_and_labels_are_plain_lists_of_texts_or_numbers():
    pairs = pairs_of(Q, Y, unit=[10, 9, 10, 9], predicted=["b", "a", "b", "b"])
    assert pairs.unit.names == ("10", "9")
    np.testing.assert_array_equal(pairs.unit.codes, [0, 1, 0, 1])
    assert pairs.predicted.names == ("a", "b")
    np.testing.assert_array_equal(pairs.predicted.codes, [1, 0, 1, 1])


def test_whole_numbers_that_a_data_frame_made_floats_keep_their_names():
    assert as_categories(pd.Series([1.0, 2.0]), "unit", 2).names == ("1", "2")


def test_what_single_precision_leaves_above_one_is_one():
    assert pairs_of(np.array([1.0000001], np.float32), [1]).q[0] == 1


def test_classes_give_top_labels_and_one_pair_for_each_class():
    """Three rows of three classes, written out by hand."""
    q = [[0.7, 0.2, 0.1], [0.1, 0.5, 0.4], [0.3, 0.3, 0.4]]
    found = pairs_of(q, ["c", "b", "a"], classes=["c", "b", "a"])
    top = found.top_label()
    np.testing.assert_array_equal(top.q, [0.7, 0.5, 0.4])
    np.testing.assert_array_equal(top.y, [True, True, True])
    assert [top.predicted.names[code] for code in top.predicted.codes] == ["c", "b", "a"]
    assert top.unit is None
    every = found.class_wise()
    np.testing.assert_array_equal(every.q, np.ravel(q))
    np.testing.assert_array_equal(every.y, [1, 0, 0, 0, 1, 0, 0, 0, 1])
    assert [every.predicted.names[code] for code in every.predicted.codes] == ["c", "b", "a"] * 3
    np.testing.assert_array_equal(every.unit.codes, [0, 0, 0, 1, 1, 1, 2, 2, 2])


@pytest.mark.parametrize(
    ("y", "labels"),
    [([2, 0], None), ([2.0, 0.0], None), (["z", "x"], ["x", "y", "z"]), ([2, 0], ["x", "y", "z"]), ([7, 5], [5, 6, 7])],
)
def test_classes_are_named_by_column_or_by_value(y, labels):
    found = pairs_of([[0.2, 0.3, 0.5], [1, 0, 0]], y, classes=labels)
    np.testing.assert_array_equal(found.y, [2, 0])


def test_units_of_rows_reach_each_of_their_classes():
    found = pairs_of([[0.5, 0.5], [0.2, 0.8], [1, 0]], [0, 1, 0], unit=["d", "d", "e"])
    assert isinstance(found, ClassPredictions)
    np.testing.assert_array_equal(found.class_wise().unit.codes, [0, 0, 0, 0, 1, 1])
    np.testing.assert_array_equal(found.top_label().unit.codes, [0, 0, 1])


def test_labels_that_do_not_exclude_each_other_need_not_sum_to_one():
    pairs = pairs_of([[0.9, 0.8], [0.1, 0.3]], [[1, 1], [0, 1]])
    np.testing.assert_array_equal(pairs.y, [True, True, False, True])
    assert [pairs.predicted.names[code] for code in pairs.predicted.codes] == ["0", "1"] * 2
    np.testing.assert_array_equal(pairs.unit.codes, [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((Q, Y[:3]), {}, r"y: found an array of shape \(3,\), expected \(4,\) as many as predictions"),
        (([], []), {}, r"predictions: found an array of shape \(0,\)"),
        ((0.5, 1), {}, r"shape \(\)"),
        ((["x"], [1]), {}, "found the verdict 'x', expected yes or no"),
        (([None, np.nan], [1, 0]), {}, "predictions: found no prediction, expected some"),
        (([0.5, 1.5], [1, 0]), {}, "row 1: found prediction 1.5"),
        (([0.5, 0.5], [1, 2]), {}, "y, row 1: found the label '2', expected yes or no"),
        (([0.5, 0.5], [[1, 0], [0, 1]]), {}, "expected that of the labels"),
        (([[0.5, 0.5]], [["yes", "no"]]), {}, "labels: found texts such as 'yes'"),
        (([[0.5, 0.5]], [[0, 2]]), {}, "expected 0 or 1 for each row and class"),
        (([[0.5, 0.5]], [[0, 1, 1]]), {}, r"expected \(1,\) or \(1, 2\)"),
        (([[0.5, 0.5], [0.5]], [0, 1]), {}, "expected an array, a list or a column"),
        ((Q, Y), {"unit": [1, 2]}, r"unit: found an array of shape \(2,\)"),
        ((Q, Y), {"unit": ["a", None, "b", "c"]}, "unit, row 1: found None"),
        ((Q, Y), {"predicted": ["a", float("nan"), "b", "c"]}, "predicted, row 1: found"),
        ((Q, Y), {"classes": ["a", "b"]}, "expected predictions of shape"),
        (([[0.5, 0.5]], [2]), {}, "y, row 0: found class '2', expected one of 0, 1"),
        (([[0.5, 0.5]], ["a"]), {}, "found class 'a', expected one of 0, 1"),
        (([[0.5, 0.5]], ["a"]), {"classes": ["b", "c"]}, "found class 'a', expected one of b, c"),
        (([[0.5, 0.5]], [0]), {"classes": ["b", "b"]}, "expected 2 different names"),
        (([[0.5, 0.7]], [0]), {}, "row 0: found probabilities that sum to 1.2, expected 1"),
        (([[0.5, -0.5]], [0]), {}, "row 0, column 1: found prediction -0.5"),
        (([[1.0], [1.0]], [0, 0]), {}, "expected rows of at least two classes"),
        (([[[0.5]]], [0]), {}, r"shape \(1, 1, 1\)"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(arguments, named, message):
    with pytest.raises(InputError, match=message) as caught:
        pairs_of(*arguments, **named)
    assert "\n" not in str(caught.value)


def test_rows_of_classes_sum_to_one_within_a_hundredth():
    for total in (0.9901, 1.0099):
        assert pairs_of([[0.5, total - 0.5]], [0]).top_label().q.tolist() == [max(0.5, total - 0.5)]
    for total in (0.9899, 1.0101):
        with pytest.raises(InputError, match="row 0: found probabilities that sum to"):
            pairs_of([[0.5, total - 0.5]], [0])


def test_ties_of_the_top_label_go_to_the_first_class():
    assert pairs_of([[0.5, 0.5]], [1]).top_label().y.tolist() == [False]
    assert isinstance(pairs_of([0.5], [1]), Pairs)
