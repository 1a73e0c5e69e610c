"""Recalibration of antecedents by a temperature T and a weight w of NEW.

With A[i, j] = P(a_i = j) and A[i, NEW] = 1 − Σ_j A[i, j], the recalibrated distribution is

    A'[i, j] ∝ A[i, j]^(1/T),        A'[i, NEW] ∝ w A[i, NEW]^(1/T),

each row divided by its sum. T > 1 flattens and T < 1 sharpens (temperature scaling, Guo et al. 2017); w > 1 begins
more entities. Antecedents stay independent, so pair marginals, samples and entities follow from A' as from A.
`fit_to_pairs` fits both to labels of pairs.

With A[i, j] = .8 and T = 2, A'[i, j] = √.8 / (√.8 + √.2) = 2/3. With w = 2 in addition, it is 1/2:

    >>> flat = tempered(np.array([[0.8]]), 2.0)
    >>> flat.round(3).tolist(), weigh_new(flat, 2.0).round(3).tolist()
    ([[0.667]], [[0.5]])
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from nlpcalib.errors import InputError, counted
from nlpcalib.systems.coref.answer.resolution import Resolution, resolution_of
from nlpcalib.systems.coref.model.attributes import MentionTable, mention_table
from nlpcalib.systems.coref.model.mentions import MENTIONS, corefer, entities_of
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.coref.model.posterior import pair_marginals, tempered, weigh_new
from nlpcalib.systems.text.document import Document

WEIGHT_RANGE = (0.05, 20.0)
"""Range of the temperatures and of the weights of NEW: a fit at its end is a warning."""
MIN_PAIR_PROBABILITY = 1e-9
"""Smallest probability of a pair's label in the likelihood: an excluded link costs much, and not infinitely much."""
NO_PAIRS = "found no document with two mentions, expected documents with entities to recalibrate on"
_NELDER_MEAD_OPTIONS = {"xatol": 5e-3, "fatol": 1e-2, "initial_simplex": [[0.0, 0.0], [0.25, 0.0], [0.0, 0.25]]}
"""Tolerances of the logarithms of weights and of the log-likelihood: finer fits change no reported digit."""


@dataclass(frozen=True, slots=True)
class AntecedentWeights:
    """Weights that recalibrate each mention's distribution of antecedents, in place of those on the model's card."""

    temperature: float = 1.0
    new: float = 1.0
    """Factor on the probability of NEW, after tempering."""


AS_TRAINED = AntecedentWeights()


@dataclass(frozen=True, eq=False)
class Linked:
    """An annotated document with the antecedents that a model, as it was trained, gives to its N mentions."""

    model: AntecedentModel
    document: Document
    table: MentionTable
    conditionals: np.ndarray
    """A, float64 (N, N)."""

    @classmethod
    def of(cls, model: AntecedentModel, documents: Iterable[Document], mentions: str) -> list[Linked]:
        """Apply a model to the mentions of documents; `mentions` is a key of `MENTIONS`."""
        tables = [(document, mention_table(document, MENTIONS[mentions](document))) for document in documents]
        return [cls(model, document, table, model.conditionals(table)) for document, table in tables]

    @property
    def entities(self) -> list[str | None]:
        """The gold entity of each mention."""
        return entities_of(self.table.spans, self.document)

    def resolution(self, used: AntecedentWeights) -> Resolution:
        """Return what `resolve` does with these weights."""
        model, weighed = self.model, weigh_new(tempered(self.conditionals, used.temperature), used.new)
        return resolution_of(
            *(self.document, self.table.spans, model.attributed(weighed, self.table)),
            *(float(model.card.get("threshold", 0.25)), model.constraints(self.table).among, used.temperature),
        )


def gold_pairs(documents: Iterable[Linked]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return A, (N, N), and whether pairs corefer, bool (N(N − 1)/2,), for documents with two mentions or more."""
    return [(each.conditionals, corefer(each.entities)) for each in documents if len(each.table) > 1]


def fit_to_pairs(documents: Sequence[tuple[np.ndarray, np.ndarray]]) -> AntecedentWeights:
    """Fit the temperature and the weight of NEW by maximum likelihood of the labels of all pairs.

    The log-likelihoods of pairs, by their exact marginals, are summed: a composite likelihood (Lindsay 1988; Varin,
    Reid and Firth 2011). All pairs weigh the same, so long documents dominate. Where links of an entity depend on each
    other, calibrated antecedents give miscalibrated pairs. These weights nearly calibrate pairs; P(NEW) is then no
    longer calibrated. The log warns of a weight at the end of `WEIGHT_RANGE`.

    Parameters
    ----------
    documents : sequence of (ndarray, ndarray)
        The pairs that `gold_pairs` returns.

    Raises `InputError` without documents.
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
            seen = counted(len(documents), "document")
            logging.warning("the best %s for %s is %.3g or beyond", name, seen, weight)
    return AntecedentWeights(temperature, new)


def pair_log_likelihood(conditionals: np.ndarray, y: np.ndarray, temperature: float, new: float | np.ndarray) -> float:
    """Return the log-likelihood of all pairs' labels, bool (N(N − 1)/2,), by their exact marginals.

    `new` is the weight of NEW, or one for each mention.
    """
    marginals = pair_marginals(weigh_new(tempered(conditionals, temperature), new))
    q = marginals[np.tril_indices(len(marginals), -1)]
    return float(np.log(np.maximum(np.where(y, q, 1 - q), MIN_PAIR_PROBABILITY)).sum())
