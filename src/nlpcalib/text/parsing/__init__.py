"""Parsing: plain text to tags, lemmas and Universal Dependencies by a small model that comes with the library."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "model": "load_parser",
        "parser": "Parser",
    },
)
