"""A parsed document with alternative trees, sampled from the parser's distribution."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from itertools import groupby

from nlpcalib.systems.text.document import Document


@dataclass(frozen=True)
class Sampling:
    """How many trees are sampled, and for which sentences: those that match `words`. One tree is the best tree."""

    words: re.Pattern[str]
    trees: int = 10
    seed: int = 0


def readings(document: Document, sampled: Document) -> list[Document]:
    """Return a parsed document, followed by the same document with each of the sampled trees.

    `sampled` has, for each sentence whose trees were sampled, one sentence of the same id for each tree.
    """
    trees = {name: list(group) for name, group in groupby(sampled.sentences, key=lambda sentence: sentence.id)}
    number = max(map(len, trees.values()), default=0)
    return [document] + [
        dataclasses.replace(
            document,
            sentences=tuple(
                trees[sentence.id][tree] if sentence.id in trees else sentence for sentence in document.sentences
            ),
        )
        for tree in range(number)
    ]
