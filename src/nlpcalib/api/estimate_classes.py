"""`nlpcalib.estimate_classes`: how many items of a corpus belong to each of several classes?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.api.annotations import in_dispute
from nlpcalib.api.class_rows import classes_of_arrays, classes_of_table
from nlpcalib.api.estimation_report import MAX_PRINTED_GROUPS
from nlpcalib.api.plan_items import ItemPlan
from nlpcalib.errors import InputError, counted
from nlpcalib.estimation.borrowing import grouped
from nlpcalib.estimation.classes import class_totals
from nlpcalib.estimation.estimates import Estimate
from nlpcalib.examination.labels import examine_drawing
from nlpcalib.examination.predictions import examine_predictions
from nlpcalib.examination.report import report_findings
from nlpcalib.io.files import write_csv
from nlpcalib.io.frames import frame_of
from nlpcalib.sampling.plan import Plan

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False)
class ClassShares:
    """How many items belong to each class: totals sum to N, and all intervals hold together."""

    classes: Mapping[str, Estimate]
    """The estimate of each class by its name."""
    level: float
    groups: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    """The table of classes of each group by its name; intervals of one group hold together."""
    disputed: tuple[str, ...] = ()
    """Items on which no class has a majority: the intervals hold all that they may be."""

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

    def to_frame(self) -> DataFrame:
        """Return a data frame with the rows of the table; needs pandas."""
        return frame_of(self.rows())

    def save(self, path: str | Path) -> None:
        """Write the rows as a table."""
        write_csv(Path(path), self.rows())

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

    def __str__(self) -> str:
        """Return the lines."""
        return "\n".join(self.lines())


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


def estimate_classes(
    p: Any,
    labels: Any = None,
    *,
    plan: str | Path | Plan | ItemPlan | None = None,
    columns: Mapping[str, str] | None = None,
    dates: str | None = None,
    classes: Sequence[Any] | None = None,
    inclusion: Any = None,
    unit: Any = None,
    by: Any = None,
    label_question: str | None = None,
    level: float = 0.95,
) -> ClassShares:
    """Estimate how many items of a corpus belong to each of several classes that exclude each other.

    Parameters
    ----------
    p : path, or array_like of shape (N, K)
        The probabilities of K classes, or a table with a column for each class. The table may have `id`, `unit`,
        `label` and columns to group by. Probabilities sum to 1 for each item.
    labels : path, sequence of paths, array_like of shape (N,), or mapping, optional
        With a table, annotated sheets and exports by id; by default its column `label`, empty where nobody read. With
        arrays the class of the items that were read, a value of `classes` or 0 … K − 1: an array has None, NaN or ""
        for items that were not read, and a mapping has rows, counted from 0.
    plan : path, Plan or ItemPlan, optional
        What `plan_items` drew the items of a table by. Without it, they were drawn with equal probability.
    columns : mapping, optional
        What `id`, `unit` and `label` are called in the table.
    dates : str, optional
        How the table writes dates that `by` groups, as `estimate` takes it.
    classes : sequence, length K, optional
        With a table, its columns of classes: by default those that begin with `p_`, `prob_` or `score_`, or are called
        as labels. With arrays, the names of the classes in the order of columns.
    inclusion : array_like, shape (N,), optional
        With arrays, the probability with which each item was drawn; by default all have the same.
    unit : array_like, shape (N,), optional
        With arrays, what items were read together in: a document.
    by : str, sequence of str, array_like of shape (N,), or mapping of names to such arrays, optional
        What groups items, as `estimate` takes it: each group has its own table of classes.
    label_question : str, optional
        In files, the question whose answers are labels.
    level : float
        Level at which all intervals hold, those of each group by themselves.

    Raises
    ------
    InputError
        For what is no probability or class, arrays of different lengths, and items other than those of the plan.
    """
    if not 0 < level < 1:
        raise InputError(f"level: found {level}, expected a number between 0 and 1")
    if isinstance(p, str | Path):
        for name, value in (("inclusion", inclusion), ("unit", unit)):
            if value is not None:
                raise InputError(f"found {name}= with a table, expected columns of {p}")
        read = classes_of_table(p, labels, classes, plan=plan, columns=columns, dates=dates, question=label_question)
    else:
        for name, value in (("plan", plan), ("columns", columns), ("dates", dates), ("label_question", label_question)):
            if value is not None:
                raise InputError(f"found {name}= with arrays, expected the path of a table")
        if labels is None:
            raise InputError("labels: found none, expected those of at least one item")
        read = classes_of_arrays(p, labels, classes, inclusion, unit)
    items, sample = read.items, read.sample
    grouping = items.grouping(by)
    known = ~np.isnan(sample.y)
    report_findings(
        examine_predictions(read.p[sample.rows][known], sample.y[known].astype(np.int64), classes=read.names),
        items.place if items.table else "",
    )
    if plan is None and inclusion is None:
        top = read.p.max(axis=1)
        report_findings(examine_drawing(top, sample.rows, sample.unit))
    found = {each.group: each for each in class_totals(read.p, sample, read.names, level=level)[0]}
    groups: dict[str, dict[str, Estimate]] = {}
    if grouping.names:
        parts = grouped(grouping.keys)
        tables = class_totals(read.p, sample, read.names, parts.of, len(parts.names), level=level)
        groups = {name: {each.group: each for each in table} for name, table in zip(parts.names, tables, strict=True)}
    return ClassShares(found, level, groups, read.disputed)
