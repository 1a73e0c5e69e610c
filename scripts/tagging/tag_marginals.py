"""Compute a tagger's exact posterior marginals on the test set, and its accuracy."""

from nlpcalib.io.files import write_json
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.evaluation import evaluate_tagger
from reproduction.tagging.storage import save_marginals
from reproduction.workflow.run_script import run_script


def main(path_model: str, path_test: str, path_marginals: str, path_evaluation: str) -> None:
    """Write marginals of single and consecutive tags, and sizes, rate of unknown words and accuracy as JSON."""
    marginals, evaluation = evaluate_tagger(LinearChain.load(path_model), tagged_corpus(read_conllu(path_test)))
    save_marginals(path_marginals, marginals)
    write_json(path_evaluation, evaluation)


if "snakemake" in globals():
    run_script(main, snakemake)
