"""How often intervals from a few labels of a corpus hold what all of its labels say, and how wide they are.

Each draw labels items, or units, at random and again by a plan, and asks the library's questions as any user would. The
random labels are also given to two other methods: labels alone, and PPI++ (Angelopoulos, Duchi & Zrnic 2023).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import t as student

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError, InputWarning
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.predictions.read import read
from nlpcalib.questions.calibrate import calibrate
from nlpcalib.questions.estimate import estimate
from nlpcalib.questions.estimation_report import EstimationReport
from nlpcalib.questions.judge import judge
from nlpcalib.questions.plan_items import plan_items
from nlpcalib.seeding import generator

LEVEL = 0.95
VERDICT_FROM = 0.5
"""Lowest probability that is the verdict yes."""
RATES = ("accuracy", "sensitivity", "specificity")
_SEED_BOUND = 1 << 62
_MAX_ROUNDING_OF_ENDS = 1e-6
"""Ends are inverted numerically: an interval that misses by less holds the truth."""
Ends = tuple[str, str, float, float, float]
"""What an interval is of, its method, its ends, NaN where there are none, and the truth."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Items whose labels are all known."""

    pairs: Pairs
    """`predicted` has the groups of items, `unit` their sampling units."""

    @cached_property
    def columns(self) -> dict[str, Any]:
        """Units and groups, as `nlpcalib.read` takes them."""
        pairs = self.pairs
        found: dict[str, Any] = {} if pairs.unit is None else {"unit": pairs.unit.texts()}
        return found if pairs.predicted is None else found | {"by": {"group": pairs.predicted.texts()}}

    @cached_property
    def verdicts(self) -> np.ndarray:
        """The judge's verdict on each item: the likelier answer."""
        return self.pairs.q >= VERDICT_FROM

    @cached_property
    def unit(self) -> np.ndarray:
        """int (N,): the unit of each item; items are their own, where there are none."""
        return np.arange(len(self.pairs.q)) if self.pairs.unit is None else self.pairs.unit.codes

    @cached_property
    def truth(self) -> dict[str, float]:
        """The share of positive items, of all and of each group, the calibration error and the rates of the judge."""
        y, said, group = self.pairs.y, self.verdicts, self.pairs.predicted
        found = {"total": y.mean(), "judge": y.mean(), "accuracy": (said == y).mean()}
        found |= {"sensitivity": said[y].mean(), "specificity": 1 - said[~y].mean()}
        if group is not None:
            found |= {f"group {name}": y[group.codes == code].mean() for code, name in enumerate(group.names)}
        units = {key: each for key, each in self.columns.items() if key == "unit"}
        found["calibration"] = calibrate(read(self.pairs.q, y=self.pairs.y, **units)).error
        return {name: float(value) for name, value in found.items()}

    @property
    def summed(self) -> dict[str, float]:
        """The share of positive items that the model, and the judge, report without labels."""
        return {"total": float(self.pairs.q.mean()), "judge": float(self.verdicts.mean())}

    def draw(self, labels: int, random: np.random.Generator) -> Iterator[Ends]:
        """Yield the intervals from so many items, or units, that are labelled at random and by a plan."""
        rows = np.flatnonzero(np.isin(self.unit, random.choice(self.unit.max() + 1, labels, replace=False)))
        y = np.full(len(self.unit), np.nan)
        y[rows] = self.pairs.y[rows]
        drawn = read(self.pairs.q, y=y, drawn="random", **self.columns)
        yield from self._totals(drawn, "random")
        yield from self._totals(self._planned(labels, int(random.integers(_SEED_BOUND))), "planned")
        for method, tuned in (("labels alone", False), ("PPI++", True)):
            yield "total", method, *self._normal(rows, tuned=tuned), self.truth["total"]
        interval = _answer(lambda: calibrate(drawn).interval)
        yield "calibration", "random", *(interval or (np.nan, np.nan)), self.truth["calibration"]
        verdicts = read(self.verdicts.tolist(), y=y, drawn="random", **self.columns)
        report = _answer(lambda: judge(verdicts))
        yield "judge", "random", *(report.estimation.share[1:] if report else (np.nan, np.nan)), self.truth["judge"]
        for name in RATES:
            rate = report.rates[name] if report else None
            ends = (np.nan, np.nan) if rate is None or rate.low is None else (rate.low, rate.high)
            yield name, "random", *ends, self.truth[name]

    def _planned(self, labels: int, seed: int) -> Predictions:
        """Return the items with the labels that a plan asks for, part by part."""
        plan = plan_items(read(self.pairs.q, **self.columns), budget=labels, seed=seed)
        y = np.full(len(self.unit), np.nan)
        while True:
            y[plan.rows] = self.pairs.y[plan.rows]
            data = read(self.pairs.q, y=y, plan=plan, **self.columns)
            if plan.complete:
                return data
            plan = plan_items(data)

    def _totals(self, data: Predictions, method: str) -> Iterator[Ends]:
        report = estimate(data, by="group" if "by" in self.columns else None)
        assert isinstance(report, EstimationReport)
        yield "total", method, *report.share[1:], self.truth["total"]
        for name, each in report.groups.items():
            yield "groups", method, *each.share[1:], self.truth[f"group {name}"]

    def _normal(self, rows: np.ndarray, *, tuned: bool) -> tuple[float, float]:
        """Return the interval of labels alone, or PPI++: λ times the predicted share and the rest from labels.

        Both are ratio estimators over the units of a finite corpus. Labels alone have Wilson's interval with the
        effective number of labels, and Student's t; PPI++ the normal interval of its authors.
        """
        number = np.unique(self.unit[rows], return_inverse=True)[1]
        y, q, size = (
            np.bincount(number, each) for each in (self.pairs.y[rows], self.pairs.q[rows], np.ones(rows.size))
        )
        n, corpus = len(size), self.unit.max() + 1
        by_label, by_model = y - size * y.sum() / rows.size, q - size * q.sum() / rows.size
        spread = by_model @ by_model
        slope = np.clip(by_label @ by_model / spread, 0, 1) if tuned and spread > 0 else 0.0
        share = slope * self.pairs.q.mean() + (y - slope * q).sum() / rows.size
        residual = by_label - slope * by_model
        variance = (1 - n / corpus) * n / (n - 1) * (residual @ residual) / rows.size**2
        if tuned:
            half = ndtri((1 + LEVEL) / 2) * variance**0.5
            return share - half, share + half
        effective = share * (1 - share) / variance if variance > 0 else rows.size
        z = student.ppf((1 + LEVEL) / 2, n - 1)
        centre = (share + z**2 / (2 * effective)) / (1 + z**2 / effective)
        half = z / (1 + z**2 / effective) * (share * (1 - share) / effective + (z / (2 * effective)) ** 2) ** 0.5
        return centre - half, centre + half


def coverage_rows(pairs: Pairs, labels: int, draws: int, seed: int) -> list[dict]:
    """Return a row for what is estimated, and each method.

    Parameters
    ----------
    pairs : Pairs
        All items with their labels; `predicted` has their groups, `unit` their sampling units.
    labels : int
        Items, or units, that each draw labels.
    draws : int
        Number of draws.

    Returns
    -------
    list of dict
        `of` and `method`, how many `items`, `labels` and `replicates` there are, the `truth` and what the model alone
        has, `summed`; the share of draws with an interval, `given`; of these intervals `coverage`, its Monte Carlo
        error `coverage_se` and the mean `width`. Groups of a draw depend on each other and are a mean of it.
    """
    corpus, found = Corpus(pairs), dict[tuple[str, str], list[np.ndarray]]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        for draw in range(draws):
            ends: dict[tuple[str, str], list[list[float]]] = {}
            for of, method, *values in corpus.draw(labels, generator(seed, "real task", draw)):
                ends.setdefault((of, method), []).append(values)
            for key, intervals in ends.items():
                found.setdefault(key, []).append(_judged(np.array(intervals)))
    rows = []
    for (of, method), each in found.items():
        held, width = np.array([draw for draw in each if not np.isnan(draw[1])]).reshape(-1, 2).T
        rows.append(
            {
                "of": of,
                "method": method,
                "items": len(pairs.q),
                "labels": labels,
                "replicates": draws,
                "truth": corpus.truth.get(of),
                "summed": corpus.summed.get(of),
                "given": len(held) / draws,
                "coverage": float(held.mean()) if len(held) else None,
                "coverage_se": float(held.std() / len(held) ** 0.5) if len(held) else None,
                "width": float(width.mean()) if len(held) else None,
            }
        )
    return rows


def _judged(ends: np.ndarray) -> np.ndarray:
    """Return the share of intervals, (K, 3), that hold their truth, and their mean width."""
    low, high, truth = ends.T
    held = (low - _MAX_ROUNDING_OF_ENDS <= truth) & (truth <= high + _MAX_ROUNDING_OF_ENDS)
    return np.array([held.mean(), (high - low).mean()])


def _answer(question: Callable[[], Any]) -> Any:
    """Return an answer, None where the labels are too few for one."""
    try:
        return question()
    except InputError:
        return None
