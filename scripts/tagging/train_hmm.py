"""Train a hidden Markov model for each pseudocount."""

from collections.abc import Sequence

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.hmm import HMMCounts
from reproduction.workflow.run_script import run_script


def main(path_train: str, pseudocounts: Sequence[float], paths_candidates: Sequence[str]) -> None:
    """Write the model of each pseudocount to its path."""
    counts = HMMCounts.of(tagged_corpus(read_conllu(path_train)))
    for pseudocount, path in zip(pseudocounts, paths_candidates, strict=True):
        counts.chain(pseudocount).save(path)


if "snakemake" in globals():
    run_script(main, snakemake)
