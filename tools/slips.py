"""How many slips are noticed, and how often sound input is warned of: both drawn anew by a seed.

Run `python tools/slips.py [seed] [draws]`. A slip is what people and programs do to a table of predictions: rows that
move, columns that change places, values that stand for missing ones, labels of other items. Its outcome is *refused*,
*warned*, *right* (the answer of the sound table) or *believed*. Shapes are sound tables of good and bad models, in any
order and with any digits, on which the examination has to be silent. The program prints a row of each question and of
each kind that is believed, and each warning of a sound shape.
"""

from __future__ import annotations

import csv
import io
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import nlpcalib as nc

Random = np.random.Generator
Table = dict[str, list[Any]]
"""Columns of cells."""
Slip = Callable[[Table, Random], Table]
Pair = tuple[np.ndarray, np.ndarray]
ROWS = (300, 2000)
"""Rows that a table with a slip has, at least and at most."""


def expit(x: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + exp(−x))."""
    return 1 / (1 + np.exp(-x))


def with_columns(table: Table, **columns: Sequence[Any] | np.ndarray) -> Table:
    """Return a table with other columns."""
    return table | {name: list(cells) for name, cells in columns.items()}


def rows_of(table: Table, rows: Sequence[int] | np.ndarray) -> Table:
    """Return some rows of a table, in their order."""
    return {name: [cells[row] for row in rows] for name, cells in table.items()}


# Slips of a column, which name the column that they change.


def moved(table: Table, random: Random, column: str) -> Table:
    """Move a column by one to three rows."""
    shift = int(random.choice([1, -1, 2, -2, 3, -3]))
    return with_columns(table, **{column: table[column][-shift:] + table[column][:-shift]})


def in_order(column: str, order: str) -> Slip:
    """Return what brings a column into an order of its own."""

    def slip(table: Table, random: Random) -> Table:
        cells = list(table[column])
        if order == "shuffled":
            random.shuffle(cells)
        else:
            cells = cells[::-1] if order == "reversed" else sorted(cells, reverse=bool(random.integers(2)))
        return with_columns(table, **{column: cells})

    return slip


def some_rows(n: int, random: Random) -> np.ndarray:
    """Return a part of n rows as people get wrong together: a run, every k-th row, a half; bool (n,)."""
    row = np.arange(n)
    step = int(random.integers(2, 6))
    start, size = random.random(), random.uniform(0.25, 0.5)
    parts = (
        row % step == random.integers(step),
        (row >= start * (1 - size) * n) & (row < (start * (1 - size) + size) * n),
    )
    return parts[int(random.integers(2))]


def other_labels(kind: str) -> Slip:
    """Return what changes the labels of a part of the rows."""

    def slip(table: Table, random: Random) -> Table:
        q, y = np.array(table["q"]), np.array(table["y"])
        part = some_rows(y.size, random)
        if kind == "shuffled":
            y[part] = random.permutation(y[part])
        elif kind == "filled with 0":
            y[part] = 0
        else:
            y[part] = 1 - y[part] if kind == "changed over" else q[part] > 0.5
        return with_columns(table, y=y.tolist())

    return slip


def of_q(change: Callable[[np.ndarray], np.ndarray]) -> Slip:
    """Return what changes all predictions."""
    return lambda table, random: with_columns(table, q=change(np.array(table["q"])).tolist())


def filled(value: object) -> Slip:
    """Return what puts a value in the place of a share of the predictions."""

    def slip(table: Table, random: Random) -> Table:
        chosen = random.random(len(table["q"])) < random.uniform(0.06, 0.3)
        put = np.mean(table["q"]) if value == "mean" else value
        return with_columns(table, q=[put if gone else q for q, gone in zip(table["q"], chosen, strict=True)])

    return slip


def again(new_ids: bool) -> Slip:
    """Return what appends a half of the rows, or all, once more."""

    def slip(table: Table, random: Random) -> Table:
        n = len(table["q"])
        found = rows_of(table, [*range(n), *range(int(random.choice([n // 2, n])))])
        return with_columns(found, id=[f"n{row}" for row in range(len(found["q"]))]) if new_ids else found

    return slip


def from_above(table: Table, random: Random) -> Table:
    """Take a share of the predictions from the row above, as a fill of missing cells does."""
    q = list(table["q"])
    for row in np.flatnonzero(random.random(len(q)) < random.uniform(0.1, 0.3))[1:]:
        q[row] = q[row - 1]
    return with_columns(table, q=q)


def total(table: Table, random: Random) -> Table:
    """Append a row with the mean."""
    last = {"id": "Total", "q": round(float(np.mean(table["q"])), 4), "y": int(np.sum(table["y"]) > 0)}
    return {name: [*cells, last.get(name, "")] for name, cells in table.items()}


TABLES: dict[str, Slip] = {
    **{f"{column} moved": partial(moved, column=column) for column in ("q", "y")},
    **{f"{column} {order}": in_order(column, order)
       for column in ("q", "y") for order in ("shuffled", "reversed", "sorted")},
    **{f"labels {kind} in a part": other_labels(kind)
       for kind in ("shuffled", "filled with 0", "changed over", "decided")},
    "labels changed over": lambda t, r: with_columns(t, y=[1 - y for y in t["y"]]),
    "labels are decisions": lambda t, r: with_columns(t, y=[int(q > 0.45) for q in t["q"]]),
    "labels 1 and 2": lambda t, r: with_columns(t, y=[1 + y for y in t["y"]]),
    "labels 2 for unknown": lambda t, r: with_columns(t, y=[2 if r.random() < 0.1 else y for y in t["y"]]),
    "labels of one kind": lambda t, r: with_columns(t, y=[1 for _ in t["y"]]),
    "columns exchanged": lambda t, r: with_columns(t, q=t["y"], y=t["q"]),
    "rows repeated": again(new_ids=False),
    "rows repeated under new ids": again(new_ids=True),
    "filled from above": from_above,
    "a total below": total,
    "header again": lambda t, r: {name: [*cells[:99], name, *cells[99:]] for name, cells in t.items()},
    **{f"filled with {value}": filled(value) for value in (0.0, 1.0, 0.5, 1e-6, -1, -999, "mean", "nan", "n/a", "")},
    "percent": of_q(lambda q: 100 * q),
    "logits": of_q(lambda q: np.log(q / (1 - q))),
    "logarithms": of_q(np.log),
    "odds": of_q(lambda q: q / (1 - q)),
    "of ten": of_q(lambda q: np.round(10 * q)),
    "decisions": of_q(np.round),
    "other class": of_q(lambda q: 1 - q),
    "predicted class": of_q(lambda q: np.maximum(q, 1 - q)),
    "sigmoid twice": of_q(expit),
    "scaled": of_q(lambda q: q / 0.9),
    "ranks": of_q(lambda q: q.argsort().argsort() / q.size),
    "clipped": of_q(lambda q: np.clip(q, 0.2, 0.8)),
}  # fmt: skip


def binary(random: Random) -> Table:
    """Return the table of a model of one event that is nearly calibrated."""
    n = int(random.integers(*ROWS))
    logit = random.normal(random.uniform(-1.2, 0.6), random.uniform(1.3, 2.2), n)
    y = random.random(n) < expit(random.uniform(0.7, 1.3) * logit + random.uniform(-0.3, 0.3))
    return {"id": [f"{row:05}" for row in range(n)], "q": expit(logit).round(6).tolist(), "y": y.astype(int).tolist()}


NAMES = ("sport", "market", "weather", "court")


def of_classes(random: Random) -> Table:
    """Return the table of a model of four classes."""
    n = int(random.integers(*ROWS))
    logit = random.normal(0, random.uniform(1.2, 2), (n, 4))
    q = np.exp(logit) / np.exp(logit).sum(axis=1, keepdims=True)
    y = (random.random((n, 1)) > q.cumsum(axis=1)[:, :3]).sum(axis=1)
    cells = {name: q[:, each].tolist() for each, name in enumerate(NAMES)}
    return {"id": [f"i{row}" for row in range(n)], **cells, "y": [NAMES[each] for each in y]}


def of_all(change: Callable[[np.ndarray], np.ndarray]) -> Slip:
    """Return what changes the probabilities (N, 4) of all classes."""

    def slip(table: Table, random: Random) -> Table:
        q = change(np.stack([table[name] for name in NAMES], axis=1))
        return with_columns(table, **{name: q[:, each].tolist() for each, name in enumerate(NAMES)})

    return slip


CLASSES: dict[str, Slip] = {
    "names of columns exchanged": of_all(lambda q: q[:, [1, 0, 2, 3]]),
    "names of columns moved": of_all(lambda q: np.roll(q, 1, axis=1)),
    "columns alphabetical": of_all(lambda q: q[:, np.argsort(NAMES)]),
    "softmax twice": of_all(lambda q: np.exp(q) / np.exp(q).sum(axis=1, keepdims=True)),
    "logits": of_all(np.log),
    "percent": of_all(lambda q: 100 * q),
    "not normalised": of_all(lambda q: q * np.linspace(0.5, 1, len(q))[:, None]),
    "decisions": of_all(lambda q: (q == q.max(axis=1, keepdims=True)).astype(float)),
    "right is the likeliest": lambda t, r: with_columns(
        t, y=[max(NAMES, key=lambda name: t[name][row]) for row in range(len(t["y"]))]),
    "an unknown class": lambda t, r: with_columns(t, y=[f"{y}s" if y == "sport" else y for y in t["y"]]),
    **{f"right {order}": in_order("y", order) for order in ("shuffled", "sorted")},
    "right moved": partial(moved, column="y"),
}  # fmt: skip


def sheet(random: Random) -> Table:
    """Return labels of items at random, and the items; columns of items that nobody read are empty."""
    items = binary(random)
    n = len(items["q"])
    read = np.sort(random.permutation(n)[: max(150, n // 4)])
    return items | {"label": [("no", "yes")[items["y"][row]] if row in set(read.tolist()) else "" for row in range(n)]}


def of_sheet(change: Callable[[list[str], Random], list[str]]) -> Slip:
    """Return what changes the labels of those items that have one."""

    def slip(table: Table, random: Random) -> Table:
        read = [row for row, label in enumerate(table["label"]) if label]
        labels = list(table["label"])
        for row, label in zip(read, change([labels[row] for row in read], random), strict=True):
            labels[row] = label
        return with_columns(table, label=labels)

    return slip


def by_prediction(order: int) -> Slip:
    """Return what reads the items with the highest predictions, or the lowest, in place of random ones."""

    def slip(table: Table, random: Random) -> Table:
        n = sum(map(bool, table["label"]))
        chosen = set(np.argsort(np.array(table["q"]) * order)[:n].tolist())
        labels = [("no", "yes")[y] if row in chosen else "" for row, y in enumerate(table["y"])]
        return with_columns(table, label=labels)

    return slip


SHEETS: dict[str, Slip] = {
    "labels moved": of_sheet(lambda labels, r: labels[-1:] + labels[:-1]),
    "labels sorted": of_sheet(lambda labels, r: sorted(labels)),
    "labels shuffled": of_sheet(lambda labels, r: [str(each) for each in r.permutation(labels)]),
    "labels exchanged": of_sheet(lambda labels, r: [{"yes": "no", "no": "yes"}[each] for each in labels]),
    "labels in mixed words": of_sheet(
        lambda labels, r: [(each, f" {each} ", each.title())[row % 3] for row, each in enumerate(labels)]),
    "labels of another question": of_sheet(
        lambda labels, r: ["maybe" if r.random() < 0.1 else each for each in labels]),
    "labels are the model's": lambda t, r: with_columns(
        t, label=[("no", "yes")[q > 0.5] if label else "" for q, label in zip(t["q"], t["label"], strict=True)]),
    "the highest were read": by_prediction(-1),
    "the lowest were read": by_prediction(1),
    "percent": of_q(lambda q: 100 * q),
    "other class": of_q(lambda q: 1 - q),
    "filled with 0": filled(0.0),
    "rows repeated under new ids": again(new_ids=True),
}  # fmt: skip


def verdicts(random: Random) -> Table:
    """Return a judge's verdicts with labels of some."""
    table = sheet(random)
    said = [("fail", "pass")[q > 0.4] for q in table["q"]]
    label = [{"yes": "pass", "no": "fail"}.get(each, "") for each in table["label"]]
    return {"id": table["id"], "verdict": said, "label": label}


VERDICTS: dict[str, Slip] = {
    "labels are the verdicts": lambda t, r: with_columns(
        t, label=[said if label else "" for said, label in zip(t["verdict"], t["label"], strict=True)]),
    "labels exchanged": of_sheet(lambda labels, r: [{"pass": "fail", "fail": "pass"}[each] for each in labels]),
    "labels moved": of_sheet(lambda labels, r: labels[-1:] + labels[:-1]),
    "verdicts that failed": lambda t, r: with_columns(
        t, verdict=["ERROR" if r.random() < 0.05 else said for said in t["verdict"]]),
    "verdicts in mixed words": lambda t, r: with_columns(
        t, verdict=[(said, said.upper(), said.title())[row % 3] for row, said in enumerate(t["verdict"])]),
    "pasted": lambda t, r: rows_of(t, [*range(len(t["id"])), *range(len(t["id"]))]),
}  # fmt: skip


def written(table: Table, path: Path) -> Path:
    """Write a table as CSV."""
    text = io.StringIO()
    csv.writer(text).writerows([tuple(table), *zip(*table.values(), strict=True)])
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def ask(question: str, table: Table, folder: Path) -> object:
    """Return the answer of the library to a question about a table in a file."""
    path = written(table, folder / "table.csv")
    if question == "calibrate":
        return nc.calibrate(nc.read(path, q=",".join(NAMES)) if NAMES[0] in table else nc.read(path))
    if question == "estimate":
        return nc.estimate(nc.read(path, q="q", y="label"))
    return nc.judge(nc.read(path, q="verdict", y="label"))


QUESTIONS: tuple[tuple[str, Callable[[Random], Table], Mapping[str, Slip]], ...] = (
    ("calibrate", binary, TABLES),
    ("calibrate", of_classes, CLASSES),
    ("estimate", sheet, SHEETS),
    ("judge", verdicts, VERDICTS),
)


def outcome(question: str, table: Table, folder: Path) -> tuple[str, str]:
    """Return refused, warned or answered, and what was said."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            answer = str(ask(question, table, folder))
        except ValueError as error:  # of which InputError is one
            return "refused", str(error)
    said = [str(each.message) for each in caught if issubclass(each.category, nc.InputWarning)]
    return ("warned", said[0]) if said else ("answered", answer)


def slips(seed: int, draws: int, folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield question, kind, outcome and what was said, for each slip and draw."""
    for question, sound, kinds in QUESTIONS:
        for place, (kind, slip) in enumerate(kinds.items()):
            random = np.random.default_rng([seed, place, len(kinds)])
            for _ in range(draws):
                table = sound(random)
                hidden = {"y"} if question == "estimate" else set()
                both = slip(table, random), table
                spoilt, whole = ({name: each[name] for name in each if name not in hidden} for each in both)
                found, said = outcome(question, spoilt, folder)
                if found == "answered":
                    found = "right" if outcome(question, whole, folder)[1] == said else "believed"
                yield f"{question} ({sound.__name__})", kind, found, said


# Sound shapes.

MODELS: dict[str, dict[str, float]] = {
    "calibrated": {}, "rare": {"center": -4.5}, "frequent": {"center": 4.5}, "overconfident": {"slope": 0.4},
    "underconfident": {"slope": 2.5}, "too high": {"shift": -1.5}, "confident": {"spread": 5.0},
    "timid": {"spread": 0.3}, "without skill": {"skill": 0.0, "spread": 0.8}, "little skill": {"skill": 0.35},
    "extreme": {"center": -6.0, "spread": 3.0},
}  # fmt: skip
DIGITS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "all digits": lambda q: q,
    "2 digits": lambda q: np.round(q, 2),
    "1 digit": lambda q: np.round(q, 1),
    "clipped": lambda q: np.clip(q, 1e-3, 1 - 1e-3),
}
ORDERS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "sorted": lambda q, y: np.argsort(q),
    "sorted down": lambda q, y: np.argsort(-q),
    "sorted by label": lambda q, y: np.argsort(y, kind="stable"),
    "surest first": lambda q, y: np.argsort(-np.abs(q - 0.5)),
}


def model(random: Random, n: int, center: float = -0.6, spread: float = 1.6, slope: float = 1.0, shift: float = 0.0,
          skill: float = 1.0) -> Pair:  # fmt: skip
    """Return predictions and labels of a logistic model, whose truth has another slope and shift, or less skill."""
    logit = random.normal(center, spread, n)
    truth = np.where(random.random(n) < skill, logit, random.permutation(logit))
    return expit(logit), random.random(n) < expit(slope * truth + shift)


def unlike(name: str, random: Random, n: int) -> Pair:
    """Return rows whose neighbours are no independent draws."""
    logit = random.normal(-0.6, 1.6, n)
    if name == "drifting":
        logit = logit + np.linspace(-1.5, 1.5, n)
        return expit(logit), random.random(n) < expit(logit + 0.3 * np.linspace(-1.5, 1.5, n))
    if name == "like their neighbours":
        logit = np.convolve(random.normal(0, 1.6, n + 9), np.ones(10) / 10**0.5, "valid")
    elif name == "of documents":
        logit = logit + np.repeat(random.normal(0, 0.8, n // 5 + 1), 5)[:n]
    elif name == "one prediction a document":
        logit = np.repeat(logit, 4)[:n]
    if name == "errors of documents":
        return expit(logit), random.random(n) < expit(logit + np.repeat(random.normal(0, 0.8, n // 5 + 1), 5)[:n])
    if name == "without errors":
        truth = random.random(n) < 0.4
        return np.where(truth, 0.6 + 0.4 * random.random(n), 0.4 * random.random(n)), truth
    if name == "said in words":
        q = random.choice([0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0], n)
        return q, random.random(n) < q - 0.1
    q = np.maximum(expit(logit), expit(-logit)) if name == "of the predicted class" else expit(logit)
    return q, random.random(n) < q


UNLIKE = ("drifting", "like their neighbours", "of documents", "one prediction a document", "errors of documents",
          "without errors", "said in words", "of the predicted class")  # fmt: skip
SIZES = (40, 150, 600, 3000)
"""Rows of sound tables."""


def of_model(name: str, digits: str, random: Random, n: int) -> Pair:
    """Return the rows of a model, with so many digits."""
    q, y = model(random, n, **MODELS[name])
    return DIGITS[digits](q), y


def ordered(order: str, random: Random, n: int) -> Pair:
    """Return the rows of a calibrated model in an order."""
    q, y = model(random, n)
    rows = ORDERS[order](q, y)
    return q[rows], y[rows]


def classes_shape(random: Random, n: int) -> Pair:
    """Return the probabilities and right classes of a model with or without skill."""
    k, skill = int(random.choice([2, 3, 6, 20])), float(random.choice([0, 0.4, 1, 2]))
    logit = random.normal(random.normal(0, 1, k), random.choice([0.3, 1.5, 4]) if skill else 0.3, (n, k))
    q = np.exp(logit) / np.exp(logit).sum(axis=1, keepdims=True)
    true = np.exp(logit * skill)
    y = (random.random((n, 1)) > np.cumsum(true / true.sum(axis=1, keepdims=True), axis=1)).sum(axis=1)
    return q, np.minimum(y, k - 1)


SHAPES: dict[str, Callable[[Random, int], Pair]] = {
    **{f"{name}, {digits}": partial(of_model, name, digits) for name in MODELS for digits in DIGITS},
    **{order: partial(ordered, order) for order in ORDERS},
    **{name: partial(unlike, name) for name in UNLIKE},
    **{f"classes {number}": classes_shape for number in range(4)},
}


def alarms(seed: int, draws: int) -> Iterator[tuple[str, str]]:
    """Yield shape and warning for each sound draw that is warned of, by the questions calibrate and estimate."""
    for place, (name, shape) in enumerate(SHAPES.items()):
        random = np.random.default_rng([seed, place])
        for draw in range(draws):
            q, y = shape(random, SIZES[draw % len(SIZES)])
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                nc.read(q, y)
                if q.ndim == 1:
                    labels = np.where(random.random(y.size) < 0.4, y, np.nan)
                    nc.read(q, labels)
            yield from ((name, str(each.message)) for each in caught if issubclass(each.category, nc.InputWarning))


def main(seed: int = 20_261_128, draws: int = 5) -> None:
    """Print what is noticed by question, what is believed by kind, and the alarms of sound shapes."""
    with tempfile.TemporaryDirectory() as folder:
        found = list(slips(seed, draws, Path(folder)))
    for question in dict.fromkeys(each[0] for each in found):
        print(question, dict(Counter(outcome for name, _, outcome, _ in found if name == question)))
    believed = Counter((question, kind) for question, kind, outcome, _ in found if outcome == "believed")
    for (question, kind), number in believed.most_common():
        print(f"  believed {number} of {draws}: {question}, {kind}")
    print(f"noticed: {1 - believed.total() / len(found):.3f} of {len(found):,} slips")
    silent = list(alarms(seed, 4 * draws))
    print(f"{len(SHAPES)} sound shapes, {4 * draws} draws each: {len(silent)} warnings")
    for name, sentence in silent:
        print(f"  {name}: {sentence[:150]}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
