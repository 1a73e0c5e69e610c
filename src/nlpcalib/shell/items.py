"""The files of `nlpcalib plan items` and `nlpcalib estimate`: items with predictions, their plan and their labels."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from nlpcalib.errors import InputError, counted, located, some
from nlpcalib.estimation.borrowing import Groups, grouped
from nlpcalib.examination.labels import examine_labels
from nlpcalib.examination.report import report_findings
from nlpcalib.io.files import read_json
from nlpcalib.predictions.facts import unlabelled_facts
from nlpcalib.sampling.frame import Frame, Queue
from nlpcalib.sampling.labels import YES_NO, Labels, categories, read_annotations
from nlpcalib.sampling.plan import Plan, read_plan
from nlpcalib.sampling.samples import Sample, labelled_sample
from nlpcalib.sampling.settling import Settled, copies, joined, settle
from nlpcalib.sampling.sheet import check_texts
from nlpcalib.tables.columns import Texts, codes_of, ids_of, probabilities, texts
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.distinct import repeated
from nlpcalib.tables.facts import TableFacts
from nlpcalib.tables.periods import UNITS, period_column
from nlpcalib.tables.table import ColumnKind, Table


def asked_before(plan: Path) -> dict[str, Any]:
    """Return the options of the call that wrote a plan, from `planned.json` next to it; none without that file."""
    path = plan.with_name("planned.json")
    content = read_json(path) if path.is_file() else None
    asked = content.get("asked") if isinstance(content, dict) else None
    return asked if isinstance(asked, dict) else {}


@dataclass(frozen=True, eq=False)
class Items:
    """The N items of a file."""

    path: Path
    ids: Sequence[str]
    table: Table
    frame: Frame

    def column(self, name: str) -> list[str]:
        """Return a column as texts; `InputError` if there is none of this name."""
        if name in UNITS and not self.table.has(name):
            raise self.table.missing(name, f", or {name}(COLUMN) with the name of a column of dates")
        return texts(self.table.read({name: "text"})[name])

    def keys(self, by: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the group of each item: its values in some columns."""
        return list(zip(*(self.column(name) for name in by), strict=True))

    def groups(self, by: str, borrow: str) -> Groups | None:
        """Return the groups by columns with commas between them, which may share labels; None without columns."""
        names = [name for name in by.split(",") if name]
        if borrow != "none" and self.frame.unit is not None:
            raise InputError(f"{self.path}: found items in units, expected none to share labels")
        return grouped(self.keys(names), borrow, f"{self.path}, column {names[-1]}") if names else None

    def facts(self, by: Sequence[str] = ()) -> TableFacts:
        """Report what is found in the table, and return what it was taken to be; `by` are columns to group it by."""
        predictions = ["q"] if self.table.has("q") else []
        columns = [of_dates[1] if (of_dates := period_column(name)) else name for name in by]
        found = unlabelled_facts(self.table, predictions, self.frame.q, ["text", *columns], "name it unit")
        report_findings(found.findings, self.path)
        return found

    @property
    def texts(self) -> Sequence[str]:
        """The text of each item, empty where the file has none."""
        return self.frame.texts or [""] * len(self.ids)


def read_items(path: str | Path, match: str = "", columns: Mapping[str, str] | None = None) -> Items:
    """Read a table with a column `q`, and optionally `id`, `text`, `unit` and any to group by.

    With `match`, keywords in the column `text` make the predictions, and no `q` is read. Without `id`, items have the
    numbers of their rows, from 1. Items of one `unit`, such as a document, are read together. `columns` has what these
    are called in the file: `{"text": "headline"}`.

    Raises `InputError` for a file or predictions of another kind, and ids that are there twice.
    """
    table = Table(path, columns=columns)
    kinds: dict[str, ColumnKind] = {"q": "number", "id": "text", "unit": "category", "text": "text"}
    if match:
        del kinds["q"]
    required = "text" if match else "q"
    if not table.has(required):
        keywords = ", or --match with keywords of the texts" if table.has("text") else ""
        raise table.missing(required, keywords)
    found = table.read({name: kind for name, kind in kinds.items() if table.has(name)})
    numbers = pa.chunked_array([np.arange(1, table.rows + 1)])
    ids = ids_of(found["id"], table) if table.has("id") else Texts(numbers.cast(pa.string()))
    if again := repeated(ids):
        twice = [name for name, times in Counter(ids).items() if times > 1]
        raise InputError(f"{path}: found {counted(again, 'id')} again, expected each once: {some(twice)}")
    names: Sequence[str] = ids
    unit = None
    if table.has("unit"):
        unit, names = codes_of(found["unit"], table, "unit", "unit")
    read: Sequence[str] | None = None
    if table.has("text"):
        read = Texts(found["text"]) if pa.types.is_string(found["text"].type) else texts(found["text"])
    if match:
        from nlpcalib.text.keywords import keyword_predictions  # predictions of a table need no texts

        with located(path):
            q = keyword_predictions(read or (), match)
    else:
        q = probabilities(found["q"], table.place)
    return Items(Path(path), ids, table, Frame(names, q, unit, read))


@dataclass(frozen=True, eq=False)
class Planned:
    """Items and the plan of which of them are read."""

    items: Items
    plan: Plan
    queue: Queue
    """The order in which items join the sample."""


def read_planned(file: str | Path, plan: str | Path) -> Planned:
    """Read items and their plan; raises `InputError` if it is another corpus'."""
    made = read_plan(plan)
    items = read_items(file, made.match)
    try:
        return Planned(items, made, made.queue(items.frame))
    except InputError as error:
        raise InputError(f"{items.path}: {error} ({plan})") from None


@dataclass(frozen=True, eq=False)
class Annotations:
    """The labels of the items of a plan."""

    annotators: dict[str, Labels]
    settled: Settled
    sample: Sample

    @property
    def decided(self) -> int:
        """The number of items on which annotators differ and whose label is settled."""
        answers: dict[str, set[int | None]] = {}
        for labels in self.annotators.values():
            for item, label in labels.items():
                answers.setdefault(item, set()).add(label)
        return sum(len(each) > 1 for each in answers.values()) - len(self.settled.disputed)


def read_labelled(
    planned: Planned, paths: Sequence[str | Path], *, settled: str | Path | None = None, yes: str | None = None,
    question: str | None = None, partly: bool = False,
) -> Annotations:  # fmt: skip
    """Read the labels of the items that are planned so far; items in dispute are open.

    Marks of events, such as ISR>PSE, are positive. With `yes`, that label is positive and others are negative, and of a
    project with several questions the answers to `question` are read. Labels in `settled` decide where annotators
    differ. With `partly`, the last part need not be complete: items count up to the first without a label, in the order
    of its sheet.

    Raises `InputError` for labels that are missing or unknown, and for sheets with texts of other items. Warns of a
    sheet that is there twice.
    """
    items, plan = planned.items, planned.plan
    known = {items.ids[row] for row in items.frame.rows_of(planned.queue.first(plan.read[-1]))}
    numbers, other = (YES_NO, None) if yes is None else ({yes: 1}, 0)
    marked = _marked if yes is None else None
    if items.frame.texts is not None:
        text_of = dict(zip(items.ids, items.frame.texts, strict=True))
        for path in (*paths, *([] if settled is None else [settled])):
            if file_kind(path) != "json":
                check_texts(path, text_of)
    files = [(Path(path).stem, read_annotations(path, known, numbers, other, question, marked)) for path in paths]
    repeated = copies(files)
    for copy, original in repeated:
        warnings.warn(
            f"{paths[copy]}: found the labels of {paths[original]}; they count once. If two annotators agree on every "
            "item, name them in a column annotator",
            stacklevel=2,
        )
    annotators = joined([file for place, (_, file) in enumerate(files) if place not in dict(repeated)])
    if yes is not None and not any(1 in labels.values() for labels in annotators.values()):
        names = sorted(set().union(*(categories(path, question) for path in paths)))
        if names:
            raise InputError(
                f"{named(paths)}: found the labels {some([*map(repr, names)])}, expected {yes!r} among them, "
                "or no for all"
            )
    decided: Labels = {}
    if settled is not None:
        for own in read_annotations(settled, known, numbers, other, question, marked).values():
            decided |= own
    agreed = settle(annotators, decided)
    found = agreed.labels | dict.fromkeys(agreed.disputed)
    y = {item: np.nan if label is None else float(label) for item, label in found.items()}
    with located(named(paths)):
        sample = labelled_sample(plan, planned.queue, items.frame, items.ids, y, partly=partly)
    report_findings(examine_labels(items.frame.q[sample.rows], sample.y), named(paths))
    return Annotations(annotators, agreed, sample)


def _marked(answer: str) -> int | None:
    from nlpcalib.events.learn.marks import yes_or_no  # labels of most files are no marks

    return yes_or_no(answer)


def negative_categories(paths: Sequence[str | Path], yes: str, question: str | None = None) -> str:
    """Return the labels that count as negative next to `yes`, as text; capitals make no other label."""
    names = set().union(*(categories(path, question) for path in paths))
    return some(sorted(name for name in names if name.lower() != yes.lower()))


def in_dispute(disputed: Sequence[str], meanwhile: str, settled: Path | None) -> str:
    """Return which items annotators differ on, what holds `meanwhile`, and how to settle them."""
    sheet = settled or "disagreements.csv, which nlpcalib estimate --out writes, filled in and passed with --settled,"
    return (
        f"{counted(len(disputed), 'item')} in dispute: {some(disputed)}. {meanwhile}, until one more annotator labels "
        f"them, or {sheet} does."
    )


def named(paths: Sequence[str | Path]) -> str:
    """Return the names of files, to begin a message with."""
    return ", ".join(map(str, paths))
