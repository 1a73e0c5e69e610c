"""Choose a tagger's hyperparameter by accuracy on the development set."""

from collections.abc import Mapping

from nlpcalib.chains.chain import LinearChain
from nlpcalib.chains.data import tagged_corpus
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.selection import select, write_selection
from reproduction.workflow.script_log import start_log


def main(path_candidates: Mapping[float, str], path_dev: str, path_model: str, path_selection: str) -> None:
    """Write the best model and the accuracy of each."""
    candidates = ((value, LinearChain.load(path)) for value, path in path_candidates.items())
    selection = select(candidates, tagged_corpus(read_conllu(path_dev)))
    selection.chain.save(path_model)
    write_selection(path_selection, selection)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_candidates=dict(zip(snakemake.params.values, snakemake.input.candidates, strict=True)),
        path_dev=snakemake.input.dev,
        path_model=snakemake.output.model,
        path_selection=snakemake.output.selection,
    )
