"""How often each of several readers errs, and the total that their labels report, where nobody is an expert.

    P(labels of item i) = p_k Π_r P(l_ir | 1) + (1 − p_k) Π_r P(l_ir | 0),   averaged over easy and hard items
    error of reader r on an item of class y: e_ry (1 − g) if it is easy, e_ry (1 + 4 g) if it is hard

* k is the stratum of the prediction of item i, and p_k the rate of positive items in it. l_ir is the label of reader r.
* e_r1 is the share of positive items that reader r labels no, and e_r0 of the others that the reader labels yes.
* A fifth of the items is hard. g, from 0 to 1, is how far errors gather there: with g = 0 readers err independently.

It is the latent class model of Dawid and Skene (1979). Strata of different rates identify two readers (Hui & Walter
1980), three identify themselves. What predictions do not see is a rate of a stratum, not an error. Priors: p_k is worth
one label at the mean prediction of the stratum, e is Beta(1, 9), and g² is uniform. For the upper end p_k is worth a
quarter of a positive label more: a stratum without any may hide some. For the lower end e_r1 is Beta(¼, 9), as readers
may miss hardly any of the positive items that they saw, and g is Beta(2, ¼), as all errors may be on hard items. An
ensemble of walkers draws from the posterior (Goodman & Weare 2010). Items that were not read are drawn from their
stratum's rate, so that a corpus is finite.

    effective count of pattern c = n* Σ_i v_i [c_i = c] / Σ_i v_i,   v_i = 1/π_i − 1,   n* = (Σ v)² / Σ v² / d

* v_i is how many unread items an item stands for that was drawn with probability π_i, and n* how many labels of equal
  probability would show as much (Kish 1965). A stratum of one probability has its own counts.
* d ≥ 1 is the design effect of units that were read whole, such as documents: labels of a unit are alike.

Two readers label 4,000 items in two strata of rates .05 and .6, and err on 5 % of either class:

>>> random = np.random.default_rng(1)
>>> stratum = np.repeat([0, 1], 2000)
>>> truth = random.random(4000) < np.array([0.05, 0.6])[stratum]
>>> labels = np.array([truth ^ (random.random(4000) < 0.05) for _ in range(2)], float).T
>>> found = reader_model(Readings(np.array([0.05, 0.6])[stratum], stratum, np.arange(4000), labels))
>>> bool(found.low < truth.sum() < found.high), [round(each.sensitivity.value, 1) for each in found.readers]
(True, [0.9, 0.9])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
HIDDEN_POSITIVES = 0.25
"""What the prior of the upper end adds: of a stratum without any positive label, a quarter of one."""
_ERROR_PRIOR = (1.0, 9.0)
_LOWER_END_PRIOR = 0.25
"""What the lower end has in place of two numbers that are 1 for the upper: of Beta(1, 9) for missed positives, and of
Beta(2, 1) for g. Few positive items hardly show their errors, and errors may all be on hard items."""
_MIN_WALKERS = 64
_ENSEMBLE_STEPS = 600
_BURN_IN = 250
_STEPS_PER_DRAW = 10
"""Steps between draws that are kept: neighbours are nearly the same."""
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


@dataclass(frozen=True, eq=False)
class Readings:
    """What several readers labelled of a corpus of N items."""

    q: np.ndarray
    """float64 (N,): predictions of all items."""
    stratum: np.ndarray
    """int (N,): their strata, from 0."""
    rows: np.ndarray
    """int (n,): the items that were read."""
    labels: np.ndarray
    """float64 (n, R): the label of each reader, 0 or 1; NaN where the reader gave none."""
    weight: np.ndarray | None = None
    """float64 (n,): 1/π of the items that were read; None where it is the same in each stratum."""
    effect: float = 1.0
    """d: the design effect of units that were read whole."""

    def effective(self) -> np.ndarray:
        """Return how much each item that was read counts, float64 (n,), see the head of this module."""
        of = self.stratum[self.rows]
        strata = int(self.stratum.max()) + 1
        hidden = np.ones(len(of)) if self.weight is None else np.maximum(self.weight - 1, 0)
        # Of a stratum that was read whole nothing is hidden, and its labels show how readers err.
        hidden[np.bincount(of, hidden, minlength=strata)[of] == 0] = 1
        total, squares = (np.bincount(of, each, minlength=strata)[of] for each in (hidden, hidden**2))
        return hidden * total / squares / self.effect


def reader_model(
    readings: Readings, names: tuple[str, ...] = (), *, level: float = 0.95, seed: int = 0
) -> ReadersFound:
    """Return the total of a corpus and the rates of its readers, from labels that may be wrong.

    Parameters
    ----------
    readings : Readings
        What was read, and the labels.
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
    check_read_twice(readings.labels)
    counts = PatternCounts.of([readings])
    return counts.found(0, counts.draws(seed), names, level, seed)


def check_read_twice(labels: np.ndarray) -> None:
    """Raise `InputError` where too few items have labels, (n, R), of two readers."""
    twice = int(((~np.isnan(labels)).sum(axis=1) > 1).sum())
    if labels.shape[1] < 2 or twice < MIN_ITEMS_READ_TWICE:
        raise InputError(
            f"readers: found {twice} items with labels of two readers, expected {MIN_ITEMS_READ_TWICE}: with fewer "
            "nothing shows how often they err; state a bound instead (label_error=)"
        )


@dataclass(frozen=True, eq=False)
class PatternCounts:
    """How often each pattern of labels occurs in the strata of B corpora, and draws from the posterior of each.

    Points of the posterior are (S + 2 R + 1, 2, B, …) in log odds: rates of S strata, errors of R readers by class, and
    g. The second axis has the priors of the lower and of the upper end.
    """

    size: np.ndarray
    """int64 (S, B): items of each stratum."""
    read: np.ndarray
    """int64 (S, B): those that were read."""
    prior: np.ndarray
    """float64 (S, B): their mean prediction."""
    pattern: np.ndarray
    """int64 (P, R): labels 0 and 1; 2 where there is none."""
    count: np.ndarray
    """int64 (S, P, B): items with each pattern."""
    effective: np.ndarray
    """float64 (S, P, B): how many labels of equal probability and without units show as much."""
    effect: np.ndarray
    """float64 (B,): d of each corpus."""
    labelled: np.ndarray
    """int64 (R, B): items that each reader labelled."""

    @staticmethod
    def of(corpora: Sequence[Readings]) -> PatternCounts:
        """Count what was read in corpora with the same readers."""
        strata = 1 + max(int(each.stratum.max()) for each in corpora)
        codes = [np.where(np.isnan(each.labels), 2, each.labels).astype(np.int64) for each in corpora]
        pattern, of = np.unique(np.concatenate(codes), axis=0, return_inverse=True)
        corpus = np.repeat(np.arange(len(corpora)), [len(each) for each in codes])
        cell = np.concatenate([each.stratum[each.rows] for each in corpora]), of.reshape(-1), corpus
        shape = (strata, len(pattern), len(corpora))
        count, effective = np.zeros(shape, dtype=np.int64), np.zeros(shape)
        np.add.at(count, cell, 1)
        np.add.at(effective, cell, np.concatenate([each.effective() for each in corpora]))
        size = np.column_stack([np.bincount(each.stratum, minlength=strata) for each in corpora])
        sums = np.column_stack([np.bincount(each.stratum, each.q, minlength=strata) for each in corpora])
        prior = np.clip(sums / np.maximum(size, 1), 1e-3, 1 - 1e-3)
        labelled = np.column_stack([(each < 2).sum(axis=0) for each in codes])
        effect = np.array([each.effect for each in corpora])
        return PatternCounts(size, count.sum(axis=1), prior, pattern, count, effective, effect, labelled)

    def draws(self, seed: int = 0) -> np.ndarray:
        """Return points of the posterior, (S + 2 R + 1, 2, B, D), by stretch moves of two halves of an ensemble."""
        random = np.random.default_rng(seed)
        majority = np.ma.masked_equal(self.pattern, 2).mean(axis=1).filled(0)
        rate = (np.einsum("spb,p->sb", self.effective, majority) + self.prior) / (self.effective.sum(axis=1) + 1)
        readers, (strata, corpora) = self.pattern.shape[1], self.size.shape
        dimensions = strata + 2 * readers + 1
        half = max(_MIN_WALKERS // 2, 2 * (dimensions // 2 + 1))
        start = np.zeros((dimensions, 1, corpora, 1))
        start[:strata, 0, :, 0] = logit(np.clip(rate, 1e-3, 1 - 1e-3))
        start[strata:-1] = logit(0.05 / _MAX_ERROR)
        x = [start + 0.3 * random.standard_normal((dimensions, 2, corpora, half)) for _ in range(2)]
        value = [self.log_posterior(each) for each in x]
        kept = []
        for step in range(_ENSEMBLE_STEPS):
            for own in (0, 1):
                other = x[1 - own][..., random.permutation(half)]
                stretch = ((_STRETCH_SCALE - 1) * random.random((2, corpora, half)) + 1) ** 2 / _STRETCH_SCALE
                moved = other + stretch * (x[own] - other)
                proposed = self.log_posterior(moved)
                gain = (dimensions - 1) * np.log(stretch) + proposed - value[own]
                taken = np.log(random.random((2, corpora, half))) < gain
                x[own] = np.where(taken, moved, x[own])
                value[own] = np.where(taken, proposed, value[own])
            if step >= _BURN_IN and step % _STEPS_PER_DRAW == 0:
                kept += x
        return np.concatenate(kept, axis=-1)

    def log_posterior(self, x: np.ndarray) -> np.ndarray:
        """Return the log density of points (S + 2 R + 1, 2, B, W), less a constant, (2, B, W)."""
        p, errors, gathered = self._parts(x)
        given = self.given_class(errors, gathered)
        mixed = p[:, None] * given[:, 1] + (1 - p[:, None]) * given[:, 0]
        found = np.einsum("spb,spebw->ebw", self.effective, np.log(np.maximum(mixed, 1e-300)))
        # The Jacobian of log odds makes Beta(a, b) into a log p + b log(1 − p).
        prior, hidden = self.prior[:, None, :, None], np.array([0, HIDDEN_POSITIVES])[:, None, None]
        found += ((prior + hidden) * np.log(p) + (1 - prior) * np.log(1 - p)).sum(axis=0)
        a, b = _ERROR_PRIOR
        errors_seen = np.array([[a, a], [_LOWER_END_PRIOR, a]])[:, :, None, None]  # by class and end
        part = errors_seen * np.log(errors) + (b - 1) * np.log(1 - errors) + np.log(1 - errors / _MAX_ERROR)
        return (
            found
            + part.sum(axis=(0, 1))
            + 2 * np.log(gathered)
            + np.array([_LOWER_END_PRIOR, 1.0])[:, None, None] * np.log(1 - gathered)
        )

    def found(
        self, corpus: int, draws: np.ndarray, names: tuple[str, ...] = (), level: float = 0.95, seed: int = 0
    ) -> ReadersFound:
        """Return the total of one corpus and the rates of its readers, from draws of the posterior.

        Raises `InputError` where the rates of strata are not shown to differ, for two readers.
        """
        random, own = np.random.default_rng([seed, corpus]), draws[:, :, corpus]
        p, errors, gathered = self._parts(own)
        readers = self.pattern.shape[1]
        if readers == 2:
            _check_identified(p[:, 0], self.read[:, corpus])
        totals = self.totals(corpus, own, random).sum(axis=0)
        ends = (1 - level) / 2, (1 + level) / 2

        def interval(values: np.ndarray) -> RateInterval:
            low, high = np.quantile(values, ends)
            return RateInterval(float(values.mean()), float(low), float(high))

        rates = tuple(
            ReaderRates(
                names[r] if names else f"reader {r + 1}",
                int(self.labelled[r, corpus]),
                interval(1 - errors[r, 1]),
                interval(1 - errors[r, 0]),
            )
            for r in range(readers)
        )
        low, high = (float(np.quantile(each, end)) for each, end in zip(totals, ends, strict=True))
        return ReadersFound(float(totals.mean()), low, high, rates, interval(gathered))

    def _parts(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return rates (S, …), errors (R, 2, …) by class, and g (…,), of points (S + 2 R + 1, …) in log odds."""
        strata = len(self.size)
        return _shares(x[:strata]), *self.errors_of(x[strata:])

    def errors_of(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return errors (R, 2, …) by class, and g (…,), of points (2 R + 1, …) in log odds."""
        inside = _shares(x)
        return _MAX_ERROR * inside[:-1].reshape(-1, 2, *x.shape[1:]), inside[-1]

    def given_class(self, errors: np.ndarray, gathered: np.ndarray) -> np.ndarray:
        """Return the probability of each pattern, (P, 2, …), for an item of either class."""
        total = np.zeros((len(self.pattern), 2, *gathered.shape))
        for factor, share in ((1 - gathered, 1 - _HARD_SHARE), (1 + 4 * gathered, _HARD_SHARE)):
            wrong = np.minimum(errors * factor, 1 - 1e-9)
            no = np.stack([1 - wrong[:, 0], wrong[:, 1]], axis=1)
            chance = np.stack([no, 1 - no, np.ones_like(no)])
            part = np.full_like(total, share)
            for reader, label in enumerate(self.pattern.T):
                part *= chance[label, reader]
            total += part
        return total

    def totals(self, corpus: int, x: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return draws of the positive items of each stratum of one corpus, (S, …)."""
        p, errors, gathered = self._parts(x)
        given = self.given_class(errors, gathered)
        positive = p[:, None] * given[:, 1]
        share = positive / np.maximum(positive + (1 - p[:, None]) * given[:, 0], 1e-300)
        of_read = random.binomial(self.count[:, :, corpus, None, None], np.clip(share, 0, 1)).sum(axis=1)
        unread = (self.size - self.read)[:, corpus, None, None]
        alike = np.ceil(unread / self.effect[corpus]).astype(np.int64)
        return of_read + random.binomial(alike, p) * (unread / np.maximum(alike, 1))


def _shares(log_odds: np.ndarray) -> np.ndarray:
    return np.clip(expit(log_odds), 1e-12, 1 - 1e-12)


def _check_identified(p: np.ndarray, read: np.ndarray) -> None:
    """Raise `InputError` where the rates of strata, (S, D), are not shown to differ; `read` items of each, (S,)."""
    p = p[read >= 1]
    means = p.mean(axis=1)
    if np.quantile(p[means.argmax()] - p[means.argmin()], 0.05) < MIN_RATE_DIFFERENCE:
        raise InputError(
            "readers: found no predictions under which positive items are clearly more frequent, expected some: of two "
            "readers nothing else shows who errs; have a third reader, an expert (expert=), or a bound (label_error=)"
        )
