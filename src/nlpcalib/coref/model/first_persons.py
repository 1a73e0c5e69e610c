"""Whose *I* each mention's words would have, and who is not that *I* because a verb has both.

The subject and the object of a verb are two, unless the object is reflexive. In *Mr. Harker called and scolded me*, Mr.
Harker is not *me*, so he is no *I* of the same voice: outside quotations, a text without named speakers has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nlpcalib.coref.model.lexicon import TYPES

_OF_SUBJECTS, _OF_OBJECTS = ("nsubj",), ("obj", "iobj")
_ANY_OBJECT = (*_OF_OBJECTS, "obl")
"""Relations of *me* in *saw me*, *gave me* and *wrote to me*."""


def voices(speaker: np.ndarray, quotation: np.ndarray, told: np.ndarray, teller: np.ndarray) -> np.ndarray:
    """Return whose *I* the words of each mention would have, numbered within the document, int64 (N,).

    It is the speaker's, and in a quotation the teller's, who may be the speaker. Quotations without a known teller are
    voices of their own. The arguments are columns of `MentionTable`.
    """
    inside = (quotation > 0) & (told != 1)
    source = np.where(inside, np.where(teller >= 0, 1, 2), 0)
    number = np.where(inside, np.where(teller >= 0, teller, quotation), speaker)
    return np.unique(np.stack([source, number]), axis=1, return_inverse=True)[1].reshape(-1)


def other_voices(columns: Mapping[str, Any], voice: np.ndarray) -> np.ndarray:
    """Return the voice whose *I* a noun or name cannot be, since one verb has both; -1 if no verb shows it, int64 (N,).

    Equal names are one, so that a name is not this *I* elsewhere, either.
    """
    relations = [label.partition(":")[0] for label in columns["roles"]]
    rows = list(zip(columns["shared_verb"].tolist(), relations, columns["type"].tolist(), strict=True))
    selves: dict[tuple[int, str], int] = {}
    for number, (verb, relation, kind) in enumerate(rows):
        if TYPES[kind] == "i" and verb >= 0 and not columns["edges"][number][0].endswith("self"):
            selves[verb, relation] = int(voice[number])
    found = np.full(len(rows), -1, dtype=np.int64)
    known: dict[tuple[str, ...], int] = {}
    for number, (verb, relation, kind) in enumerate(rows):
        if kind < TYPES.index("name"):
            continue
        opposites = _ANY_OBJECT if relation in _OF_SUBJECTS else _OF_SUBJECTS if relation in _OF_OBJECTS else ()
        others = [selves[verb, each] for each in opposites if (verb, each) in selves]
        if others:
            found[number] = others[0]
            if TYPES[kind] == "name":
                known.setdefault(columns["words"][number], others[0])
    for number, (_, _, kind) in enumerate(rows):
        if found[number] < 0 and TYPES[kind] == "name":
            found[number] = known.get(columns["words"][number], -1)
    return found
