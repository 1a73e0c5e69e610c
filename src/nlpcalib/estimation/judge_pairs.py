"""Which of several judges of the same items is more accurate, from one label of each labelled item.

On item i one judge has the share s₁ of positive verdicts, another has s₂, and the label is y. With d = s₁ − s₂ the
first is right by (2 y − 1) d more often. So the difference of their accuracy is

    D = p (2 g − 1),    p the mean of |d|,    g the share of items, each counted |d| times, on which the first is right.

p is a mean of all items. g is the accuracy of the sign of d as a verdict: items on which both agree need no label, as
in McNemar's test (1947). Its interval is that of `judge_rates`. The ends of D join those of both factors, as
independent estimates (Zou & Donner 2008): the squares of the distances from D that either alone makes are added.

>>> one, other = np.repeat([[1.0, 0, 1], [0, 1, 1]], [30, 10, 60], axis=1)
>>> found = accuracy_difference(one, other, np.arange(100), np.ones(100), np.ones(100))
>>> print(f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})")
0.20 (0.05 to 0.32)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from nlpcalib.estimation.judges import Verdicts, judge_consistency, judge_rates


@dataclass(frozen=True)
class AccuracyDifference:
    """How much more accurate one judge is than another, on items that both judged."""

    first: str
    last: str
    items: int
    """Items that both judged."""
    labels: int
    """Those with a label."""
    differ: int
    """Labelled items on which their verdicts differ."""
    value: float | None
    """Accuracy of the first minus that of the last; None where it is not defined."""
    low: float | None
    high: float | None
    note: str = ""
    """Why it is not defined, in words."""

    @property
    def shown(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def accuracy_difference(
    one: np.ndarray,
    other: np.ndarray,
    rows: np.ndarray,
    y: np.ndarray,
    weight: np.ndarray,
    unit: np.ndarray | None = None,
    *,
    level: float = 0.95,
) -> AccuracyDifference:
    """Return the difference of the accuracy of two judges of N items, of which n have a label, without their names.

    Labels are a random sample of the items with one pair of verdicts, or have weights.

    Parameters
    ----------
    one, other : ndarray of float64, shape (N,)
        The share of each judge's verdicts on an item that are positive.
    rows : ndarray of int64, shape (n,)
        The labelled items.
    y, weight : ndarray of float64, shape (n,)
        Their labels, 0, 1 or NaN where open, and how many items each stands for.
    unit : ndarray of int64, shape (N,), optional
        What items come from together, from 0.
    level : float
        Level of the interval.
    """
    gap = one - other
    size, differ = np.abs(gap), gap != 0
    both = Verdicts((gap > 0).astype(np.float64), rows, y, weight * size[rows], unit, size).of(differ)
    found = AccuracyDifference("", "", len(gap), len(rows), len(both.rows), None, None, None)
    if not differ.any():
        return replace(found, note="their verdicts are the same on every item")
    if not len(both.rows):
        return replace(found, note="no item on which their verdicts differ has a label")
    right, apart = judge_rates(both, level=level)[0], judge_consistency(size, unit, level=level)
    if right.value is None or right.low is None or right.high is None:
        return replace(found, note=right.note)
    if apart.value is None or apart.low is None or apart.high is None:
        return replace(found, note=apart.note)
    p, lead = apart.value, 2 * right.value - 1
    below, above = (lead * (end - p) for end in ((apart.low, apart.high) if lead >= 0 else (apart.high, apart.low)))
    low = p * lead - np.hypot(2 * p * (right.value - right.low), below)
    high = p * lead + np.hypot(2 * p * (right.high - right.value), above)
    return replace(found, value=p * lead, low=max(float(low), -1.0), high=min(float(high), 1.0))


def accuracy_differences(
    verdicts: Verdicts, item: np.ndarray, judges: Mapping[str, np.ndarray], *, level: float = 0.95
) -> list[AccuracyDifference]:
    """Return the difference of each two judges that share items; their intervals hold together (Bonferroni).

    Parameters
    ----------
    verdicts : Verdicts
        Those of all judges. The label of an item is the same under all of them.
    item : ndarray of int64, shape (N,)
        The item that each verdict is on, from 0.
    judges : mapping of str to ndarray of int64
        The verdicts of each judge, one of an item at most.
    level : float
        Level at which all intervals hold.
    """
    label, weight = np.full(int(item.max()) + 1, np.nan), np.zeros(int(item.max()) + 1)
    label[item[verdicts.rows]], weight[item[verdicts.rows]] = verdicts.y, verdicts.weight
    shared = {}
    for names in combinations(judges, 2):
        items, *places = np.intersect1d(*(item[judges[name]] for name in names), return_indices=True)
        if len(items):
            shared[names] = items, [judges[name][place] for name, place in zip(names, places, strict=True)]
    found = []
    for (first, last), (items, (one, other)) in shared.items():
        unit = None if verdicts.unit is None else np.unique(verdicts.unit[one], return_inverse=True)[1]
        if unit is not None and len(unit) == unit.max() + 1:
            unit = None
        rows = np.flatnonzero(weight[items] > 0)
        difference = accuracy_difference(
            verdicts.share[one], verdicts.share[other], rows, label[items][rows], weight[items][rows], unit,
            level=1 - (1 - level) / len(shared),
        )  # fmt: skip
        found.append(replace(difference, first=first, last=last))
    return found
