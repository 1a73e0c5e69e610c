"""What section 6.2 of the paper claims about events in the news, and whether a dataset's results bear it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from nlpcalib.claims import NOT_APPLICABLE, UNDECIDED, Claim, Row, judge_all, verdict

_SIMILAR = 0.95
"""Correlation of posterior means from which on two ways to count are called similar."""


@dataclass(frozen=True, slots=True)
class EventResults:
    """Tables of one dataset and query, as the workflow writes them."""

    series: Sequence[Row]
    comparison: Sequence[Row]
    """Of two countries, by period and method."""
    checks: Sequence[Row]
    coverage: Sequence[Row] = field(default=())
    """Where the truth is known; see `nlpcalib.events.coverage.coverage_rows`."""
    bins: Sequence[Row] = field(default=())
    """Where the truth is known, `bins.csv` of the probabilities."""


def check_events(results: EventResults) -> list[dict]:
    """Return one row per claim; see `nlpcalib.claims.judge_all`."""
    return judge_all(CLAIMS, results)


def _differences_are_noise(results: EventResults) -> tuple[str, str]:
    """Judge by the neighbouring periods of the most frequent country whose means are not the same."""
    country = max({row["country"] for row in results.series}, key=lambda code: _total(results.series, code))
    rows = [row for row in results.series if row["country"] == country]
    steps = overlapping = 0
    for before, after in pairwise(rows):
        if before["mean"] != after["mean"]:
            steps += 1
            overlapping += _overlap(before, after)
    if not steps:
        return f"the mean of {country} never changes", NOT_APPLICABLE
    measured = f"{country}: in {overlapping} of {steps} steps from period to period the two intervals overlap"
    return measured, verdict(overlapping > steps / 2)


def _one_best_decides(results: EventResults) -> tuple[str, str]:
    """Judge by the period with the most events of both countries together."""
    pair = results.comparison[0]["first"], results.comparison[0]["second"]
    by_period: dict[str, dict[str, Row]] = {}
    for row in results.series:
        if row["country"] in pair:
            by_period.setdefault(row["period"], {})[row["country"]] = row
    both = {period: rows for period, rows in by_period.items() if len(rows) == 2}
    if not both:
        return f"{' and '.join(pair)} are not both among the countries with events", NOT_APPLICABLE
    peak = max(both, key=lambda period: sum(float(row["mean"]) for row in both[period].values()))
    first, second = (both[peak][country] for country in pair)
    answer = next(row for row in results.comparison if row["period"] == peak and row["method"] == "documents")
    measured = (
        f"{peak}: best clusterings {first['map']} {pair[0]} and {second['map']} {pair[1]}, "
        f"intervals {first['exact_low']} to {first['exact_high']} and {second['exact_low']} to {second['exact_high']}, "
        f"P({pair[0]} > {pair[1]}) = {float(answer['greater']):.2f}, of equality {float(answer['equal']):.2f}"
    )
    if first["map"] == second["map"]:
        return measured, UNDECIDED
    return measured, verdict(_overlap(first, second) and 0.025 < float(answer["greater"]) < 0.975)


def _similar(check: str):
    def judge(results: EventResults) -> tuple[str, str]:
        row = next(row for row in results.checks if row["check"] == check)
        measured = (
            f"posterior means correlate by {float(row['correlation']):.3f} over {row['cells']} cells; "
            f"ratio of means {float(row['mean_ratio']):.3f}, of standard deviations {float(row['sd_ratio']):.3f}"
        )
        return measured, verdict(float(row["correlation"]) > _SIMILAR)

    return judge


def _uncertain_is_wrong(results: EventResults) -> tuple[str, str]:
    """Judge by the rank correlation over bins of min(q, 1 - q) with the share of wrong answers at one half."""
    if len(results.bins) < 3:
        return "the truth is not known, or too few probabilities to say", NOT_APPLICABLE
    mean = np.array([float(row["mean_q"]) for row in results.bins])
    frequency = np.array([float(row["frequency"]) for row in results.bins])
    wrong = np.where(mean > 0.5, 1 - frequency, frequency)
    uncertain = np.minimum(mean, 1 - mean)
    middle = uncertain > 0.25
    if not middle.any() or middle.all():
        return "no bin of uncertain probabilities, or no other", UNDECIDED
    measured = f"wrong: {wrong[middle].mean():.0%} where P is from 25 to 75 %, {wrong[~middle].mean():.0%} elsewhere"
    return measured, verdict(wrong[middle].mean() > wrong[~middle].mean())


def _intervals_are_useful(results: EventResults) -> tuple[str, str]:
    if not results.coverage:
        return "the truth is not known", NOT_APPLICABLE
    row = next(row for row in results.coverage if (row["kind_of_cell"], row["interval"]) == ("uncertain", "published"))
    exact = next(row for row in results.coverage if (row["kind_of_cell"], row["interval"]) == ("uncertain", "exact"))
    measured = (
        f"of {row['cells']} uncertain counts the published interval holds {float(row['coverage']):.1%} "
        f"(± {float(row['error']):.1%}), the exact one {float(exact['coverage']):.1%}"
    )
    return measured, verdict(float(row["coverage"]) + 2 * float(row["error"]) >= 0.95)


def _overlap(one: Row, other: Row) -> bool:
    return float(one["low"]) <= float(other["high"]) and float(other["low"]) <= float(one["high"])


def _total(series: Sequence[Row], country: str) -> tuple[float, str]:
    return sum(float(row["mean"]) for row in series if row["country"] == country), country


CLAIMS = (
    Claim("6.2, Figure 6", "Many differences between periods may be coreference noise", _differences_are_noise),
    Claim("6.2, Figure 6", "At a peak of two sides 1-best has an answer and the posterior has none", _one_best_decides),
    Claim("6.2, footnote 11", "Ten samples give similar results", _similar("10 samples")),
    Claim("6.2, footnote 11", "Counting entities in the place of documents does", _similar("entities")),
    Claim("6.2", "The more uncertain a prediction, the more likely it is wrong", _uncertain_is_wrong),
    Claim("6.2 and 7", "Intervals of a calibrated model hold the truth (here: 95 % of them)", _intervals_are_useful),
)
