"""Groups share labels by choice, and nothing is carried over to where none reaches."""

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.estimation.borrowing import borrowed_totals
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.sampling.samples import Sample, simple_random_sample

N = 1200
RANDOM = np.random.default_rng(0)
Q = RANDOM.beta(0.3, 1.5, N)
Y = (RANDOM.random(N) < Q).astype(float)
GROUP = np.arange(N) * 6 // N
NAMES = [str(number) for number in range(6)]
ROWS = np.sort(RANDOM.choice(N, 240, replace=False))
SAMPLE = simple_random_sample(N, ROWS, Y[ROWS])


@pytest.mark.parametrize("how", ["changing-rates", "same-rates"])
def test_shared_labels_give_narrower_intervals_that_hold(how):
    shared = borrowed_totals(Q, SAMPLE, GROUP, NAMES, how=how)
    alone = estimate_totals(Q, SAMPLE, GROUP, NAMES)
    assert sum(a.high - a.low for a in shared) < 0.8 * sum(a.high - a.low for a in alone)
    truth = np.bincount(GROUP, Y)
    assert sum(a.low <= t <= a.high for a, t in zip(shared, truth, strict=True)) >= 5
    assert [(a.items, a.read, a.positive) for a in shared] == [(a.items, a.read, a.positive) for a in alone]


def test_open_labels_widen_the_intervals():
    y = SAMPLE.y.copy()
    y[:30] = np.nan
    opened = Sample(SAMPLE.stratum, SAMPLE.weights, SAMPLE.rows, y)
    wider = borrowed_totals(Q, opened, GROUP, NAMES, how="changing-rates")
    before = borrowed_totals(Q, SAMPLE, GROUP, NAMES, how="changing-rates")
    assert sum(a.high - a.low for a in wider) > sum(b.high - b.low for b in before)


def test_what_cannot_be_carried_over_is_refused():
    unreached = Sample(
        (GROUP == 5).astype(int), np.array([5.0, np.inf]), ROWS[GROUP[ROWS] < 5], Y[ROWS[GROUP[ROWS] < 5]]
    )
    with pytest.raises(InputError, match="found 200 items that no label could reach"):
        borrowed_totals(Q, unreached, GROUP, NAMES, how="same-rates")
    clustered = Sample(SAMPLE.stratum, SAMPLE.weights, ROWS, SAMPLE.y, unit=np.arange(N) // 20)
    with pytest.raises(InputError, match="several items of a unit"):
        borrowed_totals(Q, clustered, GROUP, NAMES, how="changing-rates")
    with pytest.raises(InputError, match="expected one of changing-rates, same-rates"):
        borrowed_totals(Q, SAMPLE, GROUP, NAMES, how="all")
