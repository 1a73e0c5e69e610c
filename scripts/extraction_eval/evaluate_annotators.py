"""Evaluate the machine and the people who annotated the sample, each against what they agree on."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from nlpcalib.io.files import write_json
from nlpcalib.io.html_table import write_table
from nlpcalib.sampling.plan import read_plan
from reproduction.extraction_eval.codings import read_codings
from reproduction.extraction_eval.drawn import drawn_leads
from reproduction.extraction_eval.estimates import agreement, annotator_sample, evaluate, machine_sample
from reproduction.extraction_eval.scale import read_scale
from reproduction.extraction_eval.sheet import read_settled, read_sheet, settle
from reproduction.workflow.script_log import start_log


def main(
    path_codings: str,
    path_plan: str,
    path_scale: str,
    paths_sheets: Mapping[str, str],
    path_settled: str | None,
    *,
    path_evaluations: str,
    path_agreement: Path,
    path_summary: Path,
    path_categories: Path,
    samples: int,
    seed: int,
) -> None:
    """Write the evaluation of the machine and of each of several annotators, and how far each two of them agree.

    `paths_sheets` has the sheet of each annotator, `path_settled` the labels of leads on which there is no majority.
    """
    scale = read_scale(path_scale)
    drawn = drawn_leads(read_codings(path_codings, scale.categories), read_plan(path_plan))
    annotators = {name: read_sheet(path, drawn) for name, path in paths_sheets.items()}
    truth = settle(annotators, drawn, read_settled(path_settled, drawn) if path_settled else None)
    samples_of = {"machine": machine_sample(drawn, truth)}
    if len(annotators) > 1:  # one alone is right by definition
        samples_of |= {name: annotator_sample(drawn, labels, truth) for name, labels in annotators.items()}
    evaluations = {name: evaluate(sample, scale, samples=samples, seed=seed) for name, sample in samples_of.items()}
    write_json(path_evaluations, {name: asdict(each) for name, each in evaluations.items()})
    agreed = agreement(drawn, annotators, samples=samples, seed=seed)
    write_table(path_agreement, "Agreement between annotators", agreed or [{"annotators": 1, "agreed": "with nobody"}])
    for path, title, table in (
        (path_summary, "The machine and those who annotated", "summary"),
        (path_categories, "The machine and those who annotated, by category", "categories"),
    ):
        rows = [{"who": name, **row} for name, each in evaluations.items() for row in getattr(each, table)]
        write_table(path, title, rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        snakemake.input.codings,
        snakemake.input.plan,
        snakemake.input.scale,
        dict(zip(snakemake.params.annotators, snakemake.input.sheets, strict=True)),
        next(iter(snakemake.input.settled), None),
        path_evaluations=snakemake.output.evaluations,
        path_agreement=Path(snakemake.output.agreement).with_suffix(""),
        path_summary=Path(snakemake.output.summary).with_suffix(""),
        path_categories=Path(snakemake.output.categories).with_suffix(""),
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
    )
