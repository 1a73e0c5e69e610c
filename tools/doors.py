"""One table in many spellings: every door gives one number, and what is refused names a way out that runs.

Run `python tools/doors.py [seed] [draws]`. A spelling is how a person, a spreadsheet or a tool writes a table whose
predictions and labels are known. The program prints each contradiction: a number that Python, the shell or the sound
table has otherwise, a way out or a command of `look` that is refused, and an option that is dropped without a word.
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
import pyarrow as pa
import pyarrow.parquet
from slips import NAMES, Random, Table, binary, of_classes, rows_of, with_columns  # type: ignore[import-not-found]

import nlpcalib as nc
from nlpcalib.cli.app import main as nlpcalib

ANSWERED = (0, 3)
"""Statuses of a command that answers: a limit may be exceeded."""


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
    rows: np.ndarray | None = None
    """The rows of the sound table that have an answer; None for all."""
    sheet: Table | None = None
    """Labels in a file of their own."""
    refused: str = ""
    """A part of the message, where the table is refused; it may name a way out, which reads it."""

    def write(self, folder: Path) -> list[str]:
        """Write the table, and its sheet of labels if it has one; return their names."""
        sheet = [] if self.sheet is None else Spelling(self.sheet, file="sheet.csv").write(folder)
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


def renamed(table: Table, **names: str) -> Table:
    """Return a table whose columns have other names."""
    return {names.get(name, name): cells for name, cells in table.items()}


def with_comma(cells: list[float]) -> list[str]:
    """Return numbers with a comma for decimals."""
    return [str(cell).replace(".", ",") for cell in cells]


def per_cent(cells: list[float], between: str = " ") -> list[str]:
    """Return probabilities as percentages, with a comma for decimals."""
    return [f"{100 * cell:.4f}".replace(".", ",") + f"{between}%" for cell in cells]


def said(table: Table, no: str, yes: str) -> list[str]:
    """Return labels in words."""
    return [(no, yes)[y] for y in table["y"]]


def some_open(table: Table, random: Random, answer: str) -> tuple[list[str], np.ndarray]:
    """Return labels in German, some of which are another answer, and the rows of the others."""
    known = random.random(len(table["y"])) < 0.9
    return [y if sure else answer for y, sure in zip(said(table, "nein", "ja"), known, strict=True)], np.flatnonzero(
        known
    )


def german(table: Table, random: Random) -> Spelling:
    """Excel in German: semicolons, decimal commas, a mark of the encoding and names of the user."""
    own = {"Fall-Nr.": table["id"], "Sicherheit in": with_comma(table["q"]), "Größe": said(table, "nein", "ja")}
    options = {"q": "Sicherheit in", "y": "Größe", "yes": "ja"}
    return Spelling(own, options, separator=";", encoding="utf-8-sig", above="sep=;\n" * int(random.integers(2)))


def unclear(answer: str, refused: str) -> Callable[[Table, Random], Spelling]:
    """Return labels of which some are another answer: it is refused, or left out."""

    def spelling(table: Table, random: Random) -> Spelling:
        labels, rows = some_open(table, random, answer)
        return Spelling(with_columns(table, y=labels), {"yes": "ja"}, rows=rows, refused=refused)

    return spelling


def holes(table: Table, random: Random) -> Spelling:
    """Predictions of which some are missing."""
    known = random.random(len(table["q"])) < 0.8
    none = ("", "NaN", "n/a", "NULL")[int(random.integers(4))]
    cells = [q if sure else none for q, sure in zip(with_comma(table["q"]), known, strict=True)]
    return Spelling(with_columns(table, q=cells), separator=";", rows=np.flatnonzero(known))


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
    "predictions are missing": holes,
    "labels are missing": unclear("n/a", ""),
    "labels are open": unclear("cannot tell", ""),
    "labels are unclear": unclear("unklar", "found the label"),
    "labels are question marks": unclear("?", "found the label"),
    "no prediction at all": lambda t, r: Spelling(with_columns(t, q=["nan"] * len(t["q"])), refused="no prediction"),
    "a name twice": lambda t, r: Spelling(t | {"q ": t["q"]}, refused="expected each once"),
    "a sheet of labels": lambda t, r: Spelling(
        {"id": t["id"], "q": t["q"]}, sheet={"item": t["id"][::-1], "label": said(t, "no", "yes")[::-1]}),
    "a sheet of the user": lambda t, r: Spelling(
        {"Nr": t["id"], "q": t["q"]}, {"id": "Nr", "y": "Ur teil", "yes": "ja"},
        sheet={"Nr": t["id"], "Ur teil": said(t, "nein", "ja")}),
    "a sheet without leading zeros": lambda t, r: Spelling(
        {"id": t["id"], "q": t["q"]}, sheet={"id": [int(name) for name in t["id"]], "y": t["y"]}),
    "a sheet with a part": lambda t, r: Spelling(
        {"id": t["id"], "q": t["q"]}, rows=np.arange(90),
        sheet={"id": t["id"][:90], "label": said(t, "no", "yes")[:90]}),
    "a sheet that is unclear": lambda t, r: Spelling(
        {"id": t["id"], "q": t["q"]}, {"yes": "ja"}, refused="found the label",
        sheet={"id": t["id"], "label": ["offen", *said(t, "nein", "ja")[1:]]}),
    "mixed per cent": lambda t, r: Spelling(
        with_columns(t, q=[*per_cent(t["q"])[:-1], "0,5"]), separator=";", refused="all or none with %"),
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
        renamed(t, id="nr", y="richtig"), {"q": ",".join(NAMES), "y": "richtig"}),
    "JSON lines": lambda t, r: Spelling(t, file="table.jsonl"),
    "an unknown class": lambda t, r: Spelling(with_columns(t, y=["unklar", *t["y"][1:]]), refused="class 'unklar'"),
}  # fmt: skip
"""How a table of classes may be written."""


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


def number_of(files: Sequence[str], options: Mapping[str, Any]) -> tuple[float | None, str]:
    """Return the calibration error by Python, or None and the message."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nc.InputWarning)
        try:
            return nc.calibrate(nc.read(files[0], list(files[1:]) or None, **options)).error, ""
        except nc.InputError as error:
            return None, str(error)


def contradictions(spelling: Spelling, expected: Callable[[np.ndarray | None], float], folder: Path) -> Iterator[str]:
    """Yield what is wrong about the answers to one table, in words; the working folder is `folder`."""
    files = spelling.write(folder)
    found, message = number_of(files, spelling.options)
    command = ["calibrate", *files, *words_of(spelling.options), "--json"]
    status, printed, said = shell(*command)
    shown = json.loads(printed)["error"] if status in ANSWERED else None
    if found != shown:
        yield f"Python {found} {message}, the shell {shown} {said}"
    if spelling.refused:
        if spelling.refused.replace("--yes", "yes=") not in message or spelling.refused not in said:
            yield f"refused otherwise than by {spelling.refused!r}: {found} {said}"
        yield from ways_out(command, said)
    elif found is None or abs(found - expected(spelling.rows)) > 1e-9:
        yield f"found {found}, expected {expected(spelling.rows)}: {message}"
    yield from commands_of_look(files[0])
    if found is not None:
        yield from dropped(command, shell(*command))


def ways_out(command: list[str], said: str) -> Iterator[str]:
    """Yield the options that a message names in full and that do not read the table."""
    for option in re.findall(r"--yes(?: |=)('(?:[^']|'\"'\"')*'|[^ ;'-]\S*)", said):
        words = [word for word in command if not word.startswith("--yes")]
        if re.search(r"names the one that counts|counts .* as no", said) and option != "names":
            status, _, again = shell(*words, *shlex.split(f"--yes {option}"))
            if status not in ANSWERED:
                yield f"the way out --yes {option} of {said!r} is refused: {again}"


def commands_of_look(file: str) -> Iterator[str]:
    """Yield the commands of `look` that are refused; those with a file of the user's are not tried."""
    status, printed, _ = shell("look", file)
    for line in printed.splitlines() if not status else ():
        words = shlex.split(line)[1:] if line.startswith("  nlpcalib ") else ["plan"]
        if words[0] not in ("plan", "recalibrate") and not {"LABELS", "OTHER", "WORDS"} & set(words):
            status, _, said = shell(*words)
            if status not in ANSWERED:
                yield f"look prints {line.strip()!r}, which is refused: {said}"


OPTIONS = {
    "threshold": "0.5", "values": "0,1", "match": "riot", "question": "id", "base-rate": "0.2", "drawn": "verdict",
    "unit": "id", "by": "y", "settled": "no.csv", "plan": "no.json", "format": "npz",
}  # fmt: skip
"""Options that are refused here, or change what is printed."""


def dropped(command: list[str], before: tuple[int, str, str]) -> Iterator[str]:
    """Yield the options that are accepted and change nothing that is printed."""
    given = {word[2:].partition("=")[0] for word in command if word.startswith("--")}
    for name, value in OPTIONS.items():
        if name not in given and (after := shell(*command, f"--{name}={value}"))[0] in ANSWERED and after == before:
            yield f"--{name} {value} is dropped without a word"


def doors(seed: int, draws: int) -> Iterator[tuple[str, str]]:
    """Yield the spelling and what is wrong with its answers, for each draw."""
    for place, (sound, spellings) in enumerate(((binary, SPELLINGS), (of_classes, CLASS_SPELLINGS))):
        for draw in range(draws):
            random = np.random.default_rng([seed, place, draw])
            table = rows_of(sound(random), range(int(random.integers(100, 300))))
            if sound is of_classes:
                shares = np.stack([table[name] for name in NAMES], axis=1).round(6)
                shares[:, -1] = (1 - shares[:, :-1].sum(axis=1)).round(6)
                table = with_columns(table, **{name: shares[:, each].tolist() for each, name in enumerate(NAMES)})
            for name, spell in spellings.items():
                with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                    for wrong in contradictions(spell(table, random), expected_of(table), Path(folder)):
                        yield f"{sound.__name__}, {name}", wrong


def expected_of(table: Table) -> Callable[[np.ndarray | None], float]:
    """Return what measures the rows of a sound table in arrays."""

    def error(rows: np.ndarray | None) -> float:
        kept = np.arange(len(table["y"])) if rows is None else rows
        q = np.stack([table[name] for name in NAMES], axis=1) if "q" not in table else np.array(table["q"])
        y = np.array([NAMES.index(each) if each in NAMES else each for each in table["y"]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", nc.InputWarning)
            return nc.calibrate(nc.read(q[kept], y[kept], **({} if "q" in table else {"classes": NAMES}))).error

    return error


def main(seed: int = 20_261_128, draws: int = 3) -> None:
    """Print what is wrong, each kind with its number."""
    found: dict[tuple[str, str], int] = {}
    for kind, wrong in doors(seed, draws):
        found[kind, wrong[:300]] = found.get((kind, wrong[:300]), 0) + 1
    for (kind, wrong), number in found.items():
        print(f"{number} × {kind}: {wrong}")
    print(f"{len(found)} contradictions in {draws} draws of {len(SPELLINGS) + len(CLASS_SPELLINGS)} spellings")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
