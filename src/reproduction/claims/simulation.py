"""What section 4.3 of the thesis claims about synthetic pairs.

There is a table for each distribution of predictions, that of the figures first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_type_hints

import numpy as np
from scipy import optimize, stats

from reproduction.claims.verdicts import Finding, Judged, ResultRow, Results, exactly
from reproduction.simulation.synthetic import DOUBLED, GROWING, STEPPED, ScoreRow

TABLES: Mapping[str, Mapping[str, Any]] = {}
SCORE_COLUMNS = get_type_hints(ScoreRow)
"""Types of the columns of every table of this chapter, whatever its name."""
_MAX_ROUNDING_RISE = 1e-12
"""Relative rise of a score that another order of summation may make."""


Column = Literal["score", "expected", "bin_error", "truth", "bin_size", "pairs"]


def _column(rows: Sequence[ResultRow], column: Column, *, varied: str, predictor: str) -> np.ndarray:
    return np.array([row[column] for row in rows if (row["varied"], row["predictor"]) == (varied, predictor)])


def _of_figures(results: Results, column: Column, varied: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a column for calibrated and for distorted predictions of the figures' distribution."""
    rows = results.rows(next(iter(results.tables)))
    calibrated, distorted = (
        _column(rows, column, varied=varied, predictor=predictor) for predictor in ("calibrated", "distorted")
    )
    return calibrated, distorted


def doubling(results: Results) -> Finding:
    studies = [results.rows(table) for table in results.tables]
    series = [
        _column(rows, "score", varied=DOUBLED, predictor=predictor)
        for rows in studies
        for predictor in ("calibrated", "distorted")
    ]
    rises = sum(after > before * (1 + _MAX_ROUNDING_RISE) for scores in series for before, after in pairwise(scores))
    measured = f"it rises in {rises} of {sum(scores.size - 1 for scores in series)} doublings of {len(studies)}"
    return Finding(f"{measured} distributions, calibrated and distorted", (exactly(rises, most=1),))


def trend(results: Results) -> Finding:
    scores, _ = _of_figures(results, "score", STEPPED)
    rises = int(np.count_nonzero(np.diff(scores) > 0))
    correlation = float(stats.spearmanr(np.arange(scores.size), scores).statistic)
    measured = f"it rises in {rises} of {scores.size - 1} steps, rank correlation with bin size {correlation:.2f}"
    return Finding(measured, (exactly(rises, least=0), Judged(correlation, most=-0.5)))


def unpredictable(results: Results) -> Finding:
    scores = _of_figures(results, "score", STEPPED)
    calibrated, distorted = (_departure(values) for values in scores)
    expected = _of_figures(results, "expected", STEPPED)[1]
    explained = 1 - np.var(scores[1] - expected) / np.var(scores[1])
    measured = (
        f"off the nearest falling curve by {calibrated:.1%} of its range (calibrated) and {distorted:.1%} (distorted), "
        f"where the expected score explains {explained:.1%} of the variance"
    )
    return Finding(measured, (Judged(distorted - 2 * calibrated, least=0.0),))


def _departure(scores: np.ndarray) -> float:
    """Return how far scores are off the nearest falling curve, root mean square, as a share of their range."""
    nearest = optimize.isotonic_regression(scores, increasing=False).x
    return float(np.sqrt(np.mean((scores - nearest) ** 2)) / np.ptp(scores))


def to_zero(results: Results) -> Finding:
    scores, _ = _of_figures(results, "score", GROWING)
    sizes, _ = _of_figures(results, "pairs", GROWING)
    line = stats.linregress(np.log(sizes), np.log(scores))
    slope, margin = float(line.slope), float(line.stderr * stats.t.ppf(0.975, sizes.size - 2))
    measured = f"{scores[0]:.5f} at {sizes[0]:,.0f} pairs, {scores[-1]:.5f} at {sizes[-1]:,.0f}; as n^{slope:.2f}"
    return Finding(f"{measured}, by theory n^-0.5", (Judged(slope, slope - margin, slope + margin, most=-0.25),))


def weakly(results: Results) -> Finding:
    falls = []
    for scores, expected in zip(
        _of_figures(results, "score", GROWING), _of_figures(results, "expected", GROWING), strict=True
    ):
        falls.append((expected[0] - expected[-1]) / np.std(scores - expected))
    truth = _of_figures(results, "truth", GROWING)[1][0]
    first, last = _of_figures(results, "expected", GROWING)[1][[0, -1]]
    measured = (
        f"expected {first:.5f} to {last:.5f} (truth {truth:.5f}), a fall of {falls[1]:.1f} standard deviations of "
        f"the points around it; calibrated {falls[0]:.1f}"
    )
    return Finding(measured, (Judged(falls[1], least=0.0, most=falls[0]),))
