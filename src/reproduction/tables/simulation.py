"""Where intervals hold the truth and where they fail, over regimes drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

from reproduction.simulation.study import read_study, summary_rows
from reproduction.tables.files import TitledRows


def regimes_table(regimes: Sequence[str]) -> list[TitledRows]:
    """Return a row for each kind of estimate and method."""
    rows = [row for path in regimes for row in summary_rows(read_study(path))]
    return [("Where intervals hold the truth, and where they fail", rows)]
