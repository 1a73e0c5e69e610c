"""The choice of a recalibration for a trained tagger, by documents that its weights were not fitted to.

No weight repairs a chain for which much is impossible, such as an HMM by maximum likelihood: a weight that makes unseen
words possible flattens all else. The least potentials of such a chain are raised first, see `smoothed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.chains.pairs import documents_of_sentences
from nlpcalib.systems.chains.recalibration import CHAIN_RECALIBRATIONS, ChainLikelihood, PotentialWeights, fit_weights
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus

RECALIBRATION_FOLDS = 5

_MIN_DOCUMENTS_FOR_FOLDS = 10
"""Documents needed for folds of documents; with fewer, folds are of sentences."""

MAX_SMOOTHED_DIFFERENCE = 40.0
"""Difference of potentials, in nats, that no smoothed model exceeds: 10 counts in 10¹⁸."""

MAX_DIFFERENCES = (12.0, 15.0, 18.0, 21.0, 24.0)
"""Largest differences of potentials to choose from after smoothing, in nats: as of pseudocounts from 1 to 10⁻⁵."""


def reweighted(chain: LinearChain, weights: PotentialWeights) -> LinearChain:
    """Return the recalibrated chain; with weights of 1 and no bias it has the same potentials to the bit.

    A token has one attribute or many, but enters its tag exactly once, by the initial potential or a transition: that
    is where the bias goes.
    """
    return replace(
        chain,
        state=weights.state * chain.state,
        transition=weights.transition * chain.transition + weights.bias,
        initial=weights.transition * chain.initial + weights.bias,
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
    """Largest difference of potentials after smoothing, in nats; None without smoothing."""
    state_weight: float
    """a, fitted to the whole development set, as are the two below."""
    transition_weight: float
    largest_bias: float
    """The largest |b|, in nats."""
    log_loss: float
    """Per token, of folds that the weights were not fitted to, in nats."""
    worse_than_best: float
    """The log loss less that of the best method, per token."""
    standard_error: float
    """Standard error of that difference, over sampling units."""
    chosen: bool


@dataclass(frozen=True, eq=False)
class Choice:
    """The chosen recalibration of a chain, and how all methods did."""

    method: str
    spread: float | None
    """See `smoothed`; all methods but `none` smooth first, unless it is None."""
    weights: dict[str, PotentialWeights]
    """Weights by method, fitted to the whole development set."""
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
        return reweighted(chain, weights).with_metadata(recalibration=entry)


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
    likelihood = ChainLikelihood(
        chain.scores(corpus.tokens)[tokens], chain.transition, chain.initial, gold[tokens], corpus.lengths[possible]
    )
    return likelihood, tuple(np.array(corpus.units, dtype=object)[possible])


def choose(
    chain: LinearChain, dev: TaggedCorpus, *, seed: int, methods: Sequence[str] = CHAIN_RECALIBRATIONS
) -> Choice:
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
    folds = min(RECALIBRATION_FOLDS, units)
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
    """Return the best of `MAX_DIFFERENCES` and the likelihood of gold tags under it; None if none is needed."""
    if max(map(np.ptp, (chain.state, chain.transition, chain.initial))) <= MAX_SMOOTHED_DIFFERENCE:
        return None, None
    neutral = np.concatenate([[1.0, 1.0], np.zeros(len(chain.tags))])
    tried = {spread: chain_likelihood(smoothed(chain, spread), dev)[0] for spread in MAX_DIFFERENCES}
    best = max(tried, key=lambda spread: tried[spread](neutral).sum())
    return best, tried[best]


def _sampling_units(sentences: Sequence[str]) -> np.ndarray:
    """Return the code, (S,) int64, of each sentence's document, or of the sentence if documents are too few."""
    documents = documents_of_sentences(sentences)
    names = documents if len(set(documents)) >= _MIN_DOCUMENTS_FOR_FOLDS else sentences
    return np.unique(np.array(names, dtype=object), return_inverse=True)[1]
