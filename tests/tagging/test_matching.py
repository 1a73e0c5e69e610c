"""A model as accurate as another by the size of its training set (paper, section 4.2.1)."""

import math
from itertools import pairwise

import pytest

from nlpcalib.errors import InputError
from reproduction.tagging.matching import MAX_APART, matched_model


def matched(learning_curve, target, most=100_000):
    """Return the size that is chosen where a model is only its size, and all sizes that were tried."""
    tried = []

    def train(size):
        tried.append(size)
        return size

    return matched_model(train, learning_curve, target, most), tried


def slowly(size):
    """Return an accuracy that rises by two points in each step of the grid."""
    return 0.8 + 0.04 * math.log2(size / 100)


def test_sizes_rise_by_the_root_of_2_until_one_is_as_accurate():
    size, tried = matched(slowly, 0.895)
    assert tried == [100, 141, 200, 283, 400, 566]
    assert all(abs(after / before - 2**0.5) < 0.01 for before, after in pairwise(tried))
    assert size in (400, 566)
    assert abs(slowly(size) - 0.895) <= MAX_APART


def test_of_two_sizes_the_nearest_is_taken_and_not_the_one_that_is_as_accurate():
    assert matched(slowly, slowly(400) + 0.004)[0] == 400
    assert matched(slowly, slowly(566) - 0.004)[0] == 566


def test_a_size_between_two_is_found_by_bisection_where_the_curve_is_steep():
    def steep(size):
        return 0.5 if size < 300 else 0.9 + (size - 350) / 5000

    size, tried = matched(steep, 0.9)
    assert abs(steep(size) - 0.9) <= MAX_APART
    assert 283 < size < 400
    assert size not in (283, 400)
    assert len(tried) <= 5 + 6


def test_the_whole_set_is_taken_and_said_to_be_far_where_it_is_less_accurate(caplog):
    assert matched(slowly, 0.99, most=500) == (500, [100, 141, 200, 283, 400, 500])
    assert "500 of 500 sentences come nearest" in caplog.text


@pytest.mark.parametrize("most", [1, 60])
def test_a_small_set_is_one_size(most):
    assert matched(lambda size: 0.7, 0.7, most=most) == (most, [most])


def test_no_sentences_are_refused():
    with pytest.raises(InputError, match="at least one"):
        matched(slowly, 0.9, most=0)
