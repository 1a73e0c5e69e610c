"""Compare two taggers' calibration label by label."""

from pathlib import Path

from nlpcalib.chains.chain import LinearChain
from nlpcalib.chains.data import tagged_corpus
from nlpcalib.io.html_table import write_table
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.label_comparison import compare_labels, comparison_rows
from reproduction.tagging.paired import TaggerOutput, paired_bigrams, paired_tags
from reproduction.tagging.storage import load_marginals
from reproduction.workflow.script_log import start_log


def main(
    path_models: dict[str, str],
    path_marginals: dict[str, str],
    path_test: str,
    path_stem: str | Path,
    target: str,
    bin_size: int,
    samples: int,
    replicates: int,
    seed: int,
    bigrams: int | None,
) -> None:
    """Write one row per label of `target`: all tags, or the most frequent `bigrams` of the test set, by default all."""
    first, second = path_models
    test = tagged_corpus(read_conllu(path_test))
    one, other = (
        TaggerOutput(load_marginals(path_marginals[model]), LinearChain.load(path_models[model]).tags)
        for model in (first, second)
    )
    columns, document = paired_tags(one, other, test) if target == "tags" else paired_bigrams(one, other, test, bigrams)
    comparisons = compare_labels(
        columns, document, bin_size=bin_size, samples=samples, replicates=replicates, seed=seed
    )
    rows = comparison_rows(comparisons, first=first, second=second)
    write_table(Path(path_stem), f"{first.upper()} against {second.upper()}: {target}", rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_models={"hmm": snakemake.input.hmm, "crf": snakemake.input.crf},
        path_marginals={"hmm": snakemake.input.hmm_marginals, "crf": snakemake.input.crf_marginals},
        path_test=snakemake.input.test,
        path_stem=Path(snakemake.output[0]).with_suffix(""),
        target=snakemake.wildcards.target,
        bin_size=snakemake.params.bin_size,
        samples=snakemake.params.samples,
        replicates=snakemake.params.replicates,
        seed=snakemake.params.seed,
        bigrams=snakemake.params.bigrams,
    )
