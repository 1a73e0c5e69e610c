"""Audit records: the coreference links that an event's probability depends on.

The paper (section 6.2) reads documents with event probabilities near 50 %. In one, everything depends on whether
"Mr. Hussein" shares the entity of "President Saddam Hussein of Iraq". Such links can be computed. Antecedents a_m of
mentions m are independent, so the probability of the event E is, for every mention m,

    P(E) = Σ_j P(a_m = j) P(E | a_m = j)

over its antecedents j and NEW. P(a_m = j) is the model's. P(E | a_m = j) is the share of samples with the event after
a_m is set to j, with all other antecedents as sampled. This removes the noise of a_m itself, and a choice that changes
no sample has exactly no effect. The event depends on m to the extent that the choice explains its variance,

    share(m) = Σ_j P(a_m = j) (P(E | a_m = j) − P(E))² / (P(E) (1 − P(E))),

which is 1 if the choice determines the event, and 0 if they are independent. The link of m consists of the antecedents
that move the event to the other side of P(E) than NEW does. It is shown as "if so" and "if not", whose weighted mean
is P(E).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpcalib.seeding import generator
from nlpcalib.systems.coref.answer.answer import rounded
from nlpcalib.systems.events.read.probability import DocumentEvents, candidate_countries
from nlpcalib.systems.events.read.query import Query

_MIN_SHOWN_PROBABILITY = 0.01
"""Smallest probability, marginal or share that is shown; the effects of smaller ones are not computed."""
_MAX_CHOICES_LISTED = 4
"""Most choices that are listed for an event, those that explain most first."""


def audit_record(events: DocumentEvents, query: Query, *, seed: int = 0) -> dict:
    """Return what a reader needs to judge the events of a document, in plain types for a line of JSON.

    `events` is the result of `document_events` for the query, with the same `seed`.

    Returns
    -------
    dict
        `document`, `date` (ISO or None), `query`, `roles`;
        `sentences`: `words`, `space_after`, `speaker`;
        `mentions` that are referred to below: `sentence` (index into `sentences`), `start`, `end`;
        `candidates`: `sentence` and `verb`;
        `events`: `country`, `probability` (share of samples), `map_event` (whether the 1-best clustering has it), and
        `choices` that explain 1 % or more of its variance, the largest first: `mention`, `share`, `link`, `options`. A
        link has `antecedent` (the most probable), `others` (whether it has more), `probability`, and the event's
        probability `if_so` and `if_not`. Options have `antecedent`, `probability` and the event's probability `event`.
        Antecedents are indices into `mentions`, "new", or "others", which combines those below 1 %.
    """
    resolution, document = events.resolution, events.resolution.document
    choices = _choices(events, seed) if _is_uncertain(events) else []
    explaining = [_explaining(choices, column) for column in range(len(events.countries))]
    found = [choice for choice, _ in itertools.chain.from_iterable(explaining)]
    named = sorted(
        {each for choice in found for each in (choice.mention, *choice.antecedents) if isinstance(each, int)}
    )
    places = {number: place for place, number in enumerate(named)}
    spans = [resolution.mentions[number] for number in named]
    return {
        "document": document.id,
        "date": document.date.isoformat() if document.date else None,
        "query": query.name,
        "roles": list(query.roles),
        "sentences": [
            {"speaker": each.speaker, "words": list(each.words), "space_after": list(each.space_after)}
            for each in document.sentences
        ],
        "mentions": [{"sentence": span.sentence, "start": span.start, "end": span.end} for span in spans],
        "candidates": [{"sentence": each.sentence, "verb": each.verb} for each in events.found],
        "events": [
            {
                "country": event.country,
                "probability": rounded(event.probability),
                "map_event": event.map_event > 0,
                "choices": [_row(*each, column, places) for each in explaining[column]],
            }
            for column, event in enumerate(events.probabilities)
        ],
    }


@dataclass(frozen=True)
class _Choice:
    """The antecedents of a mention, and the probability of each country's event given each antecedent."""

    mention: int
    antecedents: tuple[int | str, ...]
    """O options: mentions, "new" and, if the rest has 1 % in total, "others"."""
    probabilities: np.ndarray
    """Probability of each option, float64 (O,), with the sum 1."""
    events: np.ndarray
    """Probability of each of C countries' events given each option, float64 (O, C)."""


def _is_uncertain(events: DocumentEvents) -> bool:
    share = events.samples.any(axis=0).mean(axis=1)
    return bool(((share > 0) & (share < 1)).any())


def _choices(events: DocumentEvents, seed: int) -> list[_Choice]:
    """Return the choices that can matter.

    These are uncertain choices of mentions that can share an entity with a candidate. The mention must be a candidate,
    be described with a country, or be reached from such a mention by antecedents.
    """
    resolution = events.resolution
    labelled = sorted({label.mention for label in events.found} | {label.mention for label in events.described})
    size = labelled[-1] + 1
    conditionals = resolution.conditionals[:size, :size]
    near = resolution.marginals[:size, [candidate.mention for candidate in events.found]].max(axis=1)
    certain = np.maximum(resolution.new[:size], conditionals.max(axis=1)) > 1 - _MIN_SHOWN_PROBABILITY
    reached = _reached(conditionals, labelled)
    chosen = np.flatnonzero((near >= _MIN_SHOWN_PROBABILITY) & (reached >= _MIN_SHOWN_PROBABILITY) & ~certain)
    rng = generator(seed, "entity samples", resolution.document.id)
    draws = _Draws.of(conditionals, events.samples.shape[-1], rng)
    return [
        _choice(events, conditionals[mention], int(mention), draws, below[labelled], labelled)
        for mention, below in zip(chosen, draws.below(chosen), strict=True)
    ]


def _reached(conditionals: np.ndarray, labelled: list[int]) -> np.ndarray:
    """Return the expected number of labelled mentions that are each mention or reach it by antecedents, (N,)."""
    reached = np.zeros(len(conditionals))
    reached[labelled] = 1
    for mention in range(len(conditionals) - 1, 0, -1):
        if reached[mention]:
            reached[:mention] += reached[mention] * conditionals[mention, :mention]
    return reached


@dataclass(frozen=True)
class _Draws:
    """The S samples of N mentions that `sample_entities` draws, with its random numbers and antecedents."""

    uniforms: np.ndarray
    """float64 (N, S): the uniform numbers that draw the antecedents."""
    antecedents: np.ndarray
    """int64 (N, S): the antecedent of each mention, or the mention itself if it is new."""
    entities: np.ndarray
    """int32 (N, S): the entity of each mention, numbered by its first mention."""

    @classmethod
    def of(cls, conditionals: np.ndarray, samples: int, rng: np.random.Generator) -> _Draws:
        uniforms = np.empty((len(conditionals), samples))
        antecedents = np.empty(uniforms.shape, dtype=np.int64)
        entities = np.empty(uniforms.shape, dtype=np.int32)
        columns = np.arange(samples)
        for mention, row in enumerate(uniforms):
            rng.random(out=row)
            row += columns
            row /= samples
            rng.shuffle(row)
            antecedents[mention] = _drawn(conditionals[mention], row, mention)
            entities[mention] = mention
            entities[mention] = entities[antecedents[mention], columns]
        return cls(uniforms, antecedents, entities)

    def below(self, mentions: np.ndarray) -> Iterator[np.ndarray]:
        """Yield, for each given mention, which mentions are it or reach it by antecedents, bool (N, S)."""
        size, samples = self.antecedents.shape
        places = self.antecedents * samples + np.arange(samples)
        # Bits of 64 mentions at a time, since memory for all of them would grow with N².
        for first in range(0, len(mentions), 64):
            batch = mentions[first : first + 64]
            bits = np.zeros(size, dtype=np.uint64)
            bits[batch] = np.uint64(1) << np.arange(len(batch), dtype=np.uint64)
            above = np.repeat(bits[:, None], samples, axis=1)
            flat = above.reshape(-1)
            for mention in range(batch[0] + 1, size):
                above[mention] |= flat[places[mention]]
            yield from ((above & bits[mention]) > 0 for mention in batch)


def _drawn(row: np.ndarray, uniforms: np.ndarray, mention: int) -> np.ndarray:
    """Return sampled antecedents of a mention with the probabilities `row`, int64 (S,); itself if it is new."""
    return np.searchsorted(np.cumsum(row[:mention]), uniforms, side="right")


def _choice(
    events: DocumentEvents, row: np.ndarray, mention: int, draws: _Draws, below: np.ndarray, labelled: list[int]
) -> _Choice:
    """Return a mention's choice; `row` has its antecedents' probabilities, and `below` is bool (labelled, S)."""
    listed = np.flatnonzero(row >= _MIN_SHOWN_PROBABILITY)
    listed = listed[np.argsort(-row[listed], kind="stable")].tolist()
    antecedents: list[int | str] = [*listed, "new"]
    probabilities = [*row[listed], max(1 - row.sum(), 0.0)]
    # The mentions that reach this one form its entity; with an antecedent, they join the antecedent's.
    joined = [*draws.entities[listed], np.full(below.shape[1], mention, dtype=np.int32)]
    rest = np.where(row < _MIN_SHOWN_PROBABILITY, row, 0.0)
    if rest.sum() >= _MIN_SHOWN_PROBABILITY:
        antecedents.append("others")
        probabilities.append(rest.sum())
        others = _drawn(rest / rest.sum(), draws.uniforms[mention], mention)
        there = draws.entities[others, np.arange(others.size)]
        joined.append(np.where(others == mention, mention, there))
    entities = np.where(below[:, None], np.stack(joined), draws.entities[labelled][:, None])
    weights = np.array(probabilities)
    return _Choice(mention, tuple(antecedents), weights / weights.sum(), _shares(events, entities, labelled))


def _shares(events: DocumentEvents, entities: np.ndarray, labelled: list[int]) -> np.ndarray:
    """Return the share of samples with the event, (O, C), for entities of labelled mentions, (labelled, O, S)."""
    _, options, samples = entities.shape
    rows = np.empty((labelled[-1] + 1, options * samples), dtype=entities.dtype)
    rows[labelled] = entities.reshape(len(labelled), -1)
    columns, present = candidate_countries(events.found, events.described, rows)
    wanted = present[:, [columns.index(country) for country in events.countries]].any(axis=0)
    return np.ascontiguousarray(wanted.reshape(-1, options, samples).mean(axis=2).T)


def _explaining(choices: Iterable[_Choice], column: int) -> list[tuple[_Choice, float]]:
    """Return the choices that an event depends on, with the share of its variance that each explains."""
    found = []
    for choice in choices:
        weights, given = choice.probabilities, choice.events[:, column]
        whole = float(weights @ given)
        variance = whole * (1 - whole)
        explained = float(weights @ (given - whole) ** 2)
        if variance > 0 and explained >= _MIN_SHOWN_PROBABILITY * variance:
            found.append((choice, rounded(explained / variance)))
    return sorted(found, key=lambda each: (-each[1], each[0].mention))[:_MAX_CHOICES_LISTED]


def _row(choice: _Choice, share: float, column: int, places: Mapping[Any, int]) -> dict:
    """Return a choice for the record, with mentions as their `places` there."""
    weights, given = choice.probabilities, choice.events[:, column]
    antecedents = [places.get(each, each) for each in choice.antecedents]
    above = given > float(weights @ given)
    as_new = above == above[choice.antecedents.index("new")]
    link, rest = np.flatnonzero(~as_new), np.flatnonzero(as_new)
    return {
        "mention": places[choice.mention],
        "share": share,
        "link": {
            "antecedent": antecedents[link[0]],
            "others": len(link) > 1,
            "probability": rounded(weights[link].sum()),
            "if_so": rounded(np.average(given[link], weights=weights[link])),
            "if_not": rounded(np.average(given[rest], weights=weights[rest])),
        },
        "options": [
            {"antecedent": antecedent, "probability": rounded(weight), "event": rounded(event)}
            for antecedent, weight, event in zip(antecedents, weights, given, strict=True)
        ],
    }
