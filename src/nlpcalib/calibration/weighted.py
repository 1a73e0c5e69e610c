"""The calibration of a corpus from labels of some of its items, which were drawn with unequal probabilities.

    T = Σ_b w_b (R_b² − Σ_u R_ub²) / A_b,   R_ub = Σ ω r,   N_ub = Σ ω,   A_b = N_b² − Σ_u N_ub²

It is the error of `bias_corrected`, with sums over pairs replaced by sums of ω = 1/π over labelled pairs. So bins have
the means that the corpus would have, as Hájek (1971) estimates them: Σ ω r/Σ ω. Without units each pair is its own.

Weights are scaled to sum to Kish's effective number n* = (Σ ω)²/Σ ω² (1965). Whatever counts pairs then counts
effective ones: the trials of the rule of three, those of the Brier bound, and the events that the model expects.
Degrees of freedom are (Σ N_u²)²/Σ N_u⁴ − 1. A finite corpus has no other interval than the population that it is from.

Pairs of .5 with the weights 1, 1, 2 and labels 1, 1, 0 have R = ½ + ½ − 1 = 0, and N² − Σ N_u² = 16 − 6:

>>> pairs = weighted_pairs(np.full(3, 0.5), np.array([1, 1, 0]), np.array([1.0, 1, 2]))
>>> round(float(squared_error(pairs, np.array([0])).value[0]), 6), round((0 - (0.25 + 0.25 + 1)) / 10, 6)
(-0.15, -0.15)
"""

from __future__ import annotations

import numpy as np

from nlpcalib.calibration.bias_corrected import squared_error
from nlpcalib.calibration.binning import Bins, SortedPairs, check_pairs
from nlpcalib.calibration.units import kish, units_within
from nlpcalib.errors import InputError

__all__ = ["check_weights", "squared_error", "weighted_bins", "weighted_mean", "weighted_pairs"]


def check_weights(weights: np.ndarray, pairs: int) -> np.ndarray:
    """Return weights as float64 (N,); `InputError` for others than positive numbers, one for each of the pairs."""
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (pairs,):
        raise InputError(f"weights: found an array of shape {weights.shape}, expected ({pairs},) as many as pairs")
    wrong = np.flatnonzero(~((weights > 0) & np.isfinite(weights)))
    if wrong.size:
        raise InputError(
            f"weights: found {weights[wrong[0]]:g} at row {wrong[0]}, expected positive numbers: 1 over the "
            "probability with which the row was drawn"
        )
    return weights


def weighted_pairs(q: np.ndarray, y: np.ndarray, weights: np.ndarray, unit: np.ndarray | None = None) -> SortedPairs:
    """Return pairs in order of prediction with their weights, scaled to sum to the effective number.

    Parameters
    ----------
    q, y, weights : ndarray, shape (N,)
        Predictions, labels, and 1 over the probability with which each pair was drawn, times any constant.
    unit : ndarray, shape (N,), int, optional
        Codes, from 0 on, of the units that pairs come from.

    Raises `InputError` as `SortedPairs` and `check_weights` do.
    """
    q, y = check_pairs(q, y)
    weights = check_weights(weights, q.size)
    order = np.lexsort((y, q))  # weights of equal pairs differ: they keep their order
    of_unit = np.arange(q.size) if unit is None else np.unique(unit, return_inverse=True)[1]
    pairs = SortedPairs.in_order(q[order], y[order], of_unit[order])
    pairs.weight = weights[order] * (weights.sum() / (weights**2).sum())
    return pairs


def weighted_mean(pairs: SortedPairs, values: np.ndarray) -> float:
    """Return the mean of values (N,) over the corpus that weighted pairs stand for."""
    assert pairs.weight is not None
    return float(pairs.weight @ values / pairs.weight.sum())


def weighted_bins(pairs: SortedPairs, starts: np.ndarray) -> Bins:
    """Return the bins of a curve that begin at `starts`, int (T,), each with the means of the corpus.

    `size` is the number of labels, and `effective_size` Kish's number of their units, each as one label.
    """
    assert pairs.weight is not None
    assert pairs.unit is not None
    size = np.diff(starts, append=len(pairs))
    bin_of = np.repeat(np.arange(len(starts)), size)
    mass = np.add.reduceat(pairs.weight, starts)
    smallest, largest = pairs.q[starts], pairs.q[starts + size - 1]
    unit, of_bin = units_within(pairs.unit, bin_of, len(starts))
    effective = kish(of_bin, np.bincount(unit, weights=pairs.weight), len(starts))
    return Bins(
        size=size,
        mean_prediction=np.clip(np.add.reduceat(pairs.weight * pairs.q, starts) / mass, smallest, largest),
        label_frequency=np.clip(np.add.reduceat(pairs.weight * pairs.y, starts) / mass, 0.0, 1.0),
        smallest=smallest,
        largest=largest,
        effective_size=effective,
        freedom=np.full(len(starts), np.inf),
    )
