"""Training the thesis' taggers, all of them on the same sentences (thesis, sections 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reproduction.tagging.adagrad import fit_crf_adagrad
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.crf import fit_crf
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.hmm import MAXIMUM_LIKELIHOOD, HMMCounts
from reproduction.tagging.templates import with_templates
from reproduction.tagging.variants import Variant


@dataclass(frozen=True, slots=True)
class AblationSettings:
    """What models of a kind have in common."""

    pseudocounts: Sequence[float]
    """Pseudocounts of the HMM by MAP, to choose from."""
    c2: Sequence[float]
    """L2 penalties of the CRFs, to choose from."""
    epochs: int
    """AdaGrad's passes over the training sentences."""
    step: float
    """AdaGrad's step size."""
    seed: int


def candidates(
    variant: Variant, words: TaggedCorpus, settings: AblationSettings
) -> Iterator[tuple[float, LinearChain]]:
    """Yield each hyperparameter of `variant` with the model that it makes of `words`, a corpus of bare words."""
    if variant.is_hmm:
        counts = HMMCounts.of(words)
        values = [MAXIMUM_LIKELIHOOD] if variant.method == "ml" else settings.pseudocounts
        yield from ((value, counts.chain(value)) for value in values)
        return
    corpus = with_templates(words, variant.templates)
    for c2 in settings.c2:
        if variant.method == "adagrad":
            chain = fit_crf_adagrad(corpus, c2=c2, epochs=settings.epochs, step=settings.step, seed=settings.seed)
        else:
            chain = fit_crf(corpus, c2=c2)
        yield c2, chain.with_metadata(templates=list(variant.templates))
