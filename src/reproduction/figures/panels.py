"""Panels of a figure as wide as a page, and calibration curves before and after something is done."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from nlpcalib.calibration.summary import Calibration
from nlpcalib.figures.reliability import curve_rows, draw_curve, is_skewed
from nlpcalib.figures.style import GREY, PAGE_WIDTH, Drawing, LineStyle


def page_axes(lines: int, columns: int, height: float, **options: Any) -> tuple[Figure, np.ndarray]:
    """Return a figure of a height in inches and its axes, (lines, columns); `options` are those of `plt.subplots`."""
    return plt.subplots(lines, columns, figsize=(PAGE_WIDTH, height), squeeze=False, layout="constrained", **options)


def draw_stages(
    calibrations: Mapping[str, tuple[Calibration, Calibration]],
    titles: Mapping[str, str],
    styles: Mapping[str, LineStyle],
    *,
    height: float,
    **text: Any,
) -> Drawing:
    """Draw each model's calibration curve before and after; `text` is how titles are written."""
    figure, axes = page_axes(1, len(calibrations), height)
    rows = []
    for axis, (model, stages) in zip(axes[0], calibrations.items(), strict=True):
        before, after = stages
        style = styles[model]
        faded: LineStyle = {**style, "color": GREY, "linestyle": (0, (3, 2)), "markerfacecolor": "white"}
        stretched = is_skewed(after)
        draw_curve(axis, before.bins, stretched=stretched, label="before", **faded)
        draw_curve(axis, after.bins, after.band, stretched=stretched, label="after", **style)
        axis.set_title(titles[model], **text)
        axis.legend(loc="upper left")
        for stage, calibration in zip(("before", "after"), stages, strict=True):
            rows += curve_rows(calibration, stretched=stretched, model=model, stage=stage)
    return figure, rows


def panel_letters(number: int) -> str:
    """Return what panel `number`, from 0, is called: a to z, aa, ab and so on."""
    before, letter = divmod(number, 26)
    return (panel_letters(before - 1) if before else "") + ascii_lowercase[letter]
