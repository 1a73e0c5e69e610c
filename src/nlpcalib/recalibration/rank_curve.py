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

from dataclasses import dataclass

import numpy as np

from nlpcalib.blocks import BLOCK_NUMBERS


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
        """Return base scores, shared and own features, as in `Shifts`, of log odds (N,)."""
        waves = _cosines(np.interp(z, self.values, self.ranks))
        shared = np.empty((3 + len(waves), z.size))
        shared[0], shared[1], shared[2] = z, 1, z - self.middle
        for row, wave, level, slope in zip(shared[3:], waves, self.levels, self.slopes, strict=True):
            np.subtract(wave - level, slope * shared[2], out=row)
        return z[:, None], shared.T, np.zeros((z.size, 1))


def curve_through(z: np.ndarray) -> RankCurve:
    """Return the curve that is fitted to log odds (N,)."""
    values, counts = np.unique(z, return_counts=True)
    ranks, middle = (np.cumsum(counts) - counts / 2) / z.size, z.mean()
    waves, weighted = _cosines(ranks), counts * (values - middle)
    # The weighted regression of each wave on 1 and z − z̄, which are orthogonal.
    levels = np.einsum("n,pn->p", counts, waves) / z.size
    slopes = np.einsum("n,pn->p", weighted, waves) / max(np.sum(weighted * (values - middle)), np.finfo(float).tiny)
    return RankCurve(values, ranks, middle, levels, slopes)


def _cosines(ranks: np.ndarray) -> np.ndarray:
    """Return 4 cos(πkr)/k² (7, N) of each frequency k, by Chebyshev's recurrence."""
    frequencies = range(2, 9)  # 0 is the shift, and 1 is close to the slope
    found = np.empty((len(frequencies), ranks.size))
    step = BLOCK_NUMBERS // len(frequencies)
    for start in range(0, ranks.size, step):
        block = slice(start, start + step)
        first = np.cos(np.pi * ranks[block])
        twice, waves = 2 * first, [np.ones_like(first), first]
        while len(waves) <= frequencies[-1]:
            waves.append(twice * waves[-1] - waves[-2])
        for row, k in enumerate(frequencies):
            np.multiply(waves[k], 4 / k**2, out=found[row, block])
    return found
