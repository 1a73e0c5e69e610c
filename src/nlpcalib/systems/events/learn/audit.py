"""Audit records: the coreference links that an event's probability depends on, and a page to look at them.

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
from heapq import nsmallest
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from nlpcalib.io.files import atomic_open
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.answer.answer import rounded
from nlpcalib.systems.events.read.lexicon import country_names
from nlpcalib.systems.events.read.probability import DocumentEvents, candidate_countries
from nlpcalib.systems.events.read.query import Query

_MIN_SHOWN_PROBABILITY = 0.01
"""Smallest probability, marginal or share that is shown; the effects of smaller ones are not computed."""
_MAX_CHOICES_LISTED = 4
"""Most choices that are listed for an event, those that explain most first."""
MAX_EVENTS_SHOWN = 100
"""Events on a page: more than one reads."""
_PREPOSITIONS = {"agent": "by", "patient": "on"}
_MAX_WORDS_QUOTED = 8


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
    choices = list(_choices(events, seed))
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


def _choices(events: DocumentEvents, seed: int) -> Iterator[_Choice]:
    """Yield the uncertain choices of mentions that can share an entity with a candidate.

    The mention must be a candidate, be described with a country, or be reached from such a mention by antecedents.
    """
    share = events.samples.any(axis=0).mean(axis=1)
    if not ((share > 0) & (share < 1)).any():
        return
    resolution = events.resolution
    labelled = np.unique([*(each.mention for each in events.found), *(each.mention for each in events.described)])
    size = int(labelled[-1]) + 1
    conditionals = resolution.conditionals[:size, :size]
    rng = generator(seed, "entity samples", resolution.document.id)
    uniforms, antecedents, entities = _drawn_samples(conditionals, events.samples.shape[-1], rng)
    reaching = _reaching(labelled, antecedents)
    near = resolution.marginals[:size, [candidate.mention for candidate in events.found]].max(axis=1)
    certain = np.maximum(resolution.new[:size], conditionals.max(axis=1)) > 1 - _MIN_SHOWN_PROBABILITY
    chosen = (near >= _MIN_SHOWN_PROBABILITY) & reaching.any(axis=(0, 1)) & ~certain
    for mention in np.flatnonzero(chosen).tolist():
        row = conditionals[mention]
        listed = np.flatnonzero(row >= _MIN_SHOWN_PROBABILITY)
        listed = listed[np.argsort(-row[listed], kind="stable")]
        options: list[int | str] = [*listed.tolist(), "new"]
        weights = [*row[listed], max(1 - row.sum(), 0.0)]
        # The mentions that reach this one form its entity; with an antecedent, they join the antecedent's.
        joined = [*entities[listed], np.full_like(entities[0], mention)]
        rest = np.where(row < _MIN_SHOWN_PROBABILITY, row, 0.0)
        if rest.sum() >= _MIN_SHOWN_PROBABILITY:
            options.append("others")
            weights.append(rest.sum())
            others = _drawn(rest / rest.sum(), uniforms[mention], mention)
            there = entities[others, np.arange(others.size)]
            joined.append(np.where(others == mention, mention, there))
        given = np.empty((size, len(joined), uniforms.shape[1]), dtype=entities.dtype)
        given[labelled] = np.where(reaching[:, :, mention][:, None], np.stack(joined), entities[labelled][:, None])
        probabilities = np.array(weights)
        yield _Choice(mention, tuple(options), probabilities / probabilities.sum(), _shares(events, given))


def _drawn_samples(
    conditionals: np.ndarray, samples: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the uniform numbers, antecedents and entities of N mentions that `sample_entities` draws, (N, S) each.

    The antecedent of a new mention is the mention itself, and an entity is its first mention.
    """
    uniforms, columns = np.empty((len(conditionals), samples)), np.arange(samples)
    antecedents, entities = np.empty((2, *uniforms.shape), dtype=np.int64)
    for mention, row in enumerate(uniforms):
        rng.random(out=row)
        row += columns
        row /= samples
        rng.shuffle(row)
        antecedents[mention] = _drawn(conditionals[mention], row, mention)
        entities[mention] = mention
        entities[mention] = entities[antecedents[mention], columns]
    return uniforms, antecedents, entities


def _drawn(row: np.ndarray, uniforms: np.ndarray, mention: int) -> np.ndarray:
    """Return sampled antecedents of a mention with the probabilities `row`, int64 (S,); itself if it is new."""
    return np.searchsorted(np.cumsum(row[:mention]), uniforms, side="right")


def _reaching(labelled: np.ndarray, antecedents: np.ndarray) -> np.ndarray:
    """Return whether L mentions are each mention or reach it by antecedents, (N, S), in each sample, bool (L, S, N)."""
    found = np.zeros((len(labelled), *antecedents.shape[::-1]), dtype=bool)
    rows, columns = np.arange(len(labelled))[:, None], np.arange(antecedents.shape[1])
    here, above = np.full(found.shape[:2], -1), np.repeat(labelled[:, None], antecedents.shape[1], axis=1)
    while (here != above).any():
        here, above = above, antecedents[above, columns]
        found[rows, columns, here] = True
    return found


def _shares(events: DocumentEvents, entities: np.ndarray) -> np.ndarray:
    """Return the share of samples with each country's event, (O, C), for the entities of N mentions, (N, O, S)."""
    countries, present = candidate_countries(events.found, events.described, entities.reshape(len(entities), -1))
    wanted = present[:, [countries.index(country) for country in events.countries]].any(axis=0)
    return np.ascontiguousarray(wanted.reshape(-1, *entities.shape[1:]).mean(axis=2).T)


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


def write_audit(path: str | Path, records: Iterable[Mapping], query: Query, title: str) -> None:
    """Write the least certain events of a query as one HTML page, each with its document and its link.

    `records` are those of `audit_record`, of which a document has several if its trees differ. Their order does not
    matter.
    """
    found = (
        (event["probability"] * (event["probability"] - 1), record["document"], event["country"], record, event)
        for record in records
        for event in record["events"]
        if event["probability"] > 0
    )
    shown = nsmallest(MAX_EVENTS_SHOWN, found, key=lambda each: each[:3])
    description = f"Countries that are the {' or '.join(query.roles)} of: {', '.join(query.words)}"
    page = Path(__file__).with_suffix("") / "page.html"
    head = Template(page.read_text("utf-8")).substitute(
        title=escape(title), description=escape(description), number=len(shown)
    )
    with atomic_open(path) as stream:
        stream.write(head)
        stream.writelines(_article(record, event) for *_, record, event in shown)
        if not shown:
            stream.write("<p>No events</p>\n")


def _article(record: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    """Return an event, what it depends on, and its document."""
    roles = " or ".join(_PREPOSITIONS[role] for role in record["roles"])
    country = country_names().get(event["country"], event["country"])
    best = "the" if event["map_event"] else "no such"
    trees = event.get("parsers", ())
    sampled = f" By each sampled tree: {', '.join(map(_percent, trees))}." if len(trees) > 1 else ""
    dated = f"{record['document']}, {record['date']}" if record["date"] else record["document"]
    return (
        f"<article>\n<h2>P({escape(record['query'])} {roles} {escape(country)}) = {_percent(event['probability'])}"
        f'</h2>\n<p class="hint">{escape(dated)}. The best clustering has {best} event.{sampled}</p>\n'
        f'<p class="hinge">{_hinge(record, event)}</p>\n'
        f"{''.join(_options(record, event))}{_document(record, event)}</article>\n"
    )


def _hinge(record: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    """Return the sentence that names what an event depends on."""
    if not event["choices"]:
        certain = event["probability"] in (0, 1)
        return "All samples agree." if certain else "It depends on no single uncertain link."
    choice = event["choices"][0]
    link = choice["link"]
    most = "" if choice["share"] >= 0.5 else "more than one link, most of all on "
    other = " or another like it" if link["others"] and link["antecedent"] != "others" else ""
    return (
        f"The event depends on {most}{_quoted(record, choice['mention'])} → "
        f"{_quoted(record, link['antecedent'])}{other}, which is "
        f"{_percent(link['probability'])} probable: if so {_percent(link['if_so'])}, if not "
        f"{_percent(link['if_not'])}."
    )


def _options(record: Mapping[str, Any], event: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table of the antecedents of each choice, with the probability of the event given each."""
    for choice in event["choices"]:
        yield f"<table>\n<tr><th>{_quoted(record, choice['mention'])} →</th>"
        yield "<th>probability</th><th>event then</th></tr>\n"
        for option in choice["options"]:
            cells = (_quoted(record, option["antecedent"]), _percent(option["probability"]), _percent(option["event"]))
            yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"
        yield "</table>\n"


def _quoted(record: Mapping[str, Any], place: int | str) -> str:
    """Return a mention with the number of its sentence, or what stands for a new entity and for other antecedents."""
    if isinstance(place, str):
        return "a new entity" if place == "new" else "one of several others"
    mention = record["mentions"][place]
    sentence, end = record["sentences"][mention["sentence"]], mention["start"] + _MAX_WORDS_QUOTED
    words = "".join(_spaced(sentence)[mention["start"] : min(mention["end"], end)]).strip()
    return f"<i>{escape(words)}{' …' if mention['end'] > end else ''}</i> (sentence {mention['sentence'] + 1})"


def _document(record: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    """Return the sentences of a document, with the verbs and the link of an event."""
    verbs = {(each["sentence"], each["verb"]) for each in record["candidates"]}
    ends = [(each["mention"], each["link"]["antecedent"]) for each in event["choices"][:1]]
    hinges = [record["mentions"][place] for pair in ends for place in pair if isinstance(place, int)]
    marked = {(each["sentence"], word) for each in hinges for word in range(each["start"], each["end"])}
    lines = []
    for number, sentence in enumerate(record["sentences"]):
        words = [escape(word) for word in _spaced(sentence)]
        words = [f"<b>{word}</b>" if (number, place) in verbs else word for place, word in enumerate(words)]
        words = [f"<mark>{word}</mark>" if (number, place) in marked else word for place, word in enumerate(words)]
        speaker = f"<b>{escape(sentence['speaker'])}:</b> " if sentence["speaker"] is not None else ""
        lines.append(f"<li>{speaker}{''.join(words)}</li>\n")
    return f"<ol>\n{''.join(lines)}</ol>\n"


def _spaced(sentence: Mapping[str, Any]) -> list[str]:
    """Return the words of a sentence, each with the space after it."""
    pairs = zip(sentence["words"], sentence["space_after"] or [True] * len(sentence["words"]), strict=True)
    return [word + " " * bool(space) for word, space in pairs]


def _percent(value: float) -> str:
    return f"{value:.0%}".replace("%", " %")
