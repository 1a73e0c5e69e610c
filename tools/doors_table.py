"""Write docs/reference/doors.md: what each of ten doors prints for each of ten signs in its input.

Run `python tools/doors_table.py`, and `python tools/doors_table.py --check` to compare the page with today's messages.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import nlpcalib
from nlpcalib import InputWarning
from nlpcalib.errors import InputError

PAGE = Path(__file__).parents[1] / "docs/reference/doors.md"
N = 400
SEED = 7
NAMES = re.compile(r"column q\b|probability of yes|predictions(?= (?:has|is) )")
"""Names of the predictions in messages, which the page has as `q`."""
Rows = tuple[np.ndarray, np.ndarray]


def sound() -> Rows:
    """Return predictions of six digits and their labels, of a calibrated model."""
    random = np.random.default_rng(SEED)
    q = np.round(1 / (1 + np.exp(-random.normal(-0.6, 1.6, N))), 6)
    return q, random.random(N) < q


SIGNS: dict[str, Callable[[np.ndarray, np.ndarray], Rows]] = {
    "nothing (sound rows)": lambda q, y: (q, y),
    "decisions in place of probabilities": lambda q, y: (np.round(q), y),
    "probabilities of the other class": lambda q, y: (1 - q, y),
    "probabilities of the predicted class": lambda q, y: (np.maximum(q, 1 - q), y),
    "labels that are q > .5": lambda q, y: (q, q > 0.5),
    "q one row too low": lambda q, y: (np.roll(q, 1), y),
    "labels changed over in every second row": lambda q, y: (q, np.where(np.arange(N) % 2, y, ~y)),
    "labels sorted by themselves": lambda q, y: (q, np.sort(y)),
    "1e-6 for every eighth prediction": lambda q, y: (np.where(np.arange(N) % 8, q, 1e-6), y),
    "100 rows four times": lambda q, y: (np.tile(q[:100], 4), np.tile(y[:100], 4)),
    "no label in the last 160 rows, which count as 0": lambda q, y: (q, y & (np.arange(N) < N - 160)),
}  # fmt: skip


def table(path: Path, **columns: np.ndarray) -> Path:
    """Write columns as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([tuple(columns), *zip(*(each.tolist() for each in columns.values()), strict=True)])
    return path


def lines(path: Path, rows: list[dict]) -> Path:
    """Write objects as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def arrays(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Calibrate arrays."""
    nlpcalib.calibrate(q, y)


def csv_table(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Calibrate a table."""
    nlpcalib.calibrate(table(folder / "t.csv", q=q, y=y.astype(int)))


def json_lines(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Calibrate JSON lines."""
    rows = [{"q": p, "y": int(label)} for p, label in zip(q.tolist(), y.tolist(), strict=True)]
    nlpcalib.calibrate(lines(folder / "t.jsonl", rows))


def answers(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Calibrate answers in words."""
    pairs = zip(q.tolist(), y.tolist(), strict=True)
    rows = [{"confidence": p, "answer": "Paris", "gold": "Paris" if label else "Lyon"} for p, label in pairs]
    nlpcalib.calibrate(lines(folder / "t.jsonl", rows))


def archive(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Calibrate an archive of NumPy."""
    np.savez(folder / "t.npz", q=q, y=y)
    nlpcalib.calibrate(folder / "t.npz")


def classes(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Calibrate a column for each of two classes."""
    gold = np.where(y, "yes", "no")
    nlpcalib.calibrate(table(folder / "t.csv", no=np.round(1 - q, 6), yes=q, gold=gold))


def compared(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Compare two models."""
    nlpcalib.compare(q, q**1.1, y)


def recalibrated(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Recalibrate arrays."""
    nlpcalib.recalibrate(q, y, method="logistic", folds=2)


def planned(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Plan which items of a table to annotate."""
    nlpcalib.plan_items(table(folder / "t.csv", id=np.array([f"i{row}" for row in range(len(q))]), q=q), budget=40)


def estimated(q: np.ndarray, y: np.ndarray, folder: Path) -> None:
    """Estimate a corpus from labels of its first 390 items."""
    labels = np.where(np.arange(len(y)) < 390, y, np.nan)
    nlpcalib.estimate(q, labels)


DOORS = {
    "arrays": arrays, "CSV": csv_table, "JSON lines": json_lines, "answers": answers, ".npz": archive,
    "classes": classes, "`compare`": compared, "`recalibrate`": recalibrated, "`plan items`": planned,
    "`estimate`": estimated,
}  # fmt: skip


def printed(door: Callable[[np.ndarray, np.ndarray, Path], None], q: np.ndarray, y: np.ndarray) -> list[str]:
    """Return what a door prints about its input: warnings, or an error, without the name of the file."""
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = []
        try:
            door(q, y, Path(name))
        except InputError as error:
            found = [f"error: {error}"]
        found = [*found, *(str(each.message) for each in caught if issubclass(each.category, InputWarning))]
    return [line.replace(f"{name}/", "") for line in dict.fromkeys(found)]


def page() -> Iterator[str]:
    """Yield the lines of the page. Doors that print the same for every sign share a column."""
    q, y = sound()
    letters: dict[str, str] = {}
    cells: dict[str, list[str]] = {door: [] for door in DOORS}
    for spoil in SIGNS.values():
        for name, door in DOORS.items():
            marks = []
            for line in printed(door, *spoil(q, y)):
                sentence = line.removeprefix("t.csv: ").removeprefix("t.jsonl: ").removeprefix("t.npz: ")
                mark = letters.setdefault(NAMES.sub("q", sentence), f"{len(letters) + 1}")
                marks.append(f"**{mark}**" if line.startswith("error: ") else mark)
            cells[name].append(", ".join(marks) or "–")
    columns: dict[tuple[str, ...], list[str]] = {}
    for name, column in cells.items():
        columns.setdefault(tuple(column), []).append(name)
    yield "# What each command prints"
    yield ""
    yield f"{N} predictions of a calibrated model, spoilt in one way each. A number is a line below, bold where the"
    yield "input is refused; q stands for the name of the predictions. `plan items` sees no labels, and `estimate`"
    yield "those of the first 390 items. [What the examination notices](examination.md) has the statistics."
    yield "`tools/doors_table.py` writes this page."
    yield ""
    yield f"| spoilt by | {' | '.join(map(', '.join, columns.values()))} |"
    yield f"| --- |{' --- |' * len(columns)}"
    yield from (f"| {sign} | {' | '.join(row)} |" for sign, row in zip(SIGNS, zip(*columns, strict=True), strict=True))
    yield ""
    yield from (f"{mark}. {sentence}" for sentence, mark in letters.items())


def main() -> int:
    """Write the page, or with `--check` return 1 if it is another."""
    text = "\n".join(page()) + "\n"
    if "--check" in sys.argv[1:]:
        return PAGE.read_text(encoding="utf-8") != text
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
