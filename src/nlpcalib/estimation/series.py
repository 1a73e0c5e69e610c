"""Series whose periods share their labels: a posterior of what the model misses, which may jump, and of what it finds.

Labels of one period are few. Those of all periods help as far as rates stay. What stays is not assumed but averaged
over, each way weighted by the likelihood of the labels:

* Where q ≤ .01, the rate of positive items in period t is ρ_t f_t^γ, with f_t what the model finds there per such item.
  So a model misses a rate of items (γ = 0) or a share of events (γ = 1). ρ_t jumps with a chance, far or a little.
* Between, the log odds are a + b logit q + u_t. The offset u_t stays from period to period, or is drawn anew.
* Where q ≥ .99 there is one rate.

Chains of ρ and u are exact on grids: a filter forward, draws backward.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logsumexp, xlog1py, xlogy

from nlpcalib.errors import InputError
from nlpcalib.estimation.score import Totals
from nlpcalib.estimation.working_model import draw_lines
from nlpcalib.sampling.cells import LEVELS, LOG_ODDS, Cells
from nlpcalib.seeding import generator

_DRAWS = 1000
_LINES = 100
"""Draws of a and b."""
_RATES = np.exp(np.linspace(np.log(0.0002), np.log(0.6), 40))
_EXPONENTS = (0.0, 0.5, 1.0)
_JUMPS = np.array([0.02, 0.08, 0.2, 0.5, 1])
"""The chance that ρ jumps between two periods, each as likely. Half of the jumps go anywhere, half a little."""
_NEAR = 0.5
"""Standard deviation of a small jump, of log ρ."""
_OFFSETS = {0.3: 0.3, 0.6: 0.35, 1.0: 0.35}
"""The standard deviation of u_t, and its prior."""
_ANEW = (0.2, 1.0)
"""The chance that u_t is drawn anew, each as likely."""
_GRID = np.linspace(-3, 3, 25)
"""u_t over its standard deviation."""


@dataclass(frozen=True, eq=False)
class Chains:
    """Markov chains of P periods on K states, in (…,) cases that differ in parameters."""

    start: np.ndarray
    """float64 (K,): the distribution in the first period, and of a state that is drawn anew."""
    stay: np.ndarray
    """float64 (…,): the chance that a state stays."""
    anew: np.ndarray
    """float64 (…,): that it is drawn anew; else it moves."""
    move: np.ndarray | None = None
    """float64 (K, K): the distribution of a state that moves, by row; None where none does."""

    def _next(self, now: np.ndarray) -> np.ndarray:
        """Return the distributions (…, K) one period later."""
        later = self.stay[..., None] * now + self.anew[..., None] * self.start
        return later if self.move is None else later + (1 - self.stay - self.anew)[..., None] * (now @ self.move)

    def filter(self, likelihood: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the states' distributions given the labels so far, (P, …, K), and the log likelihood of all, (…,).

        `likelihood` is the log likelihood of each period's labels, (P, …, K).
        """
        found, total, now = [], np.zeros(likelihood.shape[1:-1]), None
        for each in likelihood:
            before = np.broadcast_to(self.start, each.shape) if now is None else self._next(now)
            best = each.max(axis=-1, keepdims=True)
            now = before * np.exp(each - best)
            scale = now.sum(axis=-1, keepdims=True)
            now = now / scale
            total = total + (best + np.log(scale))[..., 0]
            found.append(now)
        return np.array(found), total

    def draw(self, filtered: np.ndarray, case: tuple[np.ndarray, ...], random: np.random.Generator) -> np.ndarray:
        """Return states, int64 (P, D), of D cases, drawn backward from what `filter` returned."""
        stay, anew = self.stay[case], self.anew[case]
        every = np.arange(len(stay))
        states = np.empty((len(filtered), len(stay)), dtype=np.int64)
        for period in range(len(filtered) - 1, -1, -1):
            weight = filtered[(period, *case)]
            if period < len(filtered) - 1:
                after = states[period + 1]
                reach = np.repeat((anew * self.start[after])[:, None], weight.shape[1], axis=1)
                reach[every, after] += stay
                if self.move is not None:
                    reach += (1 - stay - anew)[:, None] * self.move[:, after].T
                weight = weight * reach
            cumulated = np.cumsum(weight, axis=1)
            bound = random.random(len(stay)) * cumulated[:, -1]
            states[period] = (cumulated < bound[:, None]).sum(axis=1)
        return states


def series(cells: Cells, level: float = 0.95, seed: int = 0) -> Totals:
    """Return the totals of periods in order, for cells (P, C): posterior means and central intervals.

    Raises `InputError` if there are fewer than two periods, or a part of the series has no label at all: nothing can
    be carried over to it.
    """
    periods = len(cells.size)
    read = cells.read.sum(axis=1)
    if periods < 2:
        raise InputError(f"series: found {periods} period, expected at least two")
    for end, part in (("first", read), ("last", read[::-1])):
        if not part[0]:
            count = int(np.argmax(part > 0)) if part.any() else periods
            raise InputError(
                f"series: found no label in the {end} {count} periods, expected one; "
                "the model may have changed there, and no label reaches it"
            )
    random = generator(seed, "series")
    n, k, unread = (
        np.stack([part[:, cells.level == each].sum(axis=1) for each in range(LEVELS)], axis=1)
        for part in (cells.read, cells.positive, cells.size - cells.read)
    )
    sure, between, last = 0, slice(1, LEVELS - 1), LEVELS - 1
    value = LOG_ODDS[between]
    u, lines = _offsets(value, n[:, between], k[:, between], draw_lines(cells, _LINES, random), random)
    log_odds = lines[:, :1] + lines[:, 1:] * value
    rate = np.stack([expit(log_odds + each[:, None]) for each in u])  # (P, draws, levels)
    mean = np.einsum("tdl,tl->td", rate, unread[:, between])
    variance = np.einsum("tdl,tl->td", rate * (1 - rate), unread[:, between])
    whole = unread[:, between].sum(axis=1)
    found = np.clip(np.round(random.normal(mean, np.sqrt(variance))), 0, whole[:, None])
    size = n + unread
    average = expit(lines[:, :1].mean() + lines[:, 1:].mean() * value)
    events = size[:, between] @ average + size[:, last]
    missed = _missed(n[:, sure], k[:, sure], events / np.maximum(size[:, sure], 1), random)
    hidden = random.binomial(unread[:, sure].astype(np.int64)[:, None], missed)
    certain = random.beta(k[:, last].sum() + 0.5, (n - k)[:, last].sum() + 0.5, size=_DRAWS)
    shown = random.binomial(unread[:, last].astype(np.int64)[:, None], certain)
    total = k.sum(axis=1)[:, None] + found + hidden + shown
    low, high = np.quantile(total, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return Totals(total.mean(axis=1), low, high)


def _missed(n: np.ndarray, k: np.ndarray, found: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return draws of the rate where q ≤ .01, (P, draws), for labels n, k and what is found per item there, (P,)."""
    relative = np.exp(np.log(np.maximum(found, 1e-6)) - np.log(np.maximum(found, 1e-6)).mean())
    scale = relative[:, None] ** np.array(_EXPONENTS)
    rate = np.minimum(_RATES * scale[:, :, None], 0.99)  # (P, exponents, K)
    likelihood = xlogy(k[:, None, None], rate) + xlog1py((n - k)[:, None, None], -rate)
    start = np.sqrt(_RATES) / np.sqrt(_RATES).sum()
    near = np.exp(-((np.subtract.outer(np.log(_RATES), np.log(_RATES)) / _NEAR) ** 2) / 2)
    chains = Chains(start, 1 - _JUMPS, _JUMPS / 2, near / near.sum(axis=1, keepdims=True))
    shape = (len(n), len(_EXPONENTS), len(_JUMPS), len(_RATES))
    filtered, total = chains.filter(np.broadcast_to(likelihood[:, :, None], shape))
    weight = np.exp(total - total.max())
    exponent, jumps = np.unravel_index(
        random.choice(weight.size, _DRAWS, p=(weight / weight.sum()).ravel()), weight.shape
    )
    stay, anew = (np.broadcast_to(part, weight.shape) for part in (chains.stay, chains.anew))
    wide = Chains(start, stay, anew, chains.move)
    states = wide.draw(filtered, (exponent, jumps), random)
    return rate[np.arange(len(n))[:, None], exponent, states]


def _offsets(
    value: np.ndarray, n: np.ndarray, k: np.ndarray, lines: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return draws of u_t, (P, draws), and the line a, b of each, (draws, 2), for labels n, k (P, levels)."""
    u = np.outer(list(_OFFSETS), _GRID)
    log_odds = (lines[:, :1] + lines[:, 1:] * value)[:, None, None] + u[..., None]  # (lines, sds, K, levels)
    likelihood = np.moveaxis(log_odds @ k.T - np.logaddexp(0, log_odds) @ n.T, -1, 0)  # (P, lines, sds, K)
    start = np.exp(-(_GRID**2) / 2)
    anew = np.array(_ANEW)
    shape = (len(n), len(lines), len(u), len(anew), len(_GRID))
    chains = Chains(start / start.sum(), np.broadcast_to(1 - anew, shape[1:4]), np.broadcast_to(anew, shape[1:4]))
    filtered, total = chains.filter(np.broadcast_to(likelihood[:, :, :, None], shape))
    total = total + np.log(list(_OFFSETS.values()))[:, None]
    # The lines come from the labels; each counts as often as it was drawn.
    weight = np.exp(total - logsumexp(total, axis=(1, 2), keepdims=True))
    line = np.arange(_DRAWS) % len(lines)
    cumulated = np.cumsum(weight.reshape(len(lines), -1), axis=1)[line]
    case = (cumulated < random.random((_DRAWS, 1)) * cumulated[:, -1:]).sum(axis=1)
    sd, again = np.unravel_index(case, weight.shape[1:])
    states = chains.draw(filtered, (line, sd, again), random)
    return u[sd, states], lines[line]
