"""What labels show of predictions whose rows were chosen by their answer, with any share of positive ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.calibration.cox import cox_columns, cox_line
from nlpcalib.calibration.scores import auc
from nlpcalib.calibration.summary import ordered
from nlpcalib.errors import argument, counted, decimals
from nlpcalib.questions.report import PairsReport

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False, repr=False)
class SlopeAndAuc(PairsReport):
    """The slope of Cox's line and the area under the ROC curve.

    They are those of the population whatever the shares of positive rows are that people chose (Prentice & Pyke 1979).
    The calibration error is not, so it is NaN.
    """

    RECORD = "calibration.json"

    level: float
    facts: TableFacts | None = None
    inputs: tuple[Path, ...] = ()
    """The files that were read."""

    error = math.nan
    interval = None

    @cached_property
    def measures(self) -> list[dict[str, Any]]:
        """A row for the slope, and one for the area, with their intervals; None for what labels do not determine."""
        known = ordered(self.pairs).pairs
        line = cox_columns(cox_line(known), 0, self.level)
        area = auc(known.q, known.y, known.unit, level=self.level)
        ends = [None if math.isnan(each) else each for each in area]
        return [
            {"measure": "slope", "value": line["slope"], "low": line["slope_low"], "high": line["slope_high"]},
            {"measure": "auc", **dict(zip(("value", "low", "high"), ends, strict=True))},
        ]

    def answer(self) -> str:
        """Return why there is no error, in words."""
        return "the calibration error depends on the share of positive rows, and here people chose it"

    def advice(self) -> str:
        """Return what would give an error."""
        return f"state {argument('base_rate')}, the share of positive items where predictions are used"

    def classes_shown_above(self, limit: float) -> list[str]:
        """Return none: no error is known."""
        return []

    def lines(self) -> list[str]:
        """Return the answer in words."""
        names = {
            "slope": "slope of Cox's line {} (1 if predictions are neither too extreme nor too cautious)",
            "auc": "AUC {} (how often a positive row has the higher prediction)",
        }
        of = f"of {counted(self.n, 'row')} chosen by their answer, {self.positives:,} positive"
        shown = [names[row["measure"]].format(self._number(row)) for row in self.measures]
        return [of, *shown, f"{self.answer()}: {self.advice()}"]

    def _number(self, row: dict[str, Any]) -> str:
        if row["value"] is None:
            return "is not determined"
        if row["low"] is None:
            return decimals(row["value"], 3)
        ends = f"{decimals(row['low'], 3)} to {decimals(row['high'], 3)}"
        return f"{decimals(row['value'], 3)} ({100 * self.level:g} % interval {ends})"

    def record(self) -> dict[str, Any]:
        """Return the content of `calibration.json`."""
        table = None if self.facts is None else self.facts.record()
        rows = {row["measure"]: {name: row[name] for name in ("value", "low", "high")} for row in self.measures}
        return {"error": None, "n": self.n, "positives": self.positives, "level": self.level, **rows, "table": table}

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return slope and AUC, a row each; a curve of these rows would be no one's, so there is none."""
        return self.measures
