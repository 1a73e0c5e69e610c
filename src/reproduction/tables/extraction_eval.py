"""Tables of what an extraction system is worth: next to the truth, over repeated samples, and next to annotators."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from nlpcalib.io.files import read_csv
from nlpcalib.sampling.plan import read_plan
from reproduction.extraction_eval.allocation import per_category
from reproduction.extraction_eval.codings import read_codings
from reproduction.extraction_eval.comparison import actor_table, category_table, summary_table
from reproduction.extraction_eval.drawn import drawn_leads, plan_random_leads
from reproduction.extraction_eval.estimates import (
    agreement,
    annotator_sample,
    evaluate,
    machine_sample,
    simulated_labels,
    whole_rows,
)
from reproduction.extraction_eval.population import Population, simulated_population, true_labels
from reproduction.extraction_eval.posterior import Posterior
from reproduction.extraction_eval.scale import NONE, read_scale
from reproduction.extraction_eval.sheet import read_settled, read_sheet, settle
from reproduction.extraction_eval.study import (
    measure_coverage_rows,
    naive_rows,
    named,
    rare_measures,
    reported_measures,
    saving_rows,
    typical_categories,
)
from reproduction.workflow.table_files import TitledRows

_SAMPLES_OF_200_CATEGORIES = 50
"""Samples of the simulated population, whose 200 categories take a second each."""


def evaluate_leads(
    codings: str, plan: str, scale: str, truth: Sequence[str], *, k: int, samples: int, seed: int
) -> tuple[list[TitledRows], list[Mapping]]:
    """Return estimates of the whole, by category and by actor, and the evaluations that they show.

    Evaluations are from the plan's leads, from as many random ones and from all; the table of actors from `k` leads of
    each. The truth, known here, takes the place of people who annotate. Three simulated ones are evaluated as the
    machine is. `samples` are the draws of each posterior.
    """
    weights = read_scale(scale)
    coded = read_codings(codings, weights.categories)
    drawn = drawn_leads(coded, read_plan(plan))
    random = drawn_leads(coded, plan_random_leads(coded, len(drawn.stratum), seed))
    true_rows = list(chain.from_iterable(map(read_csv, truth)))
    labels = true_labels(true_rows, coded)
    known = dict(zip(coded.leads, labels.tolist(), strict=True))
    population = Population.of(coded.machine, labels, len(weights.categories))
    evaluations = {
        name: evaluate(sample, weights, samples=samples, seed=seed)
        for name, sample in {
            "stratified": machine_sample(drawn, known),
            "random": machine_sample(random, known),
            "truth": population.sample_of(population.joint, stratified=True),
        }.items()
    }
    whole = {name: each.summary for name, each in evaluations.items()} | {
        name: whole_rows(Posterior(annotator_sample(drawn, labels_of, known), samples=samples, seed=seed), weights)
        for name, labels_of in simulated_labels(known, len(weights.categories), seed).items()
    }
    actors = {row["actor"] for row in chain(true_rows, read_csv(codings))} - {NONE}
    by_actor = read_codings(codings, (NONE, *sorted(actors)), "actor")
    actor_rows = actor_table(by_actor, true_labels(true_rows, by_actor, "actor"), k=k, samples=samples, seed=seed)
    annotated = f"estimated from {len(drawn.stratum)} annotated leads"
    tables: list[TitledRows] = [
        (f"The system as {annotated}", summary_table(**whole)),
        (f"Each category as {annotated}", category_table(**evaluations)),
        (f"Each actor from {k} annotated leads of each", actor_rows),
    ]
    return tables, [{name: asdict(each) for name, each in evaluations.items()}]


def study_leads(
    codings: str, scale: str, truth: Sequence[str], *, k: int, study: Mapping[str, Any], seed: int
) -> tuple[list[TitledRows], list[Sequence[Mapping]]]:
    """Return coverage and bias for k leads of each category, the bias of the naive reading, and errors by sample size.

    Coverage is that of the most and the least frequent category and of the one between, and of measures of the whole.
    `study` has the sample sizes `per_category`, `replicates`, the `draws` of a posterior, and `categories`: if any,
    coverage is also that of a simulated population with so many, of which five leads each are read.
    """
    weights = read_scale(scale)
    coded = read_codings(codings, weights.categories)
    labels = true_labels(chain.from_iterable(map(read_csv, truth)), coded)
    population = Population.of(coded.machine, labels, len(weights.categories))
    allocation = per_category(population.sizes, k)
    wanted = reported_measures(weights.weights, typical_categories(population))
    ks, categories = study["per_category"], study["categories"]
    drawn = {"replicates": study["replicates"], "seed": seed}
    samples = study["draws"]
    logging.info("intervals of %d measures in %d samples", len(wanted), study["replicates"])
    coverage = measure_coverage_rows(population, wanted, allocation, samples=samples, **drawn)
    covered = [{"categories": len(weights.categories) - 1, **row} for row in named(coverage, weights)]
    if categories:
        simulated, simulated_weights = simulated_population(
            45_000, categories + 1, skew=200, accuracy=(0.4, 0.9), seed=seed
        )
        wanted = reported_measures(simulated_weights, typical_categories(simulated))
        fewer = drawn | {"replicates": min(study["replicates"], _SAMPLES_OF_200_CATEGORIES)}
        five = per_category(simulated.sizes, 5)
        rows = measure_coverage_rows(simulated, wanted, five, samples=samples, **fewer)
        covered += [{"categories": categories, **row} for row in rows]
    naive = naive_rows(population, allocation, **drawn)
    logging.info("errors of %d sample sizes", len(ks))
    saving = named(saving_rows(population, rare_measures(population), ks, **drawn), weights)
    tables: list[TitledRows] = [
        (f"Estimates and intervals from {allocation.sum()} leads", covered),
        ("P(T | M) read as P(M | T)", named(naive, weights)),
    ]
    return tables, [saving]


def evaluate_annotators(
    codings: str,
    plan: str,
    scale: str,
    sheets: Sequence[str],
    settled: Sequence[str],
    *,
    annotators: Sequence[str],
    samples: int,
    seed: int,
) -> tuple[list[TitledRows], list[Mapping]]:
    """Return how far each two annotators agree, and tables and evaluations of the machine and of each of several.

    `sheets` are those of the `annotators`, `settled` the labels of leads on which there is no majority, if any.
    """
    weights = read_scale(scale)
    drawn = drawn_leads(read_codings(codings, weights.categories), read_plan(plan))
    labels_of = {name: read_sheet(path, drawn) for name, path in zip(annotators, sheets, strict=True)}
    truth = settle(labels_of, drawn, read_settled(settled[0], drawn) if settled else None)
    samples_of = {"machine": machine_sample(drawn, truth)}
    if len(labels_of) > 1:  # one alone is right by definition
        samples_of |= {name: annotator_sample(drawn, labels, truth) for name, labels in labels_of.items()}
    evaluations = {name: evaluate(sample, weights, samples=samples, seed=seed) for name, sample in samples_of.items()}
    agreed = agreement(drawn, labels_of, samples=samples, seed=seed)
    tables: list[TitledRows] = [
        ("Agreement between annotators", agreed or [{"annotators": 1, "agreed": "with nobody"}])
    ]
    for title, table in (
        ("The machine and those who annotated", "summary"),
        ("The machine and those who annotated, by category", "categories"),
    ):
        rows = [{"who": name, **row} for name, each in evaluations.items() for row in getattr(each, table)]
        tables.append((title, rows))
    return tables, [{name: asdict(each) for name, each in evaluations.items()}]
