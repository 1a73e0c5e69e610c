"""What section 6.2 of the paper claims about events in the news, and whether a dataset's results bear it out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.events.count.comparison import ComparisonRow
from nlpcalib.events.count.series import CheckRow, SeriesRow
from nlpcalib.io.typed_csv import read_rows
from nlpcalib.predictions.tables import read_pairs
from reproduction.claims.verdicts import NOT_APPLICABLE, UNDECIDED, Claim, judge_all, verdict
from reproduction.events.coverage import CoverageRow

_SIMILAR = 0.95
"""Correlation of posterior means from which on two ways to count are called similar; means and standard deviations may
differ by twice what it lacks of 1."""


@dataclass(frozen=True, slots=True)
class EventResults:
    """Tables of one dataset and query, as the workflow writes them."""

    series: Sequence[SeriesRow]
    comparison: Sequence[ComparisonRow]
    """Of two countries, by period and method."""
    checks: Sequence[CheckRow]
    two_sides: bool = False
    """Whether the two countries are named as two sides, and not only the most frequent."""
    coverage: Sequence[CoverageRow] = ()
    """Where the truth is known; see `reproduction.events.coverage.coverage_rows`."""
    pairs: Pairs | None = None
    """Where the truth is known, the probabilities with their labels."""


def read_results(
    series: str | Path,
    comparison: str | Path,
    checks: str | Path,
    coverage: str | Path | None = None,
    pairs: str | Path | None = None,
    *,
    two_sides: bool,
) -> EventResults:
    """Read the tables of a dataset and query, two of them where the truth is known."""
    return EventResults(
        series=read_rows(series, SeriesRow),
        comparison=read_rows(comparison, ComparisonRow),
        checks=read_rows(checks, CheckRow),
        two_sides=two_sides,
        coverage=read_rows(coverage, CoverageRow) if coverage else (),
        pairs=read_pairs(pairs) if pairs else None,
    )


def check_events(results: EventResults) -> list[dict]:
    """Return one row per claim; see `reproduction.claims.verdicts.judge_all`."""
    return judge_all(CLAIMS, results)


def _differences_are_noise(results: EventResults) -> tuple[str, str]:
    """Judge by the neighbouring periods of each country whose means are not the same."""
    steps = overlapping = 0
    for before, after in pairwise(results.series):
        if before["country"] == after["country"] and before["mean"] != after["mean"]:
            steps += 1
            overlapping += _overlap(before, after)
    if not steps:
        return "no country's mean ever changes", NOT_APPLICABLE
    measured = f"in {overlapping:,} of {steps:,} steps from a period to the next the two intervals overlap"
    return measured, verdict(overlapping > steps / 2)


def _one_best_decides(results: EventResults) -> tuple[str, str]:
    """Judge by the period with the most events of both countries together."""
    if not (results.two_sides and results.comparison):
        return "no two countries are named to be compared", NOT_APPLICABLE
    pair = results.comparison[0]["first"], results.comparison[0]["second"]
    by_period: dict[str, dict[str, SeriesRow]] = {}
    for row in results.series:
        if row["country"] in pair:
            by_period.setdefault(row["period"], {})[row["country"]] = row
    both = {period: rows for period, rows in by_period.items() if len(rows) == 2}
    if not both:
        return f"{' and '.join(pair)} are not both among the countries with events", NOT_APPLICABLE
    peak = max(both, key=lambda period: sum(row["mean"] for row in both[period].values()))
    first, second = (both[peak][country] for country in pair)
    answer = next(row for row in results.comparison if row["period"] == peak and row["method"] == "documents")
    measured = (
        f"{peak}: best clusterings {first['map_count']} {pair[0]} and {second['map_count']} {pair[1]}, "
        f"intervals {first['exact_low']} to {first['exact_high']} and {second['exact_low']} to {second['exact_high']}, "
        f"P({pair[0]} > {pair[1]}) = {answer['greater']:.2f}, of equality {answer['equal']:.2f}"
    )
    if first["map_count"] == second["map_count"]:
        return measured, UNDECIDED
    return measured, verdict(_overlap(first, second) and 0.025 < answer["greater"] < 0.975)


def _similar(check: str) -> Callable[[EventResults], tuple[str, str]]:
    def judge(results: EventResults) -> tuple[str, str]:
        row = next((row for row in results.checks if row["check"] == check), None)
        if row is None:
            return "no count is uncertain", NOT_APPLICABLE
        correlation, means, sds = row["correlation"], row["mean_ratio"], row["sd_ratio"]
        if correlation is None or means is None or sds is None:
            return "no count is uncertain", NOT_APPLICABLE
        measured = (
            f"posterior means correlate by {correlation:.3f} over {row['cells']} cells; "
            f"ratio of means {means:.3f}, of standard deviations {sds:.3f}"
        )
        return measured, verdict(
            correlation > _SIMILAR and all(abs(ratio - 1) < 2 * (1 - _SIMILAR) for ratio in (means, sds))
        )

    return judge


def _uncertain_is_wrong(results: EventResults) -> tuple[str, str]:
    """Judge by the answers that the probabilities give at one half."""
    if results.pairs is None:
        return "the truth is not known", NOT_APPLICABLE
    q, y = results.pairs.q, results.pairs.y
    wrong, middle = (q > 0.5) != y, np.abs(q - 0.5) <= 0.25
    if not middle.any() or middle.all():
        return "no uncertain probabilities, or no others", UNDECIDED
    measured = (
        f"wrong: {wrong[middle].sum()} of {middle.sum()} where P is from 25 to 75 %, "
        f"{wrong[~middle].sum()} of {(~middle).sum():,} elsewhere"
    )
    return measured, verdict(wrong[middle].mean() > wrong[~middle].mean())


def _intervals_are_useful(results: EventResults) -> tuple[str, str]:
    if not results.coverage:
        return "the truth is not known", NOT_APPLICABLE
    rows = {row["interval"]: row for row in results.coverage if row["kind_of_cell"] == "uncertain"}
    if not rows:
        return "too few counts are uncertain", NOT_APPLICABLE
    told = {
        name: f"holds {row['coverage']:.1%} (± {row['error']:.1%}, expected {row['expected']:.1%})"
        for name, row in rows.items()
    }
    published = rows["published"]
    measured = (
        f"of {published['cells']} uncertain counts the published interval {told['published']}, "
        f"the exact one {told['exact']}"
    )
    return measured, verdict(published["coverage"] + 2 * published["error"] >= 0.95)


def _overlap(one: SeriesRow, other: SeriesRow) -> bool:
    return one["low"] <= other["high"] and other["low"] <= one["high"]


CLAIMS = (
    Claim("6.2, Figure 6", "Many differences between periods may be coreference noise", _differences_are_noise),
    Claim("6.2, Figure 6", "At a peak of two sides 1-best has an answer and the posterior has none", _one_best_decides),
    Claim("6.2, footnote 11", "Ten samples give similar results", _similar("10 samples")),
    Claim("6.2, footnote 11", "Counting entities in the place of documents does", _similar("entities")),
    Claim("6.2", "The more uncertain a prediction, the more likely it is wrong", _uncertain_is_wrong),
    Claim("6.2 and 7", "Intervals of a calibrated model hold the truth (here: 95 % of them)", _intervals_are_useful),
)
