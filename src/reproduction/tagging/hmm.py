"""Hidden Markov models with Dirichlet MAP estimates (paper, section 4.2.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputError
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus

MAXIMUM_LIKELIHOOD = 1e-50
"""The pseudocount that stands for maximum likelihood (thesis, section 4.1.1).

Maximum likelihood itself gives probability zero to every sentence with an unseen word or transition, and leaves its
posterior undefined. As the pseudocount vanishes the posterior has a limit: only tag sequences with the fewest unseen
events keep any probability, and among them the vanishing factors cancel; a lone unseen word has likelihood proportional
to 1 / (count of the tag). To be at the limit, one unseen event must outweigh every advantage of the events around it,
and each can be worth a factor as large as the corpus: 1e-50 outweighs nine of them in a corpus of 100,000 tokens by
five orders of magnitude. It is far from any trouble in float64: potentials stay above -140.
"""


@dataclass(frozen=True, eq=False)
class HMMCounts:
    """The sufficient statistics of a tagged corpus, counted once for any number of pseudocounts."""

    tags: tuple[str, ...]
    words: tuple[str, ...]
    initial: np.ndarray
    """(K,) int64: sentences that begin with each tag."""
    transition: np.ndarray
    """(K, K) int64: consecutive tags within a sentence."""
    emission: np.ndarray
    """(V, K) int64: occurrences of each word with each tag."""

    @classmethod
    def of(cls, corpus: TaggedCorpus) -> HMMCounts:
        """Count `corpus`; InputError if it has no tokens, or tokens that are not one attribute each."""
        if corpus.tokens.indptr is not None:
            raise InputError("tokens have lists of attributes; an HMM expects exactly one, the word")
        if not len(corpus.tokens):
            raise InputError("the training corpus has no tokens")
        tags, words, gold = len(corpus.tags), len(corpus.tokens.names), corpus.gold
        second = corpus.second
        first = (np.cumsum(corpus.lengths) - corpus.lengths)[corpus.lengths > 0]
        return cls(
            tags=corpus.tags,
            words=corpus.tokens.names,
            initial=np.bincount(gold[first], minlength=tags),
            transition=np.bincount(gold[second - 1] * tags + gold[second], minlength=tags**2).reshape(tags, tags),
            emission=np.bincount(corpus.tokens.indices * tags + gold, minlength=words * tags).reshape(words, tags),
        )

    def chain(self, pseudocount: float) -> LinearChain:
        """Return the HMM whose every initial, transition and emission count is `pseudocount` larger.

        That is the mode of the posterior under symmetric Dirichlet priors with parameter 1 + `pseudocount`. The
        emission distributions are over the training words and one unknown word, which stands for all others. There is
        no stop state: a sentence may end after any tag, at no cost. Raises InputError unless `pseudocount` is finite
        and positive.
        """
        if not (math.isfinite(pseudocount) and pseudocount > 0):
            raise InputError(
                f"pseudocount is {pseudocount}; expected a positive number: without one, unseen words have no "
                f"posterior (use MAXIMUM_LIKELIHOOD, {MAXIMUM_LIKELIHOOD:g}, for the limit)"
            )
        emission = np.vstack([self.emission, np.zeros(len(self.tags), dtype=np.int64)]) + pseudocount
        transition = self.transition + pseudocount
        initial = self.initial + pseudocount
        return LinearChain(
            tags=self.tags,
            attributes=self.words,
            state=np.log(emission) - np.log(emission.sum(axis=0)),
            transition=np.log(transition) - np.log(transition.sum(axis=1, keepdims=True)),
            initial=np.log(initial) - np.log(initial.sum()),
            metadata={
                "model": "hmm",
                "pseudocount": float(pseudocount),
                "sentences": int(self.initial.sum()),
                "tokens": int(self.emission.sum()),
                "versions": {"numpy": np.__version__},
            },
        )


def fit_hmm(corpus: TaggedCorpus, *, pseudocount: float) -> LinearChain:
    """Return the Dirichlet MAP estimate from `corpus`; see `HMMCounts.chain`."""
    return HMMCounts.of(corpus).chain(pseudocount)
