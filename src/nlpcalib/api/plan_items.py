"""`nlpcalib.plan_items`: which items of a corpus to annotate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpcalib.api.estimate import labels_by_row
from nlpcalib.errors import InputError
from nlpcalib.estimation.planning import first_part, next_part
from nlpcalib.examination.items import examine_items
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.arrays import as_array, probabilities
from nlpcalib.sampling.cells import check_predictions
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.samples import labelled_sample


@dataclass(frozen=True, eq=False)
class ItemPlan:
    """Which items of a corpus are annotated, and with which probability each of them was drawn."""

    rows: np.ndarray
    """int64 (n,): the rows to annotate now, counted from 0."""
    inclusion: np.ndarray
    """float64 (N,): the probability of each item to be in the sample so far, for `nlpcalib.estimate`."""
    budget: int
    """Items to annotate in all; units, where there are some."""
    width: float
    """Expected width of the 95 % interval for the share of positive items, when all are annotated."""
    complete: bool
    """Whether nothing is left to plan: else annotate, and plan again with the labels."""

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{len(self.rows):,} items to annotate now, of {self.budget:,} in all; expected width {self.width:.2g}>"


def plan_items(
    q: Any,
    *,
    budget: int | None = None,
    width: float | None = None,
    unit: Any = None,
    labels: Mapping[int, float | None] | None = None,
    design: str | None = None,
    seed: int = 0,
) -> ItemPlan:
    """Choose the items to annotate for `nlpcalib.estimate`: a probability sample in strata of the predictions.

    A design of two phases begins with a pilot of 40 %. Call again with the same arguments and its labels: they decide
    what to annotate next. Pass the `inclusion` of the last call to `nlpcalib.estimate`, with all labels.

    Parameters
    ----------
    q : array_like, shape (N,)
        Predictions of all items.
    budget : int, optional
        Items to annotate in all; units, where there are some.
    width : float, optional
        Instead of a budget, the width of the 95 % interval for the share of positive items to aim at.
    unit : array_like, shape (N,), optional
        What items are read together in: a document.
    labels : mapping, optional
        From each row of the pilot to 0 or 1, or to None where the annotator left it open.
    design : str
        "two-phase", "stratified" or "random"; "two-phase" for items and "stratified" for units, unless it is given.
    seed : int
        Of the sample.

    Raises
    ------
    InputError
        For what is no probability, both or none of budget and width, a width that nothing reaches, and missing labels.
    """
    predictions = check_predictions(probabilities(as_array(q, "predictions")))
    rows = tuple(map(str, range(len(predictions))))
    names, codes = rows, None
    if unit is not None:
        units = np.asarray(unit)
        if units.shape != predictions.shape:
            raise InputError(f"unit: found an array of shape {units.shape}, expected {predictions.shape}")
        found, codes = np.unique(units, return_inverse=True)
        names = tuple(map(str, found))
    report_findings(examine_items(predictions, unit=codes))
    frame = Frame(names, predictions, codes)
    part = first_part(frame, budget=budget, width=width, seed=seed, design=design)
    queue = part.plan.queue(frame)
    if labels is not None:
        labelled, y = labels_by_row(labels, len(rows))
        label_of = dict(zip(map(str, labelled.tolist()), y.tolist(), strict=True))
        sample = labelled_sample(part.plan, queue, frame, rows, label_of)
        part = next_part(frame, part.plan, queue, sample, width=width)
    strata = queue.strata if codes is None else queue.strata[codes]
    inclusion = 1 / part.plan.weights[strata]
    if codes is not None:
        weight = part.plan.unit_weights(queue)[codes]
        if ((weight > 0) & (weight < 1)).any():
            raise InputError(f"budget: found {part.plan.budget} units, expected fewer, or a larger one for the pilot")
        inclusion = np.divide(1, weight, out=inclusion, where=weight > 0)
    return ItemPlan(part.rows, inclusion, part.plan.budget, part.width, part.plan.complete)
