from nlpcalib.predictions.formats.known_formats import FORMATS as FORMATS
from nlpcalib.predictions.formats.known_formats import PredictionFormat as PredictionFormat
from nlpcalib.predictions.formats.registry import read_predictions as read_predictions
from nlpcalib.predictions.tables import read_pairs as read_pairs
from nlpcalib.predictions.tables import read_written_pairs as read_written_pairs
from nlpcalib.predictions.tables import write_pairs as write_pairs
