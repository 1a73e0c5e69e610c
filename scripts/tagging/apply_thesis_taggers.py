"""Apply taggers to the test set: their accuracy, and their pairs of all tags and of one."""

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
    paths_tags: Sequence[str],
    paths_one_tag: Sequence[str],
    *,
    one_tag: str,
) -> None:
    """Write sizes, rate of unknown words and accuracy as JSON, and two tables of pairs, for each model.

    `one_tag` is the tag of the second table.
    """
    test = tagged_corpus(read_conllu(path_test))
    rows = zip(paths_models, paths_evaluations, paths_tags, paths_one_tag, strict=True)
    for path_model, path_evaluation, path_tags, path_one_tag in rows:
        chain = LinearChain.load(path_model)
        marginals, evaluation = evaluate_tagger(chain, test)
        tags, gold = test.gold_in(chain.tags)
        pairs = tag_pairs(marginals, gold, tags, test.units)
        write_pairs(path_tags, pairs)
        write_pairs(path_one_tag, one_tag_pairs(pairs, one_tag))
        write_json(path_evaluation, evaluation)


if "snakemake" in globals():
    run_script(main, snakemake)
