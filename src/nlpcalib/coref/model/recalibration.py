"""Recalibration of antecedents: a temperature T on the distribution of each mention's antecedent, a weight of NEW.

With A[i, j] = P(a_i = j) and A[i, NEW] = 1 − Σ_j A[i, j], the recalibrated distribution is

    A'[i, a] = A[i, a]^(1/T) / Σ_b A[i, b]^(1/T).

T > 1 flattens and T < 1 sharpens. Antecedents stay independent, so that pair marginals, samples and entities follow
from A' as they do from A (`nlpcalib.coref.model.posterior.tempered`). T is fitted to gold clusterings: a clustering has
the probability of all forests of antecedents that make it. That is the product over mentions of the probability of
having an antecedent in the mention's own entity, or of NEW for its first mention (Durrett and Klein 2013, equation 3).
`fit_to_pairs` also weighs NEW, and fits both to pairs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TypeVar

import numpy as np
from scipy import optimize

from nlpcalib.coref.model.attributes import mention_table
from nlpcalib.coref.model.kinds import KINDS, AntecedentWeights, kinds_of
from nlpcalib.coref.model.mentions import MENTIONS, corefer, entities_of
from nlpcalib.coref.model.model import AntecedentModel
from nlpcalib.coref.model.posterior import pair_marginals, tempered, weigh_new
from nlpcalib.errors import InputError
from nlpcalib.text.document import Document

RANGE = (0.05, 20.0)
"""Temperatures and weights of NEW that are considered."""
_LEAST = 1e-9
"""Probability that a pair's label has at least."""
_NO_CHOICE = "found no document with two mentions, expected documents with entities to recalibrate on"
_GRID = 25
_PRECISION = {"xatol": 5e-3, "fatol": 1e-2, "initial_simplex": [[0.0, 0.0], [0.25, 0.0], [0.0, 0.25]]}
"""Of logarithms of weights, and of log-likelihoods."""

Fitted = TypeVar("Fitted")


@dataclass(frozen=True, eq=False)
class GoldAntecedents:
    """The M choices of antecedents of some documents, and which of them make the gold clusterings.

    The first mention of a document has no choice and is left out, as are mentions whose gold antecedents all have the
    probability 0: no temperature makes those possible.
    """

    log_probability: np.ndarray
    """float64 (P,): log A of the antecedents of one mention after the other, NEW the last of each."""
    gold: np.ndarray
    """bool (P,)."""
    starts: np.ndarray
    """int64 (M,): where each mention's antecedents begin."""

    @classmethod
    def of(
        cls, documents: Iterable[tuple[np.ndarray, Sequence[str | None]]], chosen: Iterable[np.ndarray] | None = None
    ) -> GoldAntecedents:
        """Collect documents: A, (N, N), and the gold entity of each mention, None for one that no entity has.

        `chosen`, bool (N,) for each document, restricts them to the choices of some mentions.
        """
        logs, golds, lengths = [np.zeros(0)], [np.zeros(0, dtype=bool)], [np.zeros(0, dtype=np.int64)]
        for (conditionals, entities), some in zip(documents, chosen or repeat(np.ones(1, dtype=bool)), strict=False):
            count = len(conditionals)
            together = np.zeros((count, count), dtype=bool)
            together[np.tril_indices(count, -1)] = corefer(entities)
            whole = np.column_stack([conditionals, np.clip(1 - conditionals.sum(axis=1), 0.0, 1.0)])
            right = np.column_stack([together, ~together.any(axis=1)])
            listed = np.column_stack([np.tri(count, count, -1, dtype=bool), np.ones(count, dtype=bool)])
            listed[(whole * right).sum(axis=1) == 0] = False
            listed[:1] = False
            listed &= np.broadcast_to(some, count)[:, None]
            with np.errstate(divide="ignore"):
                logs.append(np.log(whole[listed]))
            golds.append(right[listed])
            sizes = listed.sum(axis=1)
            lengths.append(sizes[sizes > 0])
        sizes = np.concatenate(lengths)
        return cls(np.concatenate(logs), np.concatenate(golds), np.cumsum(sizes) - sizes)

    def log_likelihood(self, temperature: float, new: float = 1.0) -> float:
        """Return the log-probability of the gold clusterings at a temperature, with NEW `new` times as likely."""
        if not self.starts.size:
            return 0.0
        sizes = np.diff(self.starts, append=self.gold.size)
        logs = self.log_probability.copy()
        # NEW is divided by the temperature below, as all others are.
        logs[self.starts + sizes - 1] += temperature * np.log(new)
        highest = np.maximum.reduceat(logs, self.starts)
        gold = np.where(self.gold, logs, -np.inf)
        best = np.maximum.reduceat(gold, self.starts)
        # Gold antecedents are taken against their own highest: it may be far below the row's.
        within = np.add.reduceat(np.exp((gold - np.repeat(best, sizes)) / temperature), self.starts)
        total = np.add.reduceat(np.exp((logs - np.repeat(highest, sizes)) / temperature), self.starts)
        return float(np.sum((best - highest) / temperature + np.log(within) - np.log(total)))


def gold_antecedents(
    models: Sequence[AntecedentModel], parts: Sequence[Sequence[Document]], mentions: str
) -> GoldAntecedents:
    """Return the choices of antecedents in the documents of each part, as the part's own model sees them."""
    return _choices(_seen(models, parts, mentions))


_Seen = tuple[np.ndarray, Sequence[str | None], np.ndarray]
"""A of a document, (N, N), and the gold entity and the kind of each mention, (N,)."""


def _seen(models: Sequence[AntecedentModel], parts: Sequence[Sequence[Document]], mentions: str) -> list[_Seen]:
    found: list[_Seen] = []
    for model, documents in zip(models, parts, strict=True):
        for document in documents:
            spans = MENTIONS[mentions](document)
            table = mention_table(document, spans)
            found.append((model.conditionals(table), entities_of(spans, document), kinds_of(table)))
    return found


def _choices(seen: Sequence[_Seen], kind: str | None = None) -> GoldAntecedents:
    chosen = [kinds == KINDS.index(kind) for _, _, kinds in seen] if kind else None
    return GoldAntecedents.of([(conditionals, entities) for conditionals, entities, _ in seen], chosen)


def fit_temperatures(
    models: Sequence[AntecedentModel], parts: Sequence[Sequence[Document]], mentions: str
) -> dict[str, float]:
    """Return a temperature for each kind of mention, 1 for a kind without a choice.

    Raises `InputError` if no mention has a choice.
    """
    seen = _seen(models, parts, mentions)
    choices = {kind: _choices(seen, kind) for kind in KINDS}
    if not any(choice.starts.size for choice in choices.values()):
        fit_temperature(choices[KINDS[0]])
    return {kind: fit_temperature(choice) if choice.starts.size else 1.0 for kind, choice in choices.items()}


def cross_fitted(
    fit: Callable[[Sequence[AntecedentModel], Sequence[Sequence[Document]]], Fitted],
    models: Sequence[AntecedentModel],
    folds: Sequence[Sequence[Document]],
) -> list[Fitted]:
    """Return what is fitted for each fold's model: to all other folds, under their own models."""
    return [
        fit(
            [model for number, model in enumerate(models) if number != fold],
            [documents for number, documents in enumerate(folds) if number != fold],
        )
        for fold in range(len(folds))
    ]


def gold_pairs(
    models: Sequence[AntecedentModel], parts: Sequence[Sequence[Document]], mentions: str
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return A of each document with two mentions, (N, N), and whether its pairs corefer, bool (N(N − 1)/2,)."""
    seen = _seen(models, parts, mentions)
    return [(conditionals, corefer(entities)) for conditionals, entities, _ in seen if len(entities) > 1]


def fit_to_pairs(documents: Sequence[tuple[np.ndarray, np.ndarray]]) -> AntecedentWeights:
    """Return the temperature and the weight of NEW under which the labels of all pairs are likeliest.

    Each pair has its own exact marginal, and their log-likelihoods are summed, a composite likelihood (Lindsay 1988;
    Varin, Reid and Firth 2011). All pairs weigh the same, so that long documents count most. Antecedents that are right
    one by one make pairs that are wrong where links of an entity depend on each other. These weights make pairs nearly
    right, and P(NEW) is then not that of new entities. A weight at the end of RANGE is a warning in the log.

    Parameters
    ----------
    documents : sequence of (ndarray, ndarray)
        What `gold_pairs` returns.

    Raises `InputError` if there are none.
    """
    if not documents:
        raise InputError(_NO_CHOICE)

    def loss(logs: np.ndarray) -> float:
        temperature, new = np.exp(logs)
        return -sum(pair_log_likelihood(conditionals, y, temperature, new) for conditionals, y in documents)

    bounds = [np.log(RANGE), np.log(RANGE)]
    found = optimize.minimize(loss, np.zeros(2), method="Nelder-Mead", bounds=bounds, options=_PRECISION)
    temperature, new = np.exp(found.x).tolist()
    for name, weight in (("temperature", temperature), ("weight of a new entity", new)):
        if not RANGE[0] * 1.01 < weight < RANGE[1] / 1.01:
            logging.warning("pairs of %d documents want a %s of %.3g or beyond", len(documents), name, weight)
    return AntecedentWeights(temperature, new)


def pair_log_likelihood(conditionals: np.ndarray, y: np.ndarray, temperature: float, new: float) -> float:
    """Return the sum of the log-probabilities of all pairs' labels, bool (N(N − 1)/2,), by their exact marginals.

    What A excludes counts as 10⁻⁹, and is lost rather than infinitely bad.
    """
    marginals = pair_marginals(weigh_new(tempered(conditionals, temperature), new))
    q = marginals[np.tril_indices(len(marginals), -1)]
    return float(np.log(np.maximum(np.where(y, q, 1 - q), _LEAST)).sum())


def fit_temperature(choices: GoldAntecedents) -> float:
    """Return the temperature in RANGE of the highest likelihood; `InputError` if no mention has a choice."""
    if not choices.starts.size:
        raise InputError(_NO_CHOICE)

    def loss(log: float) -> float:
        return -choices.log_likelihood(float(np.exp(log)))

    # The log-likelihood is a difference of two convex functions of 1/T, so that it may have several peaks.
    grid = np.linspace(np.log(RANGE[0]), np.log(RANGE[1]), _GRID)
    best = int(np.argmin([loss(log) for log in grid]))
    found = optimize.minimize_scalar(
        loss,
        bounds=(grid[max(best - 1, 0)], grid[min(best + 1, _GRID - 1)]),
        method="bounded",
        options={"xatol": 1e-4},
    )
    return float(np.exp(found.x))
