"""Feature templates on one mention: those of Durrett and Klein (2013), and the mention's history.

A feature is a string. A lexical feature has a back-off after a tab: the vocabulary of a model keeps frequent words
and replaces the others by their back-off, the tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache

import numpy as np
from scipy import sparse

from nlpcalib.systems.coref.model.attributes import MentionTable
from nlpcalib.systems.coref.model.lexicon import CLASSES, GENDERS, NUMBERS, TYPES

Features = Sequence[Sequence[str]]
"""The features of each mention. A lexical feature is its value, a tab, which no word contains, and its back-off."""
_COUNT_STEPS = np.array([1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100])


def bucket(values: np.ndarray, steps: int = _COUNT_STEPS.size) -> np.ndarray:
    """Return the bucket of each count, of the first `steps`: 0, 1, 2, 3, 4, 5–6, 7–9, 10–14, 15–19, 20–29, 30–49, …"""
    return np.searchsorted(_COUNT_STEPS[:steps], values, side="right")


class History:
    """Which mentions share words, and how often words occurred before, as arrays of shape `(N,)`, int64."""

    def __init__(self, table: MentionTable) -> None:
        self.numbers = np.arange(len(table))
        """Number of the mention in the whole document."""
        self.heads = identify(table.heads)
        """Number of the head word."""
        self.stems = identify(tuple(_stem(head) for head in table.heads))
        """Number of the head word without its plural ending."""
        self.strings = identify(table.words)
        """Number of the mention's words, without determiners."""
        self.heads_before = _rank(self.heads)
        """Number of earlier mentions with the same head."""
        self.strings_before = _rank(self.strings)
        names = (table.type == TYPES.index("name")) & (table.gender != GENDERS.index("thing"))
        self.of_first_name = np.isin(self.heads, self.heads[np.flatnonzero(names)[:1]])
        """Whether the mention has the head of the document's first name that can be a person's."""

    def take(self, chosen: np.ndarray) -> History:
        """Return the history of the chosen mentions, int64, with the counts of the whole document."""
        taken = copy(self)
        for name, values in vars(self).items():
            setattr(taken, name, values[chosen])
        return taken


def current_features(table: MentionTable, history: History) -> Iterator[list[str]]:
    """Return the features of each mention as the current one, which has an antecedent or is new."""
    heads, strings = bucket(history.heads_before, 6), bucket(history.strings_before, 4)
    place = bucket(table.sentence, 5)
    register = _register(table)
    for number, (kind, features) in enumerate(_features(table)):
        yield [
            *features,
            f"seen={heads[number]},{strings[number]}&{kind}",
            f"head seen={heads[number]}&{kind}",
            f"place={place[number]}&{kind}",
            *(f"{value}&{kind}" for value in register),
        ]


def antecedent_features(table: MentionTable, history: History) -> Iterator[list[str]]:
    """Return the features of each mention as an antecedent."""
    heads = bucket(history.heads_before, 6)
    for number, (kind, features) in enumerate(_features(table)):
        yield [*features, f"head seen={heads[number]}&{kind}"]


@lru_cache(maxsize=1)
def _features(table: MentionTable) -> list[tuple[str, list[str]]]:
    """Return the type of each mention, and its features in both roles, as the current one and as an antecedent."""
    found = []
    for number, kind in enumerate(TYPES[value] for value in table.type):
        tag, role = table.tags[number], table.roles[number]
        # Words and genders of he and she are omitted, so that the model treats both alike.
        gendered = kind == "he"
        gender = "" if gendered else GENDERS[table.gender[number]]
        gender = "one gender" if gender in ("male", "female") else gender
        first, last, before, after = table.edges[number]
        head, first, last = ("he", "he", "he") if gendered else (table.heads[number], first, last)
        lexical = zip(
            ("head", "first", "last", "before", "after", "governor"),
            (head, first, last, before, after, f"{role}:{table.governors[number]}"),
            (tag, *table.edge_tags[number], role),
            strict=True,
        )
        shared = (
            kind,
            [
                f"type={kind}",
                f"length={min(table.end[number] - table.start[number], 10)}&{kind}",
                f"tag={tag}&{kind}",
                f"role={role}&{kind}",
                f"modifier={table.modifiers[number]}&{kind}",
                f"number={NUMBERS[table.number[number]]}&{kind}",
                f"gender={gender}&{kind}",
                f"class={CLASSES[table.noun_class[number]]}&{kind}",
                f"quoted={table.quotation[number] > 0}&{kind}",
                *(f"{name}={value}\t{name}={tag}&{kind}" for name, value, tag in lexical),
            ],
        )
        found.append(shared)
    return found


def _register(table: MentionTable) -> list[str]:
    """Return features of the document that replace its genre, which users' documents lack."""
    share = dict(zip(TYPES, np.bincount(table.type, minlength=len(TYPES)) / max(len(table), 1), strict=True))
    thirds = np.array([0.02, 0.1, 0.2])
    return [
        f"speakers={min(np.unique(table.speaker[table.speaker >= 0]).size, 3)}",
        f"first persons={np.searchsorted(thirds, share['i'] + share['we'] + share['you'])}",
        f"third persons={np.searchsorted(thirds, share['he'])}",
        f"mentions={bucket(np.array(len(table)))}",
    ]


def feature_matrix(features: Features, vocabulary: Mapping[str, int]) -> sparse.csr_array:
    """Return a matrix of mentions by features, float64 (N, F); features outside the vocabulary are dropped."""
    indices: list[int] = []
    starts = [0]
    for row in features:
        for feature in row:
            number = vocabulary.get(feature)
            if number is None:  # it is lexical, or unknown
                value, _, backoff = feature.partition("\t")
                number = vocabulary.get(value)
                if number is None:
                    number = vocabulary.get(backoff)
            if number is not None:
                indices.append(number)
        starts.append(len(indices))
    return sparse.csr_array((np.ones(len(indices)), indices, starts), shape=(len(starts) - 1, len(vocabulary)))


def identify(values: tuple) -> np.ndarray:
    """Return values as numbers, int64 `(N,)`, equal for equal values, from 0 in order of appearance."""
    numbers: dict = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


def _rank(groups: np.ndarray) -> np.ndarray:
    """Return the number of earlier elements in each element's group."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    ranks = np.empty_like(groups)
    ranks[order] = np.arange(groups.size) - np.searchsorted(ordered, ordered)
    return ranks


def _stem(word: str) -> str:
    """Return a noun without its plural ending."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    return word[:-3] + "y" if word.endswith("ies") else word[:-2] if word.endswith("xes") else word[:-1]
