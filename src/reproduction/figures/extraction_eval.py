"""Figures of the evaluation of an extraction system: bias on the scale, estimates compared, what sampling saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from nlpcalib.figures.style import (
    BLUE,
    COLUMN_WIDTH,
    GREY,
    INK,
    LIGHT,
    ORANGE,
    PAGE_WIDTH,
    PALE,
    PURPLE,
    Drawing,
    LineStyle,
)
from nlpcalib.io.files import read_json
from reproduction.extraction_eval.frequencies import FrequencyRow
from reproduction.extraction_eval.study import SavingRow
from reproduction.figures.panels import page_axes
from reproduction.workflow.typed_csv import read_rows

_BAYES: LineStyle = {"color": BLUE, "marker": "s"}
_NAIVE: LineStyle = {"color": ORANGE, "marker": "o", "markerfacecolor": "white"}
_RANDOM: LineStyle = {"color": GREY, "marker": "^"}
_UNKNOWN: LineStyle = {"color": LIGHT, "linewidth": 0.6, "linestyle": (0, (2, 2))}
_TRUE_LEVEL_STYLE: LineStyle = {"color": INK, "marker": "|", "markersize": 10, "markeredgewidth": 1.3}
_DESIGN_STYLES: dict[str, LineStyle] = {
    "random": _RANDOM,
    "per category": _BAYES,
    "minimum variance": {"color": PURPLE, "marker": "D", "markerfacecolor": "white"},
}
_EVALUATION_COLUMNS = 4
_SCALE_END = 10
_MEASURE_NAMES = {
    "answer_given_truth": "P(M = {0} | T = {0})",
    "truth_given_answer": "P(T = {0} | M = {0})",
    "both": "P(M = {0}, T = {0})",
}


def figure_levels(evaluations: str | Path, *, published: bool = False) -> Drawing:
    """Draw the expected level of the system's answers against the true one of each category (Lowe & King, Figure 1).

    There is a panel for the stratified sample and one for the random sample. `published` has the former alone.
    """
    evaluated = read_json(evaluations)
    if published:
        return draw_levels(evaluated["stratified"]["categories"])
    truth = {row["category"]: row["expected_level"] for row in evaluated["truth"]["categories"]}
    samples = {f"{name} sample": evaluated[name]["categories"] for name in ("stratified", "random")}
    return draw_bias_by_category(samples, dict.fromkeys(samples, truth))


def figure_annotators(evaluations: str | Path) -> Drawing:
    """Draw expected against true levels of each category, for the system and annotators (Lowe & King, Figure 1)."""
    return draw_bias_by_category({name: each["categories"] for name, each in read_json(evaluations).items()})


def figure_categories(frequencies: str | Path) -> Drawing:
    """Draw how often the system uses each category of events."""
    return draw_categories(read_rows(frequencies, FrequencyRow))


def figure_rates(evaluations: str | Path) -> Drawing:
    """Draw how likely events of each category are to be found, as estimated, as naively read, and in truth."""
    evaluated = read_json(evaluations)
    stratified, random, true = (evaluated[name]["categories"] for name in ("stratified", "random", "truth"))
    return draw_estimates(stratified, random, {row["category"]: row["answer_given_truth"] for row in true})


def figure_answers(evaluations: str | Path) -> Drawing:
    """Draw P(M = j | T = i) of all categories, estimated from the stratified sample and in truth (Lowe & King, 4)."""
    evaluated = read_json(evaluations)
    names = {"estimated from the sample": "stratified", "truth": "truth"}
    categories = [row["category"] for row in sorted(evaluated["truth"]["categories"], key=_from_cooperation)]
    return draw_answers({title: evaluated[name]["joint"] for title, name in names.items()}, categories)


def figure_saving(saving: str | Path) -> Drawing:
    """Draw the error of each way to sample leads against how many are annotated."""
    return draw_saving(read_rows(saving, SavingRow))


def draw_bias_by_category(
    evaluated: Mapping[str, Sequence[Mapping]], truth: Mapping[str, Mapping[str, float]] | None = None
) -> Drawing:
    """Draw how far the expected level of each category is from the true one (the numbers of the paper's Figure 1).

    A row for each category, from cooperation down to conflict, where the paper sets one level against the other: there
    the intervals of categories of the same level hide each other.

    Parameters
    ----------
    evaluated : mapping
        By name of the system or annotator, the `categories` of its `Evaluation`. Categories without an estimate have a
        light dashed line and no point: almost none of their leads were annotated.
    truth : mapping, optional
        The true expected level by name and category, where it is known.
    """
    levels = {row["category"]: row["level"] for rows in evaluated.values() for row in rows if _has_level(row)}
    names = sorted(levels, key=lambda category: -levels[category])
    lines, columns = -(-len(evaluated) // _EVALUATION_COLUMNS), min(len(evaluated), _EVALUATION_COLUMNS)
    figure, axes = page_axes(lines, columns, 0.9 + (0.5 + 0.19 * len(names)) * lines, sharex=True, sharey=True)
    drawn = []
    for axis, (name, rows) in zip(axes.flat, evaluated.items(), strict=False):
        axis.axvline(0, color=GREY, linewidth=0.8)
        for row in filter(_has_level, rows):
            place, level = names.index(row["category"]), row["level"]
            value, low, high = (row[f"expected_level{end}"] for end in ("", "_low", "_high"))
            if value is None:
                axis.hlines(place, low - level, high - level, **_UNKNOWN, zorder=0.6)
            else:
                axis.hlines(place, low - level, high - level, color=_BAYES["color"], linewidth=0.9)
                axis.plot(value - level, place, linestyle="", **_BAYES)
            made = {"who": name, "category": row["category"], "level": level,
                    "expected_level": value, "low": low, "high": high}  # fmt: skip
            if truth is not None:
                made["truth"] = truth.get(name, {}).get(row["category"])
                if made["truth"] is not None:
                    axis.plot(made["truth"] - level, place, linestyle="", **_TRUE_LEVEL_STYLE | {"markersize": 7})
            drawn.append(made)
        axis.set(title=name, ylim=(len(names) - 0.4, -0.6), xlabel="mean level of the answers − true level")
        axis.set_yticks(
            range(len(names)), [f"{category} ({levels[category]:g})".replace("-", "−") for category in names]
        )
    for axis in axes.flat[len(evaluated) :]:
        axis.remove()
    handles = [
        Line2D([], [], **_BAYES | {"linewidth": 0.9}, label="estimate with 95 % interval"),
        Line2D([], [], color=GREY, linewidth=0.8, label="no bias"),
    ]
    if any(row["expected_level"] is None for row in drawn):
        handles.append(Line2D([], [], **_UNKNOWN, label="no estimate"))
    if truth is not None:
        handles.append(Line2D([], [], **_TRUE_LEVEL_STYLE | {"linestyle": ""}, label="truth"))
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure, drawn


def draw_answers(joint: Mapping[str, Sequence[Mapping]], categories: Sequence[str]) -> Drawing:
    """Draw P(M = j | T = i) as a heat map, a row for each true category i and a column for each answer j.

    Parameters
    ----------
    joint : mapping
        By title, the `joint` of an `Evaluation`. Pairs that it leaves out, of which nothing was seen, are 0.
    categories : sequence of str
        The categories in the order of rows and columns.
    """
    size = len(categories)
    figure, axes = page_axes(1, len(joint), 3.6, sharey=True)
    colours = ScalarMappable(Normalize(0, 1), "Greys")
    drawn = []
    for axis, (title, cells) in zip(axes[0], joint.items(), strict=True):
        by_pair = {(cell["truth"], cell["answer"]): cell["answer_given_truth"] for cell in cells}
        unknown = {truth for (truth, _), value in by_pair.items() if value is None}
        shares = np.array(
            [[np.nan if truth in unknown else by_pair.get((truth, answer), 0.0) for answer in categories]
             for truth in categories]
        )  # fmt: skip
        axis.imshow(shares, cmap=colours.cmap, norm=colours.norm)
        axis.set(title=title, xlabel="category of the system (M)")
        axis.set_xticks(range(size), categories, rotation=90)
        axis.set_yticks(range(size), categories)
        axis.tick_params(labelsize=min(7, 150 / size), length=0)
        axis.grid(visible=False)
        drawn += [
            {"panel": title, "truth": truth, "answer": answer, "answer_given_truth": share}
            for truth, row in zip(categories, shares.tolist(), strict=True)
            for answer, share in zip(categories, row, strict=True)
        ]
    axes[0, 0].set_ylabel("true category (T)")
    figure.colorbar(colours, ax=axes, aspect=30, shrink=0.7, label="P(M | T)")
    return figure, drawn


def draw_levels(rows: Sequence[Mapping]) -> Drawing:
    """Draw each category's expected level gᵢ against its level Gᵢ (Lowe & King, Figure 1)."""
    estimated = [row for row in filter(_has_level, rows) if row["expected_level"] is not None]
    figure, axes = plt.subplots(figsize=(COLUMN_WIDTH, COLUMN_WIDTH), layout="constrained")
    axes.plot([-_SCALE_END, _SCALE_END], [-_SCALE_END, _SCALE_END], color=INK, linewidth=0.6)
    levels = {name: [row[name] for row in estimated] for name in ("level", "expected_level")}
    axes.plot(levels["level"], levels["expected_level"], linestyle="", marker="o", color=INK, clip_on=False)
    ticks = range(-_SCALE_END, _SCALE_END + 1, 2)
    ends = (-_SCALE_END, _SCALE_END)
    axes.set(xlim=ends, ylim=ends, xticks=ticks, yticks=ticks, box_aspect=1, xlabel="$G_i$", ylabel="$g_i$")
    return figure, [{name: row[name] for name in ("category", *levels)} for row in estimated]


def _from_cooperation(row: Mapping) -> float:
    """Return a key that sorts categories from cooperation down to conflict; none, without a level, comes last."""
    return np.inf if row["level"] is None else -row["level"]


def _has_level(row: Mapping) -> bool:
    return row["level"] is not None and row["expected_level_low"] is not None


def draw_categories(rows: Sequence[Mapping]) -> Drawing:
    """Draw how often the system uses each category, coloured by its level of conflict or cooperation.

    `rows` are those of `reproduction.extraction_eval.frequencies.frequency_rows`.
    """
    figure, axes = plt.subplots(figsize=(PAGE_WIDTH * 0.72, 0.9 + 0.2 * len(rows)), layout="constrained")
    end = _end([row["level"] for row in rows if row["level"] is not None])
    colours = ScalarMappable(Normalize(-end, end), "PuOr")
    for place, row in enumerate(rows):
        colour = PALE if row["level"] is None else colours.to_rgba(row["level"])
        axes.barh(place, row["leads"], color=colour, edgecolor=GREY, linewidth=0.4)
        axes.annotate(
            f"{row['leads']:,}", (max(row["leads"], 1), place), (3, 0), textcoords="offset points", va="center"
        )
    axes.set(ylim=(len(rows) - 0.4, -0.6), xscale="log", xlim=(0.7, 4 * max(row["leads"] for row in rows)))
    axes.set_yticks(range(len(rows)), [row["category"] for row in rows])
    axes.set_xlabel("leads that the system puts in the category")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(visible=False, axis="y")
    bar = figure.colorbar(colours, ax=axes, aspect=40, shrink=0.5, ticks=[-end, -end / 2, 0, end / 2, end])
    bar.set_label("conflict – cooperation")
    return figure, list(rows)


def draw_estimates(
    stratified: Sequence[Mapping], random: Sequence[Mapping] | None = None, truth: Mapping[str, float] | None = None
) -> Drawing:
    """Draw for each category P(M = i | T = i) as estimated, next to P(T = i | M = i) read as such, and other estimates.

    The category that the system uses most comes first.

    Parameters
    ----------
    stratified, random : sequence of mapping
        The `categories` of the `Evaluation` of a stratified sample and, if there is one, of a random one of the same
        size.
    truth : mapping, optional
        The true P(M = i | T = i) by category, where it is known.
    """
    events = (row for row in stratified if row["level"] is not None)
    rows = sorted(events, key=lambda row: -row["answer_share"])
    figure, axes = plt.subplots(figsize=(PAGE_WIDTH * 0.72, 0.9 + 0.29 * len(rows)), layout="constrained")
    others = {row["category"]: row for row in random or ()}
    drawn = []
    for place, row in enumerate(rows):
        made = {"category": row["category"], "answer_share": row["answer_share"]}
        for name, source, column, style, offset in (
            ("estimate", row, "answer_given_truth", _BAYES, -0.22),
            ("naive", row, "truth_given_answer", _NAIVE, 0.0),
            ("random", others.get(row["category"]), "answer_given_truth", _RANDOM, 0.22),
        ):
            if source is None:
                continue
            ends = [source[f"{column}{end}"] for end in ("", "_low", "_high")]
            made |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
            _draw_interval(axes, place + offset, ends, style)
        if truth is not None:
            made["truth"] = truth.get(row["category"])
            if made["truth"] is not None:
                axes.vlines(
                    made["truth"], place - 0.4, place + 0.4, color=_TRUE_LEVEL_STYLE["color"], linewidth=1.3, zorder=3
                )
        drawn.append(made)
    axes.set(xlim=(-0.02, 1.02), ylim=(len(rows) - 0.4, -0.6), xlabel="share of a category's events extracted as such")
    axes.set_yticks(range(len(rows)), [f"{row['category']} ({100 * row['answer_share']:.3g} %)" for row in rows])
    axes.grid(visible=False, axis="y")
    for edge in range(1, len(rows)):
        axes.axhline(edge - 0.5, color=PALE, linewidth=0.4)
    handles = [
        Line2D([], [], **_BAYES | {"linewidth": 0.7}, label="P(M | T) from the stratified sample"),
        Line2D([], [], **_NAIVE | {"linewidth": 0.7}, label="P(T | M) of the same, read as P(M | T)"),
    ]
    if random is not None:
        handles.append(Line2D([], [], **_RANDOM | {"linewidth": 0.7}, label="P(M | T) from a random sample"))
    if truth is not None:
        handles.append(Line2D([], [], **_TRUE_LEVEL_STYLE | {"linestyle": ""}, label="truth"))
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure, drawn


def draw_saving(rows: Sequence[Mapping]) -> Drawing:
    """Draw the error of each design against the number of annotated leads, a panel for each measure.

    Where a design has no error, because all leads that matter are annotated, its line ends.

    `rows` are those of `reproduction.extraction_eval.study.saving_rows` with `named` categories.
    """
    names = list(dict.fromkeys((row["measure"], row["category"]) for row in rows))
    figure, axes = page_axes(1, len(names), 2.9, sharey=True)
    for axis, name in zip(axes[0], names, strict=True):
        drawn = [row for row in rows if (row["measure"], row["category"]) == name and row["relative_rmse"]]
        for design, style in _DESIGN_STYLES.items():
            part = [row for row in drawn if row["design"] == design]
            axis.plot([row["leads"] for row in part], [row["relative_rmse"] for row in part], label=design, **style)
        axis.set(title=_MEASURE_NAMES[name[0]].format(name[1]), xlabel="annotated leads", xscale="log", yscale="log")
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.yaxis.set_minor_formatter(NullFormatter())
    axes[0, 0].set_ylabel("root mean square error / truth")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure, list(rows)


def _end(levels: Sequence[float]) -> float:
    """Return where a scale of these levels ends, above and below 0.

    That is at Goldstein's 10, so that figures compare, unless levels reach farther, or are all so near to 0 that they
    would look alike.
    """
    farthest = max(map(abs, levels), default=0)
    return farthest if 0 < farthest <= _SCALE_END / 10 or farthest > _SCALE_END else _SCALE_END


def _draw_interval(axes: Axes, place: float, ends: Sequence[float | None], style: LineStyle) -> None:
    """Draw an estimate with its interval, `(value, low, high)`, as far as they are known."""
    value, low, high = ends
    if low is not None and high is not None:
        axes.hlines(place, low, high, color=style["color"], linewidth=0.7)
    if value is not None:
        axes.plot(value, place, linestyle="", clip_on=False, **style)
