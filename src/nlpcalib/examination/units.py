"""Signs in units: values that stand for none, and columns whose rows err together and are not used as units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nlpcalib.errors import InputFinding, argument
from nlpcalib.examination.alike import examine_alike
from nlpcalib.examination.level import MIN_ROWS, alarm_z, stands_out

RESIDUAL_BINS = 20
"""Bins of predictions in which labels are centred, so that a model's miscalibration is no common error."""
MIN_INTRACLASS_CORRELATION = 0.02
"""Correlation of errors of one unit from which on intervals are notably too narrow."""


def examine_unused_units(distinct: Mapping[str, int], rows: int) -> list[InputFinding]:
    """Return the columns that repeat, from the number of distinct values of each."""
    return [
        InputFinding(
            name,
            f"column {name} has {values:,} values in {rows:,} rows and is not used: "
            f"{argument('unit', name)} if rows of one are not independent",
            code="unused_unit",
        )
        for name, values in distinct.items()
        if 1 < values < rows
    ]


def examine_units(codes: np.ndarray, names: Sequence[str], column: str) -> list[InputFinding]:
    """Return the signs of units (N,) that look alike, and of one that stands for rows without a unit."""
    findings = examine_alike(names, f"column {column}")
    if len(names) >= MIN_ROWS // 2:
        sizes = np.bincount(codes, minlength=len(names))
        second, first = np.sort(np.partition(sizes, -2)[-2:])
        if stands_out(int(first), int(second), codes.size):
            name = names[int(np.argmax(sizes))]
            findings.append(
                InputFinding(
                    column,
                    f"column {column}: {name!r} has {first:,} of {codes.size:,} rows, and no other more than "
                    f"{second:,}: if it stands for none, give each such row a unit of its own",
                    code="placeholder",
                )
            )
    return findings


def errors_together(q: np.ndarray, y: np.ndarray, codes: np.ndarray) -> float:
    """Return the intraclass correlation of errors in groups (N,) of rows; 0 where chance explains it.

    Under independence the sum of products of errors of one group has expectation 0 and variance Σ n (n − 1) / 2 in
    units of the squared error variance.
    """
    sizes = np.bincount(codes)
    if np.count_nonzero(sizes) < MIN_ROWS or sizes.max() < 2:
        return 0.0
    error = _errors(q, y)
    square = np.mean(error**2)
    pairs = float((sizes * (sizes - 1.0)).sum() / 2)
    if square == 0 or pairs == 0:
        return 0.0
    sums = np.bincount(codes, weights=error, minlength=sizes.size)
    squares = np.bincount(codes, weights=error**2, minlength=sizes.size)
    together = float((sums**2 - squares).sum() / 2 / square)
    correlation = together / pairs
    return correlation if together > alarm_z() * np.sqrt(pairs) and correlation > MIN_INTRACLASS_CORRELATION else 0.0


def errors_in_sequence(q: np.ndarray, y: np.ndarray, codes: np.ndarray) -> float:
    """Return the correlation of errors of units (N,) that follow each other; 0 where chance explains it.

    Under independence their products have expectation 0, and the sum of their squares is the variance of their sum.
    """
    _, first, unit = np.unique(codes, return_index=True, return_inverse=True)
    totals = np.bincount(unit, weights=_errors(q, y))[np.argsort(first)]
    products, square = totals[1:] * totals[:-1], np.sum(totals**2)
    if totals.size < MIN_ROWS or square == 0:
        return 0.0
    correlation = float(products.sum() / square)
    shown = products.sum() > alarm_z() * np.sqrt(np.sum(products**2))
    return correlation if shown and correlation > MIN_INTRACLASS_CORRELATION else 0.0


def examine_sequence(q: np.ndarray, y: np.ndarray, unit: np.ndarray | None) -> list[InputFinding]:
    """Return the sign that rows (N,) in the order of time are no independent ones, or units, codes (N,), are not."""
    codes = np.arange(q.size) if unit is None else unit
    if not (correlation := errors_in_sequence(q, y, codes)):
        return []
    rows, units = ("rows", "units") if unit is None else ("units", "larger units")
    sentence = f"{rows} next to each other in time err alike (correlation {correlation:.2f})"
    pass_units = f"so the interval is too short: pass {units}, such as days or weeks, as {argument('unit')}"
    return [InputFinding("unit", f"{sentence}, {pass_units}", code="alike_in_time")]


def _errors(q: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return labels (N,) minus their mean among similar predictions (N,)."""
    order = np.argsort(q, kind="stable")
    bin_of = np.empty(q.size, np.int64)
    bin_of[order] = np.arange(q.size) * RESIDUAL_BINS // q.size
    rows = np.bincount(bin_of, minlength=RESIDUAL_BINS)
    mean = np.bincount(bin_of, weights=y, minlength=RESIDUAL_BINS) / np.maximum(rows, 1)
    return y - mean[bin_of]
