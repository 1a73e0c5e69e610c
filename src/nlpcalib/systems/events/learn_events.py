"""`nlpcalib.learn_events`: a model of events, learnt from the labels of dated texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.calibration.mean_gap import frequency_interval
from nlpcalib.errors import InputError, counted, decimals, located, some
from nlpcalib.systems.events.dated_texts import dated_texts, not_found
from nlpcalib.systems.events.learn.candidates import (
    ARROW,
    UNNAMED,
    Candidate,
    country_candidates,
    forms_in,
    forms_of,
    pair_candidates,
    text_candidate,
)
from nlpcalib.systems.events.learn.files import write_model
from nlpcalib.systems.events.learn.labels import (
    EventLabel,
    Labelled,
    event_label,
    labelled_candidates,
    read_event_labels,
)
from nlpcalib.systems.events.learn.model import (
    MIN_ITEMS_PER_CLASS,
    NO_KEYWORD_FEATURE,
    EventModel,
    card_of,
    items_of_either_kind,
    learn,
)
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, country_names, load_lexicon
from nlpcalib.systems.events.read.query import packaged_categories
from nlpcalib.systems.events.read.selection import names_a_country, words_of
from nlpcalib.systems.text.dated import DatedText

_MAX_UNLABELLED_TEXTS = 2_000
"""Texts whose candidates show what a text without a word looks like, where no label does."""


@dataclass(frozen=True, eq=False)
class LearntEvents:
    """A model of events, and how good it is on held-out labels."""

    model: EventModel
    probabilities: np.ndarray
    """float64 (N,): cross-fitted, of each country that a labelled text names."""
    y: np.ndarray
    """float64 (N,): whether the text reports an event of the country."""
    absent: tuple[str, ...] = ()
    """Words that were asked for and occur in no text."""

    def __str__(self) -> str:
        """Return the answer in words, as the shell prints it."""
        card = self.model.card
        shown = ", ".join(f"{decimals(p, 2)}/{decimals(y, 2)} ({n:,})" for p, y, n in card["bins"])
        # Copies are one text, and each has candidates and events of its own.
        texts = counted(card["items"], "different text")
        if self.model.of_texts:
            copies = f" (of {texts})" if card["items"] < card["candidates"] else ""
            taught = (
                f"{counted(card['candidates'], 'labelled text')}{copies}, {card['events']:,} with an event; labels are "
                "yes or no: the model reads whole texts, no countries"
            )
        else:
            taught = (
                f"{texts} with {counted(card['candidates'], 'candidate')}, countries that they name; "
                f"{counted(card['events'], 'event')}, and {card['unnamed']:,} of other countries"
            )
        lines = [
            f"{self.model.name}: {taught}",
            f"On held-out labels: {_share('precision', *self._hits(self.probabilities >= 0.5))}, "
            f"{_share('recall', *self._hits(self.y > 0))} at .5; predicted "
            f"{float(self.probabilities.sum()):,.1f} events of {card['events']:,}; log loss "
            f"{decimals(card['log_loss'], 2)} for each event",
            f"probabilities stated/share with an event (candidates): {shown}",
        ]
        nameless = card["without country"]
        if nameless["candidates"]:
            read = "events --model counts such documents" if self.model.reads_unnamed else "too few to learn from"
            texts = counted(nameless["candidates"], "text")
            lines.append(f"{texts} that name no country, {nameless['events']:,} with an event: {read}")
        lines += not_found(self.absent)
        lines.append(
            "this model is for countries and dates that labels cannot cover; for a total, nlpcalib plan items and "
            "estimate have an interval as narrow without it"
        )
        return "\n".join(lines)

    def _hits(self, among: np.ndarray) -> tuple[float, int]:
        """Return how many of some candidates, bool (N,), are events at p ≥ .5, and how many candidates these are."""
        return float((among & (self.probabilities >= 0.5) & (self.y > 0)).sum()), int(among.sum())

    def record(self) -> dict[str, Any]:
        """Return the name and the card of the model, and the words found in no text."""
        return {"name": self.model.name, **self.model.card, "absent": self.absent}

    def save(self, path: str | Path) -> None:
        """Write the model, as JSON or, if the name ends in `.gz`, compressed."""
        write_model(path, self.model)


def learn_events(
    texts: str | Path | Iterable[DatedText | Mapping[str, Any]],
    labels: Mapping[str, Iterable[str] | bool] | str | Path | Sequence[str | Path],
    *,
    id: str | None = None,
    date: str | None = None,
    text: str | None = None,
    dates: str | None = None,
    category: str = "",
    words: Sequence[str] = (),
    lexicon: Sequence[str] = ("packaged",),
) -> LearntEvents:
    """Learn how probable it is that a text reports an event of a country that it names.

    Use it for countries and dates that labels cannot cover. For a total, `plan_items` and `estimate` give an interval
    as narrow without a model.

    Parameters
    ----------
    texts : path, or iterable of mappings
        Dated documents as in `find_events`, labelled ones among them.
    labels : mapping, path, or sequence of paths
        The codes of the countries with an event by the id of each labelled text, such as {"ISR"}; or files with `item`
        and `label`, which is codes (ISR USA), `none` or `cannot tell`. A code may be a mark: of a pair (ISR>PSE), or of
        what is only mentioned (~ISR). `yes`, or True, is an event in a text that names no country. If all labels are
        yes or no, the model reads whole texts, and only counts them by period.
    id, date, text, dates : optional
        As in `find_events`.
    category : str
        A built-in category, to start from its words and definition, or a name of your own.
    words : sequence of str
        Lemmas of verbs and nouns that often report such an event. A few are worth many labels.
    lexicon : sequence of str
        As in `find_events`.

    Raises
    ------
    InputError
        If a file cannot be read, labels are of other texts, labels `yes` of texts that name countries stand next to
        codes of others, or fewer than five texts have an event, or have none.
    """
    known = packaged_categories().get(category)
    of_category = (*known.verbs, *known.nouns) if known else ()
    asked = EventModel(
        category or "events",
        known.definition if known else "",
        tuple(dict.fromkeys([word.strip().lower() for word in words] or of_category)),
    )
    read = list(dated_texts(texts, {"id": id, "date": date, "text": text}, dates))
    ids, codes = {text.id for text in read}, {*country_names(), *load_lexicon(lexicon).codes}
    names = load_lexicon([*lexicon, *DEFAULT_ACTORS])
    labels_of: Callable[..., dict[str, EventLabel]]
    if isinstance(labels, Mapping):
        labels_of = partial(_given, labels, ids, codes)
    else:
        files = [labels] if isinstance(labels, str | Path) else list(labels)
        labels_of = partial(read_event_labels, files, ids, codes, question=category or None)
    found = labels_of()
    uncoded = [text.id for text in read if found.get(text.id) is True and names_a_country(text, names)]
    if uncoded and any(isinstance(label, frozenset) and label for label in found.values()):
        # Without them, and with those that are none, all probabilities would be too low.
        raise InputError(
            f"labels: found yes for {some(uncoded)}, which name countries, and codes for others, expected the codes of "
            "the countries with an event for all, or yes and no for all"
        )
    asked = replace(asked, of_texts=bool(uncoded))
    labelled = partial(labelled_candidates, read, model=asked, lexicon=names)
    candidates = text_candidate if asked.of_texts else partial(country_candidates, unnamed=True)
    data = labelled(found, of=candidates)
    there = [set(forms_in([word.lower() for word in words_of(text.text)], asked.triggers).values()) for text in read]
    unlabelled = _without_words(read, data, asked, partial(candidates, lexicon=names))
    model, crossed = learn(
        asked,
        [*data.found, *unlabelled],
        np.concatenate([data.y, np.full(len(unlabelled), np.nan)]),
        np.concatenate([data.unit, data.unit.max(initial=0) + 1 + np.arange(len(unlabelled))]),
        share=float(np.mean(list(map(bool, there)))),
    )
    crossed = crossed[: len(data.y)]
    model = replace(model, card={**_card(data, crossed), **model.card})
    if not asked.of_texts:
        pairs = labelled(labels_of(roles=("pair",)), of=pair_candidates)
        model = replace(model, targets=_targets(asked, data, crossed, pairs))
    used = set().union(*there)
    absent = tuple(word for word in asked.words if words and used.isdisjoint(forms_of([word])))
    return LearntEvents(model, crossed, data.y, absent)


def _without_words(
    read: Sequence[DatedText], data: Labelled, model: EventModel, candidates: Callable[..., Iterable[Candidate]]
) -> tuple[Candidate, ...]:
    """Return candidates in texts without a word of the model, where labels have none: these set the level's start."""
    if not model.words or any(NO_KEYWORD_FEATURE in one.features for one in data.found):
        return ()
    texts = read[:: -(-len(read) // _MAX_UNLABELLED_TEXTS)]
    found = (one for text in texts for one in candidates(text, triggers=model.triggers))
    return tuple(one for one in found if NO_KEYWORD_FEATURE in one.features)


def _share(name: str, hits: float, number: int) -> str:
    """Return a share with its exact 95 % interval (Clopper and Pearson 1934)."""
    if not number:
        return f"{name} none"
    low, high = (decimals(float(end), 2) for end in frequency_interval(hits, float(number)))
    return f"{name} {decimals(hits / number, 2)} ({low} to {high})"


def _targets(asked: EventModel, sources: Labelled, crossed: np.ndarray, pairs: Labelled) -> EventModel | None:
    """Return weights of targets given a source; None where labels are too few.

    Pairs whose source has an event teach them. The card has the scores of P(source) · P(target | source), by the
    cross-fitted probabilities of sources, float64 (N,).
    """
    keys = [(one.item, one.country) for one in sources.found]
    of_source = dict(zip(keys, zip(crossed.tolist(), sources.y.tolist(), strict=True), strict=True))
    own = [of_source[one.item, one.country.partition(ARROW)[0]] for one in pairs.found]
    p, true = np.array(own, dtype=np.float64).reshape(-1, 2).T
    y = np.where(true > 0, pairs.y, np.nan)
    if min(items_of_either_kind(y, pairs.unit)) < MIN_ITEMS_PER_CLASS:
        return None
    model, given_source = learn(asked, pairs.found, y, pairs.unit)
    return replace(model, card=_card(pairs, p * given_source))


def _card(data: Labelled, crossed: np.ndarray) -> dict[str, Any]:
    """Return the card of weights that labels taught."""
    wordless = np.array([NO_KEYWORD_FEATURE in one.features for one in data.found])
    nameless = np.array([one.country == UNNAMED for one in data.found])
    parts = {
        name: {"candidates": int(own.sum()), "events": int(data.y[own].sum())}
        for name, own in (("without words", wordless), ("without country", nameless))
    }
    return card_of(crossed, data.y, data.unit, data.unnamed) | parts


def _given(
    labels: Mapping[str, str | bool | Iterable[str]],
    ids: Collection[str],
    known: Collection[str],
    roles: Sequence[str] = ("agent",),
) -> dict[str, EventLabel]:
    """Return labels by text, as `read_event_labels` does; `InputError` for other texts, and for no known codes."""
    if strangers := sorted(labels.keys() - ids):
        raise InputError(f"labels: found the text {some(strangers)}, expected one of the {len(ids):,} texts")
    found = {}
    for name, label in labels.items():
        cell = ("none", "yes")[label] if isinstance(label, bool) else label
        with located(f"labels, {name!r}"):
            found[name] = event_label(
                cell if isinstance(cell, str) else " ".join(map(str, cell)) or "none", known, roles
            )
    return found
