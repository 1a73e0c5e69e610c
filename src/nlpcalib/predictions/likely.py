"""Which columns of a table look like a prediction and its label, where they are called otherwise than q and y."""

from __future__ import annotations

from statistics import fmean

from nlpcalib.tables.columns import texts
from nlpcalib.tables.delimited import is_number
from nlpcalib.tables.table import Table

TRUTH_WORDS = {"0", "1", "0.0", "1.0", "true", "false", "True", "False", "TRUE", "FALSE"}
"""Labels that are no names of classes."""


def likely_columns(table: Table) -> tuple[str, str] | None:
    """Return what to name as q and as y: the one column of probabilities, and the one column of two labels.

    If labels are words, y names the one with the higher mean prediction: `is_spam=spam`. None if no column, or more
    than one, looks like either.
    """
    read = table.read(dict.fromkeys(filter(None, table.names), "text"))
    cells = {name: [cell.strip() for cell in texts(read[name])] for name in read.column_names}
    values = {name: set(column) for name, column in cells.items()}
    labels = [name for name, found in values.items() if len(found) == 2 and "" not in found]
    predictions = [name for name, found in values.items() if len(found) > 2 and all(map(_is_probability, found))]
    if len(labels) != 1 or len(predictions) != 1:
        return None
    (y,), (q,) = labels, predictions
    if values[y] <= TRUTH_WORDS:
        return q, y
    numbers = list(map(float, cells[q]))
    means = {
        value: fmean(number for number, label in zip(numbers, cells[y], strict=True) if label == value)
        for value in sorted(values[y])
    }
    return q, f"{y}={max(means, key=lambda value: means[value])}"


def _is_probability(cell: str) -> bool:
    return is_number(cell) and 0 <= float(cell) <= 1
