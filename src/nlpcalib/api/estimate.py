"""`nlpcalib.estimate`: what do probabilities and a few labels report about a corpus?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.estimation.changes import Change, estimate_changes
from nlpcalib.estimation.estimates import Estimate, estimate_totals
from nlpcalib.examination.items import examine_items
from nlpcalib.examination.labels import examine_labels
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.arrays import as_array, numbers, probabilities
from nlpcalib.sampling.cells import check_predictions
from nlpcalib.sampling.samples import simple_random_sample, unequal_sample


class EstimatesByGroup(dict[str, Estimate]):
    """The estimate of each group by its name, and how their rates differ."""

    def __init__(self, estimates: Mapping[str, Estimate], changes: Callable[[], list[Change]]) -> None:
        super().__init__(estimates)
        self._estimated = changes

    @cached_property
    def changes(self) -> list[Change]:
        """What `nlpcalib.estimation.changes.estimate_changes` returns, by the score method whatever was asked for."""
        return self._estimated()


def estimate(
    q: Any,
    labels: Any,
    *,
    inclusion: Any = None,
    unit: Any = None,
    by: Any = None,
    level: float = 0.95,
    method: str = "score",
) -> Estimate | EstimatesByGroup:
    """Return how many items of a corpus are positive, with an interval that does not rest on the model.

    Parameters
    ----------
    q : array_like, shape (N,)
        Predictions of all items.
    labels : mapping or array_like, shape (N,)
        From the rows of the items that were read, counted from 0, to 0 or 1; or an array with NaN for items not read.
        In a mapping None means that the annotator left the label open.
    inclusion : array_like, shape (N,), optional
        The probability with which each item was drawn. Without it, items were drawn with equal probability.
    unit : array_like, shape (N,), optional
        What items were read together in: a document.
    by : array_like, shape (N,), optional
        The group of each item; the answer is then a dictionary of groups, whose `changes` are whether rates rise and
        which of them differ. Periods are texts such as 2004, 2004-01, 2004Q1 and 2000s.
    level : float
        Of the interval.
    method : str
        "score", or one of the methods named elsewhere: "classical", "ppi++", "active".

    Raises
    ------
    InputError
        For what is no probability or label, and arrays of different lengths.
    """
    q = check_predictions(probabilities(as_array(q, "predictions")))
    if isinstance(labels, Mapping):
        rows, y = labels_by_row(labels, len(q))
    else:
        every = numbers(_of_each(labels, "labels", len(q)), "labels").astype(np.float64)
        rows = np.flatnonzero(~np.isnan(every))
        y = every[rows]
    report_findings([*examine_items(q, unit=unit), *examine_labels(q[rows], y)])
    if inclusion is None:
        sample = simple_random_sample(len(q), rows, y)
    else:
        sample = unequal_sample(
            numbers(_of_each(inclusion, "inclusion", len(q)), "inclusion").astype(np.float64), rows, y
        )
    if unit is not None:
        units = _of_each(unit, "unit", len(q))
        sample = replace(sample, unit=np.unique(units, return_inverse=True)[1])
    if by is None:
        return estimate_totals(q, sample, level=level, method=method)[0]
    names, group = np.unique(_of_each(by, "by", len(q)), return_inverse=True)
    texts = [str(name) for name in names]
    estimates = estimate_totals(q, sample, group, texts, level=level, method=method)
    keys = [(texts[number],) for number in group]
    return EstimatesByGroup(
        dict(zip(texts, estimates, strict=True)), lambda: estimate_changes(q, sample, keys, level=level)
    )


def labels_by_row(labels: Mapping[Any, Any], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows, int64 and sorted, and their labels, float64 with NaN for None.

    Raises `InputError` for rows that are not whole numbers from 0 to n − 1, and labels that are no numbers.
    """
    rows = numbers(as_array(list(labels), "rows of labels"), "rows of labels").astype(np.float64)
    y = numbers(as_array(list(labels.values()), "labels"), "labels").astype(np.float64)
    wrong = rows[~((rows >= 0) & (rows < n) & (rows == np.floor(rows)))]
    if wrong.size:
        raise InputError(f"labels: found row {wrong[0]:g}, expected a whole number from 0 to {n - 1}")
    order = np.argsort(rows)
    return rows[order].astype(np.int64), y[order]


def _of_each(values: Any, name: str, n: int) -> np.ndarray:
    array = as_array(values, name)
    if array.shape != (n,):
        raise InputError(f"{name}: found an array of shape {array.shape}, expected ({n},) as many as predictions")
    return array
