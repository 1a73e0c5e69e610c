"""When does a larger bin size never raise the score? Where bins nest: thesis, section 4.3.2, and what really holds.

Each merged bin's gap is a weighted mean of the gaps of its parts, so by Jensen's inequality merging bins never raises
the mean squared error. Algorithm 1's bins nest under every multiple of the bin size, whatever the number of pairs, as
a short last bin is merged into the one before, and with any ties, as shares of tied labels depend on the place of a
cut alone. Between bin sizes of which none is a multiple of the other, with bins of nearly equal size, or if tied rows
are put in another order for each bin size, bins do not nest, and the score may rise.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.intervals import mean_square

pytestmark = pytest.mark.filterwarnings("ignore::nlpcalib.calibration.SmallSampleWarning")

PREDICTION = st.floats(0, 1) | st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])
PAIRS = st.lists(st.tuples(PREDICTION, st.booleans()), min_size=1, max_size=80)
ROUNDING = 1e-15


def sort(pairs):
    q, y = zip(*pairs, strict=True)
    return SortedPairs(np.array(q), np.array(y))


def near(value, count):
    """Return `count` predictions next to `value` with no ties, so that labels keep their order."""
    return value + 1e-9 * np.arange(count)


@given(PAIRS, st.integers(1, 90), st.integers(2, 6))
def test_bins_of_a_multiple_of_the_size_are_unions_of_bins(pairs, bin_size, factor):
    pairs = sort(pairs)
    fine, coarse = pairs.adaptive_starts(bin_size), pairs.adaptive_starts(bin_size * factor)
    assert set(coarse) <= set(fine)


@given(PAIRS, st.integers(1, 90), st.integers(2, 6))
def test_labels_of_tied_predictions_are_shared_alike_whatever_the_other_cuts(pairs, bin_size, factor):
    pairs = sort(pairs)
    fine, coarse = pairs.adaptive_starts(bin_size), pairs.adaptive_starts(bin_size * factor)
    merged = np.add.reduceat(pairs.label_sums(fine), np.searchsorted(fine, coarse))
    assert merged == pytest.approx(pairs.label_sums(coarse), rel=1e-12, abs=1e-12)


@given(PAIRS, st.integers(1, 90), st.integers(2, 6))
def test_multiplying_the_bin_size_never_raises_the_score(pairs, bin_size, factor):
    pairs = sort(pairs)
    assert mean_square(pairs.adaptive(bin_size * factor)) <= mean_square(pairs.adaptive(bin_size)) + ROUNDING


@given(PAIRS, st.data())
def test_leaving_out_any_cuts_never_raises_the_score(pairs, data):
    pairs = sort(pairs)
    fine = sorted({0} | data.draw(st.sets(st.integers(0, len(pairs) - 1))))
    coarse = [0, *(cut for cut in fine[1:] if data.draw(st.booleans()))]
    fine_score, coarse_score = (mean_square(pairs.summarise(np.array(starts))) for starts in (fine, coarse))
    assert coarse_score <= fine_score + ROUNDING


def test_a_larger_bin_size_that_is_no_multiple_may_raise_it():
    pairs = SortedPairs(near(0.5, 12), np.arange(12) % 2)
    assert mean_square(pairs.adaptive(2)) == pytest.approx(0, abs=1e-15)
    assert mean_square(pairs.adaptive(3)) == pytest.approx(1 / 36, abs=1e-7)
    assert mean_square(pairs.adaptive(4)) == pytest.approx(0, abs=1e-15)


def test_halving_the_number_of_nearly_equal_bins_may_raise_it():
    """Ten pairs in 3, 3, 2, 2 and in 5, 5, as packages cut them that ask for a number of bins."""
    pairs = SortedPairs(np.append(near(1 / 3, 6), near(1 / 2, 4)), np.array([1, 0, 0, 0, 0, 1, 0, 1, 1, 0]))
    four, two = (
        mean_square(pairs.summarise(np.array([part[0] for part in np.array_split(np.arange(10), count)])))
        for count in (4, 2)
    )
    assert four == pytest.approx(0, abs=1e-15)
    assert two > 0.01


def test_another_order_of_ties_for_each_bin_size_may_raise_it():
    def literal(y, bin_size):
        return np.mean((0.5 - np.reshape(y, (-1, bin_size)).mean(axis=1)) ** 2)

    assert literal([0, 1, 0, 1, 0, 1, 0, 1], 2) == 0
    assert literal([0, 0, 0, 0, 1, 1, 1, 1], 4) == 0.25
    shared = SortedPairs(np.full(8, 0.5), np.arange(8) % 2)
    assert mean_square(shared.adaptive(2)) == mean_square(shared.adaptive(4)) == 0
