"""Train a hidden Markov model, its pseudocount chosen on the development set."""

from collections.abc import Sequence

from nlpcalib.corpora.readers.conllu import read_conllu
from nlpcalib.tagging.data import tagged_corpus
from nlpcalib.tagging.hmm import HMMCounts
from nlpcalib.tagging.selection import select, write_selection
from nlpcalib.workflow.script_log import start_log


def main(
    path_train: str, path_dev: str, path_model: str, path_selection: str, pseudocounts: Sequence[float], bin_size: int
) -> None:
    """Write the model and a table of what each pseudocount does on the development set."""
    counts = HMMCounts.of(tagged_corpus(read_conllu(path_train)))
    dev = tagged_corpus(read_conllu(path_dev))
    selection = select(((value, counts.chain(value)) for value in pseudocounts), dev, bin_size=bin_size)
    selection.chain.save(path_model)
    write_selection(path_selection, selection)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        path_train=snakemake.input.train,
        path_dev=snakemake.input.dev,
        path_model=snakemake.output.model,
        path_selection=snakemake.output.selection,
        pseudocounts=snakemake.params.pseudocounts,
        bin_size=snakemake.params.bin_size,
    )
