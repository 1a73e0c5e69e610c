"""How many labels it takes to detect a calibration error, from the closed form of the error's variance.

An error of root mean square ε is detected if the interval excludes 0: if T, the bias-corrected squared error, exceeds
the quantile 1 − α of its distribution for a perfect model, α = 1 − level. With n labels, bins b of share w_b and mean
label variance v_b, that is a centred sum of chi-squares with variance V0 = 2 Σ v_b² / n² and Satterthwaite's degrees of
freedom f = (Σ v_b²)² / Σ v_b⁴. Where the error is ε everywhere, T has mean ε² and variance V0 + 4 ε² v / n,
v = Σ w_b v_b.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import EVENTS_PER_BIN, FEWEST_BINS
from nlpcalib.errors import InputError

MOST_LABELS = 10**12
"""Numbers of labels that are tried."""


def power(n: int, detect: float, q: np.ndarray, *, level: float = 0.95, design_effect: float = 1.0) -> float:
    """Return the probability that an error of `detect` is detected with `n` labels.

    Parameters
    ----------
    n : int
        Labels.
    detect : float
        Root mean squared calibration error, the same for all predictions.
    q : ndarray, shape (M,)
        Predictions as they will be labelled; a sample is enough. A single number is a prevalence: predictions are then
        taken to be many different ones around it.
    level : float
        Level of the interval.
    design_effect : float
        By how much the variance of a mean exceeds that of independent labels.
    """
    independent = n / design_effect
    pairs = SortedPairs(q, np.zeros(q.size, np.bool_))
    information = pairs.q * (1 - pairs.q)
    events = independent * min(pairs.q.mean(), 1 - pairs.q.mean(), information.mean())
    count = int(max(min(round(2 * independent**0.4), events // EVENTS_PER_BIN), FEWEST_BINS))
    starts = pairs.half_information_starts(count)
    size = np.diff(starts, append=q.size)
    variance = np.add.reduceat(information, starts) / size
    if q.size == 1:
        variance = np.repeat(variance, count)
    squares = float(np.sum(variance**2))
    if squares == 0:
        return 1.0
    freedom = squares**2 / float(np.sum(variance**4))
    null = 2 * squares / independent**2
    threshold = np.sqrt(null / (2 * freedom)) * (special.chdtri(freedom, 1 - level) - freedom)
    spread = np.sqrt(null + 4 * detect**2 * float(information.mean()) / independent)
    return float(special.ndtr((detect**2 - threshold) / spread))


def labels_needed(
    detect: float, q: np.ndarray, *, wanted: float = 0.8, level: float = 0.95, design_effect: float = 1.0
) -> int:
    """Return the fewest labels with which an error of `detect` is detected with probability `wanted`.

    Raises `InputError` for numbers that are no probabilities, and for errors that no number of labels would show.
    """
    for name, value in (("detect", detect), ("power", wanted), ("level", level)):
        if not 0 < value < 1:
            raise InputError(f"{name}: found {value}, expected a number between 0 and 1")
    if design_effect < 1:
        raise InputError(f"design effect: found {design_effect}, expected a number of at least 1")
    low, high = 1, 64
    while power(high, detect, q, level=level, design_effect=design_effect) < wanted:
        low, high = high, 2 * high
        if high > MOST_LABELS:
            raise InputError(f"detect: found {detect}, expected an error that fewer than {MOST_LABELS:,} labels show")
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        if power(middle, detect, q, level=level, design_effect=design_effect) < wanted:
            low = middle
        else:
            high = middle
    return high
