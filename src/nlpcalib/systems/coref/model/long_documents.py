"""Posteriors of long documents: time and memory grow with the length, not with its square.

The antecedents of a mention are sought in a window of mentions before it. A name also sees the last mention of every
earlier name that it shares a word with, at any distance. Antecedents below `MIN_KEPT_PROBABILITY` are dropped, and the
rest of the row, with NEW, is divided by its sum. For these probabilities A everything else is exact:

* Pair marginals C[i, j] = Σ_k A[i, k] C[k, j] need C only between mentions that can still become antecedents.
* With R = (I − A)⁻¹, C = R diag(y) Rᵀ. Here y_m = 1 − Σ_{k, l} A[m, k] A[m, l] C[k, l] is the probability that two
  independent chains of antecedents from m never meet again. Sums of C over any mentions follow from products with R,
  which are triangular solves, without C.

With A[1, 0] = .6, A[2, 0] = .2 and A[2, 1] = .5, y is (1, .64, .59), and C[2, 1] = .5 · .6 + .5 · .64 = .62, as in
`nlpcalib.systems.coref.model.posterior`:

    >>> A, y = np.array([[0, 0, 0], [0.6, 0, 0], [0.2, 0.5, 0]]), np.array([1, 0.64, 0.59])
    >>> R = np.linalg.inv(np.eye(3) - A)
    >>> (R @ np.diag(y) @ R.T).round(3).tolist()
    [[1.0, 0.6, 0.5], [0.6, 1.0, 0.62], [0.5, 0.62, 1.0]]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve_triangular

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.attributes import MentionTable
from nlpcalib.systems.coref.model.decoding import cluster_marginals
from nlpcalib.systems.coref.model.lexicon import TYPES
from nlpcalib.systems.coref.model.model import AntecedentModel, Scorer
from nlpcalib.systems.coref.model.posterior import extend_marginals, tempered

MIN_WINDOW_MENTIONS = 100
"""Smallest window: the model's templates put all larger distances into one bin."""

MIN_KEPT_PROBABILITY = 1e-4
"""Smallest probability of an antecedent or a pair that is kept, so that rows stay sparse."""

_BLOCK_MENTIONS = 256
"""Mentions that are processed at a time, with a common window."""
_BLOCK_ENTITIES = 256
"""Entities whose marginals are summed at a time, which bounds the memory."""


def windowed_conditionals(
    model: AntecedentModel,
    table: MentionTable,
    window: int,
    temperature: float = 1.0,
) -> tuple[sparse.csr_array, float]:
    """Return A, sparse (N, N), with each mention's antecedents in its window, and the total probability left out.

    A block of mentions shares a window, which begins `window` mentions before its first.

    Raises `InputError` for a window below `MIN_WINDOW_MENTIONS`.
    """
    if window < MIN_WINDOW_MENTIONS:
        raise InputError(f"window: found {window}, expected at least {MIN_WINDOW_MENTIONS} mentions")
    scorer, names = Scorer(model, table), _Names(table)
    count, left_out = len(table), 0.0
    blocks = [sparse.csr_array((0, count))]
    for first in range(0, count, _BLOCK_MENTIONS):
        last = min(first + _BLOCK_MENTIONS, count)
        start = max(first - window, 0)
        far, shared = names.before(start, first, last)
        chosen = np.concatenate([far, np.arange(start, last)])
        allowed = np.ones((last - first, chosen.size), dtype=bool)
        allowed[:, : far.size] = shared
        block = tempered(scorer.block(chosen, last - first, allowed), temperature)
        kept = block >= MIN_KEPT_PROBABILITY
        rows, columns = np.nonzero(kept)
        lost = np.where(kept, 0.0, block).sum(axis=1)
        left_out += float(lost.sum())
        values = block[rows, columns] / (1 - lost)[rows]
        blocks.append(sparse.csr_array((values, (rows, chosen[columns])), shape=(last - first, count)))
    return sparse.vstack(blocks, format="csr"), left_out


class _Names:
    """The last mention of each name, updated along the document."""

    def __init__(self, table: MentionTable) -> None:
        self._words = table.words
        self._is_name = table.type == TYPES.index("name")
        self._last: dict[tuple[str, ...], int] = {}
        self._with_word: dict[str, set[tuple[str, ...]]] = {}
        self._seen = 0

    def before(self, end: int, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the last mentions before `end` of names that share a word with a name from `first` to `last`.

        The first array, int64 (far,), has the mentions, sorted. The second, bool (last − first, far), states which
        mentions share a word. `end` must not decrease from call to call.
        """
        for number in range(self._seen, end):
            if self._is_name[number]:
                name = self._words[number]
                self._last[name] = number
                for word in name:
                    self._with_word.setdefault(word, set()).add(name)
        self._seen = max(self._seen, end)
        shared = {
            row: {self._last[name] for word in self._words[first + row] for name in self._with_word.get(word, ())}
            for row in np.flatnonzero(self._is_name[first:last]).tolist()
        }
        far = np.array(sorted(set().union(*shared.values())), dtype=np.int64)
        table = np.zeros((last - first, far.size), dtype=bool)
        for row, mentions in shared.items():
            table[row, np.searchsorted(far, sorted(mentions))] = True
        return far, table


def long_posterior(
    conditionals: sparse.csr_array,
    window: int,
    threshold: float,
    apart: Callable[[np.ndarray], np.ndarray] | None = None,
) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """Return pair marginals, y and decoded entities of a long document, computed block by block.

    The marginals, (N, N), are C[i, j] >= `MIN_KEPT_PROBABILITY`, j < i, of pairs in one window or joined by a link to a
    name. y is float64 (N,), and the entity of each mention int64 (N,).

    Before mentions leave the window, and at the end, average linkage merges entities as `cluster_marginals` does. It
    sees the mentions of the last `window` and those that can still become antecedents; earlier merges stay. In a
    document of one window, entities are those of `cluster_marginals`.

    Parameters
    ----------
    conditionals : sparse array, shape (N, N)
        A: strictly lower triangular, rows summing to at most 1. Links may be of any length; long ones take memory.
    window : int
        Number of mentions before each block whose pairs are always kept.
    threshold : float
        Smallest mean marginal at which clusters merge, see `cluster_marginals`.
    apart : callable, optional
        Which mentions cannot corefer, see `cluster_marginals`.
    """
    count = conditionals.shape[0]
    needed = np.arange(count) + window
    entries = conditionals.tocoo()
    np.maximum.at(needed, entries.col, entries.row)
    never_meet, entities = np.ones(count), np.arange(count)
    kept_values, kept_columns, ends = [np.zeros(0)], [np.zeros(0, np.int32)], np.zeros(count + 1, np.int64)
    active, table = np.zeros(0, np.int64), np.zeros((0, 0))
    for first in range(0, count, _BLOCK_MENTIONS):
        last = min(first + _BLOCK_MENTIONS, count)
        kept = needed[active] >= first
        active, old = np.concatenate([active[kept], np.arange(first, last)]), table[np.ix_(kept, kept)]
        size = len(old)
        table = np.eye(active.size)
        table[:size, :size] = old
        rows = np.asarray(conditionals[first:last][:, active].toarray())
        extend_marginals(table, rows, size)
        never_meet[first:last] = 1 - np.einsum("ij,ij->i", rows @ table, rows)
        if last == count or (needed[active] < last).any():
            entities[active] = _merged(entities, active, table, threshold, apart)
        block = np.tril(table[size:], size - 1)
        at, columns = np.nonzero(block >= MIN_KEPT_PROBABILITY)
        kept_values.append(block[at, columns])
        kept_columns.append(active[columns].astype(np.int32))
        ends[first + 1 : last + 1] = np.bincount(at, minlength=last - first)
    # One after the other, so that not all pairs are in memory twice.
    values = np.concatenate(kept_values)
    kept_values.clear()
    indices = np.concatenate(kept_columns)
    kept_columns.clear()
    # With places of 64 bits, the columns would be copied into as many.
    places = np.cumsum(ends).astype(np.int32 if values.size <= np.iinfo(np.int32).max else np.int64)
    return sparse.csr_array((values, indices, places), shape=(count, count)), never_meet, entities


def _merged(
    entities: np.ndarray,
    active: np.ndarray,
    table: np.ndarray,
    threshold: float,
    apart: Callable[[np.ndarray], np.ndarray] | None,
) -> np.ndarray:
    """Merge entities of active mentions and return them; inactive mentions of these entities change in place."""
    known = entities[active]
    own = None if apart is None else lambda some: apart(active[some])
    labels = cluster_marginals(np.where(known[:, None] == known, 1.0, table), threshold, own)
    joined = np.full(labels.max() + 1, entities.size)
    np.minimum.at(joined, labels, known)
    new_name = np.arange(entities.size)
    new_name[known] = joined[labels]
    entities[:] = new_name[entities]
    return entities[active]


def marginal_sums(conditionals: sparse.csr_array, never_meet: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return C @ weights exactly, float64 (N, columns), as R diag(y) Rᵀ weights, for weights of shape (N, columns)."""
    links = (sparse.eye_array(conditionals.shape[0], format="csr") - conditionals).tocsr()
    reached = spsolve_triangular(links.T.tocsr(), weights, lower=False, unit_diagonal=True)
    return spsolve_triangular(links, never_meet[:, None] * reached, lower=True, unit_diagonal=True)


def entity_sums(
    conditionals: sparse.csr_array, never_meet: np.ndarray, marginals: sparse.csr_array, entities: list[np.ndarray]
) -> np.ndarray:
    """Return the sum of each mention's marginals with the other mentions of its entity, float64 (N,).

    Sums are of `marginals` where these have all pairs of the entity, and else by `marginal_sums`, which takes longer.
    """
    sums, far = np.zeros(len(never_meet)), []
    for members in (each for each in entities if each.size > 1):
        stored = marginals[members][:, members]
        if stored.nnz < members.size * (members.size - 1) // 2:
            far.append(members)
        else:
            sums[members] = stored.sum(axis=0) + stored.sum(axis=1)
    for first in range(0, len(far), _BLOCK_ENTITIES):
        part = far[first : first + _BLOCK_ENTITIES]
        weights = np.zeros((sums.size, len(part)))
        for column, members in enumerate(part):
            weights[members, column] = 1
        exact = marginal_sums(conditionals, never_meet, weights)
        for column, members in enumerate(part):
            sums[members] = exact[members, column] - 1
    return sums
