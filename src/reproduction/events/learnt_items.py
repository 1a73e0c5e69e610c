"""What labels teach of the documents that they are estimated for: probabilities that no label of its document is in."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.events.learn.candidates import Candidate, candidates
from nlpcalib.events.learn.labels import EventLabel
from nlpcalib.events.learn.model import EventModel, learn
from nlpcalib.events.read.copies import near_copies
from nlpcalib.events.read.lexicon import CountryLexicon
from nlpcalib.events.read.query import Query
from nlpcalib.text.dated import DatedText
from reproduction.events.funnel import with_model_words
from reproduction.events.items import EventItems

_LEVELS = (0.0, 0.01, 0.1, 0.5, 0.9, 0.99)
"""Of the probability that an item had: its feature is how many of them are below."""


def learnt_items(
    items: EventItems,
    labels: Mapping[str, EventLabel],
    texts: Iterable[tuple[str, str]],
    query: Query,
    lexicon: CountryLexicon,
    seed: int = 0,
) -> EventItems:
    """Return items with the probabilities of a model that the labels teach.

    Probabilities that the items had, of a country and of any, are features next to words. Documents are in folds, and
    those of one get what the labels of the others teach: no label is in the probability of its own document or of its
    copies, so that estimates stay valid whatever is learnt. A country
    that a document does not name keeps the probability that it had; of any country it is that of one at least, of
    independent ones. With too few labels to learn from, items stay as they are.

    `texts` are ids and texts of all documents. Dates are the first days of their periods.
    """
    row_of = {name: row for row, name in enumerate(items.documents)}
    group_of = {country: group for group, country in enumerate(items.groups)}
    category = EventModel(query.name, "", with_model_words(query).words)
    dated = [
        DatedText(name, datetime.date.fromisoformat(items.starts[items.period[row_of[name]]]), text, {})
        for name, text in texts
        if name in row_of
    ]
    found = [
        _with_stated(one, items, row_of[text.id], group_of)
        for text in dated
        for one in candidates(text, lexicon, category.triggers)
    ]
    read = {name: label for name, label in labels.items() if isinstance(label, frozenset)}
    y = np.array([float(one.country in read[one.item]) if one.item in read else np.nan for one in found])
    days = np.array([text.date for text in dated], dtype="datetime64[D]")
    copies = near_copies([text.id for text in dated], days, [text.text for text in dated])
    unit_of = {text.id: unit for text, unit in zip(dated, copies.tolist(), strict=True)}
    unit = np.array([unit_of[one.item] for one in found], dtype=np.int64)
    try:
        _, p = learn(category, found, y, unit, seed=seed)
    except InputError as error:
        logging.warning("%s: probabilities stay as they are", error)
        return items
    q = items.q.copy()
    none = np.ones(len(items.documents))
    for one, probability in zip(found, p.tolist(), strict=True):
        row = row_of[one.item]
        none[row] *= 1 - probability
        if one.country in group_of:
            q[group_of[one.country], row] = probability
    named = np.zeros(len(items.documents), dtype=bool)
    named[[row_of[one.item] for one in found]] = True
    q[0] = np.where(named, 1 - none, q[0])
    return replace(items, q=q)


def _with_stated(one: Candidate, items: EventItems, row: int, group_of: Mapping[str, int]) -> Candidate:
    stated = [f"any stated {np.searchsorted(_LEVELS, items.q[0, row])}"]
    if one.country in group_of:
        stated.append(f"stated {np.searchsorted(_LEVELS, items.q[group_of[one.country], row])}")
    return replace(one, features=(*one.features, *stated))
