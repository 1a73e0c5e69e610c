"""Which columns of a table hold predicted and right classes, where they are called as other tools call them.

A table may have a column for each class, called like the class or with `prob_` before it, next to columns of texts; or
the predicted class and its confidence alone. The column `gold`, or another name of `RIGHT`, has the right class or its
position among the columns, from 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from nlpcalib.tables.columns import codes_of
from nlpcalib.tables.delimited import is_number
from nlpcalib.tables.table import Table

PREFIXES = ("prob_", "proba_", "p_", "score_", ".pred_", "prob.")
"""What stands before the name of a class in the names of columns, in tidymodels and mlr3 too."""
RIGHT = ("gold", "gold_label", "true_label", "true_class", "y_true", "actual", "ground_truth")
"""Names of the column with the right class."""
PREDICTED = (
    "pred",
    "prediction",
    "predicted",
    "pred_label",
    "predicted_label",
    "pred_class",
    ".pred_class",
    "predicted_class",
    "y_pred",
)
"""Names of the column with the predicted class; `label` is one next to `score`, as Hugging Face has it."""
CONFIDENCE = ("confidence", "score", "probability", "prob", "proba", "y_prob", "y_proba")
"""Names of the column with the confidence in the predicted class."""


def right_column(names: Iterable[str]) -> str | None:
    """Return the name of the right class among `names`; None where there is none."""
    return _first_of(RIGHT, names)


def predicted_column(names: Iterable[str]) -> str | None:
    """Return the name of the predicted class among `names`; None where there is none."""
    return _first_of(PREDICTED, names)


def decided_columns(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the names of the confidence and of the predicted class among `names`; None where one of them lacks."""
    names = list(names)
    confidence, predicted = _first_of(CONFIDENCE, names), predicted_column(names)
    if confidence and confidence.casefold() == "score":
        predicted = predicted or _first_of(("label",), names)
    return (confidence, predicted) if confidence and predicted else None


def has_classes(table: Table, right: str, others: Sequence[str]) -> bool:
    """Return whether `others`, columns of a table, are a predicted class with its confidence, or several classes."""
    if decided_columns(others):
        return True
    classes = right_classes(table, right)
    return bool(prefix_of_classes(table, classes)) or len(classes & set(others)) > 1


def _first_of(wanted: Iterable[str], names: Iterable[str]) -> str | None:
    known = {name.casefold(): name for name in names}
    return next((known[each] for each in wanted if each in known), None)


def class_columns(table: Table, gold: str, others: Sequence[str]) -> dict[str, str]:
    """Return the column of each class among the `others` of a table, by the classes in its column `gold`."""
    classes = right_classes(table, gold)
    if prefix := prefix_of_classes(table, classes):
        found = (name for name in others if name.casefold().startswith(prefix) and name.casefold() not in PREDICTED)
        return {name[len(prefix) :]: name for name in found}
    return {name: name for name in others if name in classes or _begins_with_number(table, name)}


def right_classes(table: Table, gold: str) -> set[str]:
    """Return the distinct values of a table's column of right classes."""
    return set(codes_of(table.read({gold: "category"})[gold], table, "label", gold)[1])


def prefix_of_classes(table: Table, classes: Collection[str]) -> str:
    """Return what stands before the names of classes in a table's columns, if it does before half of them."""

    def classes_with(prefix: str) -> int:
        return sum(table.has(f"{prefix}{name}") for name in classes)

    return next((each for each in PREFIXES if 2 * classes_with(each) >= len(classes) > 0), "")


def prefix_of_names(names: Sequence[str]) -> str:
    """Return what stands before the names of classes in all of some names of columns, or nothing."""
    return next((each for each in PREFIXES if all(name.casefold().startswith(each) for name in names)), "")


def positions(right: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Return the place among the classes of each distinct right class, int64, and −1 for one that is none.

    Where no right class is called like a class, all may be places from 0.
    """
    if not set(right) & set(classes) and all(each.isdecimal() and int(each) < len(classes) for each in right):
        return np.array([int(each) for each in right])
    return np.array([classes.index(name) if name in classes else -1 for name in right])


def _begins_with_number(table: Table, name: str) -> bool:
    first = table.read({name: "text"})[name][0].as_py()
    return first is not None and is_number(first)
