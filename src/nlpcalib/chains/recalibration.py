"""Recalibration of chains: weights on the log-potentials of a trained tagger, fitted to labels it never trained on.

With the trained potentials S (state), T (transition) and I (initial), the recalibrated chain has

    score(y) = a Σ_t S[t, y_t] + c (I[y_1] + Σ_{t > 1} T[y_{t-1}, y_t]) + Σ_t b[y_t].

It is a linear chain again, so that its marginals of tags and of tag pairs, its samples and its best paths are those of
one distribution. The weights are inverse temperatures: 1 leaves a potential as it is, less flattens. The conditional
log-likelihood is concave in (a, c, b); its gradient is what was observed less what the chain expects, from
forward-backward (Lafferty, McCallum and Pereira 2001). `none` has no free weight, `temperature` has a = c,
`two_temperatures` a and c, `vector` a, c and a bias for each tag, after the vector scaling of Guo et al. (2017).

No weight repairs a chain for which much is impossible, such as an HMM by maximum likelihood: a weight that makes unseen
words possible flattens all else. The least potentials of such a chain are raised first, see `smoothed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nlpcalib.chains.chain import LinearChain
from nlpcalib.chains.data import TaggedCorpus, documents_of
from nlpcalib.chains.forward_backward import MAXIMUM_SPREAD, Marginals, forward_backward, second_tokens
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator

METHODS = ("none", "temperature", "two_temperatures", "vector")
"""By growing freedom."""

FOLDS = 5

_FEWEST_DOCUMENTS = 10
"""With fewer, sentences are the units of folds: two documents to a fold do not show how weights vary."""

IMPOSSIBLE = 40.0
"""A difference of potentials, in nats, that no smoothed model has: 10 counts in 10¹⁸."""

SPREADS = (12.0, 15.0, 18.0, 21.0, 24.0)
"""Largest differences of potentials to choose from after smoothing, in nats: as of pseudocounts from 1 to 10⁻⁵."""

_LARGEST_WEIGHT = 4.0
_LARGEST_BIAS = 20.0
_STEPS = 100
_NEGLIGIBLE = 1e-3
"""Nats of log-likelihood that are no reason for another step: a parameter is then within .03 standard errors."""


@dataclass(frozen=True, eq=False)
class PotentialWeights:
    """The weights of a recalibrated chain of K tags."""

    state: float
    """a."""
    transition: float
    """c, of the initial potentials too."""
    bias: np.ndarray
    """b, (K,) float64: in nats, added to the log-potential of each tag at every token."""

    @classmethod
    def of(cls, vector: np.ndarray) -> PotentialWeights:
        """See (2 + K,) float64 as a, c and b."""
        return cls(float(vector[0]), float(vector[1]), vector[2:])

    def apply(self, chain: LinearChain) -> LinearChain:
        """Return the recalibrated chain; with weights of 1 and no bias it has the same potentials to the bit.

        A token has one attribute or many, but enters its tag exactly once, by the initial potential or a transition:
        that is where the bias goes.
        """
        return replace(
            chain,
            state=self.state * chain.state,
            transition=self.transition * chain.transition + self.bias,
            initial=self.transition * chain.initial + self.bias,
        )


def smoothed(chain: LinearChain, spread: float) -> LinearChain:
    """Return the chain with its least potentials raised, so that those of a kind differ by `spread` nats at most.

    State potentials of a tag, transitions from a tag and initial potentials are raised by one amount for each kind to
    a new least one. In an HMM that is what a larger pseudocount does to what was not seen in training.
    """

    def raised(table: np.ndarray, axis: int) -> np.ndarray:
        by = max(float(np.ptp(table)) - spread, 0.0)
        return np.maximum(table, table.min(axis=axis, keepdims=True) + by)

    return replace(
        chain,
        state=raised(chain.state, 0),
        transition=raised(chain.transition, 1),
        initial=raised(chain.initial, 0),
    )


@dataclass(frozen=True, slots=True)
class MethodRow:
    """A method on the development set, as a row of `choice.csv`."""

    method: str
    spread: float | None
    """Of potentials after smoothing, in nats; None without smoothing."""
    state_weight: float
    """a, fitted to the whole development set, as are the two below."""
    transition_weight: float
    largest_bias: float
    """The largest |b|, in nats."""
    log_loss: float
    """Per token, of folds that the weights were not fitted to, in nats."""
    worse_than_best: float
    """By how much the log loss is above that of the best method, per token."""
    standard_error: float
    """Of that difference, over sampling units."""
    chosen: bool


@dataclass(frozen=True, eq=False)
class Choice:
    """The chosen recalibration of a chain, and how all methods did."""

    method: str
    spread: float | None
    """See `smoothed`; all methods but `none` smooth first, unless it is None."""
    weights: dict[str, PotentialWeights]
    """Of every method, fitted to the whole development set."""
    rows: list[MethodRow]
    units: int
    """Documents, or sentences where there are too few documents, that folds and standard errors are made of."""

    def apply(self, chain: LinearChain, method: str | None = None) -> LinearChain:
        """Return the chain recalibrated by a method, by default the chosen one, which its metadata names."""
        method = method or self.method
        spread = None if method == "none" else self.spread
        weights = self.weights[method]
        entry = {"method": method, "state_weight": weights.state, "transition_weight": weights.transition}
        if spread is not None:
            chain, entry = smoothed(chain, spread), {**entry, "spread": spread}
        return weights.apply(chain).with_metadata(recalibration=entry)


@dataclass(frozen=True, eq=False)
class ChainLikelihood:
    """The log-likelihood of gold tags as a function of (a, c, b), with its gradient."""

    chain: LinearChain
    scores: np.ndarray
    """(tokens, K) float64: S."""
    gold: np.ndarray
    """(tokens,) int64."""
    lengths: np.ndarray
    """(S,) int64, at least 1."""

    @cached_property
    def _starts(self) -> np.ndarray:
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def _observed(self) -> np.ndarray:
        """What a, c and b are factors of in the score of each sentence's gold tags, (S, 2 + K)."""
        tokens = np.arange(self.gold.size)
        second = second_tokens(self.lengths)
        links = self.chain.initial[self.gold]
        links[second] = self.chain.transition[self.gold[second - 1], self.gold[second]]
        tags = np.zeros_like(self.scores)
        tags[tokens, self.gold] = 1
        columns = np.column_stack([self.scores[tokens, self.gold], links, tags])
        return np.add.reduceat(columns, self._starts)

    def take(self, sentences: np.ndarray) -> ChainLikelihood:
        """Return the likelihood of some sentences, bool (S,)."""
        tokens = np.repeat(sentences, self.lengths)
        return ChainLikelihood(self.chain, self.scores[tokens], self.gold[tokens], self.lengths[sentences])

    def marginals(self, vector: np.ndarray) -> Marginals:
        """Return the posterior of the chain with the weights (a, c, b), (2 + K,)."""
        a, c, bias = vector[0], vector[1], vector[2:]
        transition, initial = c * self.chain.transition + bias, c * self.chain.initial + bias
        return forward_backward(a * self.scores, self.lengths, transition, initial)

    def __call__(self, vector: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of each sentence, (S,) float64, at (a, c, b), (2 + K,)."""
        return self._observed @ vector - self.marginals(vector).log_partition

    def with_gradient(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the log-likelihood of each sentence, (S,), and its gradient, (S, 2 + K), at (a, c, b), (2 + K,)."""
        marginals = self.marginals(vector)
        single = marginals.single
        links = np.zeros(self.gold.size)
        links[marginals.second] = marginals.expected(self.chain.transition)
        links[self._starts] = np.sum(single[self._starts] * self.chain.initial, axis=1)
        columns = np.column_stack([np.sum(single * self.scores, axis=1), links, single])
        expected = np.add.reduceat(columns, self._starts)
        return self._observed @ vector - marginals.log_partition, self._observed - expected


def chain_likelihood(chain: LinearChain, corpus: TaggedCorpus) -> tuple[ChainLikelihood, tuple[str, ...]]:
    """Return the likelihood of the corpus' gold tags, and the names of the S sentences that it is of.

    Left out are sentences with a tag that the chain does not have, which are impossible whatever the weights. The
    corpus has the kind of attributes that the chain expects. Raises InputError if no sentence is left.
    """
    _, gold = corpus.gold_in(chain.tags)
    sentence = np.repeat(np.arange(len(corpus.lengths)), corpus.lengths)
    unknown = np.bincount(sentence, gold >= len(chain.tags), minlength=len(corpus.lengths))
    possible = (unknown == 0) & (corpus.lengths > 0)
    if not possible.any():
        raise InputError("found no sentence whose tags the model has, expected a development set to recalibrate on")
    tokens = possible[sentence]
    likelihood = ChainLikelihood(chain, chain.scores(corpus.tokens)[tokens], gold[tokens], corpus.lengths[possible])
    return likelihood, tuple(np.array(corpus.units, dtype=object)[possible])


def fit_weights(likelihood: ChainLikelihood, method: str, start: np.ndarray | None = None) -> np.ndarray:
    """Return the weights (a, c, b), (2 + K,) float64, of a method of METHODS, from `start` on.

    They are the mode under independent normal priors of variance 1 around "no recalibration". Next to thousands of
    tokens these weigh nothing; they decide the direction in which all biases grow together, and hold the bias of a tag
    that the development set does not have. The steps are those of BFGS, with the covariance of the sentences' gradients
    for the first curvature (Berndt, Hall, Hall and Hausman 1974).
    """
    tags = len(likelihood.chain.tags)
    neutral = np.concatenate([[1.0, 1.0], np.zeros(tags)])
    vector = neutral if start is None else start
    if method == "none":
        return vector
    # From free parameters to (a, c, b).
    basis = np.eye(2 + tags) if method == "vector" else np.eye(2 + tags)[:2]
    if method == "temperature":
        basis = basis.sum(axis=0, keepdims=True)
    # Transitions may spread only so far, see `forward_backward`.
    spread = max(float(np.ptp(likelihood.chain.transition)), 1.0)
    largest = max(min(_LARGEST_WEIGHT, (MAXIMUM_SPREAD - 2 * _LARGEST_BIAS) / spread), 1.0)
    highest = np.concatenate([[largest, largest], np.full(tags, _LARGEST_BIAS)])
    lowest = np.concatenate([[0.0, 0.0], np.full(tags, -_LARGEST_BIAS)])

    def evaluate(at: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        by_sentence, gradients = likelihood.with_gradient(at)
        free = gradients @ basis.T
        away = at - neutral
        return float(by_sentence.sum() - away @ away / 2), free.sum(axis=0) - basis @ away, free

    current, slope, free = evaluate(vector)
    free -= free.mean(axis=0)
    inverse = np.linalg.inv(np.einsum("si,sj->ij", free, free) + basis @ basis.T)
    size = 1.0
    for _ in range(_STEPS):
        step = inverse @ slope
        if slope @ step < _NEGLIGIBLE:
            break
        candidate = np.clip(vector + size * step @ basis, lowest, highest)
        value, new_slope, _ = evaluate(candidate)
        moved = (candidate - vector)[basis.argmax(axis=1)]
        bent = slope - new_slope
        if moved @ bent > 0:
            twist = np.eye(len(basis)) - np.outer(moved, bent) / (moved @ bent)
            inverse = twist @ inverse @ twist.T + np.outer(moved, moved) / (moved @ bent)
        gain = value - current
        if gain > 0:
            vector, current, slope, size = candidate, value, new_slope, 1.0
        else:
            size /= 2
        if abs(gain) < _NEGLIGIBLE / 10:
            break
    return vector


def choose(chain: LinearChain, dev: TaggedCorpus, *, seed: int, methods: Sequence[str] = METHODS) -> Choice:
    """Fit every method to `dev` and choose one by cross-validation.

    Chosen is the first of `methods` whose log-likelihood on held-out folds is at most one standard error below the
    best one's (Breiman et al. 1984, section 3.4.3). Folds and standard errors are made of documents, or of sentences
    where there are fewer than ten documents. `dev` has the attributes that the chain expects, see `with_templates`.

    Raises `InputError` if fewer than two sentences can be used.
    """
    trained, sentences = chain_likelihood(chain, dev)
    spread, smooth = _smoothing(chain, dev)
    unit = _sampling_units(sentences)
    units = int(unit.max()) + 1
    folds = min(FOLDS, units)
    if folds < 2:
        raise InputError("found one sentence to recalibrate on, expected at least two: one judges the other's weights")
    fold = (generator(seed, "chain recalibration").permutation(units) % folds)[unit]
    weights: dict[str, np.ndarray] = {}
    held_out: dict[str, np.ndarray] = {}
    start = None
    for method in methods:
        likelihood = trained if method == "none" else smooth or trained
        # Each method contains the one before, and a fold's rest is most of the whole: few steps are left from there.
        start = weights[method] = fit_weights(likelihood, method, start)
        by_sentence = np.empty(len(sentences))
        for number in range(folds):
            fitted = start if method == "none" else fit_weights(likelihood.take(fold != number), method, start)
            by_sentence[fold == number] = likelihood.take(fold == number)(fitted)
        held_out[method] = np.bincount(unit, by_sentence, units)
    tokens = trained.gold.size
    best = max(methods, key=lambda method: held_out[method].sum())
    rows = []
    for method in methods:
        behind = held_out[best] - held_out[method]
        error = float(behind.std(ddof=1)) * units**0.5 / tokens
        a, c, bias = weights[method][0], weights[method][1], weights[method][2:]
        loss, gap = -held_out[method].sum() / tokens, behind.sum() / tokens
        used = None if method == "none" else spread
        rows.append(MethodRow(method, used, a, c, float(np.abs(bias).max()), float(loss), float(gap), error, False))
    chosen = next(row for row in rows if row.worse_than_best <= row.standard_error)
    return Choice(
        chosen.method,
        spread,
        {method: PotentialWeights.of(vector) for method, vector in weights.items()},
        [replace(row, chosen=row is chosen) for row in rows],
        units,
    )


def _smoothing(chain: LinearChain, dev: TaggedCorpus) -> tuple[float | None, ChainLikelihood | None]:
    """Return the spread of SPREADS that makes the gold tags likeliest, and their likelihood; None if none is needed."""
    if max(map(np.ptp, (chain.state, chain.transition, chain.initial))) <= IMPOSSIBLE:
        return None, None
    neutral = np.concatenate([[1.0, 1.0], np.zeros(len(chain.tags))])
    tried = {spread: chain_likelihood(smoothed(chain, spread), dev)[0] for spread in SPREADS}
    best = max(tried, key=lambda spread: tried[spread](neutral).sum())
    return best, tried[best]


def _sampling_units(sentences: Sequence[str]) -> np.ndarray:
    """Return the code, (S,) int64, of each sentence's document, or of the sentence if documents are too few."""
    documents = documents_of(sentences)
    names = documents if len(set(documents)) >= _FEWEST_DOCUMENTS else sentences
    return np.unique(np.array(names, dtype=object), return_inverse=True)[1]
