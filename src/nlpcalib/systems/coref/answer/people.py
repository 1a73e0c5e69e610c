"""The number of different people in a document, with its posterior.

    E[people] = Σ_m P(no earlier mention of a person shares an entity with m),

where m are the mentions of one person. Samples of clusterings estimate each probability. Two such mentions that share
an entity with probability .7 are 1.3 people.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict

import numpy as np

from nlpcalib.estimation.shared_effect import INDEPENDENT, SharedEffect
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.lexicon import GENDERS, NUMBERS
from nlpcalib.systems.coref.model.mentions import Span
from nlpcalib.systems.coref.model.phrases import PROPER_TAGS
from nlpcalib.systems.text.titles import LONE_ADDRESSES
from nlpcalib.systems.text.tree import tree_of

PEOPLE_SAMPLES = 1000
"""Sampled clusterings by default: they leave a standard error below .02 in each probability."""

_DECIMALS_OF_PEOPLE = 3
"""Digits of the expected number: samples leave no more."""

_PARTS_OF_NAMES = ("compound", "flat")
"""Relations of names to the longer name that they are a part of."""


class PeopleCount(TypedDict):
    """The number of different people."""

    expected: float
    low: int
    high: int


def person_mentions(resolution: Resolution) -> np.ndarray:
    """Return the mentions of a single person, int64 (P,): pronouns, names and nouns, without *we* and plurals.

    Predicates (*she is a doctor*), appositions, and names inside longer names are descriptions, not further people.
    """
    table = mention_table(resolution.document, resolution.mentions)
    person = np.isin(table.gender, [GENDERS.index(gender) for gender in ("male", "female", "person")])
    others = {(span.sentence, span.head) for span, is_person in zip(table.spans, person, strict=True) if not is_person}
    person &= (table.number != NUMBERS.index("plural")) & ~table.impersonal
    return np.array(
        [each for each in np.flatnonzero(person).tolist() if not _describes(resolution, table.spans[each], others)],
        dtype=np.int64,
    )


def _describes(resolution: Resolution, span: Span, others: Collection[tuple[int, int]]) -> bool:
    """Return whether a mention describes a person: a part of a name, an apposition, a predicate or a form of address.

    In *He was with a nurse*, *It was the nurse* and *This is Tom* nobody else stands for the person. Who is addressed
    as *sir* or *my lady* has other mentions. `others` are the sentences and heads of the mentions that are no people.
    """
    sentence = resolution.document.sentences[span.sentence]
    tree = tree_of(sentence)
    governor, relation = tree.heads[span.head], tree.relations[span.head]
    in_name = governor >= 0 and (tree.tags[governor] in PROPER_TAGS or sentence.words[governor].istitle())
    is_part = relation in _PARTS_OF_NAMES and in_name
    is_alone = span.end - span.start == 1
    addressed = relation == "vocative" or (is_alone and sentence.words[span.head].lower() in LONE_ADDRESSES)
    is_address = addressed and tree.tags[span.head] not in PROPER_TAGS
    is_predicate = bool(tree.dependents(span.head, "cop")) and not tree.dependents(span.head, "case")
    named_elsewhere = all(
        (span.sentence, subject) not in others and tree.words[subject] != "it"
        for subject in tree.dependents(span.head, "nsubj", "expl")
    )
    return is_part or is_address or relation == "appos" or (is_predicate and named_elsewhere)


def is_first(entities: np.ndarray) -> np.ndarray:
    """Return whether each mention is the first of its entity, bool, from entities of shape (mentions, samples)."""
    count, samples = entities.shape
    each = entities.T + np.arange(samples)[:, None] * (int(entities.max(initial=0)) + 1)
    first = np.zeros(each.size, dtype=bool)
    first[np.unique(each, return_index=True)[1]] = True
    return first.reshape(samples, count).T


def newly_mentioned(resolution: Resolution, *, samples: int = PEOPLE_SAMPLES, seed: int = 0) -> np.ndarray:
    """Return the probability that each of `person_mentions` is a person not mentioned before, float64 (P,)."""
    return is_first(resolution.samples(samples, seed)[person_mentions(resolution)]).mean(axis=1)


def count_people(
    resolution: Resolution,
    *,
    effect: SharedEffect = INDEPENDENT,
    level: float = 0.95,
    samples: int = PEOPLE_SAMPLES,
    seed: int = 0,
) -> PeopleCount:
    """Return the expected number of different people in a document, with an interval.

    Without an `effect`, errors are treated as independent, which makes intervals too narrow; fit one to annotated
    documents with `nlpcalib.fit_shared_effect`. Raises `InputError` for a document without trees, and for a `level`
    outside (0, 1).
    """
    new = newly_mentioned(resolution, samples=samples, seed=seed)
    low, high, _ = effect.interval(new, level=level)
    return {"expected": round(float(new.sum()), _DECIMALS_OF_PEOPLE), "low": low, "high": high}
