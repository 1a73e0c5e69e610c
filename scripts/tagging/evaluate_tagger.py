"""Measure a tagger's accuracy and make its prediction-label pairs, of all tags and of one."""

from nlpcalib.chains.pairs import tag_pairs
from nlpcalib.io.files import write_json
from nlpcalib.predictions.tables import write_pairs
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.evaluation import evaluate_tagger
from reproduction.tagging.pairs import one_tag_pairs
from reproduction.workflow.run_script import run_script


def main(path_model: str, path_test: str, path_evaluation: str, path_tags: str, path_one_tag: str, tag: str) -> None:
    """Write sizes, rate of unknown words and accuracy as JSON, and two tables of pairs."""
    chain = LinearChain.load(path_model)
    test = tagged_corpus(read_conllu(path_test))
    marginals, evaluation = evaluate_tagger(chain, test)
    tags, gold = test.gold_in(chain.tags)
    pairs = tag_pairs(marginals, gold, tags, test.units)
    write_pairs(path_tags, pairs)
    write_pairs(path_one_tag, one_tag_pairs(pairs, tag))
    write_json(path_evaluation, evaluation)


if "snakemake" in globals():
    run_script(main, snakemake)
