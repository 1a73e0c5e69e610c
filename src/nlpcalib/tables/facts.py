"""How a table was read: rows, ids, units, and what was ignored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nlpcalib.errors import InputFinding, counted


@dataclass(frozen=True, slots=True)
class TableFacts:
    """How a table was read, and what was found in it."""

    rows: int
    ids: str
    """Where the ids are: "in column id", or "none"."""
    units: str
    """Number of units, or "each row"."""
    set_aside: tuple[str, ...] = ()
    """Ignored columns and empty rows, in words."""
    notes: tuple[str, ...] = ()
    findings: tuple[InputFinding, ...] = ()
    unit: str | None = None
    """The column that names the independent units; None if there is none."""

    def summary(self) -> str:
        """Return the line that describes the table."""
        parts = [counted(self.rows, "row"), f"ids: {self.ids}", f"units: {self.units}", *self.notes]
        if self.set_aside:
            parts.append(f"ignored: {', '.join(self.set_aside)}")
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
