"""The events of a query, for a page of `nlpcalib.figures.explorer`."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TypedDict

import numpy as np

from nlpcalib.figures.explorer import ExplorerRows
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.tables.periods import period_label, period_number
from reproduction.workflow.typed_csv import read_rows


class _Document(TypedDict):
    document: str
    date: str
    country: str
    probability: float


class _Candidate(TypedDict):
    document: str
    country: str
    probability: float
    text: str


def event_rows(
    path_documents: str | Path, path_events: str | Path, path_pairs: str | Path | None, period: str
) -> ExplorerRows:
    """Return a query's documents and countries, each with the sentence that most probably reports an event.

    Parameters
    ----------
    path_documents : str or Path
        Documents and countries with their probabilities, `document_events.csv`.
    path_events : str or Path
        Candidate events, `events.csv`.
    path_pairs : str or Path, optional
        Pairs with the truth, where it is known. A document and country that is not among them is no event.
    period : str
        A key of `nlpcalib.tables.periods.UNITS`.
    """
    found = read_rows(path_documents, _Document)
    documents, countries = [row["document"] for row in found], [row["country"] for row in found]
    texts: dict[tuple[str, str], tuple[float, str]] = {}
    for row in read_rows(path_events, _Candidate):
        key = row["document"], row["country"]
        texts[key] = max(texts.get(key, (-1.0, "")), (row["probability"], row["text"]), key=lambda found: found[0])
    keys = list(zip(documents, countries, strict=True))
    y = None
    if path_pairs is not None:
        pairs = read_written_pairs(path_pairs)
        if pairs.unit is not None and pairs.predicted is not None:
            true = set(zip(pairs.unit.texts(pairs.y), pairs.predicted.texts(pairs.y), strict=True))
            y = np.array([key in true for key in keys])
    days = [datetime.date.fromisoformat(row["date"]) if row["date"] else None for row in found]
    return ExplorerRows(
        q=np.array([row["probability"] for row in found], dtype=np.float64),
        y=y,
        predicted=countries,
        period=["" if day is None else period_label(period_number(day, period), period) for day in days],
        shown={"document": documents, "text": [texts.get(key, (0.0, ""))[1] for key in keys]},
    )
