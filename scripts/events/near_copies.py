"""List the documents of a corpus that are near copies of an earlier one."""

from collections.abc import Sequence

import numpy as np

from nlpcalib.io.files import write_csv
from nlpcalib.systems.events.read.copies import first_reports
from reproduction.workflow.json_lines import read_json_lines
from reproduction.workflow.run_script import run_script


def main(paths_texts: Sequence[str], path_copies: str) -> None:
    """Write a row for each copy, by id: `document`, `date`, the first report `copy_of` and its `first_date`."""
    known = {row["id"]: row["date"] for path in paths_texts for _, row in read_json_lines(path)}
    dates = np.array(list(known.values()), dtype="datetime64[D]")
    texts = (row["text"] for path in paths_texts for _, row in read_json_lines(path))
    rows = [
        {"document": copy, "date": known[copy], "copy_of": first, "first_date": str(date)}
        for copy, (first, date) in first_reports(list(known), dates, texts).items()
    ]
    columns = ("document", "date", "copy_of", "first_date")
    write_csv(path_copies, rows, columns)


if "snakemake" in globals():
    run_script(main, snakemake)
