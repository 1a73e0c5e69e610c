"""Constraints: links excluded in training and in prediction, because the two mentions cannot be the same entity.

An excluded link has probability 0, and the rest of its row sums to 1 with NEW. Links stay independent, so marginals
stay exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.systems.coref.model.attributes import MentionTable
from nlpcalib.systems.coref.model.lexicon import (
    CLASSES,
    GENDERS,
    GIVEN_NAMES,
    KIN,
    NAMES_OF_ONE_SEX,
    NOUNS,
    NUMBERS,
    PEOPLE_ROLES,
    PLACES,
    TYPES,
)

_NEAR_PRONOUNS = ("i", "we", "you", "he", "it", "they", "this", "these")
_ALL = slice(None)
_Condition = tuple[np.ndarray, np.ndarray, bool]
_MAX_PRONOUN_DISTANCE = 100
"""Largest distance, in mentions, of a pronoun from its antecedent."""
_MAX_OTHER_HEAD_DISTANCE = 250
"""Largest distance, in mentions, of a noun phrase from an antecedent with another head word."""


_SURE_GIVEN_NAMES = {name for name, _ in NAMES_OF_ONE_SEX}
_WHOLE_NAMES = KIN.keys() | PLACES.keys() | NOUNS.keys() | (GIVEN_NAMES.keys() - _SURE_GIVEN_NAMES)
"""Words that, as names of one word, may be the whole name: places, nouns, and given names of few, such as America."""
_MAX_COMPARED_PAIRS = 1 << 20
"""Pairs of mentions compared at a time: few enough to take little memory."""
_RECIPROCAL = (("each", "other"), ("one", "another"))
"""The first and the last word of the objects that are their subject, like reflexives."""


@dataclass(frozen=True)
class _Exclusion:
    """Pairs of marks that exclude each other within an entity, and the mentions to which this applies."""

    marks: np.ndarray
    """The marks of each mention as bits, uint64 (N,)."""
    opposites: np.ndarray
    """The marks that exclude a mention's own, as bits, uint64 (N,)."""
    conditions: tuple[_Condition, ...]
    """Two values for each mention, (N,) each, and whether one's first must equal the other's second, or differ."""

    @classmethod
    def of(cls, pairs: Sequence[tuple[np.ndarray, np.ndarray]], *conditions: _Condition) -> _Exclusion:
        """Pack at most 32 pairs of marks that exclude each other, bool (N,) each."""
        both = np.array(pairs, bool)
        bits = np.uint64(1) << np.arange(2 * len(both), dtype=np.uint64).reshape(-1, 2, 1)
        marks, opposites = (np.bitwise_or.reduce(side * bits, (0, 1)) for side in (both, both[:, ::-1]))
        return cls(marks, opposites, conditions)

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


@dataclass(frozen=True)
class _Nesting:
    """Mentions that are nobody around them, and those that can be around."""

    inner: np.ndarray
    """bool (N,)"""
    outer: np.ndarray
    """bool (N,)"""
    start: np.ndarray
    end: np.ndarray

    def between(self, rows: slice | np.ndarray, columns: slice | np.ndarray) -> np.ndarray:
        """Return whether one of two mentions is inside the other and not it, bool (rows, columns)."""
        begins = self.start[rows, None] - self.start[columns]
        ends = self.end[rows, None] - self.end[columns]
        inside = self.inner[rows, None] & self.outer[columns] & (begins >= 0) & (ends <= 0)
        return inside | (self.outer[rows, None] & self.inner[columns] & (begins <= 0) & (ends >= 0))


class Constraints:
    """The constraints on one document's N mentions."""

    def __init__(self, table: MentionTable, *, people: bool = False) -> None:
        """Prepare the exclusions; `people` adds those by names, roles and quotations."""
        self._is = {name: table.type == TYPES.index(name) for name in _NEAR_PRONOUNS}
        self.pronouns = np.any(list(self._is.values()), axis=0)
        person = self._is["he"]
        he, she = (person & (table.gender == GENDERS.index(name)) for name in ("male", "female"))
        # A surname can end in s like a plural, and *they* can be one person.
        plural = (table.number == NUMBERS.index("plural")) & ~self.pronouns & (table.type != TYPES.index("name"))
        thing = (table.gender == GENDERS.index("thing")) | plural
        self._exclusions: list[_Exclusion | _Nesting] = [
            _Exclusion.of([(he, she), (person, thing)]),
            *self._by_speakers(table),
        ]
        if people:
            self._exclusions += self._by_people(table)

    def allowed(self, numbers: np.ndarray, stems: np.ndarray, first: int, last: int) -> np.ndarray:
        """Return which links (i, j) are possible, bool (last - first, last), with `first` <= i < `last` and j < i.

        `numbers` number the mentions of the document and measure distances; `stems` number head words, with singular
        and plural alike, int64 (N,) each.
        """
        i, j = numbers[first:last, None], numbers[:last]
        near = i - j <= np.where(self.pronouns[first:last], _MAX_PRONOUN_DISTANCE, _MAX_OTHER_HEAD_DISTANCE)[:, None]
        same = (stems[first:last, None] == stems[:last]) & ~self.pronouns[first:last, None]
        return (j < i) & (near | same) & ~self.apart(slice(first, last), slice(last))

    def apart(self, rows: slice | np.ndarray = _ALL, columns: slice | np.ndarray = _ALL) -> np.ndarray:
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

    def among(self, mentions: np.ndarray) -> np.ndarray:
        """Return which of these mentions, int64 (some,), cannot corefer, bool (some, some)."""
        return self.apart(mentions, mentions)

    def _by_people(self, table: MentionTable) -> list[_Exclusion | _Nesting]:
        """Return exclusions between two people, and between a person and a thing.

        *I* and *you* are not *it*. From one speaker, *I*, *you* and *he* or *she* are different people, also in
        quotations. *I* in somebody else's quotation is not *I* outside it. Names with different surnames are different
        people, and so are a doctor and a patient. He or she is nobody with a name, title or noun of the other sex. Full
        names of one surname with other initials are different people. So are given names with other initials, other
        one-word names with other initials, and the subject and the object of one verb. If one of these is *I* or *me*,
        also with *to me*, the other is no *I* of the same teller. In a quotation, *he*, *she*, *you* and names that are
        called are not its teller. A time is nobody, and neither is *none* or *everyone*. *My sister* is not *my
        mother*, and neither is *I*. Whom a speaker greets is not *I*, *he* or *she*, and the speaker's own name is not
        *he* or *she*. A person with a full name, or of known sex, is no thing, and several are not *I*. The owner of a
        noun (*her dog*, *her sister Lea*) is not the noun, nor its apposition. A noun within another (*the key of the
        door*) is not the other, except an apposition, and the actor of a relative clause is not its object (*the man
        who saw her*). Miss Lyle is not Mrs Lyle.
        """
        i, you, we, it = (self._is[name] for name in ("i", "you", "we", "it"))
        thing = it | ((table.gender == GENDERS.index("thing")) & ~self.pronouns)
        roles = [(table.role >> number) % 2 == 1 for number in range(len(PEOPLE_ROLES))]
        named = table.surname >= 0
        male, female = (table.sex == GENDERS.index(name) for name in ("male", "female"))
        given = table.given >= 0
        relations = np.array([role.partition(":")[0] for role in table.roles], dtype=str)
        labels = np.array(table.roles, dtype=str)
        reflexive = np.array(
            [edges[0].endswith(("self", "selves")) or edges[:2] in _RECIPROCAL for edges in table.edges], dtype=bool
        )
        # The object of a passive can be its subject: *she was born Ana Ruiz*.
        subject, passive = labels == "nsubj", labels == "nsubj:pass"
        other = np.isin(relations, ("obj", "iobj")) & ~reflexive
        agent = (labels == "obl:agent") & ~reflexive
        called = table.greeted > 0
        spoken_of = (self._is["he"] | you | called) & (table.teller >= 0)
        one_speaker = (table.speaker, table.speaker, True)
        one_quotation = (table.quotation, table.quotation, True)
        pronoun = i | you | we | self._is["he"]
        person = pronoun | named | male | female | (table.noun_class == CLASSES.index("person"))
        kin = table.kin >= 0
        # A given name and a surname can be one person, *Sarah* and later *Jarosz*; places, nouns and *Mum* are no such.
        lone = [words[0] if known else "" for words, known in zip(table.words, table.called >= 0, strict=True)]
        whole = np.array([not {word, word.removesuffix("s")}.isdisjoint(_WHOLE_NAMES) for word in lone], bool)
        given_name = np.array([word in GIVEN_NAMES for word in lone], bool)
        first_name, last_name = given_name | whole, (~given_name & (table.called >= 0)) | whole
        named_you = table.greeted == 2
        miss, mrs = (np.array([title in each[:2] for each in table.words], bool) & named for title in ("miss", "mrs"))
        name = table.type == TYPES.index("name")
        somebody = i | we | ((male | female) & ~self._is["he"]) | (named & name)
        several = (table.number == NUMBERS.index("plural")) & ~self.pronouns & ~name
        inner = ~self.pronouns & (relations != "appos")
        part = np.isin(labels, ("nmod", "nmod:poss"))
        # After a comma, parsers take a subject for an apposition: *in her youth, Lea …*.
        owned_name = (labels == "appos") & np.array([edges[2] != "," for edges in table.edges], bool)
        acted_on = (table.actor >= 0) & ~reflexive
        return [
            _Exclusion.of([(table.impersonal, person & ~table.impersonal)]),
            _Exclusion.of([(i, called), (self._is["he"], named_you | (table.signs > 0))], one_speaker, one_quotation),
            _Exclusion.of([(kin, kin)], (table.kin, table.kin, False), one_speaker, one_quotation),
            _Exclusion.of([(i, kin)], one_speaker, one_quotation),
            _Exclusion.of([(first_name, first_name), (last_name, last_name)], (table.called, table.called, False)),
            _Nesting(inner, ~self.pronouns, table.start, table.end),
            _Exclusion.of([(part, np.ones_like(part))], (table.governor, table.head, True)),
            _Exclusion.of([(labels == "nmod:poss", owned_name)], (table.governor, table.governor, True)),
            _Exclusion.of([(acted_on, ~self.pronouns)], (table.actor, table.head, True)),
            _Exclusion.of(
                [(somebody, thing), (i, several), (you, it), (male, female), *zip(roles[::2], roles[1::2], strict=True)]
            ),
            _Exclusion.of([(i | you, self._is["he"]), (i, you)], one_speaker, one_quotation),
            _Exclusion.of([(i, table.other_voice >= 0)], (table.voice, table.other_voice, True)),
            _Exclusion.of([(i & (table.told == 2), i & (table.quotation == 0))], one_speaker),
            _Exclusion.of([(named, named)], (table.surname, table.surname, False)),
            _Exclusion.of([(given, given)], (table.surname, table.surname, True), (table.given, table.given, False)),
            _Exclusion.of([(miss, mrs)], (table.surname, table.surname, True)),
            _Exclusion.of([(subject, other | agent), (passive, agent)], (table.governor, table.governor, True)),
            _Exclusion.of([(spoken_of, np.ones_like(spoken_of))], (table.teller, table.head, True)),
        ]

    def _by_speakers(self, table: MentionTable) -> list[_Exclusion | _Nesting]:
        """Return exclusions by speaker: *I* of two speakers, *I* and *you* of one, *I* and another speaker's name.

        A text without named speakers has one writer, and each quotation has one speaker, who may be anybody.
        """
        speaker, named, quotation = table.speaker, table.speaks, table.quotation
        if not (speaker >= 0).any():
            return [_Exclusion.of([(self._is["i"], self._is["you"])], (quotation, quotation, True))]
        known = (speaker >= 0) & (quotation == 0)
        i, you = self._is["i"] & known, self._is["you"] & known
        # With two speakers, *you* of the one is the other.
        selves = [(i, i), (you, you)] if np.unique(speaker[speaker >= 0]).size == 2 else [(i, i)]
        return [
            _Exclusion.of(selves, (speaker, speaker, False)),
            _Exclusion.of([(i, you)], (speaker, speaker, True)),
            # Compares the pronoun's speaker with the person that the name denotes, in either order.
            _Exclusion.of([(i, named >= 0)], (speaker, named, False)),
            _Exclusion.of([(you, named >= 0)], (speaker, named, True)),
        ]
