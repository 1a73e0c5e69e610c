"""Selection of documents to parse: without a verb of a query, a document cannot have an event (paper, section 6.1).

Long documents are divided into passages. Thirty pages are not one piece of news, and coreference over such distances
is unreliable. Their mentions take too much memory, which grows with their square.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.inflection import noun_forms, spellings
from nlpcalib.systems.text.parsing.text import check_unicode, pieces

_PARSER_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|St\.|['’]s\b|[^\W_]+(?:['’](?!s\b)[^\W_]+)*|[^\w\s]")
"""Abbreviations with their full stops (U.S.), possessive endings, words (d'Ivoire) and other characters."""


def verb_pattern(queries: Iterable[Query]) -> re.Pattern[str]:
    """Return a pattern for all forms of the queries' verbs and nouns, ignoring case; without any, for every word."""
    asked = list(queries)
    sought = sorted(
        {form for query in asked for verb in query.verbs for form in spellings(verb)}
        | {form for query in asked for noun in query.nouns for form in noun_forms(noun)}
    )
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sought))})\b", re.IGNORECASE)


def selected_passages(
    documents: Iterable[DatedText], queries: Iterable[Query], words: int
) -> Iterator[tuple[DatedText, bool]]:
    """Yield the `passages` of documents, and whether each needs to be read.

    Queries of verbs need the passages with a verb. A model needs every passage.
    """
    asked = list(queries)
    pattern = verb_pattern([] if any(query.model for query in asked) else asked)
    for document in documents:
        for passage in passages(document, words):
            yield passage, pattern.search(passage.text) is not None


def words_of(text: str) -> list[str]:
    """Return the words of a text, split about like a parser's, so that the lexicon finds its forms."""
    return _PARSER_WORD.findall(text)


def names_a_country(text: DatedText, lexicon: CountryLexicon) -> bool:
    """Return whether a text names a country (paper, appendix 3: articles without one are left out)."""
    return bool(lexicon.find(words_of(text.text), text.date))


def passages(text: DatedText, words: int) -> Iterator[DatedText]:
    """Yield a document, or passages of about `words` words if it is longer, named by its id, # and a number from 1.

    A passage takes paragraphs, and parts of very long ones, while that brings its length closer to `words`.
    """
    if len(text.text.split()) <= words:
        yield text
        return
    kept: list[str] = []
    size = number = 0
    check_unicode(text.id, text.text)
    for piece in pieces(text.text):
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
