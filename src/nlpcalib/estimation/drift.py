"""Series whose periods share their labels, with the largest change that the labels cannot exclude.

Labels of one period are few. Those of all periods help only if the same share of positive items is missed throughout.
Here that share may change once, after any period. For each change that the labels do not exclude, both parts of the
series have corrections of their own; a period's interval is the union over these changes. The test is on items where
the model is sure that they are negative, since a model that goes blind moves what it misses there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri, xlogy

from nlpcalib.errors import InputError
from nlpcalib.estimation.score import Family, Totals, accepted
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import Cells

_ONE_CHANGE = 3.84
"""By how much twice the log likelihood of a change may be below the best: the 95 % point of χ² with one degree."""
_ANY_CHANGE = 8.85
"""95 % point of the largest over all changes where there is none (Andrews 1993, table I, one parameter, 15 %)."""


@dataclass(frozen=True, eq=False)
class Series:
    """Totals of P periods, and what the labels report about a change between them."""

    totals: Totals
    statistic: float
    """Twice the log likelihood ratio of the likeliest change against none."""
    changes: np.ndarray
    """int64: the periods that the series may change before, 0 for none; the others are excluded."""

    @property
    def drifts(self) -> bool:
        """Whether a series without a change is excluded, at 95 %."""
        return self.statistic > _ANY_CHANGE


def series(cells: Cells, level: float = 0.95) -> Series:
    """Return the totals of periods in order, for cells (P, C).

    Raises `InputError` if there are fewer than two periods, or a part of the series has no label at all: nothing can
    be carried over to it.
    """
    periods = len(cells.size)
    read = cells.read.sum(axis=1)
    if periods < 2:
        raise InputError(f"series: found {periods} period, expected at least two")
    for end, part in (("first", read), ("last", read[::-1])):
        if not part[0]:
            count = int(np.argmax(part > 0)) if part.any() else periods
            raise InputError(
                f"series: found no label in the {end} {count} periods, expected one; "
                "the model may have changed there, and no label reaches it"
            )
    statistics = _change_statistics(cells)
    best = statistics.max()
    kept = np.flatnonzero(statistics >= best - _ONE_CHANGE) + 1
    changes = kept if best > _ANY_CHANGE else np.concatenate([[0], kept])
    parts = [(start, end) for change in changes for start, end in ((0, change), (change, periods)) if end > start]
    totals = _of_parts(cells, parts, level)
    inside = np.array([[start <= period < end for period in range(periods)] for start, end in parts])
    low = np.where(inside, totals.low, np.inf).min(axis=0)
    high = np.where(inside, totals.high, -np.inf).max(axis=0)
    value = np.sum(np.where(inside, totals.value, 0), axis=0) / inside.sum(axis=0)
    return Series(Totals(value, low, high), float(best), changes)


def _change_statistics(cells: Cells) -> np.ndarray:
    """Return twice the log likelihood ratio of a change before period 1, 2, …, (P − 1,), where q ≤ .01."""
    sure = cells.level == 0
    n, k = cells.read[:, sure].sum(axis=1), cells.positive[:, sure].sum(axis=1)

    def likelihood(n: np.ndarray, k: np.ndarray) -> np.ndarray:
        rate = k / np.maximum(n, 1)
        return xlogy(k, rate) + xlogy(n - k, 1 - rate)

    before_n, before_k = np.cumsum(n)[:-1], np.cumsum(k)[:-1]
    parts = likelihood(before_n, before_k) + likelihood(n.sum() - before_n, k.sum() - before_k)
    return 2 * (parts - likelihood(n.sum(), k.sum()))


def _of_parts(cells: Cells, parts: list[tuple[int, int]], level: float) -> Totals:
    """Return totals of all periods (parts, P) under the correction of each part of the series."""
    columns = ("size", "predicted", "read", "positive", "expanded", "expanded_positive")
    sums = {name: np.stack([getattr(cells, name)[start:end].sum(axis=0) for start, end in parts]) for name in columns}
    joined = replace(cells, weight=np.broadcast_to(cells.weight[0], sums["size"].shape), **sums)
    # The curve between is that of all labels; the rates where the model is sure are those of the part.
    eta = np.where(cells.level == 0, fit_working_model(joined), fit_working_model(cells.whole))
    family = Family(joined, eta)
    z = ndtri((1 + level) / 2)
    unread = cells.size - cells.read
    seen = cells.positive.sum(axis=1)
    means, spreads = [], []
    for t in accepted(family, level):
        p = family.p(t)
        means.append(p @ unread.T + seen)
        spreads.append(z**2 * (p * (1 - p)) @ unread.T)
    value = means[0]
    low = value - np.sqrt((value - means[1]) ** 2 + spreads[0])
    high = value + np.sqrt((means[2] - value) ** 2 + np.maximum(spreads[0], spreads[2]))
    return Totals(value, np.maximum(low, seen), np.minimum(high, seen + unread.sum(axis=1)))
