"""Apply a tagger to the test set: exact posterior marginals, accuracy, and pairs."""

import numpy as np

from nlpcalib.io.files import write_json
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.evaluation import evaluate_tagger
from reproduction.tagging.storage import save_marginals
from reproduction.tagging.target_pairs import write_target_pairs
from reproduction.workflow.run_script import run_script


def main(
    path_model: str,
    path_test: str,
    path_marginals: str,
    path_evaluation: str,
    path_tags: str,
    path_bigrams: str,
    *,
    bigrams: int,
) -> None:
    """Write marginals of single and consecutive tags; sizes, rate of unknown words and accuracy as JSON; and pairs.

    The parameters of a model are its potentials that are not 0. The pairs are of all tags, and of the most frequent
    `bigrams` of the test set.
    """
    chain, test = LinearChain.load(path_model), tagged_corpus(read_conllu(path_test))
    marginals, evaluation = evaluate_tagger(chain, test)
    save_marginals(path_marginals, marginals)
    parameters = int(sum(np.count_nonzero(weights) for weights in (chain.state, chain.transition, chain.initial)))
    write_json(path_evaluation, {**evaluation, "parameters": parameters})
    write_target_pairs(marginals, chain.tags, test, path_tags, path_bigrams, bigrams=bigrams)


if "snakemake" in globals():
    run_script(main, snakemake)
