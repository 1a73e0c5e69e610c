"""The joined test holds its level and has both powers; ends of few labels hold; time shows in residuals."""

import numpy as np
import pytest
from scipy.special import expit

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.shown import few_events_ends, lag_one, shown_by


def table(seed, n, slope=1.0, shift=0.0, level=0.0):
    random = np.random.default_rng(seed)
    log_odds = level + 1.5 * random.normal(size=n)
    rate = expit(slope * log_odds + shift)
    return expit(log_odds), random.random(n) < rate, rate


def test_a_perfect_model_is_rarely_shown_wrong_and_an_overconfident_one_mostly():
    false = sum(bool(shown_by(SortedPairs(*table([1, seed], 800)[:2]))) for seed in range(200))
    assert false <= 20
    found = [shown_by(SortedPairs(*table([2, seed], 800, slope=0.7)[:2])) for seed in range(60)]
    assert np.mean(["cox" in each for each in found]) > 0.8
    assert np.mean(["cox" in each for each in found]) > np.mean(["binned" in each for each in found])


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


def test_sources_that_come_together_show_in_the_lag_and_independent_rows_do_not():
    false, found = 0, 0
    for seed in range(200):
        random = np.random.default_rng([4, seed])
        q = expit(-2 + random.normal(size=300))
        false += lag_one(q, random.random(300) < q) < 0.05
        share = expit(np.log(q / (1 - q)) + np.repeat(1.2 * random.normal(size=30), 10))
        found += lag_one(q, random.random(300) < share) < 0.05
    assert false <= 20
    assert found >= 80
