"""Which columns of a table look like a prediction and its label, where they are called otherwise than q and y."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.examination.predictions import MIN_CONFIDENCE_OF_TWO, is_confidence_in
from nlpcalib.predictions.arrays import check_sums
from nlpcalib.predictions.class_columns import affixes_of_classes, class_between
from nlpcalib.tables.columns import texts
from nlpcalib.tables.delimited import is_number, number_in
from nlpcalib.tables.roles import CONFIDENCE, PREDICTED, first_called, predicted_column, right_column
from nlpcalib.tables.table import Table


def likely_options(table: Table, below: int = 0) -> dict[str, str]:
    """Return the options that name the likely columns of a table, by `likely_columns`; empty where there are none."""
    found = likely_columns(table, below)
    if found is None:
        return {}
    q, y = found
    right, equals, value = y.partition("=")
    if not equals or table.has(y):
        return {"q": q, "y": y}
    return {"q": q, "y": right, ("predicted" if value in table.names else "yes"): value}


TRUTH_WORDS = {"0", "1", "0.0", "1.0", "true", "false", "True", "False", "TRUE", "FALSE"}
"""Labels that are no names of classes."""


def likely_columns(table: Table, below: int = 0) -> tuple[str, str] | None:
    """Return what to name as q and as y: columns of classes, or the one of probabilities and that of two labels.

    If labels are words, y names the one with the higher mean prediction: `is_spam=spam`. None if no column, or more
    than one, looks like either. The last rows, as many as are `below` the table, are left out.
    """
    cells = {name: column[: len(column) - below] for name, column in cells_of(table).items()}
    values = {name: set(column) for name, column in cells.items()}
    if found := _likely_classes(cells):
        return found
    predicted = predicted_column(values)
    labels = [name for name, found in values.items() if len(found) == 2 and "" not in found and name != predicted]
    predictions = [name for name, found in values.items() if len(found) > 2 and all(map(is_probability, found))]
    if len(labels) != 1 or len(predictions) != 1:
        return None
    (y,), (q,) = labels, predictions
    if predicted and min(map(number_in, values[q])) >= 0.5:  # The confidence in the predicted class, not in one label.
        return None
    if values[y] <= TRUTH_WORDS:
        return q, y
    numbers = list(map(number_in, cells[q]))
    means = {
        value: fmean(number for number, label in zip(numbers, cells[y], strict=True) if label == value)
        for value in sorted(values[y])
    }
    return q, f"{y}={max(means, key=lambda value: means[value])}"


def _likely_classes(cells: Mapping[str, list[str]]) -> tuple[str, str] | None:
    values = {name: set(column) for name, column in cells.items()}
    return _class_columns(values, cells) or _decided_columns(values, cells)


def cells_of(table: Table) -> dict[str, list[str]]:
    """Return the cells of each column that has a name, without blanks around them."""
    read = table.read(dict.fromkeys(filter(None, table.names), "text"))
    return {name: [cell.strip() for cell in texts(read[name])] for name in read.column_names}


def _class_columns(values: Mapping[str, set[str]], cells: Mapping[str, list[str]]) -> tuple[str, str] | None:
    """Return the columns called like the values of one column, with commas, and that column.

    The same words may stand before and after each class in the names: `confidence(yes)`. Probabilities sum to 1. A
    column that has the likeliest class of every row is the model's own, unless it is called like the right class. So
    is one of two by its name.
    """
    numbers = [name for name, found in values.items() if all(map(is_probability, found))]
    columns = {}
    for right, found in values.items():
        if len(found) > 1 and (affixes := affixes_of_classes(numbers, found)):
            of_class = {each: name for name in numbers if (each := class_between(name, *affixes))}
            of_class = of_class if any(affixes) else {each: name for each, name in of_class.items() if each in found}
            if right not in of_class.values() and sum_to_one([cells[name] for name in of_class.values()]):
                columns[right] = of_class
    predicted = predicted_column(columns) if len(columns) == 2 else None
    if predicted:
        del columns[predicted]
    else:
        named = right_column(columns)
        columns = {
            name: of_class
            for name, of_class in columns.items()
            if name == named or not _is_likeliest(name, of_class, cells)
        }
    if len(columns) != 1:
        return None
    [(y, of_class)] = columns.items()
    return listed(list(of_class.values())), y


def sum_to_one(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether the numbers of each row sum to 1, as probabilities of classes do."""
    try:
        check_sums(np.array([list(map(number_in, cells)) for cells in columns]).T)
    except InputError:
        return False
    return True


def _decided_columns(values: Mapping[str, set[str]], cells: Mapping[str, list[str]]) -> tuple[str, str] | None:
    """Return the confidence in a predicted class, and the one other column that has classes of the predicted.

    What columns have distinguishes both, since `prediction` may be either. Classes 0 and 1 are compared as
    `gold=pred` if the confidence follows the predicted class, see `is_confidence_in`.
    """
    sure = [name for name, found in values.items() if len(found) > 2 and all(map(_is_confidence, found))]
    probable = [name for name in sure if all(map(is_probability, values[name]))]
    confidence = first_called((*CONFIDENCE, *PREDICTED), sure) or (probable[0] if len(probable) == 1 else None)
    if confidence is None:
        return None
    others = {name: found for name, found in values.items() if name not in sure}
    said = predicted_column(others)
    if said is None and confidence.casefold() == "score":
        said = first_called(("label",), others)
    said = said or _beside_right(others)
    if said is None:
        return None
    predicted = others.pop(said)
    right = [name for name, found in others.items() if 2 * len(found & predicted) > max(len(found), len(predicted))]
    if len(right) != 1:
        return None
    if not values[right[0]] & TRUTH_WORDS:
        if len(predicted) == 2 and min(map(number_in, values[confidence])) < MIN_CONFIDENCE_OF_TWO:
            return None
        return confidence, right[0] if predicted_column(values) == said else f"{right[0]}={said}"
    if not all(map(is_probability, values[confidence])) or not (values[right[0]] | predicted) <= TRUTH_WORDS:
        return None
    of = [np.array([cell.lower() in ("1", "1.0", "true") for cell in cells[name]]) for name in (said, right[0])]
    q = np.array(list(map(number_in, cells[confidence])))
    return confidence, f"{right[0]}={said}" if is_confidence_in(of[0], q, of[1]) else right[0]


def _beside_right(values: Mapping[str, set[str]]) -> str | None:
    """Return the one column that shares most values with that of what is right by its name, which is predicted."""
    named = right_column(values) or first_called(("y", "label"), values)
    right = values[named] if named else set()
    alike = [name for name, found in values.items() if name != named and 2 * len(found & right) > max(len(found), 2)]
    return alike[0] if len(alike) == 1 else None


def _is_likeliest(predicted: str, classes: Mapping[str, str], cells: Mapping[str, list[str]]) -> bool:
    """Return whether a column names, in each row, the class whose column has the highest number."""
    said = cells[predicted]
    numbers = {each: list(map(number_in, cells[name])) for each, name in classes.items()}
    highest = map(max, zip(*numbers.values(), strict=True))
    return all(numbers[each][row] == high for row, (each, high) in enumerate(zip(said, highest, strict=True)))


def listed(names: Sequence[str]) -> str:
    """Return names of columns as an option has them, with commas."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def is_probability(cell: str) -> bool:
    """Return whether a cell is a number from 0 to 1."""
    return is_number(cell) and 0 <= number_in(cell) <= 1


def _is_confidence(cell: str) -> bool:
    """Return whether a cell is a probability or a percentage, which is refused with its own message."""
    number = cell.removesuffix("%").rstrip()
    return is_number(number) and 0 <= number_in(number) <= 100
