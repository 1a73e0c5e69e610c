"""A system, and people who annotate like one, evaluated as estimators of the true category (Lowe & King, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlpcalib.errors import InputError, some
from nlpcalib.seeding import generator
from reproduction.extraction_eval import measures
from reproduction.extraction_eval.drawn import DrawnLeads
from reproduction.extraction_eval.lead_counts import LeadCounts
from reproduction.extraction_eval.posterior import MeasureEstimate, Posterior
from reproduction.extraction_eval.scale import Scale

SIMULATED = {"U1": 0.05, "U2": 0.1, "U3": 0.2}
"""Simulated annotators, and the share of leads that each gets wrong."""


@dataclass(frozen=True)
class Evaluation:
    """What is estimated of one system or annotator, as tables; see `evaluate`."""

    summary: list[dict]
    """A row for each measure of the whole: `measure`, `value`, `low`, `high`."""
    categories: list[dict]
    """A row for each category."""
    joint: list[dict]
    """A row for each pair of an answer and a truth that was annotated or lies on the diagonal."""


def machine_sample(drawn: DrawnLeads, truth: Mapping[str, int]) -> LeadCounts:
    """Return the sample that shows the machine: its answers and the truth of the plan's leads.

    A random plan has one stratum; else the strata are the machine's categories.
    """
    stratum = np.array(list(drawn.stratum.values()))
    return _sample(drawn, stratum, _labels(drawn, truth), by_answer=drawn.stratified)


def annotator_sample(
    drawn: DrawnLeads, labels: Mapping[str, float | None], truth: Mapping[str, float | None]
) -> LeadCounts:
    """Return the sample that shows an annotator, from P(U, T) within each of the machine's categories (section 4.3).

    With the labels of another annotator in place of the truth, it shows how the two agree. Leads with an open label
    of one of them are left out.
    """
    return _sample(drawn, _labels(drawn, labels), _labels(drawn, truth), by_answer=False)


def simulated_labels(truth: Mapping[str, int], categories: int, seed: int) -> dict[str, dict[str, int]]:
    """Return the labels of the SIMULATED annotators, by name: where one errs, each other category is as likely.

    `truth` has the true category of each lead, from 0 to `categories` - 1.
    """
    labels = {}
    for name, rate in SIMULATED.items():
        rng = generator(seed, "extraction_eval", "annotator", name)
        moved = (rng.random(len(truth)) < rate) * rng.integers(1, categories, len(truth))
        labels[name] = {
            lead: int(label + move) % categories for (lead, label), move in zip(truth.items(), moved, strict=True)
        }
    return labels


def _sample(drawn: DrawnLeads, answer: np.ndarray, truth: np.ndarray, *, by_answer: bool) -> LeadCounts:
    sizes = np.array(drawn.sizes)
    stratum = np.array(list(drawn.stratum.values()))
    if not drawn.stratified:
        sizes, stratum = sizes.sum(keepdims=True), np.zeros_like(stratum)
    told = (answer >= 0) & (truth >= 0)
    return LeadCounts.of(sizes, stratum[told], answer[told], truth[told], drawn.categories, by_answer=by_answer)


def _labels(drawn: DrawnLeads, labels: Mapping[str, float | None]) -> np.ndarray:
    """Return the labels of the plan's leads, in its order; -1 for "cannot tell"."""
    missing = [lead for lead in drawn.stratum if lead not in labels]
    if missing:
        raise InputError(f"sample: found no label for {some(missing)}, expected one for each lead of the plan")
    return np.array([-1 if (label := labels[lead]) is None else label for lead in drawn.stratum])


def evaluate(
    sample: LeadCounts, scale: Scale, *, samples: int, seed: int, importance: Mapping[str, float] | None = None
) -> Evaluation:
    """Estimate everything of a system or annotator, each number with its interval.

    Parameters
    ----------
    sample : LeadCounts
        Of `machine_sample` or `annotator_sample`; its categories are those of `scale`.
    scale : Scale
        Categories and their levels of conflict or cooperation.
    samples, seed : int
        Draws of the posterior and their seed.
    importance : mapping, optional
        How much it matters that each category is extracted, for `weighted_rate`; categories without count nothing. By
        default all but `none` count the same.

    Returns
    -------
    Evaluation
        `summary`: `correct`, `correct_events`, `weighted_rate`, `mean_level` (of the truth), `mean_answered_level`
        (of the answers) with `mean_error` and `mean_square_error` over leads with both.
        `categories`: `category`, `level` G, `annotated` leads with this truth, `answers`, those with this answer; then,
        each with `_low` and `_high`, `answer_share` P(M), `truth_share` P(T), `truth_given_answer` and
        `answer_given_truth` (M = T = i), `expected_level` g, `bias` g − G, `variance` and `mean_square_error` on the
        scale.
        `joint`: `answer`, `truth`, `annotated` leads, then likewise `both`, `truth_given_answer`,
        `answer_given_truth`.
        None stands where a number is not defined: see `MeasureEstimate`.
    """
    size = len(scale.categories)
    if size != sample.categories or sample.names not in (None, scale.categories):
        found = f"the categories {', '.join(sample.names)}" if sample.names else f"{sample.categories} categories"
        raise InputError(f"evaluate: found {found}, expected those of the scale: {', '.join(scale.categories)}")
    posterior = Posterior(sample, samples=samples, seed=seed)
    by_importance = None if importance is None else _importance(scale, importance)
    annotated = np.zeros((size, size), dtype=np.int64)
    np.add.at(annotated, (sample.answer, sample.truth), sample.count)
    categories = [_category_row(posterior, scale, number, annotated) for number in range(size)]
    joint = [
        {
            "answer": scale.categories[answer],
            "truth": scale.categories[truth],
            "annotated": int(annotated[answer, truth]),
            **_columns("both", posterior.estimate(measures.both(size, answer, truth))),
            **_columns("truth_given_answer", posterior.estimate(measures.truth_given_answer(size, answer, truth))),
            **_columns("answer_given_truth", posterior.estimate(measures.answer_given_truth(size, answer, truth))),
        }
        for answer in range(size)
        for truth in range(size)
        if answer == truth or annotated[answer, truth]
    ]
    return Evaluation(whole_rows(posterior, scale, by_importance), categories, joint)


def whole_rows(posterior: Posterior, scale: Scale, importance: np.ndarray | None = None) -> list[dict]:
    """Return the `summary` of `evaluate`; `importance`, (C,), has a weight for each category, 0 for `none`."""
    size, weights = len(scale.categories), scale.weights
    if importance is None:
        importance = np.array([0.0] + [1.0] * (size - 1))
    whole: dict[str, measures.Estimand] = {
        "correct": measures.correct(size),
        "correct_events": measures.correct_events(size),
        "weighted_rate": measures.weighted_rate(importance),
        "mean_level": measures.mean_level(weights),
        "mean_answered_level": measures.mean_answered_level(weights),
        "mean_error": measures.mean_error(weights),
        "mean_square_error": measures.mean_error(weights, power=2),
    }
    return [{"measure": name, **_columns("value", posterior.estimate(each))} for name, each in whole.items()]


def agreement(
    drawn: DrawnLeads, annotators: Mapping[str, Mapping[str, float | None]], *, samples: int, seed: int
) -> list[dict]:
    """Return how far each two annotators agree on the population, not on the sample, where rare categories abound.

    Returns
    -------
    list of dict
        `first`, `second`, `leads` both annotated, the share `agreed` and Cohen's `kappa`, each with `_low` and `_high`.
    """
    rows = []
    for first, second in combinations(annotators, 2):
        sample = annotator_sample(drawn, annotators[first], annotators[second])
        posterior = Posterior(sample, samples=samples, seed=seed)
        rows.append(
            {
                "first": first,
                "second": second,
                "leads": int(sample.count.sum()),
                **_columns("agreed", posterior.estimate(measures.correct(sample.categories))),
                **_columns("kappa", posterior.estimate(measures.kappa())),
            }
        )
    return rows


def _category_row(posterior: Posterior, scale: Scale, number: int, annotated: np.ndarray) -> dict:
    size, weights = len(scale.categories), scale.weights
    row = {
        "category": scale.categories[number],
        "level": float(weights[number]) if number else None,
        "annotated": int(annotated[:, number].sum()),
        "answers": int(annotated[number].sum()),
        **_columns("answer_share", posterior.estimate(measures.answer_share(size, number))),
        **_columns("truth_share", posterior.estimate(measures.truth_share(size, number))),
        **_columns("truth_given_answer", posterior.estimate(measures.truth_given_answer(size, number, number))),
        **_columns("answer_given_truth", posterior.estimate(measures.answer_given_truth(size, number, number))),
    }
    nothing = MeasureEstimate(None, None, None)
    level = bias = variance = square = nothing
    if number:
        level = posterior.estimate(measures.expected_level(weights, number))
        bias = MeasureEstimate(*(None if each is None else each - float(weights[number]) for each in
                          (level.value, level.low, level.high)))  # fmt: skip
        variance = posterior.estimate(measures.LevelVariance(weights, number))
        square = posterior.estimate(measures.mean_square_error(weights, number))
    for name, estimate in (
        ("expected_level", level),
        ("bias", bias),
        ("variance", variance),
        ("mean_square_error", square),
    ):
        row |= _columns(name, estimate)
    return row


def _importance(scale: Scale, importance: Mapping[str, float]) -> np.ndarray:
    unknown = [category for category in importance if category not in scale.categories]
    if unknown:
        raise InputError(f"importance: found the category {unknown[0]!r}, expected one of the scale")
    made = np.array([float(importance.get(category, 0.0)) for category in scale.categories])
    if not (made >= 0).all() or not 0 < made.sum() < np.inf:
        raise InputError("importance: found weights that are negative, infinite or all 0, expected some above 0")
    return made


def _columns(name: str, estimate: MeasureEstimate) -> dict[str, float | None]:
    prefix = "" if name == "value" else f"{name}_"
    return {name: estimate.value, f"{prefix}low": estimate.low, f"{prefix}high": estimate.high}
