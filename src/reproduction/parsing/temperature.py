"""The temperature of a parser's sampled trees: that of the best Brier score on development trees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing.parser import Parser
from nlpcalib.systems.text.parsing.readings import Sampling
from reproduction.parsing.treebanks import with_current_relations

PARSER_TEMPERATURES = (0.5, 0.7, 1.0, 1.25, 1.5)
_SAMPLED_TREES = 10
_MAX_SENTENCES = 200
_EVERY_WORD = re.compile("")


def tree_temperature(parser: Parser, documents: Sequence[Document], seed: int) -> float:
    """Return the one of `PARSER_TEMPERATURES` with the smallest `tree_brier` on some 200 sentences of the documents."""
    gold = [sentence for document in documents for sentence in with_current_relations(document).sentences]
    chosen = gold[:: max(len(gold) // _MAX_SENTENCES, 1)]
    sample = Document("development", tuple(replace(one, id=str(place)) for place, one in enumerate(chosen)))
    return min(
        PARSER_TEMPERATURES, key=lambda temperature: tree_brier(parser.with_temperature(temperature), sample, seed)
    )


def tree_brier(parser: Parser, document: Document, seed: int) -> float:
    """Return the Brier score of sampled heads and relations per word, without the bias of few samples.

    For a word, Σ (p - y)² over its heads and relations is 1 - 2 P(a tree is right) + P(two trees agree); of 10 trees,
    these are the share of trees and the share of pairs. Words and sentences are the document's.
    """
    sampled = parser.sample_tokens(document, Sampling(_EVERY_WORD, _SAMPLED_TREES, seed))
    scores = []
    for place, sentence in enumerate(document.sentences):
        trees = sampled.sentences[place * _SAMPLED_TREES : (place + 1) * _SAMPLED_TREES]
        gold = zip(sentence.heads, sentence.relations, strict=True)
        edges = zip(*(zip(tree.heads, tree.relations, strict=True) for tree in trees), strict=True)
        for right, drawn in zip(gold, map(Counter, edges), strict=True):
            agreeing = sum(count * (count - 1) for count in drawn.values()) / (_SAMPLED_TREES * (_SAMPLED_TREES - 1))
            scores.append(1 - 2 * drawn[right] / _SAMPLED_TREES + agreeing)
    return float(np.mean(scores))
