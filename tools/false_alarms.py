"""How often the examination warns of sound predictions: 72 shapes of tables, many draws each, by sign.

Run `python tools/false_alarms.py [draws]`. It prints a row for each sign: its alarms, the tables, and an upper limit of
the rate. The limit is Clopper and Pearson's, at 95 %.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable

import numpy as np
from scipy import stats

from nlpcalib.examination.labels import examine_labels
from nlpcalib.examination.predictions import examine_predictions, examine_slip
from nlpcalib.examination.repetition import find_repetition, repeated_run
from nlpcalib.examination.total import examine_last_row
from nlpcalib.examination.units import errors_together, examine_units

Draw = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]

SIZES = (20, 40, 120, 400, 1500, 6000)
"""Rows of tables."""


def expit(x: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + exp(−x))."""
    return 1 / (1 + np.exp(-x))


def drawn(random: np.random.Generator, n: int, center: float = -0.6, spread: float = 1.6, slope: float = 1.0,
          shift: float = 0.0, skill: float = 1.0) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return predictions and labels of a logistic model, whose truth has another slope and shift, or less skill."""
    logit = random.normal(center, spread, n)
    truth = np.where(random.random(n) < skill, logit, random.permutation(logit))
    return expit(logit), random.random(n) < expit(slope * truth + shift)


def rounded(digits: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return what rounds predictions."""
    return lambda q: np.round(q, digits)


MODELS: dict[str, dict[str, float]] = {
    "calibrated": {},
    "balanced": {"center": 0.0},
    "rare": {"center": -4.5},
    "frequent": {"center": 4.5},
    "overconfident": {"slope": 0.4},
    "underconfident": {"slope": 2.5},
    "too high": {"shift": -1.5},
    "confident": {"spread": 5.0},
    "timid": {"spread": 0.3},
    "without skill": {"skill": 0.0, "spread": 0.8},
    "little skill": {"skill": 0.3},
    "extreme": {"center": -6.0, "spread": 3.0},
}
VALUES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "all digits": lambda q: q,
    "6 digits": rounded(6),
    "3 digits": rounded(3),
    "2 digits": rounded(2),
    "1 digit": rounded(1),
    "steps of .05": lambda q: np.round(20 * q) / 20,
    "17 steps": lambda q: np.floor(17 * q) / 17,
    "float32": lambda q: q.astype(np.float32).astype(float),
    "clipped": lambda q: np.clip(q, 1e-3, 1 - 1e-3),
    "leaves of a tree": lambda q: np.floor(q * 60) ** 2 / 3600,
}


def in_order(name: str) -> Draw:
    """Return a shape with an order of rows."""

    def draw(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        n = int(random.choice([60, 400, 1500]))
        q, y = drawn(random, n)
        if name == "sorted by q":
            order = np.argsort(q)
        elif name == "sorted by y":
            order = np.argsort(y, kind="stable")
        elif name == "sorted down":
            order = np.argsort(-q)
        elif name == "drifting":
            time = np.linspace(-1.5, 1.5, n)
            q, y = drawn(random, n)
            logit = np.log(q / (1 - q)) + time
            return expit(logit), random.random(n) < expit(logit + 0.5 * time)
        elif name == "autocorrelated":
            logit = np.convolve(random.normal(0, 1.6, n + 9), np.ones(10) / 10**0.5, "valid")
            return expit(logit), random.random(n) < expit(logit)
        elif name == "units":
            effect = np.repeat(random.normal(0, 0.8, n // 5 + 1), 5)[:n]
            logit = random.normal(-0.6, 1.5, n)
            return expit(logit), random.random(n) < expit(logit + effect)
        elif name == "one prediction a document":
            logit = np.repeat(random.normal(-0.6, 1.5, n // 4), 4)
            return expit(logit), random.random(logit.size) < expit(logit)
        elif name == "perfect":
            truth = random.random(n) < 0.4
            return np.where(truth, 0.6 + 0.4 * random.random(n), 0.4 * random.random(n)), truth
        elif name == "no positives":
            return q, np.zeros(n, np.bool_)
        elif name == "spoken":
            p = random.choice([0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99, 1.0], n)
            return p, random.random(n) < p - 0.1
        elif name == "top class":
            p = np.maximum(q, 1 - q)
            return p, random.random(n) < p
        elif name == "boosted trees":
            x = random.random((n, 3))
            steps = [np.digitize(x[:, k % 3], random.random(1)) * random.normal(0, 0.8) for k in range(12)]
            logit = np.sum(steps, axis=0) - 0.5
            return expit(logit), random.random(n) < expit(logit)
        else:
            order = np.arange(n)
        return q[order], y[order]

    return draw


ORDERS = ("sorted by q", "sorted by y", "sorted down", "drifting", "autocorrelated", "units", "perfect",
          "one prediction a document", "no positives", "spoken", "top class", "boosted trees")  # fmt: skip


def of_model(name: str, value: str) -> Draw:
    """Return a shape of a model and of the digits of its predictions."""

    def draw(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        q, y = drawn(random, int(random.choice(SIZES)), **MODELS[name])
        return VALUES[value](q), y

    return draw


SHAPES: dict[str, Draw] = {
    f"{m}, {v}": of_model(m, v) for m in MODELS for v in list(VALUES)[: 5 if m != "calibrated" else 10]
}
SHAPES |= {name: in_order(name) for name in ORDERS}


def signs(q: np.ndarray, y: np.ndarray, random: np.random.Generator) -> list[str]:
    """Return the sentences about sound predictions, with those about their units, items, labels and classes."""
    n = q.size
    found = [each.sentence for each in examine_predictions(q, y)]
    found += ["unlabelled: " + each.sentence for each in examine_predictions(q)]
    if find_repetition(q, [(y.astype(np.int64), ("0", "1"))]) is not None:
        found.append("rows are equal")
    found += [each.sentence for each in examine_last_row(q, [f"i{row}" for row in range(n)])]
    codes = random.integers(0, max(n // 5, 2), n)
    found += [each.sentence for each in examine_units(codes, [f"d{k}" for k in range(codes.max() + 1)], "unit")]
    coarse, truth = codes // 10, (y.astype(np.int64), ("0", "1"))
    found += [each.sentence for unit in (np.sort(codes), coarse) for each in repeated_run(q, [(unit, ()), truth])]
    if errors_together(q, y, codes):
        found.append("rows of one value err together")
    part = random.permutation(n)[: min(n, 120)]
    found += ["labels: " + each.sentence for each in examine_labels(q[part], y[part].astype(float))]
    labels = np.arange(n) % 4, random.integers(0, 4, n)
    found += ["by label: " + each.sentence for label in labels for each in examine_slip(q, y, label)]
    return found


def class_alarms(random: np.random.Generator) -> list[str]:
    """Return the sentences about a sound table of classes; models without skill have predictions near to each other."""
    n, k = int(random.choice([40, 200, 1000])), int(random.choice([2, 3, 5, 20]))
    skill = random.choice([0.0, 0.3, 1, 2])
    logit = random.normal(random.normal(0, 1, k), random.choice([0.3, 1.5, 4]) if skill else 0.3, (n, k))
    q = np.exp(logit) / np.exp(logit).sum(axis=1, keepdims=True)
    true = np.exp(logit * skill)
    y = (random.random((n, 1)) > np.cumsum(true / true.sum(axis=1, keepdims=True), axis=1)).sum(axis=1)
    return ["classes: " + each.sentence for each in examine_predictions(q, np.minimum(y, k - 1))]


def kind(sentence: str) -> str:
    """Return a sentence without its numbers."""
    return re.sub(r"[0-9.,]+", "#", sentence)[:70]


def main(draws: int = 1000) -> None:
    """Print the alarms of each sign over all shapes."""
    alarms: Counter[str] = Counter()
    where: dict[str, Counter[str]] = {}
    for number, (name, draw) in enumerate(SHAPES.items()):
        random = np.random.default_rng([7, number])
        for _ in range(draws):
            for sign in set(map(kind, signs(*draw(random), random))):
                alarms[sign] += 1
                where.setdefault(sign, Counter())[name] += 1
    random = np.random.default_rng(8)
    for _ in range(draws * 10):
        for sign in set(map(kind, class_alarms(random))):
            alarms[sign] += 1
            where.setdefault(sign, Counter())["classes"] += 1
    tables = len(SHAPES) * draws
    print(f"{len(SHAPES)} shapes, {tables:,} tables")
    for sign, n in alarms.most_common():
        upper = stats.beta.ppf(0.975, n + 1, tables - n)
        print(f"{n:6,}  below {1000 * upper:.2f} in 1,000  {sign}  {dict(where[sign].most_common(4))}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
