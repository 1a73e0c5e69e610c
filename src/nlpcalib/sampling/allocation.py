"""How many units of each stratum are read."""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import InputError

_HALVINGS = 60
_PILOT = 0.4
"""Of the budget: what is read before the rest is allocated."""
_LEAST = 2
"""Units of each stratum that are always read: a variance needs two."""


def neyman(sizes: np.ndarray, spread: np.ndarray, n: int | np.ndarray, least: np.ndarray) -> np.ndarray:
    """Return how many units of each stratum give the total the least variance (Neyman 1934), in whole numbers.

    Parameters
    ----------
    sizes : ndarray of int, shape (…, S)
        Units of each stratum: none is read twice.
    spread : ndarray, shape (…, S)
        The standard deviation within each stratum, up to a factor.
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
    share = sizes * np.maximum(spread, 1e-6 * np.maximum(spread.max(axis=-1, keepdims=True), 1e-300))
    low, high = np.zeros(n.shape), np.max(sizes / np.maximum(share, 1e-300), axis=-1, initial=0) + 1
    for _ in range(_HALVINGS):
        factor = (low + high) / 2
        enough = np.clip(factor[..., None] * share, least, sizes).sum(axis=-1) > n
        low, high = np.where(enough, low, factor), np.where(enough, factor, high)
    exact = np.clip(low[..., None] * share, least, sizes)
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
    least = np.minimum(sizes, max(min(_LEAST, n // max(int(np.count_nonzero(sizes)), 1)), 0))
    return neyman(sizes, np.divide(share, sizes, out=np.zeros(len(sizes)), where=sizes > 0), n, least)


def after_pilot(sizes: np.ndarray, read: np.ndarray, squares: np.ndarray, n: int) -> np.ndarray:
    """Return Neyman's allocation of n units for what a pilot found, with half a positive more in each stratum.

    Without that half, a stratum where the pilot found nothing would be read no further. `read` are the pilot's units
    and `squares` the sums of squared deviations of their positive items from the stratum's mean, (…, S) as `sizes` and
    the result.
    """
    return neyman(sizes, np.sqrt((squares + 0.5) / (read + 1)), n, read)


def pilot_size(n: int) -> int:
    """Return how many of n units are read in the pilot."""
    return round(_PILOT * n)
