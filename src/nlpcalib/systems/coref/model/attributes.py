"""Attributes of single mentions, in columns, from which all feature templates are built.

They come from words, Penn tags, Universal Dependencies and speakers, with closed word lists for pronouns, titles,
verbs of speech and roles. Lemmas, universal tags and external lexicons are not needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import takewhile
from typing import Any

import numpy as np

from nlpcalib.systems.coref.model.clauses import actor_of, clause_of, shared_verb
from nlpcalib.systems.coref.model.first_persons import other_voices, voices
from nlpcalib.systems.coref.model.lexicon import (
    CANONICAL_PRONOUNS,
    CLASSES,
    DETERMINERS,
    GENDERS,
    GIVEN_NAMES,
    NOUN_CLASSES,
    NOUNS,
    NUMBERS,
    PLACES,
    SPEECH_VERBS,
    SURNAMES,
    TITLES,
    TYPES,
    pronoun_attributes,
)
from nlpcalib.systems.coref.model.mentions import Span
from nlpcalib.systems.coref.model.openings import dateline_length
from nlpcalib.systems.coref.model.persons import (
    called_names,
    full_names,
    genders_of_surnames,
    greeted,
    identified,
    is_impersonal,
    kin,
    named_speakers,
    of_one_person,
    role,
    sex,
    title,
    with_long_names,
)
from nlpcalib.systems.coref.model.quotations import quotation_numbers, tellers, told_by
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.tree import Tree, tree_of

_QUOTATION_MARKS = frozenset(("``", "''", "“", "”", "«", "»", '"', "‘", "’", "'"))
_BEFORE_ROLES = frozenset(("the", "hereinafter", "hereafter", "referred", "to", "as", "called"))
_OPENING_BRACKETS, _CLOSING_BRACKETS = ("(", "-lrb-", "["), (")", "-rrb-", "]")
MAX_SENTENCES_TO_PLURAL = 3
"""Sentences before *they* in which a plural noun makes it plural; without one it may be one person."""
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
    actor: np.ndarray
    """The noun whose clause has the mention as object (*the man* for *her* in *the man who saw her*), -1 for none."""
    shared_verb: np.ndarray
    """The verb whose subject the governor shares, see `clauses.shared_verb`, -1 for none."""
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
    voice: np.ndarray
    """Whose *I* the words around would have, see `first_persons.voices`."""
    other_voice: np.ndarray
    """The voice whose *I* the mention cannot be, -1 if no verb shows it."""
    sex: np.ndarray
    """The `gender` male or female of a pronoun, of a name by its own title or given name, or of a noun; else 0."""
    surname: np.ndarray
    """The surname in a full name or after a title, numbered within the document; -1 if there is none."""
    given: np.ndarray
    """The initial of the given name in a full name, numbered within the document; -1 if there is none."""
    called: np.ndarray
    """The key of a one-word name, numbered within the document, see `persons.called_names`; -1 for others."""
    role: np.ndarray
    """The `PEOPLE_ROLES` of the head or the title, as bits; 0 for none."""
    titles: tuple[str, ...]
    """The noun before a name (Captain Morrow), or alone (*the captain*, *Captain*); empty for others."""
    defined: tuple[str, ...]
    """The role that brackets after a name define: buyer for *Henk Bos ("the Buyer")*; empty for others."""
    greeted: np.ndarray
    """1 for a name that is called (*Sit down, Ana*) or *Sir*, 2 for one greeted (*Dear Ana*, *Ana, I …*), else 0."""
    signs: np.ndarray
    """2 for the speaker's own name at the end of a sentence, 1 elsewhere outside quotations, else 0."""
    impersonal: np.ndarray
    """Whether the mention is a time, also with a word that can be a name (*3 May*), in a dateline, or *none*; bool."""
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
    teller = tellers(document, trees, offsets, quotations, SPEECH_VERBS.__contains__)
    sentence = np.array([span.sentence for span in spans], dtype=np.int64)
    columns: dict[str, Any] = {name: tuple(row[name] for row in rows) for name in _ROW_COLUMNS}
    columns |= {name: np.array([row[name] for row in rows], dtype=np.int64) for name in _ROW_ARRAYS}
    columns |= with_long_names(columns["words"], columns["heads"], columns["type"])
    columns["sex"] = np.array([sex(row) for row in rows], dtype=np.int64)
    columns["greeted"] = np.array([greeted(row) for row in rows], dtype=np.int64)
    columns["gender"] = genders_of_surnames(columns["words"], columns["type"], columns["gender"])
    speaks = named_speakers([row["words"] for row in rows], columns["type"], names)
    dateline = dateline_length(document)
    _mark_addressees(columns, speakers, offsets, sentence, quotations, dateline)
    own = (speaks >= 0) & (speaks == speakers[sentence]) & (quotations[columns["start"]] == 0)
    last = columns["end"] >= np.array(offsets, dtype=np.int64)[sentence + 1] - 1
    titles = tuple(title(row) for row in rows)
    surnames, given = of_one_person(columns["words"], columns["type"], titles, *full_names(columns))
    quotation = quotations[columns["start"]]
    told = told_by(trees, offsets, teller)[quotation]
    voice, surname = voices(speakers[sentence], quotation, told, teller[quotation]), identified(surnames)
    return MentionTable(
        document=document.id,
        spans=tuple(spans),
        sentence=sentence,
        speaker=speakers[sentence],
        turn=turns[sentence],
        quotation=quotation,
        told=told,
        teller=teller[quotation],
        voice=voice,
        other_voice=other_voices(columns, quotation, voice, surname >= 0),
        surname=surname,
        given=identified(given),
        called=identified(called_names(columns["words"], columns["type"], columns["gender"])),
        titles=titles,
        defined=tuple(_defined(trees[span.sentence], span) for span in spans),
        signs=own * (1 + last),
        impersonal=np.array([is_impersonal(row) for row in rows], dtype=bool) | (columns["end"] <= dateline),
        kin=np.array([kin(row) for row in rows], dtype=np.int64),
        role=np.array([role(row["heads"], row["words"], row["edges"]) for row in rows], dtype=np.int64),
        speaks=speaks,
        **columns,
    )


def with_singular_they(table: MentionTable) -> MentionTable:
    """Return the table, where the number of *they* is unknown if nothing plural is in the sentences before.

    In OntoGUM and LitBank, 62 % of such *they* with an annotated noun have a singular one, and 19 % of the others. In
    training all are plural, and there are too few of them to learn from.
    """
    plural = (table.number == NUMBERS.index("plural")) | (table.noun_class == CLASSES.index("group"))
    places = np.flatnonzero(plural & (table.type >= TYPES.index("name")))
    they = np.flatnonzero(table.type == TYPES.index("they"))
    # Index −1 finds the last number, which is far before the first sentence.
    sentences = np.append(table.sentence[places], -1 - MAX_SENTENCES_TO_PLURAL)
    since = table.sentence[they] - sentences[np.searchsorted(places, they) - 1]
    number = table.number.copy()
    number[they[since > MAX_SENTENCES_TO_PLURAL]] = NUMBERS.index("unknown")
    return replace(table, number=number)


_ROW_COLUMNS = ("words", "heads", "tags", "edges", "edge_tags", "roles", "governors", "modifiers")
_ROW_ARRAYS = (
    "type", "number", "gender", "noun_class", "start", "end", "head", "governor", "clause", "actor", "shared_verb"
)  # fmt: skip


def _mark_addressees(
    columns: Mapping[str, Any],
    speakers: np.ndarray,
    offsets: Sequence[int],
    sentence: np.ndarray,
    quotations: np.ndarray,
    dateline: int,
) -> None:
    """Mark the only name that a speaker calls as greeted, in place, if it begins the speaker's words (*Tim, I …*).

    A dateline comes before these words.
    """
    called = (columns["greeted"] > 0) & (quotations[columns["start"]] == 0)
    for speaker in np.unique(speakers[sentence[called]]).tolist():
        numbers = np.flatnonzero(called & (speakers[sentence] == speaker))
        begins = (offsets[int(np.argmax(speakers == speaker))] or dateline) == columns["start"][numbers[0]]
        if begins and len({columns["words"][number] for number in numbers.tolist()}) == 1:
            columns["greeted"][numbers[0]] = 2


def _defined(tree: Tree, span: Span) -> str:
    """Return the role that brackets after a name define: *("the Seller")*, *(hereinafter the "Tenant")*."""
    place = _last_of_name(tree, span) + 1
    if not tree.tags[span.head].startswith("N") or _at(tree.words, place) not in _OPENING_BRACKETS:
        return ""
    inside = list(takewhile(lambda word: word not in _CLOSING_BRACKETS, tree.words[place + 1 :]))
    words = [word for word in inside if word not in _QUOTATION_MARKS and word not in _BEFORE_ROLES]
    return words[0] if len(words) == 1 and any(word in _QUOTATION_MARKS for word in inside) else ""


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
        "clause": offset + clause_of(tree, head),
        "actor": offset + actor if (actor := actor_of(tree, head)) >= 0 else -1,
        "shared_verb": offset + verb if (verb := shared_verb(tree, head)) >= 0 else -1,
    }


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
