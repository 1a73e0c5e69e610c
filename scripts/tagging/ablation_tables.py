"""Tabulate the thesis' taggers of a dataset, and test which of two is better calibrated."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from nlpcalib.calibration.comparison import compare_labels
from nlpcalib.calibration.summary import error_columns, thesis_estimate
from nlpcalib.errors import InputError
from nlpcalib.io.files import read_json
from nlpcalib.io.html_table import write_table
from nlpcalib.predictions.tables import read_pairs
from nlpcalib.workflow.script_log import start_log


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
    models = []
    for (model, target), path in path_calibrations.items():
        evaluation = read_json(path_evaluations[model])
        calibration = read_json(path)
        training, mse = evaluation["training"], thesis_estimate(calibration)
        models.append(
            {
                "model": model,
                "title": titles[model],
                "target": target,
                "tag": tag if target == "one_tag" else "all",
                "hyperparameter": training.get("pseudocount", training.get("c2")),
                "training_sentences": training["sentences"],
                "attributes": evaluation["attributes"],
                "test_tokens": evaluation["tokens"],
                "unknown_words": evaluation["unknown_words"],
                "accuracy": evaluation["accuracy"],
                "bins": calibration["bins"],
                **error_columns(calibration),
                "mse": mse["value"],
                "mse_low": mse["low"],
                "mse_high": mse["high"],
                "noise_floor": calibration["noise_floor"],
                "refinement": calibration["decomposition"]["refinement"],
                "brier": calibration["brier"],
                "underconfident_share": calibration["direction"]["underconfident_share"],
            }
        )
    write_table(Path(path_models), f"The thesis' taggers: all tags, and is this word {tag}?", models)
    pairs = {model: read_pairs(path) for model, path in path_pairs.items()}
    reference = next(iter(pairs.values()))
    units = reference.sampling_unit
    if units is None:
        raise InputError(f"{next(iter(path_pairs.values()))}: found pairs without units, expected sentences")
    compared = compare_labels(
        ((f"{first} {second}", pairs[first].q, pairs[second].q, reference.y) for first, second in comparisons),
        np.asarray(units.codes, dtype=np.int64),
        bin_size=bin_size,
        samples=samples,
        replicates=replicates,
        seed=seed,
    )
    rows = [
        {
            "first": first,
            "second": second,
            "error_first": row.error_first,
            "error_second": row.error_second,
            "squared_first": row.squared_first,
            "squared_second": row.squared_second,
            "p_value": row.p_value,
        }
        for (first, second), row in zip(comparisons, compared, strict=True)
    ]
    write_table(Path(path_comparisons), f"Is one better calibrated than the other? Is this word {tag}?", rows)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        path_evaluations={Path(path).parts[-2]: path for path in snakemake.input.evaluations},
        path_calibrations={(Path(path).parts[-3], Path(path).parts[-2]): path for path in snakemake.input.calibrations},
        path_pairs={Path(path).parts[-3]: path for path in snakemake.input.pairs},
        path_models=Path(snakemake.output.models).with_suffix(""),
        path_comparisons=Path(snakemake.output.comparisons).with_suffix(""),
        titles=snakemake.params.titles,
        comparisons=snakemake.params.comparisons,
        tag=snakemake.params.one_tag["tag"],
        bin_size=snakemake.params.one_tag["bin_size"],
        samples=snakemake.params.samples,
        replicates=snakemake.params.replicates,
        seed=snakemake.params.seed,
    )
