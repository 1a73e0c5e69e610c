"""Parsing plain text into tags, lemmas and Universal Dependencies, with a small packaged model."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
