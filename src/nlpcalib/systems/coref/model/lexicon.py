"""Closed word lists and the lexicon of names and nouns: types, numbers, genders and classes of mentions.

NOTICE names the sources of the lexicon.
"""

from __future__ import annotations

from nlpcalib.io.own_tables import own_rows

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


def _read_lexicon() -> list[dict[str, int]]:
    """Return the gender of each word in five uses, as indices into GENDERS, and noun classes."""
    lexicon: dict[str, dict[str, int]] = {}
    for word, use, gender, *noun_class in [*own_rows(__file__, "words"), *own_rows(__file__, "people")]:
        lexicon.setdefault(use, {})[word] = GENDERS.index(gender)
        for name in noun_class:
            if use in ("noun", "place or time"):
                lexicon.setdefault("class", {})[word] = CLASSES.index(name)
    return [lexicon[use] for use in ("title", "given name", "surname", "noun", "place or time", "class")]


CANONICAL_PRONOUNS = {form: name for name, forms, *_ in _PRONOUN_ROWS for form in forms.split()}
"""The canonical form of each pronoun in lower case."""
PRONOUN_ATTRIBUTES = {name: (NUMBERS.index(number), GENDERS.index(gender)) for name, _, number, gender in _PRONOUN_ROWS}
"""The number and gender of each canonical pronoun, indices into NUMBERS and GENDERS."""
TITLES, GIVEN_NAMES, SURNAMES, NOUNS, PLACES, NOUN_CLASSES = _read_lexicon()
NAMES_OF_ONE_SEX = {(word, gender) for word, use, gender, *_ in own_rows(__file__, "words") if use == "given name"} & {
    (word, gender) for word, use, gender in own_rows(__file__, "people") if use == "given name"
}
"""Given names whose gender both tables state; others, such as Sasha, are borne by both sexes more often."""
DETERMINERS = dict(own_rows(__file__, "determiners"))
CALENDAR = dict(own_rows(__file__, "calendar"))
"""Names of days and months, with which of both they are."""
