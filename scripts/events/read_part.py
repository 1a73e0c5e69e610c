"""Read a part of a dated corpus and select the documents that can have an event."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence

from nlpcalib.io.files import atomic_open, read_json, write_json
from nlpcalib.systems.text.bad_records import Tolerance
from nlpcalib.systems.text.dated import DatedText, sound_documents
from reproduction.corpora.formats import load_reader
from reproduction.events.texts import text_selection
from reproduction.workflow.run_script import run_script


def main(
    source: str,
    path_listing: str,
    path_passages: str,
    path_found: str,
    *,
    reader: str,
    part: int,
    broken: float,
    words: int,
    queries: Sequence[Mapping],
    mixed_case: Sequence[str],
    paths_mixed_case: Sequence[str],
    lexicon: Sequence[str] | None,
    path_lexicon: str | None,
) -> None:
    """Write all passages of a part, counted from 1, the texts of those that are selected, and a `PartRead`.

    A line of `path_passages` has the `number` of the document in the part, `id`, `date`, whether the passage is
    `selected`, and its `text` if it is. How many records are broken is judged of all parts together. Other parameters
    are those of `read_news.py`.
    """
    taught = zip(mixed_case, paths_mixed_case, strict=True)
    select = text_selection(queries, words, lexicon, path_lexicon, taught, broken)
    records = load_reader(reader, "part_records")(source, read_json(path_listing)[part - 1])
    tolerance, ids = Tolerance(source, 1.0, "records"), []

    def documents() -> Iterator[DatedText]:
        for document in sound_documents(records, tolerance):
            ids.append(document.id)
            yield document

    with atomic_open(path_passages) as file:
        for passage, found in select(documents()):
            text = passage.text if found else ""
            row = {"id": passage.id, "date": str(passage.date), "selected": found, "text": text}
            file.write(json.dumps({"number": len(ids) - 1, **row}, ensure_ascii=False) + "\n")
    read = {"records": tolerance.count, "broken": tolerance.broken, "first": tolerance.first, "ids": ids}
    write_json(path_found, read)
    logging.info("%d documents in %d records, %d of them broken", len(ids), tolerance.count, tolerance.broken)


if "snakemake" in globals():
    run_script(main, snakemake)
