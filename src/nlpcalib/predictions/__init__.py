"""Anyone's predictions as pairs: arrays, tables, and the outputs of other tools."""

from nlpcalib.predictions.formats import FORMATS, Format, read_predictions

__all__ = ["FORMATS", "Format", "read_predictions"]
