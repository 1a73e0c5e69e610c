"""Prediction-label pairs of single tags and of consecutive tags (paper, sections 4.2.2 and 4.2.3).

Two consecutive tags are called a bigram here, and (q, y) a pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.chains.data import documents_of
from nlpcalib.chains.forward_backward import Marginals, second_tokens
from nlpcalib.errors import InputError

_ROUNDING = 1e-12


def tag_pairs(marginals: Marginals, gold: np.ndarray, tags: Sequence[str], units: Sequence[str]) -> Pairs:
    """Return one pair per tag and token: the pairs of the first tag for every token, then those of the second, ….

    `gold` (tokens,) int64 and `tags` come from `TaggedCorpus.gold_in` with the model's tags; tags beyond the model's
    have q = 0 for every token. `units` names the S sentences, `document/sentence`. Raises InputError if the numbers of
    tokens, tags or sentences disagree.
    """
    _check(marginals, gold, tags, units)
    tokens, known = marginals.single.shape
    q = np.zeros((len(tags), tokens))
    q[:known] = marginals.single.T
    sentence = np.repeat(np.arange(len(units)), marginals.lengths)
    return Pairs(
        q=clip_rounding(q.reshape(-1)),
        y=(np.arange(len(tags))[:, None] == gold).reshape(-1),
        label=_categories(tags, np.repeat(np.arange(len(tags)), tokens)),
        unit=_categories(units, np.tile(sentence, len(tags))),
        document=_categories(documents_of(units), np.tile(sentence, len(tags))),
    )


def one_tag_pairs(pairs: Pairs, tag: str) -> Pairs:
    """Return the rows of `tag_pairs` that ask for one tag, "is this word NN?", a row per token (thesis, section 3.4.1).

    Raises InputError if neither the model nor the test set has the tag.
    """
    tags, sentences, documents = pairs.label, pairs.unit, pairs.document
    if tags is None or sentences is None or documents is None:
        raise InputError("found pairs without labels, units or documents; expected those of tag_pairs")
    if tag not in tags.names:
        raise InputError(f"found no tag {tag!r}; expected one of {', '.join(tags.names)}")
    rows = tags.codes == tags.names.index(tag)
    label = Categories(np.zeros(np.count_nonzero(rows), dtype=np.int32), (tag,))
    unit, document = (Categories(column.codes[rows], column.names) for column in (sentences, documents))
    return Pairs(pairs.q[rows], pairs.y[rows], label, unit, document)


def frequent_bigrams(gold: np.ndarray, lengths: np.ndarray, number: int) -> list[tuple[int, int]]:
    """Return the `number` most frequent pairs of consecutive gold tags as codes, the most frequent first.

    Equally frequent ones are in order of their codes; fewer are returned if fewer occur.
    """
    second = second_tokens(np.asarray(lengths))
    bigrams, counts = np.unique(np.column_stack([gold[second - 1], gold[second]]), axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:number]
    return [(int(first), int(then)) for first, then in bigrams[order]]


def bigram_pairs(
    marginals: Marginals,
    gold: np.ndarray,
    tags: Sequence[str],
    units: Sequence[str],
    bigrams: Sequence[tuple[int, int]],
) -> Pairs:
    """Return one pair per bigram and pair of consecutive tokens, bigram after bigram; arguments as for `tag_pairs`.

    Labels are the two tags with a space between them.
    """
    columns = list(iterate_bigrams(marginals, gold, tags, units, bigrams))
    sentence = np.repeat(np.arange(len(units)), np.maximum(marginals.lengths - 1, 0))
    return Pairs(
        q=np.concatenate([q for _, q, _ in columns]) if columns else np.zeros(0),
        y=np.concatenate([y for _, _, y in columns]) if columns else np.zeros(0, dtype=bool),
        label=_categories([label for label, _, _ in columns], np.repeat(np.arange(len(columns)), len(sentence))),
        unit=_categories(units, np.tile(sentence, len(columns))),
        document=_categories(documents_of(units), np.tile(sentence, len(columns))),
    )


def iterate_bigrams(
    marginals: Marginals,
    gold: np.ndarray,
    tags: Sequence[str],
    units: Sequence[str],
    bigrams: Sequence[tuple[int, int]] | None = None,
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield (label, q, y) of one bigram after the other, all of them by default, in memory for one at a time.

    `q` is (pairs,) float64 and `y` (pairs,) bool, in the order of `marginals.second`. Other arguments and errors as
    for `tag_pairs`.
    """
    _check(marginals, gold, tags, units)
    known = marginals.single.shape[1]
    second = marginals.second
    before, after = gold[second - 1], gold[second]
    if bigrams is None:
        bigrams = [(i, j) for i in range(len(tags)) for j in range(len(tags))]
    for i, j in bigrams:
        q = marginals.pair(i, j) if max(i, j) < known else np.zeros(len(second))
        yield f"{tags[i]} {tags[j]}", clip_rounding(q), (before == i) & (after == j)


def _check(marginals: Marginals, gold: np.ndarray, tags: Sequence[str], units: Sequence[str]) -> None:
    tokens, known = marginals.single.shape
    if gold.shape != (tokens,):
        raise InputError(f"gold has shape {gold.shape}; the marginals expect ({tokens},)")
    if len(tags) < known:
        raise InputError(f"found {len(tags)} tags; the marginals are of {known}")
    if tokens and (gold.min() < 0 or gold.max() >= len(tags)):
        raise InputError(f"gold tags are from {gold.min()} to {gold.max()}; expected codes of {len(tags)} tags")
    if len(units) != len(marginals.lengths):
        raise InputError(f"found {len(units)} units; the marginals are of {len(marginals.lengths)} sentences")


def clip_rounding(q: np.ndarray) -> np.ndarray:
    """Clip away rounding errors, in place. More than rounding would be a mistake in the inference: ArithmeticError."""
    if q.size and not (q.min() >= -_ROUNDING and q.max() <= 1 + _ROUNDING):
        raise ArithmeticError(f"marginals are from {q.min()!r} to {q.max()!r}; expected probabilities")
    return np.clip(q, 0.0, 1.0, out=q)


def _categories(names: Sequence[str], codes: np.ndarray) -> Categories:
    distinct = sorted(set(names))
    rank = {name: code for code, name in enumerate(distinct)}
    return Categories(np.array([rank[name] for name in names], dtype=np.int32)[codes], tuple(distinct))
