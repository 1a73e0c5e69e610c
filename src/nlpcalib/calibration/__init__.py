"""Calibration of prediction-label pairs: errors, intervals, tests, curves and scores."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "binning": "Bins SmallSampleWarning SortedPairs adaptive_bins equal_width_bins",
        "cox": "CoxLine cox_line",
        "estimates": "METHODS ErrorEstimate Settings",
        "intervals": "calibration_error error_interval mean_square_interval noise_floor",
        "items": "UnitWarning",
        "label_planning": "LabelVariance labels_needed",
        "pairs": "Categories Pairs",
        "scores": "brier_decomposition brier_score log_loss score_decomposition",
        "summary": "Calibration measure_calibration write_calibration",
    },
)
