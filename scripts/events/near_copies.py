"""List the documents of a corpus that are near copies of an earlier one."""

from collections.abc import Sequence

import numpy as np

from nlpcalib.events.read.copies import near_copies
from nlpcalib.io.files import read_json_lines, write_csv
from reproduction.workflow.script_log import start_log


def main(paths_texts: Sequence[str], path_copies: str) -> None:
    """Write a row for each copy, by id: `document`, `date`, the first report `copy_of` and its `first_date`."""
    known = [(row["id"], row["date"]) for path in paths_texts for _, row in read_json_lines(path)]
    ids = [name for name, _ in known]
    texts = (row["text"] for path in paths_texts for _, row in read_json_lines(path))
    first = near_copies(ids, np.array([date for _, date in known], dtype="datetime64[D]"), texts)
    rows: list[dict[str, str]] = [
        {"document": ids[place], "date": known[place][1], "copy_of": ids[of], "first_date": known[of][1]}
        for place, of in sorted(enumerate(first.tolist()), key=lambda pair: ids[pair[0]])
        if place != of
    ]
    columns = ("document", "date", "copy_of", "first_date")
    write_csv(path_copies, rows, columns)


if "snakemake" in globals():
    start_log(snakemake)
    main(paths_texts=snakemake.input.texts, path_copies=snakemake.output[0])
