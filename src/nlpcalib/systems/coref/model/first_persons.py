"""Whose *I* each mention's words would have, and who is not that *I* because a verb has both.

The subject and the object of a verb are two, unless the object is reflexive. In *Mr. Harker called and scolded me*, Mr.
Harker is not *me*, so he is no *I* of the same voice: outside quotations, a text without named speakers has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nlpcalib.systems.coref.model.lexicon import GENDERS, TYPES

_PEOPLE = tuple(GENDERS.index(name) for name in ("male", "female", "person"))
_OTHERS = {"nsubj": ("obj", "iobj", "obl"), "obj": ("nsubj",), "iobj": ("nsubj",)}
"""Relations of *I* by that of the other person: *saw me*, *gave me* and *wrote to me* of a subject."""


def voices(speaker: np.ndarray, quotation: np.ndarray, told: np.ndarray, teller: np.ndarray) -> np.ndarray:
    """Return whose *I* the words of each mention would have, numbered within the document, int64 (N,).

    It is the speaker's, and in a quotation the teller's, who may be the speaker. Quotations without a known teller are
    voices of their own. The arguments are columns of `MentionTable`.
    """
    inside = (quotation > 0) & (told != 1)
    source = np.where(inside, np.where(teller >= 0, 1, 2), 0)
    number = np.where(inside, np.where(teller >= 0, teller, quotation), speaker)
    return np.unique(np.stack([source, number]), axis=1, return_inverse=True)[1].reshape(-1)


def other_voices(columns: Mapping[str, Any], quotation: np.ndarray, voice: np.ndarray, named: np.ndarray) -> np.ndarray:
    """Return the voice whose *I* a person cannot be, since one verb has both; -1 if no verb shows it, int64 (N,).

    `named`, bool (N,), are names with a surname; other names and nouns are people if their gender shows it. Equal names
    are one, so that a name is not this *I* elsewhere, either. The two are in one quotation, or both outside of all.
    """
    person = named | np.isin(columns["gender"], _PEOPLE)
    selves: dict[tuple[tuple[int, int], str], int] = {}
    people: list[tuple[int, tuple[int, int], str]] = []
    clauses = zip(columns["shared_verb"].tolist(), quotation.tolist(), strict=True)
    for number, (clause, label) in enumerate(zip(clauses, columns["roles"], strict=True)):
        relation = label.partition(":")[0]
        kind = TYPES[columns["type"][number]]
        if kind == "i" and clause[0] >= 0 and columns["edges"][number][0] != "myself":
            selves[clause, relation] = int(voice[number])
        elif person[number] and columns["type"][number] >= TYPES.index("name"):
            people.append((number, clause, relation))
    found = np.full(len(voice), -1, dtype=np.int64)
    names: dict[tuple[str, ...], int] = {}
    is_name = columns["type"] == TYPES.index("name")
    for number, clause, relation in people:
        others = [selves[clause, other] for other in _OTHERS.get(relation, ()) if (clause, other) in selves]
        if others:
            found[number] = others[0]
            if is_name[number]:
                names.setdefault(columns["words"][number], others[0])
    for number, _, _ in people:
        if found[number] < 0 and is_name[number]:
            found[number] = names.get(columns["words"][number], -1)
    return found
