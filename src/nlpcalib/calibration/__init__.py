"""The instrument: everything that is measured on prediction-label pairs."""

from nlpcalib.calibration.binning import Bins, SmallSampleWarning, SortedPairs, adaptive_bins, equal_width_bins
from nlpcalib.calibration.estimates import METHODS, Estimate, Settings
from nlpcalib.calibration.intervals import calibration_error, error_interval, mean_square_interval, noise_floor
from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.calibration.scores import brier_decomposition, brier_score, log_loss, score_decomposition
from nlpcalib.calibration.summary import Calibration, calibrate, write_calibration

__all__ = [
    "METHODS",
    "Bins",
    "Calibration",
    "Categories",
    "Estimate",
    "Pairs",
    "Settings",
    "SmallSampleWarning",
    "SortedPairs",
    "adaptive_bins",
    "brier_decomposition",
    "brier_score",
    "calibrate",
    "calibration_error",
    "equal_width_bins",
    "error_interval",
    "log_loss",
    "mean_square_interval",
    "noise_floor",
    "score_decomposition",
    "write_calibration",
]
