"""Reliability diagrams: label frequency against prediction strength, with a histogram (paper, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from nlpcalib.calibration.binning import Bins
from nlpcalib.calibration.estimates import METHODS, PUBLISHED_LEVEL
from nlpcalib.calibration.stretch import stretch, stretched_edges, unstretch
from nlpcalib.calibration.summary import Calibration, bin_rows, summary_errors
from nlpcalib.errors import counted, decimals
from nlpcalib.figures.style import (
    BLUE,
    COLUMN_WIDTH,
    GREEN,
    GREY,
    INK,
    NEUTRAL_STYLE,
    ORANGE,
    PALE,
    PURPLE,
    STYLES,
    LineStyle,
    save_figure,
)

LINEAR_TICKS = (0, 0.25, 0.5, 0.75, 1)
STRETCHED_TICKS = (0, 0.01, 0.1, 0.5, 0.9, 0.99, 1)
MAX_CURVE_POINTS = 100
"""Most points of a curve; more bins are pooled, since they would overlap."""
_MAX_CURVES_WITH_BARS = 2
"""Most curves in one diagram with intervals; more bars would hide the curves."""
Band = tuple[np.ndarray, np.ndarray]
"""Lower and upper ends of a `consistency_band`, (T,) each."""


def is_skewed(calibration: Calibration) -> bool:
    """Return whether more than half of the predictions are below .02 or above .98, which linear axes hide."""
    return bool(2 * calibration.distribution[[0, -1]].sum() > calibration.distribution.sum())


def draw_reliability(above: Axes, below: Axes, calibration: Calibration, *, stretched: bool, **style) -> None:
    """Draw the calibration curve with its band, and below it the histogram of the predictions on the same axis."""
    draw_curve(above, calibration.bins, calibration.band, stretched=stretched, **style)
    above.set_xlabel("")
    draw_distribution(below, calibration.stretched if stretched else calibration.distribution, stretched=stretched)
    match_width(below, above)
    if stretched:
        # In two lines, since panels can be narrower than one.
        below.set_xlabel("prediction strength\n(stretched near 0 and 1)")


def draw_curve(axes: Axes, bins: Bins, band: Band | None = None, *, stretched: bool = False, **style) -> None:
    """Draw one calibration curve with 95 % Wilson intervals over the diagonal of perfect calibration.

    A `band` is drawn in grey behind it. `stretched` axes give the ends of [0, 1] as much room as the middle. Beyond
    `MAX_CURVE_POINTS` bins, neighbours are pooled.
    """
    bins, band = pooled_bins(bins, band, stretched=stretched)
    if band is not None:
        axes.fill_between(bins.mean_prediction, *band, color=PALE, linewidth=0, zorder=0.5)
    low, high = bins.frequency_interval()
    frequency = bins.label_frequency
    axes.plot([0, 1], [0, 1], color=GREY, linestyle=(0, (4, 3)), linewidth=0.7, zorder=1)
    axes.errorbar(
        bins.mean_prediction,
        frequency,
        yerr=[(frequency - low).clip(min=0), (high - frequency).clip(min=0)],
        elinewidth=0.6,
        capsize=1.2,
        capthick=0.6,
        zorder=3,
        clip_on=False,
        **style,
    )
    _set_scale(axes, "xy", stretched=stretched)
    axes.set(xlim=(0, 1), ylim=(0, 1), box_aspect=1, xlabel="prediction strength", ylabel="label frequency")


def pooled_bins(bins: Bins, band: Band | None, *, stretched: bool) -> tuple[Bins, Band | None]:
    """Return at most `MAX_CURVE_POINTS` bins: if there are more, bins in one hundredth of the axis are pooled.

    The ends of the band are averaged, so the pooled band is as wide as those of single bins, or conservative.
    """
    if bins.size.size <= MAX_CURVE_POINTS:
        return bins, band
    edges = stretched_edges(MAX_CURVE_POINTS) if stretched else np.linspace(0, 1, MAX_CURVE_POINTS + 1)
    starts = np.unique(np.searchsorted(bins.mean_prediction, edges[:-1]).clip(max=bins.size.size - 1))
    size = np.add.reduceat(bins.size, starts)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values * bins.size, starts) / size

    pooled = Bins(
        size=size,
        mean_prediction=mean(bins.mean_prediction),
        label_frequency=mean(bins.label_frequency),
        smallest=bins.smallest[starts],
        largest=np.maximum.reduceat(bins.largest, starts),
        effective_size=None if bins.effective_size is None else np.add.reduceat(bins.effective_size, starts),
        freedom=None if bins.freedom is None else np.minimum.reduceat(bins.freedom, starts),
    )
    return pooled, None if band is None else (mean(band[0]), mean(band[1]))


def draw_distribution(axes: Axes, counts: np.ndarray, *, stretched: bool = False) -> None:
    """Draw the number of predictions in each of `counts.size` equal parts of the axis, on a logarithmic scale."""
    axes.stairs(counts, _edges(counts, stretched=stretched), fill=True, baseline=0.5, color=GREY)
    _set_scale(axes, "x", stretched=stretched)
    axes.set(xlim=(0, 1), yscale="log", ylim=(0.5, None), xlabel="prediction strength", ylabel="pairs")
    # Fewer than ten pairs would leave one power of ten to label, or none.
    axes.set_ylim(top=max(axes.get_ylim()[1], 10))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=False, axis="x")


def match_width(below: Axes, above: Axes) -> None:
    """Make an axes of the same column as wide as the square one above it, whatever room the layout gives to both."""
    places = [axes.get_subplotspec() for axes in (below, above)]
    heights = [np.ravel(place.get_gridspec().get_height_ratios())[place.rowspan.start] for place in places if place]
    if len(heights) == len(places):
        below.set_box_aspect(float(heights[0]) / float(heights[1]))


def describe_error(calibration: Calibration) -> str:
    """Return the bias-corrected calibration error with its interval and bins, the one estimate of a figure's title."""
    error = _error_with_interval(calibration)
    level = calibration.summary["level"]
    named = "" if level == PUBLISHED_LEVEL else f", {100 * level:g} % interval"
    words = METHODS[calibration.summary["method"]].words
    return f"calibration error {error}\n{words}, {calibration.summary['resolution']['bins']} bins{named}"


def _error_with_interval(calibration: Calibration) -> str:
    columns = summary_errors(calibration.summary)
    return "{} ({} to {})".format(*(format_error(columns[name]) for name in ("error", "error_low", "error_high")))


def write_in_corner(axes: Axes, text: str) -> None:
    """Write a text into the corner of a calibration diagram that curves do not reach."""
    axes.annotate(text, (0.98, 0.03), xycoords="axes fraction", ha="right", fontsize=6.5, color=GREY)


def format_error(value: float | None) -> str:
    """Format a number between −1 and 1 with four decimals and no leading zero, or `?` for None."""
    return "?" if value is None else decimals(value)


def save_reliability(
    calibration: Calibration, folder: Path, *, view: str = "", style: str = "house", pdf: bool = True
) -> None:
    """Write `reliability.png`, `.pdf` if it is asked for, and the numbers drawn as `.csv`, into an existing folder.

    `view` is what pairs are of, as `Pairs.view` names it.
    """
    stretched = is_skewed(calibration)
    # Without pyplot, the caller's windows and backend stay as they are.
    with matplotlib.style.context(STYLES[style]):
        figure = Figure(figsize=(COLUMN_WIDTH, 4.6), layout="constrained")
        above, below = figure.subplots(2, sharex=True, height_ratios=(4, 1))
        draw_reliability(above, below, calibration, stretched=stretched, **NEUTRAL_STYLE)
        if style == "house":
            error = describe_error(calibration)
            named = error.replace("error ", f"error of {view}\n", 1) if view else error
            above.set_title(f"{named}, {calibration.summary['n']:,} pairs")
            points = pooled_bins(calibration.bins, None, stretched=stretched)[0].size.size
            write_in_corner(above, counted(points, "point"))
        save_figure(folder / "reliability", figure, curve_rows(calibration, stretched=stretched), style=style, pdf=pdf)


def draw_curves(axes: Axes, curves: Sequence[tuple[str, Bins]], *, stretched: bool = False) -> None:
    """Draw the calibration curves of up to ten models in one diagram."""
    for number, (name, bins) in enumerate(curves):
        draw_curve(axes, bins, stretched=stretched, label=name, **_style(number))
        if len(curves) > _MAX_CURVES_WITH_BARS:
            for bar in cast(ErrorbarContainer, axes.containers[-1]).lines[1:]:
                for part in bar:
                    part.set_visible(False)


def _style(number: int) -> LineStyle:
    """Return the style of a curve: open and filled marks alternate, and the sixth to tenth are dashed."""
    kinds = ((ORANGE, "o"), (BLUE, "s"), (GREEN, "^"), (PURPLE, "D"), (INK, "v"))
    colour, mark = kinds[number % len(kinds)]
    style: LineStyle = {"color": colour, "marker": mark}
    if number % 2 == 0:
        style["markerfacecolor"] = "white"
    if number >= len(kinds):
        style["linestyle"] = "--"
    return style


def save_curves(curves: Sequence[tuple[str, Calibration]], folder: Path, *, title: str, style: str = "house") -> None:
    """Write `reliability.png`, `.pdf` and, with the numbers of all curves, `.csv` into an existing folder.

    The legend has each curve's bias-corrected error with its interval.
    """
    stretched = any(is_skewed(calibration) for _, calibration in curves)
    with matplotlib.style.context(STYLES[style]):
        figure = Figure(figsize=(COLUMN_WIDTH, 3.5 + 0.18 * len(curves)), layout="constrained")
        axes = figure.subplots()
        draw_curves(
            axes,
            [(f"{name} {_error_with_interval(calibration)}", calibration.bins) for name, calibration in curves],
            stretched=stretched,
        )
        axes.set_title(f"{title}, {100 * curves[0][1].summary['level']:g} % interval")
        figure.legend(loc="outside lower center")
        rows = [row for name, calibration in curves for row in curve_rows(calibration, stretched=stretched, model=name)]
        save_figure(folder / "reliability", figure, rows, style=style)


def curve_rows(calibration: Calibration, *, stretched: bool = False, **key: object) -> list[dict]:
    """Return the numbers of a reliability diagram, with a row for each point of the curve and each bar below it."""
    drawn = pooled_bins(calibration.bins, calibration.band, stretched=stretched)
    curve = [{**key, "series": "curve", **row} for row in bin_rows(*drawn)]
    unknown = dict.fromkeys(curve[0])
    bars = histogram_rows(calibration.stretched if stretched else calibration.distribution, stretched=stretched)
    return curve + [{**unknown, **key, "series": "distribution", **row} for row in bars]


def histogram_rows(counts: np.ndarray, *, stretched: bool = False) -> list[dict]:
    """Return a row for each bar of `draw_distribution`, with the keys of `bin_rows`; keys without a value are empty."""
    edges = _edges(counts, stretched=stretched).tolist()
    unknown = dict.fromkeys(("mean_q", "frequency", "low", "high"))
    return [
        {"bin": number, "n": n, **unknown, "q_min": edges[number - 1], "q_max": edges[number]}
        for number, n in enumerate(counts.tolist(), start=1)
    ]


def _edges(counts: np.ndarray, *, stretched: bool) -> np.ndarray:
    return stretched_edges(counts.size) if stretched else np.linspace(0, 1, counts.size + 1)


def _set_scale(axes: Axes, names: str, *, stretched: bool) -> None:
    """Make the named axes ("x", "y" or both) linear or stretched, with ticks such as .25."""
    ticks = STRETCHED_TICKS if stretched else LINEAR_TICKS
    labels = [f"{tick:g}".removeprefix("0") or "0" for tick in ticks]
    for name in names:
        if stretched:
            getattr(axes, f"set_{name}scale")("function", functions=(stretch, unstretch))
        getattr(axes, f"set_{name}ticks")(ticks, labels)
