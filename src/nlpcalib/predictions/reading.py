"""How a file of predictions is read: what a command's options and a function's `reading` have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from nlpcalib.errors import InputError, some

if TYPE_CHECKING:
    from nlpcalib.predictions.labelled import LabelFiles
    from nlpcalib.tables.table import Table

FileFormat = Literal[
    "parquet", "csv", "tsv", "pairs", "npz", "lm-eval", "hf-text", "hf-tokens", "spacy-cats", "logprobs", "classes",
    "conllu",
]  # fmt: skip
"""Names of formats: tables, NumPy's archives, and the keys of `nlpcalib.predictions.FORMATS`."""


@dataclass(frozen=True)
class ReadingOptions:
    """How a file of predictions is read."""

    format: FileFormat | None = None
    """Format (default: recognised)."""
    view: Literal["top", "classes"] = "top"
    """For answers that exclude each other: the most probable one, or each of them (default: top)."""
    skip_unlabelled: bool = False
    """Leave out rows of a table whose label is empty, and report how many."""
    q: str | None = None
    """Column or key of the prediction (default: q)."""
    y: str | None = None
    """Column or key of what is right (default: y); is_spam=spam: whether the column is_spam has spam; target=pred:
    whether the columns target and pred have the same class."""
    unit: str | None = None
    """Column or key of the independent unit (default: unit)."""
    document: str | None = None
    """Column or key of what units lie in, where they nest (default: document)."""
    label: str | None = None
    """Column or key of what is predicted (default: label)."""
    id: str | None = None
    """Column or key that names a row (default: id)."""

    @property
    def columns(self) -> dict[str, str]:
        """The columns that have names of the user's, by the names they have here."""
        named = {name: getattr(self, name) for name in ("q", "y", "unit", "document", "label", "id")}
        return {name: column for name, column in named.items() if column is not None}

    @property
    def of_table(self) -> dict[str, str]:
        """The columns of the user's names that `nlpcalib.tables.table.Table` finds by itself."""
        return {} if self.id is None else {"id": self.id}

    @property
    def unit_columns(self) -> tuple[str, str]:
        """The columns that may name the independent unit, outermost first."""
        names = self.columns
        return names.get("document", "document"), names.get("unit", "unit")

    def arguments(self) -> dict[str, Any]:
        """Return what `nlpcalib.predictions.read_predictions` takes."""
        named = {"file_format": self.format, "columns": self.columns, "view": self.view}
        return named | {"skip_unlabelled": self.skip_unlabelled}

    def is_table(self, path: str | Path) -> bool:
        """Return whether a file is a table, which can be read again: standard input is none."""
        from nlpcalib.predictions.formats.registry import is_table  # pyarrow takes a while to load

        return is_table(path, self.format, self.columns)

    def table(self, path: str | Path) -> Table:
        """Return a table as these options read it."""
        from nlpcalib.tables.table import Table

        table = Table(path, self.format, columns=self.of_table)
        if self.skip_unlabelled:
            from nlpcalib.predictions.labelled import rows_with_labels

            return rows_with_labels(table, self.columns, None)
        return table


@dataclass(frozen=True)
class LabelledReading(ReadingOptions):
    """How a table is read whose labels stand in files of their own."""

    files: LabelFiles | None = None

    @classmethod
    def of(
        cls, reading: ReadingOptions | None, files: LabelFiles, columns: Mapping[str, str] | None = None
    ) -> LabelledReading:
        """Return options with files of labels; `columns` has what `id` is called."""
        given = vars(reading or ReadingOptions()) | {key: name for key, name in (columns or {}).items() if key == "id"}
        if strange := [key for key in columns or {} if key != "id"]:
            raise InputError(f"columns: found {some(strange)} without a plan, expected id alone: q= names predictions")
        return cls(**given, files=files)

    def arguments(self) -> dict[str, Any]:
        """Return what `nlpcalib.predictions.read_predictions` takes."""
        return {**super().arguments(), "label_files": self.files}

    def is_table(self, path: str | Path) -> bool:
        """Return whether a file is a table, whose labels need not be in it."""
        from nlpcalib.predictions.formats.registry import joined_format

        return joined_format(path, self.format, self.columns) is None

    def table(self, path: str | Path) -> Table:
        """Return the rows of a table that have a label."""
        from nlpcalib.predictions.labelled import rows_with_labels

        return rows_with_labels(super().table(path), self.columns, self.files)
