"""Totals of a corpus and its groups, with intervals, from predictions and a labelled probability sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlpcalib.errors import InputError, counted
from nlpcalib.estimation.group_totals import group_totals
from nlpcalib.estimation.score import Family, Totals, score_interval
from nlpcalib.estimation.unequal import unequal_interval
from nlpcalib.estimation.units import UnitEffect
from nlpcalib.estimation.working_model import fit_working_model, shifted_to_groups
from nlpcalib.sampling.cells import Cells, as_group, check_predictions
from nlpcalib.sampling.samples import Sample, count_cells


@dataclass(frozen=True)
class Estimate:
    """The estimated number of positive items of a corpus, or of a group of it."""

    group: str
    """Empty for the whole corpus."""
    items: int
    read: int
    positive: float
    """Positive items among those read; open labels count half."""
    predicted: float
    """The sum of the predictions: what the model alone would report."""
    total: float
    low: float
    high: float
    notes: tuple[str, ...] = ()
    """Sentences that a reader of the interval should know."""

    @property
    def share(self) -> tuple[float, float, float]:
        """The share of positive items and the ends of its interval."""
        return self.total / self.items, self.low / self.items, self.high / self.items


def estimate_totals(
    q: np.ndarray,
    sample: Sample,
    group: np.ndarray | None = None,
    names: Sequence[str] = ("",),
    *,
    level: float = 0.95,
    process: bool = False,
) -> list[Estimate]:
    """Return the estimate of each group of items, or of the whole corpus.

    Parameters
    ----------
    q : ndarray of float64, shape (N,)
        Predictions of all items.
    sample : Sample
        Which items were read, how they were drawn, and their labels.
    group : ndarray of int, optional, shape (N,)
        The group of each item, an index of `names`. Groups add up to the corpus: see
        `nlpcalib.estimation.group_totals`. With `process` each has its own labels only.
    level : float
        Level of the interval.
    process : bool
        Whether score intervals are of what made the items, see `nlpcalib.estimation.score.unknown_items`.

    Raises
    ------
    InputError
        For predictions outside [0, 1], and labels that are neither 0, 1 nor NaN.
    """
    return estimates_at((level,), q, sample, group, names, process=process)[0]


def estimates_at(
    levels: Sequence[float],
    q: np.ndarray,
    sample: Sample,
    group: np.ndarray | None,
    names: Sequence[str],
    *,
    process: bool,
) -> list[list[Estimate]]:
    """Return what `estimate_totals` does for each of several levels; the corpus is counted once."""
    q = check_predictions(q)
    sample = _without_lone_units(sample, group)
    for level in levels:
        if not 0 < level < 1:
            raise InputError(f"level: found {level}, expected a number between 0 and 1")
    y = np.asarray(sample.y, dtype=np.float64)
    open_labels = np.isnan(y)
    if not (open_labels | (y == 0) | (y == 1)).all():
        raise InputError("labels: found numbers other than 0 and 1, expected 0, 1 or NaN for cannot tell")
    samples = [replace(sample, y=filled) for filled in filled_labels(y)]
    of_cells = [(count_cells(q, each, group, len(names))[0], each) for each in samples]
    left = int(open_labels.sum()) if group is None else 0
    results = [[_totals(cells, q, each, group, level, process) for cells, each in of_cells] for level in levels]
    return [combined(names, each, lambda cells, g: _notes(cells, g, left)) for each in results]


def forecast_width(
    cells: Cells, p: np.ndarray, weights: np.ndarray, *, effect: float = 1.0, level: float = 0.95
) -> np.ndarray:
    """Return the expected width of the interval for the share of positive items, (G,).

    Parameters
    ----------
    cells : Cells
        Cells of the groups of a corpus, (G, C); what was read so far is not used.
    p : ndarray, shape (C,)
        The rate of positive labels in each cell: what a pilot's working model estimates, or the predictions.
    weights : ndarray, shape (S,)
        1/π of each stratum, as planned.
    effect : float
        Factor by which reading items together multiplies the variance.
    """
    weight = np.broadcast_to(np.maximum(weights[cells.stratum], 1), cells.size.shape)
    read = cells.size / weight
    planned = replace(
        cells, weight=weight, read=read, positive=read * p, expanded=cells.size, expanded_positive=cells.size * p
    )
    eta = np.broadcast_to(fit_working_model(planned.whole), weight.shape)
    interval = score_interval(planned, eta, level, lambda _, t: np.full(t.shape, effect), grows=len(cells.size) == 1)
    return (interval.high - interval.low) / cells.size.sum(axis=-1)


def _without_lone_units(sample: Sample, group: np.ndarray | None) -> Sample:
    """Return a sample of items where no unit has two of one group, such as the cases that two systems answer once."""
    if sample.unit is None:
        return sample
    part = sample.unit if group is None else group * (sample.unit.max() + 1) + sample.unit
    return sample if len(np.unique(part)) < len(part) else replace(sample, unit=None)


def filled_labels(y: np.ndarray) -> list[np.ndarray]:
    """Return labels, float64 (n,), with ½ for those that are open, NaN, and, if there are some, with 0 and with 1."""
    still_open = np.isnan(y)
    return [np.where(still_open, each, y) for each in ((0.5, 0.0, 1.0) if still_open.any() else (0.5,))]


def combined(
    names: Sequence[str], results: Sequence[tuple[Cells, Totals]], notes: Callable[[Cells, int], tuple[str, ...]]
) -> list[Estimate]:
    """Return the estimates of groups whose intervals hold those of all `results`, one for each of `filled_labels`."""
    cells, totals = results[0]
    low = np.min([each.low for _, each in results], axis=0)
    high = np.max([each.high for _, each in results], axis=0)
    return [
        Estimate(
            name, int(cells.size[g].sum()), int(cells.read[g].sum()), float(cells.positive[g].sum()),
            float(cells.predicted[g].sum()), float(totals.value[g]), float(low[g]), float(high[g]), notes(cells, g),
        )
        for g, name in enumerate(names)
    ]  # fmt: skip


def _totals(
    cells: Cells, q: np.ndarray, sample: Sample, group: np.ndarray | None, level: float, process: bool
) -> tuple[Cells, Totals]:
    groups = len(cells.size)
    if sample.unit is None and sample.expansion is not None:
        return cells, unequal_interval(q, sample, group, groups, level, process=process)
    model = fit_working_model(cells.whole)
    eta = shifted_to_groups(cells, model) if groups > 1 else model[None]
    effect = None if sample.unit is None else UnitEffect(cells, q, sample, group, level, process=process)
    if groups == 1 or process:
        return cells, score_interval(cells, eta, level, effect=effect, process=process)
    [total] = score_interval(as_group(cells.whole), model[None], level).value
    alike = 1.0 if effect is None else effect(Family(cells, eta), np.zeros(groups))
    return cells, group_totals(cells, model, float(total), level, alike)


def _notes(cells: Cells, g: int, open_labels: int) -> tuple[str, ...]:
    size, read = cells.size[g], cells.read[g]
    notes = []
    if (read == size).all():
        return ("Every item was read: the number is counted, not estimated.",)
    missing = size[np.isinf(cells.weight[g])].sum()
    if missing:
        notes.append(
            f"{counted(int(missing), 'item')} could not be drawn: the interval allows for all or none to be positive."
        )
    if not read.sum():
        notes.append(
            "No item was read: the interval has every number that is possible, and the estimate is the model's."
        )
    sure = cells.level == 0
    if read.sum() and size[sure].sum() and not read[sure].sum():
        notes.append("No item with q ≤ .01 is labelled: how many of them are positive rests on the model.")
    if open_labels:
        notes.append(f"{counted(open_labels, 'label')} left open: the interval holds both answers.")
    return tuple(notes)
