"""What is worth parsing: documents without a verb of any query cannot have an event (paper, section 6.1).

Long documents are divided. A message of thirty pages is no unit of news, its mentions outgrow memory (which grows with
their square), and coreference over such distances is guesswork.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

from nlpcalib.events.read.lexicon import CountryLexicon
from nlpcalib.events.read.query import Query
from nlpcalib.text.dated import DatedText
from nlpcalib.text.inflection import forms, noun_forms
from nlpcalib.text.parsing.text import pieces

_PARSER_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|St\.|['’]s\b|[^\W_]+(?:['’](?!s\b)[^\W_]+)*|[^\w\s]")
"""Abbreviations with their full stops (U.S.), possessive endings, words (d'Ivoire) and other characters."""


def verb_pattern(queries: Iterable[Query]) -> re.Pattern[str]:
    """Return an expression that finds any form of a query's verbs and nouns, in whatever case; of none, any word."""
    asked = list(queries)
    sought = sorted(
        {form for query in asked for verb in query.verbs for form in forms(verb)}
        | {form for query in asked for noun in query.nouns for form in noun_forms(noun)}
    )
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sought))})\b", re.IGNORECASE)


def selected_passages(
    documents: Iterable[DatedText], queries: Iterable[Query], words: int, names: CountryLexicon | None
) -> Iterator[tuple[DatedText, bool]]:
    """Yield the `passages` of documents, those that name a country if `names` are given, and whether one is to be read.

    With a query of verbs alone that is one with a verb. A model reads every passage.
    """
    asked = list(queries)
    pattern = verb_pattern([] if any(query.model for query in asked) else asked)
    for document in documents:
        for passage in passages(document, words):
            if names is None or names_a_country(passage, names):
                yield passage, pattern.search(passage.text) is not None


def words_of(text: str) -> list[str]:
    """Return the words of a text about as a parser divides it, so that the lexicon finds its forms in them."""
    return _PARSER_WORD.findall(text)


def names_a_country(text: DatedText, lexicon: CountryLexicon) -> bool:
    """Return whether a country is named in a text (paper, appendix 3: articles without one are left out)."""
    return bool(lexicon.find(words_of(text.text), text.date))


def passages(text: DatedText, words: int) -> Iterator[DatedText]:
    """Yield a document, or if it has more than so many words its passages, called by its id, # and a number from 1.

    A passage takes paragraphs, and parts of very long ones, as long as that brings it nearer to so many words.
    """
    if len(text.text.split()) <= words:
        yield text
        return
    kept: list[str] = []
    size = number = 0
    for piece in pieces(text.id, text.text):
        length = len(piece.split())
        if size and size + length / 2 > words:
            number += 1
            yield _passage(text, number, kept)
            kept, size = [], 0
        kept.append(piece.strip())
        size += length
    yield _passage(text, number + 1, kept)


def _passage(text: DatedText, number: int, kept: Iterable[str]) -> DatedText:
    return dataclasses.replace(text, id=f"{text.id}#{number}", text="\n\n".join(kept))
