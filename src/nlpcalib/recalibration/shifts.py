"""Logistic shifts of scores, linear in their parameters, with a ridge for each group that the labels choose.

Scores of K classes are s = base + θ · features, and probabilities are their softmax. The one score of a yes or no is
its log odds. The likelihood is concave in θ.
Each group g of parameters has a ridge λ_g, half of which times |θ_g|² is taken from the log likelihood. Ridges are
those of the highest posterior under a Gamma prior, by MacKay's fixed point (1992): with γ_g the number of parameters
that the labels decide, λ_g = (γ_g + 2a)/(|θ_g|² + 2a/λ⁰_g).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg, special

from nlpcalib.numerics import NEWTON_STEPS

_FIRST_RELAXATION = 1.7
"""First steps of log λ, as multiples of the fixed point's, which is slow; halved where one turns back."""
LAST_LOG_RIDGE_STEP = 0.02
"""Largest step of log λ at which the search for ridges ends."""
_LAST_PROMISED_SHARE = 1e-12
"""Share of the log likelihood that a Newton step must promise for a fit to go on."""
_MAX_CURVATURE_ROWS = 4000
"""Most rows that a curvature is computed from; gradients are those of all rows."""
_PARAMETER_DIGITS = 7
"""Decimals of parameters, so that they do not depend on how many threads add up a curvature."""


def log_losses(scores: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the log loss (N,) of each row, and its gradient by scores (N, K).

    Scores (N, K) of K > 1 are those of classes, and (N, 1) the log odds that y is 1. `y` is int (N,).
    """
    if scores.shape[1] == 1:
        odds = scores[:, 0]
        rest = np.exp(-np.abs(odds))
        losses = np.maximum(odds, 0) - y * odds + np.log1p(rest)
        slack = np.where(odds >= 0, 1.0, rest) / (1 + rest) - y
        return losses, slack[:, None]
    rows = np.arange(y.size)
    top = scores.max(axis=1)
    slack = np.exp(scores - top[:, None])
    total = slack.sum(axis=1)
    slack /= total[:, None]
    slack[rows, y] -= 1
    return top + np.log(total) - scores[rows, y], slack


def shifted(base: np.ndarray, shared: np.ndarray, own: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Return the scores, float64 (N, K), of parameters (K, P + 1); the others are those of `Shifts`."""
    return base + shared @ theta[:, :-1].T + own * theta[:, -1]


@dataclass(frozen=True)
class Shifts:
    """Labelled rows with scores that can be shifted."""

    base: np.ndarray
    """float64 (N, K): scores that parameters of 0 leave as they are; K is 1 for the log odds of a yes or no."""
    shared: np.ndarray
    """float64 (N, P): features that every score has a parameter for."""
    own: np.ndarray
    """float64 (N, K): one feature of each score."""
    y: np.ndarray
    """int (N,): the class, or 1 for yes."""
    group: np.ndarray
    """int (K, P + 1): the group of each parameter, the score's own last; −1 for those that are always 0."""
    weight: np.ndarray
    """float64 (N,): weight of each row's log likelihood: how many it stands for, over the design effect."""

    def scores(self, theta: np.ndarray) -> np.ndarray:
        """Return the scores, float64 (N, K), of parameters (K, P + 1)."""
        return shifted(self.base, self.shared, self.own, theta)

    def loss(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the negative log likelihood, and its gradient by scores (N, K)."""
        losses, slack = log_losses(self.scores(theta), self.y)
        return float(self.weight @ losses), self.weight[:, None] * slack

    def gradient(self, slack: np.ndarray) -> np.ndarray:
        """Return the gradient by parameters (K, P + 1) of the gradient by scores."""
        return np.column_stack([slack.T @ self.shared, np.einsum("nk,nk->k", slack, self.own)])

    def curvature(self, theta: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Return the Hessian of the negative log likelihood by `free` parameters, from at most 4,000 rows."""
        rows = np.arange(self.y.size)
        if rows.size > _MAX_CURVATURE_ROWS:
            rows = np.linspace(0, rows.size - 1, _MAX_CURVATURE_ROWS).astype(int)
        some = replace(self, base=self.base[rows], shared=self.shared[rows], own=self.own[rows], y=self.y[rows])
        weight = self.weight[rows]
        scores = some.scores(theta)
        p = special.expit(scores) if scores.shape[1] == 1 else special.softmax(scores, axis=1)
        designs = [
            np.column_stack([some.shared[:, free[k, :-1]], some.own[:, [k]][:, free[k, -1:]]]) for k in range(len(free))
        ]
        # Parameters of two scores meet in −Σ p_k p_o x_k x_o, which is one product of matrices for all of them.
        root = np.sqrt(weight)[:, None]
        weighted = np.hstack([root * p[:, [k]] * design for k, design in enumerate(designs)])
        found = -weighted.T @ weighted
        ends = np.cumsum([0, *(design.shape[1] for design in designs)])
        for k, design in enumerate(designs):
            own = slice(ends[k], ends[k + 1])
            found[own, own] = design.T @ ((weight * p[:, k] * (1 - p[:, k]))[:, None] * design)
        return self.weight.sum() / weight.sum() * found

    def fit(self, ridge: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Return the parameters (K, P + 1) of the highest penalised likelihood, those with an infinite ridge 0.

        `ridge` (G,) is of each group. Newton's method, whose curvature is computed anew where steps stop to pay.
        """
        free = (self.group >= 0) & np.isfinite(ridge)[self.group]
        theta = np.where(free, start, 0.0)
        if not free.any():
            return theta
        used = int(np.flatnonzero(free[:, :-1].any(axis=0)).max(initial=-1)) + 1
        if used < self.shared.shape[1]:  # features that stay 0 cost as much time as others
            kept = [*range(used), -1]
            few = replace(self, shared=self.shared[:, :used], group=self.group[:, kept])
            theta[:, kept] = few.fit(ridge, start[:, kept])
            return theta
        penalty = np.where(free, ridge[self.group], 0.0)
        loss, slack = self.loss(theta)
        value, last, factor = loss + np.sum(penalty * theta**2) / 2, np.inf, None
        for _ in range(200):
            gradient = (self.gradient(slack) + penalty * theta)[free]
            fresh = factor is None
            if fresh:
                factor = linalg.cho_factor(self.curvature(theta, free) + np.diag(penalty[free]))
            step = np.zeros_like(theta)
            step[free] = linalg.cho_solve(factor, gradient)
            promised = float(gradient @ step[free])
            if promised < _LAST_PROMISED_SHARE * (1 + value):
                break
            size, found = 1.0, np.inf
            while found > value - 1e-4 * size * promised and size > 1e-6:
                moved = theta - size * step
                loss, moved_slack = self.loss(moved)
                found = loss + np.sum(penalty * moved**2) / 2
                size /= 2
            if found < value:
                theta, value, slack = moved, found, moved_slack
            elif fresh:  # rounding is all that is left
                break
            if size < 0.5 or promised > last / 4:
                factor = None
            last = promised
        return np.round(theta, _PARAMETER_DIGITS)

    def learn(self, prior: np.ndarray, strength: float, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the ridge (G,) of each group and the parameters fitted with them.

        `prior` (G,) has λ⁰, infinite for groups that stay 0, and `strength` is a, by how much the prior counts.
        """
        ridge, theta = prior, start
        present = np.unique(self.group[(self.group >= 0) & np.isfinite(prior)[self.group]])
        if present.size == 0:
            return ridge, np.zeros_like(start)
        free = (self.group >= 0) & np.isfinite(prior)[self.group]
        relaxed, last = np.full(prior.size, _FIRST_RELAXATION), np.zeros(prior.size)
        for _ in range(NEWTON_STEPS):
            theta = self.fit(ridge, theta)
            inverse = linalg.inv(self.curvature(theta, free) + np.diag(ridge[self.group[free]]))
            move = np.zeros_like(ridge)
            for g in present:
                members = self.group[free] == g
                decided = members.sum() - ridge[g] * np.trace(inverse[np.ix_(members, members)])
                size = np.sum(theta[free][members] ** 2)
                move[g] = np.log((decided + 2 * strength) / (size + 2 * strength / prior[g]) / ridge[g])
            relaxed, last = np.where(move * last < 0, relaxed / 2, relaxed), move
            ridge = np.array([float(f"{each:.6g}") for each in ridge * np.exp(relaxed * move)])
            if np.abs(move).max() < LAST_LOG_RIDGE_STEP:
                break
        return ridge, self.fit(ridge, theta)
