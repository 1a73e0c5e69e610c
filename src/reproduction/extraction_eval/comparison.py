"""Estimates from two samples of the same cost next to the truth, as tables that people read."""

from __future__ import annotations

import numpy as np

from reproduction.extraction_eval import measures
from reproduction.extraction_eval.allocation import per_category
from reproduction.extraction_eval.codings import Codings
from reproduction.extraction_eval.drawn import drawn_leads, plan_leads
from reproduction.extraction_eval.estimates import Evaluation, machine_sample
from reproduction.extraction_eval.population import Population
from reproduction.extraction_eval.posterior import Posterior

_COMPARED = ("truth_share", "truth_given_answer", "answer_given_truth", "expected_level")


def summary_table(
    stratified: list[dict], random: list[dict], truth: list[dict], **annotators: list[dict]
) -> list[dict]:
    """Return a row for each measure of the whole: `truth`, and each sample's and annotator's estimate with its limits.

    Each argument has the rows of an `Evaluation.summary`. `truth` is the machine's; annotators are
    estimated from the leads of the stratified sample (section 4.3).
    """
    rows = []
    shown = {"stratified": stratified, "random": random, **annotators}
    for true, *estimates in zip(truth, *shown.values(), strict=True):
        row = {"measure": true["measure"], "truth": true["value"]}
        for name, estimate in zip(shown, estimates, strict=True):
            row |= {name: estimate["value"], f"{name}_low": estimate["low"], f"{name}_high": estimate["high"]}
        rows.append(row)
    return rows


def category_table(stratified: Evaluation, random: Evaluation, truth: Evaluation) -> list[dict]:
    """Return a row for each category of each measure: as `summary_table`, with how many leads have it in truth.

    `annotated_stratified` and `annotated_random` are how many of these each sample has.
    """
    rows = []
    for true, first, second in zip(truth.categories, stratified.categories, random.categories, strict=True):
        for measure in _COMPARED:
            row = {
                "measure": measure,
                "category": true["category"],
                "leads": true["annotated"],
                "annotated_stratified": first["annotated"],
                "annotated_random": second["annotated"],
                "truth": true[measure],
            }
            for name, estimate in (("stratified", first), ("random", second)):
                row |= {f"{name}{end}": estimate[f"{measure}{end}"] for end in ("", "_low", "_high")}
            rows.append(row)
    return sorted(rows, key=lambda row: _COMPARED.index(row["measure"]))


def actor_table(codings: Codings, truth: np.ndarray, *, k: int, samples: int, seed: int) -> list[dict]:
    """Return how well the system finds who acts: actors in the place of categories (Lowe & King, footnote 2).

    Parameters
    ----------
    codings : Codings
        Whose categories are actors.
    truth : np.ndarray
        int (N,): the true actor of each lead.
    k, samples, seed : int
        Leads annotated of each actor, draws of the posterior, and the seed of both.

    Returns
    -------
    list of dict
        A row for each actor and measure, P(T = i | M = i) and P(M = i | T = i): `measure`, `actor`, its `leads` in
        truth, the `annotated` ones among the sampled, the `truth`, and the estimate `stratified` with its limits.
    """
    size = len(codings.categories)
    drawn = drawn_leads(codings, plan_leads(codings, per_category(codings.sizes, k), seed))
    sample = machine_sample(drawn, dict(zip(codings.leads, truth.tolist(), strict=True)))
    posterior, population = Posterior(sample, samples=samples, seed=seed), Population.of(codings.machine, truth, size)
    leads, annotated = np.bincount(truth, minlength=size), np.bincount(sample.truth, sample.count, minlength=size)
    rows = []
    for measure in (measures.truth_given_answer, measures.answer_given_truth):
        for number, actor in enumerate(codings.categories):
            asked = measure(size, number, number)
            estimate = posterior.estimate(asked)
            rows.append(
                {
                    "measure": measure.__name__,
                    "actor": actor,
                    "leads": int(leads[number]),
                    "annotated": int(annotated[number]),
                    "truth": population.truth_of(asked),
                    "stratified": estimate.value,
                    "stratified_low": estimate.low,
                    "stratified_high": estimate.high,
                }
            )
    return rows
