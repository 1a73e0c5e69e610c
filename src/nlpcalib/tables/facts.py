"""How a table was read: rows, ids, units, and what was ignored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from nlpcalib.errors import MAX_NAMES_LISTED, InputFinding, counted
from nlpcalib.tables.periods import period_column


@dataclass(frozen=True, slots=True)
class TableFacts:
    """How a table was read, and what was found in it."""

    rows: int
    ids: str
    """Where the ids are: "in column id", or "none"."""
    units: str
    """Number of units, or "each row"."""
    empty_rows: int = 0
    unused: tuple[str, ...] = ()
    """Columns that nobody asked for."""
    notes: tuple[str, ...] = ()
    findings: tuple[InputFinding, ...] = ()
    unit: str | None = None
    """The column that names the independent units; None if there is none."""

    @property
    def set_aside(self) -> list[str]:
        """Empty rows and columns that nobody asked for, in words."""
        found = [counted(self.empty_rows, "empty row")] if self.empty_rows else []
        shown = ", ".join(self.unused[:MAX_NAMES_LISTED]) + ", …" * (len(self.unused) > MAX_NAMES_LISTED)
        return [*found, *([f"columns {shown}"] if self.unused else [])]

    def summary(self) -> str:
        """Return the line that describes the table."""
        units = [] if self.units == "each row" else [f"units: {self.units}"]
        parts = [counted(self.rows, "row"), f"ids: {self.ids}", *units, *self.notes]
        if self.set_aside:
            parts.append(f"ignored: {', '.join(self.set_aside)}")
        return "; ".join(parts)

    def using(self, names: Collection[str]) -> TableFacts:
        """Return the facts where further columns are used, by their names or as a period such as `year(date)`."""
        used = {(period_column(name) or ("", name))[1].casefold() for name in names}
        unused = tuple(name for name in self.unused if name.casefold() not in used)
        return replace(self, unused=unused)

    def record(self) -> dict[str, Any]:
        """Return the facts as they stand in files of results, the findings as warnings."""
        return {
            "rows": self.rows,
            "ids": self.ids,
            "units": self.units,
            "set_aside": self.set_aside,
            "notes": list(self.notes),
            "warnings": [finding.sentence for finding in self.findings],
            "unit": self.unit,
        }
