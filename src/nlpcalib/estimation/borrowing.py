"""Groups of items, which share labels by choice: periods whose rates may change, or groups with the same rates.

    "none":             count_g from the labels of group g alone
    "same-rates":       P(y = 1 | q, g) = ρ(q) in all groups g
    "changing-rates":   P(y = 1 | q, t) = ρ_t(q) in period t, where ρ_t may drift and jump

* count_g is the number of positive items of group g, y a label, q a prediction, and ρ a rate.

Labels of one group are few. Sharing them is an assumption: `series_totals` allows changing rates, `group_counts` does
not. Neither carries anything over to where no label reaches.

Two groups of 100 items with q = .995 have ten labels, all in the first, of which nine are positive. With the same
rates the second has about 100 · 9.5/11 = 86.4 positive items, with Jeffreys' prior, and 86.7 by 200 draws:

>>> from nlpcalib.sampling.samples import simple_random_sample
>>> sample = simple_random_sample(200, np.arange(10), np.repeat([1.0, 0.0], [9, 1]))
>>> found = borrowed_totals(np.full(200, 0.995), sample, np.repeat([0, 1], 100), ["first", "second"], how="same-rates")
>>> [(each.read, round(each.total, 1)) for each in found]
[(10, 87.0), (0, 86.7)]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, counted
from nlpcalib.estimation.estimates import Estimate, combined, estimate_totals, filled_labels
from nlpcalib.estimation.posterior import group_counts
from nlpcalib.estimation.score import Totals
from nlpcalib.estimation.series import series_totals
from nlpcalib.sampling.cells import Cells, count_cells
from nlpcalib.sampling.samples import Sample, restricted
from nlpcalib.tables.names import joined_names

BORROWING = ("none", "changing-rates", "same-rates")
"""Ways in which groups share labels."""
CHANGING_NOTE = (
    "Periods share labels: for q from .01 to .99 the interval rests on the recalibrated model, with an offset for each "
    "period; the rate of positive items below .01 may jump from one period to the next."
)
"""What a reader of an interval should know where periods share labels."""
UNREACHED_NOTE = (
    "No item was read here, nor in any period beyond: the interval is all that can be, and the number the model's own."
)
"""What a reader should know of periods before the first label or after the last, which no label reaches."""
SAME_NOTE = "All groups share labels: the interval holds if their rates given the predictions are the same."
"""What a reader of an interval should know where all groups have the same rates."""


def estimate_groups(
    q: np.ndarray,
    sample: Sample,
    keys: Sequence[tuple[str, ...]],
    *,
    borrow: str = "none",
    level: float = 0.95,
    place: str = "keys",
) -> list[Estimate]:
    """Return the estimate of each group of items, in the order of their sorted names.

    Parameters
    ----------
    q, sample, level
        As for `nlpcalib.estimation.estimates.estimate_totals`.
    keys : sequence of tuple of str
        The group of each item, N of them, each of K texts.
    borrow : str
        One of `BORROWING`. With "changing-rates" the last text is the period (`period_order`); those before it
        name the series, and each series shares its own labels.
    place : str
        Where the periods stand, for messages.

    Raises `InputError` as `estimate_totals` and `borrowed_totals` do.
    """
    groups = grouped(keys, borrow, place)
    if borrow == "none":
        return estimate_totals(q, sample, groups.of, groups.names, level=level)
    found = []
    for name, members in groups.series:
        chosen = np.isin(groups.of, members)
        try:
            found += borrowed_totals(
                q[chosen], restricted(sample, chosen), np.searchsorted(members, groups.of[chosen]),
                [groups.names[number] for number in members], how=borrow, level=level,
            )  # fmt: skip
        except InputError as error:
            raise InputError(f"{name}: {error}" if name else str(error)) from None
    return found


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of a corpus, and which of them share labels."""

    names: list[str]
    of: np.ndarray
    """int64 (N,): the group of each item, an index of the names."""
    series: list[tuple[str, list[int]]]
    """Groups that share labels, with the name that they have in common; periods are in order."""
    borrow: str
    """One of `BORROWING`."""


def grouped(keys: Sequence[tuple[str, ...]], borrow: str = "none", place: str = "keys") -> Groups:
    """Return the groups of N items by their keys, with the arguments of `estimate_groups`."""
    names = sorted(set(keys))
    if borrow == "changing-rates":
        time = period_order({key[-1] for key in names}, place)
        names.sort(key=lambda key: (key[:-1], time[key[-1]]))
    index = {key: number for number, key in enumerate(names)}
    shared = sorted({key[:-1] for key in names}) if borrow == "changing-rates" else [()]
    series = [
        (joined_names(key) if key else "", [index[name] for name in names if name[: len(key)] == key]) for key in shared
    ]
    return Groups([joined_names(key) for key in names], np.array([index[key] for key in keys]), series, borrow)


FIRST_SHORT_YEAR = 69
"""The first year of two digits that is of the twentieth century, as in POSIX."""


def _are_short_years(times: Mapping[str, tuple[int, ...]]) -> bool:
    """Return whether periods are years of two digits that go over the end of a century."""
    if not all(re.fullmatch(r"\D?[0-9]{2}", period) for period in times):
        return False
    return len({number >= FIRST_SHORT_YEAR for number, *_ in times.values()}) > 1


def period_order(periods: Collection[str], place: str) -> dict[str, tuple[int, ...]]:
    """Return what to sort periods by: the numbers in them, so that 2004-2 comes before 2004-10, and 2 before 12.

    Years of two digits, some from 69 on and others below, are those from 1969 to 2068: 98 comes before 04.

    Raises `InputError`, naming the `place`, for periods that are not all written alike, that have no number, or several
    of which the first is no year of four digits, and for two that are the same time.
    """
    times = {period: tuple(map(int, re.findall(r"\d+", period))) for period in sorted(periods)}
    forms = {re.sub(r"\d+", "#", period): period for period in times}
    expected = "all of one form, such as 2004, 2004-01, 2004-Q3 or 1 to 12"
    if len(forms) > 1 or "" in forms or () in times.values():
        found = ", ".join(map(repr, list(forms.values())[:2]))
        raise InputError(f"{place}: found the periods {found}, expected {expected}")
    for period in times:
        digits = list(map(len, re.findall(r"\d+", period)))
        if len(digits) > 1 and digits[0] != 4:
            raise InputError(f"{place}: found the period {period!r}, expected a year of four digits first: 2004-01")
    if _are_short_years(times):
        times = {period: (number + 100 * (number < FIRST_SHORT_YEAR),) for period, (number,) in times.items()}
    if len(set(times.values())) < len(times):
        same = next(a for a in times for b in times if a < b and times[a] == times[b])
        raise InputError(f"{place}: found the period {same!r} in two spellings, expected {expected}")
    return times


def borrowed_totals(
    q: np.ndarray,
    sample: Sample,
    group: np.ndarray,
    names: Sequence[str],
    *,
    how: str,
    level: float = 0.95,
    seed: int = 0,
) -> list[Estimate]:
    """Return the estimate of each group from the labels of all of them.

    Parameters
    ----------
    q : ndarray of float64, shape (N,)
        Predictions of all items.
    sample : Sample
        Which items were read, how they were drawn, and their labels.
    group : ndarray of int, shape (N,)
        The group of each item, an index of `names`. With "changing-rates", groups are periods in order.
    how : str
        One of `BORROWING` but the first: `nlpcalib.estimation.series.series_totals`, or
        `nlpcalib.estimation.posterior.group_counts`.
    level : float
        Level of the intervals.
    seed : int
        Seed of the draws.

    Raises
    ------
    InputError
        Where nothing can be carried over: items that no label could reach, and a series with labels in one period
        alone. For items that were read together: shared labels are taken for independent.

    Notes
    -----
    Periods before the first label and after the last have all that can be as their interval.
    """
    if how not in BORROWING[1:]:
        raise InputError(f"borrow: found {how!r}, expected one of {', '.join(BORROWING[1:])}")
    unreached = int(np.count_nonzero(np.isinf(sample.weights[sample.stratum])))
    if unreached:
        raise InputError(
            f"borrow: found {counted(unreached, 'item')} that no label could reach, expected none: read some of them"
        )
    if sample.unit is not None and len(np.unique(sample.unit[sample.rows])) < len(sample.rows):
        raise InputError("borrow: found several items of a unit, expected one: labels that are shared are independent")
    labelled = np.unique(group[sample.rows])
    if how == "changing-rates" and labelled.size and (labelled[0] > 0 or labelled[-1] < len(names) - 1):
        return _labelled_span(q, sample, group, names, (labelled[0], labelled[-1] + 1), level=level, seed=seed)
    results: list[tuple[Cells, Totals]] = []
    for filled in filled_labels(np.asarray(sample.y, dtype=np.float64)):
        cells, _ = count_cells(
            q, sample.stratum, sample.weights, sample.rows, filled, group, len(names), sample.expansion
        )
        results.append((cells, shared_totals(cells, how, level, seed)))
    return combined(names, results, lambda *_: (CHANGING_NOTE if how == "changing-rates" else SAME_NOTE,))


def _labelled_span(
    q: np.ndarray, sample: Sample, group: np.ndarray, names: Sequence[str], span: tuple[int, int], **options: Any
) -> list[Estimate]:
    """Return the estimates of all periods, where labels reach those from the first of a span to before its second."""
    first, end = span
    within = (group >= first) & (group < end)
    reached = borrowed_totals(
        q[within], restricted(sample, within), group[within] - first, names[first:end], how="changing-rates", **options
    )
    size, predicted = np.bincount(group, minlength=len(names)), np.bincount(group, q, minlength=len(names))
    found = [
        Estimate(name, int(n), 0, 0.0, float(sum_), float(sum_), 0.0, float(n), (UNREACHED_NOTE,))
        for name, n, sum_ in zip(names, size, predicted, strict=True)
    ]
    return [*found[:first], *reached, *found[end:]]


def shared_totals(cells: Cells, how: str, level: float = 0.95, seed: int = 0) -> Totals:
    """Return the totals of groups (G,) that share labels, for their cells (G, C); see `borrowed_totals`."""
    if how == "changing-rates":
        return series_totals(cells, level, seed)
    counts = group_counts(cells, seed)
    low, high = counts.interval(level)
    return Totals(counts.mean, low.astype(np.float64), high.astype(np.float64))
