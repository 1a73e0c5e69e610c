"""What section 7 of the paper leaves open: smooth calibration curves, and EM on unlabelled text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from nlpcalib.figures.style import BLUE, GREY, INK, ORANGE, PALE_BLUE, PALE_ORANGE, PURPLE, Drawing
from nlpcalib.io.files import read_csv
from nlpcalib.seeding import generator
from reproduction.figures.panels import page_axes
from reproduction.section7.curves import drawn
from reproduction.section7.smooth import CURVES
from reproduction.simulation.regimes import Regime
from reproduction.workflow.table_files import numbers

_SHOWN_REGIMES = ("strong-uniform-independent", "wave-uniform-independent", "strong-skewed-independent")
_NUMBER_OF_PAIRS = 3_000
_BANDS = {"kernel, half bandwidth": (ORANGE, PALE_ORANGE), "Gaussian process": (BLUE, PALE_BLUE)}


def figure_smooth_curves(seed: int) -> Drawing:
    """Draw one sample of pairs of three regimes: bins, and two smooth curves with their bands, next to the truth."""
    found = []
    for name in _SHOWN_REGIMES:
        regime, rng = Regime(*name.split("-")), generator(seed, "figure of smooth curves", name)
        pairs, _ = drawn(regime, _NUMBER_OF_PAIRS, rng)
        at = np.linspace(0.005, 0.995, 199)
        made = {curve: CURVES[curve](pairs, at, rng) for curve in ("bins", *_BANDS)}
        for curve, values in made.items():
            columns = zip(at, regime.frequency(at), *values, strict=True)
            keys = ("prediction", "truth", "value", "low", "high")
            found += [
                {"regime": name, "curve": curve, **dict(zip(keys, map(float, row), strict=True))} for row in columns
            ]
    return draw_smooth_curves(found)


def draw_smooth_curves(rows: Sequence[Mapping]) -> Drawing:
    """Draw curves, a panel for each regime; rows have `regime`, `curve`, `prediction`, `truth`, `value` and a band."""
    regimes = list(dict.fromkeys(row["regime"] for row in rows))
    figure, axes = page_axes(1, len(regimes), 2.9, sharex=True, sharey=True)
    for axis, regime in zip(axes[0], regimes, strict=True):
        axis.plot([0, 1], [0, 1], color=GREY, linewidth=0.6)
        for curve in dict.fromkeys(row["curve"] for row in rows):
            at, truth, value, low, high = np.transpose(
                [
                    [row[key] for key in ("prediction", "truth", "value", "low", "high")]
                    for row in rows
                    if (row["regime"], row["curve"]) == (regime, curve)
                ]
            )
            if curve in _BANDS:
                line, area = _BANDS[curve]
                axis.fill_between(at, low, high, color=area, linewidth=0, alpha=0.6)
                axis.plot(at, value, color=line, linewidth=1.1, label=curve)
            else:
                axis.step(at, value, where="mid", color=PURPLE, linewidth=0.7, label=curve)
        axis.plot(at, truth, color=INK, linewidth=1.0, linestyle="--", label="truth")
        axis.set(title=regime.rpartition("-")[0].replace("-", ", "), xlabel="prediction", xlim=(0, 1), ylim=(0, 1))
    axes[0, 0].set_ylabel("label frequency")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure, list(rows)


_KINDS = {"exact": BLUE, "exact, a tenth": PURPLE, "recalibrated": GREY, "best paths": ORANGE}


def figure_em(table: str | Path) -> Drawing:
    """Draw the table of `reproduction.section7.em`."""
    return draw_em([numbers(row) for row in read_csv(table)])


def draw_em(rows: Sequence[Mapping]) -> Drawing:
    """Draw accuracy, and how far confidence is above it, by iteration; a column for each number of labels."""
    sizes = list(dict.fromkeys(row["labelled"] for row in rows))
    figure, axes = page_axes(2, len(sizes), 3.6, sharex=True, sharey="row")
    for column, size in zip(axes.T, sizes, strict=True):
        for kind, colour in _KINDS.items():
            panel = [row for row in rows if (row["labelled"], row["expectations"]) == (size, kind)]
            iteration, accuracy, confidence = (
                np.array([row[key] for row in panel]) for key in ("iteration", "accuracy", "confidence")
            )
            column[0].plot(iteration, accuracy, color=colour, marker="o", markersize=3, label=kind)
            column[1].plot(iteration, confidence - accuracy, color=colour, marker="o", markersize=3)
        column[1].axhline(0, color=INK, linewidth=0.6)
        column[0].set_title(f"{size:,.0f} labelled sentences", fontsize=8)
        column[1].set(xlabel="iteration", xticks=(0, 2, 4, 8))
    axes[0, 0].set_ylabel("accuracy")
    axes[1, 0].set_ylabel("confidence − accuracy")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure, list(rows)
