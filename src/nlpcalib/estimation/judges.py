"""Accuracy, sensitivity, specificity and kappa of a judge, from its verdicts on all items and labels of some.

    sensitivity  r a / p                        accuracy  r a + (1 − r) (1 − b)
    specificity  (1 − r) (1 − b) / (1 − p)      kappa     2 r (1 − r) (a − b) / (p (1 − r) + (1 − p) r)

a is the share of positive items among those that the judge calls positive, b the share among the others, r the share
that it calls positive, and p = r a + (1 − r) b the rate of positive items.

a and b are shares of labelled items with one verdict, so labels may be more frequent under one verdict than under the
other. r is a share of all items. All four rise with a and fall with b. The lower end is the quantile of draws in which
a is from Beta(k, n − k + 1), whose quantiles are the lower ends of Clopper and Pearson (1934), and b from
Beta(k + 1, n − k), whose quantiles are the upper ones. The upper end exchanges the two (Fay, Proschan & Brittain 2015).
r is drawn from both, half of the draws from each.

With weights 1/π, n is (Σ w)² / Σ w² (Kish 1965). Where items of a unit are alike, n is divided by the design effect of
the rate: the variance of its linearised error by units, over that of independent items (Rao & Scott 1984).

>>> cells = [45, 5, 10, 40]  # positive by judge and label, by the judge alone, by the label alone, by neither
>>> verdict, label = np.repeat([1.0, 1, 0, 0], cells), np.repeat([1.0, 0, 1, 0], cells)
>>> for each in judge_rates(Verdicts(verdict, np.arange(100), label, np.ones(100))):
...     print(f"{each.measure} {each.value:.2f} ({each.low:.2f} to {each.high:.2f})")
accuracy 0.85 (0.76 to 0.91)
sensitivity 0.82 (0.69 to 0.91)
specificity 0.89 (0.76 to 0.96)
kappa 0.70 (0.52 to 0.82)
rate 0.55 (0.44 to 0.66)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import betaincinv

from nlpcalib.errors import InputError
from nlpcalib.estimation.units import PRIOR_UNITS, student_factor
from nlpcalib.numerics import NEGLIGIBLE_VARIANCE
from nlpcalib.sampling.strata import ANTICIPATED_CORRELATION

_LATTICE_POINTS = 1024
"""Joint draws of the three shares: quantiles are right to about .001."""
_LATTICE_RATIO = 1.2207440846057596
"""Root of x⁴ = x + 1: its powers make the additive recurrence whose points fill a cube evenly."""
MIN_EFFECTIVE_UNITS = 2
"""Fewest units of equal size that an interval is given for: one unit does not show how units differ."""
MAX_FORECAST_LABELS = 1_000_000
"""Most labels that a forecast tries before it gives up."""

MEASURES = ("accuracy", "sensitivity", "specificity", "kappa")
"""What a judge is measured by; the rate of positive items is next to them."""


@dataclass(frozen=True, eq=False)
class Verdicts:
    """A judge's verdicts on N items, and the labels of n of them."""

    share: np.ndarray
    """float64 (N,): the share of each item's verdicts that are positive; 0 or 1 where it was judged once."""
    rows: np.ndarray
    """int64 (n,): the labelled items."""
    y: np.ndarray
    """float64 (n,): their labels, 0 or 1, NaN where the label is open."""
    weight: np.ndarray
    """float64 (n,): how many items each of them stands for, among those with the same verdict."""
    unit: np.ndarray | None = None
    """int64 (N,): what items come from together, such as a document, from 0."""
    sampled: np.ndarray | None = None
    """float64 (N,): how many items each stands for, where verdicts are those of a sample; None where each is one."""

    def of(self, chosen: np.ndarray) -> Verdicts:
        """Return the verdicts on some items, `chosen` bool (N,)."""
        kept = chosen[self.rows]
        rows = (np.cumsum(chosen) - 1)[self.rows[kept]]
        unit = None
        if self.unit is not None:
            units, unit = np.unique(self.unit[chosen], return_inverse=True)
            # Units of one item each, such as the cases of one system, are items.
            unit = unit if len(units) < len(unit) else None
        sampled = None if self.sampled is None else self.sampled[chosen]
        return Verdicts(self.share[chosen], rows, self.y[kept], self.weight[kept], unit, sampled)

    @property
    def item_weights(self) -> np.ndarray:
        """float64 (N,): how many items each of the N stands for."""
        return np.ones(len(self.share)) if self.sampled is None else self.sampled


@dataclass(frozen=True)
class Rate:
    """A rate of a judge with its interval."""

    measure: str
    """One of `MEASURES`, `rate` or `consistency`."""
    value: float | None
    """None where it is not defined."""
    low: float | None
    high: float | None
    items: int
    """Labelled items that it rests on."""
    note: str = ""
    """Why it is not defined, in words."""


@dataclass(frozen=True, eq=False)
class _Shares:
    """The counts k of n of the shares a, b and r, with the labels that each item is taken to have."""

    verdicts: Verdicts
    y: np.ndarray
    k: np.ndarray
    n: np.ndarray
    weights: tuple[np.ndarray, np.ndarray]
    """float64 (n,) each: the weight of every label in a and in b."""

    @staticmethod
    def of(verdicts: Verdicts, y: np.ndarray) -> _Shares:
        v = verdicts.share[verdicts.rows]
        weights = verdicts.weight * v, verdicts.weight * (1 - v)
        k, n = np.zeros(3), np.zeros(3)
        for place, each in enumerate(weights):
            if total := each.sum():
                n[place] = total**2 / (verdicts.weight * each).sum()
                k[place] = n[place] * (each @ y) / total
        each = verdicts.item_weights
        n[2] = each.sum() ** 2 / (each**2).sum()
        k[2] = n[2] * (each @ verdicts.share) / each.sum()
        return _Shares(verdicts, y, k, n, weights)

    @property
    def estimates(self) -> np.ndarray:
        """a, b and r; NaN for a verdict that no label reached."""
        with np.errstate(invalid="ignore"):
            return self.k / self.n

    def effect(self, measure: str, level: float) -> float:
        """Return by how much n is divided for a measure: its design effect, with Student's t for few units."""
        verdicts = self.verdicts
        rows, unit = verdicts.rows, verdicts.unit
        if unit is None and len(set(verdicts.weight.tolist())) < 2:
            return 1.0
        inner = (self.k + 0.5) / (self.n + 1)
        # An imaginary step gives the derivative of a rational function to machine precision.
        steps = 1j * NEGLIGIBLE_VARIANCE * np.eye(3)
        gradient = np.array([np.imag(_FORMULAS[measure](*(inner + step))) for step in steps]) / NEGLIGIBLE_VARIANCE
        share = np.nan_to_num(self.estimates)
        part = verdicts.item_weights / verdicts.item_weights.sum()
        error = gradient[2] * part * (verdicts.share - share[2])
        expected = gradient[2] ** 2 * inner[2] * (1 - inner[2]) * part**2
        for place, each in enumerate(self.weights):
            if total := each.sum():
                error[rows] += gradient[place] * each * (self.y - share[place]) / total
                moved = gradient[place] ** 2 * inner[place] * (1 - inner[place])
                expected[rows] += moved * each * verdicts.weight / total**2
        of = np.arange(len(error)) if unit is None else unit
        errors, variances, roots = (np.bincount(of, values) for values in (error, expected, np.sqrt(expected)))
        units = variances.sum() ** 2 / (variances**2).sum()
        independent = float(gradient**2 @ (share * (1 - share) / np.maximum(self.n, 1)))
        alike = 1 + ANTICIPATED_CORRELATION * ((roots**2).sum() / variances.sum() - 1)
        found = float((errors**2).sum()) / independent if independent > 0 else alike
        effect = max((units * found + PRIOR_UNITS * alike) / (units + PRIOR_UNITS), 1.0)
        if unit is None:
            return effect
        return effect * float(student_factor(np.maximum(units - 1, 1e-3), level)) ** 2

    def interval(self, measure: str, level: float) -> tuple[float, float]:
        """Return the ends of the interval of a measure."""
        divisor = self.effect(measure, level)
        return _melded(_FORMULAS[measure], self.k / divisor, self.n / divisor, level, measure != "rate")


def _melded(
    formula: Callable[..., np.ndarray], k: np.ndarray, n: np.ndarray, level: float, falls: bool
) -> tuple[float, float]:
    """Return the interval of a function of a, b and r, which rises with a, from their counts `k` of `n`, (3,).

    `falls` is whether it falls with b.
    """
    (low, high), others, shares = _draws(tuple(k.tolist()), tuple(n.tolist()), _LATTICE_POINTS)
    ends = ((low, others[int(falls)], (1 - level) / 2), (high, others[1 - int(falls)], (1 + level) / 2))
    lower, upper = (np.quantile([formula(a, b, r) for r in shares], place) for a, b, place in ends)
    return float(lower), float(upper)


@lru_cache(maxsize=8)
def _draws(k: tuple[float, ...], n: tuple[float, ...], points: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return draws of the lower and of the upper ends of each share: the measures of one table have them in common."""
    found = []
    for place, (positive, total) in enumerate(zip(k, n, strict=True), 1):
        u = (0.5 + np.arange(1.0, points + 1) * _LATTICE_RATIO**-place) % 1
        negative = max(total - positive, 0)
        low = betaincinv(positive, negative + 1, u) if positive > 0 else np.zeros(points)
        found.append((low, betaincinv(positive + 1, negative, u) if negative > 0 else np.ones(points)))
    return found


def judge_rates(verdicts: Verdicts, *, level: float = 0.95) -> list[Rate]:
    """Return the measures of a judge, in the order of `MEASURES`, and last the rate of positive items.

    They are those of items like these. An open label counts half, and the interval holds both answers. Labels are a
    random sample of the items with one verdict, or have weights.

    Raises `InputError` without any label, and for labels other than 0, 1 and NaN.
    """
    called = verdicts.share[verdicts.rows] >= 0.5
    still_open = np.isnan(verdicts.y)
    wrong_and_right = (np.where(still_open, each, verdicts.y) for each in (~called, called))
    middle, none, all_positive, worst, best = (
        _Shares.of(verdicts, each) for each in (*filled_labels_of(verdicts), *wrong_and_right)
    )
    ends = {**dict.fromkeys(MEASURES, (worst, best)), "rate": (none, all_positive)}
    return [_rate(measure, middle, *ends[measure], level) for measure in (*MEASURES, "rate")]


def filled_labels_of(verdicts: Verdicts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels (n,) with open ones as ½, as 0 and as 1.

    Raises `InputError` without any label, and for labels other than 0, 1 and NaN.
    """
    y = verdicts.y
    if not y.size:
        raise InputError("labels: found none, expected those of at least one item")
    still_open = np.isnan(y)
    if not (still_open | (y == 0) | (y == 1)).all():
        raise InputError("labels: found numbers other than 0 and 1, expected 0, 1 or NaN for cannot tell")
    half, none, every = (np.where(still_open, each, y) for each in (0.5, 0.0, 1.0))
    return half, none, every


def rate_effect(verdicts: Verdicts, y: np.ndarray, level: float) -> float:
    """Return by how much labels `y` (n,) are divided for the rate of positive items, because units are alike.

    Weights that differ are not in it: Kish's number of labels has them.
    """
    return 1.0 if verdicts.unit is None else _Shares.of(verdicts, y).effect("rate", level)


def _rate(measure: str, middle: _Shares, worst: _Shares, best: _Shares, level: float) -> Rate:
    y, items = middle.y, len(middle.y)
    note = ""
    if measure == "sensitivity":
        items = int((y == 1).sum())
        note = "" if (y > 0).any() else "no labelled item is positive"
    elif measure == "specificity":
        items = int((y == 0).sum())
        note = "" if (y < 1).any() else "no labelled item is negative"
    elif measure == "kappa" and len(set(y.tolist())) < 2:
        note = f"all labels are {'positive' if y[0] else 'negative'}: agreement beyond chance cannot be seen"
    if not note and measure not in ("accuracy", "rate") and np.isnan(middle.estimates).any():
        verdict = "positive" if np.isnan(middle.estimates[0]) else "negative"
        if middle.k[2] if verdict == "positive" else middle.n[2] - middle.k[2]:
            note = f"no item that the judge calls {verdict} has a label"
    note = note or _note_on_units(middle.verdicts)
    if note:
        return Rate(measure, None, None, None, items, note)
    # What no label reached may be anything: its share is ½, and the interval has all that it may be.
    value = float(_FORMULAS[measure](*np.nan_to_num(middle.estimates, nan=0.5)))
    low, high = worst.interval(measure, level)[0], best.interval(measure, level)[1]
    return Rate(measure, value, min(low, value), max(high, value), items)


def _note_on_units(verdicts: Verdicts) -> str:
    """Return why labels of few units show no interval, or an empty text."""
    labels = np.zeros(1) if verdicts.unit is None else np.bincount(verdicts.unit[verdicts.rows]).astype(np.float64)
    if verdicts.unit is None or labels.sum() ** 2 >= MIN_EFFECTIVE_UNITS * (labels**2).sum():
        return ""
    return "one unit has most of the labels, so they do not show how units differ"


def judge_consistency(
    agreement: np.ndarray, unit: np.ndarray | None, *, weight: np.ndarray | None = None, level: float = 0.95
) -> Rate:
    """Return how often two verdicts on one item agree.

    Parameters
    ----------
    agreement : ndarray of float64, shape (M,)
        The share of pairs of verdicts that agree, of each item that was judged more than once.
    unit : ndarray of int, shape (M,), optional
        What items come from together, from 0.
    weight : ndarray of float64, shape (M,), optional
        How many items each stands for; by default one.
    """
    items = len(agreement)
    weight = np.ones(items) if weight is None else weight
    whole = Verdicts(np.ones(items), np.arange(items), agreement, weight, unit, weight)
    if note := _note_on_units(whole):
        return Rate("consistency", None, None, None, items, note)
    shares = _Shares.of(whole, agreement)
    low, high = shares.interval("share", level)
    value = float(np.average(agreement, weights=weight))
    return Rate("consistency", value, min(low, value), max(high, value), items)


def forecast_labels(verdicts: Verdicts, measure: str, width: float, *, level: float = 0.95) -> int | None:
    """Return how many labels in all give an interval of a measure of at most this width, if rates stay as they are.

    Labels are taken to be drawn as before. Returns None beyond `MAX_FORECAST_LABELS`.
    """
    if _note_on_units(verdicts):
        return None
    shares = _Shares.of(verdicts, np.nan_to_num(verdicts.y, nan=0.5))
    divisor, labelled = shares.effect(measure, level), len(verdicts.y)

    def expected(labels: int) -> float:
        factor = np.array([labels / labelled, labels / labelled, max(labels / shares.n[2], 1)]) / divisor
        low, high = _melded(_FORMULAS[measure], shares.k * factor, shares.n * factor, level, measure != "rate")
        return high - low

    few, many = 0, labelled
    while expected(many) > width:
        few, many = many, 2 * many
        if many > MAX_FORECAST_LABELS:
            return None
    while many - few > max(1, many // 200):
        middle = (few + many) // 2
        few, many = (middle, many) if expected(middle) > width else (few, middle)
    return many


def _ratio(numerator: Any, denominator: Any, empty: float) -> Any:
    """Return a quotient, and `empty` where the denominator is 0."""
    zero = denominator == 0
    return np.where(zero, empty, numerator / np.where(zero, 1, denominator))


def _positive(a: Any, b: Any, r: Any) -> Any:
    return r * a + (1 - r) * b


_FORMULAS: dict[str, Callable[..., Any]] = {
    "accuracy": lambda a, b, r: r * a + (1 - r) * (1 - b),
    "sensitivity": lambda a, b, r: _ratio(r * a, _positive(a, b, r), 0.5),
    "specificity": lambda a, b, r: _ratio((1 - r) * (1 - b), 1 - _positive(a, b, r), 0.5),
    "kappa": lambda a, b, r: _ratio(
        2 * r * (1 - r) * (a - b), _positive(a, b, r) * (1 - r) + (1 - _positive(a, b, r)) * r, 0.0
    ),
    "rate": _positive,
    "share": lambda a, b, r: a + 0 * (b + r),
}
