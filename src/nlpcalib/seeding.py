"""Random generators that depend only on a seed and the name of the unit that they serve."""

import hashlib
from collections.abc import Iterable
from operator import index

import numpy as np

from nlpcalib.errors import InputError, quoted


def generator(seed: int, *unit: str | int) -> np.random.Generator:
    """Return the generator of one unit of work, independent of every other unit's.

    The stream is a function of `seed` and `unit` alone (their SHA-256), so no result depends on the order, number or
    place of the jobs that draw from it. Strings and integers differ: `("1",)` and `(1,)` are different units.
    """
    digest = hashlib.sha256(repr((checked_seed(seed), *unit)).encode()).digest()
    return np.random.Generator(np.random.PCG64DXSM(int.from_bytes(digest, "little")))


def permanent_numbers(seed: int, *unit: str | int, ids: Iterable[str]) -> np.ndarray:
    """Return a random number for each id, uint64 (N,), which depends only on `seed`, `unit` and the id.

    The n ids with the smallest numbers are a simple random sample, and a larger sample contains it (Ohlsson 1995).
    """
    start = hashlib.sha256(repr((checked_seed(seed), *unit)).encode())

    def number(name: str) -> int:
        each = start.copy()
        each.update(name.encode())
        return int.from_bytes(each.digest()[:8], "little")

    return np.fromiter(map(number, ids), dtype=np.uint64)


def checked_seed(seed: int) -> int:
    """Return a seed; raise `InputError` for what is no whole number of at least 0."""
    try:
        number = index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise InputError(f"seed: found {quoted(seed)}, expected a whole number of at least 0")
    return number
