"""What models are compared by: a number for each of them, with paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.mean_gap import mean_gap
from nlpcalib.calibration.paired import Difference, Side, difference, loss_side, mean_side, own_loss, squared_side
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import counted, decimals
from nlpcalib.questions.calibration_report import CalibrationReport

CALIBRATION_ERROR = "calibration error"


@dataclass(frozen=True)
class Measure:
    """One number of each of M models, on the same units."""

    name: str
    values: tuple[tuple[float, float | None, float | None], ...]
    """M times the number and the ends of its interval; None where there are too few labels or units."""
    differences: dict[tuple[int, int], Difference]
    """The difference of each two models, by their numbers; of a calibration error that of its squares."""
    level: float
    better: int = -1
    """1 if more is better, else −1."""
    impossible: tuple[int, ...] = ()
    """M counts of rows whose outcome had probability 0: these make a loss infinite."""
    ruled_out: tuple[int, ...] = ()
    """M counts of rows with an outcome that has probability 0, and more from another model."""

    @property
    def order(self) -> list[int]:
        """The models, the best number first."""
        return sorted(range(len(self.values)), key=lambda model: -self.better * self.values[model][0])

    def number(self, model: int) -> str:
        """Return a model's number with its interval, in words."""
        value, low, high = self.values[model]
        if np.isinf(value):
            rows = counted(self.impossible[model], "row")
            return f"infinite: what was observed had probability 0 in {rows} (in a rounded table write more digits)"
        return decimals(value) + ("" if low is None or high is None else f" ({_end(low)} to {_end(high)})")

    def warnings(self, names: Sequence[str]) -> list[str]:
        """Return a sentence for each model whose loss one outcome more would make infinite."""
        return [
            f"{name} gives probability 0 to what another model expects, in {counted(rows, 'row')}: one such outcome "
            "makes its loss infinite, so it is not shown better (in a rounded table write more digits)"
            for name, rows, impossible in zip(names, self.ruled_out, self.impossible, strict=False)
            if rows and not impossible
        ]

    def gap(self, model: int, best: int, tests: int) -> str:
        """Return by how much a model's number is worse than the best one's, with the interval, in words."""
        one, other = min(model, best), max(model, best)
        interval = self.interval(one, other, tests)
        if interval is None:
            return "not tested"
        gap = abs(self.values[model][0] - self.values[best][0])
        sign = self.better * (1 if one == best else -1)
        low, high = sorted(sign * end for end in interval)
        if gap == low == high == 0:
            return "the same"
        return f"worse by {decimals(gap)} ({_end(low)} to {_end(high)})"

    def interval(self, one: int, other: int, tests: int) -> tuple[float, float] | None:
        """Return the ends of the interval of the difference of two models' numbers, or None where it is not tested.

        All of `tests` intervals hold together at `level` (Bonferroni). Of calibration errors a and b the difference is
        √(D + b²) − b, where D = a² − b² is what is tested: an end has that of D, and b where its own interval makes the
        difference of errors widest.
        """
        found = self.differences[one, other]
        if np.isnan(found.freedom):
            return None
        ends = found.interval(1 - (1 - self.level) / tests)
        if not self.name.startswith(CALIBRATION_ERROR):
            return ends
        (_, low_one, high_one), (_, low_other, high_other) = self.values[one], self.values[other]
        if low_one is None or high_one is None or low_other is None or high_other is None:
            return None
        return _least_gap(ends[0], low_one, high_other), -_least_gap(-ends[1], low_other, high_one)


def _end(value: float) -> str:
    return "no limit" if np.isinf(value) else decimals(value)


def _least_gap(of_squares: float, least_first: float, most_second: float) -> float:
    """Return the least a − b of two errors with a² − b² = `of_squares`, a ≥ `least_first` and b ≤ `most_second`.

    It is (a² − b²)/(a + b): least at the largest b where it is positive, and at the smallest a where it is negative.
    """
    if of_squares > 0:
        return float((of_squares + most_second**2) ** 0.5 - most_second)
    return float(least_first - (least_first**2 - of_squares) ** 0.5)


def paired_differences(sides: Sequence[Side]) -> dict[tuple[int, int], Difference]:
    """Return the difference of each two sides. None of them is kept, since they have as many rows as the tables."""
    return {(one, other): difference(sides[one], sides[other]) for one, other in combinations(range(len(sides)), 2)}


def units_of(pairs: Sequence[Pairs]) -> np.ndarray:
    """Return codes 0 … U − 1 of the units of rows; where there are no units, each row is its own."""
    column = next((one.sampling_unit for one in pairs if one.sampling_unit is not None), None)
    return (
        np.arange(pairs[0].q.size, dtype=np.int32)
        if column is None
        else np.unique(column.codes, return_inverse=True)[1]
    )


def calibration_measure(reports: Sequence[CalibrationReport]) -> Measure:
    """Return the calibration error of each model."""
    unit = units_of([report.pairs for report in reports])
    sides = [squared_side(SortedPairs(report.pairs.q, report.pairs.y, unit)) for report in reports]
    values = tuple((report.error, *(report.interval or (None, None))) for report in reports)
    return Measure(reports[0].named, values, paired_differences(sides), reports[0].settings.level)


def accuracy_measure(tops: Sequence[Pairs], unit: np.ndarray, level: float) -> Measure:
    """Return the share of rows whose likeliest class is right, for each model."""
    values = []
    for one in tops:
        share = float(one.y.mean())
        constant, part = np.full(one.y.size, share), np.zeros(one.y.size, np.int64)
        gap = mean_gap(constant, one.y, None if one.sampling_unit is None else unit, part, 1, level=level)
        low, high = (None if np.isnan(end[0]) else float(np.clip(share + end[0], 0, 1)) for end in (gap.low, gap.high))
        values.append((share, low, high))
    sides = [mean_side(one.y.astype(np.float64), unit) for one in tops]
    return Measure("accuracy", tuple(values), paired_differences(sides), level, better=1)


def log_loss_measure(
    models: Sequence[np.ndarray], observed: np.ndarray, unit: np.ndarray, level: float, view: str = ""
) -> Measure:
    """Return the measure, for each model's probabilities of outcomes (N, K) and what was observed (N,)."""
    sides = [loss_side(p, observed, unit) for p in models]
    found = [own_loss(side, models) for side in sides]
    ends = [(None, None) if np.isnan(one.freedom) else one.interval(level) for one in found]
    values = tuple((one.value, *both) for one, both in zip(sides, ends, strict=True))
    impossible = tuple(int(np.count_nonzero(p[np.arange(observed.size), observed] == 0)) for p in models)
    expected = np.max(models, axis=0) > 0
    ruled_out = tuple(int(np.count_nonzero(((p == 0) & expected).any(axis=1))) for p in models)
    name = f"log loss of {view}" if view else "log loss"
    return Measure(name, values, paired_differences(sides), level, impossible=impossible, ruled_out=ruled_out)


def measure_rows(measure: Measure, names: Sequence[str], tests: int) -> list[dict]:
    """Return a row for each two models."""
    rows = []
    for (one, other), found in measure.differences.items():
        low, high = measure.interval(one, other, tests) or (None, None)
        p_value = None if np.isnan(found.freedom) else found.p_value
        p_adjusted = None if p_value is None else min(tests * p_value, 1.0)
        values = [measure.values[model][0] for model in (one, other)]
        gap = values[0] - values[1]
        shown = p_adjusted is not None and p_adjusted < 1 - measure.level
        rows.append(
            {"measure": measure.name, "first": names[one], "second": names[other]}
            | {"value_first": values[0], "value_second": values[1], "difference": gap, "low": low, "high": high}
            | {"p_value": p_value, "p_adjusted": p_adjusted}
            | {"better": names[one if gap * measure.better > 0 else other] if shown else ""}
        )
    return rows
