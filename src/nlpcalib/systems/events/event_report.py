"""The report of `nlpcalib.find_events`: events of a query, their counts with intervals, and the files of both."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import counted
from nlpcalib.estimation.changes import Change, change_sentences
from nlpcalib.io.files import write_csv
from nlpcalib.questions.answer import QuestionReport
from nlpcalib.questions.methods import with_references
from nlpcalib.systems.events.count.counts import EventCounts
from nlpcalib.systems.events.count.series import (
    ANY_COUNTRY,
    CONDITIONS,
    NO_EVENT,
    CountRow,
    DocumentRow,
    DyadRow,
    TotalRow,
    period_rows,
    total_counts,
    total_rows,
)
from nlpcalib.systems.events.count.trend import TREND_LEVEL, trend
from nlpcalib.systems.events.dated_texts import not_found
from nlpcalib.systems.events.learn.audit import write_audit
from nlpcalib.systems.events.learn.candidates import UNNAMED
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.read.query import Query
from nlpcalib.version import __version__

_MAX_PRINTED_COUNTRIES, _MIN_PRINTED_COUNT = 5, 0.5
"""Countries that are printed, and the expected count from which on they are."""
_MAX_PRINTED_PERIODS = 12
_MAX_COUNTRIES_DRAWN = 2
_MIN_WIDTH_FOR_WHOLE_NUMBERS = 5
"""Width of an interval from which on a count has no decimals."""
_MIN_LABELS_WITHOUT_WORDS = 30
"""Labels of documents without a word below which more are recommended: the interval then rests on the prior."""


@dataclass(frozen=True, eq=False, repr=False)
class EventReport(QuestionReport):
    """What documents report of a query: events, and their counts with intervals."""

    RECORD = "query.json"

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
    """A row for each mention that may have the event, see `nlpcalib.systems.events.count.mixture.candidate_rows`.

    A learnt model has none."""
    document_events: list[DocumentRow]
    """A row for each document and country, with the probability that counts are made of."""
    samples: int
    """How many samples of trees and entities each document has."""
    records: list[dict]
    """What the page shows that explains the events of verbs, of each document."""
    seed: int
    repeats: int = 0
    """How many documents have the words of an earlier one."""
    model: EventModel | None = None
    """The model that read the documents, if one did."""
    dyads: tuple[DyadRow, ...] = ()
    """A row for each document, source and target, of a model that has weights of pairs."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    without_words: np.ndarray = field(default_factory=lambda: np.empty(0))
    """float64 (N,): the probabilities of candidates in documents without a word of the model."""
    commands: Sequence[tuple[str, ...]] = ()
    """What plans labels of the file that was read, as arguments of `nlpcalib`; none where no file was read."""
    absent: tuple[str, ...] = ()
    """Verbs of the query that are the lemma of no word."""

    @property
    def documents(self) -> int:
        """How many documents were read."""
        return sum(self.counts.documents.values())

    @property
    def countries(self) -> list[CountRow]:
        """A row for each country, most frequent first, see `total_counts`."""
        return total_counts(self.counts)

    @cached_property
    def totals(self) -> list[TotalRow]:
        """Counts of any country: a row for all periods together, then one for each, see `total_rows`."""
        return total_rows(self.of_any_country)

    @property
    def series(self) -> list[TotalRow]:
        """A row for each country and period, see `period_rows`."""
        return period_rows(self.counts)

    @cached_property
    def trend(self) -> Change | None:
        """The mean change a period of the rate of documents with an event, see `nlpcalib.systems.events.count.trend`.

        None where only one period has documents.
        """
        return trend(self.of_any_country)

    def lines(self) -> list[str]:
        """Return the answer in words."""
        how = ["counted: acts, not mentions"] * (self.query.only == "acts")
        copies = counted(self.repeats, "document")
        repeated = [f"{copies} with the words of an earlier one: counted each time"] * (self.repeats > 0)
        read = f"documents: {self.documents:,}{self._documents_read()}"
        lines = [self._answer(), read, *not_found(self.absent), *repeated, *how]
        likely = [row for row in self.countries if row["mean"] >= _MIN_PRINTED_COUNT]
        if not likely:
            return [*lines, *self._without_words(), "no country has a likely event"]
        likely = [] if self._of_texts else likely
        lines.append(f"intervals are 95 %, {CONDITIONS[self.query.reading]}")
        lines += _first([(row["period"], row) for row in self.totals[1:]], _MAX_PRINTED_PERIODS, self.period, "totals")
        if self.trend is not None:
            lines += change_sentences([self.trend], TREND_LEVEL)
        lines += _first([(row["name"], row) for row in likely], _MAX_PRINTED_COUNTRIES, "country", "countries")
        lines += self._without_words()
        doubt = "to include what extraction missed, label a sample"
        if self.model is not None:
            taught = counted(self.model.card.get("events", 0), "labelled event")
            lines.append(
                f"intervals allow for the error of a level fitted to {taught}, and assume texts like the labelled ones"
            )
            doubt = "to correct for its errors, label a sample"
        commands = [f"  nlpcalib {shlex.join(each)}" for each in self.commands]
        return [*lines, f"{doubt}:" if commands else doubt, *commands]

    def _answer(self) -> str:
        """Return the count of all periods, in a sentence."""
        whole, read = self.totals[0], counted(self.documents, "document")
        number, interval = _count(whole), f"({_interval(whole)}, 95 %)"
        if self.model is None:
            has = "has" if number == "1" else "have"
            return f"{self.query.name}: {number} of {read} {has} it of a country, in any sense, also denied {interval}"
        return f"{self.query.name}: {number} of {read} {'reports' if number == '1' else 'report'} an event {interval}"

    def _documents_read(self) -> str:
        """Return how many documents may report an event, and why."""
        if self._of_texts:
            return ", which the model reads whole, whatever countries they name"
        nameless = len({row["document"] for row in self.document_events if row["country"] == UNNAMED})
        found = len({row["document"] for row in self.document_events}) - nameless
        if self.model is None:
            return f", {self.selected:,} with a word of the query, {found:,} that may report an event"
        return f", {found:,} that name a country" + f" and {nameless:,} that name none" * self.model.reads_unnamed

    @property
    def _of_texts(self) -> bool:
        """Whether a model of whole texts read the documents, so that no country has a count."""
        return self.model is not None and self.model.of_texts

    def _without_words(self) -> list[str]:
        """Return what documents without a word of the model contribute, and how many labels show it."""
        labelled = self.model.card.get("without words") if self.model is not None else None
        number = len(self.without_words)
        if not labelled or not number:
            return []
        added = self.counts.levels.count(self.without_words, np.ones(number, dtype=bool))
        low, high = added.interval()
        others = "documents" if self._of_texts else "countries that documents name"
        line = (
            f"without a word of the model: {added.mean:,.1f} expected ({low:,} to {high:,}) for {number:,} {others}, "
            f"by {counted(labelled['candidates'], 'labelled one')}"
        )
        return [line if labelled["candidates"] >= _MIN_LABELS_WITHOUT_WORDS else f"{line}: label random ones"]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the counts: any country in all and by period, then each country."""
        return [*self.totals, *self.series]

    def write(self, folder: Path, *, style: str) -> None:
        """Write what was found and counted.

        `totals.csv` counts documents with an event of any country, in all and by period; `countries.csv` those of each
        country, and `series.csv` those of each country and period. `events.csv` and `document_events.csv` have what is
        counted. The figure `counts` shows the totals and the two most frequent countries. `methods.md` and
        `references.bib` describe the method.

        Of verbs, `audit.html` shows the links that the least certain events depend on. A model writes
        no `events.csv` and no such page: it has no mentions, but probabilities of documents and countries, and if it
        has weights of targets `dyads.csv`, those of sources and targets.
        """
        from nlpcalib.figures.style import house_style
        from nlpcalib.systems.events.count.figure import draw_counts, draw_nothing

        with house_style(style) as save:
            if self.model is None:
                write_csv(folder / "events.csv", self.events)
                write_audit(folder / "audit.html", self.records, self.query, self.query.name)
            write_csv(folder / "document_events.csv", self.document_events, DocumentRow.__annotations__)
            write_csv(folder / "totals.csv", self.totals, TotalRow.__annotations__)
            write_csv(folder / "countries.csv", self.countries, CountRow.__annotations__)
            write_csv(folder / "series.csv", self.series, TotalRow.__annotations__)
            for name, text in zip(("methods.md", "references.bib"), event_methods(self), strict=True):
                (folder / name).write_text(text, encoding="utf-8")
            if self.model is not None and self.model.targets is not None:
                write_csv(folder / "dyads.csv", self.dyads, DyadRow.__annotations__)
            drawing = draw_nothing(NO_EVENT)
            if self.counts.countries:
                likely = [] if self._of_texts else list(self.counts.countries[:_MAX_COUNTRIES_DRAWN])
                series = [*period_rows(self.of_any_country, [ANY_COUNTRY]), *period_rows(self.counts, likely)]
                condition = CONDITIONS[self.query.reading]
                figure, drawn = draw_counts(series, [ANY_COUNTRY, *likely], condition)
                figure.suptitle(f"{self.query.name}: documents by {self.period}")
                drawing = figure, drawn
            save(folder / "counts", *drawing)

    def record(self) -> dict[str, Any]:
        """Return the query, and what was counted."""
        summary = {
            "period": self.period,
            "documents": self.documents,
            "selected": self.selected,
        }
        asked = {key: getattr(self.query, key) for key in ("name", "reading", "verbs", "roles", "countries")}
        if self.model is not None:
            asked = {key: getattr(self.query, key) for key in ("name", "reading", "only")}
            asked |= {"words": self.model.words, "definition": self.model.definition, "card": dict(self.model.card)}
        return {**asked, **summary, "countries": self.countries, "commands": [list(each) for each in self.commands]}


def event_methods(report: EventReport) -> tuple[str, str]:
    """Return what an `EventReport` did, in Markdown with citations, and the references in BibTeX."""
    query, model, whole = report.query, report.model, report.totals[0]
    if model is None:
        read = (
            f"{report.selected:,} of {counted(report.documents, 'document')} have a form of "
            f"{' or '.join(f'*{verb}*' for verb in query.verbs)}. Their sentences were parsed and their entities "
            f"resolved; {counted(report.samples, 'sample')} of trees and entities of each document "
            f"decide how probable an event of a country is, as {' or '.join(query.roles)}, in any sense, also denied "
            "[@nguyen2015]"
        )
        joint = "A document with events of several countries counts once, by the same samples"
        assumed = "They hold if extraction is right given trees and entities, and do not cover what it misses"
    else:
        items = model.card.get("items", 0)
        taught = f"labels of {counted(items, 'text')}"
        number = counted(report.documents, "document")
        each = f"each of {number}" if model.of_texts else f"each country that one of {number} names"
        read = f"A model of *{model.name}*, taught by {taught}, gave {each} the probability of an event"
        joint = (
            "A document counts once, however many events it reports"
            if model.of_texts
            else "A document with events of several countries counts once, and these are taken for independent given "
            "the model"
        )
        levels = "levels" if "levels" in model.card else "a level"
        assumed = (
            f"They include the sampling error of {levels} that the labels of "
            f"{counted(model.card.get('events', 0), 'event')} set, and hold for documents like the labelled ones"
        )
    of_name = "" if query.name == "events" else f" of {query.name}"
    sentences = [
        f"We counted documents with an event{of_name} by {report.period}.",
        f"{read}.",
        *["Only acts count, not mentions."] * bool(query.only),
        f"{joint}.",
        f"Counts are Poisson-binomial, given these probabilities, and intervals are their central 95 %. {assumed}.",
        f"In all, {whole['mean']:.0f} documents are expected (95 % interval {whole['low']:,} to {whole['high']:,}).",
        *([] if report.trend is None else change_sentences([report.trend], TREND_LEVEL)),
        f"Computed with nlpcalib {__version__} (seed {report.seed}) [@nlpcalib].",
    ]
    return with_references(sentences)


def _first(named: Sequence[tuple[str, Mapping[str, Any]]], number: int, kind: str, table: str) -> list[str]:
    """Return so many lines of counts, each after its name, and how many more a table lists."""
    more = [f"and {counted(len(named) - number, f'more {kind}')}, which {table}.csv lists"] * (len(named) > number)
    return [*(f"{name}: {_count(row)} ({_interval(row)})" for name, row in named[:number]), *more]


def _count(row: Mapping[str, Any]) -> str:
    """Return an expected count with no more digits than its interval allows."""
    wide = row["high"] - row["low"] >= _MIN_WIDTH_FOR_WHOLE_NUMBERS
    return f"{row['mean']:,.{0 if wide or row['high'] == row['low'] else 1}f}"


def _interval(row: Mapping[str, Any]) -> str:
    return f"{row['low']:,} to {row['high']:,}"
