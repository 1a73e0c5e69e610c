"""Tables of pairs with their calibration next to them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from nlpcalib.api.report import measure, write_report
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import Calibration, measure_calibration
from nlpcalib.predictions.tables import read_pairs, read_written_pairs


def measure_written(path: str | Path, *, bin_size: int, samples: int, seed: int, pdf: bool) -> None:
    """Measure a table of pairs that a job wrote, and write the files of `write_report` next to it."""
    measured = measure(read_written_pairs(path), bin_size=bin_size, samples=samples, seed=seed)
    write_report(measured, Path(path).parent, pdf=pdf)


def measure_file(path: str | Path, folder: str | Path, *, bin_size: int, samples: int, seed: int, pdf: bool) -> None:
    """Examine a user's table of pairs, and write its calibration into a folder."""
    write_report(measure(read_pairs(path), bin_size=bin_size, samples=samples, seed=seed), folder, pdf=pdf)


@cache
def measure_whole(path: str | Path, *, bin_size: int, samples: int, seed: int) -> Calibration:
    """Return the calibration of all pairs that a job wrote, without one for each label.

    A job that draws a figure in two styles measures its pairs once.
    """
    pairs = read_written_pairs(path)
    pooled = Pairs(pairs.q, pairs.y, unit=pairs.unit, document=pairs.document)
    return measure_calibration(pooled, bin_size=bin_size, samples=samples, seed=seed)
