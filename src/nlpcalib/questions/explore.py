"""`nlpcalib.explore`: which predictions are wrong, and for which labels? A page that links them to their rows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.errors import InputError, InputWarning, counted
from nlpcalib.estimation.borrowing import period_order
from nlpcalib.examination.report import report_findings
from nlpcalib.figures.explorer import ExplorerRows, pairs_rows, write_explorer
from nlpcalib.predictions.facts import unlabelled_facts
from nlpcalib.predictions.formats.registry import read_predictions
from nlpcalib.predictions.labelled import LabelFiles, refuse_without_files
from nlpcalib.predictions.reading import LabelledReading, ReadingOptions
from nlpcalib.questions.annotations import paths_of
from nlpcalib.questions.calibrate import measure_pairs
from nlpcalib.seeding import checked_seed
from nlpcalib.systems.text.similar import group_names, similar_groups
from nlpcalib.systems.text.vectors import read_vectors
from nlpcalib.tables.columns import column_probabilities, texts
from nlpcalib.tables.roles import right_column
from nlpcalib.tables.table import ColumnKind, Table

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False)
class Exploration:
    """What a page of predictions shows."""

    title: str
    rows: ExplorerRows
    notes: Sequence[str]
    """Lines above the charts: the answer of `nlpcalib.calibrate`, where there are labels."""
    seed: int = 0
    """Seed of the sample of a long table."""
    facts: TableFacts | None = None
    """What the table that was read was taken to be."""

    def lines(self) -> list[str]:
        """Return how many rows there are, in words."""
        return [counted(self.rows.q.size, "row")]

    def save(self, path: str | Path) -> None:
        """Write the page, which opens without a network."""
        write_explorer(path, self.title, self.rows, notes=self.notes, seed=self.seed)

    def __str__(self) -> str:
        """Return the line that the command prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.lines()[0]}>"


def explore(
    file: str | Path,
    labels: str | Path | Sequence[str | Path] | None = None,
    *,
    yes: str | None = None,
    label_question: str | None = None,
    period: str | None = None,
    show: Sequence[str] = (),
    vectors: Any = None,
    reading: ReadingOptions | None = None,
    seed: int = 0,
) -> Exploration:
    """Return the page of a file of predictions: a curve, a histogram, labels and periods, linked to the rows.

    Parameters
    ----------
    file : path
        Predictions as for `nlpcalib.calibrate`, or a table with `q` and no labels.
    labels : path, or sequence of paths, optional
        Files that label rows of the table by id, as for `nlpcalib.calibrate`: the page has these rows.
    yes, label_question : str, optional
        With them, as for `calibrate`.
    period : str, optional
        Column of dates or periods, written so that they sort in time.
    show : sequence of str
        Further columns of a table that the page shows, such as id and text.
    vectors : path, array_like of shape (N, D) or mapping, optional
        Vectors of the rows' texts from any encoder (`systems.text.vectors.read_vectors`), by the column `id` or in the
        order of the rows. The page then has groups of similar texts instead of labels, named by words of the column
        `text`, so that you see which kind of text is predicted wrongly.
    reading : ReadingOptions, optional
        How the file is read.
    seed : int
        Seed of the sample of a long file.

    Raises `InputError` as `nlpcalib.calibrate` does. The page takes the extra `explorer`.
    """
    checked_seed(seed)
    path, reading = Path(file), reading or ReadingOptions()
    if labels is None:
        refuse_without_files(yes=yes, label_question=label_question)
    else:
        reading = LabelledReading.of(reading, LabelFiles(paths_of(labels), yes, label_question))
    table = reading.table(path) if reading.is_table(path) else None
    if table is None and (show or period is not None or vectors is not None):
        raise InputError(f"{path}: found period=, show= or vectors=, expected them with a table in a file alone")
    asked: dict[str, ColumnKind] = dict.fromkeys([*show, *([] if period is None else [period])], "text")
    if table is None or reading.y or table.has("y") or right_column(table.names):
        pairs = read_predictions(path, **reading.arguments())
        read = {} if table is None else {name: texts(each) for name, each in zip(asked, table.read(asked), strict=True)}
        labelled = pairs_rows(pairs)
        shown = {**labelled.shown, **{name: read[name] for name in show}}
        rows = replace(labelled, period=None if period is None else read[period], shown=shown)
        found = Exploration(path.name, rows, measure_pairs(pairs).headlines(), seed, pairs.table)
    else:
        rows, facts = _unlabelled(table, reading, asked, period, show)
        report_findings(facts.findings, path)
        found = Exploration(path.name, rows, (), seed, facts)
    if rows.period is not None:
        _check_order(rows.period, f"{path}, column {period}")
    if table is not None and vectors is not None:
        found = replace(found, rows=replace(rows, label=_groups(table, rows, vectors, seed)))
    return found


def _groups(table: Table, rows: ExplorerRows, vectors: Any, seed: int) -> list[str]:
    """Return the name of each row's group of similar texts."""
    if rows.label is not None or rows.q.shape != (table.rows,):
        raise InputError(f"{table.name}: found vectors= with labels of rows, expected one: groups take their place")
    known = table.read({name: "text" for name in ("id", "text") if table.has(name)})
    ids = texts(known["id"]) if table.has("id") else [str(number) for number in range(1, table.rows + 1)]
    groups = similar_groups(read_vectors(vectors, ids).of(ids), seed)
    names = group_names(groups, texts(known["text"]) if table.has("text") else None)
    return [names[number] for number in groups.tolist()]


def _unlabelled(
    table: Table, reading: ReadingOptions, asked: dict[str, ColumnKind], period: str | None, show: Sequence[str]
) -> tuple[ExplorerRows, TableFacts]:
    """Return the rows of a table without labels."""
    named = {name: getattr(reading, name) or name for name in ("label", "unit", "document")}
    named = {name: column for name, column in named.items() if table.has(column) or getattr(reading, name)}
    q = reading.q or "q"
    kinds: dict[str, ColumnKind] = {q: "number"}
    found = table.read(kinds | dict.fromkeys(named.values(), "text") | asked)
    read = {name: texts(found[name]) for name in (*named.values(), *asked)}
    shown = {name: read[named[name]] for name in named if name != "label"} | {name: read[name] for name in show}
    label = read[named["label"]] if "label" in named else None
    values = column_probabilities(found[q], table.place)
    facts = unlabelled_facts(table, [q], values, [*named.values(), *asked], "unit={}", reading.unit_columns)
    return ExplorerRows(values, None, label, None if period is None else read[period], shown), facts


def _check_order(periods: Sequence[str], place: str) -> None:
    """Warn of periods whose texts do not sort in time: the page has them in the order of their texts."""
    try:
        time = period_order({period for period in periods if period}, place)
        for before, after in pairwise(sorted(time)):
            if time[before] > time[after]:
                raise InputError(f"{place}: found the period {before!r} before {after!r}, expected the order of time")
    except InputError as error:
        warnings.warn(f"{error}; the page has them in alphabetical order", InputWarning, stacklevel=3)
