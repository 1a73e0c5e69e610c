"""What labels teach of the documents that they are estimated for: probabilities that no label of its document is in.

Labels also choose whether what they teach is used. The probabilities as stated, the same recalibrated, and those that
are learnt have a loss on the labels, each label weighted by the inverse of its inclusion probability. The last two are
cross-fitted. An estimate recalibrates what it is given, so items change only where the learnt ones have the least loss.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.examination.texts import first_of_equal
from nlpcalib.recalibration.fitting import cross_fit, fit_logistic
from nlpcalib.sampling.samples import Sample
from nlpcalib.systems.events.learn.candidates import Candidate, country_candidates
from nlpcalib.systems.events.learn.labels import EventLabel
from nlpcalib.systems.events.learn.model import LEARNING_FOLDS, EventModel, learn
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.dated import DatedText
from studies.estimation.items import EventItems
from studies.events.funnel import with_model_words

_PROBABILITY_LEVELS = (0.0, 0.01, 0.1, 0.5, 0.9, 0.99)
"""An item's feature is how many of these levels are below the probability that it had."""
_MIN_PROBABILITY_IN_LOSS = 1e-3
"""Probabilities closer to 0 or 1 than this are clipped to it in the loss."""
_LEARNT = "learnt"


def learnt_items(
    items: EventItems,
    samples: Sequence[Sample],
    labels: Mapping[str, EventLabel],
    texts: Iterable[tuple[str, str]],
    query: Query,
    lexicon: CountryLexicon,
    seed: int = 0,
) -> EventItems:
    """Return items with the probabilities of a model that the labels teach, if their loss is less; log the losses.

    Probabilities that the items had, of a country and of any, are features next to words. Documents are in folds, and
    those of one get what the labels of the others teach: no label is in the probability of its own document or of its
    copies, so that estimates stay valid whatever is learnt. A country
    that a document does not name keeps the probability that it had; of any country it is that of one at least, of
    independent ones. With too few labels to learn from, items stay as they are.

    `samples` are those of `labelled_samples`; labels of other documents are not used. `texts` are ids and texts of all
    documents. Dates are the first days of their periods.
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
        for one in country_candidates(text, lexicon, category.triggers)
    ]
    drawn = {items.documents[row] for row in samples[0].rows}
    read = {name: label for name, label in labels.items() if name in drawn and isinstance(label, frozenset)}
    y = np.array([float(one.country in read[one.item]) if one.item in read else np.nan for one in found])
    copies = first_of_equal(text.text for text in dated)
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
    losses = _losses(items.q, q, samples, seed)
    chosen = min(losses, key=lambda each: losses[each])
    shown = ", ".join(f"{name} {loss:.4f}" for name, loss in losses.items())
    logging.info("query %s: loss of a label by probabilities %s; used are those %s", query.name, shown, chosen)
    return replace(items, q=q) if chosen == _LEARNT else items


def _losses(stated: np.ndarray, learnt: np.ndarray, samples: Sequence[Sample], seed: int) -> dict[str, float]:
    """Return the mean log loss of labels, weighted by the design, of probabilities (G, D) in each way they may be used.

    Labels of all groups are taken together, with one logistic map for all.
    """
    rows, y = samples[0].rows, np.stack([sample.y for sample in samples])
    known = ~np.isnan(y)
    weight, unit = (
        np.broadcast_to(each, y.shape)[known] for each in (samples[0].weights[samples[0].stratum[rows]], rows)
    )
    before, after = (
        np.clip(q[:, rows][known], _MIN_PROBABILITY_IN_LOSS, 1 - _MIN_PROBABILITY_IN_LOSS) for q in (stated, learnt)
    )
    true = y[known] > 0
    folds = min(LEARNING_FOLDS, len(rows))
    tried = {
        "as stated": before,
        "recalibrated": cross_fit(fit_logistic, before, true, unit, folds=folds, seed=seed),
        _LEARNT: after,
    }
    return {name: float(np.average(-np.log(np.where(true, p, 1 - p)), weights=weight)) for name, p in tried.items()}


def _with_stated(one: Candidate, items: EventItems, row: int, group_of: Mapping[str, int]) -> Candidate:
    stated = [f"any stated {np.searchsorted(_PROBABILITY_LEVELS, items.q[0, row])}"]
    if one.country in group_of:
        stated.append(f"stated {np.searchsorted(_PROBABILITY_LEVELS, items.q[group_of[one.country], row])}")
    return replace(one, features=(*one.features, *stated))
