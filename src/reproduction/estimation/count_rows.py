"""Whether intervals for the number of units in a group hold: of a model as it was trained, recalibrated, and shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.estimation.shared_effect import INDEPENDENT, SharedEffect, fit_shared_effect, narrowest
from nlpcalib.recalibration.fitting import EVENTS_PER_PARAMETER, RECALIBRATIONS

COUNT_INTERVAL_LEVEL = 0.95

_MAP = RECALIBRATIONS["beta"]


@dataclass(frozen=True, eq=False)
class UncertainUnits:
    """Uncertain units of known groups: tokens or mentions of documents."""

    q: np.ndarray
    """float64 (N,): their probabilities."""
    y: np.ndarray
    """bool (N,): whether they happened."""
    group: np.ndarray
    """int64 (N,)."""

    def mapped(self, fitted_map: Callable[[np.ndarray], np.ndarray]) -> UncertainUnits:
        """Return the same units with other probabilities."""
        return UncertainUnits(fitted_map(self.q), self.y, self.group)


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """Intervals for the number of units in the documents of a test set."""

    posterior: str
    """`trained` or `recalibrated` for the model; `shared effect` for the latter with a beta map and that effect."""
    documents: int
    mean: float
    """Mean number in a document."""
    bias: float
    """The mean of what was expected, less that of what was there."""
    loading: float
    """λ of the shared effect, the mean over folds."""
    promised: float
    """The mean probability of the intervals: above the level, since counts are whole numbers."""
    held: float
    """The share of documents whose number is within its interval."""
    width: float
    """The mean of the intervals' last number less their first."""
    quantiles: float
    """`quantile_distance` of the documents' numbers."""


def count_rows(
    trained: Sequence[UncertainUnits], recalibrated: Sequence[UncertainUnits], labelled: Sequence[UncertainUnits]
) -> Iterator[IntervalRow]:
    """Yield three rows on the documents of F parts, each with its own model and its own labelled documents.

    A shared effect keeps probabilities, so that they have to be right for what is counted. Recalibration of a whole
    model leaves errors of one kind of unit, and a beta map corrects what it leaves.

    Parameters
    ----------
    trained, recalibrated : sequences of F Units
        By a model as it was trained and recalibrated.
    labelled : sequence of F Units
        Probabilities of other documents, by recalibrated models that never trained on them. Map and effect are fitted
        to these.
    """
    yield count_row("trained", [(units, INDEPENDENT) for units in trained])
    yield count_row("recalibrated", [(units, INDEPENDENT) for units in recalibrated])
    shared = []
    for units, fitted in zip(recalibrated, labelled, strict=True):
        enough = min(np.count_nonzero(fitted.y), np.count_nonzero(~fitted.y)) >= EVENTS_PER_PARAMETER * _MAP.parameters
        fitted_map: Callable[[np.ndarray], np.ndarray] = _MAP.fit(fitted.q, fitted.y) if enough else np.asarray
        mapped = fitted.mapped(fitted_map)
        shared.append((units.mapped(fitted_map), fit_shared_effect(mapped.q, mapped.y, mapped.group)))
    yield count_row("shared effect", shared)


def count_row(posterior: str, parts: Sequence[tuple[UncertainUnits, SharedEffect]]) -> IntervalRow:
    """Return how intervals do on the groups of all parts, each under its own effect."""
    counts, expected, intervals, quantiles = [], [], [], []
    for units, effect in parts:
        order = np.argsort(units.group, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(units.group[order])) + 1):
            counts.append(np.count_nonzero(units.y[rows]))
            expected.append(units.q[rows].sum())
            pmf = effect.distribution(units.q[rows])
            intervals.append(narrowest(pmf, COUNT_INTERVAL_LEVEL))
            quantiles.append((pmf[: counts[-1]].sum(), pmf[: counts[-1] + 1].sum()))
    count = np.array(counts)
    low, high, promised = np.array(intervals).T
    return IntervalRow(
        posterior,
        count.size,
        float(count.mean()),
        float(np.mean(expected - count)),
        float(np.mean([effect.loading for _, effect in parts])),
        float(promised.mean()),
        float(np.mean((low <= count) & (count <= high))),
        float(np.mean(high - low)),
        quantile_distance(*np.array(quantiles).T),
    )


def quantile_distance(below: np.ndarray, at: np.ndarray) -> float:
    """Return how far the posterior quantiles of true values are from a uniform distribution, as Kolmogorov's distance.

    Under a calibrated posterior F the quantile F(y) of the truth is uniform (Rubin 2006; thesis, chapter 2). That of a
    whole number lies anywhere from F(y - 1) to F(y) (Czado, Gneiting & Held 2009).

    Parameters
    ----------
    below, at : ndarray, shape (N,), float64
        F(y - 1) and F(y); of a continuous prediction both are F(y).
    """
    levels = np.arange(1, 200) / 200
    share = (levels[:, None] - below) / np.maximum(at - below, np.finfo(float).tiny)
    return float(np.abs(np.clip(share, 0, 1).mean(axis=1) - levels).max())
