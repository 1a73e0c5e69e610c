"""Make prediction-label pairs of single tags, or of the most frequent pairs of consecutive tags."""

from nlpcalib.chains.pairs import tag_pairs
from nlpcalib.predictions.tables import write_pairs
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.pairs import bigram_pairs, frequent_bigrams
from reproduction.tagging.storage import load_marginals
from reproduction.workflow.run_script import run_script


def main(path_model: str, path_marginals: str, path_test: str, path_pairs: str, target: str, bigrams: int) -> None:
    """Write the pairs of `target`: `tags`, or `bigrams`, the most frequent ones in the test set."""
    marginals = load_marginals(path_marginals)
    test = tagged_corpus(read_conllu(path_test))
    tags, gold = test.gold_in(LinearChain.load(path_model).tags)
    if target == "tags":
        pairs = tag_pairs(marginals, gold, tags, test.units)
    else:
        pairs = bigram_pairs(marginals, gold, tags, test.units, frequent_bigrams(gold, test.lengths, bigrams))
    write_pairs(path_pairs, pairs)


if "snakemake" in globals():
    run_script(main, snakemake)
