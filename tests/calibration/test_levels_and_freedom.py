"""At what level intervals hold, and with how many degrees of freedom."""

import numpy as np
import pytest

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.debiased import squared_error
from nlpcalib.calibration.estimates import METHODS, Settings

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


@pytest.mark.parametrize("name", ["rms/score", "rms/cluster_score", "squared/cluster_bootstrap"])
def test_other_intervals_have_the_level_that_is_asked_for(pairs, name):
    narrow, wide = (METHODS[f"debiased_{name}"](pairs, Settings(replicates=199, level=level)) for level in (0.5, 0.95))
    assert (narrow.level, wide.level) == (0.5, 0.95)
    assert wide.low < narrow.low <= narrow.value < narrow.high < wide.high
