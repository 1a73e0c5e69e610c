"""The table of the classifiers of messages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.calibration.summary import summary_errors
from nlpcalib.io.files import read_json
from reproduction.workflow.table_files import TitledRows


def sentiment_table(evaluations: Sequence[str], calibrations: Sequence[str]) -> list[TitledRows]:
    """Return a row per model: how it was trained, F1, calibration error, and the gap in each quarter of [0, 1]."""
    rows = []
    for path, path_calibration in zip(evaluations, calibrations, strict=True):
        evaluation, calibration = read_json(path), read_json(path_calibration)
        training = evaluation["training"]
        row = {
            "model": Path(path).parts[-2],
            "hyperparameter": training.get("hyperparameter"),
            "training_messages": training.get("messages"),
            "words": training.get("words"),
            "test_messages": evaluation["messages"],
            "f1": evaluation["f1"],
            "accuracy": evaluation["accuracy"],
            "bin_size": calibration["bin_size"],
            **summary_errors(calibration),
            "noise_floor": calibration["noise_floor"],
            "brier": calibration["brier"],
            "refinement": calibration["decomposition"]["refinement"],
        }
        for region in calibration["direction"]["regions"]:
            name = f"{region['lowest']:g}_{region['highest']:g}"
            row |= {f"n_{name}": region["n"], f"gap_{name}": region["gap"], f"direction_{name}": region["direction"]}
        rows.append(row)
    return [("Is this message happy?", rows)]
