"""Coreference with exact entity posteriors from an antecedent model (paper, section 5)."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
