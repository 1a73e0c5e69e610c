"""Which groups a map made worse: intervals of all groups hold together, and hardly any is false."""

import numpy as np
import pytest
from scipy.special import expit, logit

from nlpcalib.recalibration.group_changes import brier_changes

SIZES = np.array([40, 40, 150, 400, 1200])
GROUP = np.repeat(np.arange(5), SIZES)


def table(seed, off, rare=False):
    """Return predictions, their held-out map by log odds of others, labels and true rates; `off` is of each group."""
    random = np.random.default_rng(seed)
    log_odds = (-3.2 if rare else -0.5) + 1.4 * random.normal(size=GROUP.size)
    rate = expit(log_odds)
    q = expit(log_odds + np.asarray(off)[GROUP])
    y = random.random(GROUP.size) < rate
    fold, mapped = random.permutation(GROUP.size) % 2, np.empty(GROUP.size)
    for number in (0, 1):
        rest, new = fold != number, fold == number
        grid = np.linspace(-2, 2, 81)
        scores = logit(q[rest]) + grid[:, None]
        loss = (np.logaddexp(0, scores) - y[rest] * scores).sum(axis=1)
        mapped[new] = expit(logit(q[new]) + grid[loss.argmin()])
    return q, mapped, y, rate


def changes(q, mapped, y, unit=None):
    """Return the change of each group and the ends of its interval, of answers of yes or no."""
    return brier_changes(q[:, None], mapped[:, None], y[:, None], GROUP, 5, unit)


def test_the_change_is_the_difference_of_brier_scores_and_of_squared_errors():
    q, mapped, y, rate = table(1, [0.5] * 5)
    value, low, high = changes(q, mapped, y)
    of_last = GROUP == 4
    assert value[4] == pytest.approx(np.mean((mapped - y)[of_last] ** 2 - (q - y)[of_last] ** 2))
    truth = [np.mean((mapped - rate)[g == GROUP] ** 2 - (q - rate)[g == GROUP] ** 2) for g in range(5)]
    assert (low <= truth).all()
    assert (truth <= high).all()


@pytest.mark.parametrize("rare", [False, True])
@pytest.mark.parametrize("off", [[0.0] * 5, [0, 0, 0, 0, 1.2], [1, -1, 0.5, -0.5, 0]])
def test_changes_of_all_groups_hold_together_and_hardly_any_is_shown_worse_falsely(rare, off):
    held, false = [], 0
    for seed in range(150):
        q, mapped, y, rate = table([2, seed], off, rare)
        _, low, high = changes(q, mapped, y)
        truth = np.bincount(GROUP, (mapped - rate) ** 2 - (q - rate) ** 2) / SIZES
        held.append(((low <= truth) & (truth <= high)).all())
        false += bool(((low > 0) & (truth <= 0)).any())
    assert np.mean(held) >= 0.91
    assert false <= 6


def test_a_large_group_that_a_map_of_others_moved_is_shown_worse():
    shown = [changes(*table([3, seed], [0, 0, 0, 0.6, 1.5])[:3])[2][4] < 0 for seed in range(20)]
    assert sum(shown) >= 18
    shown = [changes(*table([4, seed], [0, 0, 0, -2.0, 1.0])[:3])[1][3] > 0 for seed in range(20)]
    assert sum(shown) >= 15


def test_rows_of_a_unit_that_are_alike_widen_the_interval():
    q, mapped, y, _ = table(5, [0.5] * 5)
    unit = np.empty(GROUP.size, np.int64)
    unit[np.lexsort((y, GROUP))] = np.arange(GROUP.size) // 8
    items, units = (changes(q, mapped, y, each) for each in (None, unit))
    assert (units[2] - units[1])[4] > 1.5 * (items[2] - items[1])[4]


def test_a_group_of_one_unit_is_never_shown_worse():
    q, mapped, y, _ = table(6, [0, 0, 0, 0, -2.0])
    value, low, high = changes(q, mapped, y, GROUP)
    assert (low <= value).all()
    assert (low < 0).all()
    assert (high > 0).all()
