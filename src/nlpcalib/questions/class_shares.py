"""How many items belong to each of several classes: the report of `nlpcalib.estimate` for classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.errors import counted
from nlpcalib.estimation.estimates import Estimate
from nlpcalib.io.files import write_csv
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.questions.answer import QuestionReport
from nlpcalib.questions.estimation_report import MAX_PRINTED_GROUPS, in_dispute

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
        return {"level": self.level, "disputed": list(self.disputed), "classes": self.rows()}

    def write(self, folder: Path, *, style: str) -> None:
        """Write the rows as `classes.csv`."""
        write_csv(folder / "classes.csv", self.rows())

    def lines(self) -> list[str]:
        """Return the answer in words."""
        lines = _lines_of("", self.classes, f"all {100 * self.level:g} % intervals hold together")
        for number, (group, classes) in enumerate(self.groups.items()):
            if number == MAX_PRINTED_GROUPS:
                lines.append(f"… and {len(self.groups) - number:,} more groups, which the saved table lists.")
                break
            lines += _lines_of(f"{group}: ", classes, "intervals of this group hold together")
        if self.disputed:
            lines.append(in_dispute(self.disputed, "The intervals hold all that they may be"))
        return lines


def _lines_of(place: str, classes: Mapping[str, Estimate], together: str) -> list[str]:
    first = next(iter(classes.values()))
    lines = [f"{place}{counted(first.items, 'item')}, of which {first.read:,} were read; {together}."]
    for name, each in classes.items():
        share, low, high = (f"{100 * part:.2f} %" for part in each.share)
        lines.append(
            f"{place}{name}: {share} (interval {low} to {high}); {counted(round(each.positive), 'label')}, and the "
            f"model alone reports {100 * each.predicted / each.items:.2f} %"
        )
    return lines
