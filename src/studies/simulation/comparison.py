"""How often the paired interval of two models' log losses holds the true difference, and which model is shown better.

The first model is calibrated, with scores of two shapes. The second has its predictions divided where they are small,
rounded, clipped or at another temperature, so it is worse in truth, and a sample may not show it: what it gets wrong is
rare.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri

from nlpcalib.calibration.paired import Difference, difference, loss_side, mean_side
from nlpcalib.seeding import generator
from reproduction.workflow.table_files import TitledRows

SCORES = {"of rare events": (-2.5, 2.0), "sharp": (0.0, 4.0)}
"""Mean and standard deviation of the first model's log odds."""
ROWS_PER_UNIT = 10
UNIT_SHARE_OF_PREDICTIONS, UNIT_SHARE_OF_LABELS = 0.5, 0.3
"""Correlations of the log odds, and of what decides the labels, of two rows of a unit."""
SIZES = (100, 300, 1000, 3000, 10_000)
LEVEL = 1 - 0.05 / 2
"""Level of one of the two intervals that hold together at .95 in `nlpcalib.compare`."""
_QUANTILES = 400_000
"""Predictions that the true difference is the mean of."""


def _divided(below: float, by: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda q: np.where(q < below, q / by, q)


def _clipped(at: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda q: np.clip(q, at, 1 - at)


def _temperature(t: float) -> Callable[[np.ndarray], np.ndarray]:
    # A sharp model's own numbers would be rounded to 0 and 1, which rule outcomes out.
    return lambda q: _clipped(np.finfo(np.float64).eps)(expit(logit(q) / t))


SECOND_MODELS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "below .01 divided by 30": _divided(0.01, 30),
    "below .005 divided by 100": _divided(0.005, 100),
    "below .002 divided by 100": _divided(0.002, 100),
    "rounded to 2 digits": lambda q: q.round(2),
    "clipped to .05 to .95": _clipped(0.05),
    "clipped to .01 to .99": _clipped(0.01),
    "clipped to .001 to .999": _clipped(0.001),
    **{f"temperature {t}": _temperature(t) for t in (0.5, 0.7, 1.1, 1.3, 1.5, 2)},
}


def comparison_table(*, draws: int, seed: int) -> list[TitledRows]:
    """Return a row for each second model, kind of unit, shape of scores and number of rows."""
    rows = [
        comparison_row(second, n, per_unit, scores, draws=draws, seed=seed)
        for second in SECOND_MODELS
        for per_unit in (1, ROWS_PER_UNIT)
        for scores in SCORES
        for n in SIZES
    ]
    return [("How often the interval of two models' log losses holds, and which model is shown better", rows)]


def comparison_row(second: str, n: int, per_unit: int, scores: str, *, draws: int, seed: int) -> dict:
    """Return coverage, and how often either model is shown better, by the interval and by Student's t of the losses.

    Samples in which the models give every row the same probability have no test and are left out.
    """
    change = SECOND_MODELS[second]
    truth = _true_difference(change, scores)
    random = generator(seed, "comparison", scores, second, n, per_unit)
    found = [each for _ in range(draws) if (each := _judged(change, n, per_unit, scores, truth, random)) is not None]
    counts = np.mean(found, axis=0) if found else np.full((2, 3), np.nan)
    row: dict = {"scores": scores, "second": second, "rows": n, "units": per_unit > 1}
    row |= {"replicates": draws, "samples": len(found)}
    for name, shares in zip(("", "_t"), counts, strict=True):
        named = zip((f"held{name}", f"worse_shown_better{name}", f"better_shown{name}"), shares.tolist(), strict=True)
        row |= dict(named)
    return row


def _judged(
    change: Callable[[np.ndarray], np.ndarray], n: int, per_unit: int, scores: str, truth: float,
    random: np.random.Generator,
) -> list[tuple[bool, bool, bool]] | None:  # fmt: skip
    """Return whether each method's interval holds the truth, and shows the second or the first to be better."""
    unit = np.arange(n) // per_unit
    own = random.standard_normal((2, n))
    if per_unit > 1:
        shares = np.array([[UNIT_SHARE_OF_PREDICTIONS], [UNIT_SHARE_OF_LABELS]])
        shared = random.standard_normal((2, unit[-1] + 1))[:, unit]
        own = np.sqrt(shares) * shared + np.sqrt(1 - shares) * own
    mean, deviation = SCORES[scores]
    q = expit(mean + deviation * own[0])
    y = (ndtr(own[1]) < q).astype(np.int64)
    models = [np.stack([1 - each, each], axis=1) for each in (q, change(q))]
    if (models[0] == models[1]).all():
        return None
    with np.errstate(divide="ignore"):
        losses = [-np.log(p[np.arange(n), y]) for p in models]
    if not np.isfinite(losses).all():
        return None  # what is infinite is seen and not tested
    tests: list[Difference] = [
        difference(*(loss_side(p, y, unit) for p in models)), difference(*(mean_side(each, unit) for each in losses))
    ]  # fmt: skip
    ends = [test.interval(LEVEL) for test in tests]
    return [(low <= truth <= high, low > 0, high < 0) for low, high in ends]


def _true_difference(change: Callable[[np.ndarray], np.ndarray], scores: str) -> float:
    mean, deviation = SCORES[scores]
    q = expit(mean + deviation * ndtri((np.arange(_QUANTILES) + 0.5) / _QUANTILES))
    second = change(q)
    with np.errstate(divide="ignore"):
        return float(np.mean(q * (np.log(second) - np.log(q)) + (1 - q) * (np.log1p(-second) - np.log1p(-q))))
