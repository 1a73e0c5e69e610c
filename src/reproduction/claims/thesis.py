"""What sections 4.1.2 and 4.2.2 of the thesis claim about taggers.

The HMM is the one by maximum likelihood and the CRFs are those by AdaGrad, as the thesis trains them. What it claims of
better templates is judged on the nested models of the ablation. "Calibration score" is the mean squared error on one
tag. Where the thesis speaks of halves or prints scores, its root is judged: 0.019 and 0.035, the only ones, have the
size of roots.

Facts: `nested`, the models of the ablation from CRF-Basic to CRF-Advanced; `same_corpus`, whether this is the thesis'
corpus, whose numbers are to be expected.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from reproduction.claims.verdicts import (
    CalibrationError,
    Finding,
    Judged,
    Results,
    Unclear,
    below,
    near_accuracy,
    p_text,
    positive_by_test,
    within,
)
from reproduction.tagging.variants import ADVANCED_ADAGRAD, BASIC_ADAGRAD, HMM_MAP, HMM_ML

TABLES: Mapping[str, Mapping[str, Any]] = {
    "ablation": {
        **{"model": str, "target": str, "bin_size": int, "test_tokens": int},
        **dict.fromkeys(("accuracy", "mse", "published_error", "error", "refinement"), float),
        **dict.fromkeys(("mse_low", "mse_high", "error_low", "error_high"), float | None),
    },
    "ablation_comparisons": {
        **{"first": str, "second": str},
        **dict.fromkeys(("squared_first", "squared_second", "p_value"), float),
        **dict.fromkeys(("refinement_difference", "refinement_low", "refinement_high"), float),
    },
}

_OFF_THE_DIAGONAL = 0.02
"""A curve that is off by less, root mean square bias-corrected, counts as "just slightly off"."""


def _number(results: Results, model: str, column: str) -> float:
    return results.row("ablation", model=model, target="one_tag")[column]


def _fall(results: Results, first: str, second: str) -> tuple[float, Judged]:
    """Return the p-value of a test by resampled units, and by how much the second's squared error is lower."""
    row = results.row("ablation_comparisons", first=first, second=second)
    return row["p_value"], positive_by_test(row["squared_first"] - row["squared_second"], row["p_value"])


def _refined(results: Results, first: str, second: str) -> Finding:
    row = results.row("ablation_comparisons", first=first, second=second)
    before, after = (_number(results, model, "refinement") for model in (first, second))
    value, low, high = (row[f"refinement_{end}"] for end in ("difference", "low", "high"))
    difference = Judged(value, low, high, most=0.0)
    return Finding(f"variance left: {before:.4f} to {after:.4f}", (difference,))


def lower_score(results: Results) -> Finding | Unclear:
    hmm, crf, by_map = (_number(results, model, "mse") for model in (HMM_ML, BASIC_ADAGRAD, HMM_MAP))
    p, fall = _fall(results, HMM_ML, BASIC_ADAGRAD)
    measured = f"HMM {hmm:.5f}, CRF {crf:.5f} ({crf / hmm:.2f} of it), {p_text(p)}; HMM by MAP {by_map:.5f}"
    return Unclear(measured) if math.isnan(p) else Finding(measured, (fall,))


def scores(results: Results) -> Finding:
    squares = [_mean_square(results, model) for model in (BASIC_ADAGRAD, HMM_ML)]
    roots = [(each.value**0.5, max(each.low, 0.0) ** 0.5, each.high**0.5) for each in squares]
    measured = "mean squares {:.4f} and {:.4f}, ".format(*(each.value for each in squares))
    measured += "roots {:.3f} and {:.3f}".format(*(root for root, *_ in roots))
    near = tuple(
        Judged(root, low, high, said - 0.005, said + 0.005)
        for (root, low, high), said in zip(roots, (0.019, 0.035), strict=True)
    )
    return Finding(measured, near if results.facts["same_corpus"] else ())


def _mean_square(results: Results, model: str) -> CalibrationError:
    row = results.row("ablation", model=model, target="one_tag")
    return CalibrationError.of(row, "mse", "mse_low", "mse_high", bin_size=row["bin_size"])


def more_refined(results: Results) -> Finding:
    return _refined(results, HMM_ML, BASIC_ADAGRAD)


def templates_refine(results: Results) -> Finding:
    """Judge by the CRF with all templates against the one with the word alone."""
    return _refined(results, results.facts["nested"][0], results.facts["nested"][-1])


def templates_calibrate(results: Results) -> Finding | Unclear:
    """Judge likewise; the words count the templates that help."""
    nested = results.facts["nested"]
    values = [_number(results, variant, "mse") for variant in nested]
    p, fall = _fall(results, nested[0], nested[-1])
    better = sum(after < before for before, after in pairwise(values))
    measured = f"{values[0]:.2g} to {values[-1]:.2g}, {p_text(p)}, less in {better} of {len(values) - 1} steps"
    return Unclear(measured) if math.isnan(p) else Finding(measured, (fall,))


def accuracy_96(results: Results) -> Finding:
    return _accuracy(results, 0.96)


def accuracy_87(results: Results) -> Finding:
    return _accuracy(results, 0.87)


def _accuracy(results: Results, published: float) -> Finding:
    adagrad, lbfgs = (
        results.row("ablation", model=model, target="one_tag")
        for model in (ADVANCED_ADAGRAD, results.facts["nested"][-1])
    )
    measured = f"{adagrad['accuracy']:.1%} by AdaGrad, {lbfgs['accuracy']:.1%} by L-BFGS"
    return Finding(measured, (near_accuracy(adagrad, published),) if results.facts["same_corpus"] else ())


def near_diagonal(results: Results) -> Finding:
    row = results.row("ablation", model=ADVANCED_ADAGRAD, target="one_tag")
    error = CalibrationError.bias_corrected(row)
    measured = f"off by {row['published_error']:.4f}, bias-corrected {error.value:.4f} (at most {error.high:.4f})"
    return Finding(measured, (within(error, _OFF_THE_DIAGONAL),))


def basic_halves_hmm(results: Results) -> Finding:
    return _halved(results, HMM_ML, BASIC_ADAGRAD)


def advanced_halves_basic(results: Results) -> Finding:
    return _halved(results, BASIC_ADAGRAD, ADVANCED_ADAGRAD)


def _halved(results: Results, first: str, second: str) -> Finding:
    before, after = (_mean_square(results, model) for model in (first, second))
    (p, _), squared = _fall(results, first, second), after.value / before.value
    measured = f"roots {before.value**0.5:.4f} to {after.value**0.5:.4f}: {squared**0.5:.2f} of it"
    measured += f" (mean squares {squared:.2f}), {p_text(p)}"
    return Finding(measured, (below(before, after, 4**2), below(after, before, (3 / 4) ** 2)))
