"""What holds of estimates of any pairs: the order of rows leaves no trace, and intervals hold their estimates."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.calibration.hypothesis_tests import TESTS

pytestmark = pytest.mark.filterwarnings("ignore::nlpcalib.calibration.SmallSampleWarning")

PREDICTION = st.floats(0, 1) | st.sampled_from([0.0, 5e-324, 1e-160, 1e-20, 0.1, 0.25, 0.5, 1 - 2**-53, 1.0])
ROWS = st.lists(st.tuples(PREDICTION, st.booleans(), st.integers(0, 6)), min_size=1, max_size=80)
SETTINGS = Settings(bin_size=7, samples=5)


def columns(rows):
    q, y, unit = (np.array(column) for column in zip(*rows, strict=True))
    return q.astype(float), y.astype(bool), unit.astype(int)


@pytest.mark.parametrize("name", METHODS)
@given(rows=ROWS, bins=st.integers(1, 30), seed=st.integers(0, 2**32 - 1))
def test_estimates_do_not_depend_on_the_order_of_rows(name, rows, bins, seed):
    q, y, unit = columns(rows)
    order = np.random.default_rng(seed).permutation(q.size)
    settings = Settings(bin_size=7, samples=5, bins=bins)
    one = METHODS[name](SortedPairs(q, y, unit), settings)
    assert one == METHODS[name](SortedPairs(q[order], y[order], unit[order]), settings)
    assert math.isfinite(one.value)
    if name.startswith("bias_corrected"):
        few_units = name.endswith("cluster_bootstrap") and len(np.unique(unit)) < 10
        assert (one.low is None) == (min(y.sum(), (~y).sum()) < 10 or few_units)
    if name.startswith("bias_corrected") and one.low is not None:
        assert 0 <= one.low <= one.high <= 1
        assert one.value < 0 or one.low <= one.value <= one.high or one.value == pytest.approx(one.low)


@given(ROWS, st.integers(0, 2**32 - 1))
def test_tests_of_calibration_do_not_depend_on_the_order_of_rows(rows, seed):
    q, y, unit = columns(rows)
    order = np.random.default_rng(seed).permutation(q.size)
    for test in TESTS.values():
        one = test(SortedPairs(q, y, unit))
        assert one == test(SortedPairs(q[order], y[order], unit[order]))
        assert 0 <= one.p_value <= 1
