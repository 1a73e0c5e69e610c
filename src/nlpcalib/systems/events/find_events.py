"""`nlpcalib.find_events`: what do dated texts report, and how often?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, quoted
from nlpcalib.estimation.levels import CERTAIN
from nlpcalib.examination.dates import examine_periods
from nlpcalib.examination.report import report_findings
from nlpcalib.seeding import checked_seed
from nlpcalib.systems.coref.answer.inputs import notice_language
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.count.counts import count_events
from nlpcalib.systems.events.count.mixture import findings
from nlpcalib.systems.events.count.rows import document_rows, dyad_rows
from nlpcalib.systems.events.count.series import query_counts
from nlpcalib.systems.events.count.storage import as_counted, event_table, own_dates, stored_events
from nlpcalib.systems.events.count.totals import any_country
from nlpcalib.systems.events.dated_texts import dated_texts
from nlpcalib.systems.events.event_report import EventReport
from nlpcalib.systems.events.learn.files import read_model
from nlpcalib.systems.events.learn.model import EventModel, check_encoder
from nlpcalib.systems.events.learn.reading import learnt_dyads, learnt_events
from nlpcalib.systems.events.read.copies import first_reports
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, CountryLexicon, load_lexicon
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query, packaged_categories
from nlpcalib.systems.events.read.selection import selected_passages, verb_pattern, words_of
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.parsing.model import load_parser
from nlpcalib.systems.text.parsing.readings import Sampling, readings
from nlpcalib.tables.periods import UNITS
from nlpcalib.tables.vectors import TextVectors, named_vectors

MAX_PASSAGE_WORDS = 5000
"""Words of a document beyond which it is divided at paragraphs; each passage then counts as a document."""
DOCUMENTS_FOR_LANGUAGE = 100
"""First documents by which the language is recognised."""
CHARACTERS_FOR_LANGUAGE = 200
"""Characters of each of them."""
_MODEL_QUERY_KEYS = ("countries", "only", "count", "deduplicate", "date")
"""Keys of a query that a model takes."""


def find_events(
    texts: str | Path | Iterable[DatedText | Mapping[str, Any]],
    query: str | Mapping[str, Any] | Query | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    dates: str | None = None,
    period: str = "month",
    lexicon: Sequence[str] = ("packaged",),
    actors: Sequence[str] = DEFAULT_ACTORS,
    parser: str | Path | None = None,
    model: str | Path | EventModel | None = None,
    vectors: Any = None,
    encoder: str = "",
    coref: str | Path | None = None,
    samples: int = 100,
    trees: int = 10,
    seed: int = 0,
    audit: bool = False,
) -> EventReport:
    """Find the events that dated documents report of countries, and count them with intervals (paper, section 6).

    Documents are read, parsed and resolved one after the other. Kept are dates, and what concerns the query.

    Parameters
    ----------
    texts : path, or iterable of mappings
        A file of dated documents, or documents with `id`, `date` (ISO 8601) and `text`. Documents of more than
        `MAX_PASSAGE_WORDS` words are divided.
    query : str, mapping or Query
        A category such as "protest", which its packaged model reads, or a verb such as "attack", which is read as in
        the paper. Or the keys of `Query`: `category` or `verbs`, `countries`, with verbs `roles`, with a category
        `only`, `count`, `deduplicate` and `date`. With a `model`, which has a category of its own, these keys or
        nothing.
    columns : mapping, optional
        What `id`, `date` and `text` are called in the file: `{"text": "headline"}`. Capitals make no difference.
    dates : str, optional
        How the file writes dates: "day-first", "month-first" or a pattern of `strptime` such as "%d.%m.%y". By default
        the dates decide: 31/01/2019 has its day first.
    period : str
        "month", "quarter", "year" or "decade".
    lexicon, actors : sequence of str
        Sources of names of countries, and of leaders, groups and cities, as `systems.events.read.lexicon.load_lexicon`
        takes them. Queries of verbs use no actors.
    model : str, Path or EventModel, optional
        A model of events that labels taught, its file, or the category of a packaged one.
        It reads words, so that nothing is parsed, and every country that a document names has a probability.
    vectors, encoder : optional
        Of a model that was learnt with vectors, those of the texts, as `learn_events` takes them.
    parser, coref : str or Path, optional
        Another spaCy model, and another coreference model.
    samples : int
        Sampled clusterings of each document's entities, at least 2, rounded up to as many with each tree.
    trees : int
        Sampled trees of each sentence with a word of the query; 1 takes the parser's best tree.
    seed : int
        Seed of the samples, and of the audit.
    audit : bool
        Whether `EventReport.save` writes an audit. The documents that may report an event are then kept.

    Raises
    ------
    InputError
        For another query or period, files that cannot be read, and too many broken documents. Single broken documents
        are left out, and the log has their names.
    """
    checked_seed(seed)
    inputs = tuple(
        Path(each) for each in (texts, coref, model, vectors) if isinstance(each, str | Path) and Path(each).is_file()
    )
    learnt, asked = _asked(query, model)
    if audit and learnt is not None:
        raise InputError("audit: found a model, expected verbs: the page shows links; nlpcalib plan items --mark asks")
    if period not in UNITS:
        raise InputError(f"period: found {quoted(period)}, expected one of {', '.join(UNITS)}")
    if samples < 2:
        raise InputError(f"samples: found {samples}, expected at least 2")
    countries = load_lexicon(lexicon)
    _check_countries(asked, countries)
    documents: Iterable[DatedText] = dated_texts(texts, columns, dates, counted="copies" not in asked.deduplicate)
    found_vectors = None
    if vectors is not None or encoder:
        documents = list(documents)
        found_vectors = named_vectors(vectors, [text.id for text in documents], encoder)
    check_encoder(learnt or EventModel(asked.name, "", ()), found_vectors)
    beginning: list[str] = []
    read = _Read(asked)
    selected = read.selected(_noting_beginning(documents, beginning))
    if learnt is not None:
        named = load_lexicon([*lexicon, *actors])
        _read_by_model(read, selected, learnt, named, vectors=found_vectors, samples=samples, seed=seed)
    else:
        coreference = load_model(PACKAGED_MODEL if coref is None else coref)
        sampling = Sampling(verb_pattern([asked]), trees, seed)
        samples = -(-samples // trees) * trees
        for pair in load_parser(parser).sample_dated(selected, sampling):
            for each in findings(readings(*pair), [asked], countries, coreference, samples=samples, seed=seed):
                read.events += each.probabilities
                read.rows += each.rows
                if audit:
                    read.records += each.records
    copies = read.copies
    stored = stored_events((asked.name, event) for event in read.events)
    days = np.array(read.days, dtype="datetime64[D]")
    found_in = event_table(stored, own_dates(asked, period))
    found_in = replace(found_in, wordless=np.isin(found_in.documents, sorted(read.wordless)))
    (table,) = as_counted([found_in], asked, copies)
    levels = CERTAIN if learnt is None else learnt.levels(only_acts=asked.only == "acts")
    counts = query_counts([(days, table)], asked, period, levels)
    (total,) = as_counted([any_country(found_in, joint=learnt is None)], asked, copies)
    of_any = count_events([(days, total)], period, own_dates=bool(asked.date), levels=levels)
    report_findings(examine_periods(counts.documents, period), ", ".join(map(str, inputs)))
    if model is None:  # a user's own model may have learnt another language
        notice_language(str(inputs[0]) if inputs else "texts", "\n".join(beginning), recognised=True)
    dyads = dyad_rows([event_table(stored_events((asked.name, pair) for pair in read.pairs))], asked.name)
    return EventReport(
        asked, period, counts, of_any, len(read.kept), read.rows, document_rows([stored], copies), table,
        read.records if audit else None, seed, learnt, tuple(dyads), inputs, read.stated_without_words,
    )  # fmt: skip


@dataclass(eq=False)
class _Read:
    """What is kept of the documents while they are read one after the other."""

    query: Query
    days: list[np.datetime64] = field(default_factory=list)
    """The day of each document."""
    kept: dict[str, tuple[np.datetime64, str]] = field(default_factory=dict)
    """Day, and text if near copies are sought, of each document with a word of the query."""
    events: list[EventProbability] = field(default_factory=list)
    pairs: list[EventProbability] = field(default_factory=list)
    rows: list[dict] = field(default_factory=list)
    records: list[dict] = field(default_factory=list)
    wordless: set[str] = field(default_factory=set)
    """Documents without a word of the model."""

    def selected(self, documents: Iterable[DatedText]) -> Iterator[DatedText]:
        """Yield the passages with a word of the query; those of a model all have one."""
        for passage, has_word in selected_passages(documents, [self.query], MAX_PASSAGE_WORDS, None):
            self.days.append(np.datetime64(passage.date))
            if has_word:
                self.kept[passage.id] = self.days[-1], passage.text if "copies" in self.query.deduplicate else ""
                yield passage

    @property
    def copies(self) -> dict[str, tuple[str, np.datetime64]]:
        """The id and day of the first report of each near copy, if copies count once."""
        if "copies" not in self.query.deduplicate or not self.kept:
            return {}
        printed, bodies = zip(*self.kept.values(), strict=True)
        return first_reports(list(self.kept), np.array(printed, dtype="datetime64[D]"), bodies)

    @property
    def stated_without_words(self) -> np.ndarray:
        """The probabilities of events in documents without a word of the model, float64 (N,)."""
        return np.array([float(event.stated or 0) for event in self.events if event.document in self.wordless])


def _read_by_model(
    read: _Read,
    selected: Iterable[DatedText],
    model: EventModel,
    lexicon: CountryLexicon,
    *,
    vectors: TextVectors | None,
    samples: int,
    seed: int,
) -> None:
    """Add what a model finds in documents to `read`."""
    only_acts = read.query.only == "acts"
    for text in selected:
        if model.triggers and model.triggers.keys().isdisjoint(word.lower() for word in words_of(text.text)):
            read.wordless.add(text.id)
        read.events += learnt_events(
            text, model, lexicon, read.query.countries, only_acts=only_acts, vectors=vectors, samples=samples, seed=seed
        )
        read.pairs += learnt_dyads(text, model, lexicon, vectors=vectors, samples=samples, seed=seed)


def _asked(
    query: str | Mapping[str, Any] | Query | None, model: str | Path | EventModel | None
) -> tuple[EventModel | None, Query]:
    """Return the model that reads documents, if one does, and the query; see `find_events` for both."""
    if model is None:
        model, query = _packaged(query)
    if model is not None:
        learnt = model if isinstance(model, EventModel) else read_model(model)
        return learnt, learnt_query(learnt, query)
    if query is None:
        raise InputError("query: found none, expected a category, verbs or a model")
    return None, as_query(query)


def _check_countries(query: Query, lexicon: CountryLexicon) -> None:
    """Raise `InputError` for countries of a query that are no codes of the lexicon."""
    for code in query.countries:
        if code not in lexicon.codes:
            near = get_close_matches(code, lexicon.codes, n=1, cutoff=0.5)
            meant = f" such as {near[0]}" if near else ""
            raise InputError(f"countries: found {quoted(code)}, expected a code of the lexicon{meant}")


def _noting_beginning(documents: Iterable[DatedText], texts: list[str]) -> Iterator[DatedText]:
    """Yield documents, and add the beginnings of the first ones to `texts`."""
    for number, document in enumerate(documents):
        if number < DOCUMENTS_FOR_LANGUAGE:
            texts.append(document.text[:CHARACTERS_FOR_LANGUAGE])
        yield document


def _packaged(query: str | Mapping[str, Any] | Query | None) -> tuple[str | None, Any]:
    """Return the packaged model of a query of a category, and the rest of it; of another query no model."""
    if isinstance(query, str) and query in packaged_categories():
        query = {"category": [query]}
    if isinstance(query, Mapping) and "category" in query:
        query = Query.from_mapping({"name": "events", **query})
    if isinstance(query, Query) and query.model:
        return query.model, {key: value for key in _MODEL_QUERY_KEYS if (value := getattr(query, key))}
    return None, query


def learnt_query(model: EventModel, query: str | Mapping[str, Any] | Query | None) -> Query:
    """Return the query of a model: its name and words, and what is asked for of `_MODEL_QUERY_KEYS`."""
    settings = query or {}
    if not isinstance(settings, Mapping) or settings.keys() - set(_MODEL_QUERY_KEYS):
        raise InputError(
            f"query: found {quoted(query)} with a model of {model.name}, "
            f"expected {' or '.join(_MODEL_QUERY_KEYS)} alone"
        )
    if model.of_texts and "countries" in settings:
        raise InputError(f"countries: found some with a model of whole texts, {model.name}, expected none")
    return Query.of_model(model.name, model.words, settings)


def as_query(query: str | Mapping[str, Any] | Query) -> Query:
    """Return a query of verbs: of one by its name, or of a mapping, which needs no `name`."""
    if isinstance(query, Query):
        return query
    if isinstance(query, str):
        query = {"verbs": [query]}
    words = query.get("verbs", ())
    return Query.from_mapping({"name": str(words[0]) if words else "events", **query})
