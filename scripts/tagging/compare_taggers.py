"""Compare two taggers' calibration label by label."""

from nlpcalib.chains.chain import LinearChain
from nlpcalib.chains.data import tagged_corpus
from nlpcalib.io.html_table import write_table
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.label_comparison import compare_labels, comparison_rows
from reproduction.tagging.paired import TaggerOutput, paired_bigrams, paired_tags
from reproduction.tagging.storage import load_marginals
from reproduction.workflow.run_script import run_script


def main(
    path_hmm: str,
    path_crf: str,
    path_hmm_marginals: str,
    path_crf_marginals: str,
    path_test: str,
    path_csv: str,
    target: str,
    bin_size: int,
    samples: int,
    replicates: int,
    seed: int,
    bigrams: int | None,
) -> None:
    """Write one row per label of `target`: all tags, or the most frequent `bigrams` of the test set, by default all."""
    test = tagged_corpus(read_conllu(path_test))
    one, other = (
        TaggerOutput(load_marginals(path_marginals), LinearChain.load(path).tags)
        for path, path_marginals in ((path_hmm, path_hmm_marginals), (path_crf, path_crf_marginals))
    )
    columns, document = paired_tags(one, other, test) if target == "tags" else paired_bigrams(one, other, test, bigrams)
    comparisons = compare_labels(
        columns, document, bin_size=bin_size, samples=samples, replicates=replicates, seed=seed
    )
    rows = comparison_rows(comparisons, first="hmm", second="crf")
    write_table(path_csv, f"HMM against CRF: {target}", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
