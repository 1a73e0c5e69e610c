"""Feature templates on pairs of mentions, as small whole numbers for many pairs at once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import sparse

from nlpcalib.systems.coref.model.attributes import MentionTable
from nlpcalib.systems.coref.model.constraints import Constraints
from nlpcalib.systems.coref.model.lexicon import GENDERS, NUMBERS, TYPES
from nlpcalib.systems.coref.model.templates import History, bucket, identify

TEMPLATES: Mapping[str, dict[str, int]] = {
    "place": {"distance": 12, "sentences": 9, "roles": 25, "between": 5},
    "string": {"exact": 2, "head": 3, "overlap": 5, "ends": 5, "initials": 2, "nearest": 4},
    "salience": {"seen": 10, "since": 3},
    "agreement": {
        "number": len(NUMBERS) ** 2,
        "gender": len(GENDERS) ** 2,
        "class": 3,
        "speaker": 4,
        "quotation": 6,
        "speaks": 9,
    },
    "syntax": {"nested": 4, "clause": 3, "governs": 4, "reflexive": 2, "relation": 3, "binding": 150},
    "centre": {"subjects": 80, "standing": 96},
}
"""The templates with their numbers of values, in groups of related ones, whose values take few combinations."""

_PERSONS = [GENDERS.index(gender) for gender in ("male", "female", "person")]
_ROLE_OF_RELATION = {"nsubj": 1, "csubj": 1, "obj": 2, "iobj": 2, "obl": 3, "nmod:poss": 4}


class PairTemplates:
    """The templates of one document's N mentions."""

    def __init__(self, table: MentionTable, history: History, constraints: Constraints | None = None) -> None:
        self._table, self._history = table, history
        self.constraints = constraints or Constraints(table)
        self._name = table.type == TYPES.index("name")
        self._words = _incidence(table)
        self._sizes = np.diff(self._words.indptr)
        self._first_word = identify(tuple(words[0] if words else "" for words in table.words))
        self._last_word = identify(tuple(words[-1] if words else "" for words in table.words))
        self._initials, self._acronym = _initials(table)
        self._role = np.array(
            [_ROLE_OF_RELATION.get(role, _ROLE_OF_RELATION.get(role.split(":")[0], 0)) for role in table.roles],
            np.int64,
        )
        self._apposition = np.array([role == "appos" for role in table.roles], dtype=bool)
        self._candidate = ~self.constraints.pronouns & (
            np.isin(table.gender, _PERSONS) | (self._name & (table.gender == 0))
        )
        """Mentions that can introduce a person: names and nouns, not pronouns."""
        self._reflexive = np.array([edges[1].endswith(("self", "selves")) for edges in table.edges], dtype=bool)

    def links(self, first: int, last: int) -> np.ndarray:
        """Return which links (i, j), `first` <= i < `last` and j < i, are possible, bool (last - first, last)."""
        return self.constraints.allowed(self._history.numbers, self._history.stems, first, last)

    def block(self, first: int, links: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """Return the values of all templates for `links`, bool (rows, columns), whose first row is mention `first`.

        Values have shape (links,), row by row; they are whole numbers below those of `TEMPLATES`.
        """
        return {
            group: {name: np.broadcast_to(table, links.shape)[links] for name, table in tables.items()}
            for group, tables in self._tables(first, links.shape[1]).items()
        }

    def _tables(self, first: int, last: int) -> dict[str, dict[str, np.ndarray]]:
        """Return arrays that broadcast to (last − first, last); entries with j >= i have no meaning."""
        table, history = self._table, self._history

        def pair(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return values[first:last, None], values[None, :last]

        def same(values: np.ndarray) -> np.ndarray:
            current, earlier = pair(values)
            return current == earlier

        i, j = pair(np.arange(len(table)))
        sentence, earlier_sentence = pair(table.sentence)
        apart = sentence - earlier_sentence
        seen = self._seen(first, last)
        since = seen - history.heads_before[None, :last] - 1
        head, same_stem = same(history.heads), same(history.stems)
        overlap = (self._words[first:last] @ self._words[:last].T).toarray()
        size, earlier_size = pair(self._sizes)
        names = self._name[first:last, None] & self._name[None, :last]
        initials, earlier_initials = pair(self._initials)
        acronym, earlier_acronym = pair(self._acronym)
        number, earlier_number = pair(table.number)
        gender, earlier_gender = pair(table.gender)
        noun_class, earlier_class = pair(table.noun_class)
        agreeing = _agree(number, earlier_number) & _same_gender(gender, earlier_gender) & (j < i)
        start, earlier_start = pair(table.start)
        end, earlier_end = pair(table.end)
        governor, earlier_governor = pair(table.governor)
        place, earlier_place = pair(table.head)
        governed, governing = governor == earlier_place, earlier_governor == place
        subject = self._role[None, :last] == 1
        clause = same(table.clause) * (1 + same(table.governor))
        role, earlier_role = pair(self._role)
        # Number of agreeing candidates between the antecedent and the mention: all of them, and subjects.
        others = agreeing & self._candidate[None, :last]
        subjects = _after(others & subject)
        names_between = _after(others)
        return {
            "place": {
                "distance": bucket(i - j - 1, 11),
                "sentences": bucket(apart, 8),
                "roles": self._role[first:last, None] * 5 + self._role[None, :last],
                "between": np.minimum(_after(agreeing), 4),
            },
            "string": {
                "exact": same(history.strings),
                "head": np.where(head, 1, np.where(same_stem, 2, 0)),
                "overlap": np.where(overlap, 1 + (overlap == size) + 2 * (overlap == earlier_size), 0),
                "ends": names * (1 + same(self._last_word) + 2 * same(self._first_word)),
                "initials": (initials == earlier_acronym) | (acronym == earlier_initials),
                "nearest": np.where(head, np.minimum(since, 3), 0),
            },
            "salience": {"seen": bucket(seen, 9), "since": np.minimum(since, 2)},
            "agreement": {
                "number": number * len(NUMBERS) + earlier_number,
                "gender": _both_genders(gender, earlier_gender),
                "class": np.where((noun_class > 0) & (earlier_class > 0), 1 + (noun_class == earlier_class), 0),
                **self._speech(pair),
            },
            "syntax": {
                "nested": ((start >= earlier_start) & (end <= earlier_end))
                + 2 * ((start <= earlier_start) & (end >= earlier_end)),
                "clause": clause,
                "governs": governed + 2 * governing,
                "reflexive": self._reflexive[first:last, None],
                "relation": np.where(governing & subject, 2, governed & self._apposition[first:last, None]),
                "binding": ((clause * 5 + role) * 5 + earlier_role) * 2 + self._reflexive[first:last, None],
            },
            "centre": {
                "subjects": (np.minimum(subjects, 3) * 4 + np.minimum(apart, 3)) * 5 + earlier_role,
                "standing": (
                    (np.minimum(names_between, 3) * 4 + np.minimum(apart, 3)) * 3 + np.minimum(seen - 1, 2).clip(0)
                )
                * 2
                + self._history.of_first_name[None, :last],
            },
        }

    def _seen(self, first: int, last: int) -> np.ndarray:
        """Return how many mentions before mention i have the head of mention j, int32 (last − first, last)."""
        heads, before = self._history.heads, self._history.heads_before
        counts = np.zeros((max(last - first, 1), int(heads.max(initial=-1)) + 1), dtype=np.int32)
        # The count at the last mention with a head includes earlier ones, even if they are not in this table.
        np.maximum.at(counts[0], heads[:first], before[:first] + 1)
        counts[np.arange(1, last - first), heads[first : last - 1]] = before[first : last - 1] + 1
        return np.maximum.accumulate(counts, axis=0)[: last - first, heads[:last]]

    def _speech(self, pair) -> dict[str, np.ndarray]:
        table = self._table
        speaker, earlier_speaker = pair(table.speaker)
        turn, earlier_turn = pair(table.turn)
        quotation, earlier_quotation = pair(table.quotation)
        speaks, earlier_speaks = pair(table.speaks)
        return {
            "speaker": np.select(
                [(speaker < 0) | (earlier_speaker < 0), speaker == earlier_speaker, turn - earlier_turn == 1],
                [0, 1, 2],
                3,
            ),
            "quotation": np.select(
                [quotation == earlier_quotation, quotation == 0, earlier_quotation == 0],
                [quotation > 0, 2, 3],
                4 + (quotation - earlier_quotation == 1),
            ),
            "speaks": (speaks >= 0) * (1 + (speaks == earlier_speaker))
            + 3 * (earlier_speaks >= 0) * (1 + (earlier_speaks == speaker)),
        }


def _after(marks: np.ndarray) -> np.ndarray:
    """Return the number of marks after each column in its row, int32, for marks (rows, columns)."""
    passed = np.cumsum(marks, axis=1, dtype=np.int32)
    return passed[:, -1:] - passed


def _agree(current: np.ndarray, earlier: np.ndarray) -> np.ndarray:
    """Return where two attributes are compatible; 0 is unknown."""
    return (current == earlier) | (current == 0) | (earlier == 0)


def _both_genders(current: np.ndarray, earlier: np.ndarray) -> np.ndarray:
    """Return both genders in one number, with male and female swapped if the first such gender is female."""
    female = np.where(np.isin(current, _PERSONS[:2]), current, earlier) == _PERSONS[1]

    def exchanged(gender: np.ndarray) -> np.ndarray:
        return np.where(female & np.isin(gender, _PERSONS[:2]), _PERSONS[0] + _PERSONS[1] - gender, gender)

    return exchanged(current) * len(GENDERS) + exchanged(earlier)


def _same_gender(current: np.ndarray, earlier: np.ndarray) -> np.ndarray:
    """Return where two genders are compatible: a person may be male or female."""
    both = np.isin(current, _PERSONS) & np.isin(earlier, _PERSONS)
    return _agree(current, earlier) | (both & ((current == _PERSONS[2]) | (earlier == _PERSONS[2])))


def _incidence(table: MentionTable) -> sparse.csr_array:
    """Return how often each word occurs in each mention, int32 (N, words)."""
    vocabulary: dict[str, int] = {}
    indices: list[int] = []
    starts = [0]
    for words in table.words:
        indices += sorted({vocabulary.setdefault(word, len(vocabulary)) for word in words})
        starts.append(len(indices))
    ones = np.ones(len(indices), dtype=np.int32)
    return sparse.csr_array((ones, indices, starts), shape=(len(table), max(len(vocabulary), 1)))


def _initials(table: MentionTable) -> tuple[np.ndarray, np.ndarray]:
    """Return each name's initials and, for a single word, that word, as numbers; negative if there is none."""
    numbers: dict[str, int] = {}
    initials, acronyms = [], []
    for words, kind in zip(table.words, table.type, strict=True):
        name = words if TYPES[kind] in ("name", "the") else ()
        letters = "".join(word[0] for word in name if word[0].isalpha()) if len(name) > 1 else ""
        single = name[0].replace(".", "") if len(name) == 1 else ""
        initials.append(numbers.setdefault(letters, len(numbers)) if len(letters) > 1 else -1)
        acronyms.append(numbers.setdefault(single, len(numbers)) if len(single) > 1 else -2)
    return np.array(initials, dtype=np.int64), np.array(acronyms, dtype=np.int64)
