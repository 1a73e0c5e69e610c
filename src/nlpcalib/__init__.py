"""Calibration of NLP models, and what their probabilities say about a corpus that cannot be labelled."""

from nlpcalib.version import __version__ as __version__
