"""Entities of the antecedent model: exact pair marginals, and samples of whole clusterings.

Mentions i and j < i share an entity if their antecedents connect them. The antecedent of i does not depend on those of
earlier mentions, and later mentions never join what was apart before, so with A[i, k] = P(a_i = k)

    C[i, j] = Σ_{k < i} A[i, k] C[k, j]        (j < i; C symmetric with a unit diagonal),

a recursion over rows. It is exact; the paper (section 5.2) estimates C from samples instead.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from nlpcalib.errors import InputError

_BLOCK_ROWS = 64
"""Mentions that the recursion takes at a time, so that most of the work is products of matrices."""


def pair_marginals(conditionals: np.ndarray) -> np.ndarray:
    """Return C, float64 (N, N): the probability that two mentions share an entity, exactly. Memory is that of C.

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
    """Fill in the marginals of all mentions but the first `known`, whose marginals are there, and of their pairs.

    Parameters
    ----------
    marginals : ndarray, shape (N, N), float64
        C, with a unit diagonal, and 0 where it is not known.
    conditionals : ndarray, shape (N - known, N), float64
        The rows of A for the mentions that are not known.
    """
    for first in range(known, len(marginals), _BLOCK_ROWS):
        last = min(first + _BLOCK_ROWS, len(marginals))
        before, among = (
            conditionals[first - known : last - known, part] for part in (slice(first), slice(first, last))
        )
        rows = marginals[first:last]
        # First by antecedents before these rows, all at once, then row by row by those among them.
        rows[:, :first] = before @ marginals[:first, :first]
        for i in range(1, last - first):
            rows[i, :first] += among[i, :i] @ rows[:i, :first]
        marginals[:first, first:last] = rows[:, :first].T
        block = before @ marginals[:first, first:last]
        for i in range(1, last - first):
            rows[i, first : first + i] = block[i, :i] + among[i, :i] @ rows[:i, first : first + i]
            rows[:i, first + i] = rows[i, first : first + i]


def softmax_with_new(scores: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return the softmax of scores of antecedents, (rows, N), −inf for none, and of NEW, (rows,), which is left out."""
    highest = np.maximum(scores.max(axis=1, initial=-np.inf), new)
    powers = np.exp(scores - highest[:, None])
    return powers / (powers.sum(axis=1) + np.exp(new - highest))[:, None]


def tempered(conditionals: np.ndarray, temperature: float | np.ndarray) -> np.ndarray:
    """Return antecedent probabilities A[i, j]^(1/T), NEW's too, divided by their sums; A itself where T is 1.

    A temperature above 1 flattens the distributions of antecedents, one below sharpens them
    (`nlpcalib.coref.model.recalibration` fits one). Rows may have temperatures of their own, float64 (rows,).

    Raises `InputError` for a temperature that is not a positive number.
    """
    each = np.broadcast_to(np.asarray(temperature, dtype=np.float64), len(conditionals))[:, None]
    for wrong in each[~(np.isfinite(each) & (each > 0))][:1]:
        raise InputError(f"temperature: found {wrong:g}, expected a positive number")
    if (each == 1).all():
        return conditionals
    new = np.clip(1 - conditionals.sum(axis=1, keepdims=True), 0.0, 1.0)
    # Relative to the row's largest, so that a sharp row does not vanish.
    highest = np.maximum(conditionals.max(axis=1, keepdims=True, initial=0.0), new)
    powers = (conditionals / highest) ** (1 / each)
    result = powers / (powers.sum(axis=1, keepdims=True) + (new / highest) ** (1 / each))
    return np.where(each == 1, conditionals, result)


def weigh_new(conditionals: np.ndarray, weight: float | np.ndarray) -> np.ndarray:
    """Return A with NEW `weight` times as likely, divided by the sums of rows; A itself where the weight is 1.

    Below 1 mentions are linked more, above 1 less. Rows may have weights of their own, float64 (rows,).

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
    """Draw whole clusterings (paper, section 5.2): each mention's antecedent, then connected components in one pass.

    Antecedents are drawn by inverse CDF from stratified uniforms, one stratum per sample in random order for each
    mention: every sample is a draw from the model, and averages over samples vary less than those of independent ones.

    Returns
    -------
    ndarray, shape (N, samples), int32
        The entity of each mention in each sample, named by its first mention.
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
        # Sorted uniforms are found fastest, and past the end of the cumulative row is NEW: the mention itself.
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
    """Raise `InputError` unless A is square, strictly lower triangular, and rows are distributions with NEW."""
    if conditionals.ndim != 2 or conditionals.shape[0] != conditionals.shape[1]:
        raise InputError(f"antecedents: found an array of shape {conditionals.shape}, expected (mentions, mentions)")
    # Written so that NaN fails, and without a temporary array of float64 (N, N).
    if isinstance(conditionals, np.ndarray):
        wrong = np.triu(conditionals != 0).any(axis=1) | ~(conditionals.min(axis=1, initial=0.0) >= 0)
    else:
        rows, values = np.repeat(np.arange(conditionals.shape[0]), np.diff(conditionals.indptr)), conditionals.data
        wrong = np.zeros(conditionals.shape[0], dtype=bool)
        wrong[rows[~(values >= 0) | ((values != 0) & (conditionals.indices >= rows))]] = True
    sums = conditionals.sum(axis=1)
    for row in np.flatnonzero(wrong | ~(sums <= 1 + 1e-9))[:1]:
        raise InputError(
            f"antecedents[{row}]: found a row that is no distribution over earlier mentions and NEW; "
            f"its sum is {sums[row]:.9g}"
        )
