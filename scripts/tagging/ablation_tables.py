"""Tabulate the thesis' taggers of a dataset, and test which of two is better calibrated."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpcalib.io.files import read_json
from nlpcalib.io.html_table import write_table
from nlpcalib.predictions.tables import read_pairs
from reproduction.tagging.ablation_tables import comparison_rows, model_row
from reproduction.workflow.script_log import start_log


def main(
    path_evaluations: Mapping[str, str],
    path_calibrations: Mapping[tuple[str, str], str],
    path_pairs: Mapping[str, str],
    path_models: str | Path,
    path_comparisons: str | Path,
    titles: Mapping[str, str],
    comparisons: Sequence[tuple[str, str]],
    tag: str,
    bin_size: int,
    samples: int,
    replicates: int,
    seed: int,
) -> None:
    """Write a row per model and target, and for the one-tag target a row per two models of `comparisons`."""
    models = [
        {
            "model": model,
            "title": titles[model],
            "target": target,
            "tag": tag if target == "one_tag" else "all",
            **model_row(read_json(path_evaluations[model]), read_json(path)),
        }
        for (model, target), path in path_calibrations.items()
    ]
    write_table(path_models, f"The thesis' taggers: all tags, and is this word {tag}?", models)
    pairs = {model: read_pairs(path) for model, path in path_pairs.items()}
    rows = comparison_rows(pairs, comparisons, bin_size=bin_size, samples=samples, replicates=replicates, seed=seed)
    write_table(path_comparisons, f"Is one better calibrated than the other? Is this word {tag}?", rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_evaluations={Path(path).parts[-2]: path for path in snakemake.input.evaluations},
        path_calibrations={(Path(path).parts[-3], Path(path).parts[-2]): path for path in snakemake.input.calibrations},
        path_pairs={Path(path).parts[-3]: path for path in snakemake.input.pairs},
        path_models=snakemake.output.models,
        path_comparisons=snakemake.output.comparisons,
        titles=snakemake.params.titles,
        comparisons=snakemake.params.comparisons,
        tag=snakemake.params.one_tag["tag"],
        bin_size=snakemake.params.one_tag["bin_size"],
        samples=snakemake.params.samples,
        replicates=snakemake.params.replicates,
        seed=snakemake.params.seed,
    )
