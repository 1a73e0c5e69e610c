"""Expected calibration error and its kin, absolute errors over bins, as other packages report them.

They contain the sampling noise of label frequencies: a perfect model's ECE is above 0, the more so the fewer pairs.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.calibration.binning import EQUAL_WIDTH_BINS, Bins, SortedPairs


def expected_error(pairs: SortedPairs, bins: int = EQUAL_WIDTH_BINS) -> float:
    """Return the ECE: the mean absolute gap over bins of equal width, weighted by size (Naeini et al. 2015)."""
    return _weighted(pairs.equal_width(bins))


def maximum_error(pairs: SortedPairs, bins: int = EQUAL_WIDTH_BINS) -> float:
    """Return the MCE: the largest absolute gap of a bin of equal width, however small the bin (Naeini et al. 2015)."""
    found = pairs.equal_width(bins)
    return float(np.max(np.abs(found.mean_prediction - found.label_frequency)))


def adaptive_error(pairs: SortedPairs, bins: int = EQUAL_WIDTH_BINS) -> float:
    """Return the ACE: the mean absolute gap over bins of equal mass (Nixon et al. 2019, for one class)."""
    starts = np.unique(np.arange(bins) * len(pairs) // bins)
    return _weighted(pairs.summarise(starts))


def _weighted(bins: Bins) -> float:
    return float(np.sum(bins.weight * np.abs(bins.mean_prediction - bins.label_frequency)))
