"""`nlpcalib.estimate_classes`: how many items of a corpus belong to each of several classes?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.api.annotations import labels_by_row
from nlpcalib.api.items import items_of, of_each
from nlpcalib.errors import InputError, counted, some
from nlpcalib.estimation.classes import class_totals
from nlpcalib.estimation.estimates import Estimate
from nlpcalib.io.files import write_csv
from nlpcalib.predictions.arrays import ClassPredictions, as_array, from_arrays, numbers
from nlpcalib.sampling.samples import simple_random_sample, unequal_sample


@dataclass(frozen=True)
class ClassShares:
    """How many items belong to each class: totals sum to N, and all intervals hold together."""

    classes: Mapping[str, Estimate]
    """The estimate of each class by its name."""
    level: float

    @property
    def shares(self) -> dict[str, tuple[float, float, float]]:
        """The share of each class and the ends of its interval; shares sum to 1."""
        return {name: each.share for name, each in self.classes.items()}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each class."""
        return [
            {"class": name, "items": each.items, "read": each.read, "labelled": each.positive,
             "predicted": each.predicted, "total": each.total, "low": each.low, "high": each.high}
            for name, each in self.classes.items()
        ]  # fmt: skip

    def save(self, path: str | Path) -> None:
        """Write the rows as a table."""
        write_csv(Path(path), self.rows())

    def lines(self) -> list[str]:
        """Return the answer in words."""
        first = next(iter(self.classes.values()))
        lines = [
            f"{counted(first.items, 'item')}, of which {first.read:,} were read; all {100 * self.level:g} % intervals "
            "hold together."
        ]
        for name, each in self.classes.items():
            share, low, high = (f"{100 * part:.2f} %" for part in each.share)
            lines.append(
                f"{name}: {share} (interval {low} to {high}); {each.positive:,.0f} labels, and the model alone reports "
                f"{100 * each.predicted / each.items:.2f} %"
            )
        return lines

    def __str__(self) -> str:
        """Return the lines."""
        return "\n".join(self.lines())


def estimate_classes(
    p: Any,
    labels: Any,
    *,
    classes: Sequence[Any] | None = None,
    inclusion: Any = None,
    unit: Any = None,
    level: float = 0.95,
) -> ClassShares:
    """Estimate how many items of a corpus belong to each of several classes that exclude each other.

    Parameters
    ----------
    p : array_like, shape (N, K)
        Probabilities of K classes, which sum to 1 for each item.
    labels : array_like of shape (N,), or mapping
        The class of the items that were read, a value of `classes` or 0 … K − 1. An array has None, NaN or "" for items
        that were not read, and a mapping has rows, counted from 0.
    classes : sequence, length K, optional
        Names of the classes, in the order of columns.
    inclusion : array_like, shape (N,), optional
        The probability with which each item was drawn; by default all have the same.
    unit : array_like, shape (N,), optional
        What items were read together in: a document.
    level : float
        Level at which all intervals hold.

    Raises
    ------
    InputError
        For what is no probability or class, and arrays of different lengths.
    """
    given = as_array(p, "probabilities")
    if given.ndim != 2 or given.shape[1] < 2:
        raise InputError(f"probabilities: found an array of shape {given.shape}, expected (N, K) with K classes")
    names = [str(each) for each in (range(given.shape[1]) if classes is None else classes)]
    # Rows are checked as those of any class predictions are.
    checked = from_arrays(given, np.zeros(len(given), np.int64))
    assert isinstance(checked, ClassPredictions)
    if len(names) != given.shape[1] or len(set(names)) < len(names):
        raise InputError(f"classes: found {some(names)}, expected {given.shape[1]} different names")
    items = items_of(np.zeros(len(given)), unit=unit)
    code_of = {name: float(code) for code, name in enumerate(names)}
    by_row = (
        dict(labels.items())
        if isinstance(labels, Mapping)
        else dict(enumerate(of_each(labels, "labels", len(given)).tolist()))
    )
    coded: dict[Any, float | None] = {}
    for row, label in by_row.items():
        if label is None or label == "" or (isinstance(label, float) and np.isnan(label)):
            if isinstance(labels, Mapping):
                coded[row] = None
            continue
        name = str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
        if name not in code_of:
            raise InputError(f"labels: found {label!r} at row {row}, expected one of {some(names)}")
        coded[row] = code_of[name]
    rows, y = labels_by_row(coded, items)
    if inclusion is None:
        sample = simple_random_sample(len(given), rows, y)
    else:
        drawn = numbers(of_each(inclusion, "inclusion", len(given)), "inclusion").astype(np.float64)
        sample = unequal_sample(drawn, rows, y)
    found = class_totals(checked.q, replace(sample, unit=items.frame.unit), names, level=level)
    return ClassShares({each.group: each for each in found}, level)
