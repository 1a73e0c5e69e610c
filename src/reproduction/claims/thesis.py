"""What sections 4.1.2 and 4.2.2 of the thesis claim about taggers, and whether a dataset's results bear it out.

The HMM is the one by maximum likelihood and the CRFs are those by AdaGrad, as the thesis trains them; what it says of
better templates is judged on the nested of the ablation. "Calibration score" is the mean squared error on one tag.
Where the thesis speaks of halves or prints scores, its root is judged: 0.019 and 0.035, the only ones, have the size of
roots.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from nlpcalib.io.typed_csv import read_columns
from reproduction.claims.verdicts import NOT_APPLICABLE, UNDECIDED, Claim, Row, judge_all, p_text, verdict
from reproduction.tagging.variants import ADVANCED_ADAGRAD, BASIC_ADAGRAD, HMM_MAP, HMM_ML

NEWS, TWEETS = "news", "tweets"
_MODELS = {
    **{"model": str, "target": str},
    **dict.fromkeys(("accuracy", "mse", "calibration_error", "refinement"), float),
}
_COMPARISONS = {"first": str, "second": str, "squared_second": float, "p_value": float}

_OFF_THE_DIAGONAL = 0.02
"""A curve that is off by less, root mean square bias-corrected, counts as "just slightly off"."""


@dataclass(frozen=True, slots=True)
class ThesisResults:
    """Tables of one dataset, as the workflow writes them."""

    models: Mapping[tuple[str, str], Row]
    """Rows of `ablation.csv` by model and target."""
    comparisons: Mapping[tuple[str, str], Row]
    """Rows of `ablation_comparisons.csv` by first and second model."""
    nested: Sequence[str]
    """Models of the ablation from CRF-Basic to CRF-Advanced."""
    genre: str
    """`news` stands for any treebank."""
    same_corpus: bool
    """Whether this is the thesis' corpus, so that its numbers, not only its patterns, are to be expected."""


def read_results(
    models: str | Path, comparisons: str | Path, *, nested: Sequence[str], genre: str, same_corpus: bool
) -> ThesisResults:
    """Read the tables of a dataset."""
    return ThesisResults(
        models={(row["model"], row["target"]): row for row in read_columns(models, _MODELS)},
        comparisons={(row["first"], row["second"]): row for row in read_columns(comparisons, _COMPARISONS)},
        nested=nested,
        genre=genre,
        same_corpus=same_corpus,
    )


def check_thesis(results: ThesisResults) -> list[dict]:
    """Return one row per claim about the genre; see `reproduction.claims.verdicts.judge_all`."""
    return judge_all(CLAIMS[results.genre], results)


def _number(results: ThesisResults, model: str, column: str) -> float:
    return results.models[model, "one_tag"][column]


def _p_value(results: ThesisResults, first: str, second: str) -> float:
    return results.comparisons[first, second]["p_value"]


def _lower_score(results: ThesisResults) -> tuple[str, str]:
    hmm, crf, by_map = (_number(results, model, "mse") for model in (HMM_ML, BASIC_ADAGRAD, HMM_MAP))
    p = _p_value(results, HMM_ML, BASIC_ADAGRAD)
    measured = f"HMM {hmm:.5f}, CRF {crf:.5f} ({crf / hmm:.2f} of it), {p_text(p)}; HMM by MAP {by_map:.5f}"
    return measured, UNDECIDED if math.isnan(p) and crf < hmm else verdict(crf < hmm and p < 0.05)


def _scores(results: ThesisResults) -> tuple[str, str]:
    mean_squares, roots = (
        [_number(results, model, column) for model in (BASIC_ADAGRAD, HMM_ML)]
        for column in ("mse", "calibration_error")
    )
    measured = "mean squares {:.4f} and {:.4f}, roots {:.3f} and {:.3f}".format(*mean_squares, *roots)
    near = all(abs(found - said) < 0.005 for found, said in zip(roots, (0.019, 0.035), strict=True))
    return measured, verdict(near) if results.same_corpus else NOT_APPLICABLE


def _more_refined(results: ThesisResults) -> tuple[str, str]:
    hmm, crf = (_number(results, model, "refinement") for model in (HMM_ML, BASIC_ADAGRAD))
    return f"variance left: HMM {hmm:.4f}, CRF {crf:.4f}", verdict(crf < hmm)


def _better_with_templates(column: str) -> Callable[[ThesisResults], tuple[str, str]]:
    def judge(results: ThesisResults) -> tuple[str, str]:
        values = [_number(results, variant, column) for variant in results.nested]
        better = sum(after < before for before, after in pairwise(values))
        measured = f"{values[0]:.2g} to {values[-1]:.2g}, less in {better} of {len(values) - 1} comparisons"
        return measured, verdict(values[-1] < values[0] and 2 * better > len(values) - 1)

    return judge


def _accuracy(said: float) -> Callable[[ThesisResults], tuple[str, str]]:
    def judge(results: ThesisResults) -> tuple[str, str]:
        adagrad, lbfgs = (_number(results, model, "accuracy") for model in (ADVANCED_ADAGRAD, results.nested[-1]))
        measured = f"{adagrad:.1%} by AdaGrad, {lbfgs:.1%} by L-BFGS"
        return measured, verdict(abs(adagrad - said) < 0.01) if results.same_corpus else NOT_APPLICABLE

    return judge


def _near_diagonal(results: ThesisResults) -> tuple[str, str]:
    error = _number(results, ADVANCED_ADAGRAD, "calibration_error")
    squared = results.comparisons[BASIC_ADAGRAD, ADVANCED_ADAGRAD]["squared_second"]
    excess = max(squared, 0.0) ** 0.5
    return f"off by {error:.4f}, bias-corrected {excess:.4f}", verdict(excess < _OFF_THE_DIAGONAL)


def _halved(first: str, second: str) -> Callable[[ThesisResults], tuple[str, str]]:
    def judge(results: ThesisResults) -> tuple[str, str]:
        before, after = (_number(results, model, "calibration_error") for model in (first, second))
        share, p = after / before, _p_value(results, first, second)
        measured = f"roots {before:.4f} to {after:.4f}: {share:.2f} of it (mean squares {share**2:.2f}), {p_text(p)}"
        return measured, verdict(1 / 3 < share < 2 / 3)

    return judge


CLAIMS = {
    NEWS: (
        Claim(
            "thesis 4.1.2, Figures 4.1, 4.2",
            "CRF-Basic attains a significantly lower MSE calibration score than the HMM",
            _lower_score,
        ),
        Claim("thesis 4.1.2", "The scores are 0.019 (CRF-Basic) and 0.035 (HMM) (here: roots, within 0.005)", _scores),
        Claim(
            "thesis 4.1.2, Figures 4.1, 4.2", "CRF-Basic's predictions are more refined than the HMM's", _more_refined
        ),
        Claim("thesis 4.1.2", "Better templates give more refined predictions", _better_with_templates("refinement")),
        Claim("thesis 4.1.2", "Better templates give better calibrated predictions", _better_with_templates("mse")),
        Claim("thesis 4.1.2", "A fully featurised CRF is 96 % accurate (here: within 1 point)", _accuracy(0.96)),
        Claim(
            "thesis 4.1.2, Figure 4.3",
            "Its calibration curve is just slightly off the diagonal (here: by less than .02)",
            _near_diagonal,
        ),
    ),
    TWEETS: (
        Claim(
            "thesis 4.2.2, Figures 4.4, 4.5",
            "CRF-Basic's miscalibration is about half the HMM's (here: 1/3 to 2/3 of its root)",
            _halved(HMM_ML, BASIC_ADAGRAD),
        ),
        Claim(
            "thesis 4.2.2, Figures 4.5, 4.6",
            "CRF-Advanced reduces it further by one half (here: to 1/3 to 2/3 of CRF-Basic's root)",
            _halved(BASIC_ADAGRAD, ADVANCED_ADAGRAD),
        ),
        Claim("thesis 4.2.2", "Similar patterns: CRF-Basic's predictions are more refined", _more_refined),
        Claim("thesis 4.2.2", "Similar patterns: better templates, more refined", _better_with_templates("refinement")),
        Claim("thesis 4.2.2", "Similar patterns: better templates, better calibrated", _better_with_templates("mse")),
        Claim("thesis 4.2.2", "CRF-Advanced is 87 % accurate (here: within 1 point)", _accuracy(0.87)),
        Claim(
            "thesis 4.2.2, Figure 4.6",
            "Its predictions are reliable nevertheless (here: the curve is off by less than .02)",
            _near_diagonal,
        ),
    ),
}
