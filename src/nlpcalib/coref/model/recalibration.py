"""Recalibration of antecedents: a temperature T on the distribution of each mention's antecedent, a weight of NEW.

With A[i, j] = P(a_i = j) and A[i, NEW] = 1 − Σ_j A[i, j], the recalibrated distribution is

    A'[i, a] = A[i, a]^(1/T) / Σ_b A[i, b]^(1/T).

T > 1 flattens and T < 1 sharpens. Antecedents stay independent, so that pair marginals, samples and entities follow
from A' as they do from A (`nlpcalib.coref.model.posterior.tempered`). `fit_to_pairs` also weighs NEW, and fits both to
pairs.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from scipy import optimize

from nlpcalib.coref.model.attributes import mention_table
from nlpcalib.coref.model.kinds import AntecedentWeights
from nlpcalib.coref.model.mentions import MENTIONS, corefer, entities_of
from nlpcalib.coref.model.model import AntecedentModel
from nlpcalib.coref.model.posterior import pair_marginals, tempered, weigh_new
from nlpcalib.errors import InputError
from nlpcalib.text.document import Document

WEIGHT_RANGE = (0.05, 20.0)
"""Temperatures and weights of NEW that are considered."""
MIN_PAIR_PROBABILITY = 1e-9
"""Probability that a pair's label has at least: what A excludes is lost rather than infinitely bad."""
NO_PAIRS = "found no document with two mentions, expected documents with entities to recalibrate on"
_NELDER_MEAD_OPTIONS = {"xatol": 5e-3, "fatol": 1e-2, "initial_simplex": [[0.0, 0.0], [0.25, 0.0], [0.0, 0.25]]}
"""Of logarithms of weights, and of log-likelihoods."""


def gold_pairs(
    models: Sequence[AntecedentModel], parts: Sequence[Sequence[Document]], mentions: str
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return A of each document with two mentions, (N, N), and whether its pairs corefer, bool (N(N − 1)/2,)."""
    found = []
    for model, document in ((model, each) for model, part in zip(models, parts, strict=True) for each in part):
        spans = MENTIONS[mentions](document)
        if len(spans) > 1:
            conditionals = model.conditionals(mention_table(document, spans))
            found.append((conditionals, corefer(entities_of(spans, document))))
    return found


def fit_to_pairs(documents: Sequence[tuple[np.ndarray, np.ndarray]]) -> AntecedentWeights:
    """Return the temperature and the weight of NEW under which the labels of all pairs are likeliest.

    Each pair has its own exact marginal, and their log-likelihoods are summed, a composite likelihood (Lindsay 1988;
    Varin, Reid and Firth 2011). All pairs weigh the same, so that long documents count most. Antecedents that are right
    one by one make pairs that are wrong where links of an entity depend on each other. These weights make pairs nearly
    right, and P(NEW) is then not that of new entities. A weight at the end of WEIGHT_RANGE is a warning in the log.

    Parameters
    ----------
    documents : sequence of (ndarray, ndarray)
        What `gold_pairs` returns.

    Raises `InputError` if there are none.
    """
    if not documents:
        raise InputError(NO_PAIRS)

    def loss(logs: np.ndarray) -> float:
        temperature, new = np.exp(logs)
        return -sum(pair_log_likelihood(conditionals, y, temperature, new) for conditionals, y in documents)

    bounds = [np.log(WEIGHT_RANGE), np.log(WEIGHT_RANGE)]
    found = optimize.minimize(loss, np.zeros(2), method="Nelder-Mead", bounds=bounds, options=_NELDER_MEAD_OPTIONS)
    temperature, new = np.exp(found.x).tolist()
    for name, weight in (("temperature", temperature), ("weight of a new entity", new)):
        if not WEIGHT_RANGE[0] * 1.01 < weight < WEIGHT_RANGE[1] / 1.01:
            logging.warning("pairs of %d documents want a %s of %.3g or beyond", len(documents), name, weight)
    return AntecedentWeights(temperature, new)


def pair_log_likelihood(conditionals: np.ndarray, y: np.ndarray, temperature: float, new: float) -> float:
    """Return the sum of the log-probabilities of all pairs' labels, bool (N(N − 1)/2,), by their exact marginals."""
    marginals = pair_marginals(weigh_new(tempered(conditionals, temperature), new))
    q = marginals[np.tril_indices(len(marginals), -1)]
    return float(np.log(np.maximum(np.where(y, q, 1 - q), MIN_PAIR_PROBABILITY)).sum())
