"""Exact marginals, samples, entities and the page from the antecedents of any model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from nlpcalib.errors import InputError, quoted
from nlpcalib.systems.coref.answer.resolution import Resolution, resolution_of
from nlpcalib.systems.coref.model.lexicon import PRONOUN_FORMS
from nlpcalib.systems.coref.model.mentions import Span
from nlpcalib.systems.coref.model.phrases import DEMONSTRATIVES
from nlpcalib.systems.coref.model.posterior import check_conditionals, softmax_with_new
from nlpcalib.systems.text.document import Document, Sentence

_WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]")
_WINDOW_MENTIONS = 1000
"""Window of mentions within which pairs are kept, for sparse antecedents."""
_MAX_ROW_EXCESS = 1e-5
"""Largest excess of a row's sum over 1 that counts as rounding of float32."""


def antecedents_from_scores(
    scores: np.ndarray, new: float | np.ndarray | slice = 0.0, antecedents: np.ndarray | None = None
) -> np.ndarray:
    """Return A, float64 (N, N), from the scores of pairs: the softmax over each mention's antecedents and NEW.

    Parameters
    ----------
    scores : ndarray, shape (N, N), or (N, k) with `antecedents`, and the columns of `new`
        The score of mention j as the antecedent of mention i at [i, j], j < i; others are ignored. −inf excludes a
        pair.
    new : float, ndarray of shape (N,), or slice
        The score of having no antecedent; 0 in models after Lee et al. (2017). A slice selects the columns of `scores`
        that have it; probabilities of several columns are summed.
    antecedents : ndarray of int, shape (N, k), optional
        The mention of each other column of `scores`, for models that keep the best k antecedents.

    Raises `InputError` for NaN, +inf, and other shapes.
    """
    scores = np.asarray(scores, np.float64)
    if isinstance(new, slice) and scores.ndim == 2:
        scores, new = np.delete(scores, new, axis=1), np.logaddexp.reduce(scores[:, new], axis=1)
    if antecedents is not None:
        chosen = np.asarray(antecedents)
        if chosen.shape != scores.shape or not ((chosen >= 0) & (chosen < len(chosen))).all():
            raise InputError(
                f"antecedents: found an array of shape {chosen.shape}, expected the shape of the scores, {scores.shape}"
            )
        kept = np.where(chosen < np.arange(len(chosen))[:, None], scores, -np.inf)
        scores = np.full((len(chosen), len(chosen)), -np.inf)
        # Padding may repeat a mention.
        np.maximum.at(scores, (np.arange(len(chosen))[:, None], chosen), kept)
    if scores.ndim != 2 or scores.shape[0] != scores.shape[1]:
        raise InputError(f"scores: found an array of shape {scores.shape}, expected (mentions, mentions)")
    earlier = np.tri(len(scores), k=-1, dtype=bool)
    alone = np.asarray(new, np.float64)
    if alone.shape not in ((), (1,), (len(scores),)):
        raise InputError(f"new: found an array of shape {alone.shape}, expected a number, or one for each mention")
    alone = np.broadcast_to(alone, len(scores))
    values = np.where(earlier, scores, -np.inf)
    if np.isnan(values).any() or np.isposinf(values).any() or not np.isfinite(alone).all():
        raise InputError("scores: found NaN or infinity, expected numbers, or −inf for excluded pairs")
    return softmax_with_new(values, alone)


def from_antecedents(
    antecedents: Any,
    text: str | Sequence[str] | None = None,
    spans: Sequence[tuple[int, int]] | np.ndarray | None = None,
    *,
    id: str = "document",
    threshold: float = 0.5,
) -> Resolution:
    """Return exact marginals, samples and decoded entities for a model's antecedents.

    Parameters
    ----------
    antecedents : array or sparse array, shape (N, N)
        A[i, j] is the probability that mention j is the antecedent of mention i: strictly lower triangular, with rows
        that sum to 1 − P(NEW). A row whose sum exceeds 1 by at most 1e-5, the rounding of float32, is divided by its
        sum. With a sparse array, time and memory grow with its links, and marginals are sparse, as
        `nlpcalib.systems.coref.model.long_documents` describes.
    text : str or sequence of str, optional
        The document, as one text or as words. Without it, mentions are named by their numbers, from 1.
    spans : sequence of (start, end), optional
        The characters, or words, of each mention; `text[start:end]` is the mention.
    id : str
        Id of the document; samples depend on it and on their seed.
    threshold : float
        Smallest mean marginal at which clusters merge (`nlpcalib.systems.coref.model.decoding.cluster_marginals`).

    Raises `InputError` for rows that are not distributions over earlier mentions and NEW, and for spans that are not
    pairs, outside the text, or without a word.
    """
    is_sparse = sparse.issparse(antecedents)
    # The conversion by COO sorts indices and sums duplicates.
    conditionals: Any = (
        sparse.coo_array(antecedents).astype(np.float64).tocsr() if is_sparse else np.asarray(antecedents, np.float64)
    )
    if conditionals.ndim == 2:
        conditionals = _within_one(conditionals)
    check_conditionals(conditionals)
    count = conditionals.shape[0]
    if (text is None) != (spans is None):
        raise InputError("found only one of text and spans, expected both or neither")
    if text is None or spans is None:
        spans = [(2 * place, 2 * place + 1) for place in range(count)]
        document = Document(
            id, (Sentence(f"{id}-1", tuple(str(number + 1) for number in range(count))),) if count else ()
        )
        mentions = tuple(Span(0, number, number + 1, number, "nominal") for number in range(count))
    else:
        places = [_place(span) for span in spans]
        if not isinstance(text, str):
            text, places = _characters(text, places)
        if len(places) != count:
            raise InputError(f"spans: found {len(places)}, expected one for each of {count} mentions")
        document, mentions = _document(id, text, places)
    return resolution_of(document, mentions, conditionals, threshold, window=_WINDOW_MENTIONS if is_sparse else None)


def _within_one(conditionals: Any) -> Any:
    """Return conditionals, with rows whose sums exceed 1 by rounding divided by their sums."""
    sums = conditionals.sum(axis=1)
    exceeds = (sums > 1) & (sums <= 1 + _MAX_ROW_EXCESS)
    if not exceeds.any():
        return conditionals
    divisors = np.where(exceeds, sums, 1.0)
    if not sparse.issparse(conditionals):
        return conditionals / divisors[:, None]
    values = conditionals.data / np.repeat(divisors, np.diff(conditionals.indptr))
    return sparse.csr_array((values, conditionals.indices, conditionals.indptr), conditionals.shape)


def from_fastcoref(result: Any) -> Resolution:
    """Return exact marginals, samples and entities for a `CorefResult` of fastcoref 2.1, predicted from one string.

    `result` has `text`, `coref_logit` of shape (spans, spans + 1) with NEW in the last column, and `reverse_char_map`,
    which maps the characters of each span to its number.
    """
    places = sorted((number, span) for span, (number, _) in result.reverse_char_map.items())
    numbers = [number for number, _ in places]
    logits = np.asarray(result.coref_logit, np.float64)[np.ix_(numbers, [*numbers, -1])]
    scores = antecedents_from_scores(logits, slice(-1, None))
    return from_antecedents(scores, result.text, [span for _, span in places])


def _characters(words: Sequence[str], places: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Return words joined by spaces, and spans of words as spans of characters."""
    ends = np.cumsum([len(word) + 1 for word in words], dtype=np.int64) - 1
    for start, end in places:
        if not 0 <= start < end <= len(words):
            raise InputError(f"spans: found ({start}, {end}), expected a span within {len(words)} words")
    return " ".join(words), [(int(ends[start]) - len(words[start]), int(ends[end - 1])) for start, end in places]


def _place(span: Any) -> tuple[int, int]:
    try:
        start, end = span
        return int(start), int(end)
    except (TypeError, ValueError):
        raise InputError(f"spans: found {quoted(span)}, expected (start, end), two whole numbers") from None


def _document(identifier: str, text: str, spans: Sequence[tuple[int, int]]) -> tuple[Document, tuple[Span, ...]]:
    """Return the text as a document with a sentence per line, and its mentions."""
    for start, end in spans:
        if not (0 <= start < end <= len(text) and _WORD_OR_SIGN.search(text, start, end)):
            raise InputError(f"spans: found ({start}, {end}), expected characters of the text that include a word")
    cuts = {place for span in spans for place in span}
    words: list[tuple[int, int]] = []
    for match in _WORD_OR_SIGN.finditer(text):
        bounds = [match.start(), *(n for n in range(match.start() + 1, match.end()) if n in cuts), match.end()]
        words += pairwise(bounds)
    inside = np.zeros(len(text) + 1, np.int64)
    for start, end in spans:
        inside[start + 1] += 1
        inside[end] -= 1
    inside = np.cumsum(inside)
    firsts = [
        number
        for number, (start, _) in enumerate(words)
        if not number or ("\n" in text[words[number - 1][1] : start] and not inside[start])
    ]
    sentences = []
    for number, (first, last) in enumerate(pairwise([*firsts, len(words)]), 1):
        part = words[first:last]
        sentences.append(
            Sentence(
                f"{identifier}-{number}",
                tuple(text[start:end] for start, end in part),
                space_after=tuple(text[end : end + 1].isspace() for _, end in part),
            )
        )
    starts, ends = np.array(words).reshape(-1, 2).T
    mentions = []
    for start, end in spans:
        first, last = int(np.searchsorted(starts, start)), int(np.searchsorted(ends, end, "right"))
        sentence = int(np.searchsorted(firsts, first, "right")) - 1
        offset = firsts[sentence]
        mentions.append(
            Span(sentence, first - offset, last - offset, last - 1 - offset, _kind(text[start:end].split()))
        )
    return Document(identifier, tuple(sentences), source=text), tuple(mentions)


def _kind(words: list[str]) -> str:
    last = words[-1].lower()
    if len(words) == 1 and last in DEMONSTRATIVES:
        return "demonstrative"
    if len(words) == 1 and last in PRONOUN_FORMS:
        return "pronoun"
    return "proper" if words[-1][:1].isupper() else "nominal"
