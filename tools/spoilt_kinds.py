"""How much spoilt input is believed: 152 kinds of faults at six doors, and what each door makes of them.

Run `python tools/spoilt_kinds.py`. An outcome is refused, warned of, the answer of the unspoilt rows, or another answer
in silence. The program prints the four counts of each door, and the kinds that are believed.
"""

# mypy: disable-error-code="misc"
# Lambdas in comprehensions have defaults, whose types mypy does not infer.

from __future__ import annotations

import json
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import nlpcalib
from nlpcalib import InputWarning
from nlpcalib.errors import InputError

N = 800
SEED = 7
Rows = tuple[np.ndarray, np.ndarray]
Spoil = Callable[[np.ndarray, np.ndarray, np.random.Generator], Rows]


def rows(seed: int = SEED, n: int = N) -> Rows:
    """Return predictions and labels of a model whose error is near .09."""
    random = np.random.default_rng(seed)
    logit = random.normal(-0.6, 1.6, n)
    return np.round(1 / (1 + np.exp(-logit)), 6), random.random(n) < 1 / (1 + np.exp(-(0.8 * logit + 0.2)))


def filled(value: Any, step: int, place: str) -> Spoil:
    """Return what puts a value, or one that it computes, into a share of the predictions."""

    def spoil(q: np.ndarray, y: np.ndarray, random: np.random.Generator) -> Rows:
        chosen = {
            "spread": np.arange(q.size) % step == 0,
            "at random": random.random(q.size) < 1 / step,
            "at the end": np.arange(q.size) >= q.size * (1 - 1 / step),
        }[place]
        return np.where(chosen, value(q) if callable(value) else value, q), y

    return spoil


def part(change: Callable[[np.ndarray], np.ndarray], chosen: Callable[[np.ndarray], np.ndarray]) -> Spoil:
    """Return what changes the labels of some rows."""
    return lambda q, y, random: (q, np.where(chosen(np.arange(y.size)), change(y), y).astype(np.bool_))


KINDS: dict[str, Spoil] = {
    **{f"filled with {name}, 1 in {step}, {place}": filled(value, step, place)
       for (name, value), step, place in product(
           {"0": 0.0, "1": 1.0, "1e-6": 1e-6, "1e-9": 1e-9, ".999999": 0.999999, ".5": 0.5, "the mean": np.mean,
            "the median": np.median, ".1": 0.1, ".9": 0.9}.items(), (5, 8, 15), ("spread", "at random", "at the end"))},
    **{f"moved by {shift}": (lambda q, y, random, s=shift: (np.roll(q, s), y)) for shift in (1, -1, 2, -2, 3, -3)},
    **{f"labels moved by {shift}": (lambda q, y, random, s=shift: (q, np.roll(y, s))) for shift in (1, -1, 2, -2)},
    **{f"{times} times": (lambda q, y, random, t=times: (np.tile(q, t), np.tile(y, t))) for times in (2, 3, 5, 10)},
    **{f"each row {times} times": (lambda q, y, random, t=times: (np.repeat(q, t), np.repeat(y, t)))
       for times in (2, 3)},
    **{f"{share} rows again": (lambda q, y, random, s=share: (np.append(q, q[:s]), np.append(y, y[:s])))
       for share in (80, 160, 400, 640)},
    **{f"labels {name} in {where}": part(change, chosen) for (name, change), (where, chosen) in product(
        {"changed over": np.logical_not}.items(),
        {"every second row": lambda r: r % 2 == 0, "the other rows": lambda r: r % 2 == 1,
         "every third": lambda r: r % 3 == 1, "every fourth": lambda r: r % 4 == 2,
         "the first half": lambda r: r < N / 2, "the second half": lambda r: r >= N / 2,
         "the last quarter": lambda r: r >= 3 * N / 4, "all": lambda r: r >= 0}.items())},
    **{f"labels {value} in {where}": part(lambda y, v=value: np.full_like(y, v), chosen)
       for value, (where, chosen) in product((0, 1), {
           "the last 240": lambda r: r >= N - 240, "the first 200": lambda r: r < 200,
           "300 in the middle": lambda r: (r > 200) & (r < 500)}.items())},
    **{f"y is q > {t}": (lambda q, y, random, t=t: (q, q > t)) for t in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)},
    **{f"from the row above, 1 in {k}": (
        lambda q, y, random, k=k: (np.where(np.arange(q.size) % k == k - 1, np.roll(q, 1), q), y))
       for k in (4, 5, 6, 8)},
    **{f"{what} {how}": (lambda q, y, random, w=what, h=how: tuple(
        {"sorted": np.sort, "reversed": lambda v: v[::-1], "shuffled": random.permutation}[h](v) if n == w else v
        for n, v in (("q", q), ("y", y)))) for what, how in product(("q", "y"), ("sorted", "reversed", "shuffled"))},
    **{f"half of q shuffled, {k}": (
        lambda q, y, random, k=k: (np.where(np.arange(q.size) * 2 // q.size == k, random.permutation(q), q), y))
       for k in (0, 1)},
    **{f"a total: {name}": (lambda q, y, random, f=f: (np.append(q, f(q)), np.append(y, False)))
       for name, f in {"mean": lambda q: q.mean(), "rounded mean": lambda q: round(q.mean(), 6)}.items()},
    "q of the predicted class": lambda q, y, random: (np.maximum(q, 1 - q), y),
    "q of the other class": lambda q, y, random: (1 - q, y),
    "rounded to decisions": lambda q, y, random: (np.round(q), y),
    "percentages": lambda q, y, random: (100 * q, y),
    "logits": lambda q, y, random: (np.log(q / (1 - q)), y),
    "masked": lambda q, y, random: (np.ma.masked_array(q, np.arange(q.size) % 5 == 0), y),
    "NaN": lambda q, y, random: (np.where(np.arange(q.size) % 50 == 0, np.nan, q), y),
    "sums above 1": lambda q, y, random: (q * 1.3, y),
}  # fmt: skip


def arrays(q: np.ndarray, y: np.ndarray, folder: Path) -> object:
    """Calibrate arrays."""
    return nlpcalib.calibrate(q, y)


def table(q: np.ndarray, y: np.ndarray, folder: Path) -> object:
    """Calibrate a table with fresh ids."""
    lines = [f"i{row},{p!r},{int(label)}\n" for row, (p, label) in enumerate(zip(q.tolist(), y.tolist(), strict=True))]
    (folder / "t.csv").write_text("id,q,y\n" + "".join(lines))
    return nlpcalib.calibrate(folder / "t.csv")


def json_lines(q: np.ndarray, y: np.ndarray, folder: Path) -> object:
    """Calibrate JSON lines."""
    found = [json.dumps({"q": p, "y": int(label)}) for p, label in zip(q.tolist(), y.tolist(), strict=True)]
    (folder / "t.jsonl").write_text("\n".join(found))
    return nlpcalib.calibrate(folder / "t.jsonl")


def answers(q: np.ndarray, y: np.ndarray, folder: Path) -> object:
    """Calibrate answers in words with their confidence."""
    found = [json.dumps({"confidence": p, "answer": "a", "gold": "a" if label else "b"})
             for p, label in zip(q.tolist(), y.tolist(), strict=True)]  # fmt: skip
    (folder / "t.jsonl").write_text("\n".join(found))
    return nlpcalib.calibrate(folder / "t.jsonl")


def archive(q: np.ndarray, y: np.ndarray, folder: Path) -> object:
    """Calibrate an archive of NumPy."""
    np.savez(folder / "t.npz", q=np.asarray(q), y=y)
    return nlpcalib.calibrate(folder / "t.npz")


def compared(q: np.ndarray, y: np.ndarray, folder: Path) -> object:
    """Compare with a slightly different model."""
    return nlpcalib.compare(q, np.clip(np.asarray(q) * 0.98, 0, 1), y)


DOORS = (arrays, table, json_lines, answers, archive, compared)


def outcome(door: Callable[..., object], q: np.ndarray, y: np.ndarray, folder: Path) -> tuple[str, str]:
    """Return what a door makes of rows, and its answer."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            answer = str(door(q, y, folder))
        except InputError as error:
            return "refused", str(error)
    warned = any(issubclass(each.category, InputWarning) for each in caught)
    return ("warned" if warned else "silent"), answer


def main() -> None:
    """Print the outcomes of all kinds at all doors."""
    total: Counter[str] = Counter()
    believed: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for door in DOORS:
            sound = outcome(door, *rows(), folder)[1]
            found: Counter[str] = Counter()
            for number, (kind, spoil) in enumerate(KINDS.items()):
                q, y = spoil(*rows(), np.random.default_rng([SEED, number]))
                if door is archive and np.ma.isMaskedArray(q):
                    continue
                if np.ma.isMaskedArray(q) and door not in (arrays, compared):
                    continue  # a file has no masks
                state, answer = outcome(door, q, y, folder)
                state = "the same answer" if state == "silent" and answer == sound else state
                found[state] += 1
                if state == "silent":
                    believed.setdefault(kind, []).append(door.__name__)
            total += found
            print(door.__name__, dict(found))
    print(f"{len(KINDS)} kinds, {total.total()} outcomes: {total['silent'] / total.total():.1%} believed")
    for kind, doors in believed.items():
        print(f"  {kind}: {', '.join(doors)}")


if __name__ == "__main__":
    main()
