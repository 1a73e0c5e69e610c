"""Figure 5 of the paper, and exact marginals next to sampled ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap

from nlpcalib.calibration.summary import Calibration, measure_calibration, summary_errors
from nlpcalib.figures.reliability import (
    curve_rows,
    describe_error,
    draw_reliability,
    format_error,
    is_skewed,
    match_width,
)
from nlpcalib.figures.style import BLUE, GREY, INK, LIGHT, NEUTRAL_STYLE, ORANGE, PAGE_WIDTH, Drawing, LineStyle
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.coref.sampling import sampled_pairs, sampling_row
from reproduction.figures.models import describe_published, name_of, paths_of, read_calibration
from reproduction.figures.panels import draw_stages, panel_letters
from reproduction.figures.published import draw_published_curves
from reproduction.workflow.typed_csv import read_columns

_COUNTS = LinearSegmentedColormap.from_list("counts", (LIGHT, INK))
"""Colours of one pair, which is to look unlike none, to many."""


def figure_5(
    pairs: Sequence[str | Path],
    calibrations: Sequence[str | Path],
    perfect: Sequence[str | Path],
    *,
    models: Sequence[str],
    other_pairs: str | Sequence[str] = (),
    other_calibrations: str | Sequence[str] = (),
    names: Sequence[str] = (),
    published: bool = False,
) -> Drawing:
    """Draw Figure 5, a column for each of `models`, with the errors that perfect models would show.

    Each has its table of pairs and the calibration that was measured of it. Other systems, with `names`, stand next to
    them; what perfect ones would show is not known.
    """
    errors = [
        np.array([row["error"] for row in read_columns(path, {"genre": str, "error": float}) if row["genre"] == "all"])
        for path in perfect
    ]
    tables = (*pairs, *paths_of(other_pairs)), (*calibrations, *paths_of(other_calibrations))
    drawn = dict(zip((*models, *names), map(read_calibration, *tables), strict=True))
    return draw_figure_5(drawn, dict(zip(models, errors, strict=True)), published=published)


def figure_coref_recalibration(
    before: Sequence[str | Path],
    after: Sequence[str | Path],
    *,
    models: Sequence[str],
    bin_size: int,
    samples: int,
    seed: int,
) -> Drawing:
    """Draw Figure 5 before and after antecedents are weighed, a panel for each of `models`."""
    measured = partial(_measured, bin_size=bin_size, samples=samples, seed=seed)
    stages, titles = {}, {}
    for number, (model, *paths) in enumerate(zip(models, before, after, strict=True)):
        first, second = stages[model] = measured(paths[0]), measured(paths[1])
        errors = [format_error(summary_errors(stage.summary)["error"]) for stage in (first, second)]
        titles[model] = (
            f"({panel_letters(number)}) {name_of(model)}\nbias-corrected error\n{errors[0]} before, {errors[1]} after"
        )
    return draw_stages(stages, titles, dict.fromkeys(models, NEUTRAL_STYLE), height=2.9, fontsize=7.5)


def _measured(path: str | Path, *, bin_size: int, samples: int, seed: int) -> Calibration:
    """Return the calibration of a table of pairs."""
    return measure_calibration(read_written_pairs(path), bin_size=bin_size, samples=samples, seed=seed, by_class=[])


def figure_sampling(
    model: str | Path, documents: Sequence[str | Path], *, mentions: str, samples: int, seed: int
) -> Drawing:
    """Draw exact pair marginals next to estimates from `samples` samples, and from 10 and 100 if it is more."""
    (path,) = documents
    resolutions = resolve(read_conllu(path), load_model(model), mentions=mentions)
    conditionals = [(resolution.document.id, resolution.conditionals) for resolution in resolutions]
    errors = []
    for number in (*(size for size in (10, 100) if size < samples), samples):
        exact, sampled = sampled_pairs(conditionals, number, seed)
        errors.append(sampling_row(exact, sampled, number))
    return draw_sampling(exact, sampled, errors, number)


def draw_figure_5(
    calibrations: Mapping[str, Calibration], perfect: Mapping[str, np.ndarray], *, published: bool = False
) -> Drawing:
    """Draw each model's calibration over all pairs of mentions (paper, Figure 5), and what a perfect model would show.

    `perfect` has the calibration errors of labels drawn from each model, `(replicates,)`, if its samples are known.
    `published` has the first model's curve alone.
    """
    if published:
        return draw_published_curves({"": next(iter(calibrations.values())).bins})
    columns = len(calibrations)
    figure, axes = plt.subplots(
        3,
        columns,
        # One panel has more width than height for its square curve at 4.4, which the axes below would exceed.
        figsize=(PAGE_WIDTH * max(min(0.27 * columns + 0.08, 1.0), 0.25 * columns), 4.8 if columns == 1 else 4.4),
        height_ratios=(4, 1, 1.2),
        layout="constrained",
        squeeze=False,
    )
    rows: list[dict] = []
    stretched = any(map(is_skewed, calibrations.values()))
    for number, (model, calibration) in enumerate(calibrations.items()):
        curve, distribution, errors = axes[:, number]
        draw_reliability(curve, distribution, calibration, stretched=stretched, **NEUTRAL_STYLE)
        curve.set_title(
            f"({panel_letters(number)}) {name_of(model)}\n{calibration.summary['n']:,} pairs\n"
            + describe_error(calibration).removeprefix("calibration "),
            fontsize=7.5,
        )
        drawn = perfect.get(model, np.empty(0))
        if drawn.size:
            errors.hist(drawn, bins=20, color=LIGHT)
        published_error = summary_errors(calibration.summary)["published_error"]
        errors.axvline(published_error, color=ORANGE, linewidth=1.4)
        errors.set(xlabel="calibration error", xlim=(0, None if drawn.size else 1.3 * published_error), yticks=[])
        match_width(errors, curve)
        errors.locator_params(axis="x", nbins=4)
        errors.spines["left"].set_visible(False)
        line = f"as published {describe_published(calibration)}"
        errors.set_title(f"{line}\n(line)" + ", perfect model (bars)" * bool(drawn.size), fontsize=6.5)
        curve.tick_params(axis="x", labelbottom=False)  # the histogram below has the same
        for axis in (curve, distribution):
            axis.set_ylabel(axis.get_ylabel() if number == 0 else "")
        rows += curve_rows(calibration, stretched=stretched, model=model)
        rows += [
            {**dict.fromkeys(rows[0]), "model": model, "series": "perfect model", "bin": replicate, "q_min": error}
            for replicate, error in enumerate(drawn.tolist())
        ]
    return figure, rows


def draw_sampling(
    exact: np.ndarray, sampled: np.ndarray, errors: Sequence[Mapping[str, float]], samples: int
) -> Drawing:
    """Draw sampled estimates of pair marginals against the exact values, and how their error falls with samples.

    `exact` and `sampled` are the marginals of all pairs, `(P,)`, `errors` a row per number of samples, see
    `reproduction.coref.sampling.sampling_row`.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(PAGE_WIDTH * 0.8, 2.8), layout="constrained")
    image = left.hexbin(
        exact, sampled, gridsize=60, bins="log", mincnt=1, cmap=_COUNTS, linewidths=0.1, extent=(0, 1, 0, 1)
    )
    left.plot([0, 1], [0, 1], color=ORANGE, linewidth=0.7)
    left.set(aspect="equal", xlabel="exact marginal", ylabel=f"estimate from {samples:,} samples", title="(a)")
    figure.colorbar(image, ax=left, label="pairs", shrink=0.9)
    number = [row["samples"] for row in errors]
    curves: tuple[tuple[str, str, LineStyle], ...] = (
        ("largest", "largest error", {"marker": "^", "color": GREY}),
        ("rmse", "RMSE", {"marker": "s", "color": BLUE}),
        ("independent_rmse", "RMSE of independent samples", {"linestyle": (0, (4, 3)), "color": ORANGE}),
    )
    for column, label, style in curves:
        right.plot(number, [row[column] for row in errors], label=label, **style)
    right.set(xscale="log", yscale="log", xlabel="samples", ylabel="error of marginals", title="(b)")
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower right", ncols=3)
    return figure, [dict(row) for row in errors]
