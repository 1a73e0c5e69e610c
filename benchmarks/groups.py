"""Intervals of groups, of means of numbers and of calibration by group, next to other packages on the same draws.

    pip install ppi-python ppi-aipw cje-eval
    python benchmarks/groups.py [--draws 400] [--out docs/results/benchmarks/estimation_groups.csv]

Groups: 2,400 items in nine groups of 40 to 700, of which 150 are labelled, or 120 documents, of which 24 are. Numbers:
3,000 values in a range, of which 60 are labelled, or 150 documents, of which 30 are. Calibration: six groups of 60 to
1,500 rows. Cells have the coverage, over groups the mean one, and the mean width. A package that is not installed is
left out.
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import importlib
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
from scipy.special import expit, ndtri
from scipy.stats import t as student
from side_by_side import versions

import nlpcalib as nc
from nlpcalib.io.files import write_csv

SEED = 1129
PEERS = {"ppi-python": "ppi_py", "ppi-aipw": "ppi_aipw", "cje-eval": "cje"}
OURS, ALONE = "nlpcalib", "labels alone"
SIZES = (40, 60, 100, 200, 200, 300, 300, 500, 700)
ROWS = (60, 60, 150, 300, 600, 1500)
Ends = tuple[float, float]
Found = Iterator[tuple[str, str, Ends, float]]
"""A method, the group, the ends of its interval, NaN where there are none, and the truth."""


def peers_of(y: np.ndarray, q: np.ndarray, rest: np.ndarray, peers: dict[str, ModuleType]) -> dict[str, Callable]:
    """Return the intervals of a mean by packages, from labels and predictions of items, and predictions of others."""
    named = {"ppi-python": "ppi_mean_ci", "ppi-aipw": "mean_ci"}
    functions = {name: getattr(peers[name], function) for name, function in named.items() if name in peers}
    return {name: partial(_ends, function, y, q, rest) for name, function in functions.items()}


def _ends(function: Callable, *given: np.ndarray) -> Ends:
    low, high = function(*given, alpha=0.05)
    return float(np.ravel(low)[0]), float(np.ravel(high)[0])


def ends_of(method: Callable) -> Ends:
    """Return what a method answers; NaN where it refuses."""
    try:
        low, high = method()
    except (ValueError, RuntimeError, ZeroDivisionError, np.linalg.LinAlgError):
        return np.nan, np.nan
    return (low, high) if high > low else (np.nan, np.nan)


def wilson(y: np.ndarray, items: int) -> Ends:
    """Return Wilson's interval of a share, with the correction for a finite corpus."""
    n, z = len(y), ndtri(0.975) * max(1 - len(y) / items, 1e-9) ** 0.5
    centre, half = (y.sum() + z**2 / 2) / (n + z**2), z / (n + z**2) * (y.sum() * (n - y.sum()) / n + z**2 / 4) ** 0.5
    return centre - half, centre + half


def by_mean_of(values: np.ndarray, unit: np.ndarray, units: int) -> Ends:
    """Return Student's interval of a mean: of labels, or of documents as a ratio."""
    code = np.unique(unit, return_inverse=True)[1]
    size, total, n = np.bincount(code), np.bincount(code, values), code.max() + 1
    mean = total.sum() / size.sum()
    spread = n / (n - 1) * ((total - mean * size) ** 2).sum() * (1 - n / units)
    half = student.ppf(0.975, n - 1) * spread**0.5 / size.sum()
    return mean - half, mean + half


def groups(kind: str, random: np.random.Generator, peers: dict[str, ModuleType]) -> Found:
    """Yield the intervals of the share of each group."""
    of = np.repeat(np.arange(len(SIZES)), SIZES)
    odds = -2.2 + 1.2 * random.normal(size=of.size) + np.linspace(1, -1, len(SIZES))[of]
    unit = np.concatenate([np.sort(random.integers(max(2, size // 20), size=size)) for size in SIZES])
    unit = np.unique(of * 1000 + unit, return_inverse=True)[1]
    if kind == "documents":
        odds += 0.8 * random.normal(size=unit.max() + 1)[unit]
    y = (random.random(of.size) < expit(odds)).astype(float)
    shift = np.random.default_rng(SEED).normal(0, 0.8, len(SIZES))[of]
    q = np.where(of == 6, 0.01, expit(odds)) if kind == "one group unseen" else expit(odds + shift)
    columns = {"by": {"group": [f"g{each}" for each in of.tolist()]}}
    if kind == "documents":
        columns["unit"] = [f"d{each}" for each in unit.tolist()]
    known = np.full(of.size, np.nan)
    if kind == "planned":
        plan = nc.plan_items(nc.read(q, **columns), budget=150, seed=int(random.integers(1 << 30)))
        while True:
            known[plan.rows] = y[plan.rows]
            data = nc.read(q, y=known, plan=plan, **columns)
            if plan.complete:
                break
            plan = nc.plan_items(data)
    else:
        number = random.choice(unit.max() + 1, 24, replace=False) if kind == "documents" else None
        rows = random.choice(of.size, 150, replace=False) if number is None else np.flatnonzero(np.isin(unit, number))
        known[rows] = y[rows]
        data = nc.read(q, y=known, drawn="random", **columns)
    report = nc.estimate(data, by="group")
    for group, items in enumerate(SIZES):
        own, truth = of == group, float(y[of == group].mean())
        yield OURS, f"g{group}", report.groups[f"g{group}"].share[1:], truth
        read = np.flatnonzero(own & ~np.isnan(known))
        if kind in ("planned", "documents"):
            continue
        alone = wilson(y[read], items) if read.size else (np.nan, np.nan)
        yield ALONE, f"g{group}", alone, truth
        for name, method in peers_of(y[read], q[read], q[own & np.isnan(known)], peers).items():
            yield name, f"g{group}", ends_of(method) if read.size > 1 else (np.nan, np.nan), truth


NUMBERS: dict[str, tuple[Callable[[np.random.Generator, int], np.ndarray], tuple[float, float]]] = {
    "toxicity, 3 % high": (
        lambda g, n: np.where(g.random(n) < 0.03, 0.7 + 0.3 * g.random(n), 0.05 * g.random(n)), (0, 1),
    ),
    "durations, log-normal": (lambda g, n: np.minimum(np.exp(0.5 + 1.4 * g.normal(size=n)), 480), (0, 480)),
    "ratings 1 to 5": (lambda g, n: np.clip(np.round(3.7 + 1.1 * g.normal(size=n)), 1, 5), (1, 5)),
}  # fmt: skip


def numbers(kind: str, random: np.random.Generator, peers: dict[str, ModuleType]) -> Found:
    """Yield the intervals of the mean of numbers."""
    name = kind.removesuffix(", documents")
    draw, (low, high) = NUMBERS[name]
    y, unit, labels = draw(random, 3000), np.arange(3000), 60
    if kind != name:  # half of the values of a document are one
        unit, labels = np.repeat(np.arange(150), 20), 30
        y = np.where(random.random(3000) < 0.5, draw(random, 150)[unit], y)
    seen = random.random(3000) < 0.6
    q = np.clip(np.where(seen, y, np.median(y)) + 0.01 * (high - low) * random.normal(size=3000), low, high)
    rows = np.flatnonzero(np.isin(unit, random.choice(unit.max() + 1, labels, replace=False)))
    known = np.full(3000, np.nan)
    known[rows] = y[rows]
    columns = {"unit": [f"d{each}" for each in unit.tolist()]} if kind != name else {}
    truth = float(y.mean())
    yield OURS, "", nc.estimate(nc.read(q, y=known, values=(low, high), drawn="random", **columns)).share[1:], truth
    yield ALONE, "", by_mean_of(y[rows], unit[rows], unit.max() + 1), truth
    if kind == name:
        for peer, method in peers_of(y[rows], q[rows], np.delete(q, rows), peers).items():
            yield peer, "", ends_of(method), truth
    if "cje-eval" in peers:
        clusters = {} if kind == name else {"cluster_ids": unit}
        place = (known - low) / (high - low)
        found = ends_of(lambda: peers["cje-eval"].calibrated_mean_ci((q - low) / (high - low), place, **clusters).ci)
        yield "cje-eval", "", tuple(low + end * (high - low) for end in found), truth


def calibration(kind: str, random: np.random.Generator, _: dict[str, ModuleType]) -> Found:
    """Yield the intervals of the calibration error of each group, which hold together."""
    slope = 1.0 if "calibrated" in kind else 0.6
    of = np.repeat(np.arange(len(ROWS)), ROWS)
    odds, columns = -1.2 + 1.5 * random.normal(size=of.size), {"by": {"group": [f"g{each}" for each in of.tolist()]}}
    p = expit(-1.2 + slope * (odds + 1.2))
    y = random.random(of.size) < p
    if "documents" in kind:  # half of the rows of ten have one random number
        unit = np.arange(of.size) // 10
        shared = random.random(unit.max() + 1)[unit]
        y = np.where(random.random(of.size) < 0.5, shared, random.random(of.size)) < p
        columns["unit"] = [f"d{each}" for each in unit.tolist()]
    wide = -1.2 + 1.5 * np.random.default_rng(SEED).normal(size=400_000)
    truth = float(np.sqrt(np.mean((expit(wide) - expit(-1.2 + slope * (wide + 1.2))) ** 2)))
    for row in nc.calibrate(nc.read(expit(odds), y=y.astype(int), **columns), by="group").by_class:
        low = row["error_low"]
        yield OURS, row["predicted"], (np.nan, np.nan) if low is None else (low, row["error_high"]), truth


CELLS = {
    "share of each group": (groups, ("shifted by group", "one group unseen", "planned", "documents")),
    "mean of numbers": (numbers, (*NUMBERS, *(f"{name}, documents" for name in NUMBERS))),
    "calibration error of each group": (
        calibration, ("calibrated", "overconfident", "calibrated, documents", "overconfident, documents"),
    ),
}  # fmt: skip


def row_of(of: str, kind: str, draws: int, cell: int, peers: dict[str, ModuleType]) -> dict[str, str]:
    """Return the row of a cell, as the page shows it."""
    held: dict[str, dict[str, list[float]]] = {}
    width: dict[str, list[float]] = {}
    together = []
    for draw in range(draws):
        all_held = True
        for name, group, (low, high), truth in CELLS[of][0](kind, np.random.default_rng([SEED, cell, draw]), peers):
            if np.isnan(low):
                continue
            holds = bool(low - 1e-9 <= truth <= high + 1e-9)
            held.setdefault(name, {}).setdefault(group, []).append(holds)
            width.setdefault(name, []).append(high - low)
            all_held &= holds or name != OURS
        together.append(all_held)
    shown = {
        name: f"{decimals(np.mean(np.concatenate([*own.values()])))} ({np.mean(width[name]):.3g})"
        for name, own in held.items()
    }
    worst = min(np.mean(own) for own in held[OURS].values())
    return {
        "interval of": of, "regime": kind, OURS: shown[OURS],
        "worst group": decimals(worst) if len(held[OURS]) > 1 else "",
        "all together": decimals(np.mean(together)) if len(held[OURS]) > 1 else "",
        **{name: shown.get(name, "") for name in (*PEERS, ALONE)},
    }  # fmt: skip


def decimals(share: float) -> str:
    """Return a coverage with three decimals, without the zero before the point."""
    return f"{share:.3f}".removeprefix("0")


def main(draws: int, out: Path | None) -> None:
    """Print the table, and write it."""
    warnings.simplefilter("ignore")
    peers = {}
    for name, module in PEERS.items():
        try:
            peers[name] = importlib.import_module(module)
        except ImportError:
            print(f"{name} is not installed")
    print(versions(["numpy", *peers]), flush=True)
    rows = []
    for of, (_, kinds) in CELLS.items():
        for kind in kinds:
            rows.append(row_of(of, kind, draws, len(rows), peers))
            print(" | ".join(rows[-1].values()), flush=True)
    if out is not None:
        write_csv(out, rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    main(given.draws, given.out)
