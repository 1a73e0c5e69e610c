"""Anyone's predictions: tables, JSON lines, and what other tools write, as prediction-label pairs."""

from nlpcalib.predictions.formats import FORMATS, Format, read_predictions

__all__ = ["FORMATS", "Format", "read_predictions"]
