"""Prediction-label pairs of one tag and of consecutive tags (paper, section 4.2.3; thesis, section 3.4.1).

Two consecutive tags are called a bigram here, and (q, y) a pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError
from nlpcalib.systems.chains.forward_backward import Marginals, second_tokens
from nlpcalib.systems.chains.pairs import check_gold, clip_rounding, documents_of_sentences


def one_tag_pairs(pairs: Pairs, tag: str) -> Pairs:
    """Return the rows of `tag_pairs` that ask for one tag, "is this word NN?", a row per token (thesis, section 3.4.1).

    Raises InputError if neither the model nor the test set has the tag.
    """
    tags = pairs.predicted
    if tags is None or pairs.unit is None or pairs.document is None:
        raise InputError("found pairs without labels, units or documents; expected those of tag_pairs")
    if tag not in tags.names:
        raise InputError(f"found no tag {tag!r}; expected one of {', '.join(tags.names)}")
    rows = np.flatnonzero(tags.codes == tags.names.index(tag))
    return replace(pairs.take(rows), predicted=Categories(np.zeros(rows.size, dtype=np.int32), (tag,)))


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
        predicted=Categories.of(np.repeat(np.arange(len(columns)), len(sentence)), [label for label, _, _ in columns]),
        unit=Categories.of(np.tile(sentence, len(columns)), units),
        document=Categories.of(np.tile(sentence, len(columns)), documents_of_sentences(units)),
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
    check_gold(marginals, gold, tags, units)
    known = marginals.single.shape[1]
    second = marginals.second
    before, after = gold[second - 1], gold[second]
    if bigrams is None:
        bigrams = [(i, j) for i in range(len(tags)) for j in range(len(tags))]
    for i, j in bigrams:
        q = marginals.pair(i, j) if max(i, j) < known else np.zeros(len(second))
        yield f"{tags[i]} {tags[j]}", clip_rounding(q), (before == i) & (after == j)
