"""How a letter opens: a place with a date in a sentence of its own, then whom it greets."""

from __future__ import annotations

from nlpcalib.systems.coref.model.lexicon import CALENDAR, CLASSES, GIVEN_NAMES, NOUN_CLASSES, PLACES, TITLES
from nlpcalib.systems.text.document import Document

_MAX_DATELINE_WORDS = 10


def dateline_length(document: Document) -> int:
    """Return the words of a first sentence such as *Marston Farm, 2 May 1817* before a greeting, else 0.

    A name with a given name or a title is a person, and no place.
    """
    if len(document.sentences) < 2:
        return 0
    first, second = document.sentences[:2]
    words, greeting = [word.lower() for word in first.words], [word.lower() for word in second.words]
    is_date = bool({CALENDAR.get(word) for word in words} & {"month"}) and any(word.isdigit() for word in words)
    is_greeting = greeting[0] in ("dear", "my") or greeting[-1] == ","
    has_person = any(_is_person(word) for word in words if word not in CALENDAR)
    is_short = len(words) <= _MAX_DATELINE_WORDS
    return len(words) if is_date and is_greeting and is_short and not has_person else 0


def _is_person(word: str) -> bool:
    is_role = CLASSES[NOUN_CLASSES.get(word, 0)] == "person"
    return word not in PLACES and (word in GIVEN_NAMES or word in TITLES or is_role)
