"""What queries find in a shard of documents: those of verbs by trees and links, those of categories by their models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.progress import with_progress
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.events.count.mixture import Findings, findings
from nlpcalib.systems.events.learn.files import read_model
from nlpcalib.systems.events.learn.reading import learnt_events
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.dated_files import read_dated_file
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing.readings import readings
from reproduction.corpora.annotated import count_documents


def verb_findings(
    path: str,
    path_trees: str | None,
    queries: Sequence[Query],
    lexicon: CountryLexicon,
    model: AntecedentModel,
    *,
    temperature: float,
    samples: int,
    seed: int,
) -> Iterator[Findings]:
    """Yield the `findings` of each parsed document and each query of verbs.

    `path_trees` has sampled trees, see `read_readings`; None of trees that are right.
    """
    asked = [query for query in queries if not query.model]
    documents = with_progress(read_readings(path, path_trees), "document", count_documents(path))
    for each in documents:
        yield from findings(each, asked, lexicon, model, temperature=temperature, samples=samples, seed=seed)


def category_findings(
    path: str, queries: Sequence[Query], lexicon: CountryLexicon, *, samples: int, seed: int
) -> Iterator[tuple[str, list[EventProbability], list[EventProbability]]]:
    """Yield, of each text and each query of a category, the query's name, the events, and those of pairs of countries.

    `lexicon` has the names of actors too. `path` is a file that `read_dated_file` reads, or simulated reports.
    """
    models = [(query, read_model(query.model)) for query in queries if query.model]
    for text in _texts(path):
        for query, model in models:
            only = bool(query.only)
            found = learnt_events(text, model, lexicon, query.countries, only_acts=only, samples=samples, seed=seed)
            yield query.name, *found


def _texts(path: str) -> Iterator[DatedText]:
    """Yield the texts of a file, of simulated reports those of their words."""
    if path.endswith(".conllu"):
        for report in read_conllu(path):
            assert report.date is not None, "every report of the newsroom has a date"
            yield DatedText(report.id, report.date, report.text, {})
    elif Path(path).stat().st_size:
        yield from read_dated_file(path, 0.0)


def read_readings(path: str | Path, path_trees: str | Path | None) -> Iterator[list[Document]]:
    """Yield the `readings` of the documents of a CoNLL-U file, and of their sampled trees in another one.

    `path_trees` has the documents with sampled sentences in the same order, None of documents that have none. Raises
    `InputError` where it has another document.
    """
    sampled = iter(read_conllu(path_trees)) if path_trees else iter(())
    following = next(sampled, None)
    for document in read_conllu(path):
        if following is not None and following.id == document.id:
            yield readings(document, following)
            following = next(sampled, None)
        else:
            yield [document]
    if following is not None:
        raise InputError(f"{path_trees}: found trees of document {following.id!r}, expected one that follows in {path}")
