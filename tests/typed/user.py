"""A user's program, which mypy and Pyright read: what is right passes, and each mistake is reported.

Names of the front door are imported at first use. If their types were lost, mistakes would pass, and both would report
that their `type: ignore` is not needed.
"""

from pathlib import Path
from typing import assert_type

import nlpcalib as nc
from nlpcalib.calibration import Pairs
from nlpcalib.predictions.written_pairs import read_written_pairs


def answers(path: Path) -> list[str]:
    """Call each question as its page does."""
    report = nc.calibrate(nc.read(path, format="csv", q="score"), level=0.9)
    assert_type(report, nc.CalibrationReport | nc.CorpusCalibration | nc.SlopeAndAuc)
    assert isinstance(report, nc.CalibrationReport)
    assert_type(report.interval, tuple[float, float] | None)
    assert_type(nc.read(path), nc.Predictions)
    assert_type(read_written_pairs(path), Pairs)
    plan = nc.plan_items([0.1, 0.2], budget=2)
    estimated = nc.estimate(nc.read([0.1, 0.2], {0: 1, 1: 0}, plan=plan))
    assert_type(estimated, nc.EstimationReport | nc.ClassShares)
    assert isinstance(estimated, nc.EstimationReport)
    assert_type(estimated.whole.total, float)
    return [*report.lines(), *nc.compare(nc.read(path), nc.read(path)).lines(), *nc.recalibrate(path).lines()]


def mistakes(path: Path) -> None:
    """Make one mistake in each line."""
    nc.calibrat(path)  # type: ignore[attr-defined]
    nc.calibrate(nc.read(path), bin_sise=5)  # type: ignore[call-arg]
    nc.calibrate(nc.read(path), level="high")  # type: ignore[arg-type]
    nc.recalibrate(nc.read(path)).errror  # type: ignore[attr-defined]  # noqa: B018
    nc.read(path, threshold="high")  # type: ignore[arg-type]
    nc.plan_items([0.1], budget=1).sheet  # type: ignore[attr-defined]  # noqa: B018
