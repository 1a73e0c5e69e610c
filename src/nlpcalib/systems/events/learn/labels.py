"""Labels of documents in sheets and exports: the countries whose events each document reports.

A label is a list of codes such as `ISR USA`; `none`; `yes`, an event without a country; or `cannot tell`. A page that
asks whether there is any event has `yes` and `no` alone, which teach a model of whole texts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError, some
from nlpcalib.examination.texts import first_of_equal
from nlpcalib.sampling.labels import read_labels
from nlpcalib.systems.events.learn.candidates import TEXT, UNNAMED, Candidate, country_candidates
from nlpcalib.systems.events.learn.marks import EventLabel, event_label
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.read.lexicon import CountryLexicon, country_names
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.table import column_names


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
    mentioned: bool = False,
) -> dict[str, EventLabel]:
    """Return the labels in sheets and exports (`nlpcalib.sampling.labels`), without unlabelled documents.

    Valid codes are those of `country_names` and the user's own `codes`. In a sheet with several kinds of events, the
    column `question` is read. In marks such as ISR>PSE, countries with one of `roles` count, or the dyad if the role is
    `pair`. Mere mentions count only if `mentioned`.

    Raises `InputError`, naming the places, for unknown documents, unknown codes, and two different labels of a
    document.
    """
    label_of = partial(event_label, known={*country_names(), *codes}, roles=roles, mentioned=mentioned)
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
