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
    p_text,
    significant,
    within,
)
from reproduction.tagging.variants import ADVANCED_ADAGRAD, BASIC_ADAGRAD, HMM_MAP, HMM_ML

TABLES: Mapping[str, Mapping[str, Any]] = {
    "ablation": {
        **{"model": str, "target": str, "bin_size": int},
        **dict.fromkeys(("accuracy", "mse", "published_error", "error", "refinement"), float),
        **dict.fromkeys(("mse_low", "mse_high", "error_low", "error_high"), float | None),
    },
    "ablation_comparisons": {
        **{"first": str, "second": str, "p_value": float},
        **dict.fromkeys(("refinement_difference", "refinement_low", "refinement_high"), float),
    },
}

_OFF_THE_DIAGONAL = 0.02
"""A curve that is off by less, root mean square bias-corrected, counts as "just slightly off"."""


def _number(results: Results, model: str, column: str) -> float:
    return results.row("ablation", model=model, target="one_tag")[column]


def _p_value(results: Results, first: str, second: str) -> float:
    return results.row("ablation_comparisons", first=first, second=second)["p_value"]


def lower_score(results: Results) -> Finding | Unclear:
    hmm, crf, by_map = (_number(results, model, "mse") for model in (HMM_ML, BASIC_ADAGRAD, HMM_MAP))
    p = _p_value(results, HMM_ML, BASIC_ADAGRAD)
    measured = f"HMM {hmm:.5f}, CRF {crf:.5f} ({crf / hmm:.2f} of it), {p_text(p)}; HMM by MAP {by_map:.5f}"
    if math.isnan(p) and crf < hmm:
        return Unclear(measured)
    return Finding(measured, (significant(p),) if crf < hmm else (Judged(crf - hmm, most=0.0),))


def scores(results: Results) -> Finding:
    mean_squares, roots = (
        [_number(results, model, column) for model in (BASIC_ADAGRAD, HMM_ML)] for column in ("mse", "published_error")
    )
    measured = "mean squares {:.4f} and {:.4f}, roots {:.3f} and {:.3f}".format(*mean_squares, *roots)
    near = tuple(
        Judged(found, least=said - 0.005, most=said + 0.005) for found, said in zip(roots, (0.019, 0.035), strict=True)
    )
    return Finding(measured, near if results.facts["same_corpus"] else ())


def more_refined(results: Results) -> Finding:
    hmm, crf = (_number(results, model, "refinement") for model in (HMM_ML, BASIC_ADAGRAD))
    row = results.row("ablation_comparisons", first=HMM_ML, second=BASIC_ADAGRAD)
    value, low, high = (row[f"refinement_{end}"] for end in ("difference", "low", "high"))
    difference = Judged(value, low, high, most=0.0)
    return Finding(f"variance left: HMM {hmm:.4f}, CRF {crf:.4f}", (difference,))


def templates_refine(results: Results) -> Finding:
    return _better_with_templates(results, "refinement")


def templates_calibrate(results: Results) -> Finding:
    return _better_with_templates(results, "mse")


def _better_with_templates(results: Results, column: str) -> Finding:
    values = [_number(results, variant, column) for variant in results.facts["nested"]]
    better = sum(after < before for before, after in pairwise(values))
    measured = f"{values[0]:.2g} to {values[-1]:.2g}, less in {better} of {len(values) - 1} comparisons"
    fewer = Judged(better / (len(values) - 1), least=0.5)
    return Finding(measured, (Judged(values[-1] - values[0], most=0.0), fewer))


def accuracy_96(results: Results) -> Finding:
    return _accuracy(results, 0.96)


def accuracy_87(results: Results) -> Finding:
    return _accuracy(results, 0.87)


def _accuracy(results: Results, published: float) -> Finding:
    models = (ADVANCED_ADAGRAD, results.facts["nested"][-1])
    adagrad, lbfgs = (_number(results, model, "accuracy") for model in models)
    near = (Judged(adagrad, least=published - 0.01, most=published + 0.01),)
    measured = f"{adagrad:.1%} by AdaGrad, {lbfgs:.1%} by L-BFGS"
    return Finding(measured, near if results.facts["same_corpus"] else ())


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
    rows = [results.row("ablation", model=model, target="one_tag") for model in (first, second)]
    before, after = (CalibrationError.of(row, "mse", "mse_low", "mse_high", bin_size=row["bin_size"]) for row in rows)
    squared, p = after / before, _p_value(results, first, second)
    left, low, high = (each**0.5 for each in (squared.value, squared.low, squared.high))
    measured = (
        f"roots {before.value**0.5:.4f} to {after.value**0.5:.4f}: {left:.2f} of it ({low:.2f} to {high:.2f}; mean "
        f"squares {squared.value:.2f}), {p_text(p)}"
    )
    return Finding(measured, (Judged(left, low, high, 1 / 3, 2 / 3),))
