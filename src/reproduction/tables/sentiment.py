"""The table of the classifiers of messages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import summary_errors
from nlpcalib.io.files import read_json
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.estimation.paired import RatioTerms, ratio_difference
from reproduction.workflow.table_files import TitledRows

_RATIOS = ("f1", "gap_0_0.5", "gap_0.5_1")


def sentiment_table(evaluations: Sequence[str], calibrations: Sequence[str], pairs: Sequence[str]) -> list[TitledRows]:
    """Return a row per model: how it was trained, F1, calibration error, and the gap in each quarter of [0, 1].

    F1, and the gaps below and above ½, also stand as differences from the first model, with 95 % intervals.
    """
    rows = []
    first = read_written_pairs(pairs[0])
    for path, path_calibration, path_pairs in zip(evaluations, calibrations, pairs, strict=True):
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
        rows.append(row | _differences(first, read_written_pairs(path_pairs)))
    return [("Is this message happy?", rows)]


def _differences(first: Pairs, second: Pairs) -> dict[str, float | None]:
    """Return how far the second model's F1 and gaps are from the first's on the same messages, with intervals.

    None where a model predicts nothing on one side of ½.
    """
    # Each message is a unit, and stands once.
    unit = np.arange(first.q.size)
    found: dict[str, float | None] = {}
    for name, one, other in zip(_RATIOS, message_ratios(first), message_ratios(second), strict=True):
        known = one.below.any() and other.below.any()
        numbers = ratio_difference(one, other, unit) if known else (None, None, None)
        found |= {f"{name}_difference{end}": number for end, number in zip(("", "_low", "_high"), numbers, strict=True)}
    return found


def message_ratios(pairs: Pairs) -> list[RatioTerms]:
    """Return `_RATIOS` of a model; the quarters below ½ end before it."""
    called = pairs.q > 0.5
    gap, below = pairs.y - pairs.q, pairs.q < 0.5
    f1 = RatioTerms(2.0 * (called & pairs.y), called.astype(float) + pairs.y)
    return [f1, *(RatioTerms(gap * part, part.astype(float)) for part in (below, ~below))]
