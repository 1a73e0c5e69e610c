"""The probability P(n_A > n_B) that country A has more events than B in a period, which the paper reads off plots.

n_A and n_B are numbers of documents with an event. Three methods:

* `samples`: the share of samples in which n_A > n_B. A sample has both counts, so this includes the dependence within
  documents, with the Monte Carlo error of S samples.
* `independent`: exact, from the two Poisson-binomial distributions, as if the counts were independent.
* `documents`: the exact distribution of n_A − n_B = Σ_d x_d, a convolution over documents d. Documents are independent
  given the model, with P(x_d = 1) = P(A but not B in d) and P(x_d = −1) = P(B but not A in d).

The methods differ where one uncertain link decides for both countries. If the attackers belong to either A or B, a
document that A loses goes to B: the difference varies more than under independence, and the probability is closer to
one half.
If both countries' events stand or fall together, it varies less. Where no document can have events of both countries,
`independent` and `documents` agree.

A document with an event of either A or B, each with the probability .5, has P(n_A > n_B) = .5. With independent
events it is .5 · .5 = .25, since both or neither can occur:

    >>> half = np.array([0.5])
    >>> compare_differences(half, half).greater, compare_independent(half, half).greater
    (0.5, 0.25)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.estimation.poisson_binomial import convolve_all
from nlpcalib.examination.dates import filled_periods
from nlpcalib.systems.events.count.counts import EventCounts, EventTable, ordinals
from nlpcalib.tables.periods import period_label


@dataclass(frozen=True)
class Comparison:
    """Probabilities that the first count is greater than the second, equal to it, and less; they sum to 1."""

    greater: float
    equal: float
    less: float
    error: float | None = None
    """Monte Carlo standard error of `greater` with independent samples; None if that is exact."""


class ComparisonRow(TypedDict):
    """A row of `comparison_rows`."""

    first: str
    second: str
    period: str
    method: str
    greater: float
    equal: float
    less: float
    error: float | None


def compare_samples(first: np.ndarray, second: np.ndarray) -> Comparison:
    """Compare two counts in the same samples, integers (S,) each.

    Raises `InputError` for arrays of different shapes, and for empty ones.
    """
    if first.ndim != 1 or first.shape != second.shape or not first.size:
        raise InputError(f"samples: found shapes {first.shape} and {second.shape}, expected the same, (samples,)")
    greater, less = float(np.mean(first > second)), float(np.mean(first < second))
    # Agresti and Coull's estimate, so that a share of exactly 0 or 1 has an error too.
    shrunk = (greater * first.size + 2) / (first.size + 4)
    error = (shrunk * (1 - shrunk) / (first.size + 4)) ** 0.5
    return Comparison(greater, float(np.mean(first == second)), less, error)


def compare_independent(first: np.ndarray, second: np.ndarray) -> Comparison:
    """Compare counts of independent events with probabilities (M,) and (N,), exactly.

    Raises `InputError` for numbers outside [0, 1].
    """
    return compare_differences(
        np.concatenate([first, np.zeros(second.size)]), np.concatenate([np.zeros(first.size), second])
    )


def compare_differences(up: np.ndarray, down: np.ndarray) -> Comparison:
    """Compare two counts exactly, from the contributions of independent documents to their difference.

    Parameters
    ----------
    up, down : ndarray, shape (D,), float64
        The probabilities that a document has the first country's event but not the second's, and the reverse.

    Raises `InputError` for negative numbers, and for pairs whose sum exceeds 1.
    """
    # The comparison fails for NaN.
    wrong = np.flatnonzero(~((up >= 0) & (down >= 0) & (up + down <= 1 + 1e-12)))
    if wrong.size:
        raise InputError(
            f"comparison: found the probabilities {up[wrong[0]]} and {down[wrong[0]]} at place {wrong[0]}, expected "
            "two numbers from 0 to 1 whose sum is not more than 1"
        )
    order = np.lexsort((down, up))
    up, down = up[order], down[order]
    # P(difference = k) for k from −D to D
    distribution = convolve_all(np.stack([down, np.maximum(1 - up - down, 0.0), up]))
    zero = len(distribution) // 2
    return Comparison(
        greater=float(distribution[zero + 1 :].sum()),
        equal=float(distribution[zero]),
        less=float(distribution[:zero].sum()),
    )


def of_period(table: EventTable, period: int, unit: str) -> EventTable:
    """Return the rows of the period with this number."""
    return table.rows(ordinals(table.dates, unit) == period)


def of_countries(table: EventTable, countries: Sequence[str]) -> EventTable:
    """Return the rows of countries, given by code."""
    return table.rows(np.isin(table.countries, list(countries)))


def compare_countries(events: EventTable, first: str, second: str) -> dict[str, Comparison]:
    """Compare two countries in the rows of one period; rows of other countries are ignored.

    In documents with rows for both, the probability of both events is the share of samples with both. It is clipped to
    the bounds that the two probabilities allow.

    Returns
    -------
    dict
        `samples`, `independent` and `documents`, see the module. A country without rows has no events.
    """
    documents, number = np.unique(events.documents, return_inverse=True)
    probabilities = np.zeros((2, documents.size))
    samples = np.zeros((2, documents.size, events.samples.shape[1]), dtype=bool)
    for place, country in enumerate((first, second)):
        rows = events.countries == country
        probabilities[place, number[rows]] = events.probabilities[rows]
        samples[place, number[rows]] = events.samples[rows] > 0
    both = np.clip(
        (samples[0] & samples[1]).mean(axis=1),
        np.maximum(probabilities.sum(axis=0) - 1, 0),
        probabilities.min(axis=0),
    )
    return {
        "samples": compare_samples(*samples.sum(axis=1)),
        "independent": compare_independent(*probabilities),
        "documents": compare_differences(*(probabilities - both)),
    }


def comparison_rows(tables: Iterable[EventTable], counts: EventCounts, countries: Sequence[str]) -> list[ComparisonRow]:
    """Compare two countries in each period from the first document's to the last; fewer countries give no rows.

    Parameters
    ----------
    tables : iterable of EventTable
        The rows of parts of a corpus, such as shards, in which no document is twice. One part is in memory at a time,
        with the rows of the two countries.

    Returns
    -------
    list of dict
        `first`, `second`, `period`, `method` (the keys of `compare_countries`), and the fields of `Comparison`.
    """
    if len(countries) < 2:
        return []
    events = EventTable.joined([of_countries(table, countries) for table in tables])
    first, second = countries
    return [
        ComparisonRow(
            first=first,
            second=second,
            period=period_label(period, counts.unit),
            method=method,
            greater=comparison.greater,
            equal=comparison.equal,
            less=comparison.less,
            error=comparison.error,
        )
        for period in filled_periods(counts.documents, counts.unit)
        for method, comparison in compare_countries(of_period(events, period, counts.unit), first, second).items()
    ]
