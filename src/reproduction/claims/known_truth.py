"""What the texts state of methods: intervals, expectations, samples; judged where the truth is known.

Tables: `statements`, of `reproduction.simulation.known_truth`, and `sampling_time`, which tools/sampling_time.py
measures once, since no run repeats a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

from reproduction.claims.verdicts import Finding, Judged, ResultRow, Results, share
from reproduction.simulation.known_truth import SETTINGS, Quantity

TABLES: Mapping[str, Mapping[str, Any]] = {
    "statements": get_type_hints(Quantity),
    "sampling_time": {"part": str, "ratio": float, "low": float, "high": float},
}
_MIN_COVERAGE = 0.93
"""Intervals at .95 hold the truth if the interval of their coverage begins above this."""
_SLIGHTLY = 1.5
"""Times the duration that counts as only slightly slower."""


def _row(results: Results, start: str, end: str = "") -> ResultRow:
    rows = results.rows("statements")
    return next(row for row in rows if row["quantity"].startswith(start) and row["quantity"].endswith(end))


def _coverage(row: ResultRow) -> tuple[str, Judged]:
    words = f"{row['part']:,} of {row['whole']:,} ({row['value']:.1%})"
    return words, share(row["part"], row["whole"], least=_MIN_COVERAGE)


def published_interval_covers(results: Results) -> Finding:
    """Judge by models that are not calibrated: one that is has an error of 0."""
    found = [
        [_coverage(_row(results, f"{name} pairs and bins: intervals of Algorithm 2", models)) for name in SETTINGS]
        for models in (", miscalibrated", ", calibrated")
    ]
    (paper, smallest), (calibrated, _) = ([words for words, _ in each] for each in found)
    measured = f"it holds the true error in {paper} tables, with bins of 200 in {smallest}; of calibrated models in "
    return Finding(measured + calibrated, tuple(number for _, number in found[0]))


def bin_intervals_work(results: Results) -> Finding:
    words, number = _coverage(_row(results, "the paper's pairs and bins: intervals p̂"))
    return Finding(f"they hold a bin's true frequency in {words} bins", (number,))


def mean_error_is_a_tenth(results: Results) -> Finding:
    """Judge by our sampler, whose samples are stratified."""
    row = _row(results, "standard error of a mean")
    measured = f"{row['value']:.4f} ({row['low']:.4f} to {row['high']:.4f}) of the standard deviation"
    return Finding(measured, (Judged(row["value"], row["low"], row["high"], 0.095, 0.105),))


def sampling_is_slightly_slower(results: Results) -> Finding:
    whole, choice = (results.row("sampling_time", part=part) for part in ("all", "choice"))
    measured = (
        f"a sample takes {whole['ratio']:.2f} times as long as the MAP assignment ({whole['low']:.2f} to "
        f"{whole['high']:.2f}); the choice of antecedents alone {choice['ratio']:.2f} times"
    )
    return Finding(measured, (Judged(whole["ratio"], whole["low"], whole["high"], most=_SLIGHTLY),))
