"""The picture of the README: Figure 3 of the paper next to its Figure 6, for the width of a web page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib import pyplot as plt

from nlpcalib.calibration.summary import Calibration
from nlpcalib.events.count.series import country_name
from nlpcalib.figures.reliability import draw_curve, is_skewed
from nlpcalib.figures.series import Truth, draw_panel, series_handles
from nlpcalib.figures.style import GREY, house_style
from nlpcalib.io.files import atomic_path
from reproduction.figures.models import MODEL_STYLES

_SIZE_INCHES = (9.0, 3.9)
_DOTS_PER_INCH = 130


def save_overview(
    path: Path,
    calibrations: Mapping[str, Calibration],
    rows: Sequence[Mapping[str, Any]],
    panels: Sequence[Sequence[str]],
    truth: Truth | None = None,
) -> None:
    """Write both taggers' calibration curves and the series of one or two countries in each panel as one PNG.

    The arguments are those of `draw_figure_3` and `draw_figure_6`.
    """
    with house_style():
        figure = plt.figure(figsize=_SIZE_INCHES, layout="constrained")
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=(4, 5))[0]
        axes = left.subplots()
        stretched = any(map(is_skewed, calibrations.values()))
        for model, calibration in calibrations.items():
            style = MODEL_STYLES[model]
            draw_curve(axes, calibration.bins, None, stretched=stretched, label=model.upper(), **style)
        axes.set(xlabel="predicted probability of a tag", ylabel="how often the tag is right")
        axes.annotate("underconfident", (0.62, 0.86), xycoords="axes fraction", ha="right", color=GREY)
        axes.annotate("overconfident", (0.68, 0.45), xycoords="axes fraction", color=GREY)
        axes.legend(loc="lower right")
        left.suptitle("Can you trust a tagger's probabilities?")
        series = right.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for axis, countries in zip(series, panels, strict=True):
            draw_panel(axis, rows, countries, truth, country_name)
        right.legend(handles=series_handles(truth), loc="outside lower center", ncols=2)
        right.suptitle("How many attacks does the news report?")
        figure.text(0, 0, "Simulated text", ha="left", va="bottom", fontsize="small", style="italic")
        with atomic_path(path) as made:
            figure.savefig(made, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
