"""The items of a corpus, from a user's table or from arrays, and what they are grouped by."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from nlpcalib.errors import InputError, InputFinding, counted, located, quoted, some
from nlpcalib.estimation.borrowing import Groups, grouped
from nlpcalib.examination.alike import examine_alike
from nlpcalib.examination.items import examine_items
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.arrays import as_array, numbers, probabilities
from nlpcalib.predictions.country_answers import ANSWERS_COLUMN, read_country_answers
from nlpcalib.predictions.facts import unlabelled_facts
from nlpcalib.sampling.cells import check_predictions
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.labels import YES_NO_LABELS
from nlpcalib.tables.columns import Texts, codes_of, column_probabilities, ids_of
from nlpcalib.tables.columns import texts as column_texts
from nlpcalib.tables.delimited import is_number
from nlpcalib.tables.distinct import repeated
from nlpcalib.tables.facts import TableFacts
from nlpcalib.tables.names import joined_names, split_names
from nlpcalib.tables.periods import UNITS, period_column, period_of
from nlpcalib.tables.spellings import folded
from nlpcalib.tables.table import ColumnKind, Table

NO_GROUP = "(empty)"
"""The group of items without a value in a column that groups."""


@dataclass(frozen=True, eq=False)
class Items:
    """The N items of a corpus: a user's table, or arrays."""

    place: str
    """What begins messages about them: the name of the file, or `predictions`."""
    ids: Sequence[str]
    """N of them. Items without an id have the numbers of their rows, from 1."""
    frame: Frame
    named: bool = False
    """Whether ids are the user's."""
    table: Table | None = None
    """The table that they were read from."""
    predicted: bool = True
    """Whether the frame has predictions; else each is ½."""

    def column(self, name: str) -> list[str]:
        """Return a column of the table as texts; `InputError` if there is none of this name."""
        if self.table is None:
            raise InputError(f"found by={name!r} with arrays, expected an array of groups")
        if name in UNITS and not self.table.has(name):
            raise self.table.missing(name, f", or {name}(COLUMN) with the name of a column of dates")
        return column_texts(self.table.read({name: "text"})[name])

    def grouping(self, by: Any) -> Grouping:
        """Return the groups that `by` makes.

        Parameters
        ----------
        by : str, sequence of str, array_like of shape (N,), or mapping
            Columns of the table, separated by commas in a text (a name with a comma in quotation marks); of arrays the
            group of each item, or several such arrays by their names.
        """
        if is_ungrouped(by):
            return Grouping((), ())
        if self.table is not None:
            named = {name: self.column(name) for name in grouping_columns(by, self.table)}
        else:
            given = by if isinstance(by, Mapping) else {"by": by}
            named = {name: list(map(str, of_each(values, name, len(self.ids)))) for name, values in given.items()}
        findings = [
            finding for name, values in named.items() for finding in examine_alike(list(dict.fromkeys(values)), name)
        ]
        report_findings(findings, f"{self.place}, by=")
        for name, column in named.items():
            if NO_GROUP in column and not all(map(str.strip, column)):
                raise InputError(f"{self.place}, by={name}: found empty groups and {NO_GROUP!r}, expected one of them")
        values = [[value if value.strip() else NO_GROUP for value in column] for column in named.values()]
        return Grouping(tuple(named), list(zip(*values, strict=True)))

    def place_of(self, column: str) -> str:
        """Return the place of a column, for messages."""
        return f"{self.place}, column {column}" if self.table is not None else column

    def groups(self, grouping: Grouping, borrow: str) -> Groups | None:
        """Return the groups, which may share labels; None without any."""
        if borrow != "none" and not grouping.names:
            raise InputError("found borrow= without groups, expected by=")
        if borrow != "none" and self.frame.unit is not None:
            raise InputError(f"{self.place}: found items in units, expected none to share labels")
        return grouped(grouping.keys, borrow, self.place_of(grouping.names[-1])) if grouping.names else None

    def facts(self, by: Sequence[str] = ()) -> TableFacts | None:
        """Return what the table was taken to be, None for arrays; `by` are columns that it is grouped by."""
        if self.table is None:
            return None
        predictions = ["q"] if self.table.has("q") else []
        columns = [of_dates[1] if (of_dates := period_column(name)) else name for name in by]
        return unlabelled_facts(self.table, predictions, self.frame.q, ["text", *columns], "name it unit")

    def findings(self) -> list[InputFinding]:
        """Return what looks wrong in arrays; the findings of a table are among its facts."""
        columns = []
        if self.frame.texts is not None:
            texts = pa.array(list(self.frame.texts), pa.string()).dictionary_encode()
            columns.append((texts.indices.to_numpy(), texts.dictionary.to_pylist()))
        return examine_items(self.frame.q, unit=self.frame.unit, columns=columns, name="predictions")

    @property
    def texts(self) -> Sequence[str]:
        """The text of each item, empty where there are none."""
        return self.frame.texts or [""] * len(self.ids)


def grouping_columns(by: Any, table: Table) -> list[str]:
    """Return the columns of a table that `by` names, a text with commas or a sequence; `InputError` for values."""
    if isinstance(by, str):
        return [by] if by in table.names else split_names(by)
    names = list(by) if isinstance(by, Sequence) else [by]
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"found values as by= with a table, expected columns of {table.name}")
    return [name for name in names if name]


def is_ungrouped(by: Any) -> bool:
    """Return whether `by` names nothing that groups items."""
    return by is None or (isinstance(by, Sized) and not len(by))


@dataclass(frozen=True)
class Grouping:
    """What items are grouped by."""

    names: tuple[str, ...]
    """K columns; none for the whole corpus alone."""
    keys: Sequence[tuple[str, ...]]
    """The group of each item, K texts; empty without columns."""

    @property
    def with_more_labels(self) -> str:
        """How groups have more labels, in words: by what they may share, and as longer periods."""
        periods = all(map(period_of, {key[-1] for key in self.keys}))
        shared = (
            "borrow=changing-rates shares labels between periods"
            if periods
            else "borrow=same-rates shares labels, if predictions are wrong as often in all groups"
        )
        unit, column = period_column(self.names[-1]) or ("", "")
        longer = dict(pairwise(UNITS)).get(unit)
        if longer is None:
            return shared
        by = joined_names((*self.names[:-1], f"{longer}({column})"))
        return f"{shared}; by={shlex.quote(by)} has longer periods"


def items_of(
    source: Any, match: str = "", *, columns: Mapping[str, str] | None = None, dates: str | None = None,
    unit: Any = None, texts: Any = None, ids: Any = None, values: tuple[float, float] = (0, 1),
    unpredicted: bool = False,
) -> Items:  # fmt: skip
    """Return the items of a table, by its path, or of arrays.

    A table has a column `q`, and optionally `id`, `text`, `unit` and any to group by. With `match`, keywords in texts
    make the predictions, and no `q` is read; of arrays `source` is then None. Items of one `unit`, such as a document,
    are read together. Without `q`, a language model's answers in the column `countries` make it: that of the likeliest
    country (`nlpcalib.predictions.country_answers`). `columns` has what these are called in the file:
    `{"text": "headline"}`. `dates` is how dates are written, see `nlpcalib.tables.dates.date_format`.
    Predictions from one of the `values` to the other are put between 0 and 1. If items may be `unpredicted`, a table
    need not have any.

    Raises `InputError` for a file or predictions of another kind, and for ids that are there twice.
    """
    if isinstance(source, str | Path):
        for name, value in (("unit", unit), ("texts", texts), ("ids", ids)):
            if value is not None:
                raise InputError(f"{name}=: found values beside a table, expected a column of {source}")
        return read_items(source, match, columns, dates, values, unpredicted)
    for name, value in (("columns", columns), ("dates", dates)):
        if value is not None:
            raise InputError(f"found {name}= with arrays, expected it with a table")
    words = None if texts is None else [str(text) for text in as_array(texts, "texts")]
    if match:
        if source is not None or words is None:
            raise InputError("expected match= with texts= and no predictions, which the words make")
        from nlpcalib.systems.text.keywords import keyword_predictions  # predictions of most corpora are a model's

        q = keyword_predictions(words, match)
    else:
        given = as_array(source, "predictions")
        q = check_predictions(
            probabilities(given) if values == (0, 1) else places(numbers(given, "predictions"), values)
        )
    if words is not None and len(words) != len(q):
        raise InputError(f"texts: found {len(words):,}, expected {len(q):,}, as many as predictions")
    named = (
        [str(n) for n in range(1, len(q) + 1)] if ids is None else [str(each) for each in of_each(ids, "ids", len(q))]
    )
    _check_distinct(named, "ids")
    names, codes = named, None
    if unit is not None:
        found, codes = np.unique(of_each(unit, "unit", len(q)), return_inverse=True)
        names = [str(name) for name in found]
    return Items("predictions", named, Frame(names, q, codes, words), ids is not None)


def value_range(values: Any) -> tuple[float, float]:
    """Return the ends of a range of values; `InputError` for others than two finite numbers that rise."""
    found = numbers(as_array(values, "values"), "values").astype(np.float64).ravel().tolist()
    if len(found) != 2 or not found[0] < found[1] or not np.isfinite(found).all():
        raise InputError(
            f"values: found {', '.join(f'{each:g}' for each in found)}, expected the ends of a range: 1, 5"
        )
    return found[0], found[1]


def places(numbers_given: np.ndarray, values: tuple[float, float], what: str = "predictions") -> np.ndarray:
    """Return the place of each number between the two `values`, in [0, 1]; NaN stays. `InputError` for others."""
    low, high = values
    found = np.asarray(numbers_given, dtype=np.float64)
    wrong = np.flatnonzero((found < low) | (found > high))
    if wrong.size:
        raise InputError(f"{what}: found {found.flat[wrong[0]]:g}, expected values from {low:g} to {high:g}")
    return (found - low) / (high - low)


def read_items(
    path: str | Path,
    match: str = "",
    columns: Mapping[str, str] | None = None,
    dates: str | None = None,
    values: tuple[float, float] = (0, 1),
    unpredicted: bool = False,
) -> Items:
    """Return the items of a table; see `items_of`."""
    check_columns(columns, ("id", "q", "text", "unit", "date"))
    table = Table(path, columns=columns, dates=dates)
    kinds: dict[str, ColumnKind] = {"q": "number", "id": "text", "unit": "category", "text": "text"}
    if match:
        del kinds["q"]
    required = "text" if match else "q"
    answered = not match and not table.has("q") and table.has(ANSWERS_COLUMN)
    predicted = table.has(required) or answered
    if not predicted and (match or not unpredicted):
        keywords = ", or match= with keywords of the texts" if table.has("text") else ""
        raise table.missing(required, f", or its name: columns={required}=NAME{keywords}")
    found = table.read({name: kind for name, kind in kinds.items() if table.has(name)})
    numbers = pa.chunked_array([np.arange(1, table.rows + 1)])
    named = table.has("id")
    ids: Sequence[str] = Texts(numbers.cast(pa.string()))
    if named:
        own = ids_of(found["id"].cast(pa.string()), table)
        # Ids that repeat may be those of units: rows are the items then.
        named = not (table.has("unit") and table.own_name("id") == table.own_name("unit") and repeated(own))
        ids = own if named else ids
    _check_distinct(ids, str(path), partial(_rows_of_ids, table))
    names: Sequence[str] = ids
    unit = None
    if table.has("unit"):
        unit, names = codes_of(found["unit"], table, "unit", "unit")
    read: Sequence[str] | None = None
    if table.has("text"):
        read = Texts(found["text"]) if pa.types.is_string(found["text"].type) else column_texts(found["text"])
    if match:
        from nlpcalib.systems.text.keywords import keyword_predictions

        with located(path):
            q = keyword_predictions(read or (), match)
    elif answered:
        q = np.array([max(answer.values(), default=0.0) for answer in read_country_answers(table)])
    elif not predicted:
        q = np.full(table.rows, 0.5)
    elif values == (0, 1):
        q = column_probabilities(_decisions(found["q"], table), table.place)
    else:
        with located(path):
            q = places(found["q"].to_numpy(), values, "q")
    return Items(str(path), ids, Frame(names, q, unit, read), named, table, predicted)


def check_columns(columns: object, known: Sequence[str]) -> None:
    """Raise `InputError` for what names columns of a table by other things than those that are read of it."""
    if columns is None:
        return
    if not isinstance(columns, Mapping):
        raise InputError(f"found columns={columns!r}, expected a mapping such as {{'text': 'headline'}}")
    if strangers := [str(name) for name in columns if name not in known]:
        raise InputError(f"found {some(strangers)} in columns=, expected some of {', '.join(known)}")


def _decisions(column: pa.ChunkedArray, table: Table) -> pa.ChunkedArray:
    """Return a column of yes and no, or of other words for them, as 1 and 0; other columns as they are.

    Raises `InputError`, naming the row, for what is neither next to such words.
    """
    if not pa.types.is_dictionary(column.type):
        return column
    words = column.unify_dictionaries().cast(pa.string())
    said = {word: YES_NO_LABELS.get(folded(word)) for word in words.unique().drop_null().to_pylist()}
    has_words = any(label is not None and not is_number(word) for word, label in said.items())
    if not has_words or any(label is None and is_number(word) for word, label in said.items()):
        return column
    decided = [said.get(word) for word in words.to_pylist()]
    if None in decided:
        row = decided.index(None)
        raise InputError(
            f"{table.place(row)}: found {quoted(words[row].as_py() or '')}, expected yes or no as in others"
        )
    return pa.chunked_array([pa.array(decided, pa.float64())])


def _rows_of_ids(table: Table) -> str:
    """Return how rows of ids that repeat are planned, to end a message with."""
    ids, name = column_texts(table.read({"id": "text"})["id"]), table.own_name("id")
    for other in table.names_with_cells:
        values = [] if other == name else column_texts(table.read({other: "text"})[other])
        if values and 2 * len(set(values)) <= len(ids) == len(set(zip(ids, values, strict=True))):
            return (
                f"; each stands once for each {other}, so rows are the items: columns=unit={name} reads all rows of "
                f"one {name} together, without another column as id"
            )
    return f"; columns=unit={name} reads all rows of one {name} together, without another column as id"


def _check_distinct(ids: Sequence[str], place: str, way_out: Callable[[], str] = str) -> None:
    if again := repeated(ids):
        twice = [name for name, times in Counter(ids).items() if times > 1]
        raise InputError(f"{place}: found {counted(again, 'id')} again, expected each once: {some(twice)}{way_out()}")


def of_each(values: Any, name: str, n: int) -> np.ndarray:
    """Return an array with a value of each of N items; `InputError` for another shape."""
    array = as_array(values, name)
    if array.shape != (n,):
        raise InputError(f"{name}: found an array of shape {array.shape}, expected ({n},) as many as predictions")
    return array
