"""Recalibration of flat probabilities: maps from predictions to better ones, fitted to labels, and how to test them.

    temperature: σ(z/T)        logistic: σ(a + bz)        beta: σ(a log q − b log(1 − q) + c)

* q is a prediction, z = log q/(1 − q) its log odds, σ the logistic function; T, a, b and c are fitted.

Maps of one probability:

* `temperature` has one parameter, and leaves one half where it is.
* `logistic` is Platt's (1999), with his targets, so that perfectly separated labels have an answer.
* `beta` has a, b ≥ 0 (Kull, Silva Filho & Flach 2017).
* `isotonic` is the monotone curve of least squares, on aggregated ties, linear between predictions.
* `venn_abers` is the mean of the two isotonic fits in which the new label is 0 and 1 (Vovk, Petej & Fedorova 2015).

For K probabilities `temperature` is the softmax of log q/T. `nlpcalib.recalibration.shrinkage` has the default, which
shrinks and averages. A map that was fitted to labels is judged on others: `cross_fit` predicts each fold by a map of
the others, with all pairs of a unit in one fold.

Ten predictions of .8 with six positive labels have the slope 1/T = logit .6/logit .8 = .2925, and become .6:

>>> fitted = fit_temperature(np.full(10, 0.8), np.arange(10) < 6)
>>> round(float(fitted.parameters["slope"]), 4), round(float(fitted(np.array([0.8]))[0]), 6)
(0.2925, 0.6)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from nlpcalib.errors import InputError, counted
from nlpcalib.numerics import MAX_ABS_LOG_ODDS
from nlpcalib.recalibration.saved_map import Map, beta_features, logit, made
from nlpcalib.seeding import generator


@dataclass(frozen=True, slots=True)
class Recalibration:
    """A kind of map, and how it is fitted."""

    fit: Callable[[np.ndarray, np.ndarray], Map]
    """Fits a map to predictions and labels."""
    parameters: int
    """Free parameters, for each class where there are K; curves count as ten."""


def fit_temperature(q: np.ndarray, y: np.ndarray) -> Map:
    """Return the map z/T for the T of the highest likelihood; a slope 1/T that would be negative is 0."""
    floor = floor_of(q)
    slope = max(logistic_weights(logit(q, floor)[:, None], y.astype(np.float64))[0], 0.0)
    return made("linear", intercept=0.0, slope=slope, floor=floor)


def fit_logistic(q: np.ndarray, y: np.ndarray) -> Map:
    """Return the map a + bz on the logit scale, fitted to Platt's targets (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2).

    With a slope b that would be negative the map is constant.
    """
    floor = floor_of(q)
    positives = np.count_nonzero(y)
    target = np.where(y, (positives + 1) / (positives + 2), 1 / (y.size - positives + 2))
    intercept, slope = logistic_weights(_design(logit(q, floor), rows=q.size), target)
    if slope < 0:
        intercept, slope = special.logit(target.mean()), 0.0
    return made("linear", intercept=intercept, slope=slope, floor=floor)


def fit_beta(q: np.ndarray, y: np.ndarray) -> Map:
    """Return beta calibration; a slope that would be negative is 0."""
    floor = floor_of(q)
    target = y.astype(np.float64)
    features = beta_features(q, floor)
    kept = [0, 1]
    weights = logistic_weights(_design(*features, rows=q.size), target)
    while kept and weights[1:].min() < 0:
        del kept[int(np.argmin(weights[1:]))]
        weights = logistic_weights(_design(*(features[index] for index in kept), rows=q.size), target)
    slopes = np.zeros(2)
    slopes[kept] = weights[1:]
    return made("beta", a=slopes[0], b=slopes[1], bias=weights[0], floor=floor)


def fit_isotonic(q: np.ndarray, y: np.ndarray) -> Map:
    """Return isotonic regression, linear between the predictions it was fitted to and constant outside of them."""
    values, weight, frequency = _aggregated(q, y)
    return made("curve", values=values, fitted=optimize.isotonic_regression(frequency, weights=weight).x)


def fit_venn_abers(q: np.ndarray, y: np.ndarray) -> Map:
    """Return the inductive Venn–Abers predictor, its two probabilities merged as p₁/(1 − p₀ + p₁)."""
    values, weight, frequency = _aggregated(q, y)
    # A prediction between two values gets a place of its own, of weight 0.
    weights = np.zeros(2 * values.size + 1)
    sums = np.zeros(2 * values.size + 1)
    weights[1::2], sums[1::2] = weight, weight * frequency
    upper = _fit_with_one(weights, sums)
    lower = 1 - _fit_with_one(weights[::-1], (weights - sums)[::-1])[::-1]
    return made("steps", values=values, merged=upper / (1 - lower + upper))


def fit_class_temperature(q: np.ndarray, y: np.ndarray) -> Map:
    """Return softmax(log q/T) for the T of the highest likelihood; `q` is `(N, K)`, `y` int `(N,)`."""
    floor = floor_of_classes(q)
    slope = inverse_temperature(np.log(np.clip(q, floor, None)), y)[0]
    classes = q.shape[1]
    return made("softmax", weight=np.full(classes, slope), bias=np.zeros(classes), floor=floor)


def inverse_temperature(z: np.ndarray, y: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Return the slope of scores `z` `(N, K)` of the highest likelihood, its gain in log likelihood, and residuals."""
    chosen = z[np.arange(y.size), y]

    def loss(log_slope: float) -> float:
        slope = np.exp(log_slope)
        return float(np.mean(special.logsumexp(slope * z, axis=1) - slope * chosen))

    found = optimize.minimize_scalar(loss, bounds=(-5, 5), method="bounded", options={"xatol": 1e-8}).x
    slope = float(np.exp(found))
    slack = special.softmax(slope * z, axis=1)
    slack[np.arange(y.size), y] -= 1
    return slope, y.size * (loss(0.0) - loss(found)), slack


RECALIBRATIONS = {
    "temperature": Recalibration(fit_temperature, 1),
    "logistic": Recalibration(fit_logistic, 2),
    "beta": Recalibration(fit_beta, 3),
    "isotonic": Recalibration(fit_isotonic, 10),
    "venn_abers": Recalibration(fit_venn_abers, 10),
}
"""Maps of one probability by name, by growing freedom."""

CLASS_RECALIBRATIONS = {"temperature": Recalibration(fit_class_temperature, 1)}
"""Maps of K probabilities by name."""

MAX_P_VALUE = 0.05
"""One-sided p-value up to which held-out labels show a gain."""

EVENTS_PER_PARAMETER = 10
"""Independent labels of the rarer kind that a parameter takes, the usual rule for logistic regression."""


def check_support(method: str, y: np.ndarray, unit: np.ndarray | None) -> None:
    """Raise `InputError` if labels cannot support a method.

    Parameters
    ----------
    method : str
        A key of `RECALIBRATIONS` or `CLASS_RECALIBRATIONS`.
    y : ndarray, shape (N,)
        Labels, bool; of classes int.
    unit : ndarray, shape (N,), int, or None
        Codes of units. Labels of one unit count once, since they may be wrong together.
    """
    if y.dtype == bool:
        methods, kinds = RECALIBRATIONS, {" positive": y, " negative": ~y}
    else:
        # One temperature of all classes is fitted to whether likely or unlikely ones were observed.
        methods, kinds = CLASS_RECALIBRATIONS, {"": np.ones(y.size, bool)}
    counts = {
        kind: np.count_nonzero(rows) if unit is None else np.unique(unit[rows]).size for kind, rows in kinds.items()
    }
    kind, fewest = min(counts.items(), key=lambda one: one[1])
    needed = EVENTS_PER_PARAMETER * methods[method].parameters
    if fewest < needed:
        what = "units with labels" if unit is not None else "labels"
        possible = [name for name, each in methods.items() if EVENTS_PER_PARAMETER * each.parameters <= fewest]
        way_out = f"; these are enough for {' or '.join(possible)}" if possible else ""
        raise InputError(
            f"{method}: found {fewest}{kind} {what}, expected at least {needed} to recalibrate by{way_out}"
        )


def cross_fit(
    fit: Callable[[np.ndarray, np.ndarray], Map],
    q: np.ndarray,
    y: np.ndarray,
    unit: np.ndarray | None,
    *,
    folds: int,
    seed: int,
) -> np.ndarray:
    """Return recalibrated predictions, each by a map that was fitted to the other folds, of the shape of `q`.

    Units stay whole; which fold they are in is drawn with `seed`, so that folds depend on the order of units alone.
    """
    codes = np.arange(y.size) if unit is None else np.unique(unit, return_inverse=True)[1]
    if codes.max() + 1 < folds:
        raise InputError(
            f"folds: found labels of {counted(codes.max() + 1, 'unit')} for {folds} folds, expected one for each"
        )
    fold = fold_of_rows(codes, folds, seed)
    recalibrated = np.empty_like(q)
    for number in range(folds):
        held_out = fold == number
        rest = y[~held_out]
        if np.all(rest == rest[0]):
            raise InputError("labels: found one kind only outside of a fold, expected both in at least two units")
        recalibrated[held_out] = fit(q[~held_out], rest)(q[held_out])
    return recalibrated


def cross_fitted_scores(
    scores: Callable[[np.ndarray, np.ndarray], np.ndarray], y: np.ndarray, fold: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return the loss on held-out labels, in nats, and the log odds of N rows, each by the labels of the other folds.

    Parameters
    ----------
    scores : callable
        Takes two bool `(N,)`, the rows to fit to and the rows to predict, and returns the log odds of the latter.
    y : ndarray of float64, shape (N,)
        Labels in [0, 1], NaN for rows that are predicted alone.
    fold : ndarray of int, shape (N,)
    """
    known, found = ~np.isnan(y), np.empty(len(y))
    for number in np.unique(fold):
        own = fold == number
        found[own] = scores(known & ~own, own)
    return total_log_loss(found[known], y[known]), found


def total_log_loss(scores: np.ndarray, y: np.ndarray) -> float:
    """Return the sum of log losses, in nats, of log odds."""
    return float(-(y * special.log_expit(scores) + (1 - y) * special.log_expit(-scores)).sum())


def fold_of_rows(codes: np.ndarray, folds: int, seed: int) -> np.ndarray:
    """Return the fold of each row, int `(N,)`, from codes of units, 0 … U − 1: no more than U, all of one size."""
    return (generator(seed, "recalibration").permutation(int(codes.max()) + 1) % folds)[codes]


def floor_of(q: np.ndarray) -> float:
    """Return the least probability: half of what is left by the most extreme prediction that is neither 0 nor 1.

    A prediction of 0 or 1 has no logit. What was rounded to it is nearer to it than the nearest other prediction.
    """
    inside = q[(q > 0) & (q < 1)]
    if inside.size == 0:
        return 0.01
    return max(float(min(inside.min(), (1 - inside).min())) / 2, special.expit(-MAX_ABS_LOG_ODDS))


def floor_of_classes(q: np.ndarray) -> float:
    """Return half of the least positive probability, for those that are 0: their logarithms are finite then."""
    return max(float(q[q > 0].min()) / 2, np.finfo(np.float64).tiny)


def _design(*columns: np.ndarray, rows: int) -> np.ndarray:
    return np.column_stack([np.ones(rows), *columns])


def logistic_weights(
    design: np.ndarray, target: np.ndarray, precision: np.ndarray | float = 0.0, centre: np.ndarray | float = 0.0
) -> np.ndarray:
    """Return the weights `(P,)` of a logistic regression of `target` `(N,)` in [0, 1] on `design` `(N, P)`.

    With `precision` `(P,)`, a penalty ½ Σ precision (weight − centre)² shrinks weights towards `centre` `(P,)`.
    """
    weights = np.zeros(design.shape[1]) + centre

    def loss(candidate: np.ndarray) -> float:
        score = design @ candidate
        return float(
            np.sum(np.logaddexp(0, score) - target * score) + np.sum(precision * (candidate - centre) ** 2) / 2
        )

    current = loss(weights)
    for _ in range(100):
        fitted = special.expit(design @ weights)
        gradient = design.T @ (fitted - target) + precision * (weights - centre)
        hessian = design.T @ (design * (fitted * (1 - fitted))[:, None])
        hessian[np.diag_indices_from(hessian)] += precision + 1e-10 * max(np.trace(hessian), 1e-10)
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while (found := loss(weights - size * step)) > current and size > 1e-10:
            size /= 2
        weights = weights - size * step
        if current - found <= 1e-12 * max(abs(current), 1.0):
            break
        current = found
    return weights


def _aggregated(q: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return distinct predictions, how many there are of each, and their label frequencies."""
    values, inverse, counts = np.unique(q, return_inverse=True, return_counts=True)
    return values, counts.astype(np.float64), np.bincount(inverse, weights=y, minlength=values.size) / counts


def _fit_with_one(weights: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Return for each place the isotonic fit there if one more label, 1, is added to it (Algorithms 1 and 2 of Vovk).

    It is a slope of the greatest convex minorant of the cumulative sums, in which all points left of the place are
    moved by (−1, −1). From place to place one point moves. Only the corner at which the slope begins, and those to the
    right of it, matter from there on, so that each point is taken up and dropped once.
    """
    x = np.concatenate([[0.0], np.cumsum(weights)]).tolist()
    y = np.concatenate([[0.0], np.cumsum(sums)]).tolist()
    last = len(x) - 1
    corners: list[tuple[float, float]] = []
    for point in [(x[index], y[index]) for index in range(last, 0, -1)] + [(-1.0, -1.0)]:
        while len(corners) > 1 and not _turns_left(point, corners[-1], corners[-2]):
            corners.pop()
        corners.append(point)
    slopes = np.empty(last)
    for place in range(1, last + 1):
        (x0, y0), (x1, y1) = corners[-1], corners[-2]
        slopes[place - 1] = (y1 - y0) / (x1 - x0)
        moved = x[place] - 1, y[place] - 1
        if place == last or (moved[1] - y0) * (x1 - x0) >= (y1 - y0) * (moved[0] - x0):
            continue
        corners.pop()
        while len(corners) > 1 and not _turns_left(moved, corners[-1], corners[-2]):
            corners.pop()
        corners.append(moved)
    return slopes


def _turns_left(first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]) -> bool:
    return (middle[0] - first[0]) * (last[1] - first[1]) > (middle[1] - first[1]) * (last[0] - first[0])
