"""Is the rise real? The mean change of the rate of documents with an event, from one period to the next.

    D = Σ_t a_t n_t,        a_t = (t − t̄) / Σ_t N_t (t − t̄)²

* n_t is the number of documents with an event in period t, N_t that of all documents, and t̄ the mean of their periods.
* D is the slope of the least-squares line through all documents, as `nlpcalib.estimation.changes` has it for labels.

Given the levels of the model's probabilities (`nlpcalib.estimation.levels`), D has the mean Σ a_t Σ p and is taken for
normal. Its variance is Σ a_t² Σ p (1 − p), of what the model leaves open, and Σ a_t² N_t r_t (1 − r_t), of what made
the documents: with r_t the rate in period t, other documents of the same process would differ by so much. Levels are
shared by all periods: a model that finds too little in each period gives a slope that is too small in proportion. A
period far from the others, as of a wrong year, may decide a slope alone: `Change.deciding` names it.

Two periods of 100 documents, of which 20 and 40 have an event for certain, change by 20 points:

    >>> from nlpcalib.systems.events.count.counts import Cell
    >>> cells = {("A", t): Cell(np.zeros(2), 0, np.ones(n), np.zeros(n, bool)) for t, n in ((0, 20), (1, 40))}
    >>> change = trend(EventCounts("year", {0: 100, 1: 100}, cells))
    >>> round(change.value, 3), round(change.low, 3), change.per
    (0.2, 0.076, 'year')
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from nlpcalib.estimation.changes import Change, decided_by, leverage, slope_weights
from nlpcalib.examination.dates import filled_periods
from nlpcalib.systems.events.count.counts import EventCounts
from nlpcalib.tables.periods import period_label

TREND_LEVEL = 0.95
"""Level of the interval, as that of counts."""
_MAX_ABS_NORMAL = 8.0
"""Standard deviations beyond which no end of an interval is sought."""
_MIN_SD = 1e-12
"""Smallest standard deviation of a slope: that of certain counts is 0."""


def trend(counts: EventCounts) -> Change | None:
    """Return the mean change a period of the rate of documents with an event; None for fewer than two periods.

    `counts` has documents, each with an event of one country or of any: see `nlpcalib.systems.events.count.series`.
    """
    periods = [each for each in filled_periods(counts.documents, counts.unit) if counts.documents.get(each)]
    if len(periods) < 2:
        return None
    value, low, high, p_value = _slope(counts, periods)
    first, last = (period_label(each, counts.unit) for each in (periods[0], periods[-1]))
    change = Change("", first, last, counts.unit, value, low, high, p_value, p_value)
    most = leverage(*_times(counts, periods))
    if most is None:
        return change
    rest = [each for place, each in enumerate(periods) if place != most]
    return decided_by(change, period_label(periods[most], counts.unit), _slope(counts, rest)[:3])


def _times(counts: EventCounts, periods: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(periods, dtype=np.float64), np.array([counts.documents[t] for t in periods])


def _slope(counts: EventCounts, periods: Sequence[int]) -> tuple[float, float, float, float]:
    """Return the mean change over some periods, the ends of its interval, and the p-value of 0."""
    times, documents = _times(counts, periods)
    weights, _ = slope_weights(times, documents)
    cells = [(periods.index(period), cell) for (_, period), cell in counts.cells.items() if period in periods]
    place = np.repeat([number for number, _ in cells], [len(cell.probabilities) for _, cell in cells]).astype(int)
    q = np.concatenate([np.empty(0), *(cell.probabilities for _, cell in cells)])
    wordless = np.concatenate([np.empty(0, dtype=bool), *(cell.wordless for _, cell in cells)])
    a, rate = weights[place], np.minimum(np.bincount(place, q, len(periods)) / documents, 1.0)
    # Other documents of the same process would differ by so much.
    chance, mean, variance = np.ones(1), np.zeros(1), np.full(1, weights**2 @ (documents * rate * (1 - rate)))
    for effect, own in counts.levels.parts(wordless):
        share, p = effect.given(q[own])
        chance = np.outer(chance, share).ravel()
        mean = np.add.outer(mean, a[own] @ p).ravel()
        variance = np.add.outer(variance, a[own] ** 2 @ (p * (1 - p))).ravel()
    sd = np.sqrt(np.maximum(variance, _MIN_SD**2))

    def below(value: float) -> float:
        return float(chance @ ndtr((value - mean) / sd))

    ends = float((mean - _MAX_ABS_NORMAL * sd).min()), float((mean + _MAX_ABS_NORMAL * sd).max())
    low, high = (brentq(lambda x, at=at: below(x) - at, *ends) for at in ((1 - TREND_LEVEL) / 2, (1 + TREND_LEVEL) / 2))
    return float(a @ q), low, high, min(2 * min(below(0.0), 1 - below(0.0)), 1.0)
