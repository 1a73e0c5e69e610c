"""Apply taggers to the test set: their accuracy, and their pairs of one tag."""

from collections.abc import Sequence

from nlpcalib.io.files import write_json
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.systems.chains.pairs import tag_pairs
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.evaluation import evaluate_tagger
from reproduction.tagging.pairs import one_tag_pairs
from reproduction.workflow.run_script import run_script


def main(
    paths_models: Sequence[str],
    path_test: str,
    paths_evaluations: Sequence[str],
    paths_pairs: Sequence[str],
    *,
    one_tag: str,
) -> None:
    """Write sizes, rate of unknown words and accuracy as JSON, and the pairs of the tag `one_tag`, for each model."""
    test = tagged_corpus(read_conllu(path_test))
    for path_model, path_evaluation, path_pairs in zip(paths_models, paths_evaluations, paths_pairs, strict=True):
        chain = LinearChain.load(path_model)
        marginals, evaluation = evaluate_tagger(chain, test)
        tags, gold = test.gold_in(chain.tags)
        write_pairs(path_pairs, one_tag_pairs(tag_pairs(marginals, gold, tags, test.units), one_tag))
        write_json(path_evaluation, evaluation)


if "snakemake" in globals():
    run_script(main, snakemake)
