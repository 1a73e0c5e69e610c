"""Exact posteriors and best paths of linear chains, many sentences at a time.

    P(y | x) ∝ exp(initial[y_1] + Σ_t scores[t, y_t] + Σ_{t>1} transition[y_{t-1}, y_t])

* y is the tag sequence of a sentence x with n tokens, and t counts tokens from 1.
* initial (K,), scores (n, K) and transition (K, K) are log-potentials, in nats, of K tags.

HMMs and linear-chain CRFs are both of this form (paper, section 4.2.1; Rabiner 1989; Lafferty, McCallum & Pereira
2001), so one implementation serves both.

Sentences are sorted by length and advanced together, one matrix product per step. Batches are small enough for
OpenBLAS to keep each product on one thread, so the bits do not depend on the number of threads (up to 96 tags). They do
depend, in the last places, on which sentences share a batch; that is below 1e-12 in every marginal.

Two tokens and two tags, with the factor 3 for the first tag at the first token and 2 for equal neighbours, have paths
of weights 6, 3, 1 and 2. Their sum is 12, P(y_1 = 0) = 9/12, P(y_2 = 0) = 7/12 and P(0, 0) = 6/12:

>>> scores, transition = np.log([[3.0, 1.0], [1.0, 1.0]]), np.log([[2.0, 1.0], [1.0, 2.0]])
>>> found = forward_backward(scores, np.array([2]), transition, np.zeros(2))
>>> found.single[:, 0].round(4).tolist(), found.pair(0, 0).round(4).tolist()
([0.75, 0.5833], [0.5])
>>> np.exp(found.log_partition).round(4).tolist()
[12.0]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from nlpcalib.errors import InputError

MAX_TRANSITION_SPREAD = 600.0
"""Largest difference, in nats, between two transition potentials.

Every probability that scaling in float64 can lose is below exp(spread - 745): see `forward_backward`.
"""

_MAX_SINGLE_THREAD_PRODUCT = 2**18
"""Largest m n k at which OpenBLAS runs an (m, k) by (k, n) product on one thread."""

_MAX_BATCH_TOKENS = 2**16
"""Most tokens of a batch of several sentences, which bounds memory."""


@dataclass(frozen=True, eq=False)
class Marginals:
    """Posterior marginals of single tags, and of consecutive tag pairs in factored form.

    For a token t that has a predecessor in its sentence,

        P(y_{t-1} = i, y_t = j | x) = left[t - 1, i] * weights[i, j] * right[t, j]

    so that pair marginals take memory for tokens * K, not tokens * K * K, numbers.
    """

    single: np.ndarray
    """(tokens, K) float64: P(y_t = k | x); each row sums to one within 1e-14."""
    left: np.ndarray
    """(tokens, K) float64: P(y_t = k | x_1 … x_t), for CRFs the normalised forward score."""
    right: np.ndarray
    """(tokens, K) float64: the backward factor of a token; zero at the first token of a sentence."""
    weights: np.ndarray
    """(K, K) float64: exp(transition - max(transition))."""
    log_partition: np.ndarray
    """(S,) float64: log of the sum over all tag sequences; for an HMM log P(x). Zero for an empty sentence."""
    lengths: np.ndarray
    """(S,) int64: tokens of each sentence."""

    @cached_property
    def second(self) -> np.ndarray:
        """(pairs,) int64: the tokens that have a predecessor in their sentence, in order."""
        return second_tokens(self.lengths)

    @cached_property
    def _factors(self) -> tuple[np.ndarray, np.ndarray]:
        """What is left and right of the weights of a pair of tags, each (K, pairs) float64: a tag's are contiguous."""
        return np.take(self.left.T, self.second - 1, axis=1), np.take(self.right.T, self.second, axis=1)

    def pair(self, i: int, j: int) -> np.ndarray:
        """Return P(y_{t-1} = i, y_t = j | x) for the tokens t of `second`, a (pairs,) float64 vector."""
        left, right = self._factors
        return left[i] * self.weights[i, j] * right[j]

    def expected(self, values: np.ndarray) -> np.ndarray:
        """Return E[values[y_{t-1}, y_t] | x] of (K, K) values for the tokens t of `second`: (pairs,) float64."""
        table = self.weights * values
        step = max(1, _MAX_SINGLE_THREAD_PRODUCT // table.size)
        result = np.empty(len(self.second))
        for first in range(0, len(result), step):
            rows = self.second[first : first + step]
            result[first : first + step] = np.sum((self.left[rows - 1] @ table) * self.right[rows], axis=1)
        return result

    def sample(self, uniforms: np.ndarray) -> np.ndarray:
        """Return tag sequences drawn from the posterior, (tokens, samples) int64.

        `uniforms`, (tokens, samples) in [0, 1), are one draw for each token of each sample. The last tag of a sentence
        is drawn from its marginals, and each tag before from P(y_{t-1} | y_t, x_1 … x_{t-1}), by inverse CDF.
        """
        tags = np.empty(uniforms.shape, dtype=np.int64)
        ends = np.cumsum(self.lengths) - 1
        into = np.ascontiguousarray(self.weights.T)
        for back in range(int(self.lengths.max(initial=0))):
            tokens = (ends - back)[self.lengths > back]
            for sample in range(uniforms.shape[1]):
                chance = self.left[tokens]
                if back:
                    chance *= into[tags[tokens + 1, sample]]
                cumulative = np.cumsum(chance, axis=1)
                reached = uniforms[tokens, sample] * cumulative[:, -1]
                drawn = np.count_nonzero(cumulative <= reached[:, None], axis=1)
                tags[tokens, sample] = np.minimum(drawn, chance.shape[1] - 1)
        return tags


def second_tokens(lengths: np.ndarray) -> np.ndarray:
    """Return the positions, (pairs,) int64, of all tokens but the first of each of the (S,) sentences."""
    has_previous = np.ones(int(np.sum(lengths)), dtype=bool)
    starts = np.cumsum(lengths) - lengths
    has_previous[starts[lengths > 0]] = False
    return np.flatnonzero(has_previous)


def forward_backward(scores: np.ndarray, lengths: np.ndarray, transition: np.ndarray, initial: np.ndarray) -> Marginals:
    """Return the exact marginals of every token and of every pair of consecutive tokens.

    The first three are log-potentials. `scores` (tokens, K) has all sentences one after the other. `transition` (K, K)
    leads from the previous tag (row) to the next (column), and `initial` (K,) is of the first tag. `lengths` (S,) are
    integers that sum to the number of tokens, zero for an empty sentence. All must be finite, and the transition
    potentials may not spread over more than `MAX_TRANSITION_SPREAD`; otherwise InputError. Scores may be of any size:
    those of one token are taken relative to the largest.

    Each forward step is normalised, so length is no limit. Nor are small potentials. A tag whose forward score is too
    small for float64 is less probable than the best by a factor below exp(-745), given the sentence so far. The rest
    can favour it by exp(spread of the transitions) at most. The backward pass carries marginals
    instead of backward scores,

        right[t] = single[t] / (left[t - 1] @ weights),    single[t - 1] = left[t - 1] * (weights @ right[t]),

    which need no scale of their own. (Rabiner 1989, section V; the backward form is the smoother of Rauch, Tung and
    Striebel 1965 for discrete states.)
    """
    scores, lengths, transition, initial = _checked(scores, lengths, transition, initial)
    largest = transition.max()
    weights = np.exp(transition - largest)
    weights_transposed = np.ascontiguousarray(weights.T)
    single, left, right = (np.empty_like(scores) for _ in range(3))
    log_scale = np.empty(len(scores))

    for rows, bounds in _batches(lengths, scores.shape[1]):
        width = bounds[1]
        work = scores[rows]
        work[:width] += initial
        peak = work.max(axis=1)
        work -= peak[:, None]
        potentials = np.exp(work, out=work)
        forward, predicted = np.empty_like(work), np.empty_like(work)
        scale = np.empty(len(rows))

        forward[:width] = potentials[:width]
        predicted[:width] = 0.0
        previous = None
        for begin, end in pairwise(bounds):
            alpha = forward[begin:end]
            if previous is not None:
                step = predicted[begin:end]
                np.matmul(previous[: end - begin], weights, out=step)
                np.multiply(step, potentials[begin:end], out=alpha)
            total = np.add.reduce(alpha, axis=1, out=scale[begin:end])
            alpha /= total[:, None]
            previous = alpha

        # From here on `work` holds marginals and `predicted` turns into the backward factors.
        np.copyto(work, forward)
        for step in range(len(bounds) - 2, 0, -1):
            begin, end = bounds[step], bounds[step + 1]
            before = bounds[step - 1]
            factor = predicted[begin:end]
            np.divide(work[begin:end], factor, out=factor)
            work[before : before + end - begin] *= factor @ weights_transposed
        drift = np.add.reduce(work, axis=1)[:, None]
        work /= drift
        predicted /= drift

        single[rows] = work
        left[rows] = forward
        right[rows] = predicted
        log_scale[rows] = np.log(scale) + peak

    sentence = np.repeat(np.arange(len(lengths)), lengths)
    log_partition = np.bincount(sentence, log_scale, minlength=len(lengths)) + largest * np.maximum(lengths - 1, 0)
    return Marginals(single, left, right, weights, log_partition, lengths)


def viterbi(scores: np.ndarray, lengths: np.ndarray, transition: np.ndarray, initial: np.ndarray) -> np.ndarray:
    """Return the best tag sequence of every sentence, (tokens,) int64; arguments as for `forward_backward`.

    Among equally good predecessors of a tag, and among equally good last tags, the first in the order of tags wins.
    """
    scores, lengths, transition, initial = _checked(scores, lengths, transition, initial)
    into = np.ascontiguousarray(transition.T)
    best = np.empty(len(scores), dtype=np.int64)

    for rows, bounds in _batches(lengths, scores.shape[1]):
        delta = scores[rows]
        delta[: bounds[1]] += initial
        previous = delta[: bounds[1]]
        for begin, end in pairwise(bounds[1:]):
            delta[begin:end] += (previous[: end - begin, None, :] + into).max(axis=2)
            previous = delta[begin:end]

        # The predecessor is needed only on the best path, so it is found again there instead of stored for every tag.
        path = delta.argmax(axis=1)
        for step in range(len(bounds) - 2, 0, -1):
            begin, end = bounds[step], bounds[step + 1]
            before = slice(bounds[step - 1], bounds[step - 1] + end - begin)
            path[before] = (delta[before] + into[path[begin:end]]).argmax(axis=1)
        best[rows] = path
    return best


def _checked(scores, lengths, transition, initial) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    scores, transition, initial = (np.asarray(array, dtype=np.float64) for array in (scores, transition, initial))
    lengths = np.asarray(lengths)
    if scores.ndim != 2 or scores.shape[1] == 0:
        raise InputError(f"scores have shape {scores.shape}; expected (tokens, tags) with at least one tag")
    tags = scores.shape[1]
    if transition.shape != (tags, tags) or initial.shape != (tags,):
        raise InputError(
            f"transition has shape {transition.shape} and initial {initial.shape}; "
            f"scores of {tags} tags expect ({tags}, {tags}) and ({tags},)"
        )
    if lengths.ndim != 1 or (lengths.size and not np.issubdtype(lengths.dtype, np.integer)):
        raise InputError(f"lengths are {lengths.dtype} of shape {lengths.shape}; expected a vector of integers")
    lengths = lengths.astype(np.int64)
    if (lengths < 0).any() or lengths.sum() != len(scores):
        raise InputError(f"lengths sum to {lengths.sum()}; expected non-negative ones that sum to {len(scores)} tokens")
    for name, array in (("scores", scores), ("transition", transition), ("initial", initial)):
        finite = np.isfinite(array)
        if not finite.all():
            place = tuple(int(index) for index in np.argwhere(~finite)[0])
            raise InputError(f"{name}{list(place)} is {array[place]}; expected finite log-potentials")
    if (spread := float(np.ptp(transition))) > MAX_TRANSITION_SPREAD:
        raise InputError(
            f"transition potentials spread over {spread:.6g} nats; expected at most {MAX_TRANSITION_SPREAD:.6g}"
        )
    return scores, lengths, transition, initial


def _batches(lengths: np.ndarray, tags: int) -> Iterator[tuple[np.ndarray, list[int]]]:
    """Yield batches of sentences as (rows, bounds).

    `rows` lists the tokens of a batch step by step: the first token of each sentence, then the second token of each
    that has one, and so on. Longer sentences come first, so those of a step are a prefix of those of the step before.
    Step t is `rows[bounds[t]:bounds[t + 1]]`.
    """
    starts = np.cumsum(lengths) - lengths
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    sentences = max(1, _MAX_SINGLE_THREAD_PRODUCT // tags**2)
    first = 0
    while first < len(order):
        longest = int(lengths[order[first]])
        batch = order[first : first + min(sentences, max(1, _MAX_BATCH_TOKENS // longest))]
        first += len(batch)
        active = np.count_nonzero(lengths[batch][:, None] > np.arange(longest), axis=0)
        bounds = np.concatenate([[0], np.cumsum(active)])
        step = np.repeat(np.arange(longest), active)
        rows = starts[batch][np.arange(bounds[-1]) - bounds[step]] + step
        yield rows, bounds.tolist()
