"""What section 5 of the paper claims about coreference.

Tables: `coref_models`, and the `taggers` of the same dataset if there are any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reproduction.claims import tagging
from reproduction.claims.verdicts import (
    Finding,
    ReportedValue,
    ResultRow,
    Results,
    Unclear,
    all_hold,
    below,
    mostly,
    within,
)

TABLES: Mapping[str, Mapping[str, Any]] = {
    "coref_models": {
        **{"model": str, "directions": str, "published_error": float},
        **dict.fromkeys(("published_low", "published_high"), float | None),
        **{"perfect_mean": float, "p_value": float},
    },
    "taggers": tagging.TABLES["taggers"],
}


def _model(results: Results) -> ResultRow:
    """Return the row of cross-validation, which is measured on the most documents, or else of the first model."""
    rows = results.rows("coref_models")
    return next((row for row in rows if row["model"] == "cross_validation"), rows[0])


def below_one_percent(results: Results) -> Finding:
    row = _model(results)
    error = ReportedValue.of(row, "published_error", "published_low", "published_high")
    measured = (
        f"{error.value:.2%} ({error.low:.2%} to {error.high:.2%}); a perfect model would show "
        f"{row['perfect_mean']:.2%} on these documents (p = {row['p_value']:.2g})"
    )
    return Finding(measured, *within(error, 0.01))


def overconfident(results: Results) -> Finding | Unclear:
    return mostly("overconfident", _model(results))


def best_calibrated(results: Results) -> Finding:
    taggers = results.rows("taggers", target="tags")
    if not taggers:
        return Finding("no tagger was trained on this dataset")
    error = ReportedValue.of(_model(results), "published_error", "published_low", "published_high")
    others = [ReportedValue.of(row, "published_error", "published_low", "published_high") for row in taggers]
    named = ", ".join(f"{row['model'].upper()} {row['published_error']:.2%}" for row in taggers)
    return all_hold(f"coreference {error.value:.2%}, {named}", [below(error, other) for other in others])
