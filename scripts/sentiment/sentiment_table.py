"""Tabulate the classifiers of a dataset."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.calibration.summary import error_columns
from nlpcalib.io.files import read_json
from nlpcalib.io.html_table import write_table
from reproduction.workflow.script_log import start_log


def main(path_evaluations: Mapping[str, str], path_calibrations: Mapping[str, str], path_stem: str | Path) -> None:
    """Write a row per model: how it was trained, F1, calibration error, and the gap in each quarter of [0, 1]."""
    rows = []
    for model, path in path_evaluations.items():
        evaluation = read_json(path)
        calibration = read_json(path_calibrations[model])
        training = evaluation["training"]
        row = {
            "model": model,
            "hyperparameter": training.get("hyperparameter"),
            "training_messages": training.get("messages"),
            "words": training.get("words"),
            "test_messages": evaluation["messages"],
            "f1": evaluation["f1"],
            "accuracy": evaluation["accuracy"],
            "bin_size": calibration["bin_size"],
            **error_columns(calibration),
            "noise_floor": calibration["noise_floor"],
            "brier": calibration["brier"],
            "refinement": calibration["decomposition"]["refinement"],
        }
        for region in calibration["direction"]["regions"]:
            name = f"{region['lowest']:g}_{region['highest']:g}"
            row |= {f"n_{name}": region["n"], f"gap_{name}": region["gap"], f"direction_{name}": region["direction"]}
        rows.append(row)
    write_table(Path(path_stem), "Is this message happy?", rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_evaluations={Path(path).parts[-2]: path for path in snakemake.input.evaluations},
        path_calibrations={Path(path).parts[-3]: path for path in snakemake.input.calibrations},
        path_stem=Path(snakemake.output.csv).with_suffix(""),
    )
