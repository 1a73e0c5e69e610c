"""How often each of several readers errs, and the total that their labels report, where nobody is an expert.

    P(labels of item i) = p_k Π_r P(l_ir | 1) + (1 − p_k) Π_r P(l_ir | 0),   averaged over easy and hard items
    error of reader r on an item of class y: e_ry (1 − g) if it is easy, e_ry (1 + 4 g) if it is hard

* k is the stratum of the prediction of item i, and p_k the rate of positive items in it. l_ir is the label of reader r.
* e_r1 is the share of positive items that reader r labels no, and e_r0 of the others that the reader labels yes.
* A fifth of the items is hard. g, from 0 to 1, is how far errors gather there: with g = 0 readers err independently.

It is the latent class model of Dawid and Skene (1979). Strata of different rates identify two readers (Hui & Walter
1980), three identify themselves. What predictions do not see is a rate of a stratum, not an error. Priors: p_k is worth
one label at the mean prediction of the stratum, e is Beta(1, 9), and g² is uniform. For the upper end p_k is worth a
quarter of a positive label more: a stratum without any may hide some. An ensemble of walkers draws from the posterior
(Goodman & Weare 2010). Items that were not read are drawn from their stratum's rate, so that a corpus is finite.

Two readers label 4,000 items in two strata of rates .05 and .6, and err on 5 % of either class:

>>> random = np.random.default_rng(1)
>>> stratum = np.repeat([0, 1], 2000)
>>> truth = random.random(4000) < np.array([0.05, 0.6])[stratum]
>>> labels = np.array([truth ^ (random.random(4000) < 0.05) for _ in range(2)], float).T
>>> found = reader_model(np.array([0.05, 0.6])[stratum], stratum, np.arange(4000), labels)
>>> bool(found.low < truth.sum() < found.high), [round(each.sensitivity.value, 1) for each in found.readers]
(True, [0.9, 0.9])
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit

from nlpcalib.errors import InputError

PREDICTION_STRATA = 5
"""Strata of predictions where the plan has none."""
MIN_ITEMS_READ_TWICE = 50
"""Items that two readers have to label: with fewer, disagreements are a handful."""
MIN_RATE_DIFFERENCE = 0.02
"""Difference of the rates of two strata that has to be shown: nothing else identifies two readers."""
_HARD_SHARE = 0.2
"""Share of items that are hard."""
_HIDDEN_POSITIVES = 0.25
"""What the prior of the upper end adds: of a stratum without any positive label, a quarter of one."""
_ERROR_PRIOR = (1.0, 9.0)
_MIN_WALKERS = 64
_ENSEMBLE_STEPS = 600
_BURN_IN = 250
_STRETCH_SCALE = 2.0
_MAX_ERROR = 0.5
"""Errors from here on would turn yes and no around."""


@dataclass(frozen=True)
class RateInterval:
    """A number with the ends of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ReaderRates:
    """How right a reader is."""

    name: str
    items: int
    """Items that the reader labelled."""
    sensitivity: RateInterval
    """The share of positive items that the reader labels yes."""
    specificity: RateInterval
    """The share of the others that the reader labels no."""


@dataclass(frozen=True, eq=False)
class ReadersFound:
    """The total of a corpus, and the rates of its readers."""

    total: float
    low: float
    high: float
    readers: tuple[ReaderRates, ...]
    shared: RateInterval
    """g: how far errors gather on the same items."""


def strata_of(q: np.ndarray) -> np.ndarray:
    """Return strata of predictions, int64 (N,): parts with about equal sums of √(q(1 − q))."""
    order = np.argsort(q, kind="stable")
    spread = np.sqrt(q[order] * (1 - q[order])) + 1e-9
    share = np.cumsum(spread) / spread.sum()
    cuts = q[order][np.searchsorted(share, np.arange(1, PREDICTION_STRATA) / PREDICTION_STRATA)]
    return np.unique(np.searchsorted(cuts, q, side="right"), return_inverse=True)[1]


def reader_model(
    q: np.ndarray,
    stratum: np.ndarray,
    rows: np.ndarray,
    labels: np.ndarray,
    names: tuple[str, ...] = (),
    *,
    level: float = 0.95,
    seed: int = 0,
) -> ReadersFound:
    """Return the total of a corpus and the rates of its readers, from labels that may be wrong.

    Parameters
    ----------
    q : ndarray of float64, shape (N,)
        Predictions of all items.
    stratum : ndarray of int, shape (N,)
        Strata, from 0: items of one stratum were drawn with equal probability.
    rows : ndarray of int, shape (n,)
        The items that were read.
    labels : ndarray of float64, shape (n, R)
        The label of each reader, 0 or 1; NaN where the reader gave none.
    names : tuple of str
        Names of the R readers.
    level, seed
        Level of the intervals, and seed of the draws.

    Raises
    ------
    InputError
        For one reader, and where nothing identifies how often two readers err: too few items that both read, or strata
        whose rates are alike.
    """
    known = ~np.isnan(labels)
    readers = labels.shape[1]
    twice = int((known.sum(axis=1) > 1).sum())
    if readers < 2 or twice < MIN_ITEMS_READ_TWICE:
        raise InputError(
            f"readers: found {twice} items with labels of two readers, expected {MIN_ITEMS_READ_TWICE}: with fewer "
            "nothing shows how often they err; state a bound instead (label_error=)"
        )
    table = _Table.of(q, stratum, rows, labels)
    random = np.random.default_rng([seed, 41])
    both = [_ensemble(each, random) for each in (table, replace(table, hidden=_HIDDEN_POSITIVES))]
    if readers == 2:
        _check_identified(table.parts(both[0])[0], table)
    totals = [table.totals(draws, random).sum(axis=1) for draws in both]
    _, errors, gathered = (np.concatenate(each) for each in zip(*map(table.parts, both), strict=True))
    ends = ((1 - level) / 2, (1 + level) / 2)

    def interval(values: np.ndarray) -> RateInterval:
        low, high = np.quantile(values, ends)
        return RateInterval(float(values.mean()), float(low), float(high))

    rates = tuple(
        ReaderRates(
            names[r] if names else f"reader {r + 1}",
            int(known[:, r].sum()),
            interval(1 - errors[:, r, 1]),
            interval(1 - errors[:, r, 0]),
        )
        for r in range(readers)
    )
    low, high = (float(np.quantile(each, end)) for each, end in zip(totals, ends, strict=True))
    return ReadersFound(float(np.concatenate(totals).mean()), low, high, rates, interval(gathered))


def _check_identified(p: np.ndarray, table: _Table) -> None:
    """Raise `InputError` where the rates of strata are not shown to differ."""
    read = np.flatnonzero(table.read >= 1)
    means = p[:, read].mean(axis=0)
    top, bottom = read[means.argmax()], read[means.argmin()]
    if np.quantile(p[:, top] - p[:, bottom], 0.05) < MIN_RATE_DIFFERENCE:
        raise InputError(
            "readers: found no predictions under which positive items are clearly more frequent, expected some: of two "
            "readers nothing else shows who errs; have a third reader, an expert (expert=), or a bound (label_error=)"
        )


@dataclass(frozen=True, eq=False)
class _Table:
    """Counts of the patterns of labels in strata, and the log posterior."""

    size: np.ndarray
    """float64 (S,): items of each stratum."""
    read: np.ndarray
    """float64 (S,): those that were read."""
    prior: np.ndarray
    """float64 (S,): their mean prediction."""
    pattern: np.ndarray
    """float64 (P, R): labels, NaN where there is none."""
    count: np.ndarray
    """float64 (S, P): items with each pattern."""
    hidden: float = 0.0
    """Positive items that are added to the prior of each stratum."""

    @staticmethod
    def of(q: np.ndarray, stratum: np.ndarray, rows: np.ndarray, labels: np.ndarray) -> _Table:
        strata = int(stratum.max()) + 1
        size = np.bincount(stratum, minlength=strata).astype(float)
        coded = np.where(np.isnan(labels), 2, labels).astype(np.int64)
        pattern, of = np.unique(coded, axis=0, return_inverse=True)
        count = np.zeros((strata, len(pattern)))
        np.add.at(count, (stratum[rows], of.reshape(-1)), 1)
        prior = np.clip(np.bincount(stratum, q, minlength=strata) / np.maximum(size, 1), 1e-3, 1 - 1e-3)
        return _Table(size, count.sum(axis=1), prior, np.where(pattern == 2, np.nan, pattern), count)

    @property
    def readers(self) -> int:
        return self.pattern.shape[1]

    def parts(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return rates (W, S), errors (W, R, 2) by class, and g (W,), of points (W, S + 2 R + 1) in log odds."""
        strata = len(self.size)
        errors = _MAX_ERROR * expit(x[:, strata:-1]).reshape(len(x), self.readers, 2)
        return np.clip(expit(x[:, :strata]), 1e-12, 1 - 1e-12), errors, np.clip(expit(x[:, -1]), 1e-12, 1 - 1e-12)

    def given_class(self, errors: np.ndarray, gathered: np.ndarray) -> np.ndarray:
        """Return the probability of each pattern, (W, P, 2), for an item of either class."""
        total = np.zeros((len(errors), len(self.pattern), 2))
        for factor, share in ((1 - gathered, 1 - _HARD_SHARE), (1 + 4 * gathered, _HARD_SHARE)):
            wrong = np.minimum(errors * factor[:, None, None], 1 - 1e-9)
            likely = np.full(total.shape, share)
            for r in range(self.readers):
                for label in (0, 1):
                    at = self.pattern[:, r] == label
                    for truth in (0, 1):
                        chance = wrong[:, r, truth] if label != truth else 1 - wrong[:, r, truth]
                        likely[:, at, truth] *= chance[:, None]
            total += likely
        return total

    def log_posterior(self, x: np.ndarray) -> np.ndarray:
        p, errors, gathered = self.parts(x)
        given = self.given_class(errors, gathered)
        mixed = p[:, :, None] * given[:, None, :, 1] + (1 - p[:, :, None]) * given[:, None, :, 0]
        found = (self.count * np.log(np.maximum(mixed, 1e-300))).sum(axis=(1, 2))
        # The Jacobian of log odds makes Beta(a, b) into a log p + b log(1 − p).
        found += ((self.prior + self.hidden) * np.log(p) + (1 - self.prior) * np.log1p(-p)).sum(axis=1)
        part = errors / _MAX_ERROR
        a, b = _ERROR_PRIOR
        found += (a * np.log(errors) + (b - 1) * np.log1p(-errors) + np.log1p(-part)).sum(axis=(1, 2))
        return found + 2 * np.log(gathered) + np.log1p(-gathered)

    def totals(self, x: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return draws of the positive items of each stratum, (W, S)."""
        p, errors, gathered = self.parts(x)
        given = self.given_class(errors, gathered)
        positive = p[:, :, None] * given[:, None, :, 1]
        share = positive / np.maximum(positive + (1 - p[:, :, None]) * given[:, None, :, 0], 1e-300)
        of_read = random.binomial(self.count.astype(np.int64), np.clip(share, 0, 1)).sum(axis=2)
        return of_read + random.binomial((self.size - self.read).astype(np.int64), p)


def _ensemble(table: _Table, random: np.random.Generator) -> np.ndarray:
    """Return points of the posterior, float64 (D, S + 2 R + 1), by stretch moves of two halves of an ensemble."""
    majority = np.nanmean(table.pattern, axis=1)
    rate = (table.count @ majority + table.prior) / (table.read + 1)
    start = np.concatenate(
        [
            logit(np.clip(rate, 1e-3, 1 - 1e-3)),
            np.full(2 * table.readers, logit(0.05 / _MAX_ERROR)),
            [0.0],
        ]
    )
    walkers = max(_MIN_WALKERS, 4 * (len(start) // 2 + 1))
    x = start + 0.3 * random.standard_normal((walkers, len(start)))
    value = table.log_posterior(x)
    halves = np.arange(walkers) < walkers // 2
    kept = []
    for step in range(_ENSEMBLE_STEPS):
        for own in (halves, ~halves):
            here = x[own]
            other = x[~own][random.integers(0, (~own).sum(), own.sum())]
            stretch = ((_STRETCH_SCALE - 1) * random.random(own.sum()) + 1) ** 2 / _STRETCH_SCALE
            moved = other + stretch[:, None] * (here - other)
            proposed = table.log_posterior(moved)
            gain = (len(start) - 1) * np.log(stretch) + proposed - value[own]
            taken = np.log(random.random(own.sum())) < gain
            x[own] = np.where(taken[:, None], moved, here)
            value[own] = np.where(taken, proposed, value[own])
        if step >= _BURN_IN and step % 5 == 0:
            kept.append(x.copy())
    return np.concatenate(kept)
