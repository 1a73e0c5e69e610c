"""Draw the sample again and again: are estimates unbiased, do intervals hold the truth, what does sampling save?"""

import logging
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from nlpcalib.io.files import read_csv, write_csv
from reproduction.extraction_eval.allocation import per_category
from reproduction.extraction_eval.codings import read_codings
from reproduction.extraction_eval.population import Population, simulated_population, true_labels
from reproduction.extraction_eval.scale import read_scale
from reproduction.extraction_eval.study import (
    coverage_rows,
    naive_rows,
    named,
    rare_measures,
    reported_measures,
    saving_rows,
    typical_categories,
)
from reproduction.tables.files import write_table
from reproduction.workflow.run_script import run_script

_FEWER = 50
"""Samples of the simulated population, whose 200 categories take a second each."""


def main(
    path_codings: str,
    path_scale: str,
    paths_truth: Sequence[str],
    *,
    path_coverage: str,
    path_naive: str,
    path_saving: str,
    k: int,
    study: Mapping[str, Any],
    seed: int,
) -> None:
    """Write coverage and bias for k leads of each category, the bias of the naive reading, and errors by sample size.

    Coverage is that of the most and the least frequent category and of the one between, and of measures of the whole.
    `study` has the sample sizes `per_category`, `replicates`, the `draws` of a posterior, and `categories`: if any,
    coverage is also that of a simulated population with so many, of which five leads each are read.
    """
    scale = read_scale(path_scale)
    codings = read_codings(path_codings, scale.categories)
    truth = true_labels(chain.from_iterable(map(read_csv, paths_truth)), codings)
    population = Population.of(codings.machine, truth, len(scale.categories))
    allocation = per_category(population.sizes, k)
    wanted = reported_measures(scale.weights, typical_categories(population))
    ks, categories = study["per_category"], study["categories"]
    drawn = {"replicates": study["replicates"], "seed": seed}
    samples = study["draws"]
    logging.info("intervals of %d measures in %d samples", len(wanted), study["replicates"])
    coverage = coverage_rows(population, wanted, allocation, samples=samples, **drawn)
    tables = [{"categories": len(scale.categories) - 1, **row} for row in named(coverage, scale)]
    if categories:
        simulated, weights = simulated_population(45_000, categories + 1, skew=200, accuracy=(0.4, 0.9), seed=seed)
        wanted = reported_measures(weights, typical_categories(simulated))
        fewer = drawn | {"replicates": min(study["replicates"], _FEWER)}
        five = per_category(simulated.sizes, 5)
        rows = coverage_rows(simulated, wanted, five, samples=samples, **fewer)
        tables += [{"categories": categories, **row} for row in rows]
    write_table(path_coverage, f"Estimates and intervals from {allocation.sum()} leads", tables)
    naive = naive_rows(population, allocation, **drawn)
    write_table(path_naive, "P(T | M) read as P(M | T)", named(naive, scale))
    logging.info("errors of %d sample sizes", len(ks))
    write_csv(path_saving, named(saving_rows(population, rare_measures(population), ks, **drawn), scale))


if "snakemake" in globals():
    run_script(main, snakemake)
