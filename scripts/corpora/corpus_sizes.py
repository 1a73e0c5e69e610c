"""Compare the sizes of a corpus with those that a text gives."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpcalib.io.files import iter_csv, read_json
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.corpora.retrieval.expected import DIFFERS, Size, compare
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table


def main(
    paths_splits: Sequence[str],
    paths_documents: Sequence[str],
    path_calibration: str | None,
    path_csv: str,
    *,
    held_out: str,
    dataset: str,
    format: str,
    expected: Mapping[str, Mapping[str, int]],
) -> None:
    """Write a row for each expected size, and warn of those that differ; the run goes on.

    `paths_splits` are the splits of an annotated corpus, `paths_documents` tables of dated documents, and
    `path_calibration` measures pairs of mentions of the split `held_out`.
    """
    sizes = {Path(path).stem: Size.of(read_conllu(path)) for path in paths_splits}
    if paths_documents:
        sizes["all"] = Size.of_ids(row["document"] for path in paths_documents for row in iter_csv(path))
    if path_calibration:
        sizes[held_out].pairs = read_json(path_calibration)["n"]
    rows = compare(format, sizes, expected)
    for row in rows:
        text = "%s, %s: %s %s, expected %s: %s"
        level = logging.WARNING if row["verdict"] == DIFFERS else logging.INFO
        explained = f"{row['verdict']}; {row['explanation']}" if row["explanation"] else row["verdict"]
        logging.log(level, text, dataset, row["split"], row["found"], row["count"], row["expected"], explained)
    write_table(path_csv, f"Sizes of {dataset} beside published ones", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
