"""Labels of documents in sheets and exports: the countries whose events each document reports.

A label is a list of marks such as `ISR USA`; `none`; `yes`, an event without a country; or `cannot tell`. A page that
asks whether there is any event has `yes` and `no` alone, which teach a model of whole texts.

A mark is a source and a target, ISR>PSE; one country, ISR; or a target whose source has no country, >PSE. A ~ in front
means that the item only mentions the event, as in a reaction, a heading or an anniversary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError, some
from nlpcalib.examination.texts import first_of_equal
from nlpcalib.sampling.answers import CANNOT_TELL, OPEN_ANSWERS, YES_NO_LABELS
from nlpcalib.sampling.labels import read_labels
from nlpcalib.systems.events.learn.candidates import TEXT, UNNAMED, Candidate, country_candidates
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.read.lexicon import CountryLexicon, country_names
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.table import column_names

_EVENT_MARK = re.compile(r"(?P<mentioned>~?)(?P<source>[A-Z][A-Z0-9-]+)?(?P<pair>>(?P<target>[A-Z][A-Z0-9-]+)?)?")

EventLabel = frozenset[str] | bool | None
"""The codes of a document; True for an event without a country; None if the annotator was unsure."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """The candidates of labelled documents."""

    found: list[Candidate]
    y: np.ndarray
    """float64 (N,): 1 if the document reports an event of the country, else 0."""
    unit: np.ndarray
    """int64 (N,): the document of each candidate; texts with the same words share a number."""
    unnamed: int
    """Number of labelled countries that their document does not name, which have no candidate."""


def labelled_candidates(
    texts: Iterable[DatedText],
    labels: Mapping[str, EventLabel],
    model: EventModel,
    lexicon: CountryLexicon,
    of: Callable[[DatedText, CountryLexicon, Mapping[str, str]], Iterator[Candidate]] = country_candidates,
) -> Labelled:
    """Return the candidates of labelled documents, except open ones, and those with an event of no country where
    the document names some.

    Candidates come from `country_candidates`, from `pair_candidates` for labels that are dyads, or `text_candidate`.
    The candidate of a whole document, or of one that names no country, is positive if the label has any event.
    """
    read = [(text, label) for text in texts if (label := labels.get(text.id)) is not None]
    copies = first_of_equal(text.text for text, _ in read)
    found: list[Candidate] = []
    true: list[bool] = []
    units: list[int] = []
    unnamed = 0
    for (text, label), unit in zip(read, copies.tolist(), strict=True):
        own = list(of(text, lexicon, model.triggers))
        is_whole = [one.country for one in own] in ([UNNAMED], [TEXT])
        codes = label if isinstance(label, frozenset) else frozenset()
        if label is True and not is_whole:
            continue
        found += own
        true += [label is True or len(codes) > 0 if is_whole else one.country in codes for one in own]
        units += [unit] * len(own)
        unnamed += 0 if is_whole else len(codes - {one.country for one in own})
    return Labelled(found, np.array(true, dtype=np.float64), np.array(units, dtype=np.int64), unnamed)


def read_event_labels(
    paths: Sequence[str | Path],
    documents: Collection[str],
    codes: Collection[str] = (),
    *,
    question: str | None = None,
    roles: Sequence[str] = ("agent",),
) -> dict[str, EventLabel]:
    """Return the labels in sheets and exports (`nlpcalib.sampling.labels`), without unlabelled documents.

    Valid codes are those of `country_names` and the user's own `codes`. In a sheet with several kinds of events, the
    column `question` is read. In marks such as ISR>PSE, countries with one of `roles` count, or the dyad if the role is
    `pair`.

    Raises `InputError`, naming the places, for unknown documents, unknown codes, and two different labels of a
    document.
    """
    label_of = partial(event_label, known={*country_names(), *codes}, roles=roles)
    found: dict[str, EventLabel] = {}
    for path in paths:
        own = question if file_kind(path) != "json" and question in column_names(path) else None
        for labels in read_labels(path, documents, label_of, own, of_none="none").values():
            disputed = [name for name, label in labels.items() if found.get(name, label) != label]
            if disputed:
                raise InputError(
                    f"{path}: found a second, different label of {some(disputed)}, expected one: settle it first"
                )
            found |= labels
    return found


def event_label(answer: str, known: Collection[str], roles: Sequence[str]) -> EventLabel:
    """Return the label of a cell: marks, none, yes, no or `cannot tell`; see `marked_countries`."""
    if answer.lower() in OPEN_ANSWERS:
        return None
    if answer.lower() in YES_NO_LABELS:
        return True if YES_NO_LABELS[answer.lower()] else frozenset()
    return frozenset() if answer.lower() == "none" else marked_countries(answer, known, roles)


def marked_countries(answer: str, known: Collection[str], roles: Sequence[str] = ("agent",)) -> frozenset[str]:
    """Return the countries with one of the roles in the marks of a cell; what is only mentioned does not count.

    A country without a partner has every role. The role `pair` is that of a dyad, ISR>PSE. Raises `InputError` for
    invalid marks, and for countries that are not `known`.
    """
    countries: set[str] = set()
    for mark in re.split(r"[\s,;]+", answer.strip(" ,;")):
        found = _EVENT_MARK.fullmatch(mark)
        if found is None or not (found["source"] or found["target"]):
            raise InputError(f"found {answer!r}, expected codes such as ISR USA, ISR>PSE, none, yes or {CANNOT_TELL}")
        for code in filter(None, (found["source"], found["target"])):
            check_code(code, known)
        if found["mentioned"]:
            continue
        if "pair" in roles:
            countries |= {mark} if found["source"] and found["target"] else set()
            continue
        sources = "agent" in roles or "location" in roles or not found["pair"]
        countries |= {found["source"]} if sources else set()
        countries |= {found["target"]} if "patient" in roles else set()
    return frozenset(countries - {None})


def check_code(code: str, known: Collection[str]) -> None:
    """Raise `InputError` for a country that is not `known`, with the one that is meant perhaps."""
    if code not in known:
        near = "".join(f" ({each}?)" for each in get_close_matches(code, known, n=1, cutoff=0.5))
        raise InputError(f"found the country {code!r}, expected a known code{near}")
