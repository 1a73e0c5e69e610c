"""Processor time of every stage of the events chapter on open news, on one thread, and peak memory.

    python benchmarks/events_scale.py [--news muc3=muc3.zip current_events=events.zip]

News is FORMAT=FILE as `reproduction.corpora.formats` has it, or State of the Union messages if none is named.
Upper-case news (muc3) is truecased by the others, as a part of parsing.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from side_by_side import peak_memory

from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.events.count import mixture
from nlpcalib.systems.events.learn import audit
from nlpcalib.systems.events.read import extraction, lexicon, probability, selection
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.conllu import read_conllu, write_conllu
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing import load_parser
from reproduction.corpora.formats import FORMATS, load_reader
from reproduction.corpora.readers.sotu import find_sotu
from reproduction.events import storage
from reproduction.events.truecase import Truecaser

SAMPLES = 100
QUERY = Query.from_mapping({"name": "attack", "verbs": ["attack"]})
PATTERN = selection.verb_pattern([QUERY])
STAGES = ("select", "parse", "read", "resolve", "extract", "candidates", "audit", "write")


class Clock(Counter):
    """Processor seconds by stage."""

    def __init__(self) -> None:
        self._start = time.process_time()

    def stop(self, stage: str) -> None:
        """Add the time since the last stop to a stage."""
        self[stage] += (now := time.process_time()) - self._start
        self._start = now


def print_row(title: str, *cells: object) -> None:
    """Print a row of a table."""
    texts = (f"{cell:,.2f}" if isinstance(cell, float) else str(cell) for cell in cells)
    print(f"{title:18}" + "".join(f"{text:>11}" for text in texts), flush=True)


def print_stages(title: str, seconds: Counter, sizes: Counter, megabytes: float) -> None:
    """Print sizes and milliseconds by document, the sum of those after parsing, and peak memory."""
    number = sizes["documents"]
    ms = [1e3 * seconds[stage] / number for stage in STAGES]
    of_each = [sizes[name] / number for name in ("words", "mentions", "rows")]
    print_row(title, number, *of_each, *ms, sum(ms[2:]), float(megabytes))


def after_parsing(path: Path) -> tuple[Clock, Counter]:
    """Find the events in a file of parsed documents and write them; return seconds by stage, and sizes."""
    countries = lexicon.load_lexicon(["packaged"])
    next(resolve(read_conllu(path)))  # what is loaded at the first use counts for no document
    storage.write_events(path.with_suffix(".parquet"), ())
    sizes, clock = Counter(), Clock()

    def documents() -> Iterator[Document]:
        for document in read_conllu(path):
            clock.stop("read")
            yield document

    def found() -> Iterator[tuple[str, probability.EventProbability]]:
        for resolution in resolve(documents()):
            clock.stop("resolve")
            words = sum(len(sentence.words) for sentence in resolution.document.sentences)
            evidence = extraction.find_evidence(resolution.document, [QUERY], countries, resolution.mentions)
            events = probability.document_events(resolution, QUERY, evidence, samples=SAMPLES)
            probabilities = list(events.probabilities) if events else []
            clock.stop("extract")
            if events:
                stream.writelines(json.dumps(row, default=str) for _, row in mixture.candidate_rows(events))
                clock.stop("candidates")
                stream.write(json.dumps(audit.audit_record(events, QUERY)))
                clock.stop("audit")
            sizes.update(documents=1, words=words, mentions=len(resolution.mentions), rows=len(probabilities))
            yield from ((QUERY.name, event) for event in probabilities)
            clock.stop("write")

    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as stream:
        storage.write_events(path.with_suffix(".parquet"), found())
    clock.stop("write")
    return clock, sizes


def reader(form: str) -> Callable[..., Iterator[DatedText]]:
    """Return the reader of a format."""
    return load_reader(FORMATS[form].reader)


def open_news(news: dict[str, str], folder: Path, limit: int) -> None:
    """Measure all stages on `limit` or fewer of each source's documents that have a verb of the query."""
    parser, restore = load_parser(None), str
    list(parser.parse_texts([("first", "The troops attacked.")]))
    mixed = [item for item in news.items() if item[0] != "muc3"]
    if 0 < len(mixed) < len(news):
        restore = Truecaser().fit(text.text for form, source in mixed for text in reader(form)(source, 0.01)).apply
    for form, source in news.items():
        clock = Clock()
        read = [part for text in reader(form)(source, 0.01) for part in selection.passages(text, 5_000)]
        selected = [text for text in read if PATTERN.search(text.text)]
        clock.stop("select")
        chosen, path = selected[:: -(-len(selected) // limit)], folder / f"{form}.conllu"
        clock["select"] *= len(chosen) / len(read)
        texts = ((text.id, restore(text.text) if form == "muc3" else text.text) for text in chosen)
        write_conllu(path, parser.parse_texts(texts))
        clock.stop("parse")
        seconds, sizes = after_parsing(path)
        print_stages(form, clock + seconds, sizes, peak_memory(lambda path=path: after_parsing(path)))


def main(news: dict[str, str], limit: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        print_row("ms a document", "documents", "words", "mentions", "rows", *STAGES, "after", "peak MB")
        open_news(news, Path(folder), limit)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--news", nargs="*", metavar="FORMAT=FILE", default=[])
    parser.add_argument("--documents", type=int, default=100)
    options = parser.parse_args()
    sources = dict(item.split("=", 1) for item in options.news) or {"sotu": str(find_sotu())}
    main(sources, options.documents)
