"""Constraints: links that are excluded or less likely, because the two mentions can hardly be the same entity.

An excluded link has probability 0, and the rest of its row sums to 1 with NEW. Links stay independent, so marginals
stay exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.systems.coref.model.attributes import MentionTable
from nlpcalib.systems.coref.model.lexicon import GENDERS, GIVEN_NAMES, NUMBERS, TYPES

_NEAR_PRONOUNS = ("i", "we", "you", "he", "it", "they", "this", "these")
_Condition = tuple[np.ndarray, np.ndarray, bool]
_MAX_COMPARED_PAIRS = 1 << 20
"""Pairs of mentions compared at a time: few enough to take little memory."""
TWO_VOICES = 3.17
"""Log odds against a link of two *I* in different quotations, or inside and outside of one, in texts without speakers.

Fitted to antecedents in 40 training documents of LitBank and 90 of OntoGUM: where the model alone expected 220 such
links, 103 were right.
"""


@dataclass(frozen=True)
class _Exclusion:
    """Pairs of marks that exclude each other within an entity, and the mentions to which this applies."""

    marks: np.ndarray
    """The marks of each mention as bits, uint64 (N,)."""
    opposites: np.ndarray
    """The marks that exclude a mention's own, as bits, uint64 (N,)."""
    conditions: tuple[_Condition, ...]
    """Two values for each mention, (N,) each, and whether one's first must equal the other's second, or differ."""
    cost: float = np.inf
    """Log odds against a link; a finite one makes links less likely and excludes none."""

    @classmethod
    def of(
        cls, pairs: Sequence[tuple[np.ndarray, np.ndarray]], *conditions: _Condition, cost: float = np.inf
    ) -> _Exclusion:
        """Pack at most 32 pairs of marks that exclude each other, bool (N,) each."""
        both = np.array(pairs, bool)
        bits = np.uint64(1) << np.arange(2 * len(both), dtype=np.uint64).reshape(-1, 2, 1)
        marks, opposites = (np.bitwise_or.reduce(side * bits, (0, 1)) for side in (both, both[:, ::-1]))
        return cls(marks, opposites, conditions, cost)

    def between(self, rows: slice | np.ndarray, columns: slice | np.ndarray) -> np.ndarray:
        """Return whether mentions of `rows` and of `columns` exclude each other, bool (rows, columns)."""
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
        """Prepare the exclusions; `people` adds those between people."""
        self._is = {name: table.type == TYPES.index(name) for name in _NEAR_PRONOUNS}
        self.pronouns = np.any(list(self._is.values()), axis=0)
        person = self._is["he"]
        he, she = (person & (table.gender == GENDERS.index(name)) for name in ("male", "female"))
        # A surname can end in s like a plural, and *they* can be one person.
        plural = (table.number == NUMBERS.index("plural")) & ~self.pronouns & (table.type != TYPES.index("name"))
        thing = (table.gender == GENDERS.index("thing")) | plural
        rules = [_Exclusion.of([(he, she), (person, thing)]), *self._by_speakers(table)]
        if people:
            rules += self._by_people(table).values()
        self._exclusions = [rule for rule in rules if np.isinf(rule.cost)]
        self._costly = [rule for rule in rules if np.isfinite(rule.cost)]

    def allowed(self, numbers: np.ndarray, stems: np.ndarray, first: int, last: int) -> np.ndarray:
        """Return which links (i, j) are possible, bool (last - first, last), with `first` <= i < `last` and j < i.

        `numbers` number the mentions of the document and measure distances; `stems` number head words, with singular
        and plural alike, int64 (N,) each.
        """
        i, j = numbers[first:last, None], numbers[:last]
        # The reach of a pronoun, and of a noun phrase whose antecedent has another head word.
        near = i - j <= np.where(self.pronouns[first:last], 100, 250)[:, None]
        same = (stems[first:last, None] == stems[:last]) & ~self.pronouns[first:last, None]
        return (j < i) & (near | same) & ~self.apart(slice(first, last), slice(last))

    def apart(self, rows: slice | np.ndarray, columns: slice | np.ndarray) -> np.ndarray:
        """Return which mentions of `rows` and of `columns` cannot corefer, bool (rows, columns)."""
        every = np.arange(self.pronouns.size)
        chosen, size = every[rows], every[columns].size
        result = np.zeros((chosen.size, size), bool)
        step = max(_MAX_COMPARED_PAIRS // max(size, 1), 1)
        for first in range(0, chosen.size, step):
            block = slice(first, first + step)
            for exclusion in self._exclusions:
                result[block] |= exclusion.between(chosen[block], columns)
        return result

    def costs(self, first: int, last: int) -> np.ndarray:
        """Return the log odds against each link (i, j), `first` <= i < `last`, j < `last`, by the rules of finite cost.

        The shape is (last - first, last); excluded links are not among them.
        """
        result = np.zeros((last - first, last))
        for rule in self._costly:
            result += rule.cost * rule.between(slice(first, last), slice(last))
        return result

    def among(self, mentions: np.ndarray) -> np.ndarray:
        """Return which of these mentions, int64 (some,), cannot corefer, bool (some, some)."""
        return self.apart(mentions, mentions)

    def _by_people(self, table: MentionTable) -> dict[str, _Exclusion]:
        """Return the exclusions between two people, and between a person and a thing.

        Each was kept because leaving it out made pairs of OntoGUM's or LitBank's held-out documents, or of the texts in
        tests/data, worse. The cost of two voices is fitted to training documents, and better on held-out pairs than
        an exclusion or nothing. Costs fitted to the others predict held-out antecedents better than exclusions, but
        pairs no better (docs/results/findings.md).
        """
        i, you, he, it = (self._is[name] for name in ("i", "you", "he", "it"))
        thing = it | ((table.gender == GENDERS.index("thing")) & ~self.pronouns)
        male, female = (table.sex == GENDERS.index(name) for name in ("male", "female"))
        name, named, given = table.type == TYPES.index("name"), table.surname >= 0, table.given >= 0
        somebody = i | self._is["we"] | ((male | female) & ~he) | (named & name)
        several = (table.number == NUMBERS.index("plural")) & ~self.pronouns & ~name
        relations = np.array([role.partition(":")[0] for role in table.roles], dtype=str)
        labels = np.array(table.roles, dtype=str)
        # Their object is their subject.
        reciprocal = (("each", "other"), ("one", "another"))
        reflexive = np.array(
            [edges[0].endswith(("self", "selves")) or edges[:2] in reciprocal for edges in table.edges], dtype=bool
        )
        acted_on = (np.isin(relations, ("obj", "iobj")) | (labels == "obl:agent")) & ~reflexive
        told = (he | you) & (table.teller >= 0)
        # A given name and a surname can be one person: *Sarah*, and later *Jarosz*.
        first_name = np.array([words[:1] != () and words[0] in GIVEN_NAMES for words in table.words], dtype=bool)
        called = table.called >= 0
        one_speaker, one_quotation = ((each, each, True) for each in (table.speaker, table.quotation))
        me = i & (table.speaker >= 0) & (table.quotation == 0)
        return {
            "I of two voices": _Exclusion.of([(i, i)], (table.voice, table.voice, False), cost=TWO_VOICES),
            "I of two speakers": _Exclusion.of([(me, me)], (table.speaker, table.speaker, False)),
            "one-word names that differ": _Exclusion.of(
                [(called & first_name,) * 2, (called & ~first_name,) * 2], (table.called, table.called, False)
            ),
            "what cannot be one by kind, sex or number": _Exclusion.of(
                [(somebody, thing), (i, several), (you, it), (male, female)]
            ),
            "I or you, and he of one speaker": _Exclusion.of([(i | you, he), (i, you)], one_speaker, one_quotation),
            "other surnames": _Exclusion.of([(named, named)], (table.surname, table.surname, False)),
            "other given names of one surname": _Exclusion.of(
                [(given, given)], (table.surname, table.surname, True), (table.given, table.given, False)
            ),
            "subject and object of one verb": _Exclusion.of(
                [(labels == "nsubj", acted_on)], (table.governor, table.governor, True)
            ),
            "a teller and whom the quotation speaks of": _Exclusion.of(
                [(told, np.ones_like(told))], (table.teller, table.head, True)
            ),
        }

    def _by_speakers(self, table: MentionTable) -> list[_Exclusion]:
        """Return exclusions by speaker: *I* and *you* of one, *I* and another speaker's name.

        A text without named speakers has one writer, and each quotation has one speaker, who may be anybody.
        """
        speaker, named, quotation = table.speaker, table.speaks, table.quotation
        if not (speaker >= 0).any():
            return [_Exclusion.of([(self._is["i"], self._is["you"])], (quotation, quotation, True))]
        known = (speaker >= 0) & (quotation == 0)
        i, you = self._is["i"] & known, self._is["you"] & known
        # With two speakers, *you* of the one is the other.
        two = np.unique(speaker[speaker >= 0]).size == 2
        return [
            _Exclusion.of([(you & two, you & two)], (speaker, speaker, False)),
            _Exclusion.of([(i, you)], (speaker, speaker, True)),
            # Compares the pronoun's speaker with the person that the name denotes, in either order.
            _Exclusion.of([(i, named >= 0)], (speaker, named, False)),
            _Exclusion.of([(you, named >= 0)], (speaker, named, True)),
        ]
