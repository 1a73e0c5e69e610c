"""What section 4.1.2 of the paper claims about sentiment; judged by rows of `sentiment.csv`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reproduction.claims.verdicts import (
    CalibrationError,
    Finding,
    Judged,
    ResultRow,
    Results,
    Unclear,
    below,
    exactly,
)

REGIONS = ("0_0.25", "0.25_0.5", "0.5_0.75", "0.75_1")
_RATIOS = ("f1", "gap_0_0.5", "gap_0.5_1")
_LOW, _HIGH = REGIONS[:2], REGIONS[2:]
TABLES: Mapping[str, Mapping[str, Any]] = {
    "sentiment": {
        **{"model": str, "f1": float, "bin_size": int, "published_error": float},
        **dict.fromkeys(("published_low", "published_high"), float | None),
        **{f"n_{region}": int for region in REGIONS},
        **{f"gap_{region}": float | None for region in REGIONS},
        **{f"direction_{region}": str for region in REGIONS},
        **{f"{name}_difference{end}": float | None for name in _RATIOS for end in ("", "_low", "_high")},
    }
}
_CLASSIFIERS = ("naive_bayes", "logistic_regression")


def range_gap(row: ResultRow, regions: tuple[str, ...]) -> float | None:
    """Return label frequency minus mean prediction over some quarters of [0, 1]; None if no prediction lies there."""
    known = [(row[f"n_{region}"], row[f"gap_{region}"]) for region in regions if row[f"n_{region}"]]
    return sum(n * gap for n, gap in known) / sum(n for n, _ in known) if known else None


def higher_f1(results: Results) -> Finding:
    nb, lr = (results.row("sentiment", model=model)["f1"] for model in _CLASSIFIERS)
    higher = replace(_naive_bayes_minus(results, "f1"), least=0.0, most=0.03)
    return Finding(f"NB {nb:.1%}, LR {lr:.1%}: {100 * (nb - lr):+.1f} points", (higher,))


def less_than_half(results: Results) -> Finding:
    nb, lr = (CalibrationError.published(results.row("sentiment", model=model)) for model in _CLASSIFIERS)
    measured = f"NB {nb.value:.4f}, LR {lr.value:.4f}: {lr.value / nb.value:.0%} of it"
    return Finding(measured, (below(lr, nb, 0.5),))


def naive_bayes_direction(results: Results) -> Finding | Unclear:
    return _direction(results, "naive_bayes")


def logistic_regression_direction(results: Results) -> Finding | Unclear:
    return _direction(results, "logistic_regression")


def _direction(results: Results, model: str) -> Finding | Unclear:
    row = results.row("sentiment", model=model)
    low, high = range_gap(row, _LOW), range_gap(row, _HIGH)
    if low is None or high is None:
        return Finding("no predictions in one of the ranges")
    measured = f"frequency − prediction: {low:+.4f} below ½, {high:+.4f} above"
    # The tests of the quarters decide; one that is unclear contradicts nothing.
    below_half, above = ([row[f"direction_{region}"] for region in part] for part in (_LOW, _HIGH))
    numbers = _without_contrary(below_half, "underconfident"), _without_contrary(above, "overconfident")
    clear = all(number.holds for number in numbers) or any(number.value < 0 for number in numbers)
    return Finding(measured, numbers) if clear else Unclear(measured)


def _without_contrary(directions: Sequence[str], direction: str) -> Judged:
    """Return how many quarters have this direction, or minus those that have the contrary one if there are any."""
    found = directions.count(direction)
    contrary = sum(each.endswith("confident") for each in directions) - found
    return exactly(-contrary if contrary else found, least=0.0)


def more_pronounced(results: Results) -> Finding:
    rows = [results.row("sentiment", model=model) for model in _CLASSIFIERS]
    nb_low, nb_high, lr_low, lr_high = (range_gap(row, part) for row in rows for part in (_LOW, _HIGH))
    if nb_low is None or nb_high is None or lr_low is None or lr_high is None:
        return Finding("no predictions in one of the ranges")
    measured = f"below ½ NB {nb_low:+.4f}, LR {lr_low:+.4f}; above NB {nb_high:+.4f}, LR {lr_high:+.4f}"
    below, above = (_naive_bayes_minus(results, name) for name in _RATIOS[1:])
    return Finding(measured, (replace(below, least=0.0), replace(above, most=0.0)))


def _naive_bayes_minus(results: Results, ratio: str) -> Judged:
    """Return a ratio of Naive Bayes minus that of logistic regression, with its interval by message."""
    row = results.row("sentiment", model="logistic_regression")
    value, low, high = (-row[f"{ratio}_difference{end}"] for end in ("", "_high", "_low"))
    return Judged(value, low, high)
