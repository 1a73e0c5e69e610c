"""Tables of pairs with their calibration next to them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import Calibration, measure_calibration
from nlpcalib.errors import InputError
from nlpcalib.predictions.pair_files import read_written_pairs
from nlpcalib.predictions.read import read
from nlpcalib.questions.report import measure, write_report


def measure_written(path: str | Path, *, bin_size: int, samples: int, seed: int, pdf: bool) -> None:
    """Measure a table of pairs that a job wrote, and write the files of `write_report` next to it."""
    measured = measure(read_written_pairs(path), bin_size=bin_size, samples=samples, seed=seed)
    write_report(measured, Path(path).parent, pdf=pdf)


def measure_file(path: str | Path, folder: str | Path, *, bin_size: int, samples: int, seed: int, pdf: bool) -> None:
    """Examine a user's table of pairs, and write its calibration into a folder."""
    pairs = read(path).pairs()
    if not isinstance(pairs, Pairs):
        raise InputError(f"{path}: found a column for each class, expected one prediction in each row")
    write_report(measure(pairs, bin_size=bin_size, samples=samples, seed=seed), folder, pdf=pdf)


@cache
def measure_whole(path: str | Path, *, bin_size: int, samples: int, seed: int) -> Calibration:
    """Return the calibration of all pairs that a job wrote, without one for each label.

    A job that draws a figure in two styles measures its pairs once.
    """
    pairs = read_written_pairs(path)
    pooled = Pairs(pairs.q, pairs.y, unit=pairs.unit, document=pairs.document)
    return measure_calibration(pooled, bin_size=bin_size, samples=samples, seed=seed)
