"""Figures 4.1 to 4.6 of the thesis, and the ablation that it describes in section 4.1.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from nlpcalib.calibration.summary import Calibration, error_columns, thesis_estimate
from nlpcalib.plots.reliability import curve_rows, draw_curve, draw_distribution
from nlpcalib.plots.style import MODEL_STYLES, NEUTRAL_STYLE, PAGE_WIDTH, Drawing, LineStyle
from nlpcalib.tagging.ablation_tables import ModelRow

_DIAMONDS: LineStyle = {"marker": "D", "markersize": 3, "linestyle": "none"}
_FLOOR: LineStyle = {"linestyle": (0, (1, 2)), "linewidth": 0.8}
_Measured = Literal[
    "accuracy", "noise_floor", "refinement",
    "calibration_error", "low", "high", "debiased_error", "debiased_low", "debiased_high",
]  # fmt: skip
_MEASURED: tuple[_Measured, ...] = get_args(_Measured)


def draw_thesis(calibrations: Mapping[str, Calibration], accuracies: Mapping[str, float], *, tag: str) -> Drawing:
    """Draw one calibration curve per model, with accuracy and calibration score (thesis, Figures 4.1 to 4.6).

    The score is the thesis' mean square and, beside it, its root, the paper's calibration error; below them stands the
    error without sampling noise.
    """
    figure, axes = plt.subplots(
        2, len(calibrations), figsize=(PAGE_WIDTH, 3.75), sharex=True, height_ratios=(4, 1), layout="constrained"
    )
    rows = []
    for (above, below), (title, calibration) in zip(axes.T, calibrations.items(), strict=True):
        draw_curve(
            above, calibration.bins, calibration.band, **MODEL_STYLES["hmm" if title.startswith("HMM") else "crf"]
        )
        errors = error_columns(calibration.summary)
        rms, debiased = errors["calibration_error"], errors["debiased_error"]
        mse = thesis_estimate(calibration.summary)["value"]
        above.set(
            xlabel="",
            title=f"{title}\nAcc = {accuracies[title]:.1%}\nCalibScore = {_brief(mse)}, root {_brief(rms)}\n"
            f"without noise {_brief(debiased)}",
        )
        draw_distribution(below, calibration.distribution)
        if above is not axes[0, 0]:
            above.set_ylabel("")
            below.set_ylabel("")
        scores = {"accuracy": accuracies[title], "mse": mse, "calibration_error": rms, "debiased_error": debiased}
        rows += curve_rows(calibration, model=title, tag=tag, **scores)
    figure.suptitle(f"Is this word {tag}?", fontsize=8.5)
    return figure, rows


def draw_ablation(models: Sequence[ModelRow], nested: Sequence[str]) -> Drawing:
    """Draw accuracy, calibration error and refinement of the models `nested`, in that order.

    `models` are rows of the table of models: one per model and target. The published errors have the intervals of
    Algorithm 2, the debiased ones beside them, as diamonds, those that cover; an interval from 0 leaves the axis. The
    noise floor is what a perfectly calibrated model would show.
    """
    figure, axes = plt.subplots(1, 3, figsize=(PAGE_WIDTH, 2.9), layout="constrained")
    place = np.arange(len(nested))
    rows = []
    for target, style in (("one_tag", MODEL_STYLES["crf"]), ("tags", NEUTRAL_STYLE | {"markerfacecolor": "white"})):
        by_model = {row["model"]: row for row in models if row["target"] == target}
        drawn = [by_model[variant] for variant in nested]
        column = {name: np.array([row[name] for row in drawn], np.float64) for name in _MEASURED}
        label = "all tags" if target == "tags" else f"is it {drawn[0]['tag']}?"
        if target == "tags":
            axes[0].plot(place, column["accuracy"], **NEUTRAL_STYLE)
        axes[1].vlines(place, column["low"].clip(min=1e-9), column["high"], color=style["color"], linewidth=0.8)
        axes[1].plot(place, column["calibration_error"], label=label, **style)
        beside = place + 0.2
        ends = column["debiased_low"].clip(min=1e-9), column["debiased_high"].clip(min=1e-9)
        axes[1].vlines(beside, *ends, color=style["color"], linewidth=0.8)
        seen = column["debiased_error"] > 0
        axes[1].plot(beside[seen], column["debiased_error"][seen], color=style["color"], **_DIAMONDS)
        axes[1].plot(place, column["noise_floor"], color=style["color"], **_FLOOR)
        axes[2].plot(place, column["refinement"], label=label, **style)
        rows += drawn
    titles = ("(a) accuracy", "(b) calibration error", "(c) refinement: less is sharper")
    for axis, title in zip(axes, titles, strict=True):
        axis.set(title=title, xlim=(-0.4, len(nested) - 0.6))
        axis.set_xticks(place, [row["title"] for row in rows[: len(nested)]], rotation=45, ha="right")
        axis.grid(visible=False, axis="x")
    axes[1].set_ylim(bottom=0.5 * min(min(row["calibration_error"], row["noise_floor"]) for row in rows))
    for axis in axes[1:]:
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("0.", ".", 1))
        axis.yaxis.set_minor_formatter(NullFormatter())
    axes[2].legend(loc="best")
    handles = [
        Line2D([], [], color="#777777", label="(b) as published, with Algorithm 2"),
        Line2D([], [], **_FLOOR | {"color": "#777777"}, label="(b) its noise floor"),
        Line2D([], [], **_DIAMONDS | {"color": "#777777"}, label="(b) debiased, 95 % interval"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure, list(rows)


def _brief(value: float | None) -> str:
    """Return two significant digits of a number below 1 without its leading zero, `?` for None."""
    if value is None:
        return "?"
    return f"{value:.{max(1 - int(np.floor(np.log10(value))), 2)}f}"[1:] if 0 < value < 1 else f"{value:.2g}"
