"""The chapters that claims are about: who judges each, what its tables hold, and the words of the page of verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from nlpcalib.io.html_table import Legend
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.claims import coref, events, extraction_eval, known_truth, sentiment, simulation, tagging, thesis
from reproduction.claims.verdicts import (
    AS_IN_THE_PAPER,
    DIFFERS,
    DRAWS_WANTING,
    NOT_APPLICABLE,
    REPRODUCED,
    SYNTHETIC,
    UNDECIDED,
    ResultRow,
)
from reproduction.workflow.typed_csv import read_columns

CHAPTERS: dict[str, ModuleType] = {
    "sentiment": sentiment,
    "tagging": tagging,
    "thesis": thesis,
    "tweets": thesis,
    "coref": coref,
    "events": events,
    "extraction_eval": extraction_eval,
    "synthetic": simulation,
    "known_truth": known_truth,
}
"""Each chapter's module: `TABLES` with the types of their columns, and a function for each judge of a claim."""

JudgedTables = tuple[str, str, Mapping[str, str], Mapping[str, Any]]
"""A chapter, a dataset, the paths of its tables by their names, and facts about it."""

_VERDICT_COLOURS = {
    REPRODUCED: "#b9dcc4",
    AS_IN_THE_PAPER: "#c3cfe0",
    DIFFERS: "#f1c9a5",
    UNDECIDED: "#e4e4e4",
    DRAWS_WANTING: "#ece3f0",
    NOT_APPLICABLE: "#f6f6f6",
}
WITHOUT_TEXT = {
    SYNTHETIC: "simulated probabilities and labels",
    "known_truth": "methods, on simulated probabilities and labels; times",
}
"""Datasets of claims that need no text, and what they are."""


def read_judged_table(path: str, columns: Mapping[str, Any] | None) -> Sequence[ResultRow]:
    """Read a table with the types of its columns, or pairs."""
    if not path.endswith(".parquet"):
        return read_columns(path, columns or simulation.SCORE_COLUMNS)
    pairs = read_written_pairs(path)
    return [{"q": q, "y": y} for q, y in zip(pairs.q.tolist(), pairs.y.tolist(), strict=True)]


def verdict_legend(judged: Sequence[JudgedTables], simulated: Sequence[str]) -> Legend:
    """Return the colours of verdicts, and what words of the page mean: the draws, and each dataset."""
    words = {"draws": "the same text, simulated with ten other seeds"}
    for _, dataset, *_ in judged:
        chapters = ", ".join(dict.fromkeys(chapter for chapter, other, *_ in judged if other == dataset))
        text = "simulated" if dataset.partition("/")[0] in simulated else "real"
        words[dataset] = WITHOUT_TEXT.get(dataset, f"{chapters}; {text} text")
    return Legend("verdict", _VERDICT_COLOURS, words)
