"""Means of bounded numbers: ratings, shares, and measurements in a known range.

    z = (v − a)/(b − a),   x = z − p,   C = (E W l + Σ_i G_i w_i x_i)/(E W + Σ_i G_i w_i)

* v is the value of an item, from a to b, and z its place between them. p is the working model's mean of z.
* w_i is how many items the label i stands for, and W the largest of them.
* E is an exponential number of mean 1, for an item that nobody drew. G_i are independent Gamma(1/d) numbers: a label
  counts for one item, or for 1/d where labels of a unit are alike. d is their design effect, with Student's t.
* l is the least that x may be of unseen items: minus the mean of p over the 1/(n + 1) of all items with the largest p.

The lower end of the mean of x is the quantile of C; the upper end has the largest that x may be in place of l. With
d = 1 this is Gaffke's (2005) interval, which is Clopper and Pearson's for values of 0 and 1. It has what a few items
that nobody drew would add, which a variance of the labels that were seen has not. The distance of both ends from the
estimate is multiplied by √(1 − n/N), as n of N items are known.

P(C ≤ c) is that of Σ G a ≤ 0 with a = w (x − c), by its saddlepoint (Lugannani & Rice 1980). The cumulant function is
K(s) = −Σ log(1 − s a)/d, without d for E.

Of 10,000 items 100 have a rating, all of them 3 of 1 to 5. What nobody drew has up to .036 of the mass (at z = 0 or 1):

>>> sample = Sample(np.zeros(10_000, np.int64), np.array([100.0]), np.arange(100), np.full(100, 0.5))
>>> [found] = value_totals(np.full(10_000, 0.5), sample)
>>> [round(1 + 4 * share, 2) for share in found.share]
[3.0, 2.93, 3.07]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import expit, ndtr

from nlpcalib.errors import InputError, argument
from nlpcalib.estimation.estimates import Estimate, combined, filled_labels
from nlpcalib.estimation.score import Totals, corrected_root
from nlpcalib.estimation.units import PRIOR_UNITS, student_factor
from nlpcalib.estimation.working_model import fit_working_model, shifted_to_groups
from nlpcalib.numerics import bisected
from nlpcalib.sampling.cells import Cells, check_predictions
from nlpcalib.sampling.samples import Sample, count_cells
from nlpcalib.sampling.strata import ANTICIPATED_CORRELATION


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
        raise InputError(
            f"inclusion: found more than 100 probabilities with {argument('values')}, expected a plan, or strata"
        )
    samples = [replace(sample, y=filled) for filled in filled_labels(y)]
    results = [_interval(q, each, group, len(names), level) for each in samples]
    left = int(np.isnan(y).sum()) if group is None else 0
    return combined(names, results, lambda cells, g: _notes(cells, g, left))


def _interval(
    q: np.ndarray, sample: Sample, group: np.ndarray | None, groups: int, level: float
) -> tuple[Cells, Totals]:
    cells, place = count_cells(q, sample, group, groups)
    y = sample.y
    eta = fit_working_model(cells.whole)
    p = expit(shifted_to_groups(cells, eta) if groups > 1 else eta[None])
    of = np.zeros(len(y), dtype=np.int64) if group is None else group[sample.rows]
    drawn = np.isfinite(cells.weight[0]) & (cells.weight[0] > 1)
    found = []
    for g in range(groups):
        kept = (of == g) & drawn[place]
        size = np.where(drawn, cells.size[g], 0)
        known = np.where(cells.weight[g] <= 1, cells.positive[g], 0).sum()
        missing = np.where(np.isinf(cells.weight[g]), cells.size[g], 0)
        guess, believed, items = size @ p[g], missing @ p[g], size.sum()
        if not kept.any():
            found.append((known + guess + believed, known, known + items + missing.sum()))
            continue
        residual, weight = y[kept] - p[g][place[kept]], sample.label_weights[kept]
        mean = np.average(residual, weights=weight)
        effect = (
            1.0 if sample.unit is None else _effect(weight * (residual - mean), sample.unit[sample.rows[kept]], level)
        )
        unseen = items / (kept.sum() / effect + 1)
        bounds = -_largest(p[g], size, unseen), 1 + _largest(-p[g], size, unseen)
        unread = np.sqrt(max(1 - kept.sum() / items, 0))
        ends = gaffke_ends(residual, weight, bounds, level, effect)
        value, low, high = (guess + items * (mean + unread * (end - mean)) for end in (mean, *ends))
        seen = y[kept].sum()
        value, low, high = (known + np.clip(each, seen, seen + items - kept.sum()) for each in (value, low, high))
        found.append((value + believed, low, high + missing.sum()))
    return cells, Totals(*np.array(found).T)


def _largest(p: np.ndarray, size: np.ndarray, items: float) -> float:
    """Return the mean of the largest p of some items, where `size` (C,) items have p (C,)."""
    order = np.argsort(-p)
    taken = np.diff(np.minimum(np.cumsum(size[order]), items), prepend=0)
    return float(taken @ p[order] / taken.sum())


def _effect(error: np.ndarray, unit: np.ndarray, level: float) -> float:
    """Return d from the weighted errors (n,) of labels and their units (n,), at least 1; few units lean to a prior."""
    member = np.unique(unit, return_inverse=True)[1]
    labels = np.bincount(member).astype(np.float64)
    units = labels.sum() ** 2 / (labels**2).sum()
    anticipated = 1 + ANTICIPATED_CORRELATION * ((labels**2).sum() / labels.sum() - 1)
    independent = (error**2).sum()
    found = (np.bincount(member, error) ** 2).sum() / independent if independent > 0 else anticipated
    effect = (units * found + PRIOR_UNITS * anticipated) / (units + PRIOR_UNITS)
    return float(max(effect * student_factor(np.maximum(units - 1, 1), level) ** 2, 1.0))


def gaffke_ends(
    x: np.ndarray, weight: np.ndarray, bounds: tuple[float, float], level: float, effect: float = 1.0
) -> tuple[float, float]:
    """Return the ends of the interval for the mean of x; see the module.

    Parameters
    ----------
    x, weight : ndarray of float64, shape (n,)
        What labels report, and how many items each stands for.
    bounds : tuple of float
        The least and the largest value of x that unseen items may have.
    level, effect : float
        Level of the interval, and d.
    """
    ends = []
    shape = np.append(np.full(len(x), 1 / effect), 1.0)
    weight = np.append(weight, weight.max())
    for bound, below in zip(bounds, ((1 - level) / 2, (1 + level) / 2), strict=True):
        rows = np.append(x, bound)

        def is_below(mean: np.ndarray, rows: np.ndarray = rows, below: float = below) -> np.bool_:
            return np.bool_(_below_zero(weight * (rows - mean), shape) < below)

        ends.append(float(np.mean(bisected(is_below, rows.min(), rows.max()))))
    return ends[0], ends[1]


def _below_zero(a: np.ndarray, shape: np.ndarray) -> float:
    """Return P(Σ G a ≤ 0) of independent Gamma numbers G of a `shape` (n,), for `a` (n,) of both signs."""
    if a.max() <= 0 or a.min() >= 0:
        return float(a.max() <= 0)
    # K′(s) = Σ shape · a/(1 − s a) rises from −∞ to ∞ between the poles of both signs.
    s = np.mean(bisected(lambda s: (shape * a / (1 - s * a)).sum() < 0, 1 / a.min(), 1 / a.max()))
    r = np.sign(s) * np.sqrt(max(2 * (shape * np.log1p(-s * a)).sum(), 0))
    return float(ndtr(corrected_root(r, s * np.sqrt((shape * (a / (1 - s * a)) ** 2).sum()))))


def _notes(cells: Cells, g: int, open_labels: int) -> tuple[str, ...]:
    if (cells.read[g] == cells.size[g]).all():
        return ("Every item was read: the sum is counted, not estimated.",)
    notes = []
    if not cells.read[g].sum():
        notes.append("No item was read: the interval is the whole range.")
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
