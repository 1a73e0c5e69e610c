"""Entities of the antecedent model: exact pair marginals, and samples of whole clusterings.

Mentions i and j < i share an entity if antecedents connect them. Antecedents are independent, and later mentions never
connect earlier ones. So the probability C[i, j] that they share an entity follows from A[i, k] = P(a_i = k) by a
recursion over rows,

    C[i, j] = Σ_{k < i} A[i, k] C[k, j]        (j < i; C symmetric with a unit diagonal).

It is exact; the paper (section 5.2) estimates C from samples instead.

With A[1, 0] = .6, A[2, 0] = .2 and A[2, 1] = .5, C[2, 0] = .2 + .5 · .6 = .5 and C[2, 1] = .2 · .6 + .5 = .62:

    >>> pair_marginals(np.array([[0, 0, 0], [0.6, 0, 0], [0.2, 0.5, 0]])).round(3).tolist()
    [[1.0, 0.6, 0.5], [0.6, 1.0, 0.62], [0.5, 0.62, 1.0]]
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from nlpcalib.errors import InputError

_BLOCK_ROWS = 64
"""Mentions that the recursion takes at a time, so that most of the work is in matrix products."""


def pair_marginals(conditionals: np.ndarray) -> np.ndarray:
    """Return C, float64 (N, N): the exact probability that two mentions share an entity, in the memory of C alone.

    Parameters
    ----------
    conditionals : ndarray, shape (N, N), float64
        A: strictly lower triangular, rows summing to at most 1.
    """
    check_conditionals(conditionals)
    marginals = np.eye(len(conditionals))
    extend_marginals(marginals, conditionals, 0)
    return np.clip(marginals, 0.0, 1.0, out=marginals)


def extend_marginals(marginals: np.ndarray, conditionals: np.ndarray, known: int) -> None:
    """Fill in the marginals of all mentions after the first `known`, in place.

    Parameters
    ----------
    marginals : ndarray, shape (N, N), float64
        C, with a unit diagonal, and 0 where it is unknown.
    conditionals : ndarray, shape (N - known, N), float64
        The rows of A of the other mentions.
    """
    for first in range(known, len(marginals), _BLOCK_ROWS):
        last = min(first + _BLOCK_ROWS, len(marginals))
        before, among = (
            conditionals[first - known : last - known, part] for part in (slice(first), slice(first, last))
        )
        rows = marginals[first:last]
        # Antecedents before these rows are one product; antecedents among them are added row by row.
        rows[:, :first] = before @ marginals[:first, :first]
        for i in range(1, last - first):
            rows[i, :first] += among[i, :i] @ rows[:i, :first]
        marginals[:first, first:last] = rows[:, :first].T
        block = before @ marginals[:first, first:last]
        for i in range(1, last - first):
            rows[i, first : first + i] = block[i, :i] + among[i, :i] @ rows[:i, first : first + i]
            rows[:i, first + i] = rows[i, first : first + i]


def softmax_with_new(scores: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return softmax probabilities of antecedents, (rows, N), from their scores and NEW's, (rows,); −inf excludes."""
    highest = np.maximum(scores.max(axis=1, initial=-np.inf), new)
    powers = np.exp(scores - highest[:, None])
    return powers / (powers.sum(axis=1) + np.exp(new - highest))[:, None]


def tempered(conditionals: np.ndarray, temperature: float) -> np.ndarray:
    """Return A[i, j]^(1/T), with NEW's, divided by the sum of the row; A itself where T is 1.

    T > 1 flattens the distributions of antecedents, and T < 1 sharpens them; `systems.coref.score.links` fits T.

    Raises `InputError` for a temperature that is not a positive number.
    """
    if not 0 < temperature < np.inf:
        raise InputError(f"temperature: found {temperature:g}, expected a positive number")
    if temperature == 1:
        return conditionals
    new = np.clip(1 - conditionals.sum(axis=1, keepdims=True), 0.0, 1.0)
    # Relative to the row's maximum, so that powers of a sharp row do not underflow.
    highest = np.maximum(conditionals.max(axis=1, keepdims=True, initial=0.0), new)
    powers = (conditionals / highest) ** (1 / temperature)
    return powers / (powers.sum(axis=1, keepdims=True) + (new / highest) ** (1 / temperature))


def weigh_new(conditionals: np.ndarray, weight: float | np.ndarray) -> np.ndarray:
    """Return A with NEW's probability multiplied by `weight` and rows normalised; A itself where the weight is 1.

    A weight below 1 links more mentions, one above 1 fewer. Rows may have their own weights, float64 (rows,).

    Raises `InputError` for a weight that is not a positive number.
    """
    each = np.broadcast_to(np.asarray(weight, dtype=np.float64), len(conditionals))
    for wrong in each[~(np.isfinite(each) & (each > 0))][:1]:
        raise InputError(f"weight of a new entity: found {wrong:g}, expected a positive number")
    if (each == 1).all():
        return conditionals
    linked = conditionals.sum(axis=1)
    total = linked + each * np.clip(1 - linked, 0.0, 1.0)
    result = conditionals / np.where(total > 0, total, 1.0)[:, None]
    return np.where(each[:, None] == 1, conditionals, result)


def sample_entities(conditionals: np.ndarray | sparse.csr_array, samples: int, rng: np.random.Generator) -> np.ndarray:
    """Draw whole clusterings (paper, section 5.2): an antecedent for each mention, then connected components.

    Antecedents are drawn by inverse CDF from stratified uniforms: each mention has one stratum per sample, in random
    order. Every sample is a draw from the model, and averages vary less than those of independent samples.

    Returns
    -------
    ndarray, shape (N, samples), int32
        The entity of each mention in each sample, numbered by its first mention.
    """
    check_conditionals(conditionals)
    count = conditionals.shape[0]
    entities = np.empty((count, samples), dtype=np.int32)
    flat = entities.reshape(-1)
    columns = np.arange(samples)
    uniforms = np.empty(samples)
    for i in range(count):
        rng.random(out=uniforms)
        uniforms += columns
        uniforms /= samples
        # Sorted uniforms are the fastest to look up. Beyond the cumulative row is NEW: the mention itself.
        if isinstance(conditionals, np.ndarray):
            antecedents = np.searchsorted(np.cumsum(conditionals[i, :i]), uniforms, side="right")
        else:
            row = slice(*conditionals.indptr[i : i + 2])
            found = np.searchsorted(np.cumsum(conditionals.data[row]), uniforms, side="right")
            antecedents = np.append(conditionals.indices[row], i)[found].astype(np.int64)
        rng.shuffle(antecedents)
        entities[i] = i
        antecedents *= samples
        antecedents += columns
        entities[i] = flat[antecedents]
    return entities


def check_conditionals(conditionals: np.ndarray | sparse.csr_array) -> None:
    """Raise `InputError` unless A is square and strictly lower triangular, and its rows with NEW are distributions."""
    if conditionals.ndim != 2 or conditionals.shape[0] != conditionals.shape[1]:
        raise InputError(f"antecedents: found an array of shape {conditionals.shape}, expected (mentions, mentions)")
    # The comparisons fail for NaN, and need no temporary float64 array (N, N).
    if isinstance(conditionals, np.ndarray):
        wrong = np.triu(conditionals != 0).any(axis=1) | ~(conditionals.min(axis=1, initial=0.0) >= 0)
    else:
        rows, values = np.repeat(np.arange(conditionals.shape[0]), np.diff(conditionals.indptr)), conditionals.data
        wrong = np.zeros(conditionals.shape[0], dtype=bool)
        wrong[rows[~(values >= 0) | ((values != 0) & (conditionals.indices >= rows))]] = True
    sums = conditionals.sum(axis=1)
    for row in np.flatnonzero(wrong | ~(sums <= 1 + 1e-9))[:1]:
        raise InputError(
            f"antecedents[{row}]: found a row with the sum {sums[row]:.9g} that is not a distribution over earlier "
            "mentions and NEW"
        )
