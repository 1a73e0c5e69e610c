"""Tables of a tagger's pairs: of all tags, and of the most frequent pairs of consecutive tags."""

from __future__ import annotations

from pathlib import Path

from nlpcalib.predictions.tables import write_pairs
from nlpcalib.systems.chains.forward_backward import Marginals
from nlpcalib.systems.chains.pairs import tag_pairs
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.pairs import bigram_pairs, frequent_bigrams


def write_target_pairs(
    marginals: Marginals,
    known: tuple[str, ...],
    test: TaggedCorpus,
    path_tags: str | Path,
    path_bigrams: str | Path,
    *,
    bigrams: int,
) -> None:
    """Write the pairs of all tags, and of the most frequent `bigrams` of the test set.

    `known` are the tags of the tagger.
    """
    tags, gold = test.gold_in(known)
    write_pairs(path_tags, tag_pairs(marginals, gold, tags, test.units))
    frequent = frequent_bigrams(gold, test.lengths, bigrams)
    write_pairs(path_bigrams, bigram_pairs(marginals, gold, tags, test.units, frequent))
