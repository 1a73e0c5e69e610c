"""What every question answers with: lines to read, a record for programs, rows for a data frame, files in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nlpcalib.errors import InputError, argument
from nlpcalib.io.files import write_json
from nlpcalib.io.sets import atomic_set, is_changed

if TYPE_CHECKING:
    from pandas import DataFrame


DISAGREEMENTS = "disagreements.csv"
"""The sheet of items that annotators label differently; filled in, it settles them."""
MAX_PRINTED_GROUPS = 20
"""Most groups that a report prints, so that it stays on a screen: its file has all."""


def table_lines(rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Return a table as lines, without columns that are empty below the head; the first `left` columns start alike."""
    columns = [cells for cells in zip(*rows, strict=True) if any(cells[1:])]
    padded = [
        [cell.ljust(width) if number < left else cell.rjust(width) for cell in cells]
        for number, cells in enumerate(columns)
        for width in [max(map(len, cells))]
    ]
    return ["  ".join(cells).rstrip() for cells in zip(*padded, strict=True)]


def lines_on_one_group(labels: Mapping[str, int]) -> list[str]:
    """Return a sentence where all labels are of one of several groups; `labels` has how many each group has."""
    n = sum(labels.values())
    of = [name for name, own in labels.items() if own == n > 1]
    if not of or len(labels) < 2:
        return []
    return [f"All {n:,} labels are of {of[0]}: the interval of all takes them for a random sample of every group."]


class InWords:
    """What is printed, and shown in a notebook, as lines."""

    def lines(self) -> list[str]:
        """Return the answer in words, the finding first."""
        raise NotImplementedError

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.lines()[0]}>"

    def _repr_html_(self) -> str:
        return f"<pre style='white-space:pre-wrap'>{escape(str(self))}</pre>"


class QuestionReport(InWords):
    """The answer of a question."""

    RECORD: ClassVar[str]
    """The file that `save` writes the record into."""

    @property
    def inputs(self) -> Sequence[Path]:
        """The files that were read, whose checksums the saved record has."""
        return ()

    @property
    def settled(self) -> Path | None:
        """The sheet of disagreements that was read."""
        return None

    def record(self) -> dict[str, Any]:
        """Return the answer for programs, as `save` writes it."""
        raise NotImplementedError

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the main table of the answer; without one, the record as its only row."""
        return [self.record()]

    def write(self, folder: Path, *, style: str) -> None:
        """Write the files of `save` but the record into a folder: by default there are none."""

    def to_frame(self) -> DataFrame:
        """Return the main table as a data frame of pandas, which the library itself does without."""
        try:
            import pandas as pd
        except ImportError:
            raise InputError("to_frame: this needs pandas: pip install pandas; rows() is a list without it") from None
        return pd.DataFrame(list(self.rows()))

    def save(self, folder: str | Path, *, style: str = "house") -> None:
        """Write the record and the files of `write` into a folder: all of them, or none.

        The record has the checksums of what was read and written, so that `nlpcalib verify` notices a stale report.
        Figures are in the house style or that of a `"paper"`, as wide as a column and without a title. Raises
        `InputError` if a sheet that would be replaced may have labels that were not read.
        """
        sheet = Path(folder) / DISAGREEMENTS
        read = self.settled is not None and self.settled.exists() and sheet.exists() and sheet.samefile(self.settled)
        if is_changed(sheet, self.RECORD) and not read:
            expected = f"{argument('settled', str(sheet))}, or another folder"
            raise InputError(f"{sheet}: found a sheet that was filled in, expected {expected}")
        with atomic_set(folder, self.RECORD, self.inputs) as temporary:
            self.write(temporary, style=style)
            write_json(temporary / self.RECORD, self.record())
