"""Figures 4.1 to 4.6 of the thesis, and the ablation that it describes in section 4.1.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from nlpcalib.calibration.summary import Calibration, summary_errors
from nlpcalib.figures.reliability import curve_rows, draw_reliability, format_error, is_skewed
from nlpcalib.figures.style import BLUE, GREY, NEUTRAL_STYLE, ORANGE, Drawing, LineStyle
from nlpcalib.io.files import read_json
from reproduction.figures.models import MODEL_STYLES, read_calibration
from reproduction.figures.panels import page_axes
from reproduction.figures.published import draw_published_curves
from reproduction.tagging.ablation_tables import ModelRow, thesis_estimate
from reproduction.workflow.typed_csv import read_rows

_ERROR_STYLE: LineStyle = {"color": ORANGE, "marker": "o", "markerfacecolor": "white", "linestyle": "none"}
_BIAS_CORRECTED_STYLE: LineStyle = {"color": BLUE, "marker": "D", "linestyle": "none"}
_NOISE_FLOOR_STYLE: LineStyle = {"color": GREY, "linestyle": (0, (1, 2)), "linewidth": 0.9}
_Measured = Literal[
    "accuracy", "noise_floor", "refinement",
    "published_error", "published_low", "published_high", "error", "error_low", "error_high",
]  # fmt: skip
_MEASURED: tuple[_Measured, ...] = get_args(_Measured)


def figure_thesis(
    pairs: Sequence[str | Path],
    calibrations: Sequence[str | Path],
    evaluations: Sequence[str | Path],
    *,
    titles: Sequence[str],
    one_tag: Mapping,
    published: bool = False,
) -> Drawing:
    """Draw Figures 4.1 to 4.3 of the thesis, on tweets 4.4 to 4.6, a panel for each of `titles`.

    Each has its table of pairs and the calibration that was measured of it. `one_tag` has the tag that is asked for.
    """
    accuracies = [read_json(path)["accuracy"] for path in evaluations]
    measured = dict(zip(titles, map(read_calibration, pairs, calibrations), strict=True))
    named = measured, dict(zip(titles, accuracies, strict=True))
    return draw_thesis(*named, tag=one_tag["tag"], published=published)


def figure_ablation(models: str | Path, *, nested: Sequence[str]) -> Drawing:
    """Draw accuracy, calibration error and refinement of the models `nested`, in that order, of a table of models."""
    return draw_ablation(read_rows(models, ModelRow), nested)


def draw_thesis(
    calibrations: Mapping[str, Calibration], accuracies: Mapping[str, float], *, tag: str, published: bool = False
) -> Drawing:
    """Draw one calibration curve per model, with accuracy and calibration score (thesis, Figures 4.1 to 4.6).

    The score in the title is the thesis' mean square. The bias-corrected error stands in the empty corner; as
    `published`, what the thesis' captions leave open.
    """
    scores = {title: thesis_estimate(each.summary)["value"] for title, each in calibrations.items()}
    captions = {title: f"Acc = {accuracies[title]:.1%}\nCalibScore = {_brief(scores[title])}" for title in calibrations}
    if published:
        return draw_published_curves({title: each.bins for title, each in calibrations.items()}, captions)
    figure, axes = page_axes(2, len(calibrations), 3.75, sharex=True, height_ratios=(4, 1))
    rows: list[dict] = []
    stretched = any(map(is_skewed, calibrations.values()))
    for (above, below), (title, calibration) in zip(axes.T, calibrations.items(), strict=True):
        style = MODEL_STYLES["hmm" if title.startswith("HMM") else "crf"]
        draw_reliability(above, below, calibration, stretched=stretched, **style)
        errors = summary_errors(calibration.summary)
        rms, corrected = errors["published_error"], errors["error"]
        above.set_title(f"{title}\n{captions[title]}")
        text = f"bias-corrected\nerror {format_error(corrected)}"
        above.annotate(text, (0.98, 0.03), xycoords="axes fraction", ha="right", fontsize=6.5, color=GREY)
        if above is not axes[0, 0]:
            above.set_ylabel("")
            below.set_ylabel("")
        measured = {"accuracy": accuracies[title], "mse": scores[title], "published_error": rms}
        key = {"model": title, "tag": tag, **measured, "error": corrected}
        rows += curve_rows(calibration, stretched=stretched, **key)
    figure.suptitle(f"Is this word {tag}?", fontsize=8.5)
    return figure, rows


def draw_ablation(models: Sequence[ModelRow], nested: Sequence[str]) -> Drawing:
    """Draw accuracy, calibration error and refinement of the models `nested`, in that order.

    `models` are rows of the table of models. The published errors have the intervals of Algorithm 2, the bias-corrected
    ones to their right those that cover; an interval from 0 leaves the axis. The noise floor is what a perfectly
    calibrated model would show.
    """
    figure, axes = page_axes(1, 3, 2.9, sharex=True, width_ratios=(1, 1.35, 1))
    accuracy, error, refinement = axes[0]
    place = np.arange(len(nested))
    by_model = {row["model"]: row for row in models}
    drawn = [by_model[variant] for variant in nested]
    column: dict[str, np.ndarray] = {name: np.array([row[name] for row in drawn], np.float64) for name in _MEASURED}
    accuracy.plot(place, column["accuracy"], **NEUTRAL_STYLE)
    accuracy.set_title("(a) accuracy, all tags")
    query = f"is it {drawn[0]['tag']}?"
    error.set_title(f"(b) calibration error, {query}")
    refinement.set_title(f"(c) refinement, {query}")
    for shift, (value, low, high), style in (
        (-0.12, ("published_error", "published_low", "published_high"), _ERROR_STYLE),
        (0.12, ("error", "error_low", "error_high"), _BIAS_CORRECTED_STYLE),
    ):
        seen = column[value] > 0
        ends = column[low].clip(min=1e-9), column[high].clip(min=1e-9)
        error.vlines(place + shift, *ends, color=style["color"], linewidth=0.9)
        error.plot((place + shift)[seen], column[value][seen], **style)
    error.plot(place, column["noise_floor"], **_NOISE_FLOOR_STYLE)
    lowest = np.nanmin([column[name] for name in ("published_error", "noise_floor")])
    highest = np.nanmax([column[name] for name in ("published_high", "error_high", "noise_floor")])
    error.set(yscale="log", ylim=(0.5 * lowest, 1.2 * highest))
    error.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    error.yaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("0.", ".", 1))
    error.yaxis.set_minor_formatter(NullFormatter())
    refinement.plot(place, column["refinement"], **NEUTRAL_STYLE)
    refinement.set_ylim(0, 1.08 * np.nanmax(column["refinement"]))
    for axis in axes[0]:
        axis.set_xticks(place, [row["title"] for row in drawn], rotation=45, ha="right")
        axis.grid(visible=False, axis="x")
        axis.set_xlim(-0.4, len(nested) - 0.6)
    handles = [
        Line2D([], [], **_ERROR_STYLE | {"linestyle": "-"}, label="(b) as published, with Algorithm 2"),
        Line2D([], [], **_BIAS_CORRECTED_STYLE | {"linestyle": "-"}, label="(b) bias-corrected, 95 % interval"),
        Line2D([], [], **_NOISE_FLOOR_STYLE, label="(b) noise floor"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure, list(drawn)


def _brief(value: float | None) -> str:
    """Return two significant digits of a number below 1 without its leading zero, `?` for None."""
    if value is None:
        return "?"
    return f"{value:.{max(1 - int(np.floor(np.log10(value))), 2)}f}"[1:] if 0 < value < 1 else f"{value:.2g}"
