"""Train a conditional random field on part of the training set, its regulariser chosen on the development set."""

from collections.abc import Sequence

from nlpcalib.corpora.conllu import read_conllu
from nlpcalib.script_log import start_log
from nlpcalib.seeding import generator
from nlpcalib.tagging.crf import fit_crf
from nlpcalib.tagging.data import tagged_corpus
from nlpcalib.tagging.selection import select, write_selection


def main(
    path_train: str,
    path_dev: str,
    path_model: str,
    path_selection: str,
    c2: Sequence[float],
    sentences: int,
    bin_size: int,
    seed: int,
) -> None:
    """Write the model and a table of what each regulariser does on the development set.

    `sentences` of the training set are drawn without replacement; all of them if there are fewer.
    """
    train = tagged_corpus(read_conllu(path_train))
    drawn = generator(seed, "train_crf").permutation(len(train.lengths))[:sentences]
    train = train.subset(sorted(drawn))
    dev = tagged_corpus(read_conllu(path_dev))
    selection = select(lambda value: fit_crf(train, c2=value), c2, dev, bin_size=bin_size)
    selection.chain.save(path_model)
    write_selection(path_selection, selection)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        path_train=snakemake.input.train,
        path_dev=snakemake.input.dev,
        path_model=snakemake.output.model,
        path_selection=snakemake.output.selection,
        c2=snakemake.params.c2,
        sentences=snakemake.params.sentences,
        bin_size=snakemake.params.bin_size,
        seed=snakemake.params.seed,
    )
