"""The smooth calibration error: residuals smoothed over predictions by a kernel, not by bins (Błasiok & Nakkiran 2023).

With smECE(σ) = ∫ |mean of (y − q) K_σ(t, q)| dt, K_σ a Gaussian kernel reflected at 0 and 1, the error is the σ for
which smECE(σ) = σ: what is narrower than the error itself is noise. It is on the absolute scale, and needs no choice.
"""

from __future__ import annotations

import numpy as np
from scipy import fft

from nlpcalib.calibration.binning import SortedPairs

_GRID_POINTS = 1 << 14
"""Points of the grid on [0, 1]; an error well above their distance, 6e-5, is hardly touched by it."""


def smooth_error(pairs: SortedPairs) -> float:
    """Return the smooth calibration error, 0 where every residual vanishes."""
    # Each pair's residual is shared between the two points next to it. The reflected kernel is diagonal in cosines.
    position = pairs.q * _GRID_POINTS - 0.5
    left = np.floor(position).astype(np.int64)
    right_share = position - left
    residual = (pairs.y - pairs.q) / len(pairs)
    density = np.bincount(np.clip(left, 0, None), residual * (1 - right_share), _GRID_POINTS)
    density += np.bincount(np.clip(left + 1, None, _GRID_POINTS - 1), residual * right_share, _GRID_POINTS)
    spectrum = fft.dct(density, type=2)
    frequency = np.pi * np.arange(_GRID_POINTS)

    def excess(bandwidth: float) -> float:
        smoothed = fft.idct(spectrum * np.exp(-0.5 * (frequency * bandwidth) ** 2), type=2)
        return float(np.abs(smoothed).sum()) - bandwidth

    if excess(0.0) <= 0:
        return 0.0
    from scipy import optimize  # which takes longer to load than most measurements

    return float(optimize.brentq(excess, 0.0, 2.0, xtol=1e-7))
