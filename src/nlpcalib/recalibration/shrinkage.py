"""The recalibration that shrinks: towards doing nothing, as far as labels do not show otherwise.

    s = Σ_m ω_m s_m,   ω = argmin  −Σ_i log softmax(s_i)[y_i]/d + toll · Σ_m m ω_m

* s_m are the scores of candidate m, in nats, from labels of other folds; probabilities are the softmax of s. The one
  score of a yes or no is its log odds.
* ω_m ≥ 0 is its weight in the average; weights sum to 1. y_i is the label of row i.
* d ≥ 1 is the design effect of units, and the toll the nats that a step of freedom costs.

Candidates are nested, each a shift of scores that is linear in its parameters, with ridges that labels choose
(`nlpcalib.recalibration.shifts`). Raw scores are a candidate, so that predictions may be left as they are.

One probability, z its logit, takes a slope, a shift, and a curve of cosines of the rank of z. The scores x of K
classes, their log-probabilities times one inverse temperature, become

    s_k = x_k + b_k + d_k v_k + Σ_{j≠k} m_kj v_j + c_k w_k,  v = log(p + 1/2n) − mean,  w = −log(1 + 1/2n − p) − mean

* p = exp x are probabilities, and n is the number of labelled rows.
* b are biases, d slopes, c bends as in beta calibration, and m confusions as in matrix scaling.

A map of one probability then corrects the likeliest class, whose share is all that changes. Where rows of one
probability have labels, such as types of entities, a line for each label is a further candidate, which starts from the
average of the others (`nlpcalib.recalibration.label_lines`).

A candidate that gives 100 labels, 75 of them positive, the log odds log 3, right next to raw log odds of 0, would have
the weight 1 without a toll. With a toll of one nat it has the ω with σ(ω log 3) = .75 − 1/(100 log 3), .9563:

>>> scores = np.zeros((2, 100, 1))
>>> scores[1] = np.log(3)
>>> average(scores, np.repeat([1, 0], [75, 25]), weight=1.0, toll=1.0).tolist()
[0.0437, 0.9563]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize, special

from nlpcalib.errors import InputError, counted
from nlpcalib.recalibration.fitting import MAX_P_VALUE, floor_of, floor_of_classes, fold_of_rows, inverse_temperature
from nlpcalib.recalibration.label_lines import LabelLines, learned_ridges
from nlpcalib.recalibration.rank_curve import curve_through
from nlpcalib.recalibration.saved_map import Map, class_features, corrected_top, curve_of, logit, made
from nlpcalib.recalibration.shifts import Shifts, log_losses, shifted

MAX_CONFUSED_CLASSES = 40
"""Most classes with confusions: their Hessian has K⁴ entries."""
_CURVE_GRID_POINTS = 200
"""Places at which a curve is written, evenly in z, and as many at quantiles of z."""
MAX_FITTED_PLACES = 65_536
"""Most places of one probability in a fit: beyond it, rows next to each other with one label are one, at their mean."""

Basis = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Computes base scores (M, K), shared features (M, P) and own ones (M, K) of `Shifts` from rows of predictions."""


@dataclass(frozen=True)
class Known:
    """The labelled rows that parameters are fitted to, and the basis that they determine."""

    basis: Basis
    x: np.ndarray
    """Predictions, as the basis takes them."""
    y: np.ndarray
    count: np.ndarray
    """How many rows each stands for."""

    def shifts(self, group: np.ndarray, weight: float = 1.0) -> Shifts:
        """Return the likelihood of parameters of groups (K, P + 1), in which each row has a weight."""
        return Shifts(*self.basis(self.x), self.y, group, weight * self.count)


@dataclass(frozen=True)
class MapFamily:
    """The candidates for one kind of predictions."""

    names: tuple[str, ...]
    """Names of the candidates by growing freedom; the first leaves predictions as they are."""
    group: np.ndarray
    """int (K, P + 1), as in `Shifts`."""
    groups: tuple[tuple[int, ...], ...]
    """The groups of parameters that are free in each candidate."""
    prior: np.ndarray
    """float64 (G,): λ⁰ of each group."""
    strength: float
    """a of the prior of ridges."""
    toll: float
    """Nats that a step of freedom costs."""
    pilot: int
    """The candidate whose residuals the design effect is measured on."""


@dataclass(frozen=True)
class Average:
    """Candidates fitted to labels, and their average."""

    weights: np.ndarray
    """float64 (M,): the weight of each candidate; weights sum to 1."""
    parameters: np.ndarray
    """float64 (K, P + 1): the average of the parameters fitted to all labels."""
    held_out: np.ndarray
    """float64 (M, N, K): scores of each candidate, fitted to the other folds."""
    y: np.ndarray
    unit: np.ndarray
    """int (N,): codes of units."""
    weight: float
    """1 over the design effect."""
    toll: float

    @property
    def scores(self) -> np.ndarray:
        """Averaged scores of the other folds' candidates, float64 (N, K)."""
        return np.einsum("m,mnk->nk", self.weights, self.held_out)

    @property
    def gain(self) -> float:
        """The held-out gain of log likelihood by the average, in its standard errors."""
        return self._gain(self.scores)

    def gain_of_first(self, candidates: int) -> float:
        """Return the held-out gain of log likelihood by the average of the first `candidates`, in standard errors."""
        if candidates >= len(self.held_out):
            return self.gain
        held_out = self.held_out[:candidates]
        return self._gain(np.einsum("m,mnk->nk", average(held_out, self.y, self.weight, self.toll), held_out))

    def _gain(self, scores: np.ndarray) -> float:
        gains = log_losses(self.held_out[0], self.y)[0] - log_losses(scores, self.y)[0]
        return _in_standard_errors(gains, self.unit)


@dataclass(frozen=True)
class Shrinkage:
    """A fitted map, predictions by labels of other units, and what the labels show."""

    map: Map
    q: np.ndarray
    """float64, of the shape of the predictions. Weights and ridges are those of all labels."""
    weights: dict[str, float]
    """Weight of each candidate in the average."""
    shown: float
    """The gain in log likelihood that held-out labels show, in its standard errors, without confusions of classes."""
    sharper: float
    """The same with confusions."""

    folds: int

    @property
    def finished(self) -> bool:
        """Whether these labels show no error of calibration."""
        return bool(special.ndtr(-self.shown) > MAX_P_VALUE)

    @property
    def sharpens(self) -> bool:
        """Whether these labels show that classes are confused, so that more labels would sharpen predictions."""
        return bool(special.ndtr(-self.sharper) <= MAX_P_VALUE)

    @property
    def left_as_it_is(self) -> bool:
        """Whether the map changes nothing."""
        return self.weights["raw"] == 1 and not self.weights.get("likeliest class") and not self.weights.get("labels")


def fit_shrinkage(
    q: np.ndarray,
    y: np.ndarray,
    unit: np.ndarray | None = None,
    *,
    label: np.ndarray | None = None,
    label_names: Sequence[str] = (),
    folds: int | None = None,
    seed: int = 0,
) -> Shrinkage:
    """Return the recalibration of one probability `(N,)` with `y` bool, or of classes `(N, K)` with `y` int.

    Labels of a `unit`, int `(N,)`, count by their design effect, and are in one fold; folds are drawn with `seed`. By
    default there are ten folds of up to 1,000 labels, and five of more. `label`, codes of `label_names` for one
    probability, is what each row is of: its map may be another one. Raises `InputError` for fewer than two units.
    """
    codes = np.arange(y.size) if unit is None else np.unique(unit, return_inverse=True)[1]
    units = int(codes.max(initial=-1)) + 1
    if units < max(folds or 2, 2):
        raise InputError(
            f"folds: found labels of {counted(units, 'unit')} for {max(folds or 2, 2)} folds, expected one for each"
        )
    fold = fold_of_rows(codes, folds or min(10 if y.size <= 1000 else 5, units), seed)
    if q.ndim == 2:
        return _of_classes(q, y, codes, fold)
    found, pooled = _of_one(q, y, codes, fold)
    return found if label is None else _by_class(found, pooled, label, label_names, fold)


def average(held_out: np.ndarray, y: np.ndarray, weight: float, toll: float) -> np.ndarray:
    """Return the weights `(M,)` of M scores `(M, N, K)` of the highest likelihood less `toll` for each step."""
    if len(held_out) == 1:
        return np.ones(1)
    steps = toll * np.arange(len(held_out)) / y.size

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        losses, slack = log_losses(np.einsum("m,mnk->nk", weights, held_out), y)
        slope = np.einsum("mnk,nk->m", held_out, slack)
        return (weight * losses.sum()) / y.size + steps @ weights, weight * slope / y.size + steps

    found = optimize.minimize(
        loss,
        np.full(len(held_out), 1 / len(held_out)),
        jac=True,
        method="SLSQP",
        bounds=[(0, 1)] * len(held_out),
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": np.ones_like},
        options={"ftol": 1e-10, "maxiter": 200},
    ).x.round(4)
    found[found < 0.001] = 0.0
    return found / found.sum()


def _averaged(
    family: MapFamily,
    raw: np.ndarray,
    x: np.ndarray,
    fit_to: Callable[[np.ndarray], Known],
    y: np.ndarray,
    codes: np.ndarray,
    fold: np.ndarray,
) -> Average:
    """Return the average of the candidates, with `raw` scores (N, K) of rows `x`.

    `fit_to` takes the rows, bool (N,), to fit to.
    """
    every = fit_to(np.ones(y.size, bool))
    shifts = every.shifts(family.group)
    nothing = np.zeros(family.group.shape)

    def penalties(candidate: int) -> np.ndarray:
        free = np.isin(np.arange(family.prior.size), family.groups[candidate])
        return np.where(free, family.prior, np.inf)

    weight = 1.0
    if codes.max() + 1 < y.size:
        pilot = shifts.fit(penalties(family.pilot), nothing)
        weight = 1 / _slack_design_effect(log_losses(shifted(*every.basis(x), pilot), y)[1], codes)
    shifts = replace(shifts, weight=weight * shifts.weight)
    learned = [(penalties(0), nothing)]
    for candidate in range(1, len(family.names)):
        learned.append(shifts.learn(penalties(candidate), family.strength, learned[-1][1]))
    held_out = np.empty((len(learned), *raw.shape))
    held_out[0] = raw
    for number in range(fold.max() + 1):
        rows = fold == number
        known = fit_to(~rows)
        fitted, features = known.shifts(family.group, weight), known.basis(x[rows])
        for candidate, (ridge, theta) in enumerate(learned[1:], 1):
            held_out[candidate, rows] = shifted(*features, fitted.fit(ridge, theta))
    weights = average(held_out, y, weight, family.toll)
    parameters = np.einsum("m,mkp->kp", weights, np.array([theta for _, theta in learned]))
    return Average(weights, parameters, held_out, y, codes, weight, family.toll)


def _slack_design_effect(slack: np.ndarray, codes: np.ndarray) -> float:
    """Return by how much totals of units vary more than their rows would independently, at least 1."""
    totals = np.array([np.bincount(codes, weights=column) for column in slack.T])
    return max(1.0, float(np.sum(totals**2) / max(np.sum(slack**2), 1e-300)))


def _in_standard_errors(gains: np.ndarray, codes: np.ndarray) -> float:
    """Return the sum of gains over the standard error of a sum of independent units; 0 where nothing is gained."""
    count = np.bincount(codes)
    error = np.sqrt(np.sum((np.bincount(codes, weights=gains) - count * gains.mean()) ** 2))
    return float(gains.sum() / error) if error > 0 else 0.0


_PROBABILITY_FAMILY = MapFamily(
    names=("raw", "slope", "shift", "curve"),
    group=np.array([[0, 1, 2, *[3] * 7, -1]]),
    groups=((), (0,), (1, 2), (1, 2, 3)),
    prior=np.array([8.0, 2.8, 8.0, 4.0]),
    strength=1.0,
    toll=1.0,
    pilot=2,
)
"""Candidates of one probability: untouched, a slope, slope and shift, these and seven cosines."""


def _of_one(q: np.ndarray, y: np.ndarray, codes: np.ndarray, fold: np.ndarray) -> tuple[Shrinkage, Average]:
    floor = floor_of(q)
    z = logit(q, floor)
    label, place = y.astype(int), _places(z, y)
    of_place = np.bincount(place, y) > 0

    def fit_to(rows: np.ndarray) -> Known:
        count = np.bincount(place[rows], minlength=of_place.size)
        some = count > 0
        middle = np.bincount(place[rows], z[rows], of_place.size)[some] / count[some]
        return Known(curve_through(z[rows]), middle, of_place[some].astype(int), count[some])

    found = _averaged(_PROBABILITY_FAMILY, z[:, None], z, fit_to, label, codes, fold)
    held_out = special.expit(found.scores[:, 0])
    weights = dict(zip(_PROBABILITY_FAMILY.names, found.weights.tolist(), strict=True))
    changed = held_out if found.weights[0] < 1 else q
    return Shrinkage(_map_of_one(found, floor, z), changed, weights, found.gain, found.gain, fold.max() + 1), found


def _places(z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the place, int (N,), of each row in a fit: neighbours of one label have the same one if rows are many."""
    if y.size <= MAX_FITTED_PLACES:
        return np.arange(y.size)
    values, rank = np.unique(z, return_inverse=True)
    places = min(values.size, MAX_FITTED_PLACES)
    return rank * places // values.size + places * y


def _by_class(
    shared: Shrinkage, pooled: Average, label: np.ndarray, names: Sequence[str], fold: np.ndarray
) -> Shrinkage:
    """Return a recalibration with a line for each label, as far as held-out labels are predicted better so."""
    scores, y = pooled.scores[:, 0], pooled.y
    ridge = learned_ridges(scores, y, label, pooled.weight)
    of_label = np.empty_like(scores)
    # A label that no row of the other folds has keeps the shared scores, as a label of code 0 … L − 1 without rows.
    every = np.arange(len(names))
    for number in range(fold.max() + 1):
        rest, rows = fold != number, fold == number
        lines = LabelLines.of(scores[rest], y[rest], label[rest], ridge, pooled.weight, labels=every.size)
        of_label[rows] = lines(scores[rows], label[rows])
    held_out = np.stack([scores, of_label])[..., None]
    share = float(average(held_out, y, pooled.weight, _PROBABILITY_FAMILY.toll)[1])
    weights = shared.weights | {"labels": share}
    if share == 0:
        return replace(shared, weights=weights)
    lines = LabelLines.of(scores, y, label, ridge, pooled.weight, labels=every.size)
    averaged = (1 - share) * scores + share * of_label
    gain = _in_standard_errors(log_losses(pooled.held_out[0], y)[0] - log_losses(averaged[:, None], y)[0], pooled.unit)
    slope = share * lines.slope
    fitted = made(
        "by_class",
        floor=floor_of(shared.q),
        intercept=share * lines.shift - slope * lines.middle,
        slope=1 + slope,
        **(curve_of(shared.map) if shared.weights["raw"] < 1 else _unchanged()),
    )
    fitted = replace(fitted, labels=tuple(names))
    return Shrinkage(fitted, special.expit(averaged), weights, gain, gain, shared.folds)


def _map_of_one(found: Average, floor: float, z: np.ndarray) -> Map:
    """Return a line of logits, or, where there are cosines or the line falls, a curve that never falls."""
    through, shift, slope, *curve = found.parameters[0, :-1].tolist()
    slope = 1 + through + slope
    if slope >= 0 and not any(curve):
        middle = float(z.mean())
        return made("linear", intercept=shift - (slope - 1 - through) * middle, slope=slope, floor=floor)
    low, high = special.logit([floor, 1 - floor])
    grid = np.unique(
        np.concatenate(
            [np.linspace(low, high, _CURVE_GRID_POINTS), np.quantile(z, np.linspace(0, 1, _CURVE_GRID_POINTS))]
        )
    )
    base, shared, _ = curve_through(z)(grid)
    fitted = special.expit(base[:, 0] + np.einsum("np,p->n", shared, found.parameters[0, :-1]))
    values, first = np.unique(special.expit(grid), return_index=True)
    return made("curve", values=values, fitted=optimize.isotonic_regression(fitted[first]).x)


def _family_of(classes: int) -> MapFamily:
    diagonal = np.eye(classes, dtype=bool)
    confusion = 2 * classes * (classes - 1)
    return MapFamily(
        names=("raw", "temperature", "biases", "slopes and bends", "confusions")[
            : 5 if classes <= MAX_CONFUSED_CLASSES else 4
        ],
        group=np.column_stack([np.zeros(classes, int), np.where(diagonal, 1, 3), np.full(classes, 2)]),
        groups=((), (), (0,), (0, 1, 2), (0, 1, 2, 3)),
        prior=np.array([2.0 * classes, 2.0 * classes, 2.0 * classes, max(confusion, 1)]),
        strength=3.0,
        toll=0.25,
        pilot=3,
    )


@dataclass(frozen=True)
class _ClassBasis:
    """Log-probabilities at one inverse temperature, and both logarithms of each, less their means."""

    heat: float
    soft: float
    means: tuple[np.ndarray, np.ndarray]

    def __call__(self, logs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        x, v, w = class_features(self.heat * logs, self.soft)
        return x, np.column_stack([np.ones(len(logs)), v - self.means[0]]), w - self.means[1]


def _of_classes(q: np.ndarray, y: np.ndarray, codes: np.ndarray, fold: np.ndarray) -> Shrinkage:
    # Next to a probability of 1 less is no step of a float64, and its logarithm would outweigh all others.
    soft, floor = 0.5 / y.size, max(floor_of_classes(q), float(np.finfo(np.float64).eps))
    family, logs = _family_of(q.shape[1]), np.log(np.clip(q, floor, None))

    def fit_basis(rows: np.ndarray) -> _ClassBasis:
        heat = _shrunk_slope(logs[rows], y[rows], codes[rows])
        _, v, w = class_features(heat * logs[rows], soft)
        return _ClassBasis(heat, soft, (v.mean(axis=0), w.mean(axis=0)))

    def fit_to(rows: np.ndarray) -> Known:
        return Known(fit_basis(rows), logs[rows], y[rows], np.ones(np.count_nonzero(rows)))

    found = _averaged(family, special.log_softmax(logs, axis=1), logs, fit_to, y, codes, fold)
    weights = dict(zip(family.names, found.weights.tolist(), strict=True))
    held_out = special.softmax(found.scores, axis=1) if weights["raw"] < 1 else q
    best = held_out.argmax(axis=1)
    top, _ = _of_one(held_out[np.arange(y.size), best], best == y, codes, fold)
    changed = top.weights["raw"] < 1
    theta, basis = found.parameters, fit_basis(np.ones(y.size, bool))
    fitted = made(
        "shifts",
        heat=basis.heat,
        slope=weights["raw"] + (1 - weights["raw"]) * basis.heat,
        soft=soft,
        floor=floor,
        bias=theta[:, 0] - theta[:, 1:-1] @ basis.means[0] - theta[:, -1] * basis.means[1],
        matrix=theta[:, 1:-1].ravel(),
        bend=theta[:, -1],
        **(curve_of(top.map) if changed else _unchanged()),
    )
    return Shrinkage(
        fitted,
        corrected_top(held_out, top.q) if changed else held_out,
        weights | {"likeliest class": 1 - top.weights["raw"]},
        max(found.gain_of_first(4), top.shown),
        found.gain,
        fold.max() + 1,
    )


def _unchanged() -> dict[str, np.ndarray]:
    """Return the curve that changes nothing."""
    return dict.fromkeys(("values", "fitted"), np.array([0.0, 1.0]))


def _shrunk_slope(logs: np.ndarray, y: np.ndarray, codes: np.ndarray) -> float:
    """Return the inverse temperature, its logarithm shrunk by what one that is 1 would show by chance."""
    slope, gain, slack = inverse_temperature(logs, y)
    evidence = 2 * gain / _slack_design_effect(slack, codes)
    return float(np.exp(np.log(slope) * max(1 - 1 / evidence, 0.0))) if evidence > 0 else 1.0
