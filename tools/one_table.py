"""One table in many spellings, every question: all readers give one number, and each command that is printed runs.

Run `python tools/one_table.py [seed] [draws]`. A spelling is how a person, a spreadsheet or a tool writes a table whose
predictions and labels are known; each is asked a question drawn at random. The program prints each contradiction: a
number that NumPy, arrays, a data frame, a path in Python or the shell has otherwise, a command that is printed and
refused, and an option that is dropped without a word.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import re
import shlex
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
from slips import NAMES, Random, Table, binary, of_classes, rows_of, with_columns  # type: ignore[import-not-found]

import nlpcalib as nc
from nlpcalib.cli.app import main as nlpcalib

ANSWERED = (0, 3)
"""Statuses of a command that answers: a limit may be exceeded."""
OF_ROWS = ("id", "q", "y", "predicted", "unit", *NAMES)
"""Columns with a meaning for `read`; others group rows."""


OF_FILES = ("table", "tables", "labels", "facts", "passed")
"""What a record has of the files that were read, and of gates."""


@dataclass
class Spelling:
    """A table as somebody writes it."""

    table: Table
    """Columns of cells by their names in the file."""
    options: dict[str, str] = field(default_factory=dict)
    """What reads it."""
    file: str = "table.csv"
    separator: str = ","
    encoding: str = "utf-8"
    above: str = ""
    """Lines above the header."""
    means: Table | None = None
    """The sound table with the same rows and answers; None for that which is spelt."""
    sheet: Table | None = None
    """Labels in a file of their own."""
    refused: str = ""
    """A part of the message, where the table is refused; it may name a way out, which reads it."""

    def write(self, folder: Path) -> list[str]:
        """Write the table, and its sheet of labels if it has one; return their names."""
        sheet = [] if self.sheet is None else Spelling(self.sheet, file=f"sheet of {self.file}.csv").write(folder)
        path, rows = folder / self.file, [list(self.table), *map(list, zip(*self.table.values(), strict=True))]
        if path.suffix == ".xlsx":
            book = openpyxl.Workbook()
            for row in rows:
                book.active.append(row)
            book.save(path)
        elif path.suffix == ".parquet":
            pa.parquet.write_table(pa.table(dict(self.table)), path)
        elif path.suffix in (".jsonl", ".json"):
            records = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
            lines = json.dumps(records) if path.suffix == ".json" else "\n".join(map(json.dumps, records))
            path.write_text(lines, encoding="utf-8")
        else:
            text = io.StringIO()
            csv.writer(text, delimiter=self.separator).writerows(rows)
            content = (self.above + text.getvalue()).encode(self.encoding)
            path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
        return [self.file, *sheet]

    def frame(self) -> pd.DataFrame:
        """Return the table as a data frame, whose numbers are numbers."""
        return pd.DataFrame(dict(self.table))


Spellings = Mapping[str, Callable[[Table, Random], Spelling]]


def renamed(table: Table, **names: str) -> Table:
    """Return a table whose columns have other names."""
    return {names.get(name, name): cells for name, cells in table.items()}


def without(table: Table, *names: str) -> Table:
    """Return a table without some columns."""
    return {name: cells for name, cells in table.items() if name not in names}


def with_comma(cells: list[float]) -> list[str]:
    """Return numbers with a comma for decimals."""
    return [str(cell).replace(".", ",") for cell in cells]


def per_cent(cells: list[float], between: str = " ") -> list[str]:
    """Return probabilities as percentages, with a comma for decimals."""
    return [f"{100 * cell:.4f}".replace(".", ",") + f"{between}%" for cell in cells]


def said(table: Table, no: str, yes: str) -> list[str]:
    """Return labels in words."""
    return [(no, yes)[y] for y in table["y"]]


def german(table: Table, random: Random) -> Spelling:
    """Excel in German: semicolons, decimal commas, a mark of the encoding and names of the user."""
    own = with_columns(table, q=with_comma(table["q"]), y=said(table, "nein", "ja"))
    options = {"id": "Fall-Nr.", "q": "Sicherheit in", "y": "Größe"}
    return Spelling(renamed(own, **options), options | {"yes": "ja"}, separator=";", encoding="utf-8-sig",
                    above="sep=;\n" * int(random.integers(2)))  # fmt: skip


def unclear(answer: str, refused: str = "", means: Any = None) -> Callable[[Table, Random], Spelling]:
    """Return labels of which some are another answer: it is refused, left out, or open."""

    def spelling(table: Table, random: Random) -> Spelling:
        sure = random.random(len(table["y"])) < 0.9
        labels = [y if known else answer for y, known in zip(said(table, "nein", "ja"), sure, strict=True)]
        y = [y if known else means for y, known in zip(table["y"], sure, strict=True)]
        return Spelling(with_columns(table, y=labels), {"yes": "ja"}, means=with_columns(table, y=y), refused=refused)

    return spelling


def holes(table: Table, random: Random) -> Spelling:
    """Predictions of which some are missing."""
    known = random.random(len(table["q"])) < 0.8
    none = ("", "NaN", "n/a", "NULL")[int(random.integers(4))]
    cells = [q if sure else none for q, sure in zip(with_comma(table["q"]), known, strict=True)]
    return Spelling(with_columns(table, q=cells), separator=";", means=rows_of(table, np.flatnonzero(known)))


def sheet_of(table: Table, rows: int | None = None, options: Mapping[str, str] | None = None, refused: str = "",
             **sheet: Sequence[Any]) -> Spelling:  # fmt: skip
    """Return a table whose labels, of the first rows or of all, are in a file of their own."""
    means = with_columns(table, y=[*table["y"][:rows], *[None] * len(table["y"][rows or len(table["y"]) :])])
    return Spelling(without(table, "y"), dict(options or {}), means=means, refused=refused,
                    sheet={name: list(cells)[:rows] for name, cells in sheet.items()})  # fmt: skip


def days_as(form: str, table: Table) -> list[str]:
    """Return days in a form that has the places of year, month and day."""
    return [form.format(*day.split("-")) for day in table["day"]]


def of_integers(cells: Sequence[str]) -> list[int]:
    """Return ids as a spreadsheet writes them, without leading zeros."""
    return [int(cell) for cell in cells]


SPELLINGS: dict[str, Callable[[Table, Random], Spelling]] = {
    "as it is": lambda t, r: Spelling(t),
    "Excel, German": german,
    "per cent": lambda t, r: Spelling(with_columns(t, q=per_cent(t["q"])), separator=";"),
    "per cent in a workbook": lambda t, r: Spelling(with_columns(t, q=per_cent(t["q"], "\u00a0")), file="table.xlsx"),
    "workbook": lambda t, r: Spelling(t, file="my table.xlsx"),
    "JSON lines": lambda t, r: Spelling(t, file="table.jsonl"),
    "JSON": lambda t, r: Spelling(t, file="table.json"),
    "Parquet": lambda t, r: Spelling(t, file="table.parquet"),
    "packed": lambda t, r: Spelling(t, file="table.csv.gz"),
    "UTF-16 with tabs": lambda t, r: Spelling(t, separator="\t", encoding="utf-16"),
    "names with blanks and quotes": lambda t, r: Spelling(
        renamed(t, q='the "q", my', y="right? yes"), {"q": '"the ""q"", my"', "y": "right? yes"}),
    "names like options": lambda t, r: Spelling(renamed(t, q="--yes", y="-y=1"), {"q": "--yes", "y": "-y=1"}),
    "capitals": lambda t, r: Spelling({name.upper(): cells for name, cells in t.items()}),
    "TRUE and FALSE": lambda t, r: Spelling(with_columns(t, y=said(t, "FALSE", "TRUE"))),
    "yes and no": lambda t, r: Spelling(with_columns(t, y=said(t, " no", "Yes "))),
    "oui and non": lambda t, r: Spelling(with_columns(t, y=said(t, "non", "oui")), refused="--yes"),
    "numbers as floats": lambda t, r: Spelling(with_columns(t, y=[f"{y}.0" for y in t["y"]])),
    "gold": lambda t, r: Spelling(renamed(t, y="gold")),
    "empty columns": lambda t, r: Spelling(t | {"": [""] * len(t["q"]), " ": [""] * len(t["q"])}),
    "an empty note": lambda t, r: Spelling({"note": [""] * len(t["q"])} | t),
    "ids of integers": lambda t, r: Spelling(with_columns(t, id=[100_000 + row for row in range(len(t["q"]))])),
    "ids as floats": lambda t, r: Spelling(with_columns(t, id=[f"{int(name)}.0" for name in t["id"]])),
    "predictions are missing": holes,
    "labels are missing": unclear("n/a"),
    "labels are open": unclear("cannot tell", means="cannot tell"),
    "labels are unclear": unclear("unklar", "found the label"),
    "labels are question marks": unclear("?", "found the label"),
    "no prediction at all": lambda t, r: Spelling(with_columns(t, q=["nan"] * len(t["q"])), refused="no prediction"),
    "a name twice": lambda t, r: Spelling(t | {"q ": t["q"]}, refused="expected each once"),
    "a sheet of labels": lambda t, r: sheet_of(t, item=t["id"][::-1], label=said(t, "no", "yes")[::-1]),
    "a sheet of the user": lambda t, r: sheet_of(
        renamed(t, id="Nr"), options={"id": "Nr", "y": "Ur teil", "yes": "ja"},
        **{"Nr": t["id"], "Ur teil": said(t, "nein", "ja")}),
    "a sheet without leading zeros": lambda t, r: sheet_of(t, id=of_integers(t["id"]), y=t["y"]),
    "a sheet with a part": lambda t, r: sheet_of(t, 90, id=t["id"], label=said(t, "no", "yes")),
    "a sheet that is unclear": lambda t, r: sheet_of(
        t, options={"yes": "ja"}, refused="found the label", id=t["id"], label=["offen", *said(t, "nein", "ja")[1:]]),
    "mixed per cent": lambda t, r: Spelling(
        with_columns(t, q=[*per_cent(t["q"])[:-1], "0,5"]), separator=";", refused="all or none with %"),
    "days in German": lambda t, r: Spelling(with_columns(t, day=days_as("{2}.{1}.{0}", t))),
    "days, month first": lambda t, r: Spelling(
        with_columns(t, day=days_as("{1}/{2}/{0}", t)), {"dates": "month-first"}),
    "days in two formats": lambda t, r: Spelling(
        with_columns(t, day=[*days_as("{2}.{1}.{0}", t)[:-1], t["day"][-1]]), refused="expected one such as"),
    "days with times": lambda t, r: Spelling(with_columns(t, day=[f"{d}T09:30:00Z" for d in t["day"]])),
}  # fmt: skip
"""How a table of yes and no may be written."""


def of_two_names(table: Table, random: Random) -> Spelling:
    """Classes called like options, with blanks and quotes."""
    names = dict(zip(NAMES, ("--yes", "level=high", 'a "b"', "c d"), strict=True))
    own = {f"q_{names[name]}" if name in names else name: cells for name, cells in table.items()}
    return Spelling(with_columns(own, y=[names[y] for y in table["y"]]))


CLASS_SPELLINGS: dict[str, Callable[[Table, Random], Spelling]] = {
    "as it is": lambda t, r: Spelling(t),
    "classes like options": of_two_names,
    "numbered classes": lambda t, r: Spelling(
        {str(NAMES.index(name) + 1) if name in NAMES else name: cells for name, cells in t.items()}
        | {"y": [NAMES.index(y) + 1 for y in t["y"]]}),
    "places of classes": lambda t, r: Spelling(with_columns(t, y=[NAMES.index(y) for y in t["y"]])),
    "capitals": lambda t, r: Spelling(with_columns(t, y=[y.title() for y in t["y"]])),
    "Excel, German": lambda t, r: Spelling(
        t | {name: with_comma(t[name]) for name in NAMES}, separator=";", encoding="utf-8-sig"),
    "columns and gold of the user": lambda t, r: Spelling(
        renamed(t, id="nr", y="richtig"), {"id": "nr", "q": ",".join(NAMES), "y": "richtig"}),
    "JSON lines": lambda t, r: Spelling(t, file="table.jsonl"),
    "a sheet of labels": lambda t, r: sheet_of(t, id=t["id"], label=t["y"]),
    "an unknown class": lambda t, r: Spelling(with_columns(t, y=["unklar", *t["y"][1:]]), refused="class 'unklar'"),
}  # fmt: skip
"""How a table of classes may be written."""


def of_judge(no: str, yes: str) -> Callable[[Table, Random], Spelling]:
    """Return verdicts and labels in the same words, of which one counts."""
    return lambda table, random: Spelling(with_columns(
        table, q=[(no, yes)[int(q)] for q in table["q"]], y=said(table, no, yes)), {"yes": f'"{yes}"'})  # fmt: skip


VERDICT_SPELLINGS: dict[str, Callable[[Table, Random], Spelling]] = {
    "as it is": lambda t, r: Spelling(t),
    "ja and nein": of_judge("nein", "ja"),
    "A and B": of_judge("B", "A"),
    "names with commas": of_judge("is not, at all", "is, mostly"),
    "booleans": lambda t, r: Spelling(
        with_columns(t, q=[bool(q) for q in t["q"]], y=[bool(y) for y in t["y"]]), file="table.parquet"),
    "a column called verdict": lambda t, r: Spelling(
        with_columns(without(t, "q"), verdict=[("fail", "pass")[int(q)] for q in t["q"]], y=said(t, "fail", "pass"))),
    "ratings": lambda t, r: Spelling(with_columns(
        t, q=[int(2 + 2 * q + r.integers(2)) for q in t["q"]], y=[4 * y + 1 for y in t["y"]]), {"threshold": "4"}),
    "some failed": lambda t, r: Spelling(
        {name: [*cells, *cells[:9]] for name, cells in t.items()} | {"id": [*t["id"], *(f"n{row}" for row in range(9))],
         "q": [*t["q"], *["error"] * 9], "y": [*t["y"], *[""] * 9]}, means=t),
    "a sheet of labels": lambda t, r: sheet_of(t, id=t["id"], label=said(t, "fail", "pass")),
    "a sheet without leading zeros": lambda t, r: sheet_of(t, id=of_integers(t["id"]), y=t["y"]),
    "JSON lines": lambda t, r: Spelling(t, file="table.jsonl"),
}  # fmt: skip
"""How a table of verdicts may be written."""

NUMBER_SPELLINGS: dict[str, Callable[[Table, Random], Spelling]] = {
    "as it is": lambda t, r: Spelling(t),
    "German": lambda t, r: Spelling(
        with_columns(t, q=with_comma(t["q"]), y=with_comma(t["y"])), separator=";", encoding="utf-8-sig"),
    "workbook": lambda t, r: Spelling(t, file="table.xlsx"),
    "JSON lines": lambda t, r: Spelling(t, file="table.jsonl"),
    "a sheet of labels": lambda t, r: sheet_of(t, id=t["id"], label=t["y"]),
    "numbers of a user": lambda t, r: Spelling(renamed(t, q="points", y="-true"), {"q": "points", "y": "-true"}),
    "out of range": lambda t, r: Spelling(with_columns(t, q=[999, *t["q"][1:]]), refused="999"),
}  # fmt: skip
"""How a table of ratings may be written."""

TAGS = ("O", "PER", "LOC")
TOKEN_SPELLINGS: dict[str, Callable[[Table, Random], Spelling]] = {
    "as it is": lambda t, r: Spelling(t),
    "units in words": lambda t, r: Spelling(with_columns(t, unit=[f"s{each}" for each in t["unit"]])),
    "units as floats": lambda t, r: Spelling(with_columns(t, unit=[f"{each}.0" for each in t["unit"]])),
    "sentences": lambda t, r: Spelling(renamed(t, unit="sentence"), {"unit": "sentence"}),
    "workbook": lambda t, r: Spelling(t, file="table.xlsx"),
    "JSON lines": lambda t, r: Spelling(t, file="table.jsonl"),
    "Parquet": lambda t, r: Spelling(t, file="table.parquet"),
    "names of the user": lambda t, r: Spelling(
        renamed(t, q="sure", y="true tag", predicted="tag"), {"q": "sure", "y": "true tag", "predicted": "tag"}),
    "gold": lambda t, r: Spelling(renamed(t, y="gold")),
    "one tag counts": lambda t, r: Spelling(t, {"yes": "O"}, means=with_columns(
        t, y=[int(y == "O") for y in t["y"]])),
}  # fmt: skip
"""How a table of tokens may be written, whose q is the confidence in the tag that is predicted."""


def in_groups(sound: Callable[[Random], Table]) -> Callable[[Random], Table]:
    """Return what makes sound tables of a few rows, with a column of groups and one of days."""

    def table(random: Random) -> Table:
        found = rows_of(sound(random), range(int(random.integers(100, 300))))
        n = len(found["y"])
        days = [f"{2021 + row % 3}-{random.integers(1, 13):02}-{random.integers(13, 29)}" for row in range(n)]
        return found | {"kind": random.choice(["a b", "c", "--d"], n).tolist(), "day": days}

    return table


def classes(random: Random) -> Table:
    """Return a table of classes whose probabilities have six digits and a sum of 1."""
    table = of_classes(random)
    shares = np.stack([table[name] for name in NAMES], axis=1).round(6)
    shares[:, -1] = (1 - shares[:, :-1].sum(axis=1)).round(6)
    return with_columns(table, **{name: shares[:, each].tolist() for each, name in enumerate(NAMES)})


def verdicts(random: Random) -> Table:
    """Return verdicts of 0 and 1, and what is right."""
    table = binary(random)
    return with_columns(table, q=[int(q > 0.4) for q in table["q"]])


def ratings(random: Random) -> Table:
    """Return ratings from 1 to 5, predicted and true."""
    table = binary(random)
    q = 1 + 4 * np.array(table["q"])
    y = np.clip(np.round(q + random.normal(0, 1, q.size)), 1, 5)
    return with_columns(table, q=q.round(4).tolist(), y=y.tolist())


def tokens(random: Random) -> Table:
    """Return the tags of tokens in sentences, predicted with a confidence, and true."""
    table = binary(random)
    n, predicted = len(table["q"]), random.choice(TAGS, len(table["q"]))
    q = np.round(1 / 3 + 2 * np.array(table["q"]) / 3, 4)
    other = [TAGS[(TAGS.index(tag) + 1 + int(random.integers(2))) % 3] for tag in predicted]
    y = np.where(random.random(n) < q, predicted, other)
    units = [1 + row // 6 for row in range(n)]
    return {"unit": units, "predicted": predicted.tolist(), "q": q.tolist(), "y": y.tolist()}


def arrays_of(table: Table, values: bool) -> nc.Predictions:
    """Return a sound table as arrays."""
    named = {name: table[name] for name in ("unit", "predicted") if name in table}
    by = {name: cells for name, cells in table.items() if name not in OF_ROWS}
    if NAMES[0] in table:
        return nc.read(np.stack([table[name] for name in NAMES], axis=1), table["y"], classes=NAMES, by=by)
    return nc.read(np.array(table["q"]), table["y"], by=by, values=(1, 5) if values else None, **named)


def numbers_of(record: Any, name: str = "") -> dict[str, float]:
    """Return all numbers of a record by their places."""
    if isinstance(record, Mapping):
        parts = [(each, value) for each, value in record.items() if each not in OF_FILES]
    elif isinstance(record, list | tuple):
        parts = list(enumerate(record))
    else:
        return {name: float(record)} if isinstance(record, int | float) else {}
    found = (numbers_of(value, f"{name}.{each}") for each, value in parts)
    return {place: number for each in found for place, number in each.items()}


@dataclass(frozen=True)
class Question:
    """What is asked of a table, and what is known of the answer."""

    words: tuple[str, ...]
    """The command, and its options."""
    ask: Callable[..., Any]
    """The same in Python, of predictions, or of two."""
    known: Callable[[np.ndarray, np.ndarray, Table], Mapping[str, float]]
    """Numbers of the record by their places, from predictions and labels in arrays."""
    models: int = 1


def brier(place: str) -> Callable[[np.ndarray, np.ndarray, Table], dict[str, float]]:
    """Return what gives the Brier score of yes and no."""
    return lambda q, y, table: {place: float(np.mean((q - y) ** 2))} if q.ndim == 1 else {}


def total(q: np.ndarray, y: np.ndarray, table: Table) -> dict[str, float]:
    """Return the number of positive items, if all have a label."""
    return {".estimates.0.total": float(y.sum())} if len(y) == len(table["y"]) else {}


def class_shares(q: np.ndarray, y: np.ndarray, table: Table) -> dict[str, float]:
    """Return the number of items of each class."""
    return {f".classes.{each}.total": float(np.sum(y == each)) for each in range(len(NAMES))}


def rates(q: np.ndarray, y: np.ndarray, table: Table) -> dict[str, float]:
    """Return accuracy, sensitivity and specificity of verdicts, and the rate, of which all have a label."""
    found = [np.mean(q == y), np.mean(q[y == 1]), np.mean(1 - q[y == 0])]
    known = {f".rates.{each}.value": float(rate) for each, rate in enumerate(found)}
    return known | {".rates.4.value": float(y.mean())}


def log_losses(q: np.ndarray, y: np.ndarray, table: Table) -> dict[str, float]:
    """Return the logarithmic losses of two models of yes and no."""
    if q.ndim == 2:
        return {}
    found = [-np.mean(np.log(np.where(y == 1, each, 1 - each))) for each in (q, np.round(np.sqrt(q), 6))]
    return {f".models.{each}.value": float(loss) for each, loss in enumerate(found, 2)}


def nothing(q: np.ndarray, y: np.ndarray, table: Table) -> dict[str, float]:
    """Return no number: what is known is that all readers agree."""
    return {}


CALIBRATE = Question(("calibrate",), nc.calibrate, brier(".brier"))
BY_KIND = Question(("calibrate", "--by=kind"), lambda d: nc.calibrate(d, by="kind"), brier(".brier"))
RECALIBRATE = Question(("recalibrate",), nc.recalibrate, brier(".stages.0.brier"))
COMPARE = Question(("compare",), nc.compare, log_losses, models=2)
ESTIMATE = Question(("estimate",), nc.estimate, total)
QUESTIONS: dict[str, tuple[Callable[[Random], Table], Spellings, tuple[Question, ...]]] = {
    "yes or no": (binary, SPELLINGS, (
        CALIBRATE, BY_KIND, RECALIBRATE, COMPARE, ESTIMATE,
        Question(("estimate", "--by=kind"), lambda d: nc.estimate(d, by="kind"), total),
        Question(("estimate", "--by=year(day)"), lambda d: nc.estimate(d, by="year(day)"), total),
        Question(("plan", "labels", "--detect=.05"), lambda d: nc.plan_labels(d, detect=0.05), nothing))),
    "classes": (classes, CLASS_SPELLINGS, (
        CALIBRATE, BY_KIND, RECALIBRATE, COMPARE, Question(("estimate",), nc.estimate, class_shares),
        Question(("estimate", "--by=kind"), lambda d: nc.estimate(d, by="kind"), class_shares))),
    "verdicts": (verdicts, VERDICT_SPELLINGS, (
        Question(("judge",), nc.judge, rates),
        Question(("judge", "--by=kind"), lambda d: nc.judge(d, by="kind"), nothing))),
    "ratings": (ratings, NUMBER_SPELLINGS, (
        Question(("estimate", "--values=1,5"), nc.estimate, lambda q, y, t: {".estimates.0.total": float(y.sum())}),
        Question(("estimate", "--values=1,5", "--by=kind"), lambda d: nc.estimate(d, by="kind"), nothing))),
    "tokens": (tokens, TOKEN_SPELLINGS, (CALIBRATE, RECALIBRATE, COMPARE)),
}  # fmt: skip


def shell(*words: str) -> tuple[int, str, str]:
    """Return the status of a command, and what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            status = nlpcalib(list(words))
        except SystemExit as stop:  # an option that the command has not
            status = int(stop.code or 0)
    return status, out.getvalue(), err.getvalue()


def words_of(options: Mapping[str, str]) -> list[str]:
    """Return options as the shell has them; a value may begin with a minus."""
    return [f"--{name}={value}" for name, value in options.items()]


def numbers(ask: Callable[[], Any]) -> tuple[dict[str, float], str]:
    """Return the numbers of an answer in Python, or none and the message."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nc.InputWarning)
        try:
            return numbers_of(json.loads(json.dumps(ask().record()))), ""
        except nc.InputError as error:
            return {}, str(error)


def differ(one: Mapping[str, float], other: Mapping[str, float]) -> str:
    """Return the first number that differs, in words; empty if none does."""
    for place in [*one, *other]:
        if not abs(one.get(place, np.nan) - other.get(place, np.nan)) < 1e-9 and one.get(place) != other.get(place):
            return f"{place}: {one.get(place)} and {other.get(place)}"
    return ""


def contradictions(
    spellings: Sequence[Spelling], sound: Sequence[Table], question: Question, tried: Sequence[str]
) -> Iterator[str]:
    """Yield what is wrong about the answers to one question in the working folder; a spelling of each model.

    Further options of the names that are `tried` are given, one at a time.
    """
    first, values = spellings[0], any("values" in word for word in question.words)
    files = [each.write(Path()) for each in spellings]
    sheets = [f"--labels={file}" for file in files[0][1:]] if question.models > 1 else files[0][1:]
    command = [
        *question.words[: 2 if question.words[0] == "plan" else 1],
        *(each[0] for each in files),
        *sheets,
        *[word for word in question.words if word.startswith("--")],
        *words_of(first.options),
        "--json",
    ]
    in_python: dict[str, Any] = first.options | ({"values": (1, 5)} if values else {})
    if "threshold" in in_python:
        in_python["threshold"] = float(in_python["threshold"])
    found, message = numbers(lambda: question.ask(*(nc.read(f[0], files[0][1:] or None, **in_python) for f in files)))
    status, printed, told = before = shell(*command)
    shown = numbers_of(json.loads(printed)) if status in ANSWERED else {}
    if (wrong := differ(found, shown)) or bool(message) == (status in ANSWERED):
        yield f"Python and the shell: {wrong} {message} {told}"
    if first.refused:
        if first.refused.replace("--yes", "yes=") not in message or first.refused not in told:
            yield f"refused otherwise than by {first.refused!r}: {message} {told}"
        yield from ways_out(command, told)
    else:
        means = [each.means or table for each, table in zip(spellings, sound, strict=True)]
        expected, said = numbers(lambda: question.ask(*(arrays_of(each, values) for each in means)))
        if wrong := differ(found, expected):
            yield f"the file and arrays: {wrong} {message} {said}"
        if (known := known_of(question, means[0])) and (
            wrong := differ(known, {place: expected.get(place, np.nan) for place in known})
        ):
            yield f"NumPy and arrays: {wrong}"
        if not files[0][1:]:
            framed, said = numbers(lambda: question.ask(*(nc.read(each.frame(), **in_python) for each in spellings)))
            if wrong := differ(found, framed):
                yield f"the file and a data frame: {wrong} {said}"
    plain = bool(files[0][1:]) and not first.options and not first.refused
    texts = (printed, told, shell(*command[:-1])[1], shell("look", files[0][0])[1])
    yield from commands_that_fail("\n".join(texts), files[0], plain)
    yield from dropped(command, before, tried)


def known_of(question: Question, table: Table) -> Mapping[str, float]:
    """Return the known numbers of an answer, of the rows of a sound table that have one."""
    answered = [row for row, y in enumerate(table["y"]) if y not in (None, "", "cannot tell")]
    part = rows_of(table, answered)
    if NAMES[0] in table:
        return question.known(
            np.stack([part[name] for name in NAMES], axis=1), np.array([NAMES.index(y) for y in part["y"]]), table
        )
    said = part.get("predicted", part["y"])
    y = [right == tag if isinstance(right, str) else right for right, tag in zip(part["y"], said, strict=True)]
    return question.known(np.array(part["q"]), np.array(y, float), table)


def ways_out(command: list[str], told: str) -> Iterator[str]:
    """Yield the options that a message names in full and that do not read the table."""
    for option in re.findall(r"--yes(?: |=)('(?:[^']|'\"'\"')*'|[^ ;'-]\S*)", told):
        words = [word for word in command if not word.startswith("--yes")]
        if re.search(r"names the one that counts|counts .* as no", told) and option != "names":
            status, _, again = shell(*words, *shlex.split(f"--yes {option}"))
            if status not in ANSWERED:
                yield f"the way out --yes {option} of {told!r} is refused: {again}"


def commands_that_fail(text: str, files: Sequence[str], plain: bool) -> Iterator[str]:
    """Yield the commands in a text that are refused; a `plain` sheet, which needs no option, stands for LABELS."""
    for line in dict.fromkeys(re.findall(r"(?:^  |`|; )nlpcalib ([^`\n]*)", text, re.MULTILINE)):
        given = {"OTHER": files[0], "plan": f"plan {len(list(Path().iterdir()))}"}
        given |= {"LABELS": files[-1]} if plain else {}
        first, *words = shlex.split(line)
        words = [given.get(word, word) if place else word for place, word in enumerate(words)]
        if not {"WORDS", "PREDICTIONS", "ITEMS", "VERDICTS", "LABELS", "map.json"} & set(words):
            status, _, told = shell(first, *words)
            if status not in ANSWERED:
                yield f"the command {line!r} is printed and refused: {told}"


OPTIONS = {
    "threshold": "1.5", "values": "0,1", "match": "riot", "question": "id", "base-rate": "0.2", "drawn": "verdict",
    "unit": "kind", "by": "day", "settled": "no.csv", "plan": "no.json", "format": "npz", "level": ".8", "yes": "c",
    "predicted": "kind", "label-error": ".1", "id": "kind", "q": "kind", "y": "kind",
}  # fmt: skip
"""Options that are refused here, or change what is printed."""
OPTIONS_TRIED = 5
"""Options that are given with each table."""


def dropped(command: list[str], before: tuple[int, str, str], names: Sequence[str]) -> Iterator[str]:
    """Yield the options of some names that are accepted and change nothing that is printed."""
    given = {word[2:].partition("=")[0] for word in command if word.startswith("--")}
    for name in names if before[0] in ANSWERED else ():
        if name not in given and (name, command[0]) != ("drawn", "judge"):  # a judge's labels are so by default
            after = shell(*command, f"--{name}={OPTIONS[name]}")
            if after[0] in ANSWERED and after == before:
                yield f"--{name} {OPTIONS[name]} is dropped without a word"


def contradicted(seed: int, draws: int) -> Iterator[tuple[str, str]]:
    """Yield the spelling, the question and what is wrong with its answers, for each draw."""
    for place, (kind, (sound, spellings, questions)) in enumerate(QUESTIONS.items()):
        for draw in range(draws):
            random = np.random.default_rng([seed, place, draw])
            table = in_groups(sound)(random)
            for name, spell in spellings.items():
                own = int(random.integers(1 << 30))
                question = questions[int(random.integers(len(questions)))]
                if "sheet" in name and question.words[0] == "plan":  # which reads no sheet
                    question = questions[0]
                if name.startswith("days"):
                    question = next(each for each in questions if "--by=year(day)" in each.words)
                tried = random.choice(list(OPTIONS), OPTIONS_TRIED, replace=False).tolist()
                tables = [table, other_model(table)][: question.models]
                spelt = [spell(each, np.random.default_rng(own)) for each in tables]
                for each in spelt[1:]:
                    each.file = f"other {each.file}"
                    each.table = in_other_order(each.table)
                with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                    for wrong in contradictions(spelt, tables, question, tried):
                        yield f"{kind}, {name}, {' '.join(question.words)}", wrong


def in_other_order(table: Table) -> Table:
    """Return a table whose rows have another order and ids as a spreadsheet writes them; as it is without ids."""
    if "id" not in table:
        return table
    ids = table["id"]
    cells = of_integers(ids) if all(str(each).isdecimal() for each in ids) else ids
    return {name: each[::-1] for name, each in with_columns(table, id=cells).items()}


def other_model(table: Table) -> Table:
    """Return the predictions of another model for the same rows."""
    if NAMES[0] in table:
        return with_columns(table, **dict(zip(NAMES, (table[name] for name in NAMES[1::-1] + NAMES[2:]), strict=True)))
    return with_columns(table, q=np.round(np.sqrt(table["q"]), 6).tolist())


def main(seed: int = 20_261_128, draws: int = 3) -> None:
    """Print what is wrong, each kind with its number."""
    found: dict[tuple[str, str], int] = {}
    for kind, wrong in contradicted(seed, draws):
        found[kind, wrong[:300]] = found.get((kind, wrong[:300]), 0) + 1
    for (kind, wrong), number in found.items():
        print(f"{number} × {kind}: {wrong}")
    spellings = sum(len(spellings) for _, spellings, _ in QUESTIONS.values())
    print(f"{len(found)} contradictions in {draws} draws of {spellings} spellings")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
