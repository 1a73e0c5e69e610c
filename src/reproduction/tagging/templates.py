"""Feature templates of the CRF: what is observed about each token (thesis, sections 3.4.1 and 4.1.2).

The thesis names its templates, surrounding words, word shape, word length, prefixes and suffixes, and does not spell
them out. Here they are those of Ratnaparkhi (1996), without his threshold on rare words: one word to either side, and
affixes of up to four characters. All but `context` are functions of the word alone and computed once per distinct word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from nlpcalib.errors import InputError
from reproduction.tagging.attributes import Attributes, ranges
from reproduction.tagging.data import TaggedCorpus

MAX_AFFIX_CHARACTERS = 4
"""Longest prefix and suffix, in characters (Ratnaparkhi 1996, table 1)."""

MAX_WORD_LENGTH = 15
"""Longer words share the attribute of this length."""

Template = Callable[[Attributes, np.ndarray], Attributes]
"""A function of the words, one per token, and of the lengths (S,) int64 of sentences: attributes of the same tokens."""


def with_templates(corpus: TaggedCorpus, names: Sequence[str]) -> TaggedCorpus:
    """Return `corpus`, whose tokens are words, with the attributes of the templates `names` in their place.

    Attributes are called by template and value, `suffix:ing`, so that those of different templates never coincide.
    Without any names the corpus stays as it is, with bare words: that is what models without templates expect. Raises
    InputError for a template that does not exist or comes twice, and for tokens that are not one attribute each.
    """
    if not names:
        return corpus
    for number, name in enumerate(names):
        if name not in TEMPLATES or name in names[:number]:
            raise InputError(f"found templates {', '.join(names)}; expected some of {', '.join(TEMPLATES)}, each once")
    if corpus.tokens.indptr is not None:
        raise InputError("tokens have lists of attributes; templates expect exactly one, the word")
    return replace(corpus, tokens=_join([TEMPLATES[name](corpus.tokens, corpus.lengths) for name in names]))


def unknown_words(corpus: TaggedCorpus, attributes: Iterable[str], names: Sequence[str]) -> float:
    """Return the share of tokens of `corpus`, words, that a model with `attributes` and templates `names` never saw."""
    prefix = "word:" if names else ""
    known = set(attributes)
    unseen = np.array([prefix + word not in known for word in corpus.tokens.names], dtype=bool)
    return float(np.mean(unseen[corpus.tokens.indices]))


def word(words: Attributes, lengths: np.ndarray) -> Attributes:
    """Observe the word itself: the emission features, and with the transitions all that CRF-Basic has."""
    return _of_each(words, lambda text: [f"word:{text}"])


def context(words: Attributes, lengths: np.ndarray) -> Attributes:
    """Observe the word before and the word after, or that the sentence has none there."""
    tokens, distinct = len(words), len(words.names)
    occupied = np.flatnonzero(lengths)
    last = np.cumsum(lengths)[occupied] - 1
    first = last - lengths[occupied] + 1
    codes = np.empty((tokens, 2), dtype=np.int64)
    codes[1:, 0], codes[:-1, 1] = words.indices[:-1], words.indices[1:]
    codes[first, 0] = codes[last, 1] = distinct
    codes[:, 1] += distinct + 1
    # No word is empty in any corpus of columns; the attribute without a word is that of the sentence's edge.
    names = [f"{side}:{text}" for side in ("previous", "next") for text in (*words.names, "")]
    return Attributes(tuple(names), codes.reshape(-1), np.arange(0, 2 * tokens + 1, 2))


def shape(words: Attributes, lengths: np.ndarray) -> Attributes:
    """Observe the kinds of characters in order: X, x and 0 for runs of capitals, other letters, digits; rest as is."""
    return _of_each(words, lambda text: [f"shape:{''.join(kind for kind, _ in groupby(map(_kind, text)))}"])


def length(words: Attributes, lengths: np.ndarray) -> Attributes:
    """Observe the number of characters, up to `MAX_WORD_LENGTH`."""
    return _of_each(words, lambda text: [f"length:{min(len(text), MAX_WORD_LENGTH)}"])


def prefixes(words: Attributes, lengths: np.ndarray) -> Attributes:
    """Observe the first one to `MAX_AFFIX_CHARACTERS` characters, as far as the word has so many."""
    return _of_each(
        words, lambda text: [f"prefix:{text[:end]}" for end in range(1, min(MAX_AFFIX_CHARACTERS, len(text)) + 1)]
    )


def suffixes(words: Attributes, lengths: np.ndarray) -> Attributes:
    """Observe the last one to `MAX_AFFIX_CHARACTERS` characters, as far as the word has so many."""
    return _of_each(
        words, lambda text: [f"suffix:{text[-size:]}" for size in range(1, min(MAX_AFFIX_CHARACTERS, len(text)) + 1)]
    )


TEMPLATES: Mapping[str, Template] = {
    "word": word,
    "context": context,
    "shape": shape,
    "length": length,
    "prefixes": prefixes,
    "suffixes": suffixes,
}
"""In the order in which the thesis lists them."""


def _kind(character: str) -> str:
    if character.isupper():
        return "X"
    if character.isalpha():
        return "x"
    return "0" if character.isdigit() else character


def _of_each(words: Attributes, observe: Callable[[str], list[str]]) -> Attributes:
    distinct = Attributes.of_lists(map(observe, words.names))
    return _rows(distinct, words.indices)


def _rows(attributes: Attributes, rows: np.ndarray) -> Attributes:
    """Return the attributes of the given rows, (n,) int64, under the same names."""
    bounds = attributes.bounds()
    sizes = np.diff(bounds)[rows]
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    return Attributes(attributes.names, attributes.indices[ranges(bounds[rows], sizes)], indptr)


def _join(parts: Sequence[Attributes]) -> Attributes:
    """Return all attributes of each token, part after part, without names that do not occur."""
    sizes = np.array([np.diff(part.bounds()) for part in parts])
    indptr = np.concatenate([[0], np.cumsum(sizes.sum(axis=0))])
    codes = np.empty(indptr[-1], dtype=np.int64)
    starts = indptr[:-1].copy()
    names: list[str] = []
    for part, size in zip(parts, sizes, strict=True):
        codes[ranges(starts, size)] = part.indices + len(names)
        starts += size
        names += part.names
    occurring, codes = np.unique(codes, return_inverse=True)
    return Attributes(tuple(names[code] for code in occurring), codes, indptr)
