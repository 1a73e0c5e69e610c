"""Tables of pairs with their calibration next to them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import Calibration, measure_calibration
from nlpcalib.errors import InputError
from nlpcalib.predictions.pair_files import read_written_pairs, write_pairs
from nlpcalib.predictions.read import read
from nlpcalib.questions.report import measure, write_report


def write_measured(path: str | Path, pairs: Pairs, *, bin_size: int, samples: int, seed: int) -> None:
    """Write pairs as a table, and next to it the files of `nlpcalib.questions.report.write_report`."""
    write_pairs(path, pairs)
    written = read_written_pairs(path)
    write_report(measure(written, bin_size=bin_size, samples=samples, seed=seed), Path(path).parent)


def measure_file(path: str | Path, folder: str | Path, *, bin_size: int, samples: int, seed: int) -> None:
    """Examine a user's table of pairs, and write its calibration into a folder."""
    pairs = read(path).pairs()
    if not isinstance(pairs, Pairs):
        raise InputError(f"{path}: found a column for each class, expected one prediction in each row")
    write_report(measure(pairs, bin_size=bin_size, samples=samples, seed=seed), folder)


@cache
def measure_whole(path: str | Path, *, bin_size: int, samples: int, seed: int) -> Calibration:
    """Return the calibration of all pairs that `write_measured` wrote, without one for each label.

    A job that draws a figure in two styles measures its pairs once.
    """
    pairs = read_written_pairs(path)
    pooled = Pairs(pairs.q, pairs.y, unit=pairs.unit, document=pairs.document)
    return measure_calibration(pooled, bin_size=bin_size, samples=samples, seed=seed)
