"""Which mentions cannot be one: links that are left out in training and in prediction, so that all stays exact.

A link that is left out has the probability 0, and the others of its row sum to 1 with NEW. Links stay independent.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nlpcalib.coref.model.attributes import GENDERS, NUMBERS, ROLES, TYPES, MentionTable

_PRONOUNS = ("i", "we", "you", "he", "it", "they", "this", "these")
_NEAR = 100
"""Mentions within which a pronoun has its antecedent."""
_FAR = 250
"""Mentions within which a noun phrase has an antecedent with another head word."""


class Constraints:
    """The constraints on one document's N mentions."""

    def __init__(self, table: MentionTable, *, people: bool = False) -> None:
        """With `people`, names, roles and quotations exclude links, too (`AntecedentModel.constraints`)."""
        self._table, self._people = table, people
        self._is = {name: table.type == TYPES.index(name) for name in _PRONOUNS}
        self.pronouns = np.any(list(self._is.values()), axis=0)
        self._person = self._is["he"]
        self._he, self._she = (self._person & (table.gender == GENDERS.index(name)) for name in ("male", "female"))
        # A surname ends in s as a plural does, and they can be one person.
        plural = (table.number == NUMBERS.index("plural")) & ~self.pronouns & (table.type != TYPES.index("name"))
        self._thing = (table.gender == GENDERS.index("thing")) | plural

    def allowed(self, numbers: np.ndarray, stems: np.ndarray, first: int, last: int) -> np.ndarray:
        """Return which links (i, j) can be, bool (last - first, last), with `first` <= i < `last` and j < i.

        `numbers` are those of mentions in their document, by which distances are counted, and `stems` those of head
        words, singular and plural alike, int64 (N,) each.
        """
        i, j = numbers[first:last, None], numbers[:last]
        near = i - j <= np.where(self.pronouns[first:last], _NEAR, _FAR)[:, None]
        same = (stems[first:last, None] == stems[:last]) & ~self.pronouns[first:last, None]
        return (j < i) & (near | same) & ~self.apart(first, last)

    def apart(self, first: int = 0, last: int | None = None) -> np.ndarray:
        """Return which mentions i and j cannot be one, bool (last - first, last), by gender, number and speakers."""
        last = len(self._table) if last is None else last
        he, she, person, thing = (
            (mark[first:last, None], mark[None, :last]) for mark in (self._he, self._she, self._person, self._thing)
        )
        apart = (he[0] & she[1]) | (she[0] & he[1]) | (person[0] & thing[1]) | (thing[0] & person[1])
        apart = apart | self._by_speakers(first, last)
        return apart | self._by_people(first, last) if self._people else apart

    def _by_people(self, first: int, last: int) -> np.ndarray:
        """Return where two mentions are two people, or a person and a thing.

        *I* and *you* are neither *it* nor, of one speaker, each other, *he* or *she*, in quotations too. *I* of
        somebody else's quotation is not *I* outside. Two names with different surnames are two, and so are a doctor and
        a patient.
        """
        table = self._table
        i, you, we = self._is["i"], self._is["you"], self._is["we"]
        thing = self._is["it"] | ((table.gender == GENDERS.index("thing")) & ~self.pronouns)

        both = partial(_both, first=first, last=last)

        def same(values: np.ndarray) -> np.ndarray:
            return values[first:last, None] == values[:last]

        result = both(i | we, thing) | both(you, self._is["it"])
        one = both(i | you, self._person) | both(i, you)
        result |= one & same(table.speaker) & same(table.quotation)
        result |= both(i & (table.told == 2), i & (table.quotation == 0)) & same(table.speaker)
        named = table.surname >= 0
        result |= both(named, named) & ~same(table.surname)
        for one, other in zip(range(0, len(ROLES), 2), range(1, len(ROLES), 2), strict=True):
            result |= both((table.role >> one) % 2 == 1, (table.role >> other) % 2 == 1)
        return result

    def _by_speakers(self, first: int, last: int) -> np.ndarray:
        """Return where who speaks excludes a link: I of two speakers, I and you of one, I and another's name.

        A text that names no speakers has one writer, and each of its quotations one speaker, who may be anybody.
        """
        table = self._table
        speaker, named, quotation = table.speaker, table.speaks, table.quotation

        both = partial(_both, first=first, last=last)
        if not (speaker >= 0).any():
            return both(self._is["i"], self._is["you"]) & (quotation[first:last, None] == quotation[:last])
        known = (speaker >= 0) & (quotation == 0)
        i, you = self._is["i"] & known, self._is["you"] & known
        same = speaker[first:last, None] == speaker[:last]
        two = np.unique(speaker[speaker >= 0]).size == 2
        result = both(i, i) & ~same | both(i, you) & same
        if two:
            result |= both(you, you) & ~same
        is_named = named >= 0
        # The speaker of a pronoun is compared with whom the name names, whichever of the two comes first.
        mine = (speaker[first:last, None] == named[:last]) | (named[first:last, None] == speaker[:last])
        return result | both(i, is_named) & ~mine | both(you, is_named) & mine


def _both(a: np.ndarray, b: np.ndarray, *, first: int, last: int) -> np.ndarray:
    """Return where one of two mentions is among `a` and the other among `b`, bool (last - first, last)."""
    return (a[first:last, None] & b[:last]) | (b[first:last, None] & a[:last])
