"""What more parsers bring where the truth is known: intervals that hold, and fewer events that no sample has."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping

import numpy as np

from nlpcalib.events.count.counts import EventTable, count_events
from nlpcalib.events.count.series import series
from nlpcalib.tables.periods import period_label
from reproduction.events.coverage import coverage_rows
from reproduction.events.truth import true_counts


def first_parsers(events: EventTable, parsers: int, first: int) -> EventTable:
    """Return the rows with the samples of the first parsers only, if sample s is of parser s mod `parsers`."""
    samples = events.samples[:, np.arange(events.samples.shape[1]) % parsers < first]
    return dataclasses.replace(events, samples=samples, probabilities=(samples > 0).mean(axis=1))


def parser_rows(
    events: EventTable,
    parsers: int,
    dates: np.ndarray,
    truth: Mapping[tuple[str, str], datetime.date],
    unit: str,
) -> list[dict]:
    """Return a row for the first parser, the first two and so on, up to all of them.

    Parameters
    ----------
    events : EventTable
        With entities or documents counted.
    parsers : int
        How many parsers have read the documents.
    dates : ndarray of datetime64
        Of all documents.
    truth : mapping
        True events, as `reproduction.events.truth.true_events` returns them.
    unit : str
        A key of `nlpcalib.tables.periods.UNITS`.

    Returns
    -------
    list of dict
        `parsers`; `true_events` and `never_seen`, those of them that no sample has; `disagreement`, the share of rows
        of which one parser gives more than one half and another one less; and of cells with an uncertain count `cells`,
        the share whose `published` and `exact` interval holds the truth, each with what is `expected` of it, and the
        mean `width` of the exact one. What needs two countries and two periods is None where there are fewer.
    """
    counts = {
        (country, period_label(period, unit)): number for (country, period), number in true_counts(truth, unit).items()
    }
    rows = []
    for first in range(1, parsers + 1):
        own = first_parsers(events.of_documents, parsers, first)
        found = own.samples.any(axis=1)
        seen = set(zip(own.documents[found].tolist(), own.countries[found].tolist(), strict=True))
        shares = own.samples.reshape(len(own.documents), -1, first).mean(axis=1)
        apart = (shares.max(axis=1, initial=0) > 0.5) & (shares.min(axis=1, initial=1) < 0.5)
        posterior = series(count_events([(dates, own)], unit))
        held = {row["interval"]: row for row in coverage_rows(posterior, counts) if row["kind_of_cell"] == "uncertain"}
        row = {
            "parsers": first,
            "true_events": len(truth),
            "never_seen": len(truth.keys() - seen),
            "disagreement": float(apart.mean()) if len(apart) else None,
            "cells": held["exact"]["cells"] if held else None,
        }
        for interval in ("published", "exact"):
            row[interval] = held[interval]["coverage"] if held else None
            row[f"{interval}_expected"] = held[interval]["expected"] if held else None
        rows.append(row | {"width": held["exact"]["width"] if held else None})
    return rows
