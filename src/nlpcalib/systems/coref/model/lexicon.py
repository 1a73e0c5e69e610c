"""Closed word lists and the lexicon of names and nouns: types, numbers, genders and classes of mentions.

NOTICE names the sources of the lexicon.
"""

from __future__ import annotations

from nlpcalib.io.own_tables import own_rows
from nlpcalib.systems.text.inflection import forms

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


CANONICAL_PRONOUNS = {form: name for name, forms, *_ in _PRONOUN_ROWS for form in forms.split()}
PRONOUN_FORMS = frozenset(CANONICAL_PRONOUNS)
"""Pronouns in lower case."""
_ATTRIBUTES = {name: (NUMBERS.index(number), GENDERS.index(gender)) for name, _, number, gender in _PRONOUN_ROWS}


def pronoun_attributes(word: str) -> tuple[int, int]:
    """Return a lower-case pronoun's number and gender, indices into NUMBERS and GENDERS; 0 for other words."""
    return _ATTRIBUTES.get(CANONICAL_PRONOUNS.get(word, ""), (0, 0))


_LEXICON = _read_lexicon()
TITLES, GIVEN_NAMES, SURNAMES, NOUNS, PLACES, NOUN_CLASSES = (
    _LEXICON[use] for use in ("title", "given name", "surname", "noun", "place or time", "class")
)
LONG_NAMES = {short: tuple(names.split()) for short, names in own_rows(__file__, "short_names")}
"""The given names that common English short forms stand for: Bill is William."""
NAMES_OF_ONE_SEX = {(word, gender) for word, use, gender, *_ in own_rows(__file__, "words") if use == "given name"} & {
    (word, gender) for word, use, gender in own_rows(__file__, "people") if use == "given name"
}
"""Given names whose gender both tables state; others, such as Sasha, are borne by both sexes more often."""
DETERMINERS = dict(own_rows(__file__, "determiners"))
SPEECH_VERBS = frozenset(word for (verb,) in own_rows(__file__, "speech") for word in forms(verb)[:3])
PEOPLE_ROLES = tuple(frozenset(side.split()) for pair in own_rows(__file__, "roles") for side in pair)
"""Roles of people in pairs: whoever has the first role of a pair is not the person with the second."""
CALENDAR = dict(own_rows(__file__, "calendar"))
"""Names of days and months, with which of both they are."""
GREETINGS = frozenset(("dear", "hi", "hello", "hey"))
