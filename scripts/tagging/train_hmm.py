"""Train a hidden Markov model for each pseudocount."""

from collections.abc import Mapping

from nlpcalib.chains.data import tagged_corpus
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.hmm import HMMCounts
from reproduction.workflow.script_log import start_log


def main(path_train: str, path_candidates: Mapping[float, str]) -> None:
    """Write the model of each pseudocount to its path."""
    counts = HMMCounts.of(tagged_corpus(read_conllu(path_train)))
    for pseudocount, path in path_candidates.items():
        counts.chain(pseudocount).save(path)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_train=snakemake.input.train,
        path_candidates=dict(zip(snakemake.params.pseudocounts, snakemake.output, strict=True)),
    )
