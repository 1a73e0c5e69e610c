"""The dependence of the calibration error on bin size, published and bias-corrected, and the best number of bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, MaxNLocator, NullFormatter

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.figures.style import BLUE, GREY, INK, ORANGE, Drawing, LineStyle
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.seeding import generator
from reproduction.figures.panels import page_axes
from reproduction.simulation.bin_size import error_by_resolution
from reproduction.simulation.regimes import Regime
from reproduction.workflow.typed_csv import read_columns

_ERROR_BY_BINS_STYLE: LineStyle = {"color": ORANGE, "marker": "o", "markerfacecolor": "white"}
_CORRECTED_BY_BINS_STYLE: LineStyle = {"color": BLUE, "marker": "s"}
_FLOOR_BY_BINS_STYLE: LineStyle = {"color": ORANGE, "linestyle": (0, (1, 1.5)), "linewidth": 0.9}
_TRUE_ERROR_STYLE: LineStyle = {"color": INK, "linestyle": (0, (5, 2)), "linewidth": 0.9}
_CHOSEN: LineStyle = {"markersize": 5.5, "linestyle": ""}
_NEUTRAL: LineStyle = {"color": GREY, "marker": "o", **_CHOSEN}
_PANEL_COLUMNS = 3


def figure_bin_size(pairs: Sequence[str | Path], *, title: str, bin_size: int, seed: int) -> Drawing:
    """Draw how the calibration error depends on bin size, a panel for each table `{model}/{target}/pairs.parquet`."""
    errors = {}
    for path in pairs:
        panel = ", ".join(Path(path).parts[-3:-1]).replace("_", " ")
        table = read_written_pairs(path)
        ordered = SortedPairs(table.q, table.y, None if table.sampling_unit is None else table.sampling_unit.codes)
        errors[panel] = list(error_by_resolution(ordered, bin_size=bin_size, seed=seed))
    return draw_bin_size(errors, title=title)


def figure_bin_size_truth(*, pairs: int, seed: int) -> Drawing:
    """Draw the same of so many simulated pairs, a panel for each regime, where the true error is known."""
    errors, truth = {}, {}
    for density in ("uniform", "skewed"):
        for curve in ("calibrated", "mild", "strong"):
            regime = Regime(curve, density, "sentences")
            drawn = SortedPairs(*regime.draw(pairs, generator(seed, "bin size", regime.name, pairs)))
            panel = f"{curve}, {density}"
            errors[panel] = list(error_by_resolution(drawn, bin_size=pairs // 100, seed=seed))
            truth[panel] = regime.squared_error() ** 0.5
    return draw_bin_size(errors, title=f"{pairs:,} simulated pairs, in sentences", truth=truth)


def figure_bin_counts(table: str | Path) -> Drawing:
    """Draw the table of how many bins are best."""
    numbers = dict.fromkeys(("rmse", "hidden", "hidden_equal_mass"), float)
    return draw_bin_counts(read_columns(table, {"n": int, "bins": int, "recommended": bool} | numbers))


def draw_bin_size(
    errors: Mapping[str, Sequence[Mapping]], *, title: str, truth: Mapping[str, float] | None = None
) -> Drawing:
    """Draw errors with their intervals against bin size, a panel for each table of pairs.

    Parameters
    ----------
    errors : mapping of str to sequence of dict
        Rows of `reproduction.simulation.bin_size.error_by_resolution` by the panel's title. Large marks are the
        resolutions of the errors that are reported.
    title : str
        Title of the figure.
    truth : mapping of str to float, optional
        True error by the panel's title, where it is known.
    """
    columns = 2 if len(errors) in (2, 4) else min(len(errors), _PANEL_COLUMNS)
    lines = -(-len(errors) // columns)
    figure, axes = page_axes(lines, columns, 0.8 + 1.65 * lines)
    drawn = []
    for axis, (panel, rows) in zip(axes.flat, errors.items(), strict=False):
        for style, part, shift in (
            (_ERROR_BY_BINS_STYLE, [row for row in rows if row["noise_floor"] is not None], 0.95),
            (_CORRECTED_BY_BINS_STYLE, [row for row in rows if row["noise_floor"] is None], 1.05),
        ):
            _draw_errors(axis, part, style, shift)
        if truth is not None:
            axis.axhline(truth[panel], **_TRUE_ERROR_STYLE)
        axis.set(title=panel, xscale="log", ylim=(0, None), xlabel="pairs to a bin, on average")
        _mark_sizes(axis.xaxis)
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("0.", ".", 1))
        drawn += [{"pairs_of": panel, "truth": truth[panel] if truth else None, **row} for row in rows]
    for axis in axes.flat[len(errors) :]:
        axis.remove()
    for axis in axes[:, 0]:
        axis.set_ylabel("calibration error")
    figure.suptitle(title, fontsize=8.5)
    handles = [
        Line2D([], [], **_ERROR_BY_BINS_STYLE, label="as published, with Algorithm 2"),
        Line2D([], [], **_FLOOR_BY_BINS_STYLE, label="its noise floor"),
        Line2D([], [], **_CORRECTED_BY_BINS_STYLE, label="bias-corrected, 95 % interval"),
        Line2D([], [], **_NEUTRAL, label="large: as reported"),
    ]
    if truth is not None:
        handles.append(Line2D([], [], **_TRUE_ERROR_STYLE, label="true error"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure, drawn


def draw_bin_counts(rows: Sequence[Mapping]) -> Drawing:
    """Draw the error of the bias-corrected squared error against the number of bins, the recommended one marked.

    `rows` are those of `reproduction.simulation.bin_counts.bin_count_rows`. Below, what the bins hide.
    """
    regimes = list(dict.fromkeys((row["curve"], row["density"]) for row in rows))
    sizes = sorted({row["n"] for row in rows})
    shades = [str(shade) for shade in np.linspace(0.65, 0.0, len(sizes))]
    figure, axes = page_axes(2, len(regimes), 3.9, sharex=True, sharey="row")
    for (above, below), regime in zip(axes.T, regimes, strict=True):
        for n, shade in zip(sizes, shades, strict=True):
            part = [row for row in rows if (row["curve"], row["density"], row["n"]) == (*regime, n)]
            bins, rmse, hidden, equal_mass = (
                np.array([row[name] for row in part]) for name in ("bins", "rmse", "hidden", "hidden_equal_mass")
            )
            chosen = np.array([row["recommended"] for row in part])
            above.plot(bins, rmse, color=shade, label=f"{n:,} pairs")
            above.plot(bins[chosen], rmse[chosen], marker="s", color=_CORRECTED_BY_BINS_STYLE["color"])
        below.plot(bins, hidden, **_CORRECTED_BY_BINS_STYLE)
        below.plot(bins, equal_mass, **_ERROR_BY_BINS_STYLE)
        above.set(title=", ".join(regime), xscale="log", yscale="log")
        below.set(xlabel="bins", ylim=(0, 1))
    axes[0, 0].set_ylabel("error of the estimate,\nshare of the truth")
    axes[1, 0].set_ylabel("share of the truth\nthat bins hide")
    handles = [
        *axes[0, 0].get_legend_handles_labels()[0],
        Line2D([], [], linestyle="", marker="s", color=_CORRECTED_BY_BINS_STYLE["color"], label="recommended number"),
        Line2D([], [], **_CORRECTED_BY_BINS_STYLE, label="half mass, half information"),
        Line2D([], [], **_ERROR_BY_BINS_STYLE, label="equal mass"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure, list(rows)


def _draw_errors(axes: Axes, rows: Sequence[Mapping], style: LineStyle, shift: float) -> None:
    """Draw one estimator; its marks stand a little to the side of the other's."""
    ordered = sorted(rows, key=lambda row: row["bin_size"])
    size, value, low, high = (
        np.array([row[name] for row in ordered], np.float64) for name in ("bin_size", "value", "low", "high")
    )
    chosen = np.array([row["chosen"] for row in ordered])
    axes.vlines(size * shift, np.maximum(low, 0), high, color=style["color"], linewidth=0.8)
    axes.plot(size * shift, value, **style)
    axes.plot(size[chosen] * shift, value[chosen], **style | _CHOSEN)
    if ordered[0]["noise_floor"] is not None:
        axes.plot(size, [row["noise_floor"] for row in ordered], **_FLOOR_BY_BINS_STYLE)


def _mark_sizes(axis: Axis) -> None:
    """Label the powers of ten, or where fewer than two are in view, numbers between them as 200, 500, 1k, 2k."""
    low, high = axis.get_view_interval()
    tens = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    axis.set_minor_formatter(NullFormatter())
    for places in (tens, np.outer(tens, (1, 2, 5)).ravel(), np.asarray(MaxNLocator(4).tick_values(low, high))):
        seen = places[(places >= low) & (places <= high)]
        if seen.size > 1:
            break
    if places is not tens:
        axis.set_ticks(seen)
        axis.set_major_formatter(EngFormatter(sep=""))
