"""Measure events and pairs of mentions where entities have at most one country, on simulated reports."""

import logging
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from nlpcalib.coref.model.model import load_model
from nlpcalib.events.read.lexicon import load_lexicon
from nlpcalib.events.read.query import Query
from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import write_table
from nlpcalib.text.conllu import read_conllu
from reproduction.events.apart_study import apart_rows
from reproduction.events.truth import true_events
from reproduction.workflow.script_log import start_log


def main(
    path_model: str,
    path_dev: str,
    paths_reports: Sequence[str],
    paths_truth: Sequence[str],
    path_stem: Path,
    *,
    lexicon: Sequence[str],
    query: Mapping,
    samples: int,
    seed: int,
) -> None:
    """Write a row of each recalibration, fitted to the entities of `path_dev`, with `samples` of each report."""
    asked = Query.from_mapping(query)
    truth = true_events(chain.from_iterable(map(read_csv, paths_truth)), asked)
    reports = chain.from_iterable(map(read_conllu, paths_reports))
    known = load_model(path_model), asked, load_lexicon(lexicon)
    rows = []
    for row in apart_rows(read_conllu(path_dev), reports, truth, *known, samples=samples, seed=seed):
        logging.info("%s", row)
        rows.append(row)
    write_table(path_stem, "Events and pairs of mentions where entities have at most one country", rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_model=snakemake.input.model,
        path_dev=snakemake.input.dev,
        paths_reports=snakemake.input.reports,
        paths_truth=snakemake.input.truth,
        path_stem=Path(snakemake.output.csv).with_suffix(""),
        lexicon=snakemake.params.lexicon,
        query=snakemake.params.query,
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
    )
