"""`nlpcalib.learn_events`: a model of events, learnt from the labels of dated texts."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, counted, decimals, quoted, some
from nlpcalib.predictions.country_answers import ANSWERS_COLUMN, read_country_answers
from nlpcalib.seeding import checked_seed
from nlpcalib.systems.events.dated_texts import dated_texts
from nlpcalib.systems.events.learn.answers import CountryAnswers, model_of_answers
from nlpcalib.systems.events.learn.candidates import (
    UNNAMED,
    Candidate,
    country_candidates,
    forms_of,
    pair_candidates,
    text_candidate,
)
from nlpcalib.systems.events.learn.files import read_model, write_model
from nlpcalib.systems.events.learn.labels import Labelled, labelled_candidates, read_event_labels
from nlpcalib.systems.events.learn.marks import EventLabel, marked_countries
from nlpcalib.systems.events.learn.model import (
    MIN_ITEMS_PER_CLASS,
    NO_KEYWORD_FEATURE,
    EventModel,
    card_of,
    check_encoder,
    items_of_either_kind,
    learn,
)
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, country_names, load_lexicon
from nlpcalib.systems.events.read.query import packaged_categories
from nlpcalib.systems.events.read.selection import names_a_country, words_of
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.tables.columns import texts as column_texts
from nlpcalib.tables.distinct import repeated
from nlpcalib.tables.table import Table
from nlpcalib.tables.vectors import TextVectors, named_vectors

_ANSWERS_ENDINGS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
"""Endings of tables; a model is JSON."""
_MIN_EVENT_SHARE, _MIN_LIFT, _MAX_SUGGESTED_WORDS = 0.06, 6, 8
"""A word is suggested if it is in this share of the days with an event, and this many times as often as elsewhere."""
_MIN_EVENT_DAYS = 3
"""Days of events that a suggested word is in: words of one or two days are those of an event, and not of the kind."""

_MAX_UNLABELLED_TEXTS = 2_000
"""Texts whose candidates show what a text without a word looks like, where no label does."""


@dataclass(frozen=True, eq=False)
class LearntEvents:
    """A model of events, and how it does on labels that it was not fitted to."""

    model: EventModel
    probabilities: np.ndarray
    """float64 (N,): cross-fitted, of each country that a labelled text names."""
    y: np.ndarray
    """float64 (N,): whether the text reports an event of the country."""
    suggested: tuple[str, ...]
    """Words that are frequent in texts with an event and rare in others, and not among the model's.

    They are those that lower the log loss of held-out labels; a model that starts from another has its words."""
    absent: tuple[str, ...] = ()
    """Words that were asked for and stand in no text: they teach nothing."""

    def __str__(self) -> str:
        """Return the answer in words, as the shell prints it."""
        card = self.model.card
        precision = "none" if card["precision"] is None else decimals(card["precision"], 2)
        shown = ", ".join(f"{decimals(p, 2)}/{decimals(y, 2)} ({n:,})" for p, y, n in card["bins"])
        what = "texts" if self.model.of_texts else "countries"
        parts = {what: self.model, "pairs": self.model.pairs, "acts": self.model.acts}
        taught = f"{self.model.name}: {counted(card['items'], 'text')}"
        if self.model.of_texts:
            taught += (
                f", {card['events']:,} with an event; labels are yes or no: the model reads whole texts, no countries"
            )
        else:
            taught += (
                f" with {counted(card['candidates'], 'candidate')}, countries that they name; "
                f"{counted(card['events'], 'event')}, and {card['unnamed']:,} of other countries"
            )
        lines = [
            taught,
            f"cross-fitted: log loss {decimals(card['log_loss'], 2)} for each event, precision {precision} and recall "
            f"{decimals(card['recall'], 2)} at .5, sum of probabilities {decimals(card['expected'], 2)} of the events",
            f"probabilities stated/share with an event (candidates): {shown}",
            "weights: " + "; ".join(f"{name} from {part.card['weights']}" for name, part in parts.items() if part),
        ]
        nameless = card["without country"]
        if nameless["candidates"]:
            read = "events --model counts such documents" if self.model.reads_unnamed else "too few to learn from"
            texts = counted(nameless["candidates"], "text")
            lines.append(f"{texts} that name no country, {nameless['events']:,} with an event: {read}")
        if self.model.encoder:
            lines.append(f"vectors: {self.model.encoder}, {len(self.model.vector_weights)} numbers for each text")
        if self.absent:
            lines.append(f"words in no text: {', '.join(self.absent)}; expected verbs as in take, nouns as in quake")
        if self.suggested:
            lines.append(f"words to consider: {', '.join(self.suggested)}")
        return "\n".join(lines)

    def record(self) -> dict[str, Any]:
        """Return the name and the card of the model, and the words to consider or found in no text."""
        return {"name": self.model.name, **self.model.card, "suggested": self.suggested, "absent": self.absent}

    def save(self, path: str | Path) -> None:
        """Write the model, as JSON or, if the name ends in `.gz`, compressed."""
        write_model(path, self.model)


def learn_events(
    texts: str | Path | Iterable[DatedText | Mapping[str, Any]],
    labels: Mapping[str, Iterable[str] | bool] | str | Path | Sequence[str | Path],
    *,
    columns: Mapping[str, str] | None = None,
    dates: str | None = None,
    category: str = "",
    words: Sequence[str] = (),
    definition: str = "",
    start: str | Path | EventModel | CountryAnswers | None = None,
    vectors: Any = None,
    encoder: str = "",
    lexicon: Sequence[str] = ("packaged",),
    actors: Sequence[str] = DEFAULT_ACTORS,
    seed: int = 0,
) -> LearntEvents:
    """Learn how probable it is that a text reports an event of a country that it names.

    Parameters
    ----------
    texts : path, or iterable of mappings
        Dated documents as `find_events` takes them, labelled ones among them.
    labels : mapping, path, or sequence of paths
        The codes of the countries with an event by the id of each labelled text; or files with `item` and `label`,
        which is codes (ISR USA), `none` or `cannot tell`. A code may be a mark: of a pair (ISR>PSE), or of what is
        only mentioned (~ISR). `yes`, or True, is an event in a text that names no country. Where all labels are yes or
        no, the model reads whole texts, and counts them by period alone.
    columns, dates : optional
        As `find_events` takes them.
    category : str
        A built-in one, whose words and definition are taken; or a name of your own.
    words : sequence of str
        Lemmas of verbs and nouns that often report such an event. A few are worth many labels.
    definition : str
        What annotators were asked to mark; it is kept in the model.
    start : str, Path, EventModel or mapping, optional
        A model, or its file, that labels change, or the category of a packaged one. Or a language model's answers: a
        table with `id` and `countries` (`nlpcalib.predictions.country_answers`), or the probability of each country by
        the id of the text. They train a model, which labels correct. Its weights of acts and of pairs stay, unless
        marks of mentions and of pairs teach others: at least five texts with and five without. Mentions count as events
        if it has weights of acts, and else not.
    vectors : path, array_like of shape (N, D) or mapping, optional
        Vectors of the texts from any encoder, which join the features; see `tables.vectors.read_vectors`.
    encoder : str
        The name of the encoder, with its version. The model keeps it, and refuses vectors of another.
    lexicon, actors : sequence of str
        As `find_events` takes them.
    seed : int
        Seed of the folds of cross-fitting.

    Raises
    ------
    InputError
        For files that cannot be read, labels of other texts, and labels `yes` of texts that name countries next to
        codes of others. Also for fewer than five texts with an event or without one.
    """
    checked_seed(seed)
    known = packaged_categories().get(category)
    asked = EventModel(
        category,
        definition or ("" if known is None else known.definition),
        tuple(
            dict.fromkeys(
                [word.strip().lower() for word in words] or (() if known is None else (*known.verbs, *known.nouns))
            )
        ),
    )
    answers = _answers(start)
    before = read_model(start) if answers is None and isinstance(start, str | Path) else None
    if isinstance(start, EventModel):
        before = start
    if before is not None:
        same = asked.name in ("", before.name)
        asked = replace(
            asked,
            name=asked.name or before.name,
            definition=asked.definition or (before.definition if same else ""),
            words=asked.words or before.words,
        )
        if set(asked.words) != set(before.words):
            raise InputError(
                f"words: found others than those of the model {before.name} to start from, expected its own"
            )
        asked = replace(asked, forms=before.forms)
    read = list(dated_texts(texts, columns, dates))
    ids, codes = {text.id for text in read}, load_lexicon(lexicon).codes
    found_vectors = named_vectors(vectors, [text.id for text in read], encoder)
    if before is not None and before.encoder:
        check_encoder(before, found_vectors)
    names = load_lexicon([*lexicon, *actors])
    if answers is not None:
        before = model_of_answers(asked, read, answers, names, {*country_names(), *codes}, found_vectors)
    files = [] if isinstance(labels, Mapping) else [labels] if isinstance(labels, str | Path) else list(labels)
    if isinstance(labels, Mapping):
        given = {name: marks if isinstance(marks, str | bool) else list(marks) for name, marks in labels.items()}
        labels_of: Callable[..., dict[str, EventLabel]] = partial(_given, given, ids, {*country_names(), *codes})
    else:
        labels_of = partial(
            read_event_labels,
            files,
            ids,
            codes,
            question=category or None,
        )
    acts = before.acts if before is not None else None
    mentioned = acts is not None
    found = labels_of(mentioned=mentioned)
    refused = {name for name, label in found.items() if label is True}
    uncoded = [text.id for text in read if text.id in refused and names_a_country(text, names)]
    if uncoded and any(isinstance(label, frozenset) and label for label in found.values()):
        # Without them, and with those that are none, all probabilities would be too low.
        raise InputError(
            f"labels: found yes for {some(uncoded)}, which name countries, and codes for others, expected the codes of "
            "the countries with an event for all, or yes and no for all"
        )
    of_texts = bool(uncoded) or (before is not None and before.of_texts)
    if before is not None and not before.of_texts and of_texts:
        raise InputError(
            f"start: found the model {before.name} of countries and labels of whole texts (yes for {some(uncoded)}), "
            "expected codes of countries, or no model to start from"
        )
    asked = replace(asked, name=asked.name or "events", of_texts=of_texts)
    labelled = partial(labelled_candidates, read, model=asked, lexicon=names)
    candidates = text_candidate if of_texts else partial(country_candidates, unnamed=True)
    data = labelled(found, of=candidates)
    bags = {text.id: {word.lower() for word in words_of(text.text)} for text in read}
    share = float(np.mean([not asked.triggers.keys().isdisjoint(bag) for bag in bags.values()]))
    fit = partial(learn, asked, vectors=found_vectors, seed=seed)
    unlabelled = () if before is not None else _without_words(read, data, asked, partial(candidates, lexicon=names))
    unknown = np.full(len(unlabelled), np.nan)
    model, crossed = fit(
        [*data.found, *unlabelled],
        np.concatenate([data.y, unknown]),
        np.concatenate([data.unit, data.unit.max(initial=0) + 1 + np.arange(len(unlabelled))]),
        share=share,
        start=before,
    )
    crossed = crossed[: len(data.y)]
    model = replace(model, card={**_card(data, crossed, before), **model.card})
    pairs = labelled(labels_of(roles=("pair",), mentioned=mentioned), of=pair_candidates)
    model = replace(model, pairs=_part(fit, pairs, before and before.pairs))
    if acts is not None:
        among = _among_events(data, labelled(labels_of(), of=candidates))
        model = replace(model, acts=_part(fit, among, acts))
    there = set().union(*bags.values())
    absent = tuple(word for word in asked.words if words and there.isdisjoint(forms_of([word])))
    days = {text.id: text.date for text in read}
    suggested = (
        () if before else _suggestions(bags, days, found, model, partial(labelled, of=candidates), found_vectors)
    )
    return LearntEvents(model, crossed, data.y, suggested, absent)


def _without_words(
    read: Sequence[DatedText], data: Labelled, model: EventModel, candidates: Callable[..., Iterable[Candidate]]
) -> tuple[Candidate, ...]:
    """Return candidates in texts without a word of the model, where labels have none: these set the level's start."""
    if not model.words or any(NO_KEYWORD_FEATURE in one.features for one in data.found):
        return ()
    texts = read[:: -(-len(read) // _MAX_UNLABELLED_TEXTS)]
    found = (one for text in texts for one in candidates(text, triggers=model.triggers))
    return tuple(one for one in found if NO_KEYWORD_FEATURE in one.features)


def _answers(start: Any) -> CountryAnswers | None:
    """Return a language model's answers, from a mapping or a table, if `start` is one."""
    if isinstance(start, Mapping):
        return start
    if not isinstance(start, str | Path) or not str(start).removesuffix(".gz").endswith(_ANSWERS_ENDINGS):
        return None
    table = Table(start)
    if missing := [name for name in ("id", ANSWERS_COLUMN) if not table.has(name)]:
        raise table.missing(missing[0])
    ids = column_texts(table.read({"id": "text"})["id"])
    if again := repeated(ids):
        raise InputError(f"{start}: found {again:,} ids again, expected each once")
    return dict(zip(ids, read_country_answers(table), strict=True))


def _part(
    fit: Callable[..., tuple[EventModel, np.ndarray]], data: Labelled, start: EventModel | None
) -> EventModel | None:
    """Return weights of pairs or acts: those of the labels, or where these are too few those of `start`, if any."""
    if min(items_of_either_kind(data.y, data.unit)) >= MIN_ITEMS_PER_CLASS:
        model, crossed = fit(data.found, data.y, data.unit, start=start)
        return replace(model, card=_card(data, crossed, start))
    return start and replace(start, card={**start.card, "weights": f"{start.name}, kept"})


def _card(data: Labelled, crossed: np.ndarray, start: EventModel | None) -> dict[str, Any]:
    """Return the card of weights that labels taught, from those of `start` if there are some."""
    weights = "labels" if start is None else f"{start.name}, changed by labels"
    wordless = np.array([NO_KEYWORD_FEATURE in one.features for one in data.found])
    nameless = np.array([one.country == UNNAMED for one in data.found])
    parts = {
        name: {"candidates": int(own.sum()), "events": int(data.y[own].sum())}
        for name, own in (("without words", wordless), ("without country", nameless))
    }
    return card_of(crossed, data.y, data.unit, data.unnamed) | {"weights": weights, **parts}


def _among_events(events: Labelled, acts: Labelled) -> Labelled:
    """Return the candidates with an event, and whether each is an act; both have the same candidates."""
    chosen = events.y > 0
    found = [one for one, has in zip(events.found, chosen.tolist(), strict=True) if has]
    return Labelled(found, acts.y[chosen], acts.unit[chosen], acts.unnamed)


def _given(
    labels: Mapping[str, str | bool | list[str]], ids: Collection[str], known: Collection[str], **counted_as: Any
) -> dict[str, EventLabel]:
    """Return labels that are given as marks by text; `InputError` for other texts, and for what is no known code.

    `counted_as` is what `marked_countries` takes: roles, and whether mentions count.
    """
    found: dict[str, EventLabel] = {}
    for name, marks in labels.items():
        if name not in ids:
            raise InputError(f"labels: found the text {name!r}, expected one of the {len(ids):,} texts")
        if isinstance(marks, bool):
            found[name] = marks or frozenset()
            continue
        try:
            codes = [] if isinstance(marks, str) else [marked_countries(mark, known, **counted_as) for mark in marks]
        except (InputError, AttributeError):
            codes = []
        if len(codes) < len(marks):
            raise InputError(
                f"labels: found {quoted(marks)} of {name!r}, expected a set of known codes such as {{'ISR'}}"
            )
        found[name] = frozenset().union(*codes)
    return found


def _suggestions(
    bags: Mapping[str, set[str]],
    days: Mapping[str, datetime.date],
    labels: Mapping[str, EventLabel],
    model: EventModel,
    labelled: Callable[..., Labelled],
    vectors: TextVectors | None,
) -> tuple[str, ...]:
    """Return words that labels suggest, if those that each half suggests lower the log loss of the other half.

    Halves have other days, so that no event is in both. Too few labels of either kind cannot show it, and suggest none.
    """
    known = {name: label for name, label in labels.items() if label is not None}
    with_event = {days[name] for name, label in known.items() if label}
    order = sorted({days[name] for name in known}, key=lambda day: (day not in with_event, day))
    half_of = {day: number % 2 for number, day in enumerate(order)}
    halves = [{name: label for name, label in known.items() if half_of[days[name]] == half} for half in (0, 1)]

    def held_out(one: Mapping[str, EventLabel], other: Mapping[str, EventLabel], added: tuple[str, ...]) -> float:
        category = replace(model, words=(*model.words, *added))
        train, test = (labelled(part, model=category) for part in (one, other))
        odds = learn(category, train.found, train.y, train.unit, vectors=vectors)[0].log_odds(test.found, vectors)
        return float(np.logaddexp(0, np.where(test.y > 0, -odds, odds)).sum())

    suggested, change = _suggested(bags, days, labels, model), 0.0
    for one, other in (halves, halves[::-1]) if suggested else ():
        train = labelled(one, model=model)
        if min(items_of_either_kind(train.y, train.unit)) < MIN_ITEMS_PER_CLASS:
            return ()
        if added := _suggested(bags, days, one, model):
            change += held_out(one, other, added) - held_out(one, other, ())
    return suggested if change < 0 else ()


def _suggested(
    bags: Mapping[str, set[str]], days: Mapping[str, datetime.date], labels: Mapping[str, Any], model: EventModel
) -> tuple[str, ...]:
    """Return words of many days with an event, and of few others; `bags` has the words of each text."""
    of_day: dict[datetime.date, set[str]] = {}
    for name, label in labels.items():
        if label:
            of_day.setdefault(days[name], set()).update(bags[name])
    inside = Counter(word for bag in of_day.values() for word in bag)
    number = Counter(word for bag in bags.values() for word in bag)
    events = [bags[name] for name, label in labels.items() if label]
    times = Counter(word for bag in events for word in bag)
    lift = {
        word: times[word] * len(bags) / (number[word] * len(events))
        for word, met in inside.items()
        if met >= max(_MIN_EVENT_DAYS, _MIN_EVENT_SHARE * len(of_day)) and word.isalpha() and word not in model.triggers
    }
    likely = sorted((word for word, value in lift.items() if value >= _MIN_LIFT), key=lambda word: (-lift[word], word))
    return tuple(likely[:_MAX_SUGGESTED_WORDS])
