"""What holds for any pairs whatever: their order does not matter, nothing is lost, and coarser bins see less error."""

import math
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.calibration import Categories, Pairs, SmallSampleWarning, SortedPairs, measure_calibration
from nlpcalib.calibration.intervals import mean_square
from nlpcalib.calibration.scores import brier_decomposition

pytestmark = pytest.mark.filterwarnings("ignore::nlpcalib.calibration.SmallSampleWarning")

LENGTH = st.integers(1, 60)
ANY_PREDICTION = st.floats(0, 1)
TIED_PREDICTION = st.sampled_from([0.0, -0.0, 5e-324, 0.1, 0.25, 0.3, 0.5, 1 - 2**-53, 1.0])


@st.composite
def pairs(draw, length=LENGTH):
    """Predictions, with many ties or few, and labels."""
    n = draw(length)
    prediction = draw(st.sampled_from([ANY_PREDICTION, TIED_PREDICTION, ANY_PREDICTION | TIED_PREDICTION]))
    q = draw(st.lists(prediction, min_size=n, max_size=n))
    y = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return np.array(q), np.array(y)


def bits(value):
    """Return numbers in a form that is equal only if every bit of them is; zeros of either sign are one number."""
    return (value + 0.0).tobytes() if isinstance(value, np.ndarray) else repr(value).replace("-0.0,", "0.0,")


def categories(codes):
    names, codes = np.unique(codes, return_inverse=True)
    return Categories(codes.astype(np.int32), tuple(map(str, names)))


@given(pairs(), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_permuting_the_rows_changes_no_bit(data, bin_size, seed):
    q, y = data
    rng = np.random.default_rng(seed)
    label, unit = rng.integers(0, 3, len(q)), rng.integers(0, 5, len(q))
    one, other = (
        measure_calibration(
            Pairs(q[rows], y[rows], categories(label[rows]), categories(unit[rows])),
            bin_size=bin_size,
            samples=2,
            seed=0,
        )
        for rows in (np.arange(len(q)), rng.permutation(len(q)))
    )
    assert bits(one.summary) == bits(other.summary)
    assert bits(one.by_class) == bits(other.by_class)
    for name in ("size", "mean_prediction", "label_frequency", "smallest", "largest"):
        assert bits(getattr(one.bins, name)) == bits(getattr(other.bins, name))


@given(pairs(), st.integers(1, 70))
def test_adaptive_bins_partition_the_data(data, bin_size):
    q, y = data
    bins = SortedPairs(q, y).adaptive(bin_size)
    assert bins.size.sum() == len(q)
    assert len(bins.size) == max(len(q) // bin_size, 1)
    assert np.all(bins.size[:-1] == bin_size)
    assert bins.size[-1] < 2 * bin_size or len(bins.size) == 1
    assert np.all(bins.largest[:-1] <= bins.smallest[1:])
    assert np.all((bins.smallest <= bins.mean_prediction) & (bins.mean_prediction <= bins.largest))
    assert np.all((bins.label_frequency >= 0) & (bins.label_frequency <= 1))


@given(pairs(), st.integers(1, 20))
def test_equal_width_bins_partition_the_data_and_keep_to_their_edges(data, count):
    q, y = data
    bins = SortedPairs(q, y).equal_width(count)
    assert bins.size.sum() == len(q)
    edges = np.append(np.arange(count) / count, np.inf)
    assert np.all(np.searchsorted(edges, bins.smallest, "right") == np.searchsorted(edges, bins.largest, "right"))
    expected = [np.count_nonzero((q >= low) & (q < high)) for low, high in pairwise(edges)]
    assert bins.size.tolist() == [n for n in expected if n]


@given(pairs(), st.integers(1, 70))
def test_labels_and_predictions_are_conserved(data, bin_size):
    q, y = data
    sorted_pairs = SortedPairs(q, y)
    starts = sorted_pairs.adaptive_starts(bin_size)
    assert math.fsum(sorted_pairs.label_sums(starts)) == pytest.approx(np.count_nonzero(y), rel=1e-14)
    bins = sorted_pairs.summarise(starts)
    assert bins.size @ bins.mean_prediction == pytest.approx(math.fsum(q), rel=1e-13, abs=1e-300)


@given(pairs(), st.integers(1, 70))
def test_brier_score_is_the_sum_of_its_three_parts(data, bin_size):
    q, y = data
    sorted_pairs = SortedPairs(q, y)
    parts = brier_decomposition(sorted_pairs, sorted_pairs.adaptive_starts(bin_size))
    assert parts.total == pytest.approx(np.mean((q - y) ** 2), rel=1e-12, abs=1e-15)
    assert parts.calibration + parts.refinement + parts.within_bin == pytest.approx(parts.total, rel=1e-12, abs=1e-14)


@given(st.data(), st.integers(1, 12), st.integers(1, 6), st.integers(2, 5))
def test_merging_bins_never_increases_the_mean_squared_error(data, bin_size, merged, factor):
    """Thesis, section 4.3.2: where each coarse bin is a union of fine ones, Jensen's inequality holds bin by bin."""
    q, y = data.draw(pairs(st.just(bin_size * factor * merged)))
    sorted_pairs = SortedPairs(q, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", SmallSampleWarning)
        fine, coarse = sorted_pairs.adaptive(bin_size), sorted_pairs.adaptive(bin_size * factor)
    assert len(fine.size) == factor * len(coarse.size)
    assert mean_square(coarse) <= mean_square(fine) + 1e-15


@given(st.data(), st.integers(1, 12), st.integers(1, 6))
def test_predicting_the_opposite_label_has_the_same_error(data, bin_size, count):
    q, y = data.draw(pairs(st.just(bin_size * count)))
    q = np.round(q * 64) / 64  # so that 1 − q is exact
    error = mean_square(SortedPairs(q, y).adaptive(bin_size))
    mirrored = mean_square(SortedPairs(1 - q, ~y).adaptive(bin_size))
    assert mirrored == pytest.approx(error, rel=1e-12, abs=1e-15)


@given(pairs(), st.data(), st.integers(1, 20))
def test_each_of_several_tables_has_the_bins_that_it_has_alone(data, more, bin_size):
    q, y = data
    table = np.array(more.draw(st.lists(st.integers(0, 2), min_size=len(q), max_size=len(q))))
    table = np.unique(table, return_inverse=True)[1]
    together = SortedPairs.of_tables(q, y, None, table)
    starts = together.adaptive_starts(bin_size)
    bins, variances, of_table = (
        together.summarise(starts),
        together.label_variances(starts),
        together.table_of(starts),
    )
    for number in range(table.max() + 1):
        alone = SortedPairs(q[table == number], y[table == number])
        own = alone.adaptive_starts(bin_size)
        expected = alone.summarise(own)
        for name in ("size", "mean_prediction", "label_frequency", "smallest", "largest"):
            np.testing.assert_allclose(getattr(bins, name)[of_table == number], getattr(expected, name), rtol=1e-12)
        np.testing.assert_allclose(variances[of_table == number], alone.label_variances(own), rtol=1e-9, atol=1e-15)
