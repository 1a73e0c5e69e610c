"""Titles of people and forms of address, from one table: one name with it, and no sentence begins between.

In "by Col. Karim Haddad", tokenizers that do not know the abbreviation make the full stop a word of its own, and the
sentence ends before the name. Without a full stop, sentences may end after *Mr* or *Miss*, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nlpcalib.io.own_tables import own_rows
from nlpcalib.systems.text.document import Sentence

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_TITLE_ROWS = own_rows(__file__, "titles")
ABBREVIATED_TITLES = {word: title for word, title, use in _TITLE_ROWS if use == "abbreviated"}
"""Ranks as they are abbreviated with a full stop, in lower case and without it: capt is captain."""
FORMS_OF_ADDRESS = frozenset(word for word, _, use in _TITLE_ROWS if use == "before a name")
"""Titles before names, in lower case and without a full stop: mr, miss, dr."""
_TITLES = {word: title for word, title, _ in _TITLE_ROWS}


def spelt_title(word: str) -> str:
    """Return the title that a lower-case word, perhaps with a full stop, abbreviates, or the word itself."""
    return _TITLES.get(word.removesuffix("."), word)


def join_abbreviated_titles(doc: Doc) -> Doc:
    """Make each abbreviated title before a capitalised word one word with its full stop, in place; return the document.

    The joined word has the title as its norm, as parsers know it. The word after a title does not begin a sentence.
    """
    with doc.retokenize() as retokenizer:
        for stop in doc[1:-1]:
            title = stop.nbor(-1)
            spelt = ABBREVIATED_TITLES.get(title.lower_)
            if stop.text == "." and spelt and not title.whitespace_ and _is_before_name(title, stop):
                retokenizer.merge(doc[title.i : stop.i + 1], attrs={"NORM": spelt})
    for word in doc[:-1]:
        is_title = word.lower_.removesuffix(".") in ABBREVIATED_TITLES or word.lower_ in FORMS_OF_ADDRESS
        if is_title and _is_before_name(word, word):
            word.nbor().is_sent_start = False
    return doc


def _is_before_name(title: Token, last: Token) -> bool:
    """Return whether a word is capitalised, and so is the next one after a space that follows `last`."""
    return title.text.istitle() and bool(last.whitespace_) and last.nbor().text[:1].isupper()


def with_titled_names(sentence: Sentence) -> Sentence:
    """Return a sentence in which a form of address before a name is a part of it: *Dr Imani* is one subject, not two.

    Parsers of other text take the two for two subjects of a verb, or the title for the owner of what the name has.
    """
    tags, heads, relations = list(sentence.tags), list(sentence.heads), list(sentence.relations)
    for title in range(len(tags) - 1):
        name, word = title + 1, sentence.words[title]
        if word[:1].isupper() and word.lower().removesuffix(".") in FORMS_OF_ADDRESS and tags[name].startswith("NNP"):
            tags[title] = "NNP"
            if heads[name] not in (0, title + 1) and heads[title] not in (0, name + 1):
                heads[title], relations[title] = name + 1, "flat"
    return replace(sentence, tags=tuple(tags), heads=tuple(heads), relations=tuple(relations))
