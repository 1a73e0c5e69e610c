"""`nlpcalib.Predictions`: N rows of predictions, the labels of some of them, and how these rows were chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError, InputFinding, argument, counted, report_findings, some
from nlpcalib.numerics import repeated
from nlpcalib.predictions.answered import Answer, Found, Gap, LabelReading
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.sampling.frame import Frame, Queue
from nlpcalib.sampling.plan import Plan
from nlpcalib.sampling.samples import Sample, labelled_sample, simple_random_sample, unequal_sample
from nlpcalib.tables.facts import TableFacts

if TYPE_CHECKING:
    from nlpcalib.predictions.user_table import UserTable


@dataclass(frozen=True)
class RowNumbers(Sequence[str]):
    """Row numbers from 1, as ids of rows that have none; computed on demand."""

    n: int

    def __len__(self) -> int:
        """Return N."""
        return self.n

    def __getitem__(self, row):  # noqa: D105
        return [str(each + 1) for each in range(self.n)[row]] if isinstance(row, slice) else str(range(self.n)[row] + 1)


DRAWN = ("random", "plan", "probabilities", "verdict", "answer")
"""How labelled rows were chosen; by the answer, if the numbers of positive and negative rows were chosen."""


@dataclass(frozen=True, eq=False)
class Design:
    """How the labelled rows were chosen."""

    inclusion: np.ndarray | None = None
    """float64 (N,): the probability with which each row was drawn; None where all are equal, or a plan has them."""
    plan: Plan | None = None
    queue: Queue | None = None
    frame: Frame | None = None
    drawn: str = ""
    """One of `DRAWN`; empty if not stated: rows then count as a random sample."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """The question of the plan to annotators, and its groups."""

    @property
    def weighted(self) -> bool:
        """Whether labelled rows represent others, with known weights."""
        return self.plan is not None or self.inclusion is not None

    @property
    def words(self) -> str:
        """How rows were drawn, in words."""
        words = ("at random", "with a plan", "with probabilities", "by their verdict", "by their answer")
        return f"drawn {dict(zip(DRAWN, words, strict=True)).get(self.drawn, words[0])}"


@dataclass(frozen=True, eq=False)
class Predictions:
    """N rows with predictions, some of them with labels; frozen, and checked when it is made."""

    q: np.ndarray
    """float64 (N,): probability of yes, or of `predicted`; (N, K): of `classes`; numbers: place in `values`. No NaN."""
    y: np.ndarray
    """float64 (N,): 0 or 1, the number of a class, or a place in `values`; NaN if and only if `answer` is not GIVEN."""
    answer: np.ndarray
    """int8 (N,): an `Answer` for each row."""
    ids: Sequence[str]
    """N ids; row numbers from 1, unless `named`."""
    classes: tuple[str, ...] = ()
    predicted: Categories | None = None
    """What each row predicts, if it is one of several: the class that q is the confidence in, or a tag."""
    units: tuple[Categories, ...] = ()
    """What groups dependent rows, outermost first."""
    texts: Sequence[str] | None = None
    values: tuple[float, float] | None = None
    """The range of labels that are numbers."""
    margin: np.ndarray | None = None
    """float64 (N,): how far the rating that a verdict is of lies above the threshold; None where none is."""
    view: str = ""
    """As `Pairs.view`, where other tools' records give pairs."""
    marks: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """As `Pairs.marks`, where other tools' records give pairs."""
    design: Design = Design()
    reading: LabelReading = field(default_factory=LabelReading)
    gaps: tuple[Gap, ...] = ()
    columns: Callable[[str], Sequence[str]] | None = None
    """Further columns, by name, as N texts: what questions group by."""
    keyed_by: tuple[str, ...] = ("id",)
    """The columns by which labels in files were joined."""
    named: bool = False
    unpredicted: str = ""
    """What would be predictions, in words, if there are none; q is then ½."""
    match: str = ""
    """Keywords in place of predictions, if no model made them."""
    yes: str | None = None
    """The verdict or label that counts as positive, if it was named."""
    place: str = "predictions"
    """Name of the table in messages."""
    files: tuple[Path, ...] = ()
    """The files that were read."""
    sha256: str | None = None
    """Checksum of the file of predictions."""
    facts: TableFacts | None = None
    """How that file was read, if it is a table."""
    source: UserTable | None = None
    """The user's table, with a row for each prediction, which `recalibrate` writes with new ones."""
    missing: str = ""
    """How rows could get labels, in words, if the reader found it."""

    def __post_init__(self) -> None:
        """Check the invariants, so that no question has to."""
        n = len(self.q)
        assert n
        assert self.q.dtype == np.float64
        assert not np.isnan(self.q).any()
        assert self.y.shape == self.answer.shape == (n,) == (len(self.ids),)
        assert (np.isnan(self.y) == (self.answer != Answer.GIVEN)).all()
        assert (self.q.ndim == 2) == bool(self.classes)

    def __len__(self) -> int:
        """Return N."""
        return len(self.q)

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.place}: {counted(len(self), 'row')} of {self.kind}, {self.labelled.size:,} labelled>"

    @property
    def kind(self) -> str:
        """The kind of labels, in words; it decides which function answers a question, and with which options."""
        kind = f"{len(self.classes)} classes" if self.classes else "numbers" if self.values else "yes or no"
        return f"{kind}{f' {self.design.words}' if self.design.weighted else ''}"

    @cached_property
    def labelled(self) -> np.ndarray:
        """int64 (n,): rows with a label."""
        return np.flatnonzero(self.answer == Answer.GIVEN)

    @cached_property
    def decisions(self) -> bool:
        """Whether q has only 0 and 1: verdicts."""
        return not self.classes and bool(((self.q == 0) | (self.q == 1)).all())

    @property
    def unit(self) -> Categories | None:
        """The outermost unit."""
        return self.units[0] if self.units else None

    def labelled_by(self, found: Found, decided: Sequence[str] = ()) -> Predictions:
        """Return these rows with labels; if q is the confidence in one of K classes, a label is whether that is right.

        `decided` are the names of the classes that labels are numbers of; empty where q is of yes.
        """
        y = found.y
        if decided:
            assert self.predicted is not None
            place = {name: number for number, name in enumerate(decided)}
            predicted = np.array([place[name] for name in self.predicted.names])[self.predicted.codes]
            y = np.where(np.isnan(y), np.nan, (y == predicted).astype(np.float64))
            if (found.answer == Answer.GIVEN).any() and not (y == 1).any():
                names = some(self.predicted.names)
                raise InputError(f"{self.place}: found no label among the predicted classes, {names}")
        return replace(
            self, y=y, answer=found.answer, reading=found.reading, gaps=(*self.gaps, *found.gaps),
            keyed_by=found.keyed_by, files=(*self.files, *found.paths),
        )  # fmt: skip

    @property
    def planned_rows(self) -> frozenset[int] | None:
        """The rows that the plan chose so far; None without a plan."""
        design = self.design
        if design.plan is None or design.queue is None or design.frame is None:
            return None
        return frozenset(design.frame.rows_of(design.queue.first(design.plan.read[-1])).tolist())

    def take(self, rows: np.ndarray) -> Predictions:
        """Return some rows, int (M,), without the design and the table of the whole."""
        kept = rows.tolist()
        return replace(
            self, q=self.q[rows], y=self.y[rows], answer=self.answer[rows], ids=[self.ids[row] for row in kept],
            predicted=None if self.predicted is None else self.predicted.take(rows),
            units=tuple(each.take(rows) for each in self.units),
            texts=None if self.texts is None else [self.texts[row] for row in kept], design=Design(),
            margin=None if self.margin is None else self.margin[rows],
            marks=_taken(self.marks, rows),
            reading=self.reading.take(rows), source=None, columns=self._columns_of(kept),
        )  # fmt: skip

    def _columns_of(self, kept: Sequence[int]) -> Callable[[str], Sequence[str]] | None:
        return None if self.columns is None else partial(_some_cells, self.columns, kept)

    def column(self, name: str) -> Sequence[str]:
        """Return a column that questions group by; raise `InputError` if there is none."""
        if self.columns is None:
            raise InputError(
                f"{self.place}: found no column {name!r}, expected it, or {argument('by')} of read with its values"
            )
        return self.columns(name)

    def check_predicted(self) -> None:
        """Raise `InputError` if there are no predictions."""
        if self.unpredicted:
            raise InputError(self.unpredicted)

    def check_labelled(self) -> None:
        """Raise `InputError` if there are no predictions, or none has a label."""
        self.check_predicted()
        if not self.labelled.size:
            raise self.no_labels()

    def no_labels(self) -> InputError:
        """Return the error of rows without labels, with the columns that they may be in."""
        return InputError(self.missing or f"{self.place}: found no label, expected y, or files of labels")

    def pairs(self) -> Pairs | ClassPredictions:
        """Return the rows with a label, for measures of calibration; raise `InputError` if there is none."""
        self.check_labelled()
        rows = self.labelled
        chosen = slice(None) if rows.size == len(self) else rows
        y = self.y[chosen]
        units = [replace(each, codes=each.codes[chosen]) for each in self.units]
        if self.classes:
            unit = units[0] if units else None
            return ClassPredictions(self.q[chosen], y.astype(np.int64), self.classes, unit, self.facts, self.sha256)
        if self.values:
            raise InputError(f"{self.place}: found labels that are numbers, expected yes or no, or classes")
        predicted = self.predicted and replace(self.predicted, codes=self.predicted.codes[chosen])
        document = units[0] if len(units) > 1 else None
        unit = units[min(len(units), 2) - 1] if units else None
        return Pairs(
            self.q[chosen], y == 1, predicted, unit, document, table=self.facts, sha256=self.sha256, view=self.view,
            marks=_taken(self.marks, rows),
        )  # fmt: skip

    @cached_property
    def frame(self) -> Frame:
        """The items as a sampling frame."""
        if self.design.frame is not None:
            return self.design.frame
        q = self.q[:, 0] if self.classes else self.q
        return sampling_frame(self.ids, q, self.unit, self.texts)

    @cached_property
    def sample(self) -> Sample:
        """The labelled rows as a probability sample; labels that are open are NaN."""
        asked = np.flatnonzero(self.answer != Answer.NOT_ASKED)
        design = self.design
        if not asked.size:
            raise self.no_labels()
        if design.plan is not None:
            return self.sample_of_parts(partly=True)
        made = (
            simple_random_sample(len(self), asked, self.y[asked])
            if design.inclusion is None
            else unequal_sample(design.inclusion, asked, self.y[asked])
        )
        return replace(made, unit=self.frame.unit)

    def sample_of_parts(self, *, partly: bool) -> Sample:
        """Return the labelled rows of a plan's whole parts; of the first part without all labels too if `partly`."""
        plan, queue = self.design.plan, self.design.queue
        assert plan is not None
        assert queue is not None
        labels = {self.ids[row]: float(self.y[row]) for row in np.flatnonzero(self.answer != Answer.NOT_ASKED).tolist()}
        return labelled_sample(plan, queue, self.frame, self.ids, labels, partly=partly)

    def readers_of(self, row: int) -> int:
        """Return how many people labelled a row; one if labels are not from files."""
        return sum(row in own for own in self.reading.readers.values()) if self.reading.readers else 1

    @property
    def decided(self) -> int:
        """Number of rows on which annotators differed and that are settled."""
        answers: dict[int, set[float | None]] = {}
        for own in self.reading.readers.values():
            for row, label in own.items():
                answers.setdefault(row, set()).add(label)
        return sum(len(each) > 1 for each in answers.values()) - len(self.reading.disputed)

    def notes(self) -> list[str]:
        """Return a line for each gap, and for labels that the annotator rejected, which leave their row open."""
        rows = np.flatnonzero(self.answer == Answer.REJECTED).tolist()
        rejected = [str(Gap("label", "rejected by the annotator", tuple(self.ids[row] for row in rows)))] * bool(rows)
        return [*map(str, self.gaps), *rejected]


def _some_cells(columns: Callable[[str], Sequence[str]], kept: Sequence[int], name: str) -> Sequence[str]:
    cells = columns(name)
    return [cells[row] for row in kept]


def _taken(marks: Mapping[str, Sequence[Any]], rows: np.ndarray) -> dict[str, list[Any]]:
    kept = rows.tolist() if marks else []
    return {name: [values[row] for row in kept] for name, values in marks.items()}


def examine_decisions(data: Predictions) -> None:
    """Warn about verdicts where a question expects probabilities."""
    if data.decisions and not data.unpredicted and data.design.plan is None:
        sentence = "q has nothing but 0 and 1: decisions, where probabilities are expected"
        report_findings([InputFinding("q", sentence, code="decisions")], data.place if data.files else "")


def check_distinct(data: Predictions) -> None:
    """Raise `InputError` if rows share an id, since they are not items of a sample."""
    if data.named and repeated(data.ids):
        raise InputError(
            f"{data.place}: found ids again, expected each once: rows of one id are read together with "
            f"{argument('unit')}, and without another column as id"
        )


def sampling_frame(ids: Sequence[str], q: np.ndarray, unit: Categories | None, texts: Sequence[str] | None) -> Frame:
    """Return a sampling frame of rows, in units if there are any."""
    if unit is None or unit.recognised:
        return Frame(ids, q, None, texts)
    return Frame(list(unit.names), q, unit.codes.astype(np.int64), texts)
