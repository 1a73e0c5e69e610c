"""Linear-chain conditional random fields, trained by CRFsuite through sklearn-crfsuite (paper, section 4.2.1)."""

from __future__ import annotations

import logging
import math
from importlib.metadata import version

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import scratch_folder
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.crfsuite_model import read_crfsuite_model
from reproduction.tagging.data import TaggedCorpus

logger = logging.getLogger(__name__)

_LAST_LINES_OF_A_LOG = ("L-BFGS resulted", "L-BFGS terminated")


def fit_crf(corpus: TaggedCorpus, *, c2: float, max_iterations: int | None = None) -> LinearChain:
    """Train a CRF with transition and attribute-tag features by L2-regularised L-BFGS.

    The objective is the negative log-likelihood plus `c2` times the squared norm of the weights. As CRFsuite does by
    default, there is a feature for every tag-attribute and tag-tag combination that occurs in `corpus` and no other,
    and none for the first tag. `max_iterations` stops early; None runs until CRFsuite's criterion (1e-5) is met.
    Tags and attributes of the result are those of the corpus, in its order. How the optimiser stopped is in the
    metadata, and a warning is logged if it was an error.

    Raises InputError if `c2` is negative or not finite, if `max_iterations` is not positive, or if there are no
    tokens.
    """
    # Training is the only part that needs CRFsuite; it is not among the library's own dependencies.
    from sklearn_crfsuite import CRF

    if not (math.isfinite(c2) and c2 >= 0):
        raise InputError(f"c2 is {c2}; expected a number that is not negative")
    if max_iterations is not None and max_iterations < 1:
        raise InputError(f"max_iterations is {max_iterations}; expected at least 1")
    if not len(corpus.tokens):
        raise InputError("the training corpus has no tokens")

    # CRFsuite cuts strings at NUL and cannot encode lone surrogates, so it sees numbers instead of names. They do not
    # affect the weights: CRFsuite numbers attributes and labels itself, in order of occurrence.
    items = corpus.tokens.codes_as_text()
    labels = [str(code) for code in corpus.gold.tolist()]
    ends = np.cumsum(corpus.lengths).tolist()
    parts = [slice(end - length, end) for end, length in zip(ends, corpus.lengths.tolist(), strict=True) if length]
    with scratch_folder() as folder:
        estimator = CRF(
            algorithm="lbfgs", c1=0.0, c2=c2, max_iterations=max_iterations, model_filename=str(folder / "crf")
        )
        estimator.fit([items[part] for part in parts], [labels[part] for part in parts])
        # The potentials of `estimator.tagger_.info()` have six digits; those of the file have all.
        numbered = read_crfsuite_model(estimator.modelfile.name)
    log = estimator.training_log_
    # CRFsuite stores whatever weights it has when the optimiser gives up, and reports this only in its log.
    termination = next((line.strip() for line in log.log if line.startswith(_LAST_LINES_OF_A_LOG)), "unknown")
    if "error" in termination:
        logger.warning("c2=%g: %s", c2, termination)

    tags = np.array([int(name) for name in numbered.tags])
    attributes = np.array([int(name) for name in numbered.attributes], dtype=np.int64)
    state = np.zeros((len(corpus.tokens.names) + 1, len(corpus.tags)))
    transition = np.zeros((len(corpus.tags), len(corpus.tags)))
    state[np.ix_(attributes, tags)] = numbered.state[:-1]
    transition[np.ix_(tags, tags)] = numbered.transition
    return LinearChain(
        tags=corpus.tags,
        attributes=corpus.tokens.names,
        state=state,
        transition=transition,
        initial=np.zeros(len(corpus.tags)),
        metadata={
            "model": "crf",
            "c2": float(c2),
            "max_iterations": max_iterations,
            "iterations": len(log.iterations),
            "termination": termination,
            "sentences": int(np.count_nonzero(corpus.lengths)),
            "tokens": len(corpus.tokens),
            "versions": {"numpy": np.__version__, "python-crfsuite": version("python-crfsuite")},
        },
    )
