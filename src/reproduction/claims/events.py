"""What section 6.2 of the paper claims about events in the news.

Facts: `two_sides`, whether the two countries that are compared are named as two sides, and not only the most frequent.
The tables `coverage`, `found` and `pairs` exist where the truth is known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, get_type_hints

import numpy as np
from scipy.stats import fisher_exact

from reproduction.claims.verdicts import (
    Finding,
    Judged,
    ResultRow,
    Results,
    Unclear,
    correlation,
    exactly,
    positive_by_test,
    share,
)
from reproduction.estimation.paired import RatioTerms, ratio_difference
from reproduction.events.comparison import ComparisonRow
from reproduction.events.count_tables import CheckRow
from reproduction.events.coverage import CoverageRow
from reproduction.events.series import SeriesRow
from reproduction.events.truth import FoundRow

TABLES: Mapping[str, Mapping[str, Any]] = {
    "series": get_type_hints(SeriesRow),
    "comparison": get_type_hints(ComparisonRow),
    "checks": get_type_hints(CheckRow),
    "coverage": get_type_hints(CoverageRow),
    "found": get_type_hints(FoundRow),
}

_MIN_SIMILAR_CORRELATION = 0.95
"""Two ways to count are similar if their posterior means correlate by more than this. Means and standard deviations may
differ by a share of twice what it lacks of 1."""
_MIN_COVERAGE = 0.93
"""Intervals at .95 hold the truth if the interval of their coverage begins above this."""


def differences_are_noise(results: Results) -> Finding:
    """Judge by the neighbouring periods of each country that differ in 1-best counts: a quarter of them is many."""
    steps = overlapping = 0
    for before, after in pairwise(results.rows("series")):
        if before["country"] == after["country"] and before["map_count"] != after["map_count"]:
            steps += 1
            overlapping += before["low"] <= after["high"] and after["low"] <= before["high"]
    if not steps:
        return Finding("no country's count ever changes")
    measured = f"in {overlapping:,} of {steps:,} steps from a period to the next that 1-best has, the intervals overlap"
    return Finding(measured, (share(overlapping, steps, least=0.25),))


def one_best_decides(results: Results) -> Finding | Unclear:
    """Judge by the period with the most events of both countries together."""
    comparison = results.rows("comparison")
    if not (results.facts["two_sides"] and comparison):
        return Finding("no two countries are named to be compared")
    pair = comparison[0]["first"], comparison[0]["second"]
    by_period: dict[str, dict[str, ResultRow]] = {}
    for row in results.rows("series"):
        if row["country"] in pair:
            by_period.setdefault(row["period"], {})[row["country"]] = row
    both = {period: rows for period, rows in by_period.items() if len(rows) == 2}
    if not both:
        return Finding(f"{' and '.join(pair)} are not both among the countries with events")
    peak = max(both, key=lambda period: sum(row["mean"] for row in both[period].values()))
    first, second = (both[peak][country] for country in pair)
    answer = results.row("comparison", period=peak, method="documents")
    measured = (
        f"{peak}: best clusterings {first['map_count']} {pair[0]} and {second['map_count']} {pair[1]}, "
        f"intervals {first['exact_low']} to {first['exact_high']} and {second['exact_low']} to {second['exact_high']}, "
        f"P({pair[0]} > {pair[1]}) = {answer['greater']:.2f}, of equality {answer['equal']:.2f}"
    )
    if first["map_count"] == second["map_count"]:
        return Unclear(measured)
    overlap = min(first["high"], second["high"]) - max(first["low"], second["low"])
    # Both are computed from the posterior, and not estimated.
    greater, apart = exactly(answer["greater"], least=0.025, most=0.975), exactly(overlap, least=math.nextafter(0, -1))
    return Finding(measured, (greater, apart))


def ten_samples_similar(results: Results) -> Finding:
    return _similar(results, "10 samples")


def entities_similar(results: Results) -> Finding:
    return _similar(results, "entities")


def _similar(results: Results, check: str) -> Finding:
    row = next(iter(results.rows("checks", check=check)), None)
    if row is None or None in (row["correlation"], row["mean_ratio"], row["sd_ratio"]):
        return Finding("no count is uncertain")
    measured = (
        f"posterior means correlate by {row['correlation']:.3f} over {row['cells']} cells with events; "
        f"ratio of means {row['mean_ratio']:.3f}, of standard deviations {row['sd_ratio']:.3f}"
    )
    least, most = (1 + sign * 2 * (1 - _MIN_SIMILAR_CORRELATION) for sign in (-1, 1))
    similar = correlation(row["correlation"], row["cells"], least=_MIN_SIMILAR_CORRELATION)
    ratios = (
        Judged(row[name], row[f"{name}_low"], row[f"{name}_high"], least, most) for name in ("mean_ratio", "sd_ratio")
    )
    return Finding(measured, (similar, *ratios))


def coreference_finds_more(results: Results) -> Finding:
    """Judge by the share of true events that the 1-best clustering has, and that have a mention that names the country.

    The interval is of documents that were drawn.
    """
    rows = results.rows("found")
    if not any(row["true"] for row in rows):
        return Finding("the truth is not known")
    true, found, named = (
        np.array([row[name] for row in rows], dtype=np.float64) for name in ("true", "found", "named")
    )
    _, unit = np.unique([row["document"] for row in rows], return_inverse=True)
    value, low, high = ratio_difference(RatioTerms(true * named, true), RatioTerms(true * found, true), unit)
    words = (
        f"{way} coreference {(true * each).sum():.0f} of {true.sum():.0f} true events and "
        f"{((1 - true) * each).sum():.0f} false ones"
        for way, each in (("with", found), ("without", named))
    )
    return Finding("; ".join(words), (Judged(value, low, high, least=0.0),))


def uncertain_is_wrong(results: Results) -> Finding | Unclear:
    """Judge by the events that the probabilities predict at one half."""
    pairs = results.rows("pairs")
    if not pairs:
        return Finding("the truth is not known")
    q, y = (np.array([row[name] for row in pairs]) for name in ("q", "y"))
    wrong, middle = (q > 0.5) != y, np.abs(q - 0.5) <= 0.25
    if not middle.any() or middle.all():
        return Unclear("no uncertain probabilities, or no others")
    counts = [[int(wrong[part].sum()), int((~wrong[part]).sum())] for part in (middle, ~middle)]
    p = float(fisher_exact(counts).pvalue)
    measured = (
        f"wrong: {counts[0][0]} of {middle.sum()} where P is from 25 to 75 %, {counts[1][0]} of {(~middle).sum():,} "
        f"elsewhere, p = {p:.2g}"
    )
    more = float(wrong[middle].mean() - wrong[~middle].mean())
    return Finding(measured, (positive_by_test(more, p),))


def intervals_are_useful(results: Results) -> Finding:
    """Judge by the counts that are uncertain, of a model that expects as many events as there are."""
    rows = {row["interval"]: row for row in results.rows("coverage", kind_of_cell="uncertain")}
    if not rows:
        known = results.rows("coverage")
        return Finding("too few counts are uncertain" if known else "the truth is not known")
    reported = {
        name: f"holds {row['coverage']:.1%} (± {row['error']:.1%}, expected {row['expected']:.1%})"
        for name, row in rows.items()
    }
    published = rows["published"]
    measured = (
        f"of {published['cells']} uncertain counts the published interval {reported['published']}, "
        f"the exact one {reported['exact']}"
    )
    pairs = results.rows("pairs")
    happened, expected = (sum(row[column] for row in pairs) for column in ("y", "q"))
    measured += f"; of {expected:.0f} events that the model expects {happened} happened"
    if abs(happened - expected) > 1.96 * sum(row["q"] * (1 - row["q"]) for row in pairs) ** 0.5:
        return Finding(f"{measured}: it is not calibrated")
    low, high = (published["coverage"] + sign * 1.96 * published["error"] for sign in (-1, 1))
    return Finding(measured, (Judged(published["coverage"], low, high, least=_MIN_COVERAGE),))
