"""Series whose periods share their labels: a posterior of what the model misses, which may jump, and of what it finds.

    q ≤ .01:   rate_t = ρ_t f_t^γ        between:   logit rate_t(q) = a + b logit q + u_t        q ≥ .99:   one rate
    ρ_{t+1}: ρ_t with chance 1 − h; with h/2 a normal step of .5 in log ρ; with h/2 drawn anew
    u_{t+1}: u_t with chance 1 − h′; else drawn anew

* rate_t is the share of positive items in period t among those with such predictions; totals are numbers of items.
* f_t is what the model finds in the period per item with q ≤ .01, relative to its mean. So a model misses a rate of
  items (γ = 0), a share of events (γ = 1), or something between (γ = ½).
* ρ_t is the rate that the model misses, h the chance that it jumps, far or a little, between two periods.
* a, b are the working model's line, u_t the offset of a period in log odds. It is normal with a deviation of .3 to 1.

Labels of one period are few. Those of all periods help as far as rates stay. What stays is not assumed but averaged
over: h, γ, h′ and the deviation of u have values on grids, each weighted by the likelihood of the labels. Chains of ρ
and u are exact on grids: a filter forward, draws backward (Rabiner 1989; Frühwirth-Schnatter 1994).

A state is drawn anew with chance .2 from two equally likely ones. The first label favours one of them by .9 to .1. The
next period then has it with probability .8 · .9 + .2 · .5 = .82:

>>> chains = Chains(np.array([0.5, 0.5]), np.array(0.8), np.array(0.2))
>>> chains.filter(np.log([[0.9, 0.1], [0.5, 0.5]]))[0][:, 0].round(4).tolist()
[0.9, 0.82]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logsumexp, xlog1py, xlogy

from nlpcalib.errors import InputError
from nlpcalib.estimation.score import Totals
from nlpcalib.estimation.working_model import draw_lines
from nlpcalib.sampling.cells import LEVEL_LOG_ODDS, LEVELS, Cells
from nlpcalib.seeding import generator

_TOTAL_DRAWS = 1000
"""Draws of each total: an end of a 95 % interval has a standard error of 2 % of the width."""
_LINE_DRAWS = 100
"""Draws of a and b, each used for ten totals."""
_RATE_GRID = np.exp(np.linspace(np.log(0.0002), np.log(0.6), 40))
"""Grid of ρ, 40 rates evenly in logarithms: more than .6 where q ≤ .01 would be no model."""
_EXPONENT_CHOICES = (0.0, 0.5, 1.0)
"""Values of γ, each as likely."""
_JUMP_CHANCES = np.array([0.02, 0.08, 0.2, 0.5, 1])
"""Values of h, the chance that ρ jumps between two periods, each as likely. Half of the jumps go anywhere, half a
little."""
_SMALL_JUMP_SD = 0.5
"""Standard deviation of a small jump, of log ρ."""
_OFFSET_SD_PRIOR = {0.3: 0.3, 0.6: 0.35, 1.0: 0.35}
"""Standard deviations of u_t, in log odds, with their prior probabilities."""
_REDRAW_CHANCES = (0.2, 1.0)
"""Chances that u_t is drawn anew in a period, each as likely."""
_OFFSET_GRID = np.linspace(-3, 3, 25)
"""Grid of u_t over its standard deviation."""


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


def series_totals(cells: Cells, level: float = 0.95, seed: int = 0) -> Totals:
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
    value = LEVEL_LOG_ODDS[between]
    u, lines = _offsets(value, n[:, between], k[:, between], draw_lines(cells, _LINE_DRAWS, random), random)
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
    certain = random.beta(k[:, last].sum() + 0.5, (n - k)[:, last].sum() + 0.5, size=_TOTAL_DRAWS)
    shown = random.binomial(unread[:, last].astype(np.int64)[:, None], certain)
    total = k.sum(axis=1)[:, None] + found + hidden + shown
    low, high = np.quantile(total, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return Totals(total.mean(axis=1), low, high)


def _missed(n: np.ndarray, k: np.ndarray, found: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return draws of the rate where q ≤ .01, (P, draws), for labels n, k and what is found per item there, (P,)."""
    relative = np.exp(np.log(np.maximum(found, 1e-6)) - np.log(np.maximum(found, 1e-6)).mean())
    scale = relative[:, None] ** np.array(_EXPONENT_CHOICES)
    rate = np.minimum(_RATE_GRID * scale[:, :, None], 0.99)  # (P, exponents, K)
    likelihood = xlogy(k[:, None, None], rate) + xlog1py((n - k)[:, None, None], -rate)
    start = np.sqrt(_RATE_GRID) / np.sqrt(_RATE_GRID).sum()
    near = np.exp(-((np.subtract.outer(np.log(_RATE_GRID), np.log(_RATE_GRID)) / _SMALL_JUMP_SD) ** 2) / 2)
    chains = Chains(start, 1 - _JUMP_CHANCES, _JUMP_CHANCES / 2, near / near.sum(axis=1, keepdims=True))
    shape = (len(n), len(_EXPONENT_CHOICES), len(_JUMP_CHANCES), len(_RATE_GRID))
    filtered, total = chains.filter(np.broadcast_to(likelihood[:, :, None], shape))
    weight = np.exp(total - total.max())
    exponent, jumps = np.unravel_index(
        random.choice(weight.size, _TOTAL_DRAWS, p=(weight / weight.sum()).ravel()), weight.shape
    )
    stay, anew = (np.broadcast_to(part, weight.shape) for part in (chains.stay, chains.anew))
    wide = Chains(start, stay, anew, chains.move)
    states = wide.draw(filtered, (exponent, jumps), random)
    return rate[np.arange(len(n))[:, None], exponent, states]


def _offsets(
    value: np.ndarray, n: np.ndarray, k: np.ndarray, lines: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return draws of u_t, (P, draws), and the line a, b of each, (draws, 2), for labels n, k (P, levels)."""
    u = np.outer(list(_OFFSET_SD_PRIOR), _OFFSET_GRID)
    log_odds = (lines[:, :1] + lines[:, 1:] * value)[:, None, None] + u[..., None]  # (lines, sds, K, levels)
    likelihood = np.moveaxis(log_odds @ k.T - np.logaddexp(0, log_odds) @ n.T, -1, 0)  # (P, lines, sds, K)
    start = np.exp(-(_OFFSET_GRID**2) / 2)
    anew = np.array(_REDRAW_CHANCES)
    shape = (len(n), len(lines), len(u), len(anew), len(_OFFSET_GRID))
    chains = Chains(start / start.sum(), np.broadcast_to(1 - anew, shape[1:4]), np.broadcast_to(anew, shape[1:4]))
    filtered, total = chains.filter(np.broadcast_to(likelihood[:, :, :, None], shape))
    total = total + np.log(list(_OFFSET_SD_PRIOR.values()))[:, None]
    # The lines come from the labels; each counts as often as it was drawn.
    weight = np.exp(total - logsumexp(total, axis=(1, 2), keepdims=True))
    line = np.arange(_TOTAL_DRAWS) % len(lines)
    cumulated = np.cumsum(weight.reshape(len(lines), -1), axis=1)[line]
    case = (cumulated < random.random((_TOTAL_DRAWS, 1)) * cumulated[:, -1:]).sum(axis=1)
    sd, again = np.unravel_index(case, weight.shape[1:])
    states = chains.draw(filtered, (line, sd, again), random)
    return u[sd, states], lines[line]
