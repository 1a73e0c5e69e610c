"""Coverage and width of totals in real tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.stats import binom

from nlpcalib.figures.style import BLUE, GREY, INK, ORANGE, PALE, Drawing
from nlpcalib.io.files import read_csv
from reproduction.figures.panels import page_axes
from reproduction.workflow.table_files import numbers
from studies.real_tasks.coverage import LEVEL

_STYLES = {"random": (BLUE, "o"), "planned": (BLUE, "D"), "PPI++": (ORANGE, "s"), "labels alone": (GREY, "^")}
_TITLES = {"random": "estimate, random labels", "planned": "estimate, planned labels"}


def figure_real_tasks(table: str) -> Drawing:
    """Draw the rows of the table of all tasks."""
    return draw_real_tasks([numbers(row) for row in read_csv(table)])


def draw_real_tasks(rows: Sequence[Mapping]) -> Drawing:
    """Draw, task by task, how often intervals hold the total, and their width over that of labels alone.

    The grey band has the middle 95 % of what chance makes of a coverage of .95.
    """
    drawn = [row for row in rows if row["of"] == "total"]
    tasks = list(dict.fromkeys(row["task"] for row in drawn))
    alone = {row["task"]: row["width"] for row in drawn if row["method"] == "labels alone"}
    figure, (axes,) = page_axes(1, 2, 3.2, sharey=True)
    for method, (colour, marker) in _STYLES.items():
        found = {row["task"]: row for row in drawn if row["method"] == method}
        place = np.arange(len(tasks))
        for axis, values in zip(
            axes,
            ([found[task]["coverage"] for task in tasks], [found[task]["width"] / alone[task] for task in tasks]),
            strict=True,
        ):
            filled = "white" if method == "planned" else colour
            axis.plot(
                values, place, color=colour, marker=marker, linestyle="", markersize=4, markerfacecolor=filled,
                label=_TITLES.get(method, method),
            )  # fmt: skip
    draws = drawn[0]["replicates"]
    axes[0].axvspan(*(binom.ppf((0.025, 0.975), draws, LEVEL) / draws), color=PALE, linewidth=0)
    axes[0].axvline(LEVEL, color=INK, linewidth=0.7)
    axes[1].axvline(1, color=INK, linewidth=0.7)
    axes[0].set(xlabel="coverage", yticks=range(len(tasks)), yticklabels=tasks)
    axes[0].invert_yaxis()
    axes[1].set(xlabel="width / width of labels alone")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(_STYLES), fontsize=7)
    kept = ("task", "method", "replicates", "coverage", "coverage_se", "width")
    return figure, [{key: row[key] for key in kept} for row in drawn]
