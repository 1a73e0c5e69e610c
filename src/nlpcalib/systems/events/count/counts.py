"""Documents with an event, counted by country and period in every sample of the documents' entities.

With the probability p_d that document d has an event of a country, the count n of its documents in a period is a sum of
independent Bernoulli variables (Poisson-binomial): E n = Σ_d p_d, Var n = Σ_d p_d (1 − p_d). Counts are whole numbers,
so neither the order of documents nor their division into shards changes them.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.estimation.levels import CERTAIN, Levels
from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.tables.periods import UNITS, period_label


@dataclass(frozen=True, eq=False)
class EventTable:
    """A row for each document and country, with the probability that the document reports an event of the country.

    Documents that cannot have a country's event need no row. If entities are counted instead (paper, footnote 11),
    `map_event` and `samples` are their numbers.
    """

    documents: np.ndarray
    """Ids, str (R,)."""
    dates: np.ndarray
    """datetime64 (R,)."""
    countries: np.ndarray
    """Codes, str (R,)."""
    probabilities: np.ndarray
    """float64 (R,)."""
    map_event: np.ndarray
    """bool or integer (R,): whether the 1-best clustering has the event."""
    samples: np.ndarray
    """bool or integer (R, S), S ≥ 2: whether each sampled clustering has it."""
    wordless: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """bool (R,): whether the document has no keyword of the model that read it; by default all have one."""

    @classmethod
    def of(cls, events: Iterable[EventProbability], wordless: Collection[str] = ()) -> EventTable:
        """Return a row for each event, with numbers of entities; `wordless` are documents without a keyword."""
        found = list(events)
        documents = np.array([event.document for event in found], dtype=np.str_)
        return cls(
            documents,
            np.array([event.date for event in found], dtype="datetime64[D]"),
            np.array([event.country for event in found], dtype=np.str_),
            np.array([event.probability for event in found], dtype=np.float64),
            np.array([event.map_event for event in found], dtype=np.int16),
            np.array([event.samples for event in found]) if found else np.zeros((0, 2), dtype=np.int16),
            np.isin(documents, sorted(wordless)),
        )

    def __post_init__(self) -> None:
        """Raise `InputError` for columns of different lengths, numbers outside [0, 1], and duplicate rows."""
        rows = len(self.documents)
        if not len(self.wordless):
            object.__setattr__(self, "wordless", np.zeros(rows, dtype=bool))
        for name in ("dates", "countries", "probabilities", "map_event", "wordless"):
            if getattr(self, name).shape != (rows,):
                raise InputError(f"events: found {name} of shape {getattr(self, name).shape}, expected ({rows},)")
        if self.samples.ndim != 2 or len(self.samples) != rows or self.samples.shape[1] < 2:
            raise InputError(f"events: found samples of shape {self.samples.shape}, expected ({rows}, 2 or more)")
        # The comparison fails for NaN.
        wrong = np.flatnonzero(~((self.probabilities >= 0) & (self.probabilities <= 1)))
        if wrong.size:
            raise InputError(
                f"events: found the probability {self.probabilities[wrong[0]]} of document "
                f"{str(self.documents[wrong[0]])!r} and country {str(self.countries[wrong[0]])!r}, expected 0 to 1"
            )
        pairs = Counter(zip(self.documents.tolist(), self.countries.tolist(), strict=True))
        for (document, country), number in pairs.most_common(1):
            if number > 1:
                raise InputError(
                    f"events: found two rows of document {document!r} and country {country!r}, expected one"
                )

    @property
    def of_documents(self) -> EventTable:
        """The same rows, with documents counted instead of entities."""
        return dataclasses.replace(self, map_event=self.map_event > 0, samples=self.samples > 0)

    def rows(self, wanted: np.ndarray) -> EventTable:
        """Return the wanted rows, given by a mask or by indices."""
        return EventTable(*(getattr(self, each.name)[wanted] for each in dataclasses.fields(self)))

    @classmethod
    def joined(cls, tables: Sequence[EventTable]) -> EventTable:
        """Return the rows of one or more tables, sorted by document and country."""
        columns = {each.name: [getattr(table, each.name) for table in tables] for each in dataclasses.fields(cls)}
        samples = max(table.samples.shape[1] for table in tables)
        columns["samples"] = [each if len(each) else np.zeros((0, samples), each.dtype) for each in columns["samples"]]
        whole = cls(**{name: np.concatenate(arrays) for name, arrays in columns.items()})
        return whole.rows(np.lexsort((whole.countries, whole.documents)))


@dataclass(frozen=True, eq=False)
class Cell:
    """The counts of one country in one period."""

    samples: np.ndarray
    """int64 (S,): n in each sample."""
    map_count: int
    """n in the 1-best clusterings."""
    probabilities: np.ndarray
    """float64 (R,): probabilities of the documents with a row for the country."""
    wordless: np.ndarray
    """bool (R,): whether each has no keyword."""

    def __add__(self, other: Cell) -> Cell:
        """Return the counts of both parts of a corpus."""
        q, wordless = ((self.probabilities, other.probabilities), (self.wordless, other.wordless))
        samples, best = self.samples + other.samples, self.map_count + other.map_count
        return Cell(samples, best, np.concatenate(q), np.concatenate(wordless))


NOTHING = Cell(np.zeros(2, dtype=np.int64), 0, np.empty(0), np.empty(0, dtype=bool))
"""The cell of a country without rows."""


@dataclass(frozen=True, eq=False)
class EventCounts:
    """Counts of a whole corpus, independent of the order of documents and parts."""

    unit: str
    """One of `UNITS`."""
    documents: Mapping[int, int]
    """Number of documents by number of the period."""
    cells: Mapping[tuple[str, int], Cell]
    """Cells by country and number of the period; a missing cell means `NOTHING`."""
    levels: Levels = CERTAIN
    """What documents share: the errors of the levels of a model's probabilities."""

    @property
    def countries(self) -> tuple[str, ...]:
        """The countries with rows, sorted by their number of events over all samples, most frequent first."""
        total: Counter[str] = Counter()
        for (country, _), cell in self.cells.items():
            total[country] += int(cell.samples.sum())
        return tuple(sorted(total, key=lambda country: (-total[country], country)))

    def together(self, cells: Iterable[Cell]) -> PoissonBinomial:
        """Return the distribution of the events of several cells, or of one, with what their documents share."""
        every = [NOTHING, *cells]
        q, wordless = [cell.probabilities for cell in every], [cell.wordless for cell in every]
        return self.levels.count(np.concatenate(q), np.concatenate(wordless))


def count_events(
    parts: Iterable[tuple[np.ndarray, EventTable]],
    unit: str,
    *,
    levels: Levels = CERTAIN,
) -> EventCounts:
    """Count documents and their events by country and period.

    Parameters
    ----------
    parts : iterable of (dates, EventTable)
        Parts of a corpus, such as shards: the dates of all documents of the part, datetime64 (D,), and the rows of
        those that may have events. Memory holds one part at a time, countries × periods × S counts, and 9 bytes for
        each row, its probability and whether it has a keyword.
    unit : str
        One of `UNITS`.
    levels : Levels
        What documents share, see `EventCounts`.

    Raises `InputError` for an unknown unit, a missing date, parts with different numbers of samples, and a period
    with more documents in the rows than in the corpus.
    """
    if unit not in UNITS:
        raise InputError(f"periods: found {unit!r}, expected one of {', '.join(UNITS)}")
    documents: Counter[int] = Counter()
    cells: dict[tuple[str, int], Cell] = {}
    sizes = set()
    for dates, events in parts:
        _add_documents(documents, dates, events, unit)
        if len(events.documents):
            sizes.add(events.samples.shape[1])
            if len(sizes) > 1:
                found = f"{min(sizes)} and {max(sizes)} samples"
                raise InputError(f"events: found {found}, expected one number in all parts")
            for key, cell in _cells(events, unit):
                cells[key] = cells[key] + cell if key in cells else cell
    return EventCounts(unit, documents, cells, levels)


def _add_documents(documents: Counter[int], dates: np.ndarray, events: EventTable, unit: str) -> None:
    here = Counter(ordinals(dates, unit).tolist())
    _, rows = np.unique(events.documents, return_index=True)
    for period, number in Counter(ordinals(events.dates[rows], unit).tolist()).items():
        if number > here[period]:
            raise InputError(
                f"events: found {number} documents with events in {period_label(period, unit)}, expected at most "
                f"the {here[period]} of the corpus"
            )
    documents.update(here)


def _cells(events: EventTable, unit: str) -> Iterable[tuple[tuple[str, int], Cell]]:
    countries, country = np.unique(events.countries, return_inverse=True)
    periods, period = np.unique(ordinals(events.dates, unit), return_inverse=True)
    order = np.lexsort((period, country))
    country, period = country[order], period[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(country) != 0) | (np.diff(period) != 0)])
    samples = np.add.reduceat(events.samples[order], starts, axis=0, dtype=np.int64)
    best = np.add.reduceat(events.map_event[order], starts, dtype=np.int64)
    probabilities, wordless = (np.split(each[order], starts[1:]) for each in (events.probabilities, events.wordless))
    for number, start in enumerate(starts):
        key = str(countries[country[start]]), int(periods[period[start]])
        yield key, Cell(samples[number], int(best[number]), probabilities[number], wordless[number])


def ordinals(dates: np.ndarray, unit: str) -> np.ndarray:
    """Return the number of each day's period; raise `InputError` for a missing day."""
    if np.isnat(dates).any():
        raise InputError(f"dates: found none in row {np.flatnonzero(np.isnat(dates))[0]}, expected one in each row")
    return (dates.astype("datetime64[M]").astype(np.int64) + 12 * 1970) // UNITS[unit]
