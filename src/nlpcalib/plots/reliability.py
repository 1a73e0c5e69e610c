"""Reliability diagrams: label frequency against prediction, and where the predictions lie (paper, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from nlpcalib.calibration.binning import Bins
from nlpcalib.calibration.summary import Calibration, bin_rows, error_columns
from nlpcalib.plots.style import COLUMN_WIDTH, MODEL_STYLES, NEUTRAL_STYLE, STYLE, save_figure

TICKS = (0, 0.25, 0.5, 0.75, 1)
TICK_LABELS = ("0", ".25", ".5", ".75", "1")
_USUAL_LEVEL = 0.95
_TWO_STYLES = (MODEL_STYLES["hmm"], MODEL_STYLES["crf"])


def draw_curve(axes: Axes, bins: Bins, band: tuple[np.ndarray, np.ndarray] | None = None, **style) -> None:
    """Draw one calibration curve with 95 % Wilson intervals over the diagonal of perfect calibration.

    A `band`, the ends `(T,)` of a `consistency_band`, is drawn in grey behind it.
    """
    if band is not None:
        axes.fill_between(bins.mean_prediction, *band, color="#dddddd", linewidth=0, zorder=0.5)
    low, high = bins.frequency_interval()
    frequency = bins.label_frequency
    axes.plot([0, 1], [0, 1], color="#888888", linestyle=(0, (4, 3)), linewidth=0.7, zorder=1)
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
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="prediction strength", ylabel="label frequency")
    axes.set_xticks(TICKS, TICK_LABELS)
    axes.set_yticks(TICKS, TICK_LABELS)


def draw_distribution(axes: Axes, counts: np.ndarray) -> None:
    """Draw how many predictions lie in each of `counts.size` equal parts of [0, 1], on a logarithmic scale."""
    axes.stairs(counts, np.linspace(0, 1, counts.size + 1), fill=True, baseline=0.5, color="#777777")
    axes.set(xlim=(0, 1), yscale="log", ylim=(0.5, None), xlabel="prediction strength", ylabel="pairs")
    # With fewer than ten pairs there would be one power of ten to label, or none.
    axes.set_ylim(top=max(axes.get_ylim()[1], 10))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xticks(TICKS, TICK_LABELS)
    axes.grid(visible=False, axis="x")


def describe_error(calibration: Calibration) -> str:
    """Return the paper's calibration error and the debiased one, with intervals, as two lines of a figure's title."""
    columns = error_columns(calibration.summary)
    published, debiased = (
        "{} ({} to {})".format(*(format_error(columns[name]) for name in names))
        for names in (("calibration_error", "low", "high"), ("debiased_error", "debiased_low", "debiased_high"))
    )
    level = calibration.summary["level"]
    named = "" if level == _USUAL_LEVEL else f", {100 * level:g} % interval"
    return f"error {published}\nwithout sampling noise {debiased}{named}"


def format_error(value: float | None) -> str:
    """Return a number between −1 and 1 to four places without its leading zero, `?` for None."""
    if value is None:
        return "?"
    return f"{value:.4f}".replace("0.", ".", 1)


def save_reliability(calibration: Calibration, folder: Path, *, title: bool = True) -> None:
    """Write `reliability.png` and `.pdf`, and the numbers drawn as `reliability.csv`, into an existing folder."""
    # A figure that pyplot does not hold leaves the windows and the backend of who calls alone.
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(COLUMN_WIDTH, 4.6), layout="constrained")
        above, below = figure.subplots(2, sharex=True, height_ratios=(4, 1))
        draw_curve(above, calibration.bins, calibration.band, **NEUTRAL_STYLE)
        heading = f"{calibration.summary['n']:,} pairs, {describe_error(calibration)}" if title else ""
        above.set(xlabel="", title=heading)
        draw_distribution(below, calibration.distribution)
        save_figure(folder / "reliability", figure, curve_rows(calibration))


def draw_curves(axes: Axes, curves: Sequence[tuple[str, Bins]]) -> None:
    """Draw two models' calibration curves over each other, with a legend."""
    for (name, bins), style in zip(curves, _TWO_STYLES, strict=True):
        draw_curve(axes, bins, label=name, **style)
    axes.legend(loc="upper left")


def save_curves(curves: Sequence[tuple[str, Calibration]], folder: Path, *, title: str) -> None:
    """Write `reliability.png`, `.pdf` and, with the numbers of both curves, `.csv` into an existing folder."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(COLUMN_WIDTH, 3.7), layout="constrained")
        axes = figure.subplots()
        draw_curves(axes, [(name, calibration.bins) for name, calibration in curves])
        axes.set_title(title)
        rows = [row for name, calibration in curves for row in curve_rows(calibration, model=name)]
        save_figure(folder / "reliability", figure, rows)


def curve_rows(calibration: Calibration, **key: str) -> list[dict]:
    """Return the numbers of a reliability diagram, tidy: a row per point of the curve and per bar below it."""
    curve = [{**key, "series": "curve", **row} for row in bin_rows(calibration.bins, calibration.band)]
    unknown = dict.fromkeys(curve[0])
    bars = histogram_rows(calibration.distribution)
    return curve + [{**unknown, **key, "series": "distribution", **row} for row in bars]


def histogram_rows(counts: np.ndarray) -> list[dict]:
    """Return one row per bar of `draw_distribution`, with the keys of `bin_rows`, those that it does not know empty."""
    edges = np.linspace(0, 1, counts.size + 1).tolist()
    unknown = dict.fromkeys(("mean_q", "frequency", "low", "high"))
    return [
        {"bin": number, "n": n, **unknown, "q_min": edges[number - 1], "q_max": edges[number]}
        for number, n in enumerate(counts.tolist(), start=1)
    ]
