"""How wide an interval will be: the interval of the sample that is expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import expit

from nlpcalib.estimation.score import score_interval
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import LEVELS, Cells


def forecast_width(cells: Cells, p: np.ndarray, weights: np.ndarray, level: float = 0.95, effect: float = 1.0) -> float:
    """Return the expected width of the interval for the share of positive items.

    Parameters
    ----------
    cells : Cells
        Of the corpus, (C,); what was read so far is not used.
    p : ndarray, shape (C,)
        The rate of positive labels in each cell: what a pilot's working model estimates, or the predictions.
    weights : ndarray, shape (S,)
        1/π of each stratum, as planned.
    effect : float
        By how much reading items together multiplies the variance.
    """
    weight = np.maximum(weights[cells.stratum], 1)
    read = cells.size / weight
    planned = replace(
        cells, weight=weight, read=read, positive=read * p, expanded=cells.size, expanded_positive=cells.size * p
    )
    interval = score_interval(planned, fit_working_model(planned), level, clustered=lambda _: np.array(effect))
    return float((interval.high - interval.low) / cells.size.sum())


def rates(cells: Cells, labels_used: bool) -> np.ndarray:
    """Return the rates that a plan expects, (C,): those of the labels' working model, or the mean predictions.

    Where the model is sure, one label more that agrees with it stands for the prior: Jeffreys' half a label comes in
    with the sample that is expected, and twice would be too wide.
    """
    predicted = np.divide(cells.predicted, cells.size, out=np.zeros(cells.size.shape), where=cells.size > 0)
    if not labels_used:
        return predicted
    p = expit(fit_working_model(cells))
    for level in (0, LEVELS - 1):
        at = cells.level == level
        n, size = cells.read[at].sum(), cells.size[at].sum()
        if n and size:
            p[at] = (cells.positive[at].sum() + cells.predicted[at].sum() / size) / (n + 1)
    return p


def labels_for_width(forecast: Callable[[int], float], width: float, largest: int) -> int | None:
    """Return the fewest labels whose forecast is at most `width`; None if reading all but one does not reach it."""
    low, high = 1, largest
    if forecast(high) > width:
        return None
    while high > low:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if forecast(middle) > width else (low, middle)
    return high
