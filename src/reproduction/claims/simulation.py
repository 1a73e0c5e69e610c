"""What section 4.3 of the thesis claims about synthetic pairs.

There is a table for each distribution of predictions, that of the figures first. A claim about the shape of a curve is
judged by its mean over further sets of labels for the same predictions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_type_hints

import numpy as np
from scipy import optimize, stats

from reproduction.claims.verdicts import Finding, Judged, ResultRow, Results, exactly, mean_of
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


def _redrawn(results: Results, varied: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of R further sets of labels, (R, points), for calibrated and for distorted predictions."""
    rows = results.rows(next(iter(results.tables)))
    calibrated, distorted = (
        np.array([row["redrawn"].split() for row in rows if (row["varied"], row["predictor"]) == (varied, predictor)])
        for predictor in ("calibrated", "distorted")
    )
    return calibrated.astype(np.float64).T, distorted.astype(np.float64).T


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
    redrawn = mean_of([_rank_correlation(each) for each in _redrawn(results, STEPPED)[0]], most=-0.5)
    measured = (
        f"it rises in {rises} of {scores.size - 1} steps, rank correlation with bin size "
        f"{_rank_correlation(scores):.2f}, {redrawn.value:.2f} on average with other labels"
    )
    return Finding(measured, (redrawn, exactly(rises, least=0)))


def _rank_correlation(scores: np.ndarray) -> float:
    """Return Spearman's correlation of scores with their place."""
    return float(stats.spearmanr(np.arange(scores.size), scores).statistic)


def unpredictable(results: Results) -> Finding:
    scores = _of_figures(results, "score", STEPPED)
    calibrated, distorted = (_departure(values) for values in scores)
    expected = _of_figures(results, "expected", STEPPED)[1]
    explained = 1 - np.var(scores[1] - expected) / np.var(scores[1])
    measured = (
        f"off the nearest falling curve by {calibrated:.1%} of its range (calibrated) and {distorted:.1%} (distorted), "
        f"where the expected score explains {explained:.1%} of the variance"
    )
    further = [_departure(two) - 2 * _departure(one) for one, two in zip(*_redrawn(results, STEPPED), strict=True)]
    return Finding(measured, (mean_of(further, least=0.0),))


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
    calibrated, distorted = zip(
        _of_figures(results, "score", GROWING),
        _of_figures(results, "expected", GROWING),
        _redrawn(results, GROWING),
        strict=True,
    )
    (drawn, further), (drawn_distorted, further_distorted) = (
        (_fall(expected, scores), np.array([_fall(expected, each) for each in redrawn]))
        for scores, expected, redrawn in (calibrated, distorted)
    )
    truth = _of_figures(results, "truth", GROWING)[1][0]
    first, last = distorted[1][[0, -1]]
    measured = (
        f"expected {first:.5f} to {last:.5f} (truth {truth:.5f}), a fall of {drawn_distorted:.1f} standard deviations "
        f"of the points around it; calibrated {drawn:.1f}"
    )
    return Finding(measured, (mean_of(further_distorted - further, most=0.0), exactly(first - last, least=0.0)))


def _fall(expected: np.ndarray, scores: np.ndarray) -> float:
    """Return how far the expected score falls, in standard deviations of the scores around it."""
    return float((expected[0] - expected[-1]) / np.std(scores - expected))
