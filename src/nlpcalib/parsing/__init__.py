"""Parsing: plain text to tags, lemmas and Universal Dependencies by a small model that comes with the library."""

from nlpcalib.parsing.model import load_parser
from nlpcalib.parsing.parser import Parser

__all__ = ["Parser", "load_parser"]
