"""Annotate a sheet as a person without errors would, from known truth."""

import csv
from pathlib import Path

from nlpcalib.io.files import write_csv
from nlpcalib.sampling.sheet import item_of
from reproduction.workflow.run_script import run_script
from studies.estimation.annotation import read_reference, written


def main(path_sheet: str, path_reference: str, path_labels: str) -> None:
    """Write the countries of each document of the sheet."""
    truth = read_reference(path_reference)
    with Path(path_sheet).open(encoding="utf-8-sig", newline="") as file:
        items = [row["item"] for row in csv.DictReader(file)]
    write_csv(path_labels, [{"item": item, "label": written(truth[item_of(item)])} for item in items])


if "snakemake" in globals():
    run_script(main, snakemake)
