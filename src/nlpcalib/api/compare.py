"""`nlpcalib.compare`: is one model better calibrated than another on the same data?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.api.calibrate import CalibrationReport, measure_pairs
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.comparison import adjusted
from nlpcalib.calibration.paired import PairedTest, paired_test
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError, counted
from nlpcalib.io.files import write_csv, write_json
from nlpcalib.io.sets import atomic_set
from nlpcalib.predictions.arrays import ClassPredictions, from_arrays

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEVEL = 0.05
_VERDICTS = {"better": "value", "better_fdr": "fdr", "better_holm": "holm"}


@dataclass(frozen=True)
class ComparisonReport:
    """Two models' calibration on the same events, and whether they differ."""

    first: CalibrationReport
    second: CalibrationReport
    names: tuple[str, str]
    test: PairedTest
    """The paired test on all pairs."""

    @property
    def p_value(self) -> float | None:
        """Two-sided p-value for equal squared errors; None where there are too few events, or units, to test."""
        return None if np.isnan(self.test.p_value) else self.test.p_value

    @property
    def difference(self) -> float:
        """Squared error of the first model minus that of the second, both without sampling bias."""
        return self.test.squared_first - self.test.squared_second

    @property
    def better(self) -> str | None:
        """Name of the better calibrated model if the p-value is below .05, else None."""
        if self.p_value is None or self.p_value >= _LEVEL:
            return None
        return self.names[int(self.difference > 0)]

    @cached_property
    def by_label(self) -> list[dict]:
        """A row for each label, most positives first, with p-values as they are and adjusted for their number."""
        label = self.first.pairs.label
        if label is None:
            return []
        codes = np.argsort(label.codes, kind="stable")
        parts = np.split(codes, np.cumsum(np.bincount(label.codes, minlength=len(label.names)))[:-1])
        tests = [_test(self.first.pairs, self.second.pairs, rows) for rows in parts]
        p_values = adjusted(np.array([test.p_value for test in tests]))
        errors = [{row["label"]: row for row in report.by_label} for report in self._both]
        rows = []
        for number, (name, test) in enumerate(zip(label.names, tests, strict=True)):
            p = {key: float(values[number]) for key, values in p_values.items()}
            rows.append(self._row([error[name] for error in errors], test, p))
        return sorted(rows, key=lambda row: (-row["positives"], row["label"]))

    def _row(self, errors: list[Mapping], test: PairedTest, p: Mapping[str, float]) -> dict:
        row = {name: errors[0][name] for name in ("label", "n", "positives")}
        for name, error in zip(self.names, errors, strict=True):
            for column in ("error", "low", "high"):
                row[f"{column}_{name}"] = error[f"debiased_{column}"]
        for name, square in zip(self.names, (test.squared_first, test.squared_second), strict=True):
            row[f"squared_{name}"] = square
        winner = self.names[int(test.squared_first > test.squared_second)]
        return {
            **row,
            "standard_error": test.standard_error,
            **{name: None if np.isnan(value) else value for name, value in p.items()},
            **{name: winner if p[f"p_{kind}"] < _LEVEL else "" for name, kind in _VERDICTS.items()},
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both reliability diagrams into `ax`, or a new figure, and return the axes."""
        from nlpcalib.figures.reliability import draw_curves

        if ax is None:
            from matplotlib import pyplot as plt

            _, ax = plt.subplots(layout="constrained")
        draw_curves(ax, [(name, one.calibration.bins) for name, one in zip(self.names, self._both, strict=True)])
        return ax

    def save(self, folder: str | Path, *, title: bool = True, style: str = "house") -> None:
        """Write `comparison.{csv,json}` (all pairs), `reliability.{png,pdf,csv}` and, with labels, `by_label.csv`."""
        with atomic_set(folder, "comparison.json") as temporary:
            self.write(temporary, title=title, style=style)
            write_json(temporary / "comparison.json", {"tables": [one.pairs.table for one in self._both]})

    def write(self, folder: Path, *, title: bool, style: str) -> None:
        """Write the files of `save` into a folder, without their summary `comparison.json`."""
        from nlpcalib.figures.reliability import save_curves

        curves = [(name, one.calibration) for name, one in zip(self.names, self._both, strict=True)]
        write_csv(folder / "comparison.csv", [self.row()])
        if self.by_label:
            write_csv(folder / "by_label.csv", self.by_label)
        save_curves(curves, folder, title=self.lines()[-1] if title else "", style=style)

    def row(self) -> dict:
        """Return errors, intervals and the test of all pairs."""
        row: dict = {"n": self.first.n, "positives": self.first.positives}
        for name, report in zip(self.names, self._both, strict=True):
            low, high = report.interval or (None, None)
            row |= {f"error_{name}": report.error, f"low_{name}": low, f"high_{name}": high}
        squares = {f"squared_{name}": one for name, one in zip(self.names, self._squares, strict=True)}
        tested = {"standard_error": self.test.standard_error, "p_value": self.p_value, "better": self.better or ""}
        return row | squares | tested

    def lines(self) -> list[str]:
        """Return the answer in words."""
        width = max(map(len, self.names))
        return [f"{name:{width}} {one.answer()}" for name, one in zip(self.names, self._both, strict=True)] + [
            self.verdict()
        ]

    def verdict(self) -> str:
        """Return which model is better, or why this is open."""
        if self.p_value is None:
            return "no test: too few events, or units, to compare by"
        p = f"p = {self.p_value:.4f}".replace("0.", ".") if self.p_value >= 1e-4 else "p < .0001"
        return f"{self.better} is better calibrated, {p}" if self.better else f"no difference is shown, {p}"

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.verdict()}>"

    def _repr_html_(self) -> str:
        return "<br>".join(self.lines())

    @property
    def _both(self) -> tuple[CalibrationReport, CalibrationReport]:
        return self.first, self.second

    @property
    def _squares(self) -> tuple[float, float]:
        return self.test.squared_first, self.test.squared_second


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
) -> ComparisonReport:
    """Compare the calibration of two models' predictions `a` and `b` of the same events `y`, row by row.

    Predictions of K classes are compared over all classes. The other arguments are those of `calibrate`; `names` are
    those of the models. Raises `InputError` for what cannot be compared.
    """
    both = [from_arrays(q, y, unit=unit, label=label, labels=labels) for q in (a, b)]
    return compare_pairs(*map(_flat, both), names=names, level=level)


def compare_pairs(
    first: Pairs, second: Pairs, *, names: tuple[str, str] = ("A", "B"), level: float = 0.95
) -> ComparisonReport:
    """Return the comparison of two tables of pairs with the same rows."""
    if names[0] == names[1]:
        raise InputError(f"names: found {names[0]} twice, expected two different ones")
    _check_rows(first, second)
    test = _test(first, second, np.arange(first.q.size))
    one, other = (measure_pairs(pairs, level=level) for pairs in (first, second))
    return ComparisonReport(one, other, names, test)


def joined_by_id(pairs: Pairs, first: Sequence[str], second: Sequence[str]) -> Pairs:
    """Return the pairs of a second table in the order of a first one, by the ids of the N rows of each.

    A row has one pair, or one of each class. Ids that stand more than once have to be in the same order. Raises
    `InputError` for other ids.
    """
    order = _row_order(first, second)
    classes = pairs.q.size // len(order)
    if pairs.q.size != classes * len(order):
        raise InputError(f"found {len(order)} ids of {pairs.q.size} pairs, expected one in each row")
    return pairs.take((order[:, None] * classes + np.arange(classes)).ravel())


def _row_order(first: Sequence[str], second: Sequence[str]) -> np.ndarray:
    place = {name: row for row, name in enumerate(second)}
    known = set(first)
    for names, others, which in ((first, place.keys(), "first"), (second, known, "second")):
        alone = [name for name in names if name not in others]
        if alone:
            found = f"{counted(len(alone), 'id')} in the {which} alone, such as {alone[0]!r}"
            raise InputError(f"found {found}, expected the same ids in both")
    if len(known) == len(first) == len(second):
        return np.array([place[name] for name in first], dtype=np.int64)
    for row, (one, other) in enumerate(zip(first, second, strict=False), 1):
        if one != other:
            found = f"the id {one!r} in one and {other!r} in the other, and ids that stand more than once"
            raise InputError(f"row {row}: found {found}, expected each once, or the same order")
    if len(first) != len(second):
        raise InputError(f"found {len(first)} and {len(second)} rows, expected the same events in both")
    return np.arange(len(first))


def _flat(found: Pairs | ClassPredictions) -> Pairs:
    return found if isinstance(found, Pairs) else found.class_wise()


def _check_rows(first: Pairs, second: Pairs) -> None:
    """Raise `InputError` if rows are not predictions of the same events."""
    if first.q.size != second.q.size:
        raise InputError(f"found {first.q.size} and {second.q.size} rows, expected the same events in both")
    columns = [("y", first.y, second.y)]
    for name in ("label", "unit", "document"):
        one, other = getattr(first, name), getattr(second, name)
        recognised = any(pairs.table and not pairs.table["unit"] for pairs in (first, second))  # by each table alone
        if one is not None and other is not None and not (recognised and name == "unit"):
            columns.append((name, np.array(one.names)[one.codes], np.array(other.names)[other.codes]))
    for name, one, other in columns:
        differ = one != other
        if differ.any():
            row = int(np.argmax(differ))
            found = f"{name} {one[row]} in one and {other[row]} in the other"
            raise InputError(f"row {row + 1}: found {found}, expected the same events in the same order")


def _test(first: Pairs, second: Pairs, rows: np.ndarray) -> PairedTest:
    """Return the test on some rows; where there are no units, each row is its own."""
    column = first.sampling_unit or second.sampling_unit
    unit = np.arange(rows.size) if column is None else np.unique(column.codes[rows], return_inverse=True)[1]
    one, other = (SortedPairs(pairs.q[rows], pairs.y[rows], unit) for pairs in (first, second))
    return paired_test(one, other)
