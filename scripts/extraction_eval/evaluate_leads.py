"""Estimate what the machine is worth from the sample that was annotated, next to the truth and a random sample."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain

from nlpcalib.io.files import read_csv, write_json
from nlpcalib.sampling.plan import read_plan
from reproduction.extraction_eval.codings import read_codings
from reproduction.extraction_eval.comparison import actor_table, category_table, summary_table
from reproduction.extraction_eval.drawn import drawn_leads, plan_random_leads
from reproduction.extraction_eval.estimates import (
    annotator_sample,
    evaluate,
    machine_sample,
    simulated_labels,
    whole_rows,
)
from reproduction.extraction_eval.population import Population, true_labels
from reproduction.extraction_eval.posterior import Posterior
from reproduction.extraction_eval.scale import NONE, read_scale
from reproduction.tables.files import write_table
from reproduction.workflow.run_script import run_script


def main(
    path_codings: str,
    path_plan: str,
    path_scale: str,
    paths_truth: Sequence[str],
    *,
    path_evaluations: str,
    path_summary: str,
    path_categories: str,
    path_actors: str,
    k: int,
    samples: int,
    seed: int,
) -> None:
    """Write the evaluations from the plan's leads, from as many random ones and from all, and tables of the three.

    A table of actors follows, from `k` leads of each.

    The truth, known here, takes the place of people who annotate. Three simulated ones are evaluated as the machine
    is. `samples` are the draws of each posterior.
    """
    scale = read_scale(path_scale)
    codings = read_codings(path_codings, scale.categories)
    drawn = drawn_leads(codings, read_plan(path_plan))
    random = drawn_leads(codings, plan_random_leads(codings, len(drawn.stratum), seed))
    true_rows = list(chain.from_iterable(map(read_csv, paths_truth)))
    truth = true_labels(true_rows, codings)
    known = dict(zip(codings.leads, truth.tolist(), strict=True))
    population = Population.of(codings.machine, truth, len(scale.categories))
    evaluations = {
        name: evaluate(sample, scale, samples=samples, seed=seed)
        for name, sample in {
            "stratified": machine_sample(drawn, known),
            "random": machine_sample(random, known),
            "truth": population.sample_of(population.joint, stratified=True),
        }.items()
    }
    write_json(path_evaluations, {name: asdict(each) for name, each in evaluations.items()})
    whole = {name: each.summary for name, each in evaluations.items()} | {
        name: whole_rows(Posterior(annotator_sample(drawn, labels, known), samples=samples, seed=seed), scale)
        for name, labels in simulated_labels(known, len(scale.categories), seed).items()
    }
    annotated = f"estimated from {len(drawn.stratum)} annotated leads"
    write_table(path_summary, f"The system as {annotated}", summary_table(**whole))
    write_table(path_categories, f"Each category as {annotated}", category_table(**evaluations))
    named = {row["actor"] for row in chain(true_rows, read_csv(path_codings))} - {NONE}
    by_actor = read_codings(path_codings, (NONE, *sorted(named)), "actor")
    actors = actor_table(by_actor, true_labels(true_rows, by_actor, "actor"), k=k, samples=samples, seed=seed)
    write_table(path_actors, f"Each actor from {k} annotated leads of each", actors)


if "snakemake" in globals():
    run_script(main, snakemake)
