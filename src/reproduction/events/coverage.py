"""How often intervals of event counts hold the true counts, where these are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

import numpy as np

from nlpcalib.errors import InputError


@dataclass(frozen=True)
class Coverage:
    """The share of intervals that hold the truth, over countries and periods."""

    cells: int
    coverage: float
    error: float
    """Standard error, robust to dependence within countries and within periods."""
    above: float
    """Share of true counts above the interval."""
    below: float
    width: float
    """Mean width."""


class CoverageRow(TypedDict):
    """A row of `count_coverage_rows`, as far as claims need it."""

    kind_of_cell: str
    interval: str
    expected: float
    cells: int
    coverage: float
    error: float


def interval_coverage(
    truth: np.ndarray, low: np.ndarray, high: np.ndarray, countries: np.ndarray, periods: np.ndarray
) -> Coverage:
    """Return the coverage of N intervals, ends included, with a standard error clustered by country and by period.

    The variance is the sum of those clustered one way and the other, less that of independent cells (Cameron, Gelbach &
    Miller 2011), each with the factor G / (G - 1) for G clusters. It may come out too small, even negative, with few
    clusters, and 0 where all intervals hold: each one-way variance and that of independent cells, shrunk so that a
    share of 1 is not taken for certain, are its lower bounds.

    Parameters
    ----------
    truth, low, high : ndarray, shape (N,)
        True counts and the ends of the intervals. Cells in which no document can have an event hold the truth 0 in
        an interval from 0 to 0, and show nothing of uncertainty: leave them out, or report them apart.
    countries, periods : ndarray, shape (N,)
        What each cell belongs to; every pair occurs once.

    Raises `InputError` if the shapes differ, if there are fewer than two countries or two periods, or for no number.
    """
    shapes = {array.shape for array in (truth, low, high, countries, periods)}
    if shapes != {(truth.size,)}:
        raise InputError(f"coverage: found arrays of shapes {sorted(shapes)}, expected one shape, (cells,)")
    if np.isnan(truth).any() or np.isnan(low).any() or np.isnan(high).any():
        raise InputError("coverage: found NaN among the true counts and interval ends, expected numbers")
    clusters = [np.unique(labels, return_inverse=True)[1] for labels in (countries, periods)]
    if truth.size == 0 or min(labels.max() for labels in clusters) == 0:
        raise InputError("coverage: found fewer than two countries or two periods, expected two of each")
    below, above = truth < low, truth > high
    held = ~(below | above)
    residuals = held - held.mean()
    one_way = [_variance(residuals, labels) for labels in clusters]
    independent = _variance(residuals, np.arange(truth.size))
    shrunk = (held.sum() + 2) / (truth.size + 4)
    least = shrunk * (1 - shrunk) / (truth.size + 4)
    return Coverage(
        cells=truth.size,
        coverage=float(held.mean()),
        error=float(max(sum(one_way) - independent, *one_way, least) ** 0.5),
        above=float(above.mean()),
        below=float(below.mean()),
        width=float((high - low).mean()),
    )


def count_coverage_rows(rows: Sequence[Mapping[str, Any]], truth: Mapping[tuple[str, str], int]) -> list[dict]:
    """Return how often the intervals of a series hold the truth, a row for each interval and kind of cell.

    Cells are all, those with a possible event (in a sample or not) and those whose count is uncertain; intervals the
    published one of the mean ± 1.96 sd, the exact one, and as an interval of no width the count of the one best
    clusterings. `expected` is the coverage that each has if the events' probabilities are right and independent: more
    than 95 % for the exact one, since counts are whole numbers. `bias` and `rms_error` are those of the posterior mean,
    or of the best clusterings' count.

    Parameters
    ----------
    rows : sequence of mapping
        Those of `reproduction.events.series.count_series`.
    truth : mapping
        True counts by country and period; 0 where absent.
    """
    true = np.array([truth.get((row["country"], row["period"]), 0) for row in rows])
    countries, periods = (np.array([row[name] for row in rows]) for name in ("country", "period"))
    column = {name: np.array([row[name] for row in rows]) for name in _COVERAGE_COLUMNS}
    kinds = {"all": column["mean"] >= 0, "possible": column["exact_mean"] > 0, "uncertain": column["exact_sd"] > 0}
    found = []
    for kind, wanted in kinds.items():
        if min(np.unique(labels[wanted]).size for labels in (countries, periods)) < 2:
            continue
        for interval, (low, high, level) in _INTERVALS.items():
            held = interval_coverage(
                true[wanted], column[low][wanted], column[high][wanted], countries[wanted], periods[wanted]
            )
            mean = column["map_count" if interval == "map" else "mean"][wanted]
            found.append(
                {
                    "kind_of_cell": kind,
                    "interval": interval,
                    "expected": float(column[level][wanted].mean()),
                    **asdict(held),
                    "mean_truth": float(true[wanted].mean()),
                    "bias": float((mean - true[wanted]).mean()),
                    "rms_error": float(((mean - true[wanted]) ** 2).mean() ** 0.5),
                }
            )
    return found


_INTERVALS = {
    "published": ("low", "high", "level"),
    "exact": ("exact_low", "exact_high", "exact_level"),
    "map": ("map_count", "map_count", "map_level"),
}
_COVERAGE_COLUMNS = (
    "mean",
    "exact_mean",
    "exact_sd",
    *dict.fromkeys(name for ends in _INTERVALS.values() for name in ends),
)


def _variance(residuals: np.ndarray, labels: np.ndarray) -> float:
    sums = np.bincount(labels, weights=residuals)
    return float((sums**2).sum() / residuals.size**2 * sums.size / (sums.size - 1))
