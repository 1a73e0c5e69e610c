"""Titles before names: one name with it, and no sentence begins between; abbreviated ranks keep their full stop.

In "by Col. Karim Haddad", tokenizers that do not know the abbreviation make the full stop a word of its own, and the
sentence ends before the name. Without a full stop, sentences may end after *Mr* or *Miss*, too. `systems.text.titles`
has the titles.
"""

from __future__ import annotations

from dataclasses import replace

from spacy.symbols import NORM
from spacy.tokens import Doc, Token

from nlpcalib.systems.text.document import Sentence
from nlpcalib.systems.text.titles import ABBREVIATED_TITLES, FORMS_OF_ADDRESS


def join_abbreviated_titles(doc: Doc) -> Doc:
    """Make each abbreviated title before a capitalised word one word with its full stop, in place; return the document.

    The joined word has the title as its norm, as parsers know it. The word after a title does not begin a sentence.
    """
    with doc.retokenize() as retokenizer:
        for stop in doc[1:-1]:
            title = stop.nbor(-1)
            spelt = ABBREVIATED_TITLES.get(title.lower_)
            if stop.text == "." and spelt and not title.whitespace_ and _is_before_name(title, stop):
                retokenizer.merge(doc[title.i : stop.i + 1], attrs={NORM: spelt})
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
