"""Calibration of prediction-label pairs: errors, intervals, tests, curves and scores."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
