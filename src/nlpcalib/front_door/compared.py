"""`nlpcalib.compare`: is one model better calibrated than another on the same data?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.comparison import LabelComparison, compare_labels, comparison_rows
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.front_door.measured import CalibrationReport, measure_pairs
from nlpcalib.io.files import atomic_folder, write_csv
from nlpcalib.predictions.arrays import ClassPredictions, from_arrays
from nlpcalib.report import suitable_bin_size
from nlpcalib.seeding import generator

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GROUPS = 2000
"""Units that are resampled; more of them are joined at random, which leaves groups as independent as units."""
_REPLICATES = 1999
_SAMPLES = 1000


@dataclass(frozen=True)
class ComparisonReport:
    """Two models' calibration on the same events, and whether they differ."""

    first: CalibrationReport
    second: CalibrationReport
    names: tuple[str, str]
    whole: LabelComparison
    """The paired test on all pairs; its `p_value` is NaN where events, or units, are too few."""
    seed: int

    @property
    def p_value(self) -> float | None:
        """Two-sided p-value for equal squared errors; None where there are too few events, or units, to test."""
        return None if np.isnan(self.whole.p_value) else self.whole.p_value

    @property
    def difference(self) -> float:
        """Squared error of the first model minus that of the second, both without sampling bias."""
        return self.whole.squared_first - self.whole.squared_second

    @property
    def better(self) -> str | None:
        """Name of the better calibrated model if the p-value is below .05, else None."""
        if self.p_value is None or self.p_value >= 0.05:
            return None
        return self.names[int(self.difference > 0)]

    @cached_property
    def by_label(self) -> list[dict]:
        """A row for each label, with p-values as they are and adjusted for the number of labels."""
        label = self.first.pairs.label
        if label is None:
            return []
        parts = np.split(np.argsort(label.codes, kind="stable"), np.cumsum(np.bincount(label.codes))[:-1])
        unit = _groups(self.first.pairs, self.second.pairs, self.seed)
        rows: list[dict] = []
        for name, part in zip(label.names, parts, strict=True):
            codes = np.unique(unit[part], return_inverse=True)[1]
            rows += _compare(self.first.pairs, self.second.pairs, part, codes, name, self.seed)
        return comparison_rows(rows, first=self.names[0], second=self.names[1])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both reliability diagrams into `ax`, or a new figure, and return the axes."""
        from nlpcalib.plots.reliability import draw_curves

        if ax is None:
            from matplotlib import pyplot as plt

            _, ax = plt.subplots(layout="constrained")
        draw_curves(ax, [(name, one.calibration.bins) for name, one in zip(self.names, self._both, strict=True)])
        return ax

    def save(self, folder: str | Path, *, title: bool = True) -> None:
        """Write `comparison.csv` (all pairs), `by_label.csv` and `reliability.{png,pdf,csv}` into `folder`."""
        from nlpcalib.plots.reliability import save_curves

        rows = comparison_rows([self.whole], first=self.names[0], second=self.names[1])
        curves = [(name, one.calibration) for name, one in zip(self.names, self._both, strict=True)]
        with atomic_folder(folder) as temporary:
            write_csv(temporary / "comparison.csv", rows)
            if self.by_label:
                write_csv(temporary / "by_label.csv", self.by_label)
            save_curves(curves, temporary, title=self.lines()[-1] if title else "")

    def lines(self) -> list[str]:
        """Return the answer in words."""
        width = max(map(len, self.names))
        return [f"{name:{width}} {one.answer()}" for name, one in zip(self.names, self._both, strict=True)] + [
            self.verdict()
        ]

    def verdict(self) -> str:
        """Return which model is better, or why nobody can tell."""
        if self.p_value is None:
            return "no test: too few events, or units, to compare by"
        p = f"p = {self.p_value:.4f}".replace("0.", ".")
        return f"{self.better} is better calibrated, {p}" if self.better else f"no difference is shown, {p}"

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.verdict()}>"

    def _repr_html_(self) -> str:
        return "<br>".join(self.lines())

    @property
    def _both(self) -> tuple[CalibrationReport, CalibrationReport]:
        return self.first, self.second


def compare(
    a: Any,
    b: Any,
    y: Any,
    *,
    unit: Any = None,
    label: Any = None,
    labels: Any = None,
    names: tuple[str, str] = ("A", "B"),
    level: float = 0.95,
    seed: int = 0,
) -> ComparisonReport:
    """Compare the calibration of two models' predictions `a` and `b` of the same events `y`, row by row.

    Predictions of K classes are compared over all classes. The other arguments are those of `calibrate`; `names` are
    those of the models. Raises `InputError` for what cannot be compared.
    """
    both = [from_arrays(q, y, unit=unit, label=label, labels=labels) for q in (a, b)]
    return compare_pairs(*map(_flat, both), names=names, level=level, seed=seed)


def compare_pairs(
    first: Pairs, second: Pairs, *, names: tuple[str, str] = ("A", "B"), level: float = 0.95, seed: int = 0
) -> ComparisonReport:
    """Return the comparison of two tables of pairs with the same rows."""
    if names[0] == names[1]:
        raise InputError(f"names: found {names[0]} twice, expected two different ones")
    _check_rows(first, second)
    unit = _groups(first, second, seed)
    (whole,) = _compare(first, second, np.arange(first.q.size), unit, "all", seed)
    reports = [measure_pairs(pairs, level=level, seed=seed) for pairs in (first, second)]
    return ComparisonReport(*reports, names, whole, seed)


def _flat(found: Pairs | ClassPredictions) -> Pairs:
    return found if isinstance(found, Pairs) else found.class_wise()


def _check_rows(first: Pairs, second: Pairs) -> None:
    """Raise `InputError` if rows are not predictions of the same events."""
    if first.q.size != second.q.size:
        raise InputError(f"found {first.q.size} and {second.q.size} rows, expected the same events in both")
    columns = [("y", first.y, second.y)]
    for name in ("label", "unit"):
        one, other = getattr(first, name), getattr(second, name)
        if one is not None and other is not None:
            columns.append((name, np.array(one.names)[one.codes], np.array(other.names)[other.codes]))
    for name, one, other in columns:
        differ = one != other
        if differ.any():
            row = int(np.argmax(differ))
            found = f"{name} {one[row]} in one and {other[row]} in the other"
            raise InputError(f"row {row + 1}: found {found}, expected the same events in the same order")


def _compare(
    first: Pairs, second: Pairs, rows: np.ndarray, unit: np.ndarray, name: str, seed: int
) -> Iterator[LabelComparison]:
    y = first.y[rows]
    return compare_labels(
        [(name, first.q[rows], second.q[rows], y)],
        unit,
        bin_size=suitable_bin_size(y),
        samples=_SAMPLES,
        replicates=_REPLICATES,
        seed=seed,
    )


def _groups(first: Pairs, second: Pairs, seed: int) -> np.ndarray:
    """Return codes `(N,)` of at most `_GROUPS` independent groups of whole units, or of pairs where there are none."""
    unit = first.unit or second.unit
    if unit is None:
        # In an order of their own, so that the order of rows does not matter; what is equal is drawn apart.
        codes = np.empty(first.q.size, np.int64)
        codes[np.lexsort((first.y, second.q, first.q))] = np.arange(first.q.size)
    else:
        codes = np.unique(unit.codes, return_inverse=True)[1]
    count = int(codes.max()) + 1
    if count <= _GROUPS:
        return codes
    return generator(seed, "groups").permutation(count)[codes] % _GROUPS
