"""What smoothing does to taggers, and regularisation to classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from nlpcalib.calibration.binning import adaptive_bins
from nlpcalib.calibration.intervals import root_mean_square
from nlpcalib.errors import InputError
from nlpcalib.figures.style import GREY, Drawing
from nlpcalib.io.arrays import read_arrays
from reproduction.figures.models import MODEL_STYLES, name_of
from reproduction.figures.panels import page_axes
from reproduction.sentiment.classifier import ClassifierRow
from reproduction.workflow.typed_csv import read_rows
from studies.tuning.candidates import CandidateRow


def figure_smoothing(**candidates: str | Path) -> Drawing:
    """Draw what smoothing does, a column for each tagger of `candidates`."""
    return draw_smoothing({model: read_rows(path, CandidateRow) for model, path in candidates.items()})


def figure_regularisation(
    selections: Sequence[str | Path], candidates: Sequence[str | Path], *, bin_size: int
) -> Drawing:
    """Draw what regularisation does, a column for each table `{model}/selection.csv`.

    The calibration error of each candidate is Algorithm 1's of what it predicts of the development set.

    Raises `InputError` for a table without its chosen value, and for other `candidates` than it has.
    """
    drawn = {}
    for path, path_candidates in zip(selections, candidates, strict=True):
        rows = read_rows(path, ClassifierRow)
        if not any(row["chosen"] for row in rows):
            raise InputError(f"{path}: found no chosen value in {len(rows)} rows, expected one")
        expected = f"expected the predictions of {len(rows)} candidates, and labels"
        arrays = read_arrays(path_candidates, ("q", "y"), expected=expected)
        q, y = arrays["q"], arrays["y"]
        if q.shape != (len(rows), y.size):
            raise InputError(f"{path_candidates}: found predictions of shape {q.shape}; {expected}")
        errors = [root_mean_square(adaptive_bins(each, y, bin_size=bin_size)) for each in q]
        drawn[Path(path).parts[-2]] = [
            {**row, "calibration_error": error} for row, error in zip(rows, errors, strict=True)
        ]
    return draw_regularisation(drawn)


def draw_smoothing(selections: Mapping[str, Sequence[Mapping[str, Any]]]) -> Drawing:
    """Draw accuracy, calibration error and direction on the development set against each model's hyperparameter.

    The values are rows of `studies.tuning.candidates.candidate_rows`; the chosen one is marked.
    """
    measures = {
        "accuracy": "accuracy",
        "calibration_error": "calibration error",
        "underconfident_share": "share of error\nabove the diagonal",
    }
    names = {"hmm": "HMM: pseudocount", "crf": "CRF: L2 coefficient"}
    figure, axes = draw_candidates(selections, measures, names, undecided=0.5)
    axes[1, 0].set_ylim(bottom=0)
    axes[2, 0].set_ylim(0, 1)
    axes[0, 0].set_title("dashed: chosen for accuracy on the development set")
    for level, text in ((0.53, "underconfident"), (0.42, "overconfident")):
        axes[2, 1].annotate(text, (0.98, level), xycoords="axes fraction", ha="right", fontsize=7, color=GREY)
    return figure, [{"model": model, **row} for model, selection in selections.items() for row in selection]


def draw_regularisation(selections: Mapping[str, Sequence[Mapping[str, Any]]]) -> Drawing:
    """Draw F1, calibration error and excess confidence on the development set against each model's hyperparameter.

    The values are rows of `reproduction.sentiment.training.write_selection`; the chosen one is marked.
    """
    ordered = {model: sorted(rows, key=lambda row: row["value"]) for model, rows in selections.items()}
    measures = {
        "f1": "F1",
        "calibration_error": "calibration error",
        "excess_confidence": "mean confidence\n− accuracy",
    }
    names = {"naive_bayes": "pseudocount", "logistic_regression": "C"}
    titles = {model: f"{name_of(model)}: {names[model]}" for model in ordered}
    figure, axes = draw_candidates(ordered, measures, titles, undecided=0)
    axes[0, 0].set_ylim(0, 1)
    axes[1, 0].set_ylim(bottom=0)
    axes[0, 0].set_title("dashed: chosen for F1 on the development set")
    return figure, [{"model": model, **row} for model, rows in ordered.items() for row in rows]


def draw_candidates(
    selections: Mapping[str, Sequence[Mapping[str, Any]]],
    measures: Mapping[str, str],
    names: Mapping[str, str],
    *,
    undecided: float,
) -> tuple[Figure, np.ndarray]:
    """Draw three measures, a row of axes for each, against the hyperparameter of each model, a column for each.

    The chosen value is marked, and of the last measure, a direction, the value that is `undecided`.
    """
    figure, axes = page_axes(3, len(selections), 4.6, sharex="col", sharey="row")
    for column, (model, selection) in zip(axes.T, selections.items(), strict=True):
        value = np.array([row["value"] for row in selection])
        chosen = [row["chosen"] for row in selection].index(True)
        for axis, (measure, label) in zip(column, measures.items(), strict=True):
            height = np.array([row[measure] for row in selection], np.float64)
            axis.axvline(value[chosen], color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
            axis.plot(value, height, **MODEL_STYLES[model], clip_on=False)
            axis.set(xscale="log", ylabel=label if axis in axes[:, 0] else "")
        column[2].set_xlabel(names[model])
        column[2].axhline(undecided, color=GREY, linewidth=0.5)
    return figure, axes
