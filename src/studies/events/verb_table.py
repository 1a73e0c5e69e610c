"""What samples miss of a query's true events, and what is left of the bias of counts after recalibration."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.questions.recalibrate import recalibrate_predictions
from nlpcalib.tables.periods import period_label, period_number
from reproduction.events.series import SeriesRow
from reproduction.events.truth import read_truth
from reproduction.workflow.table_files import TitledRows, numbers
from reproduction.workflow.typed_csv import read_rows

VERB_FOLDS = 5


def verb_table(
    documents: Sequence[str],
    series: Sequence[str],
    truth: Sequence[str],
    pairs: Sequence[str],
    coverage: Sequence[str],
    *,
    names: Sequence[str],
    units: Sequence[str],
    seed: int,
) -> list[TitledRows]:
    """Return a row for each of the `names`, dataset and query joined by a slash; `units` are their periods.

    A document has one date in all datasets of the same reports, so that `documents` are those of all datasets.
    """
    dates = {row["document"]: datetime.date.fromisoformat(row["date"]) for path in documents for row in read_csv(path)}
    rows = []
    for name, unit, *paths in zip(names, units, series, truth, pairs, coverage, strict=True):
        dataset, query = name.split("/")
        path_series, path_truth, path_pairs, path_coverage = paths
        periods = {document: period_label(period_number(date, unit), unit) for document, date in dates.items()}
        found = verb_row(
            read_written_pairs(path_pairs), periods, read_rows(path_series, SeriesRow), read_truth(path_truth), seed
        )
        row: dict[str, object] = {"dataset": dataset, "query": query, **found}
        for held in map(numbers, read_csv(path_coverage)):
            if held["kind_of_cell"] == "uncertain" and held["interval"] != "map":
                kind = str(held["interval"])
                row |= {"cells": held["cells"], kind: held["coverage"], f"{kind}_expected": held["expected"]}
                row[f"{kind}_width"] = held["width"]
        rows.append(row)
    columns = dict.fromkeys(column for row in rows for column in row)
    return [("What samples miss, query by query", [{**dict.fromkeys(columns), **row} for row in rows])]


def verb_row(
    pairs: Pairs,
    periods: Mapping[str, str],
    series: Sequence[SeriesRow],
    truth: Mapping[tuple[str, str], int],
    seed: int,
) -> dict[str, float | None]:
    """Return how many true events no sample has, and the bias of the mean count in cells with an uncertain count.

    Parameters
    ----------
    pairs : Pairs
        Probabilities of events with the country as label and the document as unit.
    periods : mapping
        The period of each document.
    series, truth
        As `reproduction.events.coverage.count_coverage_rows` takes them.

    Returns
    -------
    dict
        `true_events`, `never_seen`, `bias`, and `recalibrated_bias`: with the probabilities of the default map, learned
        from the truth about the other documents in five folds, None where there are too few.
    """
    if pairs.predicted is None or pairs.unit is None:
        raise InputError("pairs of events: found no label or no unit, expected countries and documents")
    cells = list(zip(pairs.predicted.texts(), map(periods.__getitem__, pairs.unit.texts()), strict=True))
    uncertain = {(row["country"], row["period"]) for row in series if row["exact_sd"] > 0}
    counted = np.array([cell in uncertain for cell in cells], dtype=bool)
    true = sum(truth.get(cell, 0) for cell in uncertain)
    try:
        recalibrated = recalibrate_predictions(pairs, folds=VERB_FOLDS, seed=seed).q
    except InputError:
        recalibrated = None
    every = sum(truth.values())
    return {
        "true_events": every,
        "never_seen": every - int((pairs.y & (pairs.q > 0)).sum()),
        "bias": float(pairs.q[counted].sum() - true) / len(uncertain) if uncertain else None,
        "recalibrated_bias": None
        if recalibrated is None or not uncertain
        else float(recalibrated[counted].sum() - true) / len(uncertain),
    }
