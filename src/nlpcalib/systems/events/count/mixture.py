"""Events with the uncertainty of parsing and of coreference: samples of trees, each with samples of entities.

A document is read with each of K sampled trees of its sentences (Keith, Blodgett and O'Connor 2018). The best trees
give the 1-best count. Of S samples of entities, sample s belongs to tree s mod K, so

    P(event) = (1 / K) Σ_k P(event | tree k),

where P(event | tree k) is the share of tree k's samples with the event. Trees with equal evidence are one reading, and
coreference is resolved in the first of them.

Samples 1, 0, 1, 1 of K = 2 trees have the shares 1 and .5, and the probability .75:

    >>> event = EventProbability("a", None, "ISR", 1, np.array([1, 0, 1, 1]), parsers=2)
    >>> event.by_parser.tolist(), event.probability
    ([1.0, 0.5], 0.75)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpcalib.seeding import generator
from nlpcalib.systems.coref.answer.antecedents import Scored
from nlpcalib.systems.coref.answer.resolution import resolve_mentions
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.events.learn.audit import audit_record
from nlpcalib.systems.events.read.extraction import Evidence, find_evidence
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.probability import DocumentEvents, EventProbability, document_events
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.document import Document

_MAX_EVIDENCE_PER_ROW = 3


@dataclass(frozen=True, eq=False)
class TreeReading:
    """A document's events of a query, in trees of equal evidence. The first reading is that of the best trees."""

    trees: tuple[int, ...]
    """Numbers of this reading's sampled trees, from 0; there are none if only the best trees have this evidence."""
    seed: int
    events: DocumentEvents | None
    """The events, with samples of entities for each of these trees; None if there can be no event."""


@dataclass(frozen=True, eq=False)
class Findings:
    """The results of a query in a document with K sampled trees."""

    query: Query
    number: int
    """K; 1 if only the best trees are read."""
    readings: Sequence[TreeReading]

    @cached_property
    def _by_country(self) -> list[dict[str, EventProbability]]:
        """The events of each reading by country."""
        found = (each.events.probabilities if each.events else () for each in self.readings)
        return [{event.country: event for event in events} for events in found]

    @property
    def probabilities(self) -> list[EventProbability]:
        """The events by country, with S samples; sample s belongs to tree s mod K."""
        mixed = []
        for country in sorted(set().union(*self._by_country)):
            own = [events.get(country) for events in self._by_country]
            one, drawn = next(
                (event, max(len(each.trees), 1)) for each, event in zip(self.readings, own, strict=True) if event
            )
            samples = np.zeros((len(one.samples) // drawn, self.number), dtype=one.samples.dtype)
            for reading, event in zip(self.readings, own, strict=True):
                if event and reading.trees:
                    samples[:, reading.trees] = event.samples.reshape(len(samples), -1)
            best = own[0].map_event if own[0] else 0
            mixed.append(EventProbability(one.document, one.date, country, best, samples.ravel(), self.number))
        return mixed

    @property
    def rows(self) -> list[dict]:
        """The `candidate_rows`, each once, with the mean `probability`, and `parsers`, the number of trees with it.

        Candidates are the same if verb, role, mention and country are.
        """
        rows: dict[tuple, dict] = {}
        for reading in self.readings:
            if reading.events is None:
                continue
            for number, row in candidate_rows(reading.events):
                candidate = reading.events.found[number]
                span = reading.events.resolution.mentions[candidate.mention]
                verb, head = (candidate.sentence, candidate.verb), (span.sentence, span.head)
                place = verb, row["role"], head, row["mention"], row["country"]
                is_best = row["map_event"] and reading is self.readings[0]
                if reading.trees or is_best:
                    kept = rows.setdefault(place, {**row, "probability": 0.0, "map_event": False, "parsers": 0})
                    kept["probability"] += row["probability"] * len(reading.trees) / self.number
                    kept["map_event"] |= is_best
                    kept["parsers"] += len(reading.trees)
        return list(rows.values())

    @property
    def records(self) -> list[dict]:
        """The `audit_record` of the document, with the mean probability of each event, and in `parsers` each tree's.

        Each event is shown in the reading that gives it the highest probability, the first of equal ones.
        """
        mixed = {event.country: event for event in self.probabilities}
        own = self._by_country
        shown_by = {
            country: max(
                (place for place, events in enumerate(own) if country in events),
                key=lambda place: (bool(self.readings[place].trees), own[place][country].probability, -place),
            )
            for country in mixed
        }
        records = []
        for place, reading in enumerate(self.readings):
            if reading.events is None or place not in shown_by.values():
                continue
            record = audit_record(reading.events, self.query, seed=reading.seed)
            record["events"] = [
                each
                | {
                    "probability": round(mixed[each["country"]].probability, 6),
                    "map_event": mixed[each["country"]].map_event > 0,
                    "parsers": [round(float(share), 6) for share in mixed[each["country"]].by_parser],
                }
                for each in record["events"]
                if shown_by[each["country"]] == place
            ]
            records.append(record)
        return records


def findings(
    readings: Sequence[Document],
    queries: Sequence[Query],
    lexicon: CountryLexicon,
    model: AntecedentModel,
    *,
    temperature: float = 1.0,
    scored: Scored | None = None,
    samples: int = 100,
    seed: int = 0,
) -> list[Findings]:
    """Return the results of each query in one document.

    Parameters
    ----------
    readings : sequence of Document
        The document with its best trees, followed by the document with each of K sampled trees, from
        `systems.text.parsing.readings`. Without sampled trees, events have only the uncertainty of coreference.
    lexicon : CountryLexicon
    temperature : float
        Temperature of the antecedents, in place of those on the model's card.
    scored : Scored, optional
        The mentions and antecedents of the document, in place of the model's.
    samples : int
        S, the number of samples of entities, rounded up to a multiple of K.
    """
    number = max(len(readings) - 1, 1)
    trees: dict[tuple, list[int]] = {readings[0].sentences: []}
    for tree, reading in enumerate(readings[1:] or readings):
        trees.setdefault(reading.sentences, []).append(tree)
    distinct = {reading.sentences: reading for reading in readings}
    by_evidence: dict[tuple, tuple[Evidence, list[int]]] = {}
    for sentences, document in distinct.items():
        evidence = find_evidence(document, queries, lexicon, scored.mentions_in(document) if scored else None)
        by_evidence.setdefault(evidence.content, (evidence, []))[1].extend(trees[sentences])
    found: list[list[TreeReading]] = [[] for _ in queries]
    for evidence, numbers in by_evidence.values():
        own = tuple(sorted(numbers))
        own_seed = tree_seed(seed, own[0]) if own else seed
        count = -(-samples // number) * max(len(own), 1)
        resolution = None
        if evidence.affiliations:
            resolution = (
                scored.resolution(temperature=temperature, parsed=evidence.document)
                if scored
                else resolve_mentions(evidence.document, evidence.mentions, model, temperature=temperature)
            )
        for query, kept in zip(queries, found, strict=True):
            events = None
            if resolution:
                events = document_events(resolution, query, evidence, samples=count, seed=own_seed)
            kept.append(TreeReading(own, own_seed, events))
    return [Findings(query, number, kept) for query, kept in zip(queries, found, strict=True)]


def tree_seed(seed: int, tree: int) -> int:
    """Return the seed of a tree's samples of entities; for the first tree, `seed` itself."""
    return seed if tree == 0 else int(generator(seed, "tree", tree).integers(1 << 62))


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
