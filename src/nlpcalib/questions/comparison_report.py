"""The report of `nlpcalib.compare`: what each model measures, which differ, and the files of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.multiple_tests import adjusted
from nlpcalib.calibration.paired import squared_side
from nlpcalib.calibration.pairs import TOP_CLASS
from nlpcalib.errors import decimals
from nlpcalib.io.files import write_csv
from nlpcalib.questions.answer import MAX_PRINTED_GROUPS, QuestionReport
from nlpcalib.questions.calibration_report import CalibrationReport
from nlpcalib.questions.measures import (
    CALIBRATION_ERROR,
    Measure,
    measure_rows,
    paired_differences,
    units_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonReport(QuestionReport):
    """Models' calibration and accuracy on the same rows, and which of them differ."""

    RECORD = "comparison.json"

    names: tuple[str, ...]
    reports: tuple[CalibrationReport, ...]
    """For multiclass models: the error of each model's own top class."""
    measures: tuple[Measure, ...]
    level: float
    joined: str = ""
    """How the rows of files were matched, in words."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    by: tuple[str, ...] = ()
    """The columns that group the rows of `by_class`; without them the groups are what is predicted."""
    groups: ComparisonReport | None = None
    """The comparison in each group, with `by`."""

    @property
    def facts(self) -> list[TableFacts | None]:
        """How the file of each model was read: its format, columns and rows."""
        return [report.facts for report in self.reports]

    @property
    def worse_than_first(self) -> list[str]:
        """Sentences on the measures in which a later model is shown to be worse than the first, or has no interval."""
        first = self.names[0]
        found = []
        for name in self.names[1:]:
            rows = [row for row in self.rows() if (row["first"], row["second"]) == (first, name)]
            found += [
                f"{name} is shown worse than {first} in {row['measure']}" for row in rows if row["better"] == first
            ]
            if all(row["low"] is None for row in rows) and any(row["difference"] for row in rows):
                found.append(f"no interval shows whether {name} is worse than {first}: label more")
        return found

    @cached_property
    def tests(self) -> int:
        """Number of differences that are tested; intervals and p-values allow for it."""
        found = [one for measure in self.measures for one in measure.differences.values()]
        return sum(not np.isnan(one.freedom) for one in found)

    def rows(self) -> list[dict]:
        """Return a row for each measure and two models: the difference, its interval, p-values and the better model."""
        return [row for measure in self.measures for row in measure_rows(measure, self.names, self.tests)]

    def values(self) -> list[dict]:
        """Return a row for each measure and model: the number and its interval."""
        return [
            {"measure": measure.name, "model": name, **dict(zip(("value", "low", "high"), value, strict=True))}
            for measure in self.measures
            for name, value in zip(self.names, measure.values, strict=True)
        ]

    def worse(self, name: str) -> list[str]:
        """Return the measures in which some other model is shown to be better than the one called `name`."""
        found = (
            row["measure"]
            for row in self.rows()
            if row["better"] not in ("", name) and name in (row["first"], row["second"])
        )
        return list(dict.fromkeys(found))

    @cached_property
    def by_class(self) -> list[dict]:
        """A row for each label and two models, most positives first; p-values are adjusted for the number of rows."""
        pairs = [(report.class_wise or report).pairs for report in self.reports]
        label = pairs[0].predicted
        if label is None or pairs[0].view == TOP_CLASS:
            return []
        parts = np.split(np.argsort(label.codes, kind="stable"), np.cumsum(np.bincount(label.codes))[:-1])
        unit = units_of(pairs)
        errors = [{row["predicted"]: row for row in report.by_class} for report in self.reports]
        tests = len(parts) * len(self.names) * (len(self.names) - 1) // 2
        rows: list[dict] = []
        for name, part in zip(label.names, parts, strict=True):
            of_label = np.unique(unit[part], return_inverse=True)[1]
            sides = [squared_side(SortedPairs(one.q[part], one.y[part], of_label)) for one in pairs]
            values = tuple(tuple(of[name][key] for key in ("error", "error_low", "error_high")) for of in errors)
            facts = {"predicted": name, "n": part.size, "positives": int(np.count_nonzero(pairs[0].y[part]))}
            measure = Measure(CALIBRATION_ERROR, values, paired_differences(sides), self.level)
            found = measure_rows(measure, self.names, tests)
            rows += [{**facts, **row} for row in found]
        p_values = adjusted(np.array([np.nan if row["p_value"] is None else row["p_value"] for row in rows]))
        for number, row in enumerate(rows):
            row["p_fdr"] = None if row["p_value"] is None else float(p_values["p_fdr"][number])
        return sorted(rows, key=lambda row: (-row["positives"], row["predicted"]))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw all reliability diagrams into `ax`, or a new figure, and return the axes."""
        from nlpcalib.figures.reliability import draw_curves

        if ax is None:
            from matplotlib import pyplot as plt

            _, ax = plt.subplots(layout="constrained")
        draw_curves(ax, [(name, one.calibration.bins) for name, one in zip(self.names, self.reports, strict=True)])
        ax.legend(loc="upper left")
        return ax

    def record(self) -> dict:
        """Return the content of `comparison.json`: tables, models, differences and verdict."""
        tables = [None if table is None else table.record() for table in self.facts]
        rows = {"models": _finite(self.values()), "differences": _finite(self.rows())}
        groups = {} if self.groups is None else {"by": list(self.groups.by), "groups": _finite(self.groups.by_class)}
        return {"tables": tables, "level": self.level, **rows, **groups, "verdict": self.verdict()}

    def write(self, folder: Path, *, style: str) -> None:
        """Write `models.csv`, `comparison.csv`, `reliability.{png,pdf,csv}` and, with classes, `by_class.csv`."""
        from nlpcalib.figures.reliability import save_curves

        self.write_tables(folder)
        curves = [(name, one.calibration) for name, one in zip(self.names, self.reports, strict=True)]
        save_curves(curves, folder, title=self.measures[0].name, style=style)

    def write_tables(self, folder: Path) -> None:
        """Write what `write` does, without the figure."""
        write_csv(folder / "models.csv", self.values())
        write_csv(folder / "comparison.csv", self.rows())
        if self.by_class:
            write_csv(folder / "by_class.csv", self.by_class)
        if self.groups is not None:
            write_csv(folder / "by_group.csv", self.groups.by_class)

    def lines(self) -> list[str]:
        """Return the answer in words: each measure with the best model first, and the verdict."""
        width = max(map(len, self.names))
        lines = [f"{self.reports[0].measured}, {self.joined}"] if self.joined else []
        for measure in self.measures:
            best, *others = measure.order
            lines.append(measure.name)
            lines += [f"  {self.names[model]:{width}} {measure.number(model)}" for model in (best,)]
            lines += [
                f"  {self.names[model]:{width}} {measure.number(model)}, {measure.gap(model, best, self.tests)}"
                for model in others
            ]
            lines += [f"  {sentence}" for sentence in measure.warnings(self.names)]
        if self.tests:
            lines.append(f"{100 * self.level:g} % intervals hold{self.reports[0].assumed}")
        return [*lines, *self._group_lines(), self.verdict()]

    def _group_lines(self) -> list[str]:
        """Return which model has the smaller error in each group, in words; nothing without groups."""
        if self.groups is None:
            return []
        rows = self.groups.by_class
        lines = [f"by {', '.join(self.groups.by)}: {100 * self.level:g} % intervals that hold together"]
        for row in rows[:MAX_PRINTED_GROUPS]:
            known = row["low"] is not None
            ends = f" ({decimals(row['low'])} to {decimals(row['high'])})" if known else " (no interval)"
            shown = f", {row['better']} is better" if row["better"] else ""
            models = f"{row['first']} minus {row['second']}"
            lines.append(f"  {row['predicted']}: {models} {decimals(row['difference'])}{ends}{shown}")
        more = len(rows) - MAX_PRINTED_GROUPS
        return [*lines, *([f"  … and {more:,} more rows, which by_group.csv lists"] if more > 0 else [])]

    def verdict(self) -> str:
        """Return in one sentence which model to choose, or why this is open.

        An infinite loss has no part in it: one row makes it so, whose probability may have been rounded to 0.
        """
        left_out = [
            f"; {one.name}, infinite for {_listed(impossible)}, does not count"
            for one in self.measures
            if (impossible := [self.names[model] for model, rows in enumerate(one.impossible) if rows])
        ]
        return f"{self._verdict()}{''.join(left_out)}"

    def _verdict(self) -> str:
        if not self.tests:
            return "no test, with too few labels of either kind, or units, to compare by"
        losses = {name: self.worse(name) for name in self.names}
        unbeaten = [name for name, lost in losses.items() if not lost]
        beaten = [name for name, lost in losses.items() if lost]
        if not beaten:
            return f"no difference between {_listed(self.names)} is shown"
        if unbeaten:
            alike = {tuple(losses[name]): [one for one in beaten if losses[one] == losses[name]] for name in beaten}
            reasons = "; ".join(
                f"{_listed(some)} {'is' if len(some) == 1 else 'are'} shown worse in {_listed(lost)}"
                for lost, some in alike.items()
            )
            choice = f"choose {unbeaten[0]}" if len(unbeaten) == 1 else f"open between {_listed(unbeaten)}"
            return f"{choice}; {reasons}"
        shown = {row["measure"] for row in self.rows() if row["better"]}
        first = {
            name: [one.name for one in self.measures if one.name in shown and self.names[one.order[0]] == name]
            for name in self.names
        }
        best = [f"{name} is best in {_listed(wins)}" for name, wins in first.items() if wins]
        return f"each model is shown worse in something: {'; '.join(best)}; calibration can be repaired"

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.verdict()}>"


def _finite(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with None for numbers that JSON cannot express: an infinite log loss."""
    return [
        {name: None if isinstance(value, float) and not np.isfinite(value) else value for name, value in row.items()}
        for row in rows
    ]


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
