"""Ends of an interval from few positive labels hold."""

import numpy as np
import pytest
from scipy.special import expit

import nlpcalib as nc
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.mean_gap import few_events_ends


def table(seed, n, slope=1.0, shift=0.0, level=0.0):
    random = np.random.default_rng(seed)
    log_odds = level + 1.5 * random.normal(size=n)
    rate = expit(slope * log_odds + shift)
    return expit(log_odds), random.random(n) < rate, rate


@pytest.mark.parametrize("shift", [0.0, 1.0, -1.0])
def test_ends_of_few_positive_labels_hold(shift):
    held = []
    for seed in range(300):
        q, y, rate = table([3, seed], 250, shift=shift, level=-5.0)
        low, high = few_events_ends(SortedPairs(q, y))
        held.append(low <= np.sqrt(np.mean((q - rate) ** 2)) <= high)
    assert np.mean(held) >= 0.95


def test_a_model_that_promises_what_does_not_come_is_shown_with_two_positive_labels():
    low, high = few_events_ends(SortedPairs(np.full(100, 0.3), np.arange(100) < 2))
    assert 0.2 < low < 0.28 < high


@pytest.mark.filterwarnings("ignore::nlpcalib.InputWarning")
def test_a_report_of_few_positive_labels_has_an_interval_without_bins():
    printed = str(nc.calibrate(np.full(100, 0.3), np.arange(100) < 2))
    assert "(95 % interval without bins .2296 to .4169)" in printed
