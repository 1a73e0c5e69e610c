"""What section 5 of the paper claims about coreference.

Tables: `coref_models`, and the `taggers` of the same dataset if there are any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reproduction.claims import tagging
from reproduction.claims.verdicts import (
    CalibrationError,
    Finding,
    ResultRow,
    Results,
    Unclear,
    below,
    mostly,
    within,
)

TABLES: Mapping[str, Mapping[str, Any]] = {
    "coref_models": {
        **{"model": str, "direction_scores": str, "bin_size": int, "paper_bin_size": int, "paper_error": float},
        **dict.fromkeys(("paper_low", "paper_high"), float | None),
        **{"perfect_mean": float, "p_value": float},
    },
    "taggers": tagging.TABLES["taggers"],
}


def _model(results: Results) -> ResultRow:
    """Return the row of cross-validation, which is measured on the most documents, or else of the first model."""
    rows = results.rows("coref_models")
    return next((row for row in rows if row["model"] == "cross_validation"), rows[0])


def _error(results: Results) -> CalibrationError:
    """Return the published error over bins of the paper's size, as that of its taggers."""
    row = _model(results)
    return CalibrationError.of(row, "paper_error", "paper_low", "paper_high", bin_size=row["paper_bin_size"])


def below_one_percent(results: Results) -> Finding:
    row, error = _model(results), _error(results)
    measured = f"{error.value:.2%} ({error.low:.2%} to {error.high:.2%}) in bins of {error.bin_size:,}"
    if row["bin_size"] == error.bin_size:
        measured += f"; a perfect model would show {row['perfect_mean']:.2%} (p = {row['p_value']:.2g})"
    return Finding(measured, (within(error, 0.01),))


def overconfident(results: Results) -> Finding | Unclear:
    return mostly("overconfident", _model(results))


def best_calibrated(results: Results) -> Finding:
    taggers = results.rows("taggers", target="tags")
    if not taggers:
        return Finding("no tagger was trained on this dataset")
    error = _error(results)
    named = ", ".join(f"{row['model'].upper()} {row['published_error']:.2%}" for row in taggers)
    measured = f"coreference {error.value:.2%}, {named}, in bins of {error.bin_size:,}"
    return Finding(measured, tuple(below(error, CalibrationError.published(row)) for row in taggers))
