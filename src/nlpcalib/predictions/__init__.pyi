from nlpcalib.predictions.formats.known_formats import FORMATS as FORMATS
from nlpcalib.predictions.formats.known_formats import PredictionFormat as PredictionFormat
from nlpcalib.predictions.pair_files import write_pairs as write_pairs
from nlpcalib.predictions.written_pairs import read_written_pairs as read_written_pairs
