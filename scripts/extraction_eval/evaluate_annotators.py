"""Evaluate the machine and the people who annotated the sample, each against what they agree on."""

from collections.abc import Sequence
from dataclasses import asdict

from nlpcalib.io.files import write_json
from nlpcalib.sampling.plan import read_plan
from reproduction.extraction_eval.codings import read_codings
from reproduction.extraction_eval.drawn import drawn_leads
from reproduction.extraction_eval.estimates import agreement, annotator_sample, evaluate, machine_sample
from reproduction.extraction_eval.scale import read_scale
from reproduction.extraction_eval.sheet import read_settled, read_sheet, settle
from reproduction.tables.files import write_table
from reproduction.workflow.run_script import run_script


def main(
    path_codings: str,
    path_plan: str,
    path_scale: str,
    annotators: Sequence[str],
    paths_sheets: Sequence[str],
    path_settled: str | None,
    *,
    path_evaluations: str,
    path_agreement: str,
    path_summary: str,
    path_categories: str,
    samples: int,
    seed: int,
) -> None:
    """Write the evaluation of the machine and of each of several annotators, and how far each two of them agree.

    `paths_sheets` are the sheets of the `annotators`, `path_settled` the labels of leads on which there is no majority.
    """
    scale = read_scale(path_scale)
    drawn = drawn_leads(read_codings(path_codings, scale.categories), read_plan(path_plan))
    labels_of = {name: read_sheet(path, drawn) for name, path in zip(annotators, paths_sheets, strict=True)}
    truth = settle(labels_of, drawn, read_settled(path_settled, drawn) if path_settled else None)
    samples_of = {"machine": machine_sample(drawn, truth)}
    if len(labels_of) > 1:  # one alone is right by definition
        samples_of |= {name: annotator_sample(drawn, labels, truth) for name, labels in labels_of.items()}
    evaluations = {name: evaluate(sample, scale, samples=samples, seed=seed) for name, sample in samples_of.items()}
    write_json(path_evaluations, {name: asdict(each) for name, each in evaluations.items()})
    agreed = agreement(drawn, labels_of, samples=samples, seed=seed)
    write_table(path_agreement, "Agreement between annotators", agreed or [{"annotators": 1, "agreed": "with nobody"}])
    for path, title, table in (
        (path_summary, "The machine and those who annotated", "summary"),
        (path_categories, "The machine and those who annotated, by category", "categories"),
    ):
        rows = [{"who": name, **row} for name, each in evaluations.items() for row in getattr(each, table)]
        write_table(path, title, rows)


if "snakemake" in globals():
    run_script(main, snakemake)
