"""Anyone's predictions as pairs: arrays, tables, and the outputs of other tools."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "formats": "FORMATS PredictionFormat read_predictions",
        "tables": "read_pairs write_pairs",
    },
)
