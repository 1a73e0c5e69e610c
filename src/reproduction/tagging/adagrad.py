"""Linear-chain conditional random fields, trained by mini-batch AdaGrad (thesis, section 4.1.1; Duchi et al. 2011).

The objective and the features are those of `reproduction.tagging.crf`, so both trainers have one optimum. Expected
counts come from the same batched forward-backward pass as every posterior. Weights are kept for the features alone, one
vector of F numbers and one of summed squares; a dense table exists only for the attributes of the batch at hand, so
memory is that of the corpus, a few vectors of F numbers and some tables (attributes of a batch, K).
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.chains.forward_backward import Marginals, forward_backward, second_tokens
from reproduction.tagging.attributes import ranges
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus

logger = logging.getLogger(__name__)

BATCH_SIZE = 100
"""Sentences per step (thesis, section 4.1.1)."""

_ROWS_OF_ONE_THREAD = 100
"""Rows of a product that OpenBLAS leaves to one thread, for up to 51 tags, so that no bit depends on threads."""


def fit_crf_adagrad(
    corpus: TaggedCorpus, *, c2: float, epochs: int, step: float, seed: int, batch_size: int = BATCH_SIZE
) -> LinearChain:
    """Train a CRF by AdaGrad on mini-batches of `batch_size` sentences, drawn anew in each of `epochs` passes.

    The objective is that of `reproduction.tagging.crf.fit_crf`, the negative log-likelihood plus `c2` times the squared
    norm of the weights; each batch takes its share of the regulariser by its number of sentences. Each weight moves by
    `step` times its gradient over the root of the sum of its squared gradients so far. All weights start at zero.
    Equal arguments give equal models. The objective after the last step is in the metadata.

    Raises InputError if `c2` is negative or not finite, if `step` is not positive or not finite, if `epochs` or
    `batch_size` is not positive, or if there are no tokens.
    """
    if not (math.isfinite(c2) and c2 >= 0):
        raise InputError(f"c2 is {c2}; expected a number that is not negative")
    if not (math.isfinite(step) and step > 0):
        raise InputError(f"step is {step}; expected a positive number")
    for name, number in (("epochs", epochs), ("batch_size", batch_size)):
        if number < 1:
            raise InputError(f"{name} is {number}; expected at least 1")
    if not len(corpus.tokens):
        raise InputError("the training corpus has no tokens")
    objective = Objective.of(corpus, c2)
    weights = np.zeros(objective.features)
    squares = np.full(objective.features, np.finfo(np.float64).tiny)
    occupied = np.flatnonzero(corpus.lengths)
    for epoch in range(epochs):
        order = generator(seed, "adagrad", epoch).permutation(occupied)
        total = 0.0
        for start in range(0, len(order), batch_size):
            value, gradient = objective.evaluate(weights, np.sort(order[start : start + batch_size]))
            total += value
            squares += gradient * gradient
            gradient /= np.sqrt(squares)
            gradient *= step
            weights -= gradient
        logger.debug("c2=%g, epoch %d: sum of the batches' objectives %.6g", c2, epoch + 1, total)
    final, _ = objective.evaluate(weights)
    return objective.chain(
        weights,
        {
            "model": "crf",
            "trainer": "adagrad",
            "c2": float(c2),
            "epochs": epochs,
            "step": float(step),
            "batch_size": batch_size,
            "seed": seed,
            "objective": final,
            "sentences": len(occupied),
            "tokens": len(corpus.tokens),
            "versions": {"numpy": np.__version__},
        },
    )


@dataclass(frozen=True, eq=False)
class Objective:
    """Negative log-likelihood plus c2 · ‖w‖² of a CRF's weights w, (F,): state features, then transition features.

    There is a feature for every tag-attribute and tag-tag combination that occurs in `corpus`, as in CRFsuite.
    """

    corpus: TaggedCorpus
    c2: float
    observations: sparse.csr_array
    """(tokens, A) ones where a token has an attribute."""
    state_start: np.ndarray
    """(A + 1,) int64: where each attribute's state features begin."""
    state_tag: np.ndarray
    """(state features,) int64: their tags, attribute by attribute."""
    transition: np.ndarray
    """(transition features,) int64: previous tag · K + next tag."""

    @classmethod
    def of(cls, corpus: TaggedCorpus, c2: float) -> Objective:
        """Find the features that occur in `corpus`."""
        tokens, tags, attributes = corpus.tokens, len(corpus.tags), len(corpus.tokens.names)
        indptr = tokens.bounds()
        observations = sparse.csr_array(
            (np.ones(len(tokens.indices)), tokens.indices, indptr), shape=(len(tokens), attributes)
        )
        cells = np.unique(tokens.indices * tags + np.repeat(corpus.gold, np.diff(indptr)))
        second = corpus.second
        return cls(
            corpus=corpus,
            c2=c2,
            observations=observations,
            state_start=np.searchsorted(cells // tags, np.arange(attributes + 1)),
            state_tag=cells % tags,
            transition=np.unique(corpus.gold[second - 1] * tags + corpus.gold[second]),
        )

    @property
    def features(self) -> int:
        """F, the number of weights."""
        return len(self.state_tag) + len(self.transition)

    def evaluate(self, weights: np.ndarray, sentences: np.ndarray | None = None) -> tuple[float, np.ndarray]:
        """Return the objective's value and its gradient, (F,), on the given sentences, int64 (n,), by default all.

        The regulariser counts by the share of sentences that are not empty.
        """
        lengths, gold, observations = self.corpus.lengths, self.corpus.gold, self.observations
        share = 1.0
        if sentences is not None:
            starts = (np.cumsum(lengths) - lengths)[sentences]
            share = np.count_nonzero(lengths[sentences]) / np.count_nonzero(lengths)
            lengths = lengths[sentences]
            rows = ranges(starts, lengths)
            gold, observations = gold[rows], observations[rows]
        column = np.zeros(len(self.corpus.tokens.names), dtype=np.int64)
        column[observations.indices] = 1
        attributes = np.flatnonzero(column)
        column[attributes] = np.arange(len(attributes))
        observations = sparse.csr_array(
            (observations.data, column[observations.indices], observations.indptr), shape=(len(gold), len(attributes))
        )
        tags, state_features = len(self.corpus.tags), len(self.state_tag)
        here, cell = self._cells(attributes)
        table = np.zeros((len(attributes), tags))
        table.reshape(-1)[cell] = weights[here]
        transition = np.zeros((tags, tags))
        transition.reshape(-1)[self.transition] = weights[state_features:]

        scores = observations @ table
        marginals = forward_backward(scores, lengths, transition, np.zeros(tags))
        second = second_tokens(lengths)
        path = scores[np.arange(len(gold)), gold].sum() + transition[gold[second - 1], gold[second]].sum()
        gradient = (2 * self.c2 * share) * weights
        value = float(marginals.log_partition.sum() - path + weights @ gradient / 2)

        surplus = marginals.single
        surplus[np.arange(len(gold)), gold] -= 1
        gradient[here] += (observations.T @ surplus).reshape(-1)[cell]
        expected = _expected_transitions(marginals, second).reshape(-1)
        observed = np.bincount(gold[second - 1] * tags + gold[second], minlength=tags * tags)
        gradient[state_features:] += (expected - observed)[self.transition]
        return value, gradient

    def chain(self, weights: np.ndarray, metadata: dict) -> LinearChain:
        """Return the model with these weights, (F,)."""
        tags, attributes = len(self.corpus.tags), len(self.corpus.tokens.names)
        here, cell = self._cells(np.arange(attributes))
        state, transition = np.zeros((attributes + 1, tags)), np.zeros((tags, tags))
        state.reshape(-1)[cell] = weights[here]
        transition.reshape(-1)[self.transition] = weights[len(self.state_tag) :]
        return LinearChain(self.corpus.tags, self.corpus.tokens.names, state, transition, np.zeros(tags), metadata)

    def _cells(self, attributes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the state features of `attributes` and their cells in a table (attributes, K), raveled."""
        start = self.state_start[attributes]
        size = self.state_start[attributes + 1] - start
        row = np.repeat(np.arange(len(attributes)), size)
        here = ranges(start, size)
        return here, row * len(self.corpus.tags) + self.state_tag[here]


def _expected_transitions(marginals: Marginals, second: np.ndarray) -> np.ndarray:
    """Return the expected number of each pair of consecutive tags, (K, K)."""
    total = np.zeros_like(marginals.weights)
    for start, end in pairwise([*range(0, len(second), _ROWS_OF_ONE_THREAD), len(second)]):
        rows = second[start:end]
        total += marginals.left[rows - 1].T @ marginals.right[rows]
    return marginals.weights * total
