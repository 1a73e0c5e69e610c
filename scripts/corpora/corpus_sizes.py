"""Compare the sizes of a corpus with those that a text gives."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpcalib.io.files import iter_csv, read_json
from nlpcalib.io.html_table import write_table
from nlpcalib.text.conllu import read_conllu
from reproduction.corpora.retrieval.expected import DIFFERS, Size, compare
from reproduction.workflow.script_log import start_log


def main(
    paths_splits: Mapping[str, str],
    paths_documents: Sequence[str],
    paths_calibrations: Mapping[str, str],
    path_stem: Path,
    *,
    dataset: str,
    corpus_format: str,
    expected: Mapping[str, Mapping[str, int]],
) -> None:
    """Write a row for each expected size, and warn of those that differ; the run goes on.

    `paths_splits` has the splits of an annotated corpus, `paths_documents` tables of dated documents, and
    `paths_calibrations`, by split, how pairs of mentions are calibrated.
    """
    sizes = {split: Size.of(read_conllu(path)) for split, path in paths_splits.items()}
    if paths_documents:
        sizes["all"] = Size.of_ids(row["document"] for path in paths_documents for row in iter_csv(path))
    for split, path in paths_calibrations.items():
        sizes[split].pairs = read_json(path)["n"]
    rows = compare(corpus_format, sizes, expected)
    for row in rows:
        text = "%s, %s: %s %s, expected %s: %s"
        level = logging.WARNING if row["verdict"] == DIFFERS else logging.INFO
        explained = f"{row['verdict']}; {row['explanation']}" if row["explanation"] else row["verdict"]
        logging.log(level, text, dataset, row["split"], row["found"], row["count"], row["expected"], explained)
    write_table(path_stem, f"Sizes of {dataset} beside published ones", rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        paths_splits=dict(zip(snakemake.params.splits, snakemake.input.splits, strict=True)),
        paths_documents=snakemake.input.documents,
        paths_calibrations=dict(zip(snakemake.params.evaluated, snakemake.input.calibrations, strict=True)),
        path_stem=Path(snakemake.output[0]).with_suffix(""),
        dataset=snakemake.wildcards.dataset,
        corpus_format=snakemake.params.format,
        expected=snakemake.params.expected,
    )
