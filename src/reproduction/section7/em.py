"""An HMM from few labels and much unlabelled text, by EM with exact expectations (paper, section 7).

Each iteration adds to the counts of labelled sentences what the chain expects of those without labels, exactly, by
forward-backward (Baum et al. 1970). Four expectations are compared: exact ones at full weight; at a tenth of it (Nigam
et al. 2000); of the chain at the temperature that suits labelled development sentences; and the counts of best paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import Settings, default_estimates
from nlpcalib.seeding import generator
from nlpcalib.systems.chains.recalibration import PotentialWeights, fit_weights
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus, tagged_corpus
from reproduction.tagging.hmm import HMMCounts
from reproduction.tagging.recalibration import chain_likelihood, reweighted

LABELLED_SENTENCES = (30, 100, 300, 1_000)
UNLABELLED_SENTENCES, DEVELOPMENT_SENTENCES, HELD_OUT_SENTENCES = 1_500, 150, 400
"""Sentences."""
EM_PSEUDOCOUNT = 0.1
MEASURED_ITERATIONS = (0, 1, 2, 4, 8)
"""Iterations after which the chain is measured."""
EM_DRAWS = 4
EM_VARIANTS = {
    "exact": (1.0, "exact"),
    "exact, a tenth": (0.1, "exact"),
    "recalibrated": (1.0, "recalibrated"),
    "best paths": (1.0, "best paths"),
}
"""The weight of unlabelled text, and what is expected of it."""


@dataclass(frozen=True, eq=False)
class TagCounts:
    """Counts of an HMM, float64, which need not be whole."""

    initial: np.ndarray
    """(K,)."""
    transition: np.ndarray
    """(K, K)."""
    emission: np.ndarray
    """(V, K)."""

    def plus(self, other: TagCounts, weight: float) -> TagCounts:
        """Return these counts and `weight` times the others."""
        names = ("initial", "transition", "emission")
        return TagCounts(*(getattr(self, name) + weight * getattr(other, name) for name in names))

    def chain(self, tags: tuple[str, ...], words: tuple[str, ...]) -> LinearChain:
        """Return the HMM with Dirichlet priors, as `reproduction.tagging.hmm` has it."""
        return HMMCounts(tags, words, self.initial, self.transition, self.emission).chain(EM_PSEUDOCOUNT)


def expected_counts(chain: LinearChain, corpus: TaggedCorpus) -> tuple[TagCounts, float]:
    """Return what the chain expects of sentences without labels, whose words it has, and their log-likelihood."""
    marginals = chain.marginals(corpus.tokens, corpus.lengths)
    second = marginals.second
    transition = marginals.weights * (marginals.left[second - 1].T @ marginals.right[second])
    return TagCounts(*_sums(chain, corpus, marginals.single, transition)), float(marginals.log_partition.sum())


def path_counts(chain: LinearChain, corpus: TaggedCorpus, path: np.ndarray) -> TagCounts:
    """Return the counts of tags, int64 (tokens,), of sentences all of whose words the chain has."""
    single = np.eye(len(chain.tags))[path]
    second = corpus.second
    return TagCounts(*_sums(chain, corpus, single, single[second - 1].T @ single[second]))


def rows(seed: int, train: str, dev: str, test: str) -> list[dict]:
    """Return a row for each number of labelled sentences, kind of expectation and iteration: means over draws of them.

    `gained` is the accuracy gained since the first iteration, and `gained_se` its standard error over draws.
    """
    whole, tuning, judged = (tagged_corpus(read_conllu(path)) for path in (train, dev, test))
    tuning, judged = tuning.subset(np.arange(DEVELOPMENT_SENTENCES)), judged.subset(np.arange(HELD_OUT_SENTENCES))
    found = []
    for labels, kind in product(LABELLED_SENTENCES, EM_VARIANTS):
        draws = []
        for draw in range(EM_DRAWS):
            order = generator(seed, "section 7 em", draw).permutation(whole.lengths.size)
            draws.append(
                list(iterations(whole.subset(order[: labels + UNLABELLED_SENTENCES]), labels, kind, tuning, judged))
            )
        for number, iteration in enumerate(MEASURED_ITERATIONS):
            each = [draw[number] for draw in draws]
            gained = np.array([draw[number]["accuracy"] - draw[0]["accuracy"] for draw in draws])
            found.append(
                {"labelled": labels, "expectations": kind, "iteration": iteration}
                | {name: float(np.mean([row[name] for row in each])) for name in each[0]}
                | {"gained": float(gained.mean()), "gained_se": float(gained.std(ddof=1) / EM_DRAWS**0.5)}
            )
    return found


def iterations(
    both: TaggedCorpus, labels: int, kind: str, tuning: TaggedCorpus, judged: TaggedCorpus
) -> Iterator[dict[str, float]]:
    """Yield what `measure` finds at `MEASURED_ITERATIONS`; the first `labels` sentences of `both` are labelled."""
    weight, expected = EM_VARIANTS[kind]
    labelled = replace(both.subset(np.arange(labels)), tags=both.tags, gold=both.gold[: both.lengths[:labels].sum()])
    unlabelled = both.subset(np.arange(labels, both.lengths.size))
    words = both.tokens.names
    empty = LinearChain(both.tags, words, *_potentials(len(both.tags), len(words)))
    start = counts = path_counts(empty, labelled, labelled.gold)
    for iteration in range(max(MEASURED_ITERATIONS) + 1):
        chain = counts.chain(both.tags, words)
        if iteration in MEASURED_ITERATIONS:
            yield measure(chain, judged)
        if expected == "recalibrated":
            likelihood, _ = chain_likelihood(chain, tuning)
            chain = reweighted(chain, PotentialWeights.of(fit_weights(likelihood, "temperature")))
        if expected == "best paths":
            more = path_counts(chain, unlabelled, chain.decode(unlabelled.tokens, unlabelled.lengths))
        else:
            more, _ = expected_counts(chain, unlabelled)
        counts = start.plus(more, weight)


def measure(chain: LinearChain, corpus: TaggedCorpus) -> dict[str, float]:
    """Return the accuracy of the most probable tags, their mean probability, and errors of all tags' probabilities.

    `log_loss` is of the gold tag, in nats a token; a tag that the chain does not have counts as 10⁻⁹.
    """
    single = chain.marginals(corpus.tokens, corpus.lengths).single
    tags, gold = corpus.gold_in(chain.tags)
    single = np.pad(single, ((0, 0), (0, len(tags) - single.shape[1])))
    y = np.arange(len(tags)) == gold[:, None]
    unit = np.repeat(np.unique(corpus.documents, return_inverse=True)[1], corpus.lengths)
    pairs = SortedPairs(np.clip(single, 0, 1).ravel(), y.ravel(), np.repeat(unit, len(tags)))
    error, _ = default_estimates(pairs, Settings())
    return {
        "accuracy": float(np.mean(single.argmax(axis=1) == gold)),
        "confidence": float(single.max(axis=1).mean()),
        "log_loss": float(-np.log(np.maximum(single[y], 1e-9)).mean()),
        "calibration_error": float(error.value),
    }


def _sums(chain: LinearChain, corpus: TaggedCorpus, single: np.ndarray, transition: np.ndarray) -> tuple:
    codes = {word: code for code, word in enumerate(chain.attributes)}
    word = np.array([codes[name] for name in corpus.tokens.names])[corpus.tokens.indices]
    emission = np.zeros((len(chain.attributes), len(chain.tags)))
    np.add.at(emission, word, single)
    first = (np.cumsum(corpus.lengths) - corpus.lengths)[corpus.lengths > 0]
    return single[first].sum(axis=0), transition, emission


def _potentials(tags: int, words: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros((words + 1, tags)), np.zeros((tags, tags)), np.zeros(tags)
