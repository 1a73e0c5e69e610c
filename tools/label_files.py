"""What becomes of files of labels as tools and people write them, for each command that takes labels.

Run `python tools/label_files.py [number of files] [seed]`. Two to four readers give the same right labels in one of ten
layouts, and further rows without label. Ids, classes and missing values are spelt in ways that programs and people
have. An outcome is "right", which is the answer of a plain file, "refused", "warned", or "believed": another answer in
silence. The program prints what was believed or warned of, and the counts of each command.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import nlpcalib as nc

ITEMS, LABELLED = 240, 120
CLASSES = ("Clean", "Insult", "Self-Harm")
MISSING = ("", "NA", "N/A", "#N/A", "null", "None", "nan", "NaN", "<NA>", " ")
READERS = ("ana", "ben", "Cy Lee", "4")


def excel_date(text: str) -> str:
    """Return a day of ISO 8601 as a spreadsheet shows it."""
    year, month, day = text.split("-")
    return f"{int(day)}/{int(month)}/{year}"


IDS: dict[str, tuple[Callable[[int], str], Callable[[str], str]]] = {
    "plain": (lambda n: f"msg-{n:03}", str),
    "blanks": (lambda n: f"msg {n}", lambda own: f" {own} "),
    "numbers as floats": (lambda n: f"{n + 1}", lambda own: f"{own}.0"),
    "zeros lost": (lambda n: f"{n + 1:05}", lambda own: own.lstrip("0")),
    "zeros": (lambda n: f"{n + 1:05}", str),
    "sections": (lambda n: f"{2000 + n // 20}.{n % 20 + 1:02}", str),
    "dates": (lambda n: f"20{10 + n // 28:02}-01-{n % 28 + 1:02}", str),
    "dates of Excel": (lambda n: f"20{10 + n // 28:02}-01-{n % 28 + 1:02}", excel_date),
    "of a sheet": (lambda n: f"msg-{n:03}", lambda own: f"item {own}"),
}
"""What ids are in the table of predictions, and what a file of labels makes of them."""
SPELLINGS: dict[str, Callable[[str, int, int], str]] = {
    "plain": lambda name, reader, row: name,
    "capitals": lambda name, reader, row: name.upper(),
    "small": lambda name, reader, row: name.lower(),
    "by reader": lambda name, reader, row: (str.upper, str.lower, str.title)[reader % 3](name),
    "by row": lambda name, reader, row: name.lower() if row % 3 else name,
    "blanks": lambda name, reader, row: f" {name} ",
}


class Given(NamedTuple):
    """A label that a reader gave, or none."""

    reader: int
    item: str
    label: str


Layout = Callable[[Path, list[Given]], list[Path]]


def by_reader(found: list[Given]) -> Iterator[tuple[str, list[Given]]]:
    """Yield the labels of each reader."""
    for reader in sorted({each.reader for each in found}):
        yield READERS[reader], [each for each in found if each.reader == reader]


def rows_to(
    path: Path, header: list[str], rows: list[list[Any]], separator: str = ",", encoding: str = "utf-8"
) -> Path:
    """Write rows with a header."""
    with path.open("w", encoding=encoding, newline="") as stream:
        csv.writer(stream, delimiter=separator).writerows([header, *rows])
    return path


def sheets(folder: Path, found: list[Given]) -> list[Path]:
    """Write a CSV of each reader."""
    return [
        rows_to(folder / f"{name}.csv", ["id", "label"], [[each.item, each.label] for each in given])
        for name, given in by_reader(found)
    ]


def excel_csv(folder: Path, found: list[Given]) -> list[Path]:
    """Write a CSV of each reader as Excel does where decimals have commas."""
    return [
        rows_to(folder / f"{name}.csv", ["ID", "Label", "Comment"], [[each.item, each.label, ""] for each in given],
                ";", "utf-8-sig")
        for name, given in by_reader(found)
    ]  # fmt: skip


def workbook(folder: Path, found: list[Given]) -> list[Path]:
    """Write a workbook of each reader."""
    import openpyxl

    paths = []
    for name, given in by_reader(found):
        book = openpyxl.Workbook()
        for row in [["id", "label"], *([each.item, each.label or None] for each in given)]:
            book.active.append(row)
        book.save(folder / f"{name}.xlsx")
        paths.append(folder / f"{name}.xlsx")
    return paths


def long_table(folder: Path, found: list[Given]) -> list[Path]:
    """Write one CSV with a column of readers."""
    rows = [[each.item, READERS[each.reader], each.label] for each in found]
    return [rows_to(folder / "labels.csv", ["item", "annotator", "label"], rows)]


def tabs(folder: Path, found: list[Given]) -> list[Path]:
    """Write one text with tabs."""
    rows = [[READERS[each.reader], each.item, each.label] for each in found]
    return [rows_to(folder / "labels.tsv", ["annotator", "id", "label"], rows, "\t")]


def doccano(folder: Path, found: list[Given]) -> list[Path]:
    """Write JSON lines of each reader, with a list of labels."""
    paths = []
    for name, given in by_reader(found):
        lines = [json.dumps({"id": row, "meta": {"id": each.item}, "label": [each.label] * bool(each.label)})
                 for row, each in enumerate(given, 1)]  # fmt: skip
        (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
        paths.append(folder / f"{name}.jsonl")
    return paths


def label_studio(folder: Path, found: list[Given]) -> list[Path]:
    """Write one export in JSON, in which tasks have the annotations of all readers."""
    tasks: dict[str, list] = {}
    for each in found:
        result = {"from_name": "class", "to_name": "text", "type": "choices", "value": {"choices": [each.label]}}
        annotation = {"completed_by": {"email": f"{READERS[each.reader]}@x.org"}, "result": [result] * bool(each.label)}
        tasks.setdefault(each.item, []).append(annotation)
    export = [{"id": row, "data": {"id": item, "text": "…"}, "annotations": given}
              for row, (item, given) in enumerate(tasks.items(), 7000)]  # fmt: skip
    (folder / "export.json").write_text(json.dumps(export), encoding="utf-8")
    return [folder / "export.json"]


def label_studio_short(folder: Path, found: list[Given]) -> list[Path]:
    """Write one export in JSON-MIN."""
    export = [
        {"text": "…", "item": each.item, "id": 7000 + row, **({"class": each.label} if each.label else {}),
         "annotator": 1 + each.reader, "annotation_id": row, "lead_time": 2.5}
        for row, each in enumerate(found)
    ]  # fmt: skip
    (folder / "export.json").write_text(json.dumps(export), encoding="utf-8")
    return [folder / "export.json"]


def prodigy(folder: Path, found: list[Given]) -> list[Path]:
    """Write JSON lines with choices of all readers, none of them where there is no label."""
    lines = [
        json.dumps({"text": "…", "meta": {"id": each.item}, "options": [{"id": name} for name in CLASSES],
                    "accept": [each.label] * bool(each.label), "answer": "accept",
                    "_annotator_id": f"set-{READERS[each.reader]}"})
        for each in found
    ]  # fmt: skip
    (folder / "prodigy.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return [folder / "prodigy.jsonl"]


def parquet(folder: Path, found: list[Given]) -> list[Path]:
    """Write one table in Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"id": [each.item for each in found], "annotator": [READERS[each.reader] for each in found],
               "label": [each.label or None for each in found]}  # fmt: skip
    pq.write_table(pa.table(columns), folder / "labels.parquet")
    return [folder / "labels.parquet"]


LAYOUTS: tuple[Layout, ...] = (
    sheets, excel_csv, workbook, long_table, tabs, doccano, label_studio, label_studio_short, prodigy, parquet
)  # fmt: skip


def predictions(folder: Path, ids: str, seed: int = 3) -> np.ndarray:
    """Write tables of classes, of one class and of verdicts, and return the right classes."""
    random = np.random.default_rng(seed)
    p = random.dirichlet([1.2, 0.8, 0.8], ITEMS)
    gold = (p.cumsum(axis=1) < random.random((ITEMS, 1))).sum(axis=1)
    wrong = random.random(ITEMS) < 0.15
    named = [IDS[ids][0](row) for row in range(ITEMS)]
    rows_to(folder / "classes.csv", ["id", *CLASSES], [[named[row], *p[row]] for row in range(ITEMS)])
    rows_to(folder / "one.csv", ["id", "q"], [[named[row], p[row, 1]] for row in range(ITEMS)])
    verdict = np.where(wrong, gold != 1, gold == 1)
    rows_to(
        folder / "verdicts.csv",
        ["id", "verdict"],
        [[name, "yes" if each else "no"] for name, each in zip(named, verdict, strict=True)],
    )
    return gold


def answers(folder: Path, classes: list[Path], one: list[Path]) -> dict[str, Callable[[], Any]]:
    """Return what each command answers, by its name; `classes` and `one` are files of classes, and of yes and no."""
    return {
        "calibrate classes": lambda: _numbers(nc.calibrate(folder / "classes.csv", classes)),
        "calibrate yes": lambda: _numbers(nc.calibrate(folder / "one.csv", classes, yes="insult")),
        "calibrate": lambda: _numbers(nc.calibrate(folder / "one.csv", one)),
        "explore": lambda: nc.explore(folder / "classes.csv", classes).notes[:1],
        "estimate yes": lambda: _total(nc.estimate(folder / "one.csv", classes, yes="Insult")),
        "estimate": lambda: _total(nc.estimate(folder / "one.csv", one)),
        "estimate-classes": lambda: nc.estimate_classes(folder / "classes.csv", classes).shares,
        "judge": lambda: nc.judge(folder / "verdicts.csv", one).rates,
    }


def _numbers(report: Any) -> tuple:
    return report.n, round(report.error, 12)


def _total(report: Any) -> tuple:
    return report.whole.total, report.low, report.high


def labels_of(
    gold: np.ndarray, ids: str, spelling: str, missing: str, readers: int, words: tuple[str, ...]
) -> list[Given]:
    """Return the labels of readers: all of them the right class, and none for as many further items."""
    as_written, spell = IDS[ids][1], SPELLINGS[spelling]
    return [
        Given(reader, as_written(IDS[ids][0](row)), spell(words[gold[row]], reader, row) if row % 2 == 0 else missing)
        for row in range(2 * LABELLED)
        for reader in range(readers)
    ]


class Case(NamedTuple):
    """How a file of labels is written."""

    layout: str
    ids: str
    spelling: str
    missing: str
    readers: int


def cases(count: int, seed: int) -> list[Case]:
    """Return so many ways to write files of labels; every layout comes equally often."""
    random = np.random.default_rng(seed)
    return [
        Case(LAYOUTS[number % len(LAYOUTS)].__name__, str(random.choice(list(IDS))),
             str(random.choice(list(SPELLINGS))), str(random.choice(MISSING)), int(random.integers(2, 5)))
        for number in range(count)
    ]  # fmt: skip


def outcomes(case: Case) -> dict[str, tuple[str, str]]:
    """Return the outcome of each command with what it said."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold = predictions(folder, case.ids)
        files: dict[str, list[list[Path]]] = {}
        for kind, words in (("classes", CLASSES), ("one", ("No", "Yes", "No"))):
            for part, given in (
                ("plain", labels_of(gold, "plain", "plain", "", 1, words)),
                ("own", labels_of(gold, case.ids, case.spelling, case.missing, case.readers, words)),
            ):
                (folder / f"{kind}_{part}").mkdir()
                if part == "plain":
                    given = [each._replace(item=IDS[case.ids][0](row)) for row, each in enumerate(given)]
                layout = sheets if part == "plain" else next(each for each in LAYOUTS if each.__name__ == case.layout)
                files.setdefault(part, []).append(layout(folder / f"{kind}_{part}", given))
        expected = answers(folder, *files["plain"])
        for command, answer in answers(folder, *files["own"]).items():
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                right = expected[command]()
                caught.clear()
                try:
                    same = _equal(answer(), right)
                except nc.InputError as error:
                    found[command] = "refused", str(error).replace(name, "")
                    continue
            said = "; ".join(str(each.message) for each in caught).replace(name, "")
            found[command] = "right" if same else "warned" if caught else "believed", said
    return found


def _equal(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


def main(count: int = 60, seed: int = 1) -> None:
    """Print the outcomes."""
    counts: dict[str, Counter] = {}
    for case in cases(count, seed):
        commands: dict[tuple[str, str], list[str]] = {}
        for command, (outcome, said) in outcomes(case).items():
            counts.setdefault(command, Counter())[outcome] += 1
            commands.setdefault((outcome, said[-200:]), []).append(command)
        for (outcome, said), named in commands.items():
            if outcome != "right":
                print(f"{outcome}: {tuple(case)}: {', '.join(named)}: {said}")
    for command, found in counts.items():
        print(f"{command}: {dict(found)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
