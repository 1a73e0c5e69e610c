"""A user's table as predictions: which columns have what, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from nlpcalib.calibration.pairs import Categories
from nlpcalib.errors import InputError, argument, arguments, located, some, takes
from nlpcalib.io.json_values import json_lines, list_of_objects
from nlpcalib.predictions.arrays import check_sums
from nlpcalib.predictions.class_columns import named_classes, prefix_of_classes, right_classes
from nlpcalib.predictions.country_answers import ANSWERS_COLUMN
from nlpcalib.predictions.labels import are_numbered, are_truths, are_two, are_verdicts
from nlpcalib.predictions.scales import LabelScale
from nlpcalib.tables.chosen import ChosenRows
from nlpcalib.tables.columns import class_probabilities, codes_of, column_numbers, column_probabilities, parsed
from nlpcalib.tables.names import split_names
from nlpcalib.tables.roles import (
    LOGITS,
    class_after,
    decided_columns,
    first_called,
    is_called_like_index,
    predicted_column,
    prefix_of_several,
    right_column,
)
from nlpcalib.tables.sources import unpacked
from nlpcalib.tables.spellings import MISSING, folded, is_no_prediction, without_missing
from nlpcalib.tables.table import ColumnKind, Table


@dataclass(frozen=True, eq=False)
class ChosenColumns:
    """Which columns of a table have the predictions, what they are of, and the labels."""

    q: tuple[str, ...] = ()
    """One column; K for classes; none where there are no predictions."""
    classes: tuple[str, ...] = ()
    predicted: str | None = None
    """The column of what is predicted in each row."""
    y: str | None = None
    decided: bool = False
    """Whether q is the confidence in what is predicted, which labels are compared with."""
    answers: bool = False
    """Whether a language model's answers by country take the place of q."""


def find_columns(
    table: Table, named: Mapping[str, str], said: Collection[str], *, matched: bool = False, positive: bool = False
) -> ChosenColumns:
    """Return which columns have what: those that are `named`, else by their usual names.

    `said` are labels in files. Where keywords are `matched`, no column has predictions. What is right is y, gold, or
    label where neither is there; next to score, label is what is predicted. Where the `positive` label is named, q is
    its probability, whatever was predicted.
    """
    right = _right(table, named)
    classes = set(said)
    if right is not None and not said:
        classes = set(codes_of(table.read({right: "category"})[right], table, "cell", right)[1])
    words = {each for each in classes if folded(each) not in MISSING or (each and table.has(each))}
    if matched:
        return ChosenColumns(y=None if right is None else table.own_name(right))
    known = {"", *map(table.own_name, filter(None, ("id", right, "unit", "document", *named.values())))}
    others = [name for name in table.names if name not in known and not is_called_like_index(name)]
    found = _predictions(table, named, others, words, right)
    found = replace(found, predicted=None, decided=False) if positive else found
    if right is None and table.has("label") and found.predicted is None:
        right = "label"
    own = None if right is None else table.own_name(right)
    tag, decided = _tag(table, named, found, right, words)
    decided = decided and not positive
    tag = None if tag is None or found.classes or table.own_name(tag) == own else table.own_name(tag)
    answers = not found.q and table.has(ANSWERS_COLUMN)
    return ChosenColumns(found.q, found.classes, tag, own, decided and tag is not None, answers)


def _right(table: Table, named: Mapping[str, str]) -> str | None:
    """Return the column of what is right, as far as its name alone shows it; None for none."""
    if "y" in named:
        return named["y"]
    gold = next((name for name in (right_column(table.names), "gold") if name and table.has(name)), None)
    of_classes = gold is not None and len(right_classes(table, gold) & set(table.names)) > 1
    if table.has("y") and not of_classes:  # a class may be called Y
        return "y"
    if gold:
        return gold
    has_q = table.has("q") or "q" in named
    return "label" if not has_q and table.has("label") and not decided_columns(table.names) else None


def _tag(
    table: Table, named: Mapping[str, str], found: ChosenColumns, right: str | None, words: Collection[str]
) -> tuple[str | None, bool]:
    """Return the column of what is predicted, and whether labels are compared with it."""
    label = "label" if table.has("label") and right not in ("label", None) else None
    tag = named.get("predicted", found.predicted or ("predicted" if table.has("predicted") else label))
    if len(found.q) != 1 or found.classes or found.decided:
        return tag, found.decided
    usual = predicted_column(table.names)
    of_q = usual if "q" in named and "predicted" not in named and usual is not None else tag
    if are_truths(words):
        of_rows = set() if of_q is None or not words else _cells(table, of_q)
        numbered = are_numbered(words, of_rows)
        return of_q if numbered else tag, numbered or ("predicted" in named and are_two(of_rows))
    return of_q, of_q is not None and of_q in (named.get("predicted"), usual)


def _cells(table: Table, name: str) -> set[str]:
    return set(map(folded, codes_of(table.read({name: "category"})[name], table, "cell", name)[1]))


def _predictions(
    table: Table, named: Mapping[str, str], others: Sequence[str], classes: Collection[str], right: str | None
) -> ChosenColumns:
    q = named.get("q", "")
    if q and table.has(q):
        return ChosenColumns((table.own_name(q),))
    if q:
        names = split_names(q) or [q]
        if len(names) == 1:  # with a comma of its own, in quotes
            return ChosenColumns((table.own_name(names[0]),))
        of_class = named_classes(table, "" if right is None else right, names, classes)
        return ChosenColumns(tuple(map(table.own_name, of_class.values())), tuple(of_class))
    if table.has("q") and table.own_name("q") not in classes:
        return ChosenColumns((table.own_name("q"),))
    for name in ("verdict", "probabilities"):
        if table.has(name):
            return ChosenColumns((table.own_name(name),))
    if decided := decided_columns(others):
        return ChosenColumns((decided[0],), predicted=decided[1], decided=True)
    prefix = prefix_of_classes(table, classes) or prefix_of_several(others)
    if prefix:
        of_class = {each: name for name in others if (each := class_after(prefix, name))}
    else:
        alike = set(map(folded, classes))
        of_class = {name: name for name in others if folded(name) in alike}
        if of_class or (classes and all(map(str.isdecimal, map(folded, classes)))):
            of_class |= {name: name for name in others if _in_unit_interval(table, name)}
            of_class = {name: name for name in others if name in of_class}
    return ChosenColumns(tuple(of_class.values()), tuple(of_class)) if len(of_class) >= 2 else ChosenColumns()


def columns_of_probabilities(table: Table) -> list[str]:
    """Return the columns of numbers from 0 to 1 that are not 0 and 1 alone, whatever they are called."""
    found = [name for name in table.names_with_cells if _in_unit_interval(table, name)]
    return [name for name in found if not without_missing(_cells(table, name)) <= {"0", "1"}]


def _in_unit_interval(table: Table, name: str) -> bool:
    """Return whether a column has numbers from 0 to 1 alone: those of classes do, ids and lengths do not."""
    column = table.read({name: "number"})[name]
    if pa.types.is_dictionary(column.type):
        texts = column.unify_dictionaries().combine_chunks().dictionary.to_pylist()
        if not (known := sorted(without_missing(texts))):
            return False
        column = pa.chunked_array([pa.array(known)])
    elif not pa.types.is_floating(column.type):
        return False
    numbers = parsed(column)
    return numbers is not None and bool(0 <= np.nanmin(numbers) <= np.nanmax(numbers) <= 1 + 1e-6)


def missing_predictions(table: Table) -> str:
    """Return what would be predictions of a table that has none, in words, after the columns that it has."""
    if inside := _list_inside(table):
        return f"{table.name}: found the columns {table.listed()}; expected {inside}"
    named = f", or {argument('q')} with its name, or a column for each class"
    keywords = f", or {argument('match')} with keywords" if takes("match") else ""
    return str(table.missing("q", named + keywords + _of_logits(table)))


def _of_logits(table: Table) -> str:
    """Return what makes probabilities of a column of logits, in words; nothing where there is none."""
    logit = first_called(LOGITS, table.names)
    if not logit:
        return ""
    first = table.read({logit: "text"})[logit][0].as_py()
    if isinstance(first, list) or str(first).startswith("["):
        tags = '{"labels": ["O", …]}'
        return f"; {logit} of tokens are read by nlpcalib spans, below a line with the tags: {tags}"
    return f"; of {logit} it is 1 / (1 + exp(-{logit}))"


def _list_inside(table: Table) -> str:
    """Return which list of the one object in a file has the rows, in words; empty for other files."""
    if table.kind != "json" or table.rows > 1:
        return ""
    with unpacked(table.path, table.name) as stream:
        return list_of_objects(next(json_lines(stream, table.name))[1])


def with_predictions(table: Table, columns: ChosenColumns) -> tuple[Table, np.ndarray]:
    """Return the rows that have a prediction, as a table, and which rows these are, int64."""
    kept = np.ones(table.rows, bool)
    for name in columns.q:
        column = table.read({name: "number"})[name]
        if pa.types.is_floating(column.type):
            missing = pc.or_kleene(column.is_null(), pc.is_nan(column)) if column.null_count else pc.is_nan(column)
            kept &= ~pc.fill_null(missing, True).to_numpy().astype(bool)
        elif pa.types.is_nested(column.type):
            kept &= column.is_valid().to_numpy()
        else:
            codes, names = codes_of(column, table, "cell", name)
            kept &= ~np.array(list(map(is_no_prediction, names)))[codes]
    rows = np.flatnonzero(kept)
    if not rows.size:
        raise InputError(f"{table.name}: found no prediction in {some(columns.q)}, expected some")
    return (table if rows.size == table.rows else ChosenRows(table, rows)), rows


def read_q(
    table: Table, columns: ChosenColumns, verdicts: Callable[[Sequence[str]], LabelScale],
    values: tuple[float, float] | None, are_said: Callable[[Callable[[], Iterable[str]]], bool],
) -> tuple[np.ndarray, tuple[str, ...]]:  # fmt: skip
    """Return predictions (N,) or (N, K) and classes; a single column may have verdicts, or ratings if `are_said`."""
    kinds: dict[str, ColumnKind] = dict.fromkeys(columns.q, "number")
    read = table.read(kinds)
    if columns.classes:
        q = class_probabilities([read[name] for name in columns.q], columns.q, table)
        alone = arguments({"q": columns.q[0], "yes": columns.classes[0]})
        expected = (
            f"a sum of 1; {argument('q')} names the columns of the classes if they are not "
            f"{', '.join(columns.classes)[:80]}; "
            f"labels that may hold together are measured one at a time: {alone}"
        )
        check_sums(q, table.place, expected)
        return np.ascontiguousarray(q), columns.classes
    [name] = columns.q
    column = read[name]
    if values is not None:
        return _places(column_numbers(column, table.place, "prediction", "a number"), values, table, name), ()
    words = pa.types.is_dictionary(column.type) or pa.types.is_string(column.type)
    rated = are_said(lambda: categories(table, name, "cell").names)
    if words or rated:
        codes, names = codes_of(table.read({name: "category"})[name], table, "cell", name)
        if rated or are_verdicts(names):
            with located(f"{table.name}, column {name}"):
                scale = verdicts(names)
            return _verdicts(codes, names, table, name, scale), ()
    q = column_probabilities(column, table.place)
    return q, tuple(str(place) for place in range(q.shape[1])) if q.ndim == 2 else ()


def _verdicts(codes: np.ndarray, names: Sequence[str], table: Table, column: str, scale: LabelScale) -> np.ndarray:
    said = np.zeros(len(names))
    for code, name in enumerate(names):
        try:
            said[code] = scale(name)
        except InputError as error:
            raise InputError(f"{table.place(int(np.argmax(codes == code)))}, column {column}: {error}") from None
    return said[codes]


def _places(given: np.ndarray, values: tuple[float, float], table: Table, name: str) -> np.ndarray:
    low, high = values
    wrong = (given < low) | (given > high)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(f"{table.place(row)}: found {given[row]:g} in {name}, expected values {low:g} to {high:g}")
    return (given - low) / (high - low)


def categories(table: Table, name: str, kind: str) -> Categories:
    """Return a column of texts; `kind` is unit, label or cell."""
    return Categories(*codes_of(table.read({name: "category"})[name], table, kind, name))
