"""Figures 1, 3 and 4 of the paper, also before and after recalibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nlpcalib.calibration.bands import clustered_bins, consistency_band
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import Calibration, bin_rows, measure_calibration, measured_before, ordered
from nlpcalib.figures.reliability import (
    curve_rows,
    describe_error,
    draw_curve,
    draw_distribution,
    draw_reliability,
    histogram_rows,
    is_skewed,
    pooled_bins,
)
from nlpcalib.figures.style import GREY, INK, NEUTRAL_STYLE, PAGE_WIDTH, Drawing
from nlpcalib.io.files import read_json
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.systems.chains.pairs import tag_pairs
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.figures.models import MODEL_STYLES, name_of, name_published, paths_of, style_of
from reproduction.figures.panels import draw_stages, page_axes
from reproduction.figures.published import draw_published_curve, draw_published_curves
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.evaluation import evaluate_tagger
from reproduction.tagging.label_comparison import averaged_interval, columns_of_comparison
from reproduction.tagging.pairs import one_tag_pairs
from reproduction.workflow.typed_csv import read_columns

TAGGERS = ("hmm", "crf")
_MIN_BINS_OF_RIGHT_TAGS = 4
"""Bins of right tags below which a curve shows nothing above one half, where nearly all of them are."""
_NUMBER_OF_BINS_OF_RIGHT_TAGS = 20
_FEWEST_DRAWS = 2
"""Draws of Algorithm 2 where its interval is not shown: it takes no fewer."""


def figure_1(
    chain: str | Path, test: str | Path, *, tag: str, model: str, bin_size: int, published: bool = False
) -> Drawing:
    """Draw Figure 1 of a tagger's predictions of `tag` on the test set: bins of equal width against adaptive bins.

    Raises `InputError` if neither the tagger nor the test set has the tag.
    """
    tagger, words = LinearChain.load(chain), tagged_corpus(read_conllu(test))
    tags, gold = words.gold_in(tagger.tags)
    pairs = one_tag_pairs(tag_pairs(evaluate_tagger(tagger, words)[0], gold, tags, words.units), tag)
    asked = SortedPairs(pairs.q, pairs.y)
    return draw_figure_1(asked, tag=tag, model=model, bin_size=bin_size, published=published)


def figure_3(
    pairs: Sequence[str],
    calibrations: Sequence[str],
    *,
    other_pairs: str | Sequence[str] = (),
    other_calibrations: str | Sequence[str] = (),
    names: Sequence[str] = (),
    published: bool = False,
) -> Drawing:
    """Draw Figure 3, a panel for each tagger, and for others with `names`: curves over all tags.

    Each has its table of pairs and the calibration that was measured of it.
    """
    tables = (*pairs, *paths_of(other_pairs)), (*calibrations, *paths_of(other_calibrations))
    drawn = [
        _over_all_tags(table, measured_before(table, read_json(calibration)))
        for path, calibration in zip(*tables, strict=True)
        for table in [read_written_pairs(path)]
    ]
    return draw_figure_3(dict(zip((*TAGGERS, *names), drawn, strict=True)), published=published)


def figure_recalibration(before: Sequence[str | Path], after: Sequence[str | Path], *, bin_size: int) -> Drawing:
    """Draw Figure 3 before and after recalibration."""

    def measured(table: Pairs) -> Calibration:
        whole = measure_calibration(table, bin_size=bin_size, samples=_FEWEST_DRAWS, seed=0, by_class=[])
        return _over_all_tags(table, whole)

    stages = {}
    for model, *paths in zip(TAGGERS, before, after, strict=True):
        first, second = map(measured, map(read_written_pairs, paths))
        stages[model] = first, second
    titles = {
        model: f"({letter}) {name_of(model)}, recalibrated\n{describe_error(stages[model][1])}"
        for letter, model in zip(ascii_lowercase, TAGGERS, strict=False)
    }
    return draw_stages(stages, titles, MODEL_STYLES, height=3.9)


def _over_all_tags(table: Pairs, measured: Calibration) -> Calibration:
    """Return the calibration of a table of pairs as it is drawn.

    With fewer than `_MIN_BINS_OF_RIGHT_TAGS` bins of right tags, the curve has smaller bins. Its numbers stay as they
    were measured.
    """
    right = measured.summary["positives"]
    if right >= _MIN_BINS_OF_RIGHT_TAGS * measured.summary["bin_size"]:
        return measured
    size = max(right // _NUMBER_OF_BINS_OF_RIGHT_TAGS, 1)
    pairs = ordered(table).pairs
    bins = clustered_bins(pairs, pairs.adaptive_starts(size))
    return replace(measured, bins=bins, band=consistency_band(bins))


def figure_4(
    tags: str | Path,
    bigrams: str | Path,
    *,
    frequent: int,
    other_tags: str | Sequence[str] = (),
    other_bigrams: str | Sequence[str] = (),
    names: Sequence[str] = (),
    published: bool = False,
) -> Drawing:
    """Draw Figure 4 of tables of comparison: calibration errors of both taggers, and of others with `names`, by label.

    Tables of others compare them with the first tagger, and have at least the labels of `tags` and `bigrams`.
    """
    columns = columns_of_comparison(TAGGERS)
    tables = []
    for path, others in ((tags, other_tags), (bigrams, other_bigrams)):
        rows = read_columns(path, columns)
        for name, other in zip(names, paths_of(others), strict=True):
            added = {row["label"]: row for row in read_columns(other, columns_of_comparison((TAGGERS[0], name)))}
            rows = [added[row["label"]] | row for row in rows]
        tables.append(rows)
    return draw_figure_4(*tables, models=(*TAGGERS, *names), frequent=frequent, published=published)


def figure_4_recalibration(
    *,
    tags: str | Path,
    bigrams: str | Path,
    tags_recalibrated: str | Path,
    bigrams_recalibrated: str | Path,
    frequent: int,
) -> Drawing:
    """Draw Figure 4 before and after recalibration."""
    columns = columns_of_comparison(TAGGERS)
    tables = {"before": (tags, bigrams), "after": (tags_recalibrated, bigrams_recalibrated)}
    stages = {
        stage: (read_columns(path_tags, columns), read_columns(path_bigrams, columns))
        for stage, (path_tags, path_bigrams) in tables.items()
    }
    return draw_figure_4_stages(stages, models=TAGGERS, frequent=frequent)


def draw_figure_1(pairs: SortedPairs, *, tag: str, model: str, bin_size: int, published: bool = False) -> Drawing:
    """Draw how bins of equal width and adaptive bins show the same skewed predictions (paper, Figure 1).

    (a) the distribution, (b) fifty and (c) ten bins of equal width, (d) adaptive bins of `bin_size` pairs. `published`
    is the paper's: counts on a linear axis, normal intervals.
    """
    figure, axes = plt.subplots(1, 4, figsize=(PAGE_WIDTH, 2.15), layout="constrained")
    counts = np.histogram(pairs.q, bins=50, range=(0, 1))[0]
    draw_distribution(axes[0], counts)
    axes[0].set(title=f"(a) predictions of {tag}", box_aspect=1, ylabel="tokens")
    if published:
        axes[0].set(yscale="linear", ylim=(0, None))
    rows = [{"panel": "a", **row} for row in histogram_rows(counts)]
    panels = (
        ("b", "bins of width .02", pairs.equal_width(50)),
        ("c", "bins of width .1", pairs.equal_width(10)),
        ("d", f"bins of {bin_size:,}", pairs.adaptive(bin_size)),
    )
    for axis, (panel, title, bins) in zip(axes[1:], panels, strict=True):
        if published:
            rows += draw_published_curve(axis, bins, panel=panel)
        else:
            draw_curve(axis, bins, **NEUTRAL_STYLE)
            rows += [{"panel": panel, **row} for row in bin_rows(*pooled_bins(bins, None, stretched=False))]
        axis.set(title=f"({panel}) {title}", ylabel="label frequency" if panel == "b" else "")
    kind = name_of(model.partition("_")[0])
    figure.suptitle(f"Is this word {tag}? {kind}, {len(pairs):,} tokens", fontsize=8.5)
    return figure, rows


def draw_figure_3(calibrations: Mapping[str, Calibration], *, published: bool = False) -> Drawing:
    """Draw each model's calibration curve over all tags, with where its predictions lie (paper, Figure 3).

    Unless as `published` the axes are stretched where most predictions are near 0 and 1, as those over all tags are.
    """
    if published:
        titles = (f"({letter}) {name_of(model)}" for letter, model in zip(ascii_lowercase, calibrations, strict=False))
        return draw_published_curves(dict(zip(titles, (each.bins for each in calibrations.values()), strict=True)))
    stretched = any(map(is_skewed, calibrations.values()))
    figure, axes = plt.subplots(
        2,
        len(calibrations),
        figsize=(PAGE_WIDTH / 2 * len(calibrations), 4.75),
        sharex=True,
        height_ratios=(4, 1),
        layout="constrained",
    )
    rows = []
    for number, ((above, below), letter, (model, calibration)) in enumerate(
        zip(axes.T, ascii_lowercase, calibrations.items(), strict=False)
    ):
        draw_reliability(above, below, calibration, stretched=stretched, **style_of(model, number))
        above.set_title(f"({letter}) {name_of(model)}\n{describe_error(calibration)}")
        name_published(above, calibration)
        rows += curve_rows(calibration, stretched=stretched, model=model)
    return figure, rows


def draw_figure_4(
    tags: Sequence[Mapping[str, Any]],
    bigrams: Sequence[Mapping[str, Any]],
    *,
    models: Sequence[str],
    frequent: int,
    published: bool = False,
) -> Drawing:
    """Draw models' calibration errors on the five most frequent labels and on average (paper, Figure 4).

    `tags` and `bigrams` are `reproduction.tagging.label_comparison.label_comparison_rows`, by decreasing frequency.
    Intervals are those of Algorithm 2; those of averages are `averaged_interval`'s. Below are bias-corrected errors,
    if labels are frequent enough: in bins of a fixed size the sharper a model is, the more of its mistakes share a bin
    with its certainties and cancel. `published` is the paper's, without them.
    """
    corrected = [[row for row in table if row[f"corrected_{models[0]}"] is not None] for table in (tags, bigrams)]
    if published or not all(corrected):
        figure, axes = plt.subplots(1, 2, figsize=(PAGE_WIDTH, 2.9), layout="constrained")
        rows = _both_targets(axes, "ab", (tags, bigrams), models, frequent, published=published)
        _legend_below(figure, axes[1])
        return figure, rows
    figure, axes = page_axes(2, 2, 5.2)
    rows = _both_targets(axes[0], "ab", (tags, bigrams), models, frequent)
    for axis, letter, table, most in zip(axes[1], "cd", corrected, (None, frequent), strict=True):
        shown = [_without_interval(row, models) for row in table[:most]]
        averages = "mean of 5", f"mean of {len(shown)}"
        rows += [{"panel": letter, **row} for row in _bars(axis, shown, models, len(shown), averages, published=True)]
        axis.set(title=f"({letter}) bias-corrected", ylabel="calibration error" if letter == "c" else "")
    _legend_below(figure, axes[0, 1])
    return figure, rows


def _without_interval(row: Mapping[str, Any], models: Sequence[str]) -> dict[str, Any]:
    """Return a label's bias-corrected errors in the place of the published ones, with intervals of no width."""
    errors = {model: row[f"corrected_{model}"] for model in models}
    return {
        "label": row["label"],
        **{f"{name}_{model}": each for model, each in errors.items() for name in ("error", "low", "high")},
    }


def draw_figure_4_stages(
    stages: Mapping[str, tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]],
    *,
    models: Sequence[str],
    frequent: int,
) -> Drawing:
    """Draw Figure 4 once for each of two stages, before and after recalibration, one above the other.

    `stages` has tables of tags and bigrams, as `draw_figure_4` does.
    """
    figure, axes = page_axes(2, 2, 5.2, sharey="col")
    rows = []
    for row, letters, (stage, tables) in zip(axes, ("ab", "cd"), stages.items(), strict=True):
        rows += [
            {"stage": stage, **each} for each in _both_targets(row, letters, tables, models, frequent, f", {stage}")
        ]
    _legend_below(figure, axes[0, 1])
    return figure, rows


def _both_targets(
    axes: Sequence[Axes],
    letters: str,
    tables: tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]],
    models: Sequence[str],
    frequent: int,
    stage: str = "",
    *,
    published: bool = False,
) -> list[dict]:
    """Draw the two panels of Figure 4, and return their rows."""
    rows = []
    titles = ("single tags", "two consecutive tags")
    for axis, letter, title, table in zip(axes, letters, titles, tables, strict=True):
        average = len(table) if title == titles[0] else min(frequent, len(table))
        named = "mean of 5", f"mean of {average}"
        if published:
            named = "Average (5)", f"Average ({'all' if title == titles[0] else average})"
        rows += [{"panel": letter, **row} for row in _bars(axis, table, models, average, named, published)]
        axis.set(title=f"({letter}) {title}{stage}", ylabel="calibration error" if title == titles[0] else "")
        if published:
            axis.set(xlabel="Label", ylabel="CalibErr")
    return rows


def _legend_below(figure: Figure, axes: Axes) -> None:
    """Put a legend under the figure: models first, then what intervals and marks are."""
    entries = sorted(zip(*axes.get_legend_handles_labels(), strict=True), key=lambda entry: not entry[1][:2].isupper())
    figure.legend(*zip(*entries, strict=True), loc="outside lower center", ncols=4)


def _bars(
    axes: Axes,
    table: Sequence[Mapping[str, Any]],
    models: Sequence[str],
    average: int,
    averages: Sequence[str],
    published: bool,
) -> list[dict]:
    groups: list[tuple[str, Sequence[Mapping[str, Any]]]] = [
        (row["label"].replace(" ", "–"), [row]) for row in table[:5]
    ]
    groups += list(zip(averages, (table[:5], table[:average]), strict=True))
    rows = []
    labels = ("", "") if published else ("interval of Algorithm 2", "error outside its interval")
    for side, model in enumerate(models):
        error, low, high = np.array([averaged_interval(members, model) for _, members in groups]).T
        rows += [
            {"label": label, "model": model, "error": height, "low": end, "high": other}
            for (label, _), height, end, other in zip(groups, error.tolist(), low.tolist(), high.tolist(), strict=True)
        ]
        place = np.arange(len(groups)) + (side - (len(models) - 1) / 2) * (0.72 / len(models))
        style = style_of(model, side)
        axes.bar(
            place,
            error,
            width=0.68 / len(models),
            label=name_of(model),
            linewidth=0.7,
            facecolor=style["color"] if side else "white",
            edgecolor=None if side else style["color"],
            hatch=None if side else "////",
        )
        axes.vlines(place, low.clip(min=0), high.clip(min=0), color=INK, linewidth=0.8, label=labels[0])
        outside = ((error < low) | (error > high)) & (not published)
        axes.plot(place[outside], error[outside], linestyle="", marker="v", color=INK, label=labels[1], zorder=4)
        labels = ("", "")
    axes.set_xticks(range(len(groups)), [label for label, _ in groups], rotation=35, ha="right", rotation_mode="anchor")
    axes.axvline(4.5, color=GREY, linewidth=0.5)
    axes.set_ylim(bottom=0)
    axes.grid(visible=False, axis="x")
    return rows
