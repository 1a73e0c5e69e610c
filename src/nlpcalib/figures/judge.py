"""How right a judge is for each system, and the rates that labels correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

from nlpcalib.figures.intervals import ESTIMATE, MODEL
from nlpcalib.figures.style import BLUE, GREEN, GREY, MAX_ROWS_DRAWN, PAGE_WIDTH, PURPLE, Drawing, LineStyle

_MEASURES_APART = 0.17
"""Distance of the two measures from the middle of a system's row, in rows."""


def draw_judge(rows: Sequence[Mapping[str, Any]], level: float, yes: str = "yes") -> Drawing:
    """Draw the corrected rate of each system next to the judge's and the labels', and sensitivity and specificity.

    Parameters
    ----------
    rows : sequence of mapping
        `group` (the first may be empty, for all items), `items`, `corrected`, `low`, `high`, `judge_alone`,
        `labels_alone`, and for both measures the value and its ends: `sensitivity`, `sensitivity_low`,
        `sensitivity_high`. None is not drawn.
    level : float
        Level of the intervals.
    yes : str
        What is counted.
    """
    alone: LineStyle = {**MODEL, "color": GREY, "marker": "s"}
    measures: dict[str, LineStyle] = {
        "sensitivity": {"color": GREEN, "marker": "^", "linestyle": ""},
        "specificity": {"color": PURPLE, "marker": "v", "linestyle": ""},
    }
    whole = [row for row in rows[:1] if not row["group"]]
    most = sorted(range(len(whole), len(rows)), key=lambda place: -rows[place]["items"])[:MAX_ROWS_DRAWN]
    shown = [*whole, *(rows[place] for place in sorted(most))]
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(PAGE_WIDTH, 1.25 + 0.24 * len(shown)), sharey=True, layout="constrained"
    )
    places = np.arange(len(shown))
    for row in whole:
        left.axvline(row["corrected"], color=BLUE, linewidth=0.6, linestyle=":")
    left.hlines(places, [row["low"] for row in shown], [row["high"] for row in shown], color=BLUE, linewidth=1.1)
    left.plot([row["corrected"] for row in shown], places, **ESTIMATE)
    left.plot([row["judge_alone"] for row in shown], places, **MODEL)
    labelled = [place for place in places if shown[place]["labels_alone"] is not None]
    left.plot([shown[place]["labels_alone"] for place in labelled], labelled, **alone)
    for (measure, style), shift in zip(measures.items(), (-_MEASURES_APART, _MEASURES_APART), strict=True):
        defined = [place for place in places if shown[place][measure] is not None]
        ends = [[shown[place][f"{measure}_{end}"] for place in defined] for end in ("low", "high")]
        right.hlines(np.array(defined) + shift, *ends, color=style["color"], linewidth=1.1)
        right.plot([shown[place][measure] for place in defined], np.array(defined) + shift, **style)
    names = [row["group"] or "all" for row in shown]
    left.set_yticks(places, [f"{name} ({row['labels']:,})" for name, row in zip(names, shown, strict=True)])
    left.set_ylim(len(shown) - 0.4, -0.6)
    left.set_xlabel(f"share of items that are {yes}")
    right.set(xlabel="share of labelled items that are judged right", xlim=(0, 1.02))
    for axis in (left, right):
        axis.grid(axis="y", visible=False)
    interval = f"{100 * level:g} % interval"
    handles = [
        Line2D(
            [], [], label=f"corrected, {interval}{'; dotted: all items' * bool(whole)}", **ESTIMATE | {"linestyle": "-"}
        ),
        Line2D([], [], label="the judge alone", **MODEL),
        Line2D([], [], label="labelled items alone (n in brackets)", **alone),
        *(
            Line2D([], [], label=f"{measure} (labelled {name})", **style | {"linestyle": "-"})
            for (measure, style), name in zip(measures.items(), (yes, f"not {yes}"), strict=True)
        ),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure, shown
