"""How many labels detect a calibration error of a given size: the variance of the debiased squared error, inverted.

The test `binned` rejects perfect calibration where T exceeds its quantile under the hypothesis. With n labels over B
bins whose labels have the variance σ² = E[q(1 − q)] on average, T varies by V0 = 2 B c σ⁴ / n² around 0 if the model is
perfect, and by V0 + 4 σ² θ / n around θ if its squared error is θ (docs/explanation/method.md). Here c is the mean of
the squared variances of bins over the square of their mean. The number of labels that has the power asked for is the
root of a quadratic equation in n.
"""

from __future__ import annotations

from math import ceil

from scipy import special

from nlpcalib.calibration.estimates import EVENTS_PER_BIN, FEWEST_BINS
from nlpcalib.errors import InputError

EVENLY_SPREAD = 1.2
"""c of predictions spread evenly: E[q²(1 − q)²] = 1/30 over (1/6)²."""


def labels_needed(
    error: float,
    *,
    variance: float = 1 / 6,
    power: float = 0.8,
    level: float = 0.05,
    bins: int | None = None,
    units: float = 1.0,
    unevenness: float = EVENLY_SPREAD,
) -> int:
    """Return how many labels detect a root mean squared calibration error.

    Parameters
    ----------
    error : float
        The error to be detected, in (0, 1).
    variance : float
        σ², the mean of q(1 − q): 1/6 for predictions spread evenly, which is the default, at most 1/4; it is smaller,
        and fewer labels are needed, if the model is sure of most.
    power : float
        Probability with which an error of this size is to be found.
    level : float
        Probability with which a perfect model is found wanting.
    bins : int or None
        Number of bins; None is the rule of `recommended_bins` for that many labels.
    units : float
        Design effect: how much more the labels of units vary together than alone (1 for independent labels).
    unevenness : float
        c, the mean of the squared variances of bins over σ⁴, at least 1: large if the model is sure of most.

    Raises
    ------
    InputError
        If a number is out of its range.
    """
    for name, value, low, high in (
        ("error", error, 0, 1),
        ("variance", variance, 0, 0.25 + 1e-12),
        ("power", power, level, 1),
        ("level", level, 0, 1),
    ):
        if not low < value < high:
            raise InputError(f"{name}: found {value}, expected a number above {low:g} and below {high:g}")
    if units < 1:
        raise InputError(f"units: found a design effect of {units}, expected at least 1")
    if bins is not None:
        return _for_bins(error, variance * units, power, level, bins, unevenness)
    labels = 1
    while True:  # more labels have more bins, which need more labels
        number = max(FEWEST_BINS, int(min(round(2 * labels**0.4), labels * variance / EVENTS_PER_BIN)))
        needed = _for_bins(error, variance * units, power, level, number, unevenness)
        if needed <= labels:
            return labels
        labels = needed


def _for_bins(error: float, variance: float, power: float, level: float, bins: int, unevenness: float) -> int:
    """Solve n θ = z √(2Bc) σ² + z' √(2Bc σ⁴ + 4 n σ² θ) for n, with z and z' the quantiles of level and power."""
    theta = error**2
    null = variance * (2 * bins * unevenness) ** 0.5
    critical = _chi_square_deviate(level, bins) * null
    quantile = float(special.ndtri(power)) ** 2
    # (nθ − c)² = z'² (null² + 4 n σ² θ); at power below one half the smaller root is the one.
    b = critical + 2 * quantile * variance
    c = critical**2 - quantile * null**2
    root = max(b**2 - c, 0.0) ** 0.5
    return max(ceil((b + root if power >= 0.5 else b - root) / theta), 1)


def _chi_square_deviate(level: float, bins: int) -> float:
    """Return the upper quantile of a chi-square of `bins` degrees of freedom, in standard deviations from its mean."""
    return float((special.chdtri(bins, level) - bins) / (2 * bins) ** 0.5)
