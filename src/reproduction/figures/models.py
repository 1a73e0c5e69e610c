"""How the papers' models look in every figure, and what the texts published of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from nlpcalib.calibration.summary import Calibration, measured_before, summary_errors
from nlpcalib.figures.reliability import format_error, write_in_corner
from nlpcalib.figures.style import BLUE, GREEN, LIGHT, ORANGE, PURPLE, LineStyle
from nlpcalib.io.files import read_json
from nlpcalib.predictions.written_pairs import read_written_pairs

_MODEL_NAMES = {
    "hmm": "HMM",
    "crf": "CRF",
    "naive_bayes": "Naive Bayes",
    "logistic_regression": "Logistic regression",
    "softmax_margin": "softmax margin",
    "gold_mentions": "gold mentions",
    "cross_validation": "cross validation",
}
MODEL_STYLES: dict[str, LineStyle] = {
    "hmm": {"color": ORANGE, "marker": "o", "markerfacecolor": "white"},
    "crf": {"color": BLUE, "marker": "s"},
    "naive_bayes": {"color": ORANGE, "marker": "o", "markerfacecolor": "white"},
    "logistic_regression": {"color": BLUE, "marker": "s"},
    "oracle": {"color": LIGHT, "marker": "", "linewidth": 0.7},
}
"""Models differ in colour, lightness and marker, so that no reading rests on colour alone."""
_OTHER_STYLES: tuple[LineStyle, ...] = ({"color": GREEN, "marker": "D"}, {"color": PURPLE, "marker": "^"})
"""Styles of the user's own models, in turn."""


def name_of(model: str) -> str:
    """Return the name of a model as figures have it, such as "CRF, recalibrated"; the user's own keep theirs."""
    name = model.removesuffix("_recalibrated")
    return _MODEL_NAMES.get(name, name) + ", recalibrated" * (name != model)


def style_of(model: str, number: int) -> LineStyle:
    """Return the style of a model, the `number`th of its figure."""
    return MODEL_STYLES.get(model, _OTHER_STYLES[number % len(_OTHER_STYLES)])


def paths_of(files: str | Sequence[str]) -> Sequence[str]:
    """Return the files of an input of a rule, which is one path or several."""
    return [files] if isinstance(files, str) else files


def read_calibration(pairs: str | Path, calibration: str | Path) -> Calibration:
    """Return the calibration of a table of pairs as its `calibration.json` has it."""
    return measured_before(read_written_pairs(pairs), read_json(calibration))


def describe_published(calibration: Calibration) -> str:
    """Return the paper's calibration error with its interval."""
    columns = summary_errors(calibration.summary)
    return "{} ({} to {})".format(
        *(format_error(columns[name]) for name in ("published_error", "published_low", "published_high"))
    )


def name_published(axes: Axes, calibration: Calibration) -> None:
    """Write the paper's calibration error with its interval into the empty corner of a calibration curve."""
    size = calibration.summary["bin_size"]
    # Of few pairs the curve has smaller bins than the number.
    bins = "" if int(np.median(calibration.bins.size)) >= size / 2 else f", bins of {size:,}"
    write_in_corner(axes, f"as published\n(Algorithms 1, 2{bins})\n{describe_published(calibration)}")
