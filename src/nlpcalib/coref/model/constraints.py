"""Which mentions cannot be one: links that are left out in training and in prediction, so that all stays exact.

A link that is left out has the probability 0, and the others of its row sum to 1 with NEW. Links stay independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.coref.model.attributes import GENDERS, NUMBERS, PEOPLE_ROLES, TYPES, MentionTable

_NEAR_PRONOUNS = ("i", "we", "you", "he", "it", "they", "this", "these")
_ALL = slice(None)
_Condition = tuple[np.ndarray, np.ndarray, bool]
_MAX_PRONOUN_DISTANCE = 100
"""Mentions within which a pronoun has its antecedent."""
_MAX_OTHER_HEAD_DISTANCE = 250
"""Mentions within which a noun phrase has an antecedent with another head word."""


@dataclass(frozen=True)
class _Exclusion:
    """Pairs of marks that mentions of one entity cannot both have, and between which mentions this holds."""

    marks: np.ndarray
    """The marks of each mention, bits, uint64 (N,)."""
    opposites: np.ndarray
    """Those that exclude one of its marks, uint64 (N,)."""
    conditions: tuple[_Condition, ...]
    """Values of mentions, twice (N,), and whether it holds where one's first is the other's second, or where not."""

    @classmethod
    def of(cls, pairs: Sequence[tuple[np.ndarray, np.ndarray]], *conditions: _Condition) -> _Exclusion:
        """Pack at most 32 pairs of marks, bool (N,) each, that exclude each other."""
        both = np.array(pairs, bool)
        bits = np.uint64(1) << np.arange(2 * len(both), dtype=np.uint64).reshape(-1, 2, 1)
        marks, opposites = (np.bitwise_or.reduce(side * bits, (0, 1)) for side in (both, both[:, ::-1]))
        return cls(marks, opposites, conditions)

    def between(self, rows: slice | np.ndarray, columns: slice | np.ndarray) -> np.ndarray:
        """Return which mentions of `rows` and of `columns` cannot be one, bool (rows, columns)."""
        found = (self.marks[rows, None] & self.opposites[columns]) != 0
        if self.conditions and found.any():
            for first, second, equal in self.conditions:
                holds = first[rows, None] == second[columns]
                if second is not first:
                    holds |= second[rows, None] == first[columns]
                found &= holds if equal else ~holds
        return found


class Constraints:
    """The constraints on one document's N mentions."""

    def __init__(self, table: MentionTable, *, people: bool = False) -> None:
        """With `people`, names, roles and quotations exclude links, too (`AntecedentModel.constraints`)."""
        self._is = {name: table.type == TYPES.index(name) for name in _NEAR_PRONOUNS}
        self.pronouns = np.any(list(self._is.values()), axis=0)
        person = self._is["he"]
        he, she = (person & (table.gender == GENDERS.index(name)) for name in ("male", "female"))
        # A surname ends in s as a plural does, and they can be one person.
        plural = (table.number == NUMBERS.index("plural")) & ~self.pronouns & (table.type != TYPES.index("name"))
        thing = (table.gender == GENDERS.index("thing")) | plural
        self._exclusions = [_Exclusion.of([(he, she), (person, thing)]), *self._by_speakers(table)]
        if people:
            self._exclusions += self._by_people(table)

    def allowed(self, numbers: np.ndarray, stems: np.ndarray, first: int, last: int) -> np.ndarray:
        """Return which links (i, j) can be, bool (last - first, last), with `first` <= i < `last` and j < i.

        `numbers` are those of mentions in their document, by which distances are counted, and `stems` those of head
        words, singular and plural alike, int64 (N,) each.
        """
        i, j = numbers[first:last, None], numbers[:last]
        near = i - j <= np.where(self.pronouns[first:last], _MAX_PRONOUN_DISTANCE, _MAX_OTHER_HEAD_DISTANCE)[:, None]
        same = (stems[first:last, None] == stems[:last]) & ~self.pronouns[first:last, None]
        return (j < i) & (near | same) & ~self.apart(slice(first, last), slice(last))

    def apart(self, rows: slice | np.ndarray = _ALL, columns: slice | np.ndarray = _ALL) -> np.ndarray:
        """Return which mentions of `rows` and of `columns` cannot be one, bool, by gender, number and speakers."""
        result = self._exclusions[0].between(rows, columns)
        for exclusion in self._exclusions[1:]:
            result |= exclusion.between(rows, columns)
        return result

    def among(self, mentions: np.ndarray) -> np.ndarray:
        """Return which of some mentions, int64 (some,), cannot be one, bool (some, some)."""
        return self.apart(mentions, mentions)

    def _by_people(self, table: MentionTable) -> list[_Exclusion]:
        """Return that two mentions are two people, or a person and a thing.

        *I* and *you* are neither *it* nor, of one speaker, each other, *he* or *she*, in quotations too. *I* of
        somebody else's quotation is not *I* outside. Two names with different surnames are two, and so are a doctor and
        a patient.
        """
        i, you, we, it = (self._is[name] for name in ("i", "you", "we", "it"))
        thing = it | ((table.gender == GENDERS.index("thing")) & ~self.pronouns)
        roles = [(table.role >> number) % 2 == 1 for number in range(len(PEOPLE_ROLES))]
        named = table.surname >= 0
        one_speaker = (table.speaker, table.speaker, True)
        return [
            _Exclusion.of([(i | we, thing), (you, it), *zip(roles[::2], roles[1::2], strict=True)]),
            _Exclusion.of([(i | you, self._is["he"]), (i, you)], one_speaker, (table.quotation, table.quotation, True)),
            _Exclusion.of([(i & (table.told == 2), i & (table.quotation == 0))], one_speaker),
            _Exclusion.of([(named, named)], (table.surname, table.surname, False)),
        ]

    def _by_speakers(self, table: MentionTable) -> list[_Exclusion]:
        """Return that who speaks excludes a link: I of two speakers, I and you of one, I and another's name.

        A text that names no speakers has one writer, and each of its quotations one speaker, who may be anybody.
        """
        speaker, named, quotation = table.speaker, table.speaks, table.quotation
        if not (speaker >= 0).any():
            return [_Exclusion.of([(self._is["i"], self._is["you"])], (quotation, quotation, True))]
        known = (speaker >= 0) & (quotation == 0)
        i, you = self._is["i"] & known, self._is["you"] & known
        # Of two speakers, the one's "you" is the other, too.
        selves = [(i, i), (you, you)] if np.unique(speaker[speaker >= 0]).size == 2 else [(i, i)]
        return [
            _Exclusion.of(selves, (speaker, speaker, False)),
            _Exclusion.of([(i, you)], (speaker, speaker, True)),
            # The speaker of a pronoun is compared with the bearer of the name, whichever mention comes first.
            _Exclusion.of([(i, named >= 0)], (speaker, named, False)),
            _Exclusion.of([(you, named >= 0)], (speaker, named, True)),
        ]
