"""How often intervals hold the truth, over regimes that are drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.stats import binom

from nlpcalib.figures.style import BLUE, GREY, INK, ORANGE, PALE, PURPLE, Drawing
from reproduction.figures.panels import page_axes
from studies.simulation.study import read_study

_COLOURS = (BLUE, ORANGE, PURPLE, GREY)
_PROMISED_COVERAGE, _MIN_SHOWN_COVERAGE = 0.95, 0.5


def figure_regimes(regimes: Sequence[str | Path]) -> Drawing:
    """Draw the studies of several files."""
    return draw_regimes([row for path in regimes for row in read_study(path)])


def draw_regimes(rows: Sequence[Mapping]) -> Drawing:
    """Draw the share of regimes that each method covers at most so often, a panel for each kind of estimate.

    `rows` are those of `studies.simulation.study.study_rows`. The grey area is what chance alone makes of regimes
    that are all covered with .95; draws of a series are not independent of each other, and have none.
    """
    drawn = [row for row in rows if not row["again"]]
    kinds = list(dict.fromkeys(row["kind"] for row in drawn))
    figure, axes = page_axes(1, len(kinds), 2.6, sharey=True)
    for axis, kind in zip(axes[0], kinds, strict=True):
        panel = [row for row in drawn if row["kind"] == kind]
        for method, colour in zip(dict.fromkeys(row["method"] for row in panel), _COLOURS, strict=False):
            coverage = np.sort([row["coverage"] for row in panel if row["method"] == method])
            share = np.arange(1, len(coverage) + 1) / len(coverage)
            axis.step(coverage, share, where="post", color=colour, linewidth=1.1, label=method.replace("_", " "))
        if kind != "series":
            replicates = panel[0]["replicates"]
            exact = np.arange(replicates + 1)
            axis.fill_between(
                exact / replicates,
                binom.cdf(exact, replicates, _PROMISED_COVERAGE),
                step="post",
                color=PALE,
                linewidth=0,
            )
        axis.axvline(_PROMISED_COVERAGE, color=INK, linewidth=0.7)
        axis.set(title=kind, xlim=(_MIN_SHOWN_COVERAGE, 1.01), ylim=(0, 1), xlabel="coverage")
        axis.legend(loc="upper left", fontsize=6)
    axes[0, 0].set_ylabel("share of regimes")
    kept = ("kind", "method", "number", "replicates", "coverage", "coverage_se", "width", "rmse")
    return figure, [{key: row[key] for key in kept} for row in drawn]
