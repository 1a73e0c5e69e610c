"""What sections 4.1.2 and 4.2.2 of the thesis claim about taggers, and whether a dataset's results bear it out.

The HMM is the one by maximum likelihood and the CRFs are those by AdaGrad, as the thesis trains them; what it says of
better templates is judged on the rungs of the ablation. "Calibration score" is the mean squared error on one tag.
Where the thesis speaks of halves, its root is judged: 0.019 and 0.035, the only scores that it prints, have the size
of roots.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from nlpcalib.tagging.claims import DIFFERS, NOT_APPLICABLE, REPRODUCED, Row
from nlpcalib.tagging.recipes import ADVANCED_ADAGRAD, BASIC_ADAGRAD, HMM_MAP, HMM_ML

NEWS, TWEETS = "news", "tweets"

_OFF_THE_DIAGONAL = 0.02
"""A curve that is off by less, root mean square without sampling noise, counts as "just slightly off"."""


@dataclass(frozen=True, slots=True)
class ThesisResults:
    """Tables of one dataset, as the workflow writes them."""

    models: Mapping[tuple[str, str], Row]
    """Rows of `ablation.csv` by model and query."""
    steps: Mapping[tuple[str, str], Row]
    """Rows of `ablation_steps.csv` by first and second model."""
    rungs: Sequence[str]
    """Models of the ablation from CRF-Basic to CRF-Advanced."""
    genre: str
    """`news` stands for any treebank."""
    same_corpus: bool
    """Whether this is the thesis' corpus, so that its numbers, not only its patterns, are to be expected."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the thesis, the genre it is about, and the rule by which it is judged."""

    place: str
    genre: str
    text: str
    judge: Callable[[ThesisResults], tuple[str, str]]
    """Returns what was measured and the verdict."""


def check_thesis(results: ThesisResults) -> list[dict]:
    """Return one row per claim about the genre: where it is made, what it says, what was measured, and the verdict."""
    rows = []
    for claim in CLAIMS:
        if claim.genre == results.genre:
            measured, verdict = claim.judge(results)
            rows.append({"place": claim.place, "claim": claim.text, "measured": measured, "verdict": verdict})
    return rows


def _verdict(holds: bool) -> str:
    return REPRODUCED if holds else DIFFERS


def _number(results: ThesisResults, model: str, column: str) -> float:
    return float(results.models[model, "one_tag"][column])


def _p_value(results: ThesisResults, first: str, second: str) -> float:
    return float(results.steps[first, second]["p_value"])


def _lower_score(results: ThesisResults) -> tuple[str, str]:
    hmm, crf, by_map = (_number(results, model, "mse") for model in (HMM_ML, BASIC_ADAGRAD, HMM_MAP))
    p = _p_value(results, HMM_ML, BASIC_ADAGRAD)
    measured = f"HMM {hmm:.5f}, CRF {crf:.5f} ({crf / hmm:.2f} of it), p = {p:.2g}; HMM by MAP {by_map:.5f}"
    return measured, _verdict(crf < hmm and p < 0.05)


def _scores(results: ThesisResults) -> tuple[str, str]:
    mean_squares, roots = (
        [_number(results, model, column) for model in (BASIC_ADAGRAD, HMM_ML)]
        for column in ("mse", "calibration_error")
    )
    measured = "mean squares {:.4f} and {:.4f}, roots {:.3f} and {:.3f}".format(*mean_squares, *roots)
    near = all(abs(found - said) < 0.005 for found, said in zip(mean_squares, (0.019, 0.035), strict=True))
    return measured, _verdict(near) if results.same_corpus else NOT_APPLICABLE


def _more_refined(results: ThesisResults) -> tuple[str, str]:
    hmm, crf = (_number(results, model, "refinement") for model in (HMM_ML, BASIC_ADAGRAD))
    return f"variance left: HMM {hmm:.4f}, CRF {crf:.4f}", _verdict(crf < hmm)


def _better_with_templates(column: str) -> Callable[[ThesisResults], tuple[str, str]]:
    def judge(results: ThesisResults) -> tuple[str, str]:
        values = [_number(results, rung, column) for rung in results.rungs]
        better = sum(after < before for before, after in pairwise(values))
        measured = f"{values[0]:.2g} to {values[-1]:.2g}, less in {better} of {len(values) - 1} steps"
        return measured, _verdict(values[-1] < values[0] and 2 * better > len(values) - 1)

    return judge


def _accuracy(said: float) -> Callable[[ThesisResults], tuple[str, str]]:
    def judge(results: ThesisResults) -> tuple[str, str]:
        adagrad, lbfgs = (_number(results, model, "accuracy") for model in (ADVANCED_ADAGRAD, results.rungs[-1]))
        measured = f"{adagrad:.1%} by AdaGrad, {lbfgs:.1%} by L-BFGS"
        return measured, _verdict(abs(adagrad - said) < 0.01) if results.same_corpus else NOT_APPLICABLE

    return judge


def _near_diagonal(results: ThesisResults) -> tuple[str, str]:
    error = _number(results, ADVANCED_ADAGRAD, "calibration_error")
    squared = float(results.steps[BASIC_ADAGRAD, ADVANCED_ADAGRAD]["squared_second"])
    excess = max(squared, 0.0) ** 0.5
    return f"off by {error:.4f}, without sampling noise {excess:.4f}", _verdict(excess < _OFF_THE_DIAGONAL)


def _halved(first: str, second: str) -> Callable[[ThesisResults], tuple[str, str]]:
    def judge(results: ThesisResults) -> tuple[str, str]:
        before, after = (_number(results, model, "calibration_error") for model in (first, second))
        share, p = after / before, _p_value(results, first, second)
        measured = f"roots {before:.4f} to {after:.4f}: {share:.2f} of it (mean squares {share**2:.2f}), p = {p:.2g}"
        return measured, _verdict(1 / 3 < share < 2 / 3)

    return judge


CLAIMS = (
    Claim(
        "thesis 4.1.2, Figures 4.1, 4.2",
        NEWS,
        "CRF-Basic attains a significantly lower MSE calibration score than the HMM",
        _lower_score,
    ),
    Claim("thesis 4.1.2", NEWS, "The scores are 0.019 (CRF-Basic) and 0.035 (HMM)", _scores),
    Claim(
        "thesis 4.1.2, Figures 4.1, 4.2", NEWS, "CRF-Basic's predictions are more refined than the HMM's", _more_refined
    ),
    Claim("thesis 4.1.2", NEWS, "Better templates give more refined predictions", _better_with_templates("refinement")),
    Claim("thesis 4.1.2", NEWS, "Better templates give better calibrated predictions", _better_with_templates("mse")),
    Claim("thesis 4.1.2", NEWS, "A fully featurised CRF is 96 % accurate (here: within 1 point)", _accuracy(0.96)),
    Claim(
        "thesis 4.1.2, Figure 4.3",
        NEWS,
        "Its calibration curve is just slightly off the diagonal (here: by less than .02)",
        _near_diagonal,
    ),
    Claim(
        "thesis 4.2.2, Figures 4.4, 4.5",
        TWEETS,
        "CRF-Basic's miscalibration is about half the HMM's (here: 1/3 to 2/3 of its root)",
        _halved(HMM_ML, BASIC_ADAGRAD),
    ),
    Claim(
        "thesis 4.2.2, Figures 4.5, 4.6",
        TWEETS,
        "CRF-Advanced reduces it further by one half (here: to 1/3 to 2/3 of CRF-Basic's root)",
        _halved(BASIC_ADAGRAD, ADVANCED_ADAGRAD),
    ),
    Claim("thesis 4.2.2", TWEETS, "Similar patterns: CRF-Basic's predictions are more refined", _more_refined),
    Claim(
        "thesis 4.2.2", TWEETS, "Similar patterns: better templates, more refined", _better_with_templates("refinement")
    ),
    Claim(
        "thesis 4.2.2", TWEETS, "Similar patterns: better templates, better calibrated", _better_with_templates("mse")
    ),
    Claim("thesis 4.2.2", TWEETS, "CRF-Advanced is 87 % accurate (here: within 1 point)", _accuracy(0.87)),
    Claim(
        "thesis 4.2.2, Figure 4.6",
        TWEETS,
        "Its predictions are reliable nevertheless (here: the curve is off by less than .02)",
        _near_diagonal,
    ),
)
