"""Errors of the probabilities of phrases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_type_hints

from nlpcalib.figures.style import BLUE, GREEN, GREY, INK, ORANGE, Drawing, LineStyle
from reproduction.figures.panels import page_axes
from reproduction.tagging.phrases import PhraseRow
from reproduction.workflow.typed_csv import read_columns

MIN_SPANS_OF_A_LENGTH = 100

_PHRASE_LINES: dict[tuple[str, str], tuple[str, LineStyle]] = {
    ("product", "temperature"): ("product of tokens", {"color": ORANGE, "marker": "o", "markerfacecolor": "white"}),
    ("minimum", "temperature"): ("minimum of tokens", {"color": GREEN, "marker": "^"}),
    ("mean", "temperature"): ("mean of tokens", {"color": GREY, "marker": "D"}),
    ("exact", "none"): ("exact, as trained", {"color": BLUE, "marker": "s", "linestyle": (0, (4, 2))}),
    ("exact", "temperature"): ("exact", {"color": INK, "marker": "s"}),
}
"""Scores and recalibrations, with what the legend calls them."""


def figure_phrases(phrases: str | Path, *, titles: Sequence[str]) -> Drawing:
    """Draw the rows of a file, a column for each tagger, with these titles."""
    return draw_phrases(read_columns(phrases, get_type_hints(PhraseRow)), titles=titles)


def draw_phrases(rows: Sequence[Mapping], *, titles: Sequence[str]) -> Drawing:
    """Draw the error of spans of the best path by length, a row of axes for each phrase and a column for each model.

    Scores are after one temperature, exact marginals also as trained. Errors of fewer spans than
    `MIN_SPANS_OF_A_LENGTH` are left out.
    """
    rows = [row for row in rows if row["query"] == "best path" and row["number"] >= MIN_SPANS_OF_A_LENGTH]
    rows = [row for row in rows if (row["score"], row["recalibration"]) in _PHRASE_LINES]
    models, names = (list(dict.fromkeys(row[key] for row in rows)) for key in ("model", "phrase"))
    lengths = sorted({row["length"] for row in rows})
    figure, axes = page_axes(len(names), len(models), 3.6, sharex=True, sharey="row")
    for name, across in zip(names, axes, strict=True):
        for model, title, axis in zip(models, titles, across, strict=True):
            for key, (label, style) in _PHRASE_LINES.items():
                line = {
                    row["length"]: row["error"]
                    for row in rows
                    if (row["model"], row["phrase"], (row["score"], row["recalibration"])) == (model, name, key)
                }
                axis.plot([lengths.index(length) for length in line], list(line.values()), label=label, **style)
            axis.set(title=f"{title}: {name}", xticks=range(len(lengths)), xticklabels=lengths)
    for axis in axes[:, 0]:
        axis.set_ylim(bottom=0)
        axis.set_ylabel("calibration error")
    for axis in axes[-1]:
        axis.set_xlabel("tokens of the phrase")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=len(_PHRASE_LINES))
    return figure, rows
