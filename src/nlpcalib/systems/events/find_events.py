"""`nlpcalib.find_events`: what do dated texts report, and how often?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, located, quoted, report_findings
from nlpcalib.estimation.levels import CERTAIN
from nlpcalib.examination.dates import examine_periods
from nlpcalib.examination.texts import TextSigns
from nlpcalib.seeding import checked_seed
from nlpcalib.systems.coref.answer.antecedents import Scored, read_antecedent_scores
from nlpcalib.systems.coref.answer.reading import notice_language
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.count.counts import EventTable, count_events
from nlpcalib.systems.events.count.mixture import findings
from nlpcalib.systems.events.count.series import any_country, document_row, dyad_rows
from nlpcalib.systems.events.dated_texts import dated_texts
from nlpcalib.systems.events.event_report import EventReport
from nlpcalib.systems.events.learn.candidates import forms_in
from nlpcalib.systems.events.learn.files import read_model
from nlpcalib.systems.events.learn.labels import check_code
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.learn.reading import learnt_events
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, CountryLexicon, load_lexicon
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query, packaged_categories
from nlpcalib.systems.events.read.selection import selected_passages, verb_pattern, words_of
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.inflection import spellings
from nlpcalib.systems.text.parsing.model import load_parser
from nlpcalib.systems.text.parsing.readings import Sampling, readings
from nlpcalib.tables.periods import UNITS

MAX_PASSAGE_WORDS = 5000
"""Words of a document beyond which it is divided at paragraphs; each passage then counts as a document."""
DOCUMENTS_FOR_LANGUAGE = 100
"""First documents by which the language is recognised."""
CHARACTERS_FOR_LANGUAGE = 200
"""Characters of each of them."""
SAMPLES_PER_DOCUMENT = 100
"""Sampled clusterings of each document's entities."""
TREES_PER_SENTENCE = 10
"""Sampled trees of each sentence with a word of the query; a parser on a transformer gives its best tree."""


def find_events(
    texts: str | Path | Iterable[DatedText | Mapping[str, Any]],
    query: str | Mapping[str, Any] | EventModel,
    *,
    id: str | None = None,
    date: str | None = None,
    text: str | None = None,
    dates: str | None = None,
    period: str = "month",
    lexicon: Sequence[str] = ("packaged",),
    scores: str | Path | None = None,
    seed: int = 0,
) -> EventReport:
    """Find the events of countries in dated documents, and count them with intervals (paper, section 6).

    Documents are read, parsed and resolved one after the other. Kept are dates, and what concerns the query.

    Parameters
    ----------
    texts : path, or iterable of mappings
        A file of dated documents, or documents with `id`, `date` (ISO 8601) and `text`. Documents of more than
        `MAX_PASSAGE_WORDS` words are divided.
    query : str, mapping or EventModel
        A category such as "protest", which its packaged model reads, a model learnt from labels, or a verb such as
        "attack", which is found as in the paper, in any sense and polarity. Or the keys of `Query`: `category`, `model`
        (also its file) or `verbs`, `countries`, with verbs `roles`, with a category or a model `only`. A
        model reads words, so nothing is parsed, and every country that a document names has a probability.
    id, date, text : str, optional
        Columns of the file (default: those of these names). Case is ignored.
    dates : str, optional
        How dates are written: "day-first", "month-first" or a pattern such as "%d.%m.%y" (default: recognised).
    period : str
        "month", "quarter", "year" or "decade".
    lexicon : sequence of str
        Sources of names of countries, as in `systems.events.read.lexicon.load_lexicon`. A model also finds the packaged
        names of leaders, groups and cities.
    scores : path, optional
        With verbs, antecedents of another coreference model, as `nlpcalib.systems.coref.read_antecedent_scores` reads
        them: a line for each document that has a verb, named by its id, in the order of the documents.
    seed : int
        Seed of the samples.

    Raises
    ------
    InputError
        If the query or period is unknown, the model was not learnt from labels, a file cannot be read, or too many
        documents are broken. Single broken documents are left out and logged.
    """
    checked_seed(seed)
    own, learnt, asked = _asked(query)
    inputs = tuple(Path(each) for each in (texts, own, scores) if isinstance(each, str | Path) and Path(each).is_file())
    if scores is not None and learnt is not None:
        raise InputError("scores: found some with a model of words, expected a query of verbs")
    if period not in UNITS:
        raise InputError(f"period: found {quoted(period)}, expected one of {', '.join(UNITS)}")
    countries = load_lexicon(lexicon)
    with located("countries"):
        for code in asked.countries:
            check_code(code, countries.codes)
    signs = TextSigns()
    documents = dated_texts(texts, {"id": id, "date": date, "text": text}, dates, signs)
    read = _Read(asked)
    selected = read.selected(documents)
    if learnt is not None:
        named = load_lexicon([*lexicon, *DEFAULT_ACTORS])
        _read_by_model(read, selected, learnt, named, seed)
    else:
        read.words = {form for verb in asked.verbs for form in spellings(verb)}
        coreference = load_model(PACKAGED_MODEL)
        sampling = Sampling(verb_pattern([asked]), TREES_PER_SENTENCE, seed)
        scored = None if scores is None else read_antecedent_scores(scores)
        for pair in load_parser(None).sample_dated(selected, sampling):
            found = findings(
                *(readings(*pair), [asked], countries, coreference),
                scored=_scored(scored, pair[0].id) if scored else None,
                samples=SAMPLES_PER_DOCUMENT,
                seed=seed,
            )
            read.lemmas |= {lemma.lower() for sentence in pair[0].sentences for lemma in sentence.lemmas}
            for each in found:
                read.events += each.probabilities
                read.rows += each.rows
                read.records += each.records
    days = np.array(read.days, dtype="datetime64[D]")
    found_in = EventTable.of(read.events, read.wordless)
    levels = CERTAIN if learnt is None else learnt.levels(only_acts=asked.only == "acts")
    counts = count_events([(days, found_in.of_documents)], period, levels=levels)
    total = any_country(found_in, joint=learnt is None)
    of_any = count_events([(days, total.of_documents)], period, levels=levels)
    report_findings(examine_periods(counts.documents, period), ", ".join(map(str, inputs)))
    if own is None:  # a user's own model may have learnt another language
        notice_language(str(inputs[0]) if inputs else "texts", read.beginning, recognised=True)
    dyads = dyad_rows([EventTable.of(read.pairs)], asked.name)
    document_events = sorted(map(document_row, read.events), key=lambda row: (row["document"], row["country"]))
    return EventReport(
        asked, period, counts, of_any, read.selected_documents, read.rows, document_events, found_in.samples.shape[1],
        read.records, seed, signs.repeats, learnt, tuple(dyads), inputs, read.stated_without_words,
        _plans(texts, read.words, {"--id": id, "--text": text}),
        () if learnt is not None else tuple(verb for verb in asked.verbs if verb not in read.lemmas),
    )  # fmt: skip


def _plans(texts: Any, found: Collection[str], columns: Mapping[str, str | None]) -> list[tuple[str, ...]]:
    """Return the command that plans labels of a file, by the words found in it; none for documents of no file."""
    if not isinstance(texts, str | Path):
        return []
    # A match is the beginning of a word.
    words = [form for form in sorted(found) if not any(form != each and form.startswith(each) for each in found)]
    named = [word for option, name in columns.items() if name for word in (option, name)]
    match = "|".join(map(re.escape, words)) or r"\w"
    return [("plan", "items", str(texts), *named, "--match", match, "--budget", "100", "--out", "sample")]


def _scored(scores: Iterator[Scored], name: str) -> Scored:
    """Return the antecedents of a document, which stand after those of the documents before it."""
    found = next((each for each in scores if each.id == name), None)
    if found is None:
        raise InputError(f"scores: found none of {quoted(name)}, expected a line for each document, in their order")
    return found


@dataclass(eq=False)
class _Read:
    """What is kept of the documents while they are read one after the other."""

    query: Query
    days: list[np.datetime64] = field(default_factory=list)
    """The day of each document."""
    selected_documents: int = 0
    """How many documents have a word of the query."""
    beginning: str = ""
    """What the language is recognised by."""
    events: list[EventProbability] = field(default_factory=list)
    pairs: list[EventProbability] = field(default_factory=list)
    rows: list[dict] = field(default_factory=list)
    records: list[dict] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    """Forms of the query's verbs, or words of the model that documents have."""
    lemmas: set[str] = field(default_factory=set)
    """Lemmas of the documents that were parsed."""
    wordless: set[str] = field(default_factory=set)
    """Documents without a word of the model."""

    def selected(self, documents: Iterable[DatedText]) -> Iterator[DatedText]:
        """Yield the passages with a word of the query; those of a model all have one."""
        for passage, has_word in selected_passages(documents, [self.query], MAX_PASSAGE_WORDS):
            self.days.append(np.datetime64(passage.date))
            if len(self.days) <= DOCUMENTS_FOR_LANGUAGE:
                self.beginning += f"{passage.text[:CHARACTERS_FOR_LANGUAGE]}\n"
            if has_word:
                self.selected_documents += 1
                yield passage

    @property
    def stated_without_words(self) -> np.ndarray:
        """The probabilities of events in documents without a word of the model, float64 (N,)."""
        return np.array([float(event.stated or 0) for event in self.events if event.document in self.wordless])


def _read_by_model(
    read: _Read,
    selected: Iterable[DatedText],
    model: EventModel,
    lexicon: CountryLexicon,
    seed: int,
) -> None:
    """Add what a model finds in documents to `read`."""
    only_acts = read.query.only == "acts"
    for text in selected:
        words = set(forms_in([word.lower() for word in words_of(text.text)], model.triggers).values())
        read.words |= words
        if model.triggers and not words:
            read.wordless.add(text.id)
        events, pairs = learnt_events(text, model, lexicon, read.query.countries, only_acts=only_acts, seed=seed)
        read.events += events
        read.pairs += pairs


def _asked(
    query: str | Mapping[str, Any] | EventModel,
) -> tuple[EventModel | str | Path | None, EventModel | None, Query]:
    """Return a user's own model, the model that reads documents, if one does, and the query; see `find_events`."""
    settings: dict[str, Any]
    if isinstance(query, str):
        settings = {"category" if query in packaged_categories() else "verbs": [query]}
    else:
        settings = dict(query) if isinstance(query, Mapping) else {"model": query}
    model = settings.get("model")
    given = {} if model is None else {"model": model.name or "model" if isinstance(model, EventModel) else str(model)}
    verbs = settings.get("verbs")
    named = " or ".join(map(str, verbs)) if isinstance(verbs, list | tuple) else ""
    name = re.sub("[^a-z0-9]+", "-", named.lower()).strip("-") or "events"
    asked = Query.from_mapping({"name": name, **settings, **given})
    if not asked.model:
        return model, None, asked
    learnt = model if isinstance(model, EventModel) else read_model(asked.model)
    if learnt.card.get("items", 0) == 0:
        raise InputError(
            f"{learnt.name}: found a model that no label taught, whose counts have no interval that holds, "
            "expected one of nlpcalib learn"
        )
    if learnt.of_texts and asked.countries:
        raise InputError(f"countries: found some with a model of whole texts, {learnt.name}, expected none")
    return model, learnt, replace(asked, name=learnt.name, verbs=learnt.words, nouns=())
