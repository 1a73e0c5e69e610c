"""Miscalibration, discrimination and uncertainty by isotonic regression (CORP: Dimitriadis, Gneiting & Jordan 2021).

The reference to which predictions are compared is the monotone curve that fits the labels best, not the means of bins.
The mean squared score of such a fit is never above that of the predictions, so miscalibration is at least 0. It is
above 0 for a perfect model too, by much if pairs are few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpcalib.calibration.binning import SortedPairs


@dataclass(frozen=True, slots=True)
class CorpDecomposition:
    """Brier score = miscalibration − discrimination + uncertainty, to rounding."""

    miscalibration: float
    """Brier score of the predictions minus that of the isotonic fit (MCB)."""
    discrimination: float
    """Brier score of the constant prediction minus that of the isotonic fit (DSC)."""
    uncertainty: float
    """Brier score of the constant prediction, ȳ(1 − ȳ) (UNC)."""


def corp_decomposition(pairs: SortedPairs) -> CorpDecomposition:
    """Decompose the Brier score; equal predictions have one fitted frequency, whatever their order."""
    from scipy import optimize  # which takes longer to load than most measurements

    starts = np.flatnonzero(np.diff(pairs.q, prepend=-1.0))
    bins = pairs.summarise(starts)
    fit = optimize.isotonic_regression(bins.label_frequency, weights=bins.size).x
    mean = np.sum(bins.weight * bins.label_frequency)
    # Within a run of ties the score of any common prediction x is that of the frequency plus (x − frequency)².
    distance = (bins.mean_prediction - bins.label_frequency) ** 2, (fit - bins.label_frequency) ** 2
    predicted, fitted = (float(np.sum(bins.weight * values)) for values in distance)
    constant = float(np.sum(bins.weight * (mean - bins.label_frequency) ** 2))
    return CorpDecomposition(max(predicted - fitted, 0.0), constant - fitted, float(mean * (1 - mean)))
