"""Attributes of single mentions, in columns, from which all feature templates are built.

They come from words, Penn tags, Universal Dependencies and speakers, with closed word lists for pronouns, titles,
verbs of speech and roles. Lemmas, universal tags and external lexicons are not needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import takewhile
from typing import Any

import numpy as np

from nlpcalib.coref.model.mentions import Span
from nlpcalib.coref.model.quotations import quotation_numbers, tellers
from nlpcalib.io.own_tables import own_rows
from nlpcalib.text.document import Document
from nlpcalib.text.inflection import forms
from nlpcalib.text.tree import Tree, tree_of

_PRONOUN_ROWS = own_rows(__file__, "pronouns")
TYPES = (
    *(name for name, *_ in _PRONOUN_ROWS if name != "she"),
    "other",
    "name",
    "the",
    "a",
    "this N",
    "possessed",
    "bare",
)
"""Types of mentions: canonical forms of pronouns (Durrett and Klein 2013), and noun phrases by their determiner.

He and she are one type and differ only in gender, so that the model treats them alike.
"""

NUMBERS = ("unknown", "singular", "plural")
GENDERS = ("unknown", "male", "female", "person", "thing")

CLASSES = ("", *(name for (name,) in own_rows(__file__, "classes")))
"""Noun classes: the WordNet lexicographer file of a word's most frequent sense, empty for other words."""


def _read_lexicon() -> dict[str, dict[str, int]]:
    """Return the gender of each word by use, as indices into GENDERS; people.tsv overrides words.tsv."""
    lexicon: dict[str, dict[str, int]] = {}
    for word, use, gender, *noun_class in [*own_rows(__file__, "words"), *own_rows(__file__, "people")]:
        lexicon.setdefault(use, {})[word] = GENDERS.index(gender)
        for name in noun_class:
            if use in ("noun", "place or time"):
                lexicon.setdefault("class", {})[word] = CLASSES.index(name)
    return lexicon


_CANONICAL = {form: name for name, forms, *_ in _PRONOUN_ROWS for form in forms.split()}
PRONOUN_FORMS = frozenset(_CANONICAL)
"""Pronouns in lower case."""
_ATTRIBUTES = {name: (NUMBERS.index(number), GENDERS.index(gender)) for name, _, number, gender in _PRONOUN_ROWS}


def pronoun_attributes(word: str) -> tuple[int, int]:
    """Return a lower-case pronoun's number and gender, indices into NUMBERS and GENDERS; 0 for other words."""
    return _ATTRIBUTES.get(_CANONICAL.get(word, ""), (0, 0))


_LEXICON = _read_lexicon()
_TITLES, _GIVEN, _SURNAMES, _NOUNS, _PLACES, _CLASSES = (
    _LEXICON[use] for use in ("title", "given name", "surname", "noun", "place or time", "class")
)
_INITIALS = dict(own_rows(__file__, "short_names"))
"""Initials of the names that have another one when they are short: Bill is William."""
_OF_ONE_SEX = {(word, gender) for word, use, gender, *_ in own_rows(__file__, "words") if use == "given name"} & {
    (word, gender) for word, use, gender in own_rows(__file__, "people") if use == "given name"
}
"""Given names whose gender both tables state; others, such as Sasha, are borne by both sexes more often."""
_DETERMINERS = dict(own_rows(__file__, "determiners"))
_SAYS = frozenset(word for (verb,) in own_rows(__file__, "speech") for word in forms(verb)[:3])
PEOPLE_ROLES = tuple(frozenset(side.split()) for pair in own_rows(__file__, "roles") for side in pair)
"""Roles of people in pairs: whoever has the first role of a pair is not the person with the second."""
_KIN = {word: number for number, (group,) in enumerate(own_rows(__file__, "kin")) for word in group.split()}
"""The relatives that are different people for one speaker, by row."""
_QUOTATION_MARKS = frozenset(("``", "''", "“", "”", "«", "»", '"', "‘", "’", "'"))
_BEFORE_ROLES = frozenset(("the", "hereinafter", "hereafter", "referred", "to", "as", "called"))
_OPENING_BRACKETS, _CLOSING_BRACKETS = ("(", "-lrb-", "["), (")", "-rrb-", "]")
_CALENDAR = frozenset(name for (name,) in own_rows(__file__, "calendar"))
_BEFORE_DATES = ("on", "in", "since", "until", "till", "during", "last", "next", "every", "each")
"""Words after which the name of a day or month is nobody's (*in May*)."""
_NOT_PEOPLE = ("none", "something", "anything", "everything", "nothing")
_SPELT_TITLES = {"dr": "doctor", "dr.": "doctor", "prof": "professor", "prof.": "professor"}
_GREETINGS = frozenset(("dear", "hi", "hello", "hey"))
_SKIPPED = ("DT", "POS", "PRP$", "''", "``", "-LRB-", "-RRB-", "HYPH")


@dataclass(frozen=True, eq=False, slots=True)
class MentionTable:
    """The N mentions of a document in order: tuples of N values and arrays of shape `(N,)`, int64.

    Words are numbered from the start of the document.
    """

    document: str
    spans: tuple[Span, ...]
    words: tuple[tuple[str, ...], ...]
    """Lower-case words of the mention, up to the end of its head, without determiners and punctuation."""
    heads: tuple[str, ...]
    """Lower-case head word, or a pronoun's canonical form."""
    tags: tuple[str, ...]
    """Tag of the head."""
    edges: tuple[tuple[str, str, str, str], ...]
    """First word, last word, word before and word after, in lower case; sentence borders are `<s>` and `</s>`."""
    edge_tags: tuple[tuple[str, str, str, str], ...]
    roles: tuple[str, ...]
    """Relation of the head to its governor."""
    governors: tuple[str, ...]
    """Lower-case governor of the head, or `<s>`."""
    modifiers: tuple[str, ...]
    """Relation of the head's first dependent after it and inside the mention, or empty."""
    type: np.ndarray
    """Index into TYPES."""
    number: np.ndarray
    """Index into NUMBERS."""
    gender: np.ndarray
    """Index into GENDERS."""
    noun_class: np.ndarray
    """Index into CLASSES."""
    sentence: np.ndarray
    start: np.ndarray
    end: np.ndarray
    head: np.ndarray
    governor: np.ndarray
    """The head's governor, -1 for a root."""
    clause: np.ndarray
    """The nearest verb above the head, or the root of its sentence."""
    speaker: np.ndarray
    """The speaker, numbered within the document; -1 if unknown."""
    speaks: np.ndarray
    """The speaker that the mention names, -1 if none."""
    turn: np.ndarray
    """Changes of speaker up to the mention."""
    quotation: np.ndarray
    """The quotation around the mention, numbered from 1 within the document; 0 outside quotations."""
    told: np.ndarray
    """Who said the quotation: 0 unknown, 1 the text's own *I* or *we*, 2 somebody else."""
    teller: np.ndarray
    """The head word of the teller of the quotation, -1 if unknown or outside quotations."""
    sex: np.ndarray
    """The `gender` male or female of a pronoun, of a name by its own title or given name, or of a noun; else 0."""
    surname: np.ndarray
    """The surname in a full name or after a title, numbered within the document; -1 if there is none."""
    given: np.ndarray
    """The initial of the given name in a full name, numbered within the document; -1 if there is none."""
    role: np.ndarray
    """The `PEOPLE_ROLES` of the head or the title, as bits; 0 for none."""
    titles: tuple[str, ...]
    """The noun before a name (Captain Morrow), or alone (*the captain*, *Captain*); empty for others."""
    defined: tuple[str, ...]
    """The role that brackets after a name define: buyer for *Henk Bos ("the Buyer")*; empty for others."""
    greeted: np.ndarray
    """1 for a name that is called (*Sit down, Ana*), 2 for one that is greeted (*Dear Ana*), else 0."""
    signs: np.ndarray
    """2 for the speaker's own name at the end of a sentence, 1 elsewhere outside quotations, else 0."""
    impersonal: np.ndarray
    """Whether the mention is a time (*one day*), also with a word that can be a name (*3 May*), or *none*; bool."""
    kin: np.ndarray
    """The row of kin.tsv for a relative of the speaker (*my sister*, *Mum*); -1 for others."""

    def __len__(self) -> int:
        """Return the number of mentions N."""
        return len(self.spans)

    def take(self, chosen: np.ndarray) -> MentionTable:
        """Return the table of the chosen mentions, sorted indices, int64."""
        numbers = chosen.tolist()
        columns: dict[str, Any] = {
            name: value[chosen] if isinstance(value, np.ndarray) else tuple(value[number] for number in numbers)
            for name, value in ((each.name, getattr(self, each.name)) for each in fields(self))
            if name != "document"
        }
        return MentionTable(document=self.document, **columns)


def mention_table(document: Document, spans: Sequence[Span]) -> MentionTable:
    """Return the attributes of `spans`, which are sorted and in sentences with tags, heads and relations."""
    offsets = np.cumsum([0, *(len(sentence.words) for sentence in document.sentences)]).tolist()
    trees = dict(enumerate(map(tree_of, document.sentences)))
    rows = [_row(trees[span.sentence], span, offsets[span.sentence]) for span in spans]
    names = sorted({sentence.speaker for sentence in document.sentences if sentence.speaker is not None})
    speakers = np.array([-1 if s.speaker is None else names.index(s.speaker) for s in document.sentences], np.int64)
    turns = np.cumsum(np.diff(speakers, prepend=speakers[:1]) != 0)
    quotations = quotation_numbers(document)
    teller = tellers(document, trees, offsets, quotations, _SAYS.__contains__)
    sentence = np.array([span.sentence for span in spans], dtype=np.int64)
    columns: dict[str, Any] = {name: tuple(row[name] for row in rows) for name in _ROW_COLUMNS}
    columns |= {name: np.array([row[name] for row in rows], dtype=np.int64) for name in _ROW_ARRAYS}
    columns["sex"] = np.array([_sex(row) for row in rows], dtype=np.int64)
    columns["gender"] = _genders_of_surnames(columns["words"], columns["type"], columns["gender"])
    speaks = _named_speakers([row["words"] for row in rows], columns["type"], names)
    own = (speaks >= 0) & (speaks == speakers[sentence]) & (quotations[columns["start"]] == 0)
    last = columns["end"] >= np.array(offsets, dtype=np.int64)[sentence + 1] - 1
    titles = tuple(_title(row) for row in rows)
    surnames, given = _of_one_person(columns["words"], columns["type"], titles, *_full_names(columns))
    return MentionTable(
        document=document.id,
        spans=tuple(spans),
        sentence=sentence,
        speaker=speakers[sentence],
        turn=turns[sentence],
        quotation=quotations[columns["start"]],
        told=_told(trees, offsets, teller)[quotations[columns["start"]]],
        teller=teller[quotations[columns["start"]]],
        surname=_identified(surnames),
        given=_identified(given),
        titles=titles,
        defined=tuple(_defined(trees[span.sentence], span) for span in spans),
        greeted=np.array([_greeted(row) for row in rows], dtype=np.int64),
        signs=own * (1 + last),
        impersonal=np.array([_is_impersonal(row) for row in rows], dtype=bool),
        kin=np.array([_kin(row) for row in rows], dtype=np.int64),
        role=np.array([_role(row["heads"], row["words"], row["edges"]) for row in rows], dtype=np.int64),
        speaks=speaks,
        **columns,
    )


def selves_of_tellers(table: MentionTable) -> list[tuple[int, list[int]]]:
    """Return each teller of quotations that is a mention of one person, with the mentions *I* in these quotations."""
    selves: dict[int, list[int]] = {}
    for number in np.flatnonzero((table.type == TYPES.index("i")) & (table.teller >= 0)).tolist():
        selves.setdefault(int(table.teller[number]), []).append(number)
    is_person = ~np.isin(table.type, [TYPES.index(name) for name in ("we", "it", "they", "this", "these")])
    is_person &= table.number != NUMBERS.index("plural")
    heads = {int(table.head[number]): number for number in np.flatnonzero(is_person)[::-1].tolist()}
    return [(heads[word], each) for word, each in selves.items() if word in heads and heads[word] not in each]


_ROW_COLUMNS = ("words", "heads", "tags", "edges", "edge_tags", "roles", "governors", "modifiers")
_ROW_ARRAYS = ("type", "number", "gender", "noun_class", "start", "end", "head", "governor", "clause")


def _told(trees: Mapping[int, Tree], offsets: Sequence[int], words: np.ndarray) -> np.ndarray:
    """Return who said each quotation, see `MentionTable.told`, from the head words of tellers."""
    told = np.zeros(words.size, dtype=np.int64)
    for number, word in enumerate(words.tolist()):
        if word >= 0:
            sentence = int(np.searchsorted(offsets, word, side="right")) - 1
            told[number] = 1 if trees[sentence].words[word - offsets[sentence]] in ("i", "we") else 2
    return told


def _sex(row: Mapping[str, Any]) -> int:
    """Return the gender male or female of one mention where nothing but its own words shows it, else 0."""
    if GENDERS[row["gender"]] not in ("male", "female") or NUMBERS[row["number"]] == "plural":
        return 0
    words = row["words"]
    if TYPES[row["type"]] != "name" or not words or any(word in _TITLES for word in words):
        return row["gender"]
    # A name of one word may be a surname, such as Allen or Kelly.
    is_given = (words[0], GENDERS[row["gender"]]) in _OF_ONE_SEX and (
        words[0] not in _SURNAMES if len(words) == 1 else row["edge_tags"][0] == "NNP"
    )
    return row["gender"] if is_given else 0


def _full_names(columns: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the surname of each full name or name with a title, and the initial of its given name, or empty texts."""
    words = [_called(each) for each in columns["words"]]
    rows = zip(words, columns["edges"], columns["type"].tolist(), columns["gender"].tolist(), strict=True)
    surnames = [_surname(*row) for row in rows]
    return surnames, [_given(name) if surname else "" for name, surname in zip(words, surnames, strict=True)]


def _called(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name without the greeting *dear*."""
    return words[1:] if words[:1] == ("dear",) else words


def _given(words: tuple[str, ...]) -> str:
    """Return the initial of a given name, which short names share, or an empty text."""
    return _INITIALS.get(words[0], words[0][0]) if words[0] in _GIVEN else ""


def _of_one_person(
    words: Sequence[tuple[str, ...]], types: np.ndarray, titles: Sequence[str], surnames: list[str], given: list[str]
) -> tuple[list[str], list[str]]:
    """Return surnames and initials, also for single words: a surname, or a given name or title of one person alone."""
    known = set(surnames) - {""}
    bearers: dict[str, set[tuple[str, str]]] = {}
    for name, title, surname, initial in zip(words, titles, surnames, given, strict=True):
        if surname:
            for word in {name[0], title} - {"", surname}:
                bearers.setdefault(word, set()).add((surname, initial if word == name[0] else ""))
    surnames, given = surnames.copy(), given.copy()
    for number, name in enumerate(words):
        if len(name) == 1 and not surnames[number] and (TYPES[types[number]] == "name" or titles[number]):
            if name[0] in known:
                surnames[number] = name[0]
            elif len(found := bearers.get(name[0], set())) == 1:
                [(surnames[number], given[number])] = found
    return surnames, given


def _surname(words: tuple[str, ...], edges: tuple[str, ...], kind: int, gender: int) -> str:
    """Return the surname that follows a given name or a title, or an empty text."""
    is_person = TYPES[kind] == "name" and GENDERS[gender] != "thing" and len(words) > 1
    first = words[0].strip(".") if edges[0] == "dear" and words else edges[0].strip(".")
    is_title = first in _TITLES or _is_title(first) or any(first in role for role in PEOPLE_ROLES)
    full = is_person and (words[0] in _GIVEN or is_title)
    last = words[-1].strip(".") if full else ""
    return last if len(last) > 2 and last.isalpha() and last not in _TITLES else ""


def _is_title(word: str) -> bool:
    """Return whether a word before a name is a noun for people: captain, president."""
    return CLASSES[_CLASSES.get(word, 0)] == "person" and word not in _GIVEN


def _title(row: Mapping[str, Any]) -> str:
    """Return the noun that is the title of a name, or that stands alone; empty for others."""
    words, kind = _called(row["words"]), TYPES[row["type"]]
    is_name = kind == "name" and len(words) > 1 and GENDERS[row["gender"]] != "thing"
    is_alone = len(words) == 1 and row["roles"] not in ("compound", "flat")
    is_role = is_alone and row["end"] - row["start"] == {"the": 2, "name": 1}.get(kind)
    title = _SPELT_TITLES.get(words[0], words[0]) if is_name or is_role else ""
    return title if _is_title(title) and NUMBERS[row["number"]] != "plural" else ""


def _defined(tree: Tree, span: Span) -> str:
    """Return the role that brackets after a name define: *("the Seller")*, *(hereinafter the "Tenant")*."""
    place = _last_of_name(tree, span) + 1
    if not tree.tags[span.head].startswith("N") or _at(tree.words, place) not in _OPENING_BRACKETS:
        return ""
    inside = list(takewhile(lambda word: word not in _CLOSING_BRACKETS, tree.words[place + 1 :]))
    words = [word for word in inside if word not in _QUOTATION_MARKS and word not in _BEFORE_ROLES]
    return words[0] if len(words) == 1 and any(word in _QUOTATION_MARKS for word in inside) else ""


def _greeted(row: Mapping[str, Any]) -> int:
    """Return 2 for a name after a greeting, 1 for one that is called, else 0."""
    if TYPES[row["type"]] != "name" or NUMBERS[row["number"]] == "plural":
        return 0
    first, _, before, _ = row["edges"]
    return 2 if first == "dear" or before in _GREETINGS else int(row["roles"] == "vocative")


def _is_impersonal(row: Mapping[str, Any]) -> bool:
    head, before = row["heads"], row["edges"][2]
    is_time = CLASSES[row["noun_class"]] == "time" and TYPES[row["type"]] != "name"
    is_date = head in _CALENDAR and (before in _BEFORE_DATES or any(word.isdigit() for word in row["words"]))
    return is_time or is_date or head in _NOT_PEOPLE


def _kin(row: Mapping[str, Any]) -> int:
    """Return the row of a relative of the speaker: *my sister*, *our mother*, *Mum*; -1 for others."""
    is_own = row["edges"][0] in ("my", "our") or (len(row["words"]) == row["end"] - row["start"] == 1)
    return _KIN.get(row["heads"], -1) if is_own and NUMBERS[row["number"]] != "plural" else -1


def _role(head: str, words: tuple[str, ...], edges: tuple[str, ...]) -> int:
    """Return the roles of a noun or of a name's title, as bits."""
    first = edges[0].strip(".") if len(words) > 1 else ""
    return sum(1 << number for number, role in enumerate(PEOPLE_ROLES) if {head, head.removesuffix("s"), first} & role)


def _named_speakers(words: list[tuple[str, ...]], types: np.ndarray, names: list[str]) -> np.ndarray:
    """Return the only speaker whose name has all words of a name mention, or -1."""
    # JusticeClarenceThomas, as transcripts write it, is three words.
    parts = [{part.lower() for part in re.findall(r"[A-Z]{2,}(?![a-z])|[^\W\d_][^\W\d_A-Z]*", name)} for name in names]
    found = np.full(len(words), -1, dtype=np.int64)
    for number in np.flatnonzero(types == TYPES.index("name")):
        said = {word.strip(".") for word in words[number]} - set(_TITLES)
        matches = [speaker for speaker, part in enumerate(parts) if said and said <= part]
        if len(matches) == 1:
            found[number] = matches[0]
    return found


def _genders_of_surnames(words: list[tuple[str, ...]], types: np.ndarray, genders: np.ndarray) -> np.ndarray:
    """Return genders, int64 (N,), where a surname alone takes the gender of the last full name before it."""
    known: dict[str, int] = {}
    found = genders.copy()
    for number in np.flatnonzero(types == TYPES.index("name")):
        *first, last = words[number] or ("",)
        if first and genders[number] in (1, 2):
            known[last] = genders[number]
        elif not first and genders[number] in (0, 3):
            found[number] = known.get(last, genders[number])
    return found


def _row(tree: Tree, span: Span, offset: int) -> dict:
    head, tag = span.head, tree.tags[span.head]
    kind, canonical = _type(tree, span)
    content = _content(tree, span) if canonical is None else (canonical,)
    governor = tree.heads[head]
    around = (span.start, span.end - 1, span.start - 1, span.end)
    return {
        "words": content,
        "heads": canonical or (_last_name(tree, span) if kind == "name" else tree.words[head]),
        "tags": tag,
        "edges": tuple(_at(tree.words, place) for place in around),
        "edge_tags": tuple(_at(tree.tags, place) for place in around),
        "roles": tree.labels[head],
        "modifiers": next(
            (
                tree.labels[child]
                for child in tree.children[head]
                if head < child < span.end and tree.tags[child][:1].isalnum()
            ),
            "",
        ),
        "governors": tree.words[governor] if governor >= 0 else "<s>",
        "type": TYPES.index(kind),
        "number": _number(tree, span, canonical),
        "gender": (gender := _gender(tree, span, canonical)),
        "noun_class": _noun_class(tree, span, gender) if canonical is None else 0,
        "start": offset + span.start,
        "end": offset + span.end,
        "head": offset + head,
        "governor": offset + governor if governor >= 0 else -1,
        "clause": offset + _clause(tree, head),
    }


def _identified(names: Iterable[str]) -> np.ndarray:
    """Return names as numbers from 0, equal for equal names and -1 for an empty name, int64 (N,)."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) if name else -1 for name in names], dtype=np.int64)


def _at(values: Sequence[str], place: int) -> str:
    return "<s>" if place < 0 else "</s>" if place >= len(values) else values[place]


def _type(tree: Tree, span: Span) -> tuple[str, str | None]:
    """Return a mention's type and, for a pronoun, its canonical form."""
    head, first = tree.words[span.head], tree.words[span.start]
    if span.kind in ("pronoun", "demonstrative"):
        canonical = _CANONICAL.get(head)
        return "he" if canonical == "she" else canonical or "other", canonical or head
    if tree.tags[span.head].startswith("NNP"):
        return "name", None
    if first in _DETERMINERS:
        return _DETERMINERS[first], None
    if tree.tags[span.start] == "PRP$" or "POS" in tree.tags[span.start : span.head]:
        return "possessed", None
    return "bare", None


def _last_of_name(tree: Tree, span: Span) -> int:
    """Return the last word of a mention's head with its `flat` and `compound` parts."""
    last = span.head
    while (
        last + 1 < span.end
        and tree.heads[last + 1] == span.head
        and tree.labels[last + 1] in ("flat", "compound", "nummod", "fixed", "goeswith")
    ):
        last += 1
    return last


def _content(tree: Tree, span: Span) -> tuple[str, ...]:
    """Return the words from the mention's start to the end of its head, with `flat` and `compound` parts."""
    last = _last_of_name(tree, span)
    return tuple(
        tree.words[place]
        for place in range(span.start, last + 1)
        if place == span.head or (tree.tags[place] not in _SKIPPED and tree.tags[place][:1].isalnum())
    )


def _number(tree: Tree, span: Span, canonical: str | None) -> int:
    if canonical is not None:
        return pronoun_attributes(canonical)[0]
    conjuncts = (tree.labels[child] == "conj" for child in tree.children[span.head] if span.head < child < span.end)
    if tree.tags[span.head] == "CC" or any(conjuncts):
        return 2
    return {"NN": 1, "NNP": 1, "NNS": 2, "NNPS": 2}.get(tree.tags[span.head], 0)


def _last_name(tree: Tree, span: Span) -> str:
    """Return the last word of a flat name, such as the surname, or its head if it is one word."""
    flat = [child for child in tree.children[span.head] if tree.relations[child] == "flat" and child < span.end]
    return tree.words[max([span.head, *flat])]


def _gender(tree: Tree, span: Span, canonical: str | None) -> int:
    if canonical is not None:
        return pronoun_attributes(canonical)[1]
    head = tree.words[span.head]
    modifiers = (
        tree.words[place]
        for place in range(span.start, span.head)
        if tree.labels[place] in ("compound", "flat", "nmod:desc")
    )
    for word in (head, *modifiers):
        if word in _TITLES:
            return _TITLES[word]
    if tree.tags[span.head].startswith("NNP"):
        return _gender_of_name(tree, span)
    # One, someone and the first are not nouns.
    return (_NOUNS.get(head, 0) or _NOUNS.get(head.removesuffix("s"), 0)) if tree.tags[span.head][0] == "N" else 0


def _noun_class(tree: Tree, span: Span, gender: int) -> int:
    """Return the class of the head or of its singular; a name has the class of a person, a place or its noun."""
    head = tree.words[span.head]
    if GENDERS[gender] in ("male", "female", "person"):
        return CLASSES.index("person")
    found = _CLASSES.get(head, 0) or _CLASSES.get(head.removesuffix("s"), 0)
    return 0 if CLASSES[found] == "person" and tree.tags[span.head].startswith("NNP") else found


def _gender_of_name(tree: Tree, span: Span) -> int:
    """Return the gender of a name without a title, from first and last names, places and times."""
    inside = range(span.start, span.end)
    head, last, first = tree.words[span.head], _last_name(tree, span), tree.words[span.start]
    numbered = any(tree.tags[place] == "CD" for place in inside)
    if (head in _PLACES or last in _PLACES) and (numbered or first not in _GIVEN):
        return GENDERS.index("thing")
    if tree.tags[span.start] == "DT":
        return _NOUNS.get(head, 0)
    if _NOUNS.get(head) == GENDERS.index("thing") and last not in _SURNAMES and first != head:
        return GENDERS.index("thing")
    return _GIVEN.get(first, 0) or _GIVEN.get(head, 0) or _SURNAMES.get(last, 0)


def _clause(tree: Tree, place: int) -> int:
    """Return the nearest verb above a word, or the root; the walk stops at a cycle of heads."""
    above = place
    for above in tree.ancestors(place):
        if tree.tags[above].startswith("VB"):
            break
    return above
