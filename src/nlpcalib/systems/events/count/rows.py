"""Rows for people to check: candidate events with their sentences, events of documents, and dyads."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from typing import TypedDict

from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.count.series import country_name
from nlpcalib.systems.events.learn.candidates import ARROW
from nlpcalib.systems.events.read.probability import DocumentEvents, EventProbability

_MAX_EVIDENCE_PER_ROW = 3


def candidate_rows(events: DocumentEvents) -> Iterator[tuple[int, dict]]:
    """Yield the index into `events.found` and a row, for each candidate and each country that its entity can have.

    A row has `document`, `date`, `country`, `sentence` (its number, from 1), `text` (the sentence), `verb`, `role`,
    `mention`, `passive`, `negated` and `modal`. `evidence` has up to three mentions described with the country, with
    their exact marginals with `mention`. `named` is whether `mention` is one of them, so that coreference is not
    needed. `probability` is the share of samples in which the mention's entity is the country's, and `map_event`
    whether the 1-best clustering agrees.
    """
    document, mentions = events.resolution.document, events.resolution.mentions
    named = {(label.mention, label.country) for label in events.described}
    for number, candidate in enumerate(events.found):
        sentence = document.sentences[candidate.sentence]
        for column, country in enumerate(events.countries):
            probability, best = float(events.samples[number, column].mean()), bool(events.map_event[number, column])
            if not probability and not best:
                continue
            nearest = events.described_with(country, candidate.mention)[:_MAX_EVIDENCE_PER_ROW]
            evidence = (f"{mentions[each].text(document)} ({marginal:.2f})" for each, marginal in nearest if marginal)
            yield (
                number,
                {
                    "document": document.id,
                    "date": document.date,
                    "country": country,
                    "sentence": candidate.sentence + 1,
                    "verb": candidate.lemma,
                    "role": candidate.role,
                    "mention": mentions[candidate.mention].text(document),
                    "evidence": "; ".join(evidence),
                    "named": (candidate.mention, country) in named,
                    "probability": probability,
                    "map_event": best,
                    "passive": candidate.passive,
                    "negated": candidate.negated,
                    "modal": candidate.modal,
                    "text": sentence.text().strip(),
                },
            )


class DocumentRow(TypedDict):
    """See `document_row`."""

    document: str
    date: datetime.date | None
    country: str
    name: str
    probability: float
    map_event: bool
    parsers: str
    disagreement: float


def document_row(event: EventProbability) -> DocumentRow:
    """Return the row of a document and country with a possible event.

    Counts are computed from `probability`. `map_event` is whether the 1-best clustering has the event. `parsers` is the
    probability by each tree, and `disagreement` the largest of these minus the smallest.
    """
    shares = event.by_parser
    return {
        "document": event.document,
        "date": event.date,
        "country": event.country,
        "name": country_name(event.country),
        "probability": event.probability,
        "map_event": event.map_event > 0,
        "parsers": " ".join(f"{share:.6g}" for share in shares),
        "disagreement": float(shares.max() - shares.min()),
    }


class DyadRow(TypedDict):
    """A row of `dyad_rows`."""

    document: str
    date: datetime.date
    source: str
    target: str
    event: str
    """The name of the query."""
    probability: float


def dyad_rows(tables: Iterable[EventTable], query: str) -> list[DyadRow]:
    """Return a row for each document and dyad, by document."""
    rows: list[DyadRow] = []
    for table in tables:
        columns = (table.documents, table.dates, table.countries, table.probabilities)
        for document, date, dyad, p in zip(*(column.tolist() for column in columns), strict=True):
            source, target = dyad.split(ARROW)
            rows.append(DyadRow(document=document, date=date, source=source, target=target, event=query, probability=p))
    return sorted(rows, key=lambda row: (row["document"], row["source"], row["target"]))
