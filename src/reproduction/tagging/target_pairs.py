"""Tables of a tagger's pairs: of all tags, and of the most frequent pairs of consecutive tags."""

from __future__ import annotations

from pathlib import Path

from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.systems.chains.forward_backward import Marginals
from nlpcalib.systems.chains.pairs import tag_pairs
from reproduction.calibration import write_measured
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.pairs import bigram_pairs, frequent_bigrams


def write_target_pairs(
    marginals: Marginals,
    known: tuple[str, ...],
    test: TaggedCorpus,
    path_tags: str | Path,
    path_bigrams: str | Path | None,
    *,
    bigrams: int,
    bin_size: int,
    samples: int,
    seed: int,
) -> None:
    """Write the pairs of all tags and of the most frequent `bigrams` of the test set, each with its calibration.

    `known` are the tags of the tagger. Without `path_bigrams` the pairs of tags are written alone, and not measured.
    """
    tags, gold = test.gold_in(known)
    pairs = tag_pairs(marginals, gold, tags, test.units)
    if path_bigrams is None:
        write_pairs(path_tags, pairs)
        return
    write_measured(path_tags, pairs, bin_size=bin_size, samples=samples, seed=seed)
    frequent = frequent_bigrams(gold, test.lengths, bigrams)
    pairs = bigram_pairs(marginals, gold, tags, test.units, frequent)
    write_measured(path_bigrams, pairs, bin_size=bin_size, samples=samples, seed=seed)
