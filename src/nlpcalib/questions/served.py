"""Which commands serve a table, with the options that name its columns."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.formats.registry import read_pairs_or_classes
from nlpcalib.predictions.likely import TRUTH_WORDS, is_probability, likely_classes, likely_columns
from nlpcalib.questions.verdict_rows import MAX_DISTINCT_IDS
from nlpcalib.sampling.labels import OPEN_ANSWERS, YES_NO_LABELS
from nlpcalib.systems.events.learn.marks import yes_or_no
from nlpcalib.tables.delimited import is_number, number_in
from nlpcalib.tables.roles import (
    PREFERENCE_CELLS,
    VERDICT_CELLS,
    is_called_like_class,
    is_called_like_judge,
    is_called_like_person,
    is_called_like_verdict,
    predicted_column,
    prefix_of_several,
    right_column,
    text_column,
)
from nlpcalib.tables.table import Table

MAX_CLASSES = 20
"""Most values of a column that are shown as classes."""
DECISIONS = {each.casefold() for each in TRUTH_WORDS} | {"yes", "no"}
"""Cells that `judge` reads as a verdict, without capitals."""
MIN_TEXT_CHARACTERS = 40
"""Least mean length of the cells of a column that is taken for texts."""
MAX_SUM_ERROR = 0.01
"""Largest distance from 1 of the sum of a row's probabilities, which may be rounded."""
MAX_ROWS_BELOW = 3
"""Most rows at the end of a table that may be totals and notes below it."""
ITEMS_TO_LABEL = 300
"""Items that a printed command plans; half of the items of a smaller table."""
NO_KIND = "a table without predictions q, verdicts or texts"


@dataclass(frozen=True)
class SeenTable:
    """A table with the cells of all columns."""

    path: Path
    table: Table
    columns: Mapping[str, list[str]]
    """The cells of each column that has a name."""
    dates: Mapping[str, str]
    """Columns of dates, with the option of `--dates` that they need."""

    @property
    def known(self) -> dict[str, str]:
        """The names of columns by what they are without capitals."""
        return {name.casefold(): name for name in self.columns}

    @property
    def plan(self) -> str:
        """The options of a plan of items."""
        return f"--budget {min(ITEMS_TO_LABEL, max(1, self.table.rows // 2))} --out plan"

    def key(self, others: Collection[str]) -> str:
        """Return the first column besides `others` that differs in each row, and is no probability; empty for none."""
        cells = self.columns
        distinct = (name for name in self.table.names if name in cells and len(set(cells[name])) == self.table.rows)
        distinct = (name for name in distinct if not all(map(is_probability, cells[name])))
        return next((name for name in distinct if name not in others), "")

    def columns_option(self, own: Mapping[str, str]) -> str:
        """Return the option that names columns, from what they are called, with a blank before it; empty for none."""
        named = ",".join(f"{name}={column}" for name, column in own.items() if column.casefold() != name)
        return f" --columns {shlex.quote(named)}" if named else ""


def of_predictions(path: Path, options: str = "") -> tuple[str, ...]:
    """Return the commands for predictions with labels; `options` name their columns, with a blank before them."""
    return (
        f"calibrate {path}{options}",
        f"recalibrate {path}{options}",
        f"compare {path} OTHER{options}",
        f"explore {path}{options} --html page.html",
    )


def named_by_options(seen: SeenTable) -> tuple[str, tuple[str, ...]] | None:
    """Return what a table is whose columns are called otherwise, and the commands with options that name them."""
    known = seen.known
    if {"q", "y"} <= known.keys() or "verdict" in known:
        return None
    if "q" not in known:
        right = known["label"] if "label" in known else right_column(seen.columns)
        verdicts = _verdicts(seen, right)
        if verdicts and not {"id", "text", "date"} <= known.keys():
            return _judges(seen, verdicts, right)
    if right_column(seen.columns) and labelled_predictions(seen.path) is not None:
        return None
    likely = likely_classes(seen.table) if "text" in known else likely_columns(seen.table)
    if likely and ("q" not in known or is_called_like_class(likely[1].partition("=")[0])):
        q, y = map(shlex.quote, likely)
        return "predictions with labels", of_predictions(seen.path, f" --q {q} --y {y}")
    if "q" in known or _has_classes(seen):
        return None
    if predictions := _predictions(seen):
        option = seen.columns_option(_with_id(seen, {"q": predictions}))
        return "items with predictions", (f"plan items {seen.path}{option} {seen.plan}",)
    if judged := _decisions_next_to_a_person(seen):
        return "verdicts of a judge", judged
    if found := _of_texts(seen):
        return ("texts", found) if any(" --columns " in each for each in found) else None
    return None


def kind_of_table(seen: SeenTable) -> str:
    """Return what a table is whose columns have the names that commands ask for."""
    if "verdict" in seen.known:
        return "verdicts of a judge"
    if _has_classes(seen):
        return "items with probabilities of classes"
    if "q" in seen.known:
        return "predictions with labels" if "y" in seen.known else "items with predictions"
    return "texts" if "text" in seen.known else NO_KIND


def commands_of(seen: SeenTable) -> tuple[str, ...]:
    """Return the commands that a table has the columns for."""
    path, known = seen.path, seen.known
    found: list[str] = []
    if "verdict" in known:
        found.append(_judge(seen, known["verdict"], known.get("label", "")))
    if {"q", "y"} <= known.keys():
        found += of_predictions(path)
    elif "q" in known:
        found += [f"plan items {path} {seen.plan}", f"estimate {path} LABELS --plan plan/plan.json"]
    if _has_classes(seen):
        return (*found, *_of_classes(seen))
    return (*found, *(() if "q" in known else _of_texts(seen)))


def likely_above_last_rows(seen: SeenTable) -> str:
    """Return the command that reads a table without its last rows, in words; empty where they hinder none."""
    for below in range(1, min(MAX_ROWS_BELOW, seen.table.rows - 2) + 1):
        if likely := likely_columns(seen.table, below):
            q, y = map(shlex.quote, likely)
            rows = "last row differs" if below == 1 else f"last {below} rows differ"
            return (
                f"the {rows} from those above: without a total or a note at the end, nlpcalib calibrate {seen.path} "
                f"--q {q} --y {y} reads the table"
            )
    return ""


def labelled_predictions(path: Path) -> Pairs | ClassPredictions | None:
    """Return what `calibrate` reads in a table whose columns are not called q and y; None if it reads nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read_pairs_or_classes(path)
        except InputError:
            return None


def is_labels(seen: SeenTable) -> bool:
    """Return whether a table has ids and labels, and nothing that either was said of but comments in a few rows."""
    cells = seen.columns
    if (
        not {"id", "label"} <= cells.keys()
        or predicted_column(cells)
        or any(_is_verdicts(*each) for each in cells.items())
    ):
        return False
    if any(all(map(is_probability, column)) for name, column in cells.items() if name not in ("id", "label")):
        return False
    text = _text_column(seen)
    return not text or 2 * sum(bool(cell.strip()) for cell in cells[text]) < seen.table.rows


def has_objects(cells: Sequence[str]) -> bool:
    """Return whether the cells are objects or lists of JSON."""
    return bool(cells) and all(cell[:1] in ("{", "[") for cell in cells)


def _of_texts(seen: SeenTable) -> tuple[str, ...]:
    """Return the commands for a table of texts; empty for another."""
    text = _text_column(seen)
    if not text:
        return ()
    own = _with_id(seen, {"text": text})
    labels = seen.columns[seen.known["label"]] if "label" in seen.known else []
    in_place = (
        [f"estimate {seen.path} {seen.path}{seen.columns_option(own)}{yes_option(labels)}"]
        if any(cell.strip() for cell in labels)
        else []
    )
    items = f"plan items {seen.path} --match WORDS{seen.columns_option(own)} {seen.plan}"
    date = seen.known.get("date", next(iter(seen.dates), ""))
    if date not in seen.dates or "id" not in own:
        return (*in_place, items)
    order = f" --dates {seen.dates[date]}" if seen.dates[date] else ""
    options = seen.columns_option({"text": text, "date": date, "id": own["id"]}) + order
    return (
        *in_place,
        items,
        f"events {seen.path} --category protest{options}",
        f"learn {seen.path} LABELS --words WORDS{options} --out model.json",
    )


def _text_column(seen: SeenTable) -> str:
    """Return the column of texts: by its name, else by the length of its cells; empty if there is none."""
    named = [name for name, cells in seen.columns.items() if not has_objects(cells)]
    if called := text_column(named):
        return called
    lengths = {name: np.mean([len(cell) for cell in seen.columns[name]]) for name in named}
    longest = max(lengths, key=lambda name: lengths[name], default="")
    return longest if longest and lengths[longest] >= MIN_TEXT_CHARACTERS else ""


def _with_id(seen: SeenTable, own: Mapping[str, str]) -> dict[str, str]:
    """Return what columns are called, with that of ids, if there is one."""
    key = seen.known["id"] if "id" in seen.known else seen.key([*own.values(), *seen.dates])
    return {**own, "id": key} if key else dict(own)


def _predictions(seen: SeenTable) -> str:
    """Return the one column of probabilities that are not all alike or whole; empty if there is none."""
    cells = {name: {cell.strip() for cell in column} for name, column in seen.columns.items()}
    found = [name for name, values in cells.items() if len(values) > 2 and all(map(is_probability, values))]
    return found[0] if len(found) == 1 else ""


def _has_classes(seen: SeenTable) -> bool:
    return "q" not in seen.known and bool(prefix_of_several(seen.columns) or _summing_to_one(seen))


def _summing_to_one(seen: SeenTable) -> list[str]:
    """Return the columns of probabilities, two or more, whose rows sum to 1, as `predict_proba` gives them."""
    named = [name for name, cells in seen.columns.items() if all(map(is_probability, cells))]
    if len(named) < 2:
        return []
    sums = np.sum([[number_in(cell) for cell in seen.columns[name]] for name in named], axis=0)
    return named if np.abs(sums - 1).max() < MAX_SUM_ERROR else []


def _of_classes(seen: SeenTable) -> tuple[str, ...]:
    """Return the commands for a column for each class, whose labels are in a column, in some rows of it, or in files.

    A class has no probability in a column of another prefix, so that each command is printed with what it needs.
    """
    path, right = seen.path, right_column(seen.columns)
    if right is None:
        labels = "" if "label" in seen.known else " LABELS"
        own = _with_id(seen, {})
        named = shlex.quote(own["id"]) if own and own["id"].casefold() != "id" else ""
        classes = f"estimate-classes {path}{labels}{f' --columns id={named}' if named else ''}"
        if labels and not prefix_of_several(seen.columns):
            id_option = f" --id {named}" if named else ""
            return (f"calibrate {path} LABELS{id_option}", f"recalibrate {path} LABELS{id_option}", classes)
        return (classes,)
    option = f" --columns label={shlex.quote(right)}" if right.casefold() != "label" else ""
    partly = any(not cell.strip() for cell in seen.columns[right])
    skipped = " --skip-unlabelled" if partly else ""
    return (f"calibrate {path}{skipped}", f"recalibrate {path}{skipped}", f"estimate-classes {path}{option}")


def _verdicts(seen: SeenTable, right: str | None) -> list[str]:
    """Return the columns of verdicts but for the `right` answers.

    Next to ratings alone, columns of yes and no are verdicts too, and come first.
    """
    verdicts = [name for name, cells in seen.columns.items() if name != right and _is_verdicts(name, cells)]
    verdicts = [name for name in verdicts if name != _judge_column(seen, {*verdicts, *filter(None, [right])} - {name})]
    if not all(_is_rated(seen.columns[name]) for name in verdicts):
        return verdicts
    values = {name: {cell.strip().casefold() for cell in cells} - {""} for name, cells in seen.columns.items()}
    decided = [name for name, found in values.items() if name != right and len(found) == 2 and found <= DECISIONS]
    return [*decided, *(name for name in verdicts if name not in decided)] if verdicts else []


def _is_rated(cells: Sequence[str]) -> bool:
    """Return whether verdicts are numbers, which need a threshold."""
    values = {cell.strip() for cell in cells} - {""}
    return all(map(is_number, values)) and not values <= TRUTH_WORDS


def _is_verdicts(name: str, cells: Sequence[str]) -> bool:
    """Return whether a column has a judge's verdicts: pass and fail, or two or more values under such a header."""
    values = {cell.strip() for cell in cells} - {""}
    if len(values) > 1 and {value.casefold() for value in values} <= VERDICT_CELLS:
        return True
    probable = all(map(is_probability, values)) and not values <= TRUTH_WORDS
    return is_called_like_verdict(name) and 2 <= len(values) <= MAX_CLASSES and not probable


def _judges(seen: SeenTable, verdicts: Sequence[str], right: str | None) -> tuple[str, tuple[str, ...]]:
    """Return what columns of verdicts are, and the commands that measure the judges among them.

    Without a column of the `right` answers, one that is called like a person's, or has empty cells where others have
    none, has the labels.
    """
    if right is not None:
        return "verdicts of a judge", tuple(_judge(seen, name, right) for name in verdicts)
    filled = {name: all(cell.strip() for cell in seen.columns[name]) for name in verdicts}
    people = [name for name in verdicts if is_called_like_person(name)]
    people += [
        name
        for name in seen.columns
        if name not in verdicts and is_called_like_person(name) and _shares_values(seen, name, verdicts)
    ]
    people = people or [name for name in verdicts if not filled[name] and any(filled.values())]
    judges = [name for name in verdicts if name not in people]
    if people and judges:
        return "verdicts of a judge", tuple(_judge(seen, name, person) for name in judges for person in people)
    commands = [_judge(seen, name, "") for name in verdicts]
    if len(verdicts) == 1:
        return "verdicts of a judge", tuple(commands)
    rated = {name: _is_rated(seen.columns[name]) for name in verdicts}
    pairs = [(name, other) for name in verdicts for other in verdicts if other != name and rated[name] == rated[other]]
    person = ", or of a judge and a person (label)" if pairs else ""
    return f"verdicts of several judges{person}", (*commands, *(_judge(seen, *pair) for pair in pairs))


def _decisions_next_to_a_person(seen: SeenTable) -> tuple[str, ...]:
    """Return the commands for columns of 0 and 1, or yes and no, next to one that is called like a person's."""
    values = {name: {cell.strip().casefold() for cell in cells} - {""} for name, cells in seen.columns.items()}
    decided = [name for name, found in values.items() if len(found) == 2 and found <= DECISIONS]
    people = [name for name in decided if is_called_like_person(name)]
    judges = [name for name in decided if name not in people]
    return tuple(_judge(seen, name, person) for name in judges for person in people if values[name] == values[person])


def _judge(seen: SeenTable, verdict: str, right: str) -> str:
    """Return the command that measures the judge of a column by the labels in another one, if there is one."""
    own = {"verdict": verdict}
    groups = ""
    if right:
        own["label"] = right
    if judges := _judge_column(seen, {verdict, *filter(None, [right])}):
        own["id"], groups = _repeated_key(seen, {verdict, right, judges}), f" --by {shlex.quote(judges)}"
    elif paired := _id_and_system(seen, {verdict, right}):
        own["id"], groups = paired[0], f" --by {shlex.quote(paired[1])}"
    elif not right and "id" not in seen.known and (key := seen.key({verdict})):
        own["id"] = key
    own = {name: column for name, column in own.items() if column}
    least = " --threshold LOWEST" if _is_rated(seen.columns[verdict]) else yes_option(seen.columns[verdict])
    return f"judge {seen.path}{'' if right else ' LABELS'}{seen.columns_option(own)}{groups}{least}"


def yes_option(cells: Iterable[str]) -> str:
    """Return the option that names a positive verdict or label, with a blank before it.

    Empty where all are yes or no, or marks of events such as ISR>PSE, which are read without it.
    """
    values = {cell.strip() for cell in cells if cell.strip().casefold() not in OPEN_ANSWERS} - {""}
    words = {value for value in values if value.casefold() not in YES_NO_LABELS}
    if not words or (len(words) == len(values) and all(yes_or_no(word) is not None for word in words)):
        return ""
    plain = [value for value in values if YES_NO_LABELS.get(value.casefold()) == 1]
    return f" --yes {shlex.quote(min(plain or values))}"


def _shares_values(seen: SeenTable, name: str, others: Iterable[str]) -> bool:
    """Return whether the cells of a column, two or more different ones, are among those of other columns."""
    values = {cell.strip() for cell in seen.columns[name]} - {""}
    return len(values) > 1 and values <= {cell.strip() for other in others for cell in seen.columns[other]}


def _judge_column(seen: SeenTable, others: Collection[str]) -> str:
    """Return the column besides `others` that names judges, and has no verdicts itself; empty if there is none."""
    for name, cells in seen.columns.items():
        values = {cell.strip().casefold() for cell in cells} - {""}
        plain = YES_NO_LABELS.keys() | VERDICT_CELLS | PREFERENCE_CELLS
        if (
            name not in others
            and is_called_like_judge(name)
            and 1 < len(values) <= MAX_CLASSES
            and not values <= plain
            and not all(map(is_number, values))
            and not _shares_values(seen, name, others)
        ):
            return name
    return ""


def _repeated_key(seen: SeenTable, others: Collection[str]) -> str:
    """Return the column of ids under which several judges have rows; empty where none looks like it."""
    if "id" in seen.known:
        return seen.known["id"]
    distinct = {name: len(set(cells)) for name, cells in seen.columns.items() if name not in others}
    repeated = {name: n for name, n in distinct.items() if n <= MAX_DISTINCT_IDS * seen.table.rows}
    most = max(repeated, key=lambda name: repeated[name], default="")
    return most if repeated.get(most, 0) > MAX_CLASSES else ""


def _id_and_system(seen: SeenTable, others: Collection[str]) -> tuple[str, str] | None:
    """Return the column of ids that repeat, and that of the systems, each of which has an id once; None for neither."""
    distinct = {name: len(set(cells)) for name, cells in seen.columns.items() if name not in others}
    rows = seen.table.rows
    ids = [name for name in seen.table.names if 1 < distinct.get(name, 0) <= MAX_DISTINCT_IDS * rows]
    if "id" in seen.known:
        ids = [name for name in ids if name == seen.known["id"]]
    for key in ids:
        for system in seen.table.names:
            if not 1 < distinct.get(system, 0) <= min(MAX_CLASSES, distinct[key] - 1):
                continue
            if len(set(zip(seen.columns[key], seen.columns[system], strict=True))) == rows:
                return key, system
    return None
