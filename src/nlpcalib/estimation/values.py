"""Means of bounded numbers: ratings, shares, and measurements in a known range.

    z = (v − a)/(b − a),   Σ z estimated as a total of labels,   d = φ (t/z)²,   φ = (n r + k)/(n + k)

* v is the value of an item, from a to b, and z its place between them. A label yes or no is a place of 1 or 0.
* r is the design's own estimate of the variance of U, over that of `score`, which takes places for yes or no. Between
  the ends places vary less: with mean p by p (1 − p) at most, so that r ≤ 1 but for chance and units.
* k = `PRIOR_LABELS` labels that vary as much as they may are added to the n read ones, or units: few labels do not show
  how far values spread. t/z is the quotient of Student's quantile with n − 1 degrees of freedom and the normal one.

The interval is that of `score` with d in place of its design effect. Where items come in units, n counts units, and r
has the squares of their sums.

Of 10,000 items 100 have a rating, all of them 3 of 1 to 5: with r = 0 the interval is that of four labels in 104.

>>> sample = Sample(np.zeros(10_000, np.int64), np.array([100.0]), np.arange(100), np.full(100, 0.5))
>>> [found] = value_totals(np.full(10_000, 0.5), sample)
>>> [round(1 + 4 * share, 2) for share in found.share]
[3.0, 2.92, 3.08]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.estimation.estimates import Estimate, combined, filled_labels
from nlpcalib.estimation.score import Family, Totals, score_interval
from nlpcalib.estimation.units import student_factor
from nlpcalib.estimation.working_model import fit_working_model, shifted_to_groups
from nlpcalib.sampling.cells import Cells, check_predictions, count_cells
from nlpcalib.sampling.samples import Sample

PRIOR_LABELS = 4.0
"""Labels with the largest variance that are added to those that were read."""
_MIN_EFFECT = 1e-3
"""Smallest d, so that a jump is not 0."""


def value_totals(
    q: np.ndarray,
    sample: Sample,
    group: np.ndarray | None = None,
    names: Sequence[str] = ("",),
    *,
    level: float = 0.95,
) -> list[Estimate]:
    """Return the estimated sum of places in [0, 1] of each group of items, or of the whole corpus.

    Parameters are those of `nlpcalib.estimation.estimates.estimate_totals`, with labels and predictions in [0, 1].
    Raises `InputError` for others, and for items that were drawn with probabilities of their own.
    """
    q = check_predictions(q)
    y = np.asarray(sample.y, dtype=np.float64)
    if not (np.isnan(y) | ((y >= 0) & (y <= 1))).all():
        raise InputError("labels: found values outside of their range")
    if sample.expansion is not None and sample.unit is None:
        raise InputError("inclusion: found more than 100 probabilities with values=, expected a plan, or strata")
    results = [_interval(q, sample, filled, group, len(names), level) for filled in filled_labels(y)]
    left = int(np.isnan(y).sum()) if group is None else 0
    return combined(names, results, lambda cells, g: _notes(cells, g, left))


def _interval(
    q: np.ndarray, sample: Sample, y: np.ndarray, group: np.ndarray | None, groups: int, level: float
) -> tuple[Cells, Totals]:
    cells, place = count_cells(q, sample.stratum, sample.weights, sample.rows, y, group, groups, sample.expansion)
    eta = fit_working_model(cells.whole)
    eta = shifted_to_groups(cells, eta) if groups > 1 else eta[None]
    of = np.zeros(len(y), dtype=np.int64) if group is None else group[sample.rows]
    weight = sample.label_weights
    units = np.arange(len(y)) if sample.unit is None else sample.unit[sample.rows]
    unit, first = np.unique(of * (int(units.max(initial=0)) + 1) + units, return_index=True)
    member = np.searchsorted(unit, of * (int(units.max(initial=0)) + 1) + units)
    number = np.bincount(of[first], minlength=groups)

    def effect(family: Family, t: np.ndarray) -> np.ndarray:
        p = family.p(t)[of, place]
        root = np.sqrt(np.maximum(weight - 1, 0) * weight)
        error = np.bincount(member, root * (y - p), minlength=len(unit))
        found = np.bincount(of[first], error**2, minlength=groups)
        expected = np.bincount(of, root**2 * p * (1 - p), minlength=groups)
        ratio = np.divide(found, expected, out=np.ones(groups), where=expected > 0)
        shrunk = (number * ratio + PRIOR_LABELS) / (number + PRIOR_LABELS)
        return np.maximum(shrunk * student_factor(np.maximum(number - 1, 1), level) ** 2, _MIN_EFFECT)

    return cells, score_interval(cells, eta, level, effect=effect)


def _notes(cells: Cells, g: int, open_labels: int) -> tuple[str, ...]:
    if (cells.read[g] == cells.size[g]).all():
        return ("Every item was read: the sum is counted, not estimated.",)
    notes = []
    if not cells.read[g].sum():
        notes.append("No item was read: the interval is all that can be.")
    if open_labels:
        notes.append(f"Labels left open: {open_labels:,}; the interval holds all that they may be.")
    return tuple(notes)


def in_range(estimate: Estimate, low: float, high: float) -> Estimate:
    """Return an estimate of a sum of places as one of values from `low` to `high`."""

    def value(total: float, items: int) -> float:
        return low * items + (high - low) * total

    return replace(
        estimate,
        positive=value(estimate.positive, estimate.read),
        predicted=value(estimate.predicted, estimate.items),
        total=value(estimate.total, estimate.items),
        low=value(estimate.low, estimate.items),
        high=value(estimate.high, estimate.items),
    )
