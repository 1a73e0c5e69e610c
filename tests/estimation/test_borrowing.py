"""Groups share labels by choice, and nothing is carried over to where none reaches."""

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.estimation.borrowing import borrowed_totals, estimate_groups, grouped
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.sampling.samples import Sample, restricted, simple_random_sample

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
    assert sum(a.positive for a in wider) == np.nansum(y) + 15, "an open label counts half"


@pytest.mark.parametrize("how", ["changing-rates", "same-rates"])
def test_intervals_of_a_lower_level_are_narrower(how):
    half, most = (borrowed_totals(Q, SAMPLE, GROUP, NAMES, how=how, level=level) for level in (0.5, 0.95))
    assert all(b.low < a.low < a.high < b.high for a, b in zip(half, most, strict=True))
    assert sum(a.high - a.low for a in half) == pytest.approx(0.34 * sum(b.high - b.low for b in most), rel=0.2)


def test_groups_are_sorted_and_each_series_shares_its_own_labels():
    keys = [("AB"[row % 2], f"2004-{10 if row % 3 else 2}") for row in range(N)]
    found = grouped(keys, "changing-rates")
    assert found.names == ["A, 2004-2", "A, 2004-10", "B, 2004-2", "B, 2004-10"]
    assert found.series == [("A", [0, 1]), ("B", [2, 3])]
    assert [found.names[number] for number in found.of] == [", ".join(key) for key in keys]
    assert grouped(keys, "same-rates").series == [("", [0, 1, 2, 3])]
    assert grouped(keys).names == ["A, 2004-10", "A, 2004-2", "B, 2004-10", "B, 2004-2"]
    estimates = estimate_groups(Q, SAMPLE, keys, borrow="changing-rates", level=0.8)
    assert [each.group for each in estimates] == found.names
    chosen = np.arange(N) % 2 == 1
    alone = borrowed_totals(
        Q[chosen], restricted(SAMPLE, chosen), found.of[chosen] - 2, found.names[2:], how="changing-rates", level=0.8
    )
    assert estimates[2:] == alone
    one = [key if key[0] == "A" else ("B", "2004-2") for key in keys]
    with pytest.raises(InputError, match=r"^B: series: found 1 period, expected at least two"):
        estimate_groups(Q, SAMPLE, one, borrow="changing-rates")


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


def test_a_stray_period_leaves_the_others_as_they_are():
    """An item long before and one long after all others, neither of them read, change no other period's estimate."""
    alone = borrowed_totals(Q, SAMPLE, GROUP, NAMES, how="changing-rates")
    around = Sample(np.r_[0, SAMPLE.stratum, 0], SAMPLE.weights, SAMPLE.rows + 1, SAMPLE.y)
    names = ["before", *NAMES, "after"]
    found = borrowed_totals(
        np.r_[0.3, Q, 0.6], around, np.r_[0, GROUP + 1, len(NAMES) + 1], names, how="changing-rates"
    )
    assert found[1:-1] == alone
    assert [(each.group, each.total, each.low, each.high) for each in (found[0], found[-1])] == [
        ("before", 0.3, 0, 1), ("after", 0.6, 0, 1),
    ]  # fmt: skip
