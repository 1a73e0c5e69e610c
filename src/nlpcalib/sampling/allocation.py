"""Allocation of the units to be read to strata (Neyman 1934), before a pilot, after it and in phases."""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.numerics import NEGLIGIBLE_VARIANCE, SEARCHED_LOG_ODDS, bisected

_PILOT_SHARE = 0.4
"""Share of the budget that is read before the rest is allocated."""
_MIN_UNITS_PER_STRATUM = 2
"""Units of each stratum that are always read: a variance needs two."""


def neyman(sizes: np.ndarray, spread: np.ndarray, n: int | np.ndarray, least: np.ndarray) -> np.ndarray:
    """Return how many units of each stratum give the total the least variance (Neyman 1934), in whole numbers.

    Parameters
    ----------
    sizes : ndarray of int, shape (…, S)
        Units of each stratum: none is read twice.
    spread : ndarray, shape (…, S)
        The standard deviation within each stratum, up to a factor; with none anywhere, n is divided by size.
    n : int, or ndarray of shape (…,)
        Units to be read in all.
    least : ndarray of int, shape (…, S)
        Units of each stratum that are read in any case.

    Returns
    -------
    ndarray of int64, shape (…, S)
        At least `least` and at most `sizes`, with the sum n.
    """
    sizes, spread, least = np.broadcast_arrays(sizes, spread, np.minimum(least, sizes))
    n = np.broadcast_to(n, sizes.shape[:-1])
    if (least.sum(axis=-1) > n).any() or (sizes.sum(axis=-1) < n).any():
        found = f"{n.flat[0]} units to read"
        raise InputError(
            f"allocation: found {found}, expected {least.sum(axis=-1).max()} to {sizes.sum(axis=-1).min()}"
        )
    largest = spread.max(axis=-1, keepdims=True)
    share = sizes * np.where(largest > 0, np.maximum(spread, 1e-6 * np.maximum(largest, NEGLIGIBLE_VARIANCE)), 1)
    most = np.log(np.max(sizes / np.maximum(share, NEGLIGIBLE_VARIANCE), axis=-1, initial=0) + 1)

    def read(log_factor: np.ndarray) -> np.ndarray:
        return np.clip(np.exp(log_factor)[..., None] * share, least, sizes)

    exact = read(bisected(lambda place: read(place).sum(axis=-1) <= n, most - SEARCHED_LOG_ODDS, most)[0])
    allocation = np.floor(exact + 1e-9).astype(np.int64)
    # Largest remainders, where there is a unit left to read.
    remainder = np.where(allocation < sizes, exact - allocation, -1.0)
    rank = np.argsort(np.argsort(-remainder, axis=-1, kind="stable"), axis=-1)
    return allocation + (rank < (n - allocation.sum(axis=-1))[..., None])


def by_prediction(sizes: np.ndarray, spread: np.ndarray, n: int) -> np.ndarray:
    """Return an allocation that does not trust the model: between proportional and Neyman's for its own spread.

    `spread` is what the model expects, √(q (1 − q)) on average; half of that of a fair coin is added to its share.
    """
    trusted = sizes * spread
    share = sizes / max(sizes.sum(), 1) + trusted / max(trusted.sum(), 1e-300)
    least = np.minimum(sizes, max(min(_MIN_UNITS_PER_STRATUM, n // max(int(np.count_nonzero(sizes)), 1)), 0))
    return neyman(sizes, np.divide(share, sizes, out=np.zeros(len(sizes)), where=sizes > 0), n, least)


def after_pilot(sizes: np.ndarray, read: np.ndarray, squares: np.ndarray, n: int) -> np.ndarray:
    """Return Neyman's allocation of n units for what a pilot found, with half a positive more in each stratum.

    Without that half, a stratum where the pilot found nothing would be read no further. `read` are the pilot's units
    and `squares` the sums of squared deviations of their positive items from the stratum's mean, (…, S) as `sizes` and
    the result.
    """
    return neyman(sizes, np.sqrt((squares + 0.5) / (read + 1)), n, read)


def of_units(sizes: np.ndarray, spread: np.ndarray, n: int, read: np.ndarray | int = 0) -> np.ndarray:
    """Return Neyman's allocation of n units that are read whole: `read` of them already, two of each stratum if it can.

    `spread` is the anticipated one.
    """
    two = np.maximum(np.minimum(sizes, _MIN_UNITS_PER_STRATUM), read)
    return neyman(sizes, spread, n, two if two.sum() <= n else np.broadcast_to(read, sizes.shape))


def pilot_of_units(planned: np.ndarray) -> np.ndarray:
    """Return how many of the planned units of each stratum are read in the pilot: at least one, and all only of one."""
    return np.maximum(np.round(_PILOT_SHARE * planned).astype(np.int64), np.minimum(planned, 1))


def phase_share(left: np.ndarray, read: np.ndarray, planned: np.ndarray) -> np.ndarray:
    """Return the share λ of a phase in the estimate of each stratum, float64 (S,).

    A phase reads n₁ of the N units that are left; n are planned with those that follow it. The estimates Σ₁ N/n₁ and
    Σ₁ + Σ₂ (N − n₁)/(n − n₁) have errors without correlation, and vary least together at λ = n₁ (N − n)/(n (N − n₁)).
    If all is read as planned, each unit then weighs N/n.
    """
    return np.where(planned < left, read * (left - planned) / np.maximum(planned * (left - read), 1), 0)


def after_phase(
    left: np.ndarray, rest: np.ndarray, spread: np.ndarray, ratio: np.ndarray, n: int
) -> np.ndarray:  # fmt: skip
    """Return how many of the units that are left the next phase reads of each stratum, n in all, int64 (S,).

    `rest` is the share of what follows in the estimate, and `ratio` the spread that labels show over the anticipated
    one, limited to a factor of two. Each stratum is read again, but not so far that a unit would weigh less than 1,
    unless n is more than that.
    """
    most = np.floor(rest * left + 1e-9).astype(np.int64)
    most = most if most.sum() >= n else left
    return neyman(most, spread * np.clip(ratio, 0.5, 2), n, np.minimum(most, 1))


def pilot_size(n: int) -> int:
    """Return how many of n units are read in the pilot."""
    return round(_PILOT_SHARE * n)
