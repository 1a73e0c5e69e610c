"""Which groups stand out: the rate of each group next to that of all other groups, with intervals that hold together.

    low  = min over φ of l(z cos φ) − u'(z sin φ)        high = max over φ of u(z cos φ) − l'(z sin φ)

* l(z) and u(z) are the ends of a group's score interval with the normal quantile z, l' and u' those of the others.
* φ divides what is doubted between the group and the others, from 0 to 90 degrees.

Labels of both are apart, so this is the region in which both deviances add up to z². With symmetric intervals it is
Newcombe's (1998, method 10); here ends are as skewed as few positive labels are. So one label too many does not make
a group stand out. Of G groups each has the level 1 − α/G (Bonferroni): where all rates are the same, any group stands
out in at most α of all samples. So they are also a test that groups differ at all. What stands out does so in what
made the items, and not only in these items: see `nlpcalib.estimation.score.unknown_items`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from nlpcalib.errors import counted, some
from nlpcalib.estimation.changes import MAX_CHANGES, points
from nlpcalib.estimation.estimates import estimates_at
from nlpcalib.sampling.cells import check_predictions
from nlpcalib.sampling.samples import Sample, restricted
from nlpcalib.tables.names import joined_names
from nlpcalib.tables.periods import periods_of

MIN_GROUPS = 3
"""Fewest groups that are compared with the others: of two, the others are the second."""
_ANGLES = np.linspace(0, np.pi / 2, 5)
"""Values of φ that are tried. Between two of them symmetric intervals would miss at most 2 % of a half-width."""


@dataclass(frozen=True)
class AgainstOthers:
    """The difference between the rate of a group and that of the other groups of its series."""

    group: str
    is_period: bool
    value: float
    """The share of the group minus that of the others."""
    low: float
    high: float
    """Intervals of all groups hold together (Bonferroni)."""

    @property
    def shown(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


def against_others(
    q: np.ndarray, sample: Sample, keys: Sequence[tuple[str, ...]], *, level: float = 0.95
) -> list[AgainstOthers]:
    """Return how each group that has labels differs from the others, in the order of their sorted keys.

    Where the last text of all keys is a period, the others are the other periods of the same series. A series of fewer
    than `MIN_GROUPS` groups with labels is left out, and more than `nlpcalib.estimation.changes.MAX_CHANGES` groups
    altogether. Arguments are those of `nlpcalib.estimation.changes.estimate_changes`.
    """
    q = check_predictions(q)
    names = sorted(set(keys))
    index = {key: number for number, key in enumerate(names)}
    of = np.array([index[key] for key in keys])
    periods = bool(periods_of([name[-1] for name in names]))
    reached = set(of[sample.rows].tolist())
    series: dict[tuple[str, ...], list[int]] = {}
    for number, name in enumerate(names):
        series.setdefault(name[:-1] if periods else (), []).append(number)
    compared = {
        members[0]: (members, tested)
        for members in series.values()
        if len(tested := [each for each in members if each in reached]) >= MIN_GROUPS
    }
    total = sum(len(tested) for _, tested in compared.values())
    if total > MAX_CHANGES:
        return []
    found = []
    for members, tested in compared.values():
        chosen = np.isin(of, members)
        part = restricted(sample, chosen)
        for number in tested:
            own = (of[chosen] == number).astype(np.int64)
            difference = _difference(q[chosen], part, own, 1 - (1 - level) / total)
            found.append(AgainstOthers(joined_names(names[number]), periods, *difference))
    return found


def _difference(q: np.ndarray, sample: Sample, own: np.ndarray, level: float) -> tuple[float, float, float]:
    """Return the share of the group, where `own` is 1, minus that of the others, where it is 0, and its interval."""
    quantiles = ndtri((1 + level) / 2) * np.cos(_ANGLES[:-1])
    levels = (2 * ndtr(quantiles) - 1).tolist()
    shares = [[each.share for each in both] for both in estimates_at(levels, q, sample, own, ["", ""], process=True)]
    others, group = np.array(shares).transpose(1, 2, 0)  # each the estimate, the lower and the upper ends
    # At 90 degrees an interval has shrunk to its estimate.
    (_, low, high), (_, least, most) = (np.column_stack([each, np.full(3, each[0, 0])]) for each in (group, others))
    value = float(group[0, 0] - others[0, 0])
    return value, float((low - most[::-1]).min()), float((high - least[::-1]).max())


def sentence_on_others(compared: Sequence[AgainstOthers], level: float) -> list[str]:
    """Return one sentence, which names the groups that stand out, or none where no group was compared."""
    if not compared:
        return []
    kind = "period" if compared[0].is_period else "group"
    joint = f"(joint {100 * level:g} % intervals)"
    shown = [each for each in compared if each.shown]
    if not shown:
        return [f"None of {counted(len(compared), kind)} stands out from the others {joint}."]
    stand = "stands" if len(shown) == 1 else "stand"
    largest = sorted(shown, key=lambda each: -abs(each.value))
    return [f"{len(shown)} of {counted(len(compared), kind)} {stand} out {joint}: {some(list(map(_words, largest)))}."]


def _words(each: AgainstOthers) -> str:
    value, low, high = points(each.value, each.low, each.high)
    return f"{each.group} has {value} points {'more' if each.value > 0 else 'less'} than the others ({low} to {high})"
