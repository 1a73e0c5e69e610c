"""Attributes of single mentions, in columns, from which all feature templates are built.

They come from words, Penn tags, Universal Dependencies and speakers, with closed word lists for pronouns and titles.
Lemmas, universal tags and external lexicons are not needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from nlpcalib.systems.coref.model.lexicon import (
    CANONICAL_PRONOUNS,
    CLASSES,
    DETERMINERS,
    GENDERS,
    GIVEN_NAMES,
    NAMES_OF_ONE_SEX,
    NOUN_CLASSES,
    NOUNS,
    NUMBERS,
    PLACES,
    PRONOUN_ATTRIBUTES,
    SURNAMES,
    TITLES,
    TYPES,
)
from nlpcalib.systems.coref.model.mentions import Span
from nlpcalib.systems.coref.model.quotations import quotation_numbers, tellers, voices
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.titles import spelt_title
from nlpcalib.systems.text.tree import Tree, tree_of


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
    teller: np.ndarray
    """The head word of the teller of the quotation, -1 if unknown or outside quotations."""
    voice: np.ndarray
    """Whose *I* the words around would have, see `quotations.voices`."""
    sex: np.ndarray
    """The `gender` male or female of a pronoun, of a name by its own title or given name, or of a noun; else 0."""
    surname: np.ndarray
    """The surname in a full name or after a title, numbered within the document; -1 if there is none."""
    given: np.ndarray
    """The initial of the given name in a full name, numbered within the document; -1 if there is none."""
    called: np.ndarray
    """The key of a one-word name, numbered within the document, see `_called_names`; -1 for others."""

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
    teller = tellers(trees, offsets, quotations)
    sentence = np.array([span.sentence for span in spans], dtype=np.int64)
    columns: dict[str, Any] = {}
    for name in ("words", "heads", "tags", "edges", "edge_tags", "roles", "governors", "modifiers"):
        columns[name] = tuple(row[name] for row in rows)
    for name in ("type", "number", "gender", "noun_class", "start", "end", "head", "governor", "clause"):
        columns[name] = np.array([row[name] for row in rows], dtype=np.int64)
    columns["gender"] = _genders_of_surnames(columns["words"], columns["type"], columns["gender"])
    surnames = [_surname(row) for row in rows]
    given = [_given(row["words"]) if surname else "" for row, surname in zip(rows, surnames, strict=True)]
    quotation = quotations[columns["start"]]
    return MentionTable(
        document=document.id,
        spans=tuple(spans),
        sentence=sentence,
        speaker=speakers[sentence],
        turn=turns[sentence],
        quotation=quotation,
        teller=teller[quotation],
        voice=voices(quotation, teller[quotation]) if not names else np.zeros_like(quotation),
        sex=np.array([_sex(row) for row in rows], dtype=np.int64),
        surname=_identified(surnames),
        given=_identified(given),
        called=_identified(_called_names(columns["words"], columns["type"], columns["gender"])),
        speaks=_named_speakers(columns["words"], columns["type"], names),
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


def _clause(tree: Tree, place: int) -> int:
    """Return the nearest verb above a word, or the root; the walk stops at a cycle of heads."""
    above = place
    for above in tree.ancestors(place):
        if tree.tags[above].startswith("VB"):
            break
    return above


def _at(values: Sequence[str], place: int) -> str:
    return "<s>" if place < 0 else "</s>" if place >= len(values) else values[place]


def _type(tree: Tree, span: Span) -> tuple[str, str | None]:
    """Return a mention's type and, for a pronoun, its canonical form."""
    head, first = tree.words[span.head], tree.words[span.start]
    if span.kind in ("pronoun", "demonstrative"):
        canonical = CANONICAL_PRONOUNS.get(head)
        return "he" if canonical == "she" else canonical or "other", canonical or head
    if tree.tags[span.head].startswith("NNP"):
        return "name", None
    if first in DETERMINERS:
        return DETERMINERS[first], None
    if tree.tags[span.start] == "PRP$" or "POS" in tree.tags[span.start : span.head]:
        return "possessed", None
    return "bare", None


def _content(tree: Tree, span: Span) -> tuple[str, ...]:
    """Return the words from the mention's start to the end of its head, with `flat` and `compound` parts."""
    last, skipped = span.head, ("DT", "POS", "PRP$", "''", "``", "-LRB-", "-RRB-", "HYPH")
    parts = ("flat", "compound", "nummod", "fixed", "goeswith")
    while last + 1 < span.end and tree.heads[last + 1] == span.head and tree.labels[last + 1] in parts:
        last += 1
    return tuple(
        tree.words[place]
        for place in range(span.start, last + 1)
        if place == span.head or (tree.tags[place] not in skipped and tree.tags[place][:1].isalnum())
    )


def _number(tree: Tree, span: Span, canonical: str | None) -> int:
    if canonical is not None:
        return PRONOUN_ATTRIBUTES.get(canonical, (0, 0))[0]
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
        return PRONOUN_ATTRIBUTES.get(canonical, (0, 0))[1]
    head = tree.words[span.head]
    modifiers = (
        tree.words[place]
        for place in range(span.start, span.head)
        if tree.labels[place] in ("compound", "flat", "nmod:desc")
    )
    for word in (head, *modifiers):
        if word in TITLES:
            return TITLES[word]
    if tree.tags[span.head].startswith("NNP"):
        return _gender_of_name(tree, span)
    # One, someone and the first are not nouns.
    return (NOUNS.get(head, 0) or NOUNS.get(head.removesuffix("s"), 0)) if tree.tags[span.head][0] == "N" else 0


def _noun_class(tree: Tree, span: Span, gender: int) -> int:
    """Return the class of the head or of its singular; a name has the class of a person, a place or its noun."""
    head = tree.words[span.head]
    if GENDERS[gender] in ("male", "female", "person"):
        return CLASSES.index("person")
    found = NOUN_CLASSES.get(head, 0) or NOUN_CLASSES.get(head.removesuffix("s"), 0)
    return 0 if CLASSES[found] == "person" and tree.tags[span.head].startswith("NNP") else found


def _gender_of_name(tree: Tree, span: Span) -> int:
    """Return the gender of a name without a title, from first and last names, places and times."""
    inside = range(span.start, span.end)
    head, last, first = tree.words[span.head], _last_name(tree, span), tree.words[span.start]
    numbered = any(tree.tags[place] == "CD" for place in inside)
    if (head in PLACES or last in PLACES) and (numbered or first not in GIVEN_NAMES):
        return GENDERS.index("thing")
    if tree.tags[span.start] == "DT":
        return NOUNS.get(head, 0)
    # Elm Street is no person, though Della Street is.
    is_family_name = last in SURNAMES and (first in GIVEN_NAMES or len(inside) == 1)
    if NOUNS.get(head) == GENDERS.index("thing") and not is_family_name and first != head:
        return GENDERS.index("thing")
    return GIVEN_NAMES.get(first, 0) or GIVEN_NAMES.get(head, 0) or SURNAMES.get(last, 0)


def _sex(row: Mapping[str, Any]) -> int:
    """Return the gender male or female of one mention where nothing but its own words shows it, else 0."""
    if GENDERS[row["gender"]] not in ("male", "female") or NUMBERS[row["number"]] == "plural":
        return 0
    words = row["words"]
    if TYPES[row["type"]] != "name" or not words or any(word in TITLES for word in words):
        return row["gender"]
    # A name of one word may be a surname, such as Allen or Kelly.
    is_given = (words[0], GENDERS[row["gender"]]) in NAMES_OF_ONE_SEX and (
        words[0] not in SURNAMES if len(words) == 1 else row["edge_tags"][0] == "NNP"
    )
    return row["gender"] if is_given else 0


def _given(words: tuple[str, ...]) -> str:
    """Return the initial of a given name, or an empty text."""
    return words[0][0] if words[0] in GIVEN_NAMES and words[0] not in TITLES else ""


def _surname(row: Mapping[str, Any]) -> str:
    """Return the surname that follows a given name or a title, or an empty text."""
    words, edges = row["words"], row["edges"]
    is_person = TYPES[row["type"]] == "name" and GENDERS[row["gender"]] != "thing" and len(words) > 1
    first = words[0].strip(".") if edges[0] == "dear" and words else edges[0].strip(".")
    # Sir James is a given name after a title, and may be Sir James Chettam.
    is_title = first in TITLES or CLASSES[NOUN_CLASSES.get(spelt_title(first), 0)] == "person"
    full = words and (words[0] in GIVEN_NAMES or (is_title and words[-1] not in GIVEN_NAMES))
    last = words[-1].strip(".") if is_person and edges[0] not in ("a", "an") and full else ""
    return last if len(last) > 2 and last.isalpha() and last not in (*TITLES, *CANONICAL_PRONOUNS) else ""


def _named_speakers(words: list[tuple[str, ...]], types: np.ndarray, names: list[str]) -> np.ndarray:
    """Return the only speaker whose name has all words of a name mention, or -1."""
    # JusticeClarenceThomas, as transcripts write it, is three words.
    parts = [{part.lower() for part in re.findall(r"[A-Z]{2,}(?![a-z])|[^\W\d_][^\W\d_A-Z]*", name)} for name in names]
    found = np.full(len(words), -1, dtype=np.int64)
    for number in np.flatnonzero(types == TYPES.index("name")):
        said = {word.strip(".") for word in words[number]} - set(TITLES)
        matches = [speaker for speaker, part in enumerate(parts) if said and said <= part]
        if len(matches) == 1:
            found[number] = matches[0]
    return found


def _called_names(words: Sequence[tuple[str, ...]], types: np.ndarray, genders: np.ndarray) -> list[str]:
    """Return the key by which one-word names of different people differ, or an empty text for other mentions.

    It is the initial. A word that ends a longer name of the document may be a surname, and has nothing.
    """
    is_name = types == TYPES.index("name")
    last = {each[-1] for each, name in zip(words, is_name, strict=True) if name and len(each) > 1}
    found = []
    for each, name, gender in zip(words, is_name, genders.tolist(), strict=True):
        word = each[0] if len(each) == 1 and name and each[0] not in last and GENDERS[gender] != "thing" else ""
        found.append(word[:1])
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


def _identified(names: Iterable[str]) -> np.ndarray:
    """Return names as numbers from 0, equal for equal names and -1 for an empty name, int64 (N,)."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) if name else -1 for name in names], dtype=np.int64)
