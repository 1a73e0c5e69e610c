"""What a table was taken to be: rows, ids, units, and what was set aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nlpcalib.errors import InputFinding, counted


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What a table was taken to be, and what was found in it."""

    rows: int
    ids: str
    """Where the ids are, in words."""
    units: str
    """How many units there are, in words."""
    set_aside: tuple[str, ...] = ()
    """What is not read: columns that nobody asked for, empty rows."""
    notes: tuple[str, ...] = ()
    findings: tuple[InputFinding, ...] = ()
    unit: str | None = None
    """The column that names the independent units; None if there is none."""

    def summary(self) -> str:
        """Return the line that describes the table."""
        parts = [counted(self.rows, "row"), f"ids: {self.ids}", f"units: {self.units}", *self.notes]
        if self.set_aside:
            parts.append(f"set aside: {', '.join(self.set_aside)}")
        return "; ".join(parts)

    def record(self) -> dict[str, Any]:
        """Return the facts as they stand in files of results, the findings as warnings."""
        return {
            "rows": self.rows,
            "ids": self.ids,
            "units": self.units,
            "set_aside": list(self.set_aside),
            "notes": list(self.notes),
            "warnings": [finding.sentence for finding in self.findings],
            "unit": self.unit,
        }
