"""How many items belong to each of several classes: the report of `nlpcalib.estimate` for classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.errors import counted, in_short
from nlpcalib.estimation.estimates import Estimate
from nlpcalib.io.files import write_csv
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.questions.answer import MAX_PRINTED_GROUPS, QuestionReport, lines_on_one_group, table_lines
from nlpcalib.questions.estimation_report import in_dispute

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False, repr=False)
class ClassShares(QuestionReport):
    """How many items belong to each class: totals sum to N, and all intervals hold together."""

    RECORD = "estimates.json"

    classes: Mapping[str, Estimate]
    """The estimate of each class by its name."""
    level: float
    groups: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    """The table of classes of each group by its name; intervals of one group hold together."""
    disputed: tuple[str, ...] = ()
    """Items on which no class has a majority: the intervals hold all that they may be."""
    data: Predictions | None = None

    @property
    def inputs(self) -> Sequence[Path]:
        """The files that were read."""
        return () if self.data is None else self.data.files

    @property
    def facts(self) -> TableFacts | None:
        """How the file was read: its format, columns and rows."""
        return None if self.data is None else self.data.facts

    @property
    def shares(self) -> dict[str, tuple[float, float, float]]:
        """The share of each class and the ends of its interval; shares sum to 1."""
        return {name: each.share for name, each in self.classes.items()}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each class, of all items and of each group."""
        tables = {"": self.classes, **self.groups}
        return [
            {**({"group": group} if self.groups else {}),
             "class": name, "items": each.items, "read": each.read, "labelled": each.positive,
             "predicted": each.predicted, "total": each.total, "low": each.low, "high": each.high}
            for group, classes in tables.items()
            for name, each in classes.items()
        ]  # fmt: skip

    def record(self) -> dict[str, Any]:
        """Return the answer for programs."""
        return {"classes": self.rows(), "level": self.level, "disputed": list(self.disputed)}

    def write(self, folder: Path, *, style: str) -> None:
        """Write the rows as `classes.csv`."""
        write_csv(folder / "classes.csv", self.rows())

    def lines(self) -> list[str]:
        """Return the answer in words: a table of the classes, and another of those of each group."""
        first = next(iter(self.classes.values()))
        head = ("class", "labelled so", "mean q", "share", "interval")
        lines = [
            f"{counted(first.items, 'item')}, of which {first.read:,} were read; all {100 * self.level:g} % intervals "
            "hold together.",
            *table_lines([head, *_cells(self.classes)]),
        ]
        if self.groups:
            read = {name: next(iter(classes.values())).read for name, classes in self.groups.items()}
            lines += [] if self.data and self.data.design.plan else lines_on_one_group(read)
            shown = list(self.groups.items())[:MAX_PRINTED_GROUPS]
            rows = [
                (group, name, f"{classes[name].items:,}", *cells)
                for group, classes in shown
                for name, *cells in _cells(classes)
            ]
            lines.append("Intervals of one group hold together:")
            lines += table_lines([("group", head[0], "items", *head[1:]), *rows], left=2)
            if len(self.groups) > len(shown):
                lines.append(f"… and {len(self.groups) - len(shown):,} more groups, which classes.csv lists.")
        if self.disputed:
            lines.append(in_dispute(self.disputed, "The intervals hold all that they may be"))
        return lines


def _cells(classes: Mapping[str, Estimate]) -> list[tuple[str, ...]]:
    """Return a row for each class: its name, labels, mean prediction, share and interval."""
    rows: list[tuple[str, ...]] = []
    for name, each in classes.items():
        mean, share, low, high = (f"{100 * part:.2f} %" for part in (each.predicted / each.items, *each.share))
        rows.append((in_short(name), f"{round(each.positive):,}", mean, share, f"{low} to {high}"))
    return rows
