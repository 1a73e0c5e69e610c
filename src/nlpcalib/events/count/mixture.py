"""Several parsers of one text: their event probabilities averaged, and where they disagree (Breiman 1996, bagging).

The posterior is the mixture over M parsers in equal shares. A sample belongs to the same parser in all documents: it is
a corpus read by one parser, so what a parser misses everywhere is missed in all samples of it at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.coref.answer.resolution import resolve_mentions
from nlpcalib.coref.model.kinds import AS_TRAINED, AntecedentWeights
from nlpcalib.coref.model.model import AntecedentModel
from nlpcalib.events.count.dyads import document_dyads
from nlpcalib.events.count.rows import candidate_rows
from nlpcalib.events.learn.audit import audit_record
from nlpcalib.events.read.extraction import find_evidence
from nlpcalib.events.read.lexicon import CountryLexicon
from nlpcalib.events.read.probability import DocumentEvents, EventProbability, document_events
from nlpcalib.events.read.query import Query
from nlpcalib.seeding import generator
from nlpcalib.text.document import Document


def parser_seed(seed: int, parser: int) -> int:
    """Return the seed of a parser's samples: `seed` itself of the first, whose samples are those it has alone."""
    return seed if parser == 0 else int(generator(seed, "parser", parser).integers(1 << 62))


@dataclass(frozen=True)
class Findings:
    """What M parsers find of a query in a document."""

    query: Query
    events: list[DocumentEvents | None]
    """One of each parser; None if it can have none."""
    dyads: list[list[EventProbability]]

    @property
    def probabilities(self) -> list[EventProbability]:
        """The `mixed_probabilities` of the events."""
        return mixed_probabilities(self.events)

    @property
    def rows(self) -> list[dict]:
        """The `mixed_rows` of the events."""
        return mixed_rows(self.events)


def findings(
    documents: Sequence[Document],
    queries: Sequence[Query],
    lexicon: CountryLexicon,
    actors: CountryLexicon,
    model: AntecedentModel,
    *,
    weights: AntecedentWeights = AS_TRAINED,
    samples: int = 100,
    seed: int = 0,
) -> list[Findings]:
    """Return what is found of each query in one document, as each of M parsers reads it.

    `lexicon` and `actors` are those of `find_evidence`. Each parser has `samples` samples and a seed of its own.
    """
    found = [Findings(query, [None] * len(documents), [[] for _ in documents]) for query in queries]
    for parser, document in enumerate(documents):
        evidence = find_evidence(document, queries, lexicon, actors=actors)
        if not evidence.suffices:
            continue
        resolution = resolve_mentions(
            evidence.document, evidence.mentions, model, temperature=weights.temperature, new_weight=weights.new
        )
        own = parser_seed(seed, parser)
        for each in found:
            each.events[parser] = document_events(resolution, each.query, evidence, samples=samples, seed=own)
            each.dyads[parser] = list(document_dyads(resolution, each.query, evidence, samples=samples, seed=own))
    return found


def mixed_probabilities(found: Sequence[DocumentEvents | None]) -> list[EventProbability]:
    """Return the events of a document that M parsers have read, by country.

    Parameters
    ----------
    found : sequence of M
        What `document_events` returned for each parser's trees, with one number of samples S.

    Returns
    -------
    list of EventProbability
        With M · S samples, of which sample s is of parser s mod M. `map_event` is the first parser's.
    """
    return mixed_events([list(events.probabilities) if events else [] for events in found])


def mixed_events(found: Sequence[Sequence[EventProbability]]) -> list[EventProbability]:
    """Return the same for the events of M parsers, by country or by dyad."""
    by_parser = [{event.country: event for event in events} for events in found]
    mixed = []
    for country in sorted(set().union(*by_parser)):
        own = [events.get(country) for events in by_parser]
        any_own = next(event for event in own if event)
        none = np.zeros_like(any_own.samples)
        samples = np.stack([event.samples if event else none for event in own], axis=1).ravel()
        best = own[0].map_event if own[0] else 0
        mixed.append(
            EventProbability(any_own.document, any_own.date, country, best, samples, len(found), days=any_own.days)
        )
    return mixed


def mixed_rows(found: Sequence[DocumentEvents | None]) -> list[dict]:
    """Return the `candidate_rows` of M parsers, each once: with the mean `probability`, and `parsers` that have it.

    Candidates are the same if verb, role, mention and country are, whatever else their trees differ in.
    """
    rows: dict[tuple, dict] = {}
    for events in found:
        for place, row in _placed_rows(events) if events else ():
            kept = rows.setdefault(place, {**row, "probability": 0.0, "map_event": False, "parsers": 0})
            kept["probability"] += row["probability"] / len(found)
            kept["map_event"] |= row["map_event"] and events is found[0]
            kept["parsers"] += 1
    return list(rows.values())


def _placed_rows(events: DocumentEvents) -> Iterator[tuple[tuple, dict]]:
    """Yield each candidate row after what it is known by in the trees of any parser."""
    document = events.resolution.document
    starts = _character_starts(document)
    for number, row in candidate_rows(events):
        candidate = events.found[number]
        span = events.resolution.mentions[candidate.mention]
        verb, head = starts[candidate.sentence][candidate.verb], starts[span.sentence][span.head]
        yield (verb, row["role"], head, row["mention"], row["country"]), row


def _character_starts(document: Document) -> list[list[int]]:
    """Return where each word of each sentence begins, in characters but spaces."""
    starts: list[list[int]] = []
    place = 0
    for sentence in document.sentences:
        starts.append([])
        for word in sentence.words:
            starts[-1].append(place)
            place += len(word)
    return starts


def mixed_records(
    found: Sequence[DocumentEvents | None], probabilities: Sequence[EventProbability], query: Query, *, seed: int
) -> list[dict]:
    """Return the `audit_record` of a document, with the events' probabilities in the mixture, `parsers` by parser.

    `probabilities` are those of `mixed_probabilities`, `seed` that of the first parser. Each event is shown in the
    trees of the parser that gives it the highest probability, the first among equals: there are at most M records.
    """
    mixed = {event.country: event for event in probabilities}
    shown_by: dict[str, int] = {}
    for country, event in mixed.items():
        has = [parser for parser, events in enumerate(found) if events and country in events.countries]
        shown_by[country] = max(has, key=lambda parser: (event.by_parser[parser], -parser))
    records = []
    for parser, events in enumerate(found):
        if events is None or parser not in shown_by.values():
            continue
        record = audit_record(events, query, seed=parser_seed(seed, parser))
        record["events"] = [
            each
            | {
                "probability": round(mixed[each["country"]].probability, 6),
                "map_event": mixed[each["country"]].map_event > 0,
                "parsers": [round(float(share), 6) for share in mixed[each["country"]].by_parser],
            }
            for each in record["events"]
            if shown_by[each["country"]] == parser
        ]
        records.append(record)
    return records
