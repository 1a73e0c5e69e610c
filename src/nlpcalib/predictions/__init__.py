"""Anyone's predictions as pairs: arrays, tables, and the outputs of other tools."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
