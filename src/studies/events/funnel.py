"""Where documents are lost on the way from the corpus to an event, and which words of a query report anything."""

from __future__ import annotations

import logging
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.learn.files import read_model
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import verb_pattern
from nlpcalib.systems.text.inflection import IRREGULAR_VERBS, forms, noun_forms

_log = logging.getLogger(__name__)
_VERB_ENDINGS = {"ied": ("y",), "ies": ("y",), "ed": ("", "e"), "ing": ("", "e"), "es": ("", "e"), "s": ("",)}
_ALSO_LEMMAS = frozenset(("bound", "fell", "felt", "found", "ground", "lay", "saw", "wound"))
"""Irregular forms that are lemmas of other verbs, too."""
_LIKE_FORMS = frozenset(
    {"bias", "bobsled", "canvas", "degas", "dis", "embed", "gas", "hamstring", "imbed", "lens", "summons", "teargas",
     "trellis"}
)  # fmt: skip
"""Lemmas that end as regular forms do."""


def with_model_words(query: Query) -> Query:
    """Return a query, of a model of one's own with the words of its file, each as verb and noun."""
    if query.words or not query.model:
        return query
    words = read_model(query.model).words
    return replace(query, verbs=words, nouns=words)


def word_counts(texts: Iterable[str], query: Query) -> tuple[int | None, Counter[str], Counter[str]]:
    """Return in how many texts a word of the query is, and how often and in how many each word is, in any form.

    The first number is None for a query without words, such as a model that has none.
    """
    occurrences: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    if not query.words:
        return None, occurrences, documents
    pattern, lemmas = verb_pattern([query]), _lemmas(query)
    found = 0
    for text in texts:
        seen = Counter(match.group().lower() for match in pattern.finditer(text))
        here: Counter[str] = Counter()
        for form, number in seen.items():
            for lemma in lemmas[form]:
                here[lemma] += number
        occurrences.update(here)
        documents.update(here.keys())
        found += bool(seen)
    return found, occurrences, documents


def _lemmas(query: Query) -> Mapping[str, list[str]]:
    words: defaultdict[str, list[str]] = defaultdict(list)
    for verb in query.verbs:
        for form in set(forms(verb)):
            words[form].append(verb)
    for noun in query.nouns:
        for form in noun_forms(noun):
            if noun not in words[form]:
                words[form].append(noun)
    return words


def funnel_row(query: Query, read: int, with_word: int | None, parsed: int, events: EventTable) -> dict:
    """Return how many documents are left after each step, and log it.

    Parameters
    ----------
    query : Query
    read, with_word, parsed : int
        Documents of the corpus, those with a word of the query (None if it has no words), and those with a word of any
        query, which are parsed.
    events : EventTable
        The rows of the query: documents that can have an event of a country.

    Returns
    -------
    dict
        `query`, `read`, `with_word`, `parsed`, `candidate` (a country can have the role), `probable` (a probability
        above one half), `expected` (the sum of probabilities, of documents and countries), and the shares of `read`
        and `with_word` that are probable, None of none.
    """
    probable = len(set(events.documents[events.probabilities > 0.5].tolist()))
    candidate = len(set(events.documents.tolist()))
    row = {
        "query": query.name,
        "read": read,
        "with_word": with_word,
        "parsed": parsed,
        "candidate": candidate,
        "probable": probable,
        "expected": math.fsum(events.probabilities),
        "share_of_read": probable / read if read else None,
        "share_of_with_word": probable / with_word if with_word else None,
    }
    _log.info(
        "query %s: %d documents read, %s with a word of the query, %d parsed for all queries, %d with a candidate, "
        "%d with a probability above one half",
        query.name, read, with_word, parsed, candidate, probable,
    )  # fmt: skip
    return row


def word_rows(
    query: Query, occurrences: Mapping[str, int], documents: Mapping[str, int], candidates: Iterable[Mapping]
) -> list[dict]:
    """Return a row for each word of a query, the most frequent first, and warn of words that find nothing.

    Parameters
    ----------
    query : Query
    occurrences, documents : mapping
        Those of `word_counts`.
    candidates : iterable of mapping
        Rows of `nlpcalib.systems.events.count.mixture.candidate_rows`, of this query.

    Returns
    -------
    list of dict
        `query`, `word`, `occurrences`, `documents`, `candidates` (of a country), `expected` (the sum of their
        probabilities) and `warning`. A category has no candidates by word.
    """
    probabilities: defaultdict[str, list[float]] = defaultdict(list)
    for row in candidates:
        probabilities[row["verb"]].append(row["probability"])
    rows = []
    for word in sorted({*query.verbs, *query.nouns}, key=lambda word: (-occurrences.get(word, 0), word)):
        warning = _warning(word, occurrences.get(word, 0), query)
        if warning:
            _log.warning("query %s, %s: %s", query.name, word, warning)
        rows.append(
            {
                "query": query.name,
                "word": word,
                "occurrences": occurrences.get(word, 0),
                "documents": documents.get(word, 0),
                "candidates": None if query.model else len(probabilities[word]),
                # The sum is the same whatever the order in which shards have them.
                "expected": None if query.model else math.fsum(probabilities[word]),
                "warning": warning,
            }
        )
    return rows


def _warning(word: str, occurrences: int, query: Query) -> str:
    lemma = inflected_from(word, query.verbs)
    if lemma and word not in query.nouns:
        return f"found an inflected form, expected the lemma {lemma}"
    return "" if occurrences else "found nowhere in the texts, in any form"


def inflected_from(word: str, words: Sequence[str] = ()) -> str | None:
    """Return the verb that a word seems to be a form of, None if it may be a lemma.

    A form is one of another of the `words`, an irregular one, or has a regular ending after a stem with a vowel:
    *bombed* is a form, *need* and *bring* are lemmas.
    """
    for other in words:
        if other != word and word in forms(other):
            return other
    if word in _irregular_lemmas():
        return _irregular_lemmas()[word]
    if word in _LIKE_FORMS or word.endswith(("eed", "ss", "us")):
        return None
    for ending, replacements in _VERB_ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem == word or not re.search("[aeiouy]", stem):
            continue
        doubled = [stem[:-1]] if stem[-1:] == stem[-2:-1] else []
        silent = re.search("[cguvz]$|[^aeiou][aeiou][^aeiouwxy]$", stem)
        for lemma in (*doubled, *(stem + each for each in (reversed(replacements) if silent else replacements))):
            if word in forms(lemma):
                return lemma
    return None


@cache
def _irregular_lemmas() -> dict[str, str]:
    """Return the lemma of each irregular past and participle that is no lemma of another verb (to found, to wound)."""
    found = {form: lemma for lemma, (past, participle, _) in IRREGULAR_VERBS.items() for form in (past, participle)}
    return {form: lemma for form, lemma in found.items() if form not in IRREGULAR_VERBS and form not in _ALSO_LEMMAS}
