"""The options of `nlpcalib.read`, which every command that reads a table has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from nlpcalib.cli.parameters import Share, ValueRange
from nlpcalib.errors import InputError, argument
from nlpcalib.tables.names import split_names
from nlpcalib.tables.periods import period_column

if TYPE_CHECKING:
    from nlpcalib.predictions.predictions import Predictions

FileFormat = Literal[
    "parquet", "csv", "tsv", "pairs", "npz", "lm-eval", "hf-text", "hf-tokens", "spacy-cats", "logprobs", "classes",
    "conllu",
]  # fmt: skip
"""Names of formats: tables, NumPy's archives, and the keys of `nlpcalib.predictions.formats.known_formats.FORMATS`."""


@dataclass(frozen=True)
class Reading:
    """How a table and its labels are read; see `nlpcalib.read`."""

    q: str | None = None
    """Column of predictions or verdicts; for classes, a column each: a,b,c (default: q or a common name)."""
    y: str | None = None
    """Column of correct answers, also in LABELS; empty in rows that nobody annotated (default: y, gold or label)."""
    predicted: str | None = None
    """Column of what each row predicts, such as the class that q is the confidence in (default: predicted)."""
    id: str | None = None
    """Column of row ids (default: id)."""
    unit: str | None = None
    """Columns that group dependent rows, outermost first: document,sentence (default: document, unit)."""
    text: str | None = None
    """Column of texts (default: text)."""
    date: str | None = None
    """Column of dates (default: date)."""
    match: str = ""
    """Keywords in place of predictions: 'earthquake|flood', a regular expression that starts with a word."""
    plan: Path | None = None
    """plan.json that chose the labelled rows (default: they are a random sample)."""
    drawn: Literal["random", "plan", "probabilities", "verdict", "answer"] | None = None
    """How labelled rows were chosen (default: random); verdict, answer: a random sample of each verdict or answer."""
    base_rate: Share | None = None
    """Share of positive items where predictions are used, if rows were chosen by their answer."""
    yes: str | None = None
    """Verdict or label that is positive (default: yes, true, 1), then any others that are negative: A,B,tie."""
    question: str | None = None
    """Question whose answers are the labels, if an export of an annotation tool has several."""
    settled: Path | None = None
    """disagreements.csv of --out with the labels filled in, to settle where annotators differ."""
    threshold: float | None = None
    """Lowest rating that counts as yes, if verdicts and labels are ratings."""
    values: ValueRange = None
    """Smallest and largest value, if labels and predictions are numbers: 1,5 for ratings."""
    dates: str | None = None
    """How dates are written: day-first, month-first, or a pattern such as %d.%m.%y (default: recognised)."""
    format: FileFormat | None = None
    """Format of FILE (default: recognised)."""

    @property
    def given(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}

    @property
    def files(self) -> list[Path]:
        """The files that options name."""
        return [path for path in (self.plan, self.settled) if path is not None]

    def read(
        self, file: Path, labels: Sequence[Path] | None = None, *, by: str | None, classes: Sequence[str] = ()
    ) -> Predictions:
        """Return the predictions in a file, with labels of its own or in other files; `classes` have a column each.

        Options for dates are refused unless rows are grouped `by` periods: nothing else reads dates.
        """
        from nlpcalib.predictions.read import read

        dated = [name for name in ("date", "dates") if name in self.given]
        if dated and not any(map(period_column, split_names(by or ""))):
            found = " ".join(argument(name, self.given[name]) for name in dated)
            raise InputError(f"found {found}, expected {argument('by', 'month(date)')} or another period with it")
        return read(file, list(labels) if labels else None, classes=classes or None, **self.given)

    def planned_by(self, plan: Path | None) -> Reading:
        """Return these options with a plan where none is given."""
        return replace(self, plan=plan) if self.plan is None else self


def options_but(*unused: str) -> Parameter:
    """Return the options of `Reading` for a command, but those that its question refuses whatever they are given."""
    return Parameter(name="*", group=Group("Reading"), parse=re.compile(rf"^(?!({'|'.join(unused)})$)"))


LabelFiles = Annotated[list[Path] | None, Parameter(allow_leading_hyphen=False)]
"""Annotated sheets or exports after a table."""
