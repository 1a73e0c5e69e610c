"""`nlpcalib.find_events`: what do dated texts report, and how often?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.api.dated_texts import dated_texts
from nlpcalib.api.event_methods import event_methods
from nlpcalib.calibration.mean_gap import frequency_interval
from nlpcalib.coref.answer.inputs import notice_language
from nlpcalib.coref.answer.resolution import PACKAGED_MODEL
from nlpcalib.coref.model.model import load_model
from nlpcalib.errors import InputError, counted
from nlpcalib.events.count.comparison import ComparisonRow, comparison_rows
from nlpcalib.events.count.counts import EventCounts, EventTable, count_events
from nlpcalib.events.count.mixture import findings
from nlpcalib.events.count.rows import DocumentRow, DyadRow, document_rows, dyad_rows
from nlpcalib.events.count.series import (
    CONDITIONS,
    NO_EVENT,
    CountRow,
    count_series,
    country_name,
    query_counts,
    total_counts,
)
from nlpcalib.events.count.storage import (
    as_counted,
    event_table,
    own_dates,
    stored_events,
)
from nlpcalib.events.count.totals import ANY_COUNTRY, TotalRow, any_country, held_rows, total_rows
from nlpcalib.events.learn.audit_sample import audit_events
from nlpcalib.events.learn.model import EventModel, check_encoder, read_model
from nlpcalib.events.learn.reading import learnt_dyads, learnt_events
from nlpcalib.events.read.copies import first_reports
from nlpcalib.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from nlpcalib.events.read.probability import EventProbability
from nlpcalib.events.read.query import Query, packaged_categories
from nlpcalib.events.read.selection import selected_passages, verb_pattern, words_of
from nlpcalib.examination.dates import examine_periods
from nlpcalib.examination.report import report_findings
from nlpcalib.io.files import write_csv, write_json
from nlpcalib.io.frames import frame_of
from nlpcalib.io.sets import atomic_set
from nlpcalib.tables.periods import UNITS
from nlpcalib.text.dated import DatedText
from nlpcalib.text.parsing.model import load_parser
from nlpcalib.text.parsing.readings import Sampling, readings
from nlpcalib.text.vectors import named_vectors

if TYPE_CHECKING:
    from pandas import DataFrame

AUDIT = ("audit.html", "audit_plan.json", "audit_items.parquet")
MAX_PASSAGE_WORDS = 5000
"""Words of a document beyond which it is divided at paragraphs; each passage then counts as a document."""
DOCUMENTS_FOR_LANGUAGE = 100
"""First documents by which the language is recognised."""
CHARACTERS_FOR_LANGUAGE = 200
"""Characters of each of them."""
_MODEL_QUERY_KEYS = ("countries", "only", "count", "deduplicate", "date")
"""Keys of a query that a model takes."""
_COUNTED = {
    "acts": "acts, not mentions",
    "copies": "near copies of a report once",
    "days": "one event a day for each country",
    "event": "at the event's own date",
}
_MAX_PRINTED_COUNTRIES, _MIN_PRINTED_COUNT = 5, 0.5
"""Countries that are printed, and the expected count from which on they are."""
_MAX_PRINTED_PERIODS = 12
_MAX_COUNTRIES_DRAWN = 2
_MIN_WIDTH_FOR_WHOLE_NUMBERS = 5
"""Width of an interval from which on a count has no decimals."""
_DOUBT = "to include what extraction missed, label a sample: nlpcalib plan items, then estimate"
_LEARNT_DOUBT = (
    "intervals assume the model is as accurate here as on its training texts",
    "to correct for its errors, label a sample: nlpcalib plan items, then estimate",
)
_SILVER_DOUBT = (
    "no label taught this model: its probabilities are those of rules that read unlabelled news",
    "labels teach it: nlpcalib learn --start {}",
)


@dataclass(frozen=True, eq=False)
class EventReport:
    """What documents report of a query: events, and their counts with intervals."""

    query: Query
    period: str
    """A key of `nlpcalib.tables.periods.UNITS`."""
    counts: EventCounts
    """Per country and period, in samples and exactly."""
    of_any_country: EventCounts
    """Per period, of any country: a document with events of several counts once."""
    selected: int
    """Documents with a word of the query: those that were parsed."""
    events: list[dict]
    """A row for each mention that may have the event, see `nlpcalib.events.count.rows.candidate_rows`.

    A learnt model has none."""
    document_events: list[DocumentRow]
    """A row for each document and country, with the probability that counts are made of."""
    table: EventTable
    """The same with samples, as they are counted."""
    records: list[dict] | None
    """What the page of the audit shows of each document, if one was asked for."""
    seed: int
    model: EventModel | None = None
    """The model that read the documents, if one did."""
    dyads: tuple[DyadRow, ...] = ()
    """A row for each document, source and target, of a model that has weights of pairs."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    without_words: tuple[int, float] = (0, 0.0)
    """The candidates in documents without a word of the model, and the sum of their probabilities."""

    @property
    def documents(self) -> int:
        """How many documents were read."""
        return sum(self.counts.documents.values())

    @property
    def counted(self) -> str:
        """What is counted: documents with an event, or days with one."""
        return self.query.count

    @property
    def countries(self) -> list[CountRow]:
        """A row for each country, most frequent first, see `total_counts`."""
        return total_counts(self.counts)

    @cached_property
    def totals(self) -> list[TotalRow]:
        """Counts of any country: a row for all periods together, then one for each, see `total_rows`."""
        return self._with_rates(total_rows(self.of_any_country))

    @property
    def series(self) -> list[TotalRow]:
        """A row for each country and period, whose `low` and `high` hold, see `held_rows`."""
        return self._with_rates(held_rows(count_series(self.counts)))

    def _with_rates(self, rows: list[TotalRow]) -> list[TotalRow]:
        """Return rows without rates if days are counted: these are no share of the documents."""
        if self.counted == "documents":
            return rows
        return [{**row, "rate": None, "rate_low": None, "rate_high": None} for row in rows]

    def compare(self, first: str, second: str) -> list[ComparisonRow]:
        """Return how probable it is in each period that one country, by its code, has more events than another."""
        pair = first, second
        return comparison_rows(self.table.of_countries(pair), self.counts, pair)

    def lines(self) -> list[str]:
        """Return the answer in words."""
        some = f"{len({row['document'] for row in self.document_events}):,}"
        read = counted(self.documents, "document")
        parts = (
            f"{self.selected:,} with a word of the query, {some} that may report an event"
            if self.model is None
            else f"{some} that name a country" + (" or that the model reads without" if self._reads_unnamed else "")
        )
        whole, *periods = self.totals
        first = (
            f"{self.query.name}: {_count(whole)} of {read} report an event ({_interval(whole)}, 95 %)"
            if self.counted == "documents"
            else f"{self.query.name}: {_count(whole)} days have an event ({_interval(whole)}, 95 %), in {read}"
        )
        asked = (self.query.only, self.query.count, *self.query.deduplicate, self.query.date)
        ways = [_COUNTED[each] for each in asked if each in _COUNTED]
        how = [f"counted: {', '.join(ways)}"] if ways else []
        lines = [first, f"documents: {read.split()[0]}, {parts}", *how]
        likely = [row for row in self.countries if row["mean"] >= _MIN_PRINTED_COUNT]
        if not likely:
            return [*lines, *self._without_words(), "no country has a likely event"]
        lines.append(f"intervals are 95 %, {CONDITIONS[self.query.reading]}")
        lines += [f"{row['period']}: {_count(row)} ({_interval(row)})" for row in periods[:_MAX_PRINTED_PERIODS]]
        if len(periods) > _MAX_PRINTED_PERIODS:
            lines.append(f"and {len(periods) - _MAX_PRINTED_PERIODS:,} more {self.period}s, which totals.csv lists")
        lines += [f"{row['name']}: {_count(row)} ({_interval(row)})" for row in likely[:_MAX_PRINTED_COUNTRIES]]
        if len(likely) > _MAX_PRINTED_COUNTRIES:
            lines.append(f"and {len(likely) - _MAX_PRINTED_COUNTRIES} more countries, which countries.csv lists")
        doubt: Sequence[str] = (_DOUBT,)
        if self.model is not None:
            silver = [each.format(self.model.name) for each in _SILVER_DOUBT]
            doubt = silver if self.model.card.get("items") == 0 else _LEARNT_DOUBT
        return [*lines, *self._without_words(), *doubt]

    @property
    def _reads_unnamed(self) -> bool:
        return self.model is not None and self.model.reads_unnamed

    def _without_words(self) -> list[str]:
        """Return what documents without a word of the model contribute, and what labels of such allow."""
        labelled = self.model.card.get("without words") if self.model is not None else None
        number, expected = self.without_words
        if not labelled or not number:
            return []
        n, events = labelled["candidates"], labelled["events"]
        low, high = (number * float(share) for share in frequency_interval(events, n))
        return [
            f"without a word of the model: {expected:.1f} expected for {number:,} countries that documents name; "
            f"{n:,} labelled ones, if drawn at random, allow {low:,.0f} to {high:,.0f}"
        ]

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.lines()[0]}>"

    def to_frame(self) -> DataFrame:
        """Return a data frame of counts: any country in all and by period, then each country; needs pandas."""
        return frame_of([*self.totals, *self.series])

    def save(self, folder: str | Path, *, style: str = "house") -> None:
        """Write what was found and counted, all files or none.

        `totals.csv` counts documents with an event of any country, in all and by period; `countries.csv` those of each
        country, and `series.csv` those of each country and period. `events.csv` and `document_events.csv` have what is
        counted. The figure `counts` shows the totals and the two most frequent countries. `methods.md` and
        `references.bib` describe the method, and `query.json` has the query.

        With an audit, `audit.html` asks a reader about events drawn with known probability. `nlpcalib estimate` reads
        the labels back with `audit_plan.json` and `audit_items.parquet`. A model writes no `events.csv`: it has no
        mentions, but probabilities of documents and countries, and if it has weights of pairs `dyads.csv`, those of
        sources and targets.
        """
        from nlpcalib.figures.series import draw_figure_6, draw_nothing
        from nlpcalib.figures.style import house_style

        with atomic_set(folder, "query.json", self.inputs) as temporary, house_style(style) as save:
            if self.model is None:
                write_csv(temporary / "events.csv", self.events)
            write_csv(temporary / "document_events.csv", self.document_events, DocumentRow.__annotations__)
            write_csv(temporary / "totals.csv", self.totals, TotalRow.__annotations__)
            write_csv(temporary / "countries.csv", self.countries, CountRow.__annotations__)
            write_csv(temporary / "series.csv", self.series, TotalRow.__annotations__)
            for name, text in zip(("methods.md", "references.bib"), event_methods(self), strict=True):
                (temporary / name).write_text(text, encoding="utf-8")
            if self.model is not None and self.model.pairs is not None:
                write_csv(temporary / "dyads.csv", self.dyads, DyadRow.__annotations__)
            drawing = draw_nothing(NO_EVENT)
            if self.counts.countries:
                likely = self.counts.countries[:_MAX_COUNTRIES_DRAWN]
                series = [*count_series(self.of_any_country, [ANY_COUNTRY]), *count_series(self.counts, likely)]
                rows = [{**row, "exact_low": row["low"], "exact_high": row["high"]} for row in held_rows(series)]
                figure, drawn = draw_figure_6(
                    rows, [[ANY_COUNTRY], *([each] for each in likely)], name=country_name,
                    condition=CONDITIONS[self.query.reading], counted=self.counted,
                )  # fmt: skip
                figure.suptitle(f"{self.query.name}, by {self.period}")
                drawing = figure, [{key: row[key] for key in row if not key.startswith("exact_")} for row in drawn]
            save(temporary / "counts", *drawing)
            if self.records is not None:
                page, plan, items = (temporary / name for name in AUDIT)
                audit_events(
                    lambda: self.records or [],
                    *(self.query, self.query.name, self.seed),
                    path_page=page, path_plan=plan, path_items=items,
                )  # fmt: skip
            summary = {
                "counted": self.counted,
                "period": self.period,
                "documents": self.documents,
                "selected": self.selected,
            }
            asked = {key: getattr(self.query, key) for key in ("name", "reading", "verbs", "roles", "countries")}
            if self.model is not None:
                asked = {
                    key: getattr(self.query, key) for key in ("name", "reading", "only", "count", "deduplicate", "date")
                }
                asked |= {"words": self.model.words, "definition": self.model.definition, "card": dict(self.model.card)}
            write_json(temporary / "query.json", {**asked, **summary, "countries": self.countries})


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
        Sources of names of countries, and of leaders, groups and cities, as `nlpcalib.events.read.lexicon.load_lexicon`
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
    inputs = tuple(
        Path(each) for each in (texts, coref, model, vectors) if isinstance(each, str | Path) and Path(each).is_file()
    )
    is_own_model = model is not None
    if model is None:
        model, query = _packaged(query)
    learnt = read_model(model) if isinstance(model, str | Path) else model
    if learnt is not None:
        asked = learnt_query(learnt, query)
    elif query is None:
        raise InputError("query: found none, expected a category, verbs or a model")
    else:
        asked = as_query(query)
    if audit and learnt is not None:
        raise InputError("audit: found a model, expected verbs: the page shows links; nlpcalib plan items --mark asks")
    if period not in UNITS:
        raise InputError(f"period: found {period!r}, expected one of {', '.join(UNITS)}")
    if samples < 2:
        raise InputError(f"samples: found {samples}, expected at least 2")
    countries, named = load_lexicon(lexicon), load_lexicon([*lexicon, *actors])
    for code in asked.countries:
        if code not in countries.codes:
            near = get_close_matches(code, countries.codes, n=1, cutoff=0.5)
            meant = f" such as {near[0]}" if near else ""
            raise InputError(f"countries: found {code!r}, expected a code of the lexicon{meant}")
    documents_read: Iterable[DatedText] = dated_texts(texts, columns, dates)
    found_vectors = None
    if vectors is not None or encoder:
        documents_read = list(documents_read)
        found_vectors = named_vectors(vectors, [text.id for text in documents_read], encoder)
    check_encoder(learnt or EventModel(asked.name, "", ()), found_vectors)
    beginning: list[str] = []
    documents_read = _noting_beginning(documents_read, beginning)
    days: list[np.datetime64] = []
    kept: dict[str, tuple[np.datetime64, str]] = {}

    def selected() -> Iterator[DatedText]:
        for passage, has_word in selected_passages(documents_read, [asked], MAX_PASSAGE_WORDS, None):
            days.append(np.datetime64(passage.date))
            if has_word:
                kept[passage.id] = days[-1], passage.text if "copies" in asked.deduplicate else ""
                yield passage

    found: list[EventProbability] = []
    pairs: list[EventProbability] = []
    rows: list[dict] = []
    records: list[dict] = []
    wordless: set[str] = set()
    if learnt is not None:
        for text in selected():
            if learnt.triggers and learnt.triggers.keys().isdisjoint(word.lower() for word in words_of(text.text)):
                wordless.add(text.id)
            only = asked.only == "acts"
            drawn: dict[str, Any] = {"vectors": found_vectors, "samples": samples, "seed": seed}
            found += learnt_events(text, learnt, named, asked.countries, only_acts=only, **drawn)
            pairs += learnt_dyads(text, learnt, named, **drawn)
    else:
        sampling = Sampling(verb_pattern([asked]), trees, seed)
        coreference = load_model(PACKAGED_MODEL if coref is None else coref)
        samples = -(-samples // trees) * trees
        for pair in load_parser(parser).sample_dated(selected(), sampling):
            for each in findings(readings(*pair), [asked], countries, coreference, samples=samples, seed=seed):
                found += each.probabilities
                rows += each.rows
                if audit:
                    records += each.records
    others = [float(event.stated or 0) for event in found if event.document in wordless]
    copies = {}
    if "copies" in asked.deduplicate:
        printed, bodies = zip(*kept.values(), strict=True) if kept else ((), ())
        copies = first_reports(list(kept), np.array(printed, dtype="datetime64[D]"), bodies)
    stored = stored_events((asked.name, event) for event in found)
    dates_read = np.array(days, dtype="datetime64[D]")
    found_in = event_table(stored, own_dates(asked, period))
    (table,) = as_counted([found_in], asked, copies)
    counts = query_counts([(dates_read, table)], asked, period)
    (total,) = as_counted([any_country(found_in, joint=learnt is None)], asked, copies)
    of_any = count_events([(dates_read, total)], period, own_dates=bool(asked.date))
    report_findings(examine_periods(counts.documents, period), ", ".join(map(str, inputs)))
    if not is_own_model:  # which may have learnt another language
        notice_language(str(inputs[0]) if inputs else "texts", "\n".join(beginning), recognised=True)
    documents = document_rows([stored], copies)
    dyads = dyad_rows([event_table(stored_events((asked.name, pair) for pair in pairs))], asked.name)
    return EventReport(
        asked, period, counts, of_any, len(kept), rows, documents, table, records if audit else None, seed, learnt,
        tuple(dyads), inputs, (len(others), sum(others)),
    )  # fmt: skip


def _count(row: Mapping[str, Any]) -> str:
    """Return an expected count with no more digits than its interval allows."""
    wide = row["high"] - row["low"] >= _MIN_WIDTH_FOR_WHOLE_NUMBERS
    return f"{row['mean']:,.{0 if wide or row['high'] == row['low'] else 1}f}"


def _interval(row: Mapping[str, Any]) -> str:
    return f"{row['low']:,} to {row['high']:,}"


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
            f"query: found {query!r} with a model of {model.name}, expected {' or '.join(_MODEL_QUERY_KEYS)} alone"
        )
    return Query.of_model(model.name, model.words, settings)


def as_query(query: str | Mapping[str, Any] | Query) -> Query:
    """Return a query of verbs: of one by its name, or of a mapping, which needs no `name`."""
    if isinstance(query, Query):
        return query
    if isinstance(query, str):
        query = {"verbs": [query]}
    words = query.get("verbs", ())
    return Query.from_mapping({"name": str(words[0]) if words else "events", **query})
