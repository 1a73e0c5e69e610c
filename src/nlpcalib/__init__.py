"""Calibration of NLP models, and what their probabilities say about a corpus that cannot be labelled."""

__version__ = "0.1.0"
