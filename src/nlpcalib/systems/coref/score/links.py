"""Whether a response's probabilities of links are right: their calibration, sums, wrong shares, and one temperature.

A link is a pair of the response's mentions, with the exact probability that both share an entity by its antecedents
(`systems.coref.model.posterior`). It is true if an entity of the key has both mentions, by their words. Documents are
the units: intervals resample them.

The temperature T is the one that makes the labels of all links most probable when the antecedents are flattened by it
(`posterior.tempered`), for those of `TEMPERATURES`. T above 1 shows an overconfident response.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.calibration.mean_gap import frequency_interval
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.posterior import pair_marginals, tempered

THRESHOLDS = (0.5, 0.7, 0.9, 0.95, 0.99)
"""Probabilities from which on the share of wrong links is reported."""
TEMPERATURES = np.exp(np.linspace(-1.5, 1.5, 61))
"""Temperatures that are tried, from .22 to 4.5, each 5 % above the one before."""


@dataclass(frozen=True, eq=False)
class DocumentLinks:
    """The links of one document."""

    q: np.ndarray
    """float64 (N(N − 1)/2,): the probability of each link (i, j), j < i, row by row."""
    y: np.ndarray
    """bool (N(N − 1)/2,): whether it is true."""
    fits: np.ndarray
    """float64 (temperatures,): the log-likelihood of the labels at each of `TEMPERATURES`."""

    @classmethod
    def of(cls, conditionals: np.ndarray, y: np.ndarray) -> DocumentLinks:
        """Measure the links by the antecedents A, float64 (N, N)."""
        pairs = np.tril_indices(len(conditionals), -1)
        fits = []
        for temperature in TEMPERATURES:
            q = pair_marginals(tempered(conditionals, temperature))[pairs]
            # The answers have six digits.
            fits.append(np.log(np.maximum(np.where(y, q, 1 - q), 1e-6)).sum())
        return cls(pair_marginals(conditionals)[pairs], y, np.array(fits))


@dataclass(frozen=True, slots=True)
class LinkEstimate:
    """A number with its interval by documents; None where only one document has such links, or none has."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class SureLinks:
    """The links from a probability on."""

    at_least: float
    links: int
    wrong: LinkEstimate
    """The share of them that is wrong."""


@dataclass(frozen=True, slots=True)
class LinkScores:
    """How right the probabilities of links are."""

    links: int
    expected: float
    """The sum of the probabilities."""
    true: int
    true_in_key: int
    """Links between mentions of the key, also those that the response lacks."""
    ratio: LinkEstimate
    """Expected over true links."""
    error: LinkEstimate
    """The bias-corrected calibration error, a root mean square over all links."""
    sure: tuple[SureLinks, ...]
    """Those from each of `THRESHOLDS` on."""
    temperature: LinkEstimate


def link_scores(documents: Sequence[DocumentLinks], true_in_key: int) -> LinkScores:
    """Score the links of a response, with intervals of 95 % that resample documents."""
    rng = generator(0, "links of documents")
    chosen = rng.multinomial(len(documents), np.full(len(documents), 1 / len(documents)), 1000)

    def share(over: np.ndarray, under: np.ndarray) -> LinkEstimate:
        """Return Σ over / Σ under, for values of each document."""
        if not under.sum():
            return LinkEstimate(None, None, None)
        below = chosen @ under
        resampled = (chosen @ over)[below > 0] / below[below > 0]
        return _estimate(over.sum() / under.sum(), resampled, int(np.count_nonzero(under)))

    q, y = (np.concatenate([getattr(one, name) for one in documents]) for name in ("q", "y"))
    expected, true = (np.array([getattr(one, name).sum() for one in documents], float) for name in ("q", "y"))
    sure = []
    for threshold in THRESHOLDS:
        size = np.array([np.count_nonzero(one.q >= threshold) for one in documents], float)
        wrong = np.array([np.count_nonzero((one.q >= threshold) & ~one.y) for one in documents], float)
        sure.append(SureLinks(threshold, int(size.sum()), _at_least_exact(share(wrong, size), int(size.sum()))))
    fits = np.array([one.fits for one in documents])
    best = TEMPERATURES[(chosen @ fits).argmax(axis=1)]
    return LinkScores(
        q.size,
        float(expected.sum()),
        int(true.sum()),
        true_in_key,
        share(expected, true),
        _error(q, y, np.repeat(np.arange(len(documents)), [one.q.size for one in documents])),
        tuple(sure),
        _estimate(float(TEMPERATURES[fits.sum(axis=0).argmax()]), best, sum(one.q.size > 0 for one in documents)),
    )


def _estimate(value: float, resampled: np.ndarray, documents: int) -> LinkEstimate:
    if documents < 2:
        return LinkEstimate(float(value), None, None)
    low, high = np.quantile(resampled, [0.025, 0.975])
    return LinkEstimate(float(value), float(low), float(high))


def _at_least_exact(share: LinkEstimate, links: int) -> LinkEstimate:
    """Return a share whose interval has the exact one of independent links in it.

    Resampling documents finds no width where all links are right.
    """
    if share.value is None or share.low is None or share.high is None:
        return share
    low, high = frequency_interval(share.value * links, float(links))
    return LinkEstimate(share.value, min(share.low, float(low)), max(share.high, float(high)))


def _error(q: np.ndarray, y: np.ndarray, unit: np.ndarray) -> LinkEstimate:
    if unit.size == 0 or unit[0] == unit[-1]:
        return LinkEstimate(None, None, None)
    found = METHODS["bias_corrected_rms/cluster_score"](SortedPairs(q, y, unit), Settings())
    return LinkEstimate(found.value, found.low, found.high)
