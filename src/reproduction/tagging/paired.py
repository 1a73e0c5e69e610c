"""Two taggers' predictions of the same events, side by side, for `reproduction.tagging.label_comparison`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.systems.chains.forward_backward import Marginals
from nlpcalib.systems.chains.pairs import clip_rounding
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.pairs import frequent_bigrams

Columns = Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]
"""(label, first q, second q, y) of one label after the other, each array `(events,)`."""


@dataclass(frozen=True, eq=False)
class TaggerOutput:
    """A tagger's marginals on a test set, and the tags that their columns stand for."""

    marginals: Marginals
    tags: Sequence[str]

    def tag(self, name: str) -> np.ndarray:
        """Return P(y_t = name | x), float64 `(tokens,)`: zero for a tag that the tagger does not know."""
        if name not in self.tags:
            return np.zeros(len(self.marginals.single))
        return clip_rounding(self.marginals.single[:, self.tags.index(name)].copy())

    def bigram(self, before: str, after: str) -> np.ndarray:
        """Return P(y_{t-1} = before, y_t = after | x), float64 `(pairs,)`, zero where a tag is not known."""
        if before not in self.tags or after not in self.tags:
            return np.zeros(len(self.marginals.second))
        return clip_rounding(self.marginals.pair(self.tags.index(before), self.tags.index(after)))


def paired_tags(first: TaggerOutput, second: TaggerOutput, test: TaggedCorpus) -> tuple[Columns, np.ndarray]:
    """Return both taggers' predictions for every tag of either or of the test set, and tokens' documents.

    The documents, the outermost units, are int64 codes `(tokens,)`.
    """
    names = sorted({*first.tags, *second.tags, *test.tags})
    gold = np.array(test.tags)[test.gold]
    return ((name, first.tag(name), second.tag(name), gold == name) for name in names), test.document_of_token


def paired_bigrams(
    first: TaggerOutput, second: TaggerOutput, test: TaggedCorpus, number: int | None = None
) -> tuple[Columns, np.ndarray]:
    """Return both taggers' predictions for bigrams that occur in the test set, and the pairs' documents.

    The most frequent come first, up to `number` of them; the documents are int64 codes `(pairs,)`. Memory is that of
    one bigram at a time.
    """
    before, after = test.gold[test.second - 1], test.gold[test.second]
    bigrams = frequent_bigrams(test.gold, test.lengths, number or len(test.tags) ** 2)

    def columns() -> Columns:
        for i, j in bigrams:
            names = test.tags[i], test.tags[j]
            yield " ".join(names), first.bigram(*names), second.bigram(*names), (before == i) & (after == j)

    return columns(), test.document_of_token[test.second]
