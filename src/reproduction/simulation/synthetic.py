"""The thesis' synthetic pairs (section 4.3), with what the thesis did not have: the true error and the expected score.

Predictions are drawn from a Beta distribution; a label is true with the probability `distorted(q, k)`, which for k = 0
is the prediction itself. Given the predictions, the score of Algorithm 1's bins (the thesis' mean square) has a known
expectation, the squared error that remains when predictions and probabilities are averaged within bins, plus the
variance of the bins' label frequencies:

    E[score] = Σ_b w_b (q̂_b − π̂_b)² + (1/N) Σ_b mean_b[π(1 − π)].

The first term is at most the true error and falls as bins grow, because averaging hides what happens inside a bin. The
second, all there is where the predictions are calibrated, falls as one over the bin size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TypedDict

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.intervals import mean_square
from nlpcalib.seeding import generator

DOUBLED, STEPPED, GROWING = "doubled", "stepped", "growing"
"""What a row of the study belongs to: bin sizes that double, bin sizes in steps, sample sizes that grow."""


@dataclass(frozen=True, slots=True)
class Predictor:
    """Predictions q ~ Beta(a, b) of events that have the probability `distorted(q, shift)`."""

    a: float
    b: float
    shift: float
    """The thesis' k, from 0 (perfectly calibrated) to ½."""

    def mean_square(self) -> float:
        """Return the true error E[(q − t(q))²], in closed form by incomplete Beta functions."""
        a, b, k = self.a, self.b, self.shift
        total = (a + b) * (a + b + 1)
        # Next to 0 and 1 the shift is cut short, to q and to 1 − q, and elsewhere it is k.
        ends = (a * (a + 1) * special.betainc(a + 2, b, k) + b * (b + 1) * special.betainc(b + 2, a, k)) / total
        return float(ends + k**2 * (1 - special.betainc(a, b, k) - special.betainc(b, a, k)))


def distorted(p: np.ndarray, k: float) -> np.ndarray:
    """Return t(p): p − k up to ½ but at least 0, p + k above it but at most 1 (thesis, section 4.3.1).

    For the upper half the thesis prints min(0, p + k), which is 0 for every p above ½; min(1, p + k) is meant.
    """
    return np.where(p <= 0.5, np.maximum(p - k, 0.0), np.minimum(p + k, 1.0))


def expected_score(q: np.ndarray, probability: np.ndarray, starts: np.ndarray) -> tuple[float, float]:
    """Return the two terms of the score's expectation, given sorted predictions.

    Parameters
    ----------
    q, probability : ndarray, shape (N,), float64
        Predictions, ascending, and the probabilities of their events.
    starts : ndarray, shape (T,), int
        First positions of the bins.

    Returns
    -------
    bin_error, noise : float
        The squared error that the bins leave visible, and the variance of their label frequencies.
    """
    size = np.diff(starts, append=q.size)
    gap = np.add.reduceat(q - probability, starts)
    variance = np.add.reduceat(probability * (1 - probability), starts)
    return float(np.sum(gap**2 / size) / q.size), float(np.sum(variance / size) / q.size)


class ScoreRow(TypedDict):
    """A row of `study`: the thesis' score with one bin size, its expectation and the truth."""

    varied: str
    predictor: str
    pairs: int
    bin_size: int
    bins: int
    score: float
    expected: float
    bin_error: float
    noise: float
    redrawn_mean: float
    redrawn_error: float
    redrawn_low: float
    redrawn_high: float
    redrawn: str
    """The scores of the further sets of labels, separated by spaces."""
    truth: float


def study(
    a: float,
    b: float,
    *,
    shift: float,
    pairs: int,
    steps: Sequence[int],
    sizes: Sequence[int],
    replicates: int,
    seed: int,
) -> Iterator[dict]:
    """Yield the rows of the thesis' study of Beta(a, b): calibrated predictions, then distorted ones.

    Parameters
    ----------
    a, b : float
        Parameters of the Beta distribution.
    shift : float
        The distortion's k.
    pairs : int
        Sample size while the bin size is varied: over the powers of two below it, and over `steps`.
    steps : sequence of int
        Bin sizes in steps.
    sizes : sequence of int
        Sample sizes, each with bins of its whole square root.
    replicates : int
        Further sets of labels for the same predictions, which show how far a score is from its expectation.
    seed : int
        Seed of all draws.
    """
    doubled = [2**power for power in range(1, pairs.bit_length()) if 2**power <= pairs]
    for k in (0.0, shift):
        predictor = Predictor(a, b, k)
        rows = _scores(predictor, pairs, (*doubled, *steps), replicates, seed)
        for number, row in enumerate(rows):
            yield {"varied": DOUBLED if number < len(doubled) else STEPPED, **row}
        for size in sizes:
            for row in _scores(predictor, size, [isqrt(size)], replicates, seed):
                yield {"varied": GROWING, **row}


def _scores(predictor: Predictor, pairs: int, bin_sizes: Sequence[int], replicates: int, seed: int) -> Iterator[dict]:
    """Yield a row for each bin size, all of the same predictions and labels."""
    rng = generator(seed, "synthetic", repr(predictor), pairs)
    q = np.sort(rng.beta(predictor.a, predictor.b, pairs))
    probability = distorted(q, predictor.shift)
    thesis = SortedPairs(q, rng.random(pairs) < probability)
    cuts = [np.append(thesis.adaptive_starts(bin_size), pairs) for bin_size in bin_sizes]
    redrawn = np.empty((replicates, len(cuts)))
    cumulative = np.zeros(pairs + 1)
    for scores in redrawn:
        np.cumsum(q - (rng.random(pairs) < probability), out=cumulative[1:])
        for number, cut in enumerate(cuts):
            scores[number] = np.sum(np.diff(cumulative[cut]) ** 2 / np.diff(cut)) / pairs
    for number, (bin_size, cut) in enumerate(zip(bin_sizes, cuts, strict=True)):
        bin_error, noise = expected_score(q, probability, cut[:-1])
        low, high = np.quantile(redrawn[:, number], (0.025, 0.975))
        yield {
            "predictor": "calibrated" if predictor.shift == 0 else "distorted",
            "pairs": pairs,
            "bin_size": bin_size,
            "bins": cut.size - 1,
            "score": mean_square(thesis.summarise(cut[:-1])),
            "expected": bin_error + noise,
            "bin_error": bin_error,
            "noise": noise,
            "redrawn_mean": float(redrawn[:, number].mean()),
            "redrawn_error": float(redrawn[:, number].std(ddof=1) / replicates**0.5),
            "redrawn_low": float(low),
            "redrawn_high": float(high),
            "redrawn": " ".join(f"{score:.6g}" for score in redrawn[:, number]),
            "truth": predictor.mean_square(),
        }
