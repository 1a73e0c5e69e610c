"""How often intervals of the calibration error hold the truth, and how wide they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from nlpcalib.figures.style import BLUE, GREEN, GREY, INK, ORANGE, PAGE_WIDTH, PALE, PURPLE, Drawing, LineStyle
from nlpcalib.io.files import read_csv, read_json

_STYLES: tuple[LineStyle, ...] = (
    {"color": ORANGE, "marker": "o", "markerfacecolor": "white"},
    {"color": GREY, "marker": "^"},
    {"color": BLUE, "marker": "s"},
    {"color": PURPLE, "marker": "D", "markerfacecolor": "white"},
    {"color": GREEN, "marker": "v"},
)
_FEWEST_MISSES = 0.004
_COVERAGES = (0.99, 0.95, 0.9, 0.8, 0.5, 0.0)


def figure_coverage(coverage: Sequence[str | Path], *, n: int) -> Drawing:
    """Draw how often intervals of the root mean squared error of `n` pairs hold the truth, and how wide they are."""
    rows = [row for path in coverage for row in read_json(path)["coverage"]]
    drawn = [row for row in rows if row["scale"] == "rms" and row["interval"] is not None]
    return draw_coverage(drawn, title=f"{n:,} pairs, {drawn[0]['replicates']:,} replicates of each regime")


def draw_coverage(rows: Sequence[Mapping], *, title: str) -> Drawing:
    """Draw coverage with its Monte Carlo error, and mean width, of each method in each regime.

    `rows` are those of `reproduction.simulation.coverage.coverage_rows` that have an interval, of one scale and one
    number of pairs. The axis of coverage is logarithmic in the share of intervals that miss, so that .95 and .99 are
    distinguished as well as .5 and 0.
    """
    methods = list(dict.fromkeys(_method(row) for row in rows))
    dependences = list(dict.fromkeys(row["dependence"] for row in rows))
    regimes = {
        dependence: list(
            dict.fromkeys((row["density"], row["curve"]) for row in rows if row["dependence"] == dependence)
        )
        for dependence in dependences
    }
    heights = [len(regimes[dependence]) for dependence in dependences]
    figure, axes = plt.subplots(
        len(dependences),
        2,
        figsize=(PAGE_WIDTH, 0.9 + 0.3 * len(dependences) + 0.27 * sum(heights)),
        sharex="col",
        sharey="row",
        squeeze=False,
        width_ratios=(3, 2),
        height_ratios=heights,
        layout="constrained",
    )
    for (left, right), dependence in zip(axes, dependences, strict=True):
        for number, (method, style) in enumerate(zip(methods, _STYLES, strict=False)):
            part = [row for row in rows if (row["dependence"], _method(row)) == (dependence, method)]
            place = np.array([regimes[dependence].index((row["density"], row["curve"])) for row in part])
            place = place + (number - (len(methods) - 1) / 2) * 0.7 / len(methods)
            _draw_method(left, right, part, place, style, label=method)
        left.axvspan(*_exact(rows[0]["replicates"]), color=PALE, linewidth=0)
        left.axvline(0.05, color=INK, linewidth=0.7)
        left.set(title=f"{dependence}: coverage", ylim=(len(regimes[dependence]) - 0.45, -0.55))
        names = [", ".join(reversed(regime)) for regime in regimes[dependence]]
        left.set_yticks(range(len(names)), names)
        right.set_title("mean width")
        for axis in (left, right):
            axis.grid(visible=False, axis="y")
            for edge in np.arange(len(names) - 1) + 0.5:
                axis.axhline(edge, color=PALE, linewidth=0.4)
    axes[0, 0].set(xscale="log", xlim=(1.15, _FEWEST_MISSES * 0.8))
    axes[0, 0].set_xticks([1 - coverage for coverage in _COVERAGES], [f"{coverage:.0%}" for coverage in _COVERAGES])
    axes[0, 0].xaxis.minorticks_off()
    axes[0, 1].set_xscale("log")
    axes[0, 1].xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes[0, 1].xaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("0.", ".", 1))
    axes[0, 1].xaxis.set_minor_formatter(NullFormatter())
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.suptitle(title, fontsize=8.5)
    return figure, list(rows)


def _method(row: Mapping) -> str:
    return f"{row['estimator']}, {row['interval']}".replace("_", " ")


def _draw_method(
    left: Axes, right: Axes, rows: Sequence[Mapping], place: np.ndarray, style: LineStyle, *, label: str
) -> None:
    missed = np.array([1 - row["coverage"] for row in rows])
    error = np.array([1.96 * row["coverage_se"] for row in rows])
    ends = np.clip([missed - error, missed + error], _FEWEST_MISSES, 1)
    left.hlines(place, *ends, color=style["color"], linewidth=0.8)
    left.plot(missed.clip(_FEWEST_MISSES), place, linestyle="", label=label, **style)
    right.plot([row["width"] for row in rows], place, linestyle="", **style)


def _exact(replicates: int) -> tuple[float, float]:
    """Return the range in which 95 % of the shares of misses of an exact interval lie."""
    half = 1.96 * (0.05 * 0.95 / replicates) ** 0.5
    return max(0.05 - half, _FEWEST_MISSES), 0.05 + half


_ASSUMED: dict[str, tuple[str, str]] = {
    "none": ("o", "each year by its own labels: no assumption"),
    "changing-rates": ("s", "labels shared: rates of error may change"),
    "same-rates": ("v", "labels shared: rates of error stay"),
}
_FIRST = {"keywords": ORANGE, "keywords and words": BLUE}


def figure_keyword_series(table: str | Path) -> Drawing:
    """Draw how wide intervals by year are, and how often those of the worst year hold, under which assumption."""
    return draw_keyword_series(read_csv(table))


def draw_keyword_series(rows: Sequence[Mapping]) -> Drawing:
    """Draw each regime: one mark for each first prediction and way to share labels.

    `rows` are those of `reproduction.simulation.keyword_series.frontier_rows`. Bars are the Monte Carlo error.
    """
    regimes = list(dict.fromkeys(row["regime"] for row in rows))
    figure, axes = plt.subplots(
        1, len(regimes), figsize=(PAGE_WIDTH, 2.9), sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    drawn = []
    for axis, regime in zip(axes[0], regimes, strict=True):
        axis.axhline(0.95, color=GREY, linewidth=0.8)
        for row in (row for row in rows if row["regime"] == regime):
            held = float(row["worst_year"])
            error = (held * (1 - held) / int(row["replicates"])) ** 0.5
            style = {"color": _FIRST[row["predictions"]], "marker": _ASSUMED[row["borrow"]][0]}
            axis.errorbar(float(row["width"]), held, error, elinewidth=0.8, linestyle="", **style)
            drawn.append({**row, "standard_error": error})
        axis.set_title(regime)
        axis.set_xlabel("mean width of a year's 95 % interval (points)")
    axes[0, 0].set_xlim(left=0)
    axes[0, 0].set_ylabel("share of intervals that hold,\nworst year")
    handles = [Line2D([], [], color=INK, marker=marker, linestyle="", label=each) for marker, each in _ASSUMED.values()]
    handles += [Line2D([], [], color=color, linewidth=3, label=name) for name, color in _FIRST.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure, drawn
