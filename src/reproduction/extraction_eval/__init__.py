"""Evaluating an information extraction system as an estimator (Lowe & King 2003)."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
