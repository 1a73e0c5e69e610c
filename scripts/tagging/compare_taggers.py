"""Compare two taggers' calibration label by label, on tags and on pairs of consecutive tags."""

from collections.abc import Sequence

from nlpcalib.calibration.summary import warn_of_few_bins
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.label_comparison import compare_labels, label_comparison_rows
from reproduction.tagging.paired import TaggerOutput, paired_bigrams, paired_tags
from reproduction.tagging.storage import load_marginals
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table


def main(
    paths_models: list[str],
    paths_marginals: list[str],
    path_test: str,
    paths_csv: Sequence[str],
    names: list[str],
    targets: Sequence[str],
    bin_size: int,
    samples: int,
    replicates: int,
    seed: int,
    bigrams: int,
) -> None:
    """Write one row per label of each target: all `tags`, and the most frequent `bigrams`, with 0 all."""
    test = tagged_corpus(read_conllu(path_test))
    one, other = (
        TaggerOutput(load_marginals(path_marginals), LinearChain.load(path).tags)
        for path, path_marginals in zip(paths_models, paths_marginals, strict=True)
    )
    first, second = names
    for target, path_csv in zip(targets, paths_csv, strict=True):
        paired = (
            paired_tags(one, other, test) if target == "tags" else paired_bigrams(one, other, test, bigrams or None)
        )
        columns, document = paired
        warn_of_few_bins(len(document), max(1, len(document) // bin_size), bin_size)
        comparisons = compare_labels(
            columns, document, bin_size=bin_size, samples=samples, replicates=replicates, seed=seed
        )
        rows = label_comparison_rows(comparisons, first=first, second=second)
        write_table(path_csv, f"{first} against {second}: {target}", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
