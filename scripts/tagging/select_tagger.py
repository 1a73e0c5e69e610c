"""Choose a tagger's hyperparameter by accuracy on the development set."""

from collections.abc import Sequence

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.selection import select_tagger, write_tagger_selection
from reproduction.workflow.run_script import run_script


def main(
    values: Sequence[float], paths_candidates: Sequence[str], path_dev: str, path_model: str, path_selection: str
) -> None:
    """Write the best model and the accuracy of each."""
    candidates = ((value, LinearChain.load(path)) for value, path in zip(values, paths_candidates, strict=True))
    selection = select_tagger(candidates, tagged_corpus(read_conllu(path_dev)))
    selection.chain.save(path_model)
    write_tagger_selection(path_selection, selection)


if "snakemake" in globals():
    run_script(main, snakemake)
