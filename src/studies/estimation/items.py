"""Documents as items to read: the probability of an event of any country, and of each of some countries.

Any country comes first: documents are drawn by its probability, and reading one answers for all countries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_path, check_file
from nlpcalib.io.parquet import PARQUET_OPTIONS
from nlpcalib.sampling.cells import check_predictions
from nlpcalib.sampling.frame import Frame
from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.learn.labels import EventLabel
from nlpcalib.tables.periods import UNITS, period_label, period_start

ANY = "any"
"""The group of any country; codes of countries are in capitals."""
_TEXTS = ("id", "period", "start")


@dataclass(frozen=True, eq=False)
class EventItems:
    """D documents, and G groups: any country, then some countries."""

    documents: tuple[str, ...]
    """Ids, D of them, sorted."""
    period: np.ndarray
    """int64 (D,): the number of each document's period, from 0 for the first."""
    periods: tuple[str, ...]
    """The names of all periods, from the first document's to the last one's."""
    starts: tuple[str, ...]
    """Their first days."""
    groups: tuple[str, ...]
    """`ANY` and codes."""
    q: np.ndarray
    """float64 (G, D): the probability of an event of each group."""

    @property
    def frame(self) -> Frame:
        """What is drawn from: documents, by the probability of any country."""
        return Frame(self.documents, self.q[0])

    def first_groups(self, number: int) -> EventItems:
        """Return the items with the first groups only."""
        return replace(self, groups=self.groups[:number], q=self.q[:number])


def labels_of_groups(labels: Mapping[str, EventLabel], documents: Sequence[str], groups: Sequence[str]) -> np.ndarray:
    """Return the labels of each group, any country first, for some documents: float64 (G, n), NaN where it is open."""
    y = np.empty((len(groups), len(documents)))
    for column, name in enumerate(documents):
        label = labels[name]
        if isinstance(label, frozenset):
            y[0, column] = bool(label)
            y[1:, column] = [code in label for code in groups[1:]]
        else:
            y[:, column] = np.nan
            if label:
                y[0, column] = 1
    return y


def event_items(
    documents: Sequence[str], dates: np.ndarray, events: EventTable, countries: Sequence[str], unit: str
) -> EventItems:
    """Return the items of a corpus.

    Parameters
    ----------
    documents : sequence of str
        Ids of all documents, also of those without a possible event.
    dates : ndarray of datetime64
        Their dates.
    events : EventTable
        The rows of those that may have events: documents, not entities, are counted. An event of any country is one in
        a sample of the document's entities.
    countries : sequence of str
        Codes of the countries that have a group.
    unit : str
        A key of `nlpcalib.tables.periods.UNITS`.

    Raises `InputError` for documents that are there twice and rows of documents that are not there.
    """
    order = np.argsort(np.array(documents, dtype=np.str_), kind="stable")
    ids = tuple(documents[place] for place in order)
    row = {name: number for number, name in enumerate(ids)}
    if len(row) < len(ids):
        raise InputError(f"documents: found {len(ids) - len(row)} again, expected each once")
    strange = [name for name in events.documents.tolist() if name not in row]
    if strange:
        raise InputError(f"events: found document {strange[0]!r}, expected one of the corpus")
    place = np.array([row[name] for name in events.documents.tolist()], dtype=np.int64)
    q = np.zeros((1 + len(countries), len(ids)))
    named, where = np.unique(place, return_inverse=True)
    happened = np.zeros((len(named), events.samples.shape[1]), dtype=bool)
    np.logical_or.at(happened, where, events.samples > 0)
    q[0, named] = happened.mean(axis=1)
    for number, country in enumerate(countries, 1):
        own = events.countries == country
        q[number, place[own]] = events.probabilities[own]
    return _of_periods(ids, dates[order], unit, (ANY, *countries), q)


def _of_periods(
    ids: tuple[str, ...], dates: np.ndarray, unit: str, groups: tuple[str, ...], q: np.ndarray
) -> EventItems:
    ordinal = (dates.astype("datetime64[M]").astype(np.int64) + 12 * 1970) // UNITS[unit]
    every = range(int(ordinal.min()), int(ordinal.max()) + 1) if len(ordinal) else range(0)
    labels = tuple(period_label(number, unit) for number in every)
    starts = tuple(period_start(number, unit) for number in every)
    return EventItems(ids, ordinal - every.start, labels, starts, groups, q)


def write_items(path: str | Path, items: EventItems) -> None:
    """Write items as a table that `nlpcalib plan items` and `estimate` read too: `id`, `q`, `period` and groups.

    `q` is that of any country; each country has a column of its own.
    """
    columns = {
        "id": pa.array(items.documents, pa.string()),
        "period": pa.array([items.periods[number] for number in items.period], pa.string()),
        "start": pa.array([items.starts[number] for number in items.period], pa.string()),
        "q": pa.array(items.q[0]),
        **{name: pa.array(row) for name, row in zip(items.groups[1:], items.q[1:], strict=True)},
    }
    with atomic_path(path) as temporary:
        pa.parquet.write_table(pa.table(columns), temporary, **PARQUET_OPTIONS)


def read_event_items(path: str | Path, unit: str) -> EventItems:
    """Read what `write_items` wrote, with periods of `unit`; raises `InputError` for another table."""
    check_file(path)
    try:
        with pyarrow.parquet.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read()
        table.validate(full=True)
        texts = [table[name].cast(pa.string()).to_pylist() for name in ("id", "start")]
        countries = [name for name in table.column_names if name not in _TEXTS and name != "q"]
        q = np.stack([table[name].cast(pa.float64()).to_numpy() for name in ("q", *countries)])
        dates = np.array(texts[1], dtype="datetime64[D]")
        check_predictions(q.ravel())
        if np.isnat(dates).any() or None in texts[0]:
            raise ValueError("found rows without id or start")
    except (pa.ArrowException, InputError, KeyError, OSError, ValueError) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0]}, expected items of events") from None
    return _of_periods(tuple(texts[0]), dates, unit, (ANY, *countries), q)
