"""The curve of one probability: cosines of the rank of its log odds, less their line.

    curve(z) = Σ_k c_k (4 cos(πkr)/k² − l_k − m_k (z − z̄)),   k = 2 … 8

* z is a logit, z̄ its mean over the rows that the curve is fitted to, and r its rank among them, in (0, 1).
* l_k and m_k are the regression of each cosine on 1 and z − z̄: a shift and a slope are parameters of their own.
* c_k are parameters of `nlpcalib.recalibration.shifts`.

Two rows of different z have the ranks ¼ and ¾, whose cosines of the frequency 2 are 0, and so is their line:

>>> _, shared, _ = curve_through(np.array([-1.0, 1.0]))(np.array([-1.0, 1.0]))
>>> shared.shape, bool(np.abs(shared[:, 3]).max() < 1e-12)
((2, 10), True)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpcalib.recalibration.shifts import Basis

_COSINE_FREQUENCIES = np.arange(2, 9)
"""Frequencies of the seven cosines: 0 is the shift, and 1 is close to the slope."""
_RANKS_PER_BLOCK = 8192
"""Ranks whose cosines are computed together, so that they stay in the processor's cache."""


def basis_by_rows(z: np.ndarray) -> Callable[[np.ndarray], Basis]:
    """Return what fits a `RankCurve` to some rows, bool (N,), as a basis of any rows.

    Cosines are computed once for each distinct z, in their order: a search for each row's rank would wait for memory.
    """
    values, place = np.unique(z, return_inverse=True)

    def fit(fitted_to: np.ndarray) -> Basis:
        counts = np.bincount(place[fitted_to], minlength=values.size)
        present = counts > 0
        known, counts = values[present], counts[present]
        ranks = _ranks(counts)
        waves = _cosines(np.interp(values, known, ranks))
        curve = _fit_curve(known, counts, ranks, z[fitted_to].mean(), waves[:, present])
        bent = curve.bend(waves, values)
        return lambda rows: curve.basis(z[rows], bent, place[rows])

    return fit


@dataclass(frozen=True)
class RankCurve:
    """The basis z, 1, z − z̄ and seven cosines of the rank of z among the rows that it is fitted to."""

    values: np.ndarray
    """float64 (V,): the distinct z of these rows, sorted."""
    ranks: np.ndarray
    """float64 (V,)."""
    middle: float
    """z̄."""
    levels: np.ndarray
    """float64 (7,): with `slopes` the regression of each cosine on 1 and z − z̄, which is taken from it."""
    slopes: np.ndarray

    def __call__(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the `Basis` of log odds (N,)."""
        return self.basis(z, self.bend(_cosines(np.interp(z, self.values, self.ranks)), z), np.arange(z.size))

    def bend(self, waves: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Return cosines (7, N) of log odds (N,) without their lines."""
        bent = waves - self.levels[:, None]
        for row, slope in zip(bent, self.slopes, strict=True):
            row -= slope * (z - self.middle)
        return bent

    def basis(self, z: np.ndarray, bent: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the `Basis` of log odds (N,), whose bent cosines stand at `place`, int (N,), in those of (7, V)."""
        shared = np.empty((3 + len(bent), z.size))
        shared[0], shared[1], shared[2] = z, 1, z - self.middle
        bent.take(place, axis=1, out=shared[3:], mode="clip")  # without a mode, it would make a copy first
        return z[:, None], shared.T, np.zeros((z.size, 1))


def curve_through(z: np.ndarray) -> RankCurve:
    """Return the curve that is fitted to log odds (N,)."""
    values, counts = np.unique(z, return_counts=True)
    ranks = _ranks(counts)
    return _fit_curve(values, counts, ranks, z.mean(), _cosines(ranks))


def _fit_curve(
    values: np.ndarray, counts: np.ndarray, ranks: np.ndarray, middle: float, waves: np.ndarray
) -> RankCurve:
    """Return the curve of values (V,) that stand in `counts` (V,) rows, with the cosines of their ranks (7, V)."""
    rows, weighted = counts.sum(), counts * (values - middle)
    # The weighted regression of each wave on 1 and z − z̄, which are orthogonal.
    levels = np.einsum("n,pn->p", counts, waves) / rows
    slopes = np.einsum("n,pn->p", weighted, waves) / max(np.sum(weighted * (values - middle)), np.finfo(float).tiny)
    return RankCurve(values, ranks, middle, levels, slopes)


def _ranks(counts: np.ndarray) -> np.ndarray:
    """Return the middle rank, in (0, 1), of each of the sorted values that stand in `counts` (V,) rows."""
    return (np.cumsum(counts) - counts / 2) / counts.sum()


def _cosines(ranks: np.ndarray) -> np.ndarray:
    """Return 4 cos(πkr)/k² (7, N) of each frequency k, by Chebyshev's recurrence."""
    found = np.empty((_COSINE_FREQUENCIES.size, ranks.size))
    for start in range(0, ranks.size, _RANKS_PER_BLOCK):
        block = slice(start, start + _RANKS_PER_BLOCK)
        first = np.cos(np.pi * ranks[block])
        twice, waves = 2 * first, [np.ones_like(first), first]
        while len(waves) <= _COSINE_FREQUENCIES[-1]:
            waves.append(twice * waves[-1] - waves[-2])
        for row, k in enumerate(_COSINE_FREQUENCIES):
            np.multiply(waves[k], 4 / k**2, out=found[row, block])
    return found
