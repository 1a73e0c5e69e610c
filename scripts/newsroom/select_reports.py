"""Take simulated reports into a dataset: so many of them, and the trees of those with a verb of its queries."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from nlpcalib.io.files import atomic_open, iter_csv, write_csv
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import verb_pattern
from reproduction.workflow.json_lines import read_json_lines
from reproduction.workflow.run_script import run_script

DOCUMENT_START = "# newdoc id = "


def main(
    paths_simulated: Sequence[str],
    paths_events: Sequence[str],
    paths_dated: Sequence[str],
    paths_documents: Sequence[str],
    paths_reports: Sequence[str],
    paths_truth: Sequence[str],
    paths_texts: Sequence[str],
    *,
    reports: int,
    queries: Sequence[Mapping],
) -> None:
    """Write dates, true events and texts of the first `reports` documents, and the trees of those with a verb.

    Documents went to each shard in turn, so that the first ones are the first of each shard.
    """
    pattern = verb_pattern(map(Query.from_mapping, queries))
    simulated = zip(paths_simulated, paths_events, paths_dated, strict=True)
    written = zip(paths_documents, paths_reports, paths_truth, paths_texts, strict=True)
    for first, ((conllu, events, dated), (path_documents, path_reports, path_truth, path_texts)) in enumerate(
        zip(simulated, written, strict=True)
    ):
        number = len(range(first, reports, len(paths_simulated)))
        rows = []
        with atomic_open(path_texts) as texts:
            for _, (line, text) in zip(range(number), read_json_lines(dated), strict=False):
                texts.write(line)
                found = pattern.search(text["text"]) is not None
                rows.append({"document": text["id"], "date": text["date"], "selected": found})
        write_csv(path_documents, rows)
        ids = {row["document"] for row in rows}
        write_csv(path_truth, [row for row in iter_csv(events) if row["document"] in ids])
        with atomic_open(path_reports) as file, Path(conllu).open(encoding="utf-8") as lines:
            file.writelines(_of_documents(lines, {row["document"] for row in rows if row["selected"]}))
        logging.info("shard %d of %d: %s reports", first + 1, len(paths_simulated), f"{len(rows):,}")


def _of_documents(lines: Iterable[str], ids: Collection[str]) -> Iterator[str]:
    """Yield the lines of the documents of a CoNLL-U file that have one of some ids."""
    kept = False
    for line in lines:
        if line.startswith(DOCUMENT_START):
            kept = line.removeprefix(DOCUMENT_START).rstrip("\n") in ids
        if kept:
            yield line


if "snakemake" in globals():
    run_script(main, snakemake)
