"""Predictions in a table, with labels in its columns or in other files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa

from nlpcalib.calibration.pairs import Categories
from nlpcalib.errors import InputError, argument, located, other_readers, some
from nlpcalib.examination.predictions import check_confidence
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.answered import Found, Gap, none_of
from nlpcalib.predictions.class_columns import possible_classes
from nlpcalib.predictions.examine import examine_table
from nlpcalib.predictions.label_files import KeyedRows, of_files, shared_key
from nlpcalib.predictions.labels import answer_words, notes_on_labels, of_cells, of_values, possible_answers
from nlpcalib.predictions.options import Options, record_of, with_design
from nlpcalib.predictions.predictions import Predictions, RowNumbers
from nlpcalib.predictions.scales import AnswerScale
from nlpcalib.predictions.table import (
    ChosenColumns,
    categories,
    columns_of_probabilities,
    find_columns,
    missing_predictions,
    read_q,
    with_predictions,
)
from nlpcalib.predictions.user_table import UserTable
from nlpcalib.sampling.labels import label_categories
from nlpcalib.tables.chosen import ChosenRows
from nlpcalib.tables.columns import Texts, ids_of
from nlpcalib.tables.columns import texts as cells_of
from nlpcalib.tables.names import own_name, split_names
from nlpcalib.tables.periods import UNITS
from nlpcalib.tables.roles import text_column
from nlpcalib.tables.spellings import without_missing
from nlpcalib.tables.table import Table, column_names


@dataclass(frozen=True, eq=False)
class _Key:
    """What rows of a table are called, those without a prediction too."""

    column: str
    """Empty where rows have no names but their numbers."""
    names: Sequence[str]
    named: bool

    def of(self, rows: np.ndarray) -> Sequence[str]:
        """Return the names of some rows, int (M,), of all."""
        if not self.named:
            return RowNumbers(len(rows))
        return self.names if len(rows) == len(self.names) else [self.names[row] for row in rows.tolist()]


def read_table(source: Path | Mapping, labels: Sequence[Path] | Mapping, options: Options) -> Predictions:
    """Return the predictions of a table in a file, or in the columns of a data frame, with labels in files or by id.

    Rows without a prediction are left out after labels are joined: their labels show how rows were chosen.
    """
    options = _as_planned(source, options)
    whole = _table(source, options)
    path = source if isinstance(source, Path) else None
    by_name = labels if isinstance(labels, Mapping) else None
    paths = list(labels) if by_name is None else []
    key = _key_of(whole, paths, path, options)
    said: set[str] = set()
    for file in paths:
        with located(file):
            said |= set(label_categories(file, options.question, key.column))
    said |= answer_words(by_name or {}) | set(options.classes)
    found = find_columns(whole, options.columns, said, matched=bool(options.match), positive=bool(options.yes))
    own = (name for name in (found.y, *found.q[:1]) if name)
    options = options.among(chain(said, chain.from_iterable(categories(whole, name, "cell").names for name in own)))
    some_use = "predicted" not in options.columns and (paths or found.y or key.named or whole.has("text"))
    if not (found.q or options.match or some_use):
        raise InputError(missing_predictions(whole).removesuffix(other_readers(whole.name)))  # `look` reads no more
    table, kept = with_predictions(whole, found) if found.q else (whole, np.arange(whole.rows))
    base = _unlabelled(path, table, found, key.of(kept), options, named=key.named)
    if paths and key.column == "" and path is not None and paths[0].samefile(path):  # labels in rows that have no names
        found, paths = replace(found, y=table.own_name(options.question or "label")), []
    # Numbers of rows count those that have a prediction.
    of_all = key.named or not (paths or by_name is not None)
    ids, place = (key.names, kept) if key.named else (base.ids, kept if of_all else np.arange(kept.size))
    if by_name is not None:
        answers = possible_answers(base, said)
        scale_of = options.of_labels(answers, _others(base, table, options), found.q)
        labelled = of_values(by_name, ids, key.named, scale_of, base.place)
    elif paths:
        answers = possible_answers(base, said)
        rows = _keyed_rows(base, whole if of_all else table, ids, place, key.column)
        scale_of = options.of_labels(answers, _others(base, table, options), found.q)
        labelled = of_files(rows, paths, scale_of, options.question, options.settled, options.positive)
    else:
        try:
            labelled, answers = _of_column(base, whole, found, options, kept)
        except InputError:
            if base.unpredicted:  # labels are of predictions, which come first
                raise InputError(base.unpredicted) from None
            raise
        base = replace(base, missing=_missing_labels(table, found))
    decided = answers if found.decided else ()
    table.notes += notes_on_labels(base, labelled, decided, some([str(each) for each in paths]) or f"column {found.y}")
    if found.decided:
        check_confidence(base.q, table.place, without_missing(answers), q=found.q[0], y=found.y)
    if kept.size < whole.rows:
        gone = np.delete(np.arange(whole.rows), kept)
        names = tuple(key.names[row] if key.named else f"row {row + (path is not None)}" for row in gone.tolist())
        y = np.delete(labelled.y, place) if of_all and not found.decided else np.full(gone.size, np.nan)
        why = f"without a prediction in {some(found.q)}"
        base = replace(base, gaps=(Gap("row", why, names, y, _further(ChosenRows(whole, gone))),))
    data = base.labelled_by(labelled.take(place), decided)
    return examine_table(data, table, found, _unit_columns(table, options.columns.get("unit")))


def _as_planned(source: Path | Mapping, options: Options) -> Options:
    """Return what columns are called, how dates are written and keywords, by the plan where they are not given."""
    if not isinstance(options.plan, str | Path):
        made = options.made
        return replace(options, match=options.match or made.match) if made is not None else options
    record, made = record_of(options.plan), options.made
    names = column_names(source) if isinstance(source, Path) else tuple(source)
    before = {name: own for name, own in (record.get("columns") or {}).items() if own_name(own, names) in names}
    return replace(
        options, columns={**before, **options.columns}, match=options.match or (made.match if made else ""),
        dates=record.get("dates") if options.dates is None else options.dates,
    )  # fmt: skip


def _table(source: Path | Mapping, options: Options) -> Table:
    """Return the table of a file, or of a data frame, with the columns of ids, texts and dates by their names."""
    own = {name: options.columns[name] for name in ("id", "text", "date") if name in options.columns}
    needed = [options.columns[name] for name in ("q", "y", "predicted") if name in options.columns]
    needed = [name for name in needed if "," not in name]
    if isinstance(source, Path):
        table = Table(source, options.format, columns=own, dates=options.dates, needed=needed)
    else:
        from nlpcalib.predictions.frames import FrameTable

        table = FrameTable(source)
        table.call(own, options.dates, needed)
    text = text_column(table.names)
    if "text" not in own and text and not table.has("text"):
        table.columns = {**table.columns, "text": text}
    return table


def _key_of(table: Table, labels: Sequence[Path], path: Path | None, options: Options) -> _Key:
    """Return the names of rows: the column of ids, or one that files of labels have too; a plan has their numbers."""
    if table.has("id"):
        return _Key(table.own_name("id"), ids_of(table.read({"id": "text"})["id"].cast("string"), table), True)
    if not labels or options.made is not None:
        return _Key("", (), False)
    column = shared_key(lambda name: cells_of(table.read({name: "text"})[name]), table.names_with_cells, labels)
    if column is None and not (path is not None and labels[0].samefile(path)):
        raise table.missing("id", f", which labels name rows by, or its name: {argument('id', 'NAME')}")
    return _Key(column or "", cells_of(table.read({column: "text"})[column]) if column else (), column is not None)


def _unlabelled(
    path: Path | None, table: Table, found: ChosenColumns, ids: Sequence[str], options: Options, *, named: bool
) -> Predictions:
    """Return the predictions of the rows of a table that have one, with their design and no labels yet."""
    texts = Texts(table.read({"text": "text"})["text"]) if table.has("text") else None
    q, classes = _predictions(table, found, texts, options)
    kind = "truth" if found.decided else "label"
    empty, predicted = none_of(table.rows), bool(found.q or options.match or found.answers)
    base = Predictions(
        np.ascontiguousarray(q, dtype=np.float64), empty.y, empty.answer, ids, classes,
        None if found.predicted is None else categories(table, found.predicted, kind),
        _units(table, options.columns.get("unit")), texts, options.values, columns=_further(table), named=named,
        unpredicted="" if predicted else missing_predictions(table), match=options.match, yes=options.positive,
        place=table.name, files=() if path is None else (path,), sha256=None if path is None else checksum(path),
        source=UserTable(table, found.q),
    )  # fmt: skip
    ratings = _ratings(table, found, options)
    margin = None if ratings is None or options.threshold is None else ratings - options.threshold
    return replace(base, margin=margin, design=with_design(base, options, _drawn_by(table, found, options, ratings)))


def _ratings(table: Table, found: ChosenColumns, options: Options) -> np.ndarray | None:
    """Return the ratings that verdicts are of, by a threshold; None where they are of none."""
    if options.threshold is None or not found.q:
        return None
    ratings = table.read({found.q[0]: "number"})[found.q[0]]
    return ratings.to_numpy() if pa.types.is_floating(ratings.type) else None


def _drawn_by(table: Table, found: ChosenColumns, options: Options, ratings: np.ndarray | None) -> list[np.ndarray]:
    """Return what a plan may have drawn items by, besides the verdicts on them: q, or the ratings that they are of."""
    others: list[np.ndarray] = []
    if options.made is not None and table.has("q") and table.own_name("q") not in found.q:
        others.append(table.read({"q": "number"})["q"].to_numpy())
    if options.made is not None and ratings is not None and (values := record_of(options.plan).get("values")):
        others.append((ratings - values[0]) / (values[1] - values[0]))
    return others


def _predictions(
    table: Table, found: ChosenColumns, texts: Sequence[str] | None, options: Options
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return predictions (N,) or (N, K) and K classes: of columns, of keywords, or ½ where there are none."""
    if options.match:
        from nlpcalib.predictions.keywords import keyword_predictions

        if texts is None:
            raise table.missing(
                "text", f", in which {argument('match')} finds words, or its name: {argument('text', 'NAME')}"
            )
        with located(table.name):
            return keyword_predictions(texts, options.match), ()
    if found.answers:
        from nlpcalib.predictions.country_answers import read_country_answers

        return np.array([max(answer.values(), default=0.0) for answer in read_country_answers(table)]), ()
    if not found.q:
        return np.full(table.rows, 0.5), ()
    return read_q(table, found, options.of_verdicts, options.values, options.are_said)


def _units(table: Table, named: str | None) -> tuple[Categories, ...]:
    """Return the units of rows, outermost first: of columns, or rows between blank lines."""
    units = tuple(categories(table, name, "unit") for name in _unit_columns(table, named))
    if not units and (blocks := table.blocks()) is not None:
        units = (Categories(blocks, tuple(str(block) for block in range(1, int(blocks.max()) + 2))),)
        table.notes.append("units: rows between blank lines")
    return units[1:] if len(units) > 1 and len(units[0].names) < 2 else units


def _unit_columns(table: Table, named: str | None) -> list[str]:
    return split_names(named) if named is not None else [name for name in ("document", "unit") if table.has(name)]


def _further(table: Table) -> Callable[[str], Sequence[str]]:
    """Return what reads a further column of a table, by its name, once."""
    return partial(_read_once, table, {})


def _read_once(table: Table, kept: dict[str, Sequence[str]], name: str) -> Sequence[str]:
    if name in UNITS and not table.has(name):
        raise table.missing(name, f", or {name}(COLUMN) with the name of a column of dates")
    if name not in kept:
        kept[name] = cells_of(table.read({name: "text"})[name])
    return kept[name]


def _keyed_rows(base: Predictions, table: Table, ids: Sequence[str], place: np.ndarray, key: str) -> KeyedRows:
    """Return the rows of a table that labels in files name; `place`, int (N,), are those that have a prediction."""

    def column(name: str) -> Sequence[str] | None:
        return cells_of(table.read({name: "text"})[name]) if table.has(name) else None

    texts = Texts(table.read({"text": "text"})["text"]) if table.has("text") else None
    planned = base.planned_rows
    chosen = None if planned is None else frozenset(place[list(planned)].tolist())
    return KeyedRows(ids, base.place, key, column, texts, chosen)


def _of_column(
    base: Predictions, table: Table, found: ChosenColumns, options: Options, kept: np.ndarray
) -> tuple[Found, Sequence[str]]:
    """Return the labels in a column, and the classes that they may be; `kept`, int (M,), are rows with a prediction."""
    if found.y is None:
        return none_of(table.rows), ()
    right = categories(table, found.y, "cell")
    answers = possible_answers(
        base, [right.names[code] for code in np.unique(right.codes[kept])] if found.decided else ()
    )
    others = _others(base, table, options)

    def scale_of(names: Collection[str]) -> AnswerScale:
        with located(f"{base.place}, column {found.y}"):
            return options.of_labels(answers, others, found.q)(names)

    def place(row: int) -> str:
        return f"{table.place(row)}, column {found.y}"

    return of_cells(right.codes, right.names, scale_of, place, kept), answers


def _others(base: Predictions, table: Table, options: Options) -> set[str]:
    """Return what labels may be next to the one that counts as yes: classes that the table has, and its verdicts."""
    if not options.yes:
        return set()
    q = base.source.q[0] if base.source and base.source.q else ""
    found = possible_classes(columns_of_probabilities(table), q, options.yes[0])
    if base.decisions and q:
        found |= set(categories(table, q, "cell").names)
    return found if base.predicted is None else found.union(base.predicted.names)


def _missing_labels(table: Table, found: ChosenColumns) -> str:
    """Return what would give rows their labels, in words, where a column has none."""
    if found.y is not None:
        return f"{table.name}: found no label in column {found.y}, expected some, or files of labels"
    return str(table.missing("y", f", or {argument('y')} with its name, or files of labels"))
