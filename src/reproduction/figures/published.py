"""Calibration curves and series as the texts print them.

Curves have linear axes, every bin, and the normal interval of each label frequency. Series have a line, a band and
codes of countries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from nlpcalib.calibration.binning import Bins
from nlpcalib.calibration.summary import bin_rows
from nlpcalib.figures.periods import mark_time, period_places
from nlpcalib.figures.reliability import LINEAR_TICKS
from nlpcalib.figures.style import BLUE, COLUMN_WIDTH, GREY, INK, LIGHT, ORANGE, PAGE_WIDTH, PALE_ORANGE, Drawing
from reproduction.figures.panels import page_axes

_NORMAL_975 = 1.96
_SERIES_COLOURS = ((BLUE, LIGHT), (ORANGE, PALE_ORANGE))
_MAX_SERIES_LABELS = 6
_DRAWN_COLUMNS = ("country", "period", "start", "mean", "low", "high")


def draw_published_curves(curves: Mapping[str, Bins], notes: Mapping[str, str] | None = None) -> Drawing:
    """Draw a panel for each curve by its title (paper, Figures 2, 3 and 5; thesis, 4.1 to 4.6).

    `notes` stand in the empty corner of the panels of these titles.
    """
    width = COLUMN_WIDTH if len(curves) == 1 else PAGE_WIDTH
    figure, axes = plt.subplots(
        1, len(curves), figsize=(width, 0.5 + 0.9 * width / len(curves)), squeeze=False, layout="constrained"
    )
    rows = []
    for axis, (title, bins) in zip(axes[0], curves.items(), strict=True):
        rows += draw_published_curve(axis, bins, panel=title)
        axis.set_title(title)
        axis.annotate((notes or {}).get(title, ""), (0.97, 0.04), xycoords="axes fraction", ha="right")
    for axis in axes[0, 1:]:
        axis.set_ylabel("")
    return figure, rows


def draw_published_curve(axes: Axes, bins: Bins, **key: object) -> list[dict]:
    """Draw one curve, and return its rows with p̂ ± 1.96 √(p̂(1 − p̂)/β) as `low` and `high`."""
    half = _NORMAL_975 * bins.standard_error()
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.6)
    axes.errorbar(
        bins.mean_prediction, bins.label_frequency, half, color=INK, marker="o", markersize=2, linewidth=0.7,
        elinewidth=0.7,
    )  # fmt: skip
    labels = [f"{tick:g}" for tick in LINEAR_TICKS]
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), box_aspect=1)
    axes.set_xticks(LINEAR_TICKS, labels)
    axes.set_yticks(LINEAR_TICKS, labels)
    axes.set(xlabel="prediction strength", ylabel="label frequency")
    ends = zip((bins.label_frequency - half).tolist(), (bins.label_frequency + half).tolist(), strict=True)
    return [{**key, **row, "low": low, "high": high} for row, (low, high) in zip(bin_rows(bins), ends, strict=True)]


def draw_published_series(
    rows: Sequence[Mapping[str, Any]], panels: Sequence[Sequence[str]], *, columns: int
) -> Drawing:
    """Draw the mean over samples and the area of m ± 1.96 s, a panel for each one or two countries.

    The paper's Figure 6 has one column, its appendix 4 several.
    """
    lines = -(-len(panels) // columns)
    figure, axes = page_axes(lines, columns, 1.3 * lines, sharex=True)
    drawn = []
    for axis, countries in zip(axes.flat, panels, strict=False):
        for country, (color, fill) in zip(countries, _SERIES_COLOURS, strict=False):
            part = [row for row in rows if row["country"] == country]
            middles, _ = period_places(part)
            mean, low, high = (np.array([row[name] for row in part]) for name in _DRAWN_COLUMNS[3:])
            axis.fill_between(middles, low, high, color=fill, linewidth=0)
            axis.plot(middles, mean, color=color, linewidth=0.9 if columns == 1 else 0.5, label=country)
            drawn += [{name: row[name] for name in _DRAWN_COLUMNS} for row in part]
        axis.set_title(", ".join(countries), pad=2)
        axis.margins(x=0)
        axis.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
        mark_time(axis, _MAX_SERIES_LABELS if columns > 1 else 2 * _MAX_SERIES_LABELS)
        if len(countries) > 1:
            axis.legend(loc="upper left")
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    return figure, drawn
