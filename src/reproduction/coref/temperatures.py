"""Temperatures of antecedents, fitted to gold clusterings.

A clustering has the probability of all forests of antecedents that make it. That is the product over mentions of the
probability of having an antecedent in the mention's own entity, or of NEW for its first mention (Durrett and Klein,
2013, equation 3). `reproduction.coref.recalibration` defines temperature and NEW.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy import optimize

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.mentions import corefer
from nlpcalib.systems.coref.model.model import AntecedentModel, new_decay_weights
from nlpcalib.systems.text.document import Document
from reproduction.coref.recalibration import (
    NO_PAIRS,
    WEIGHT_RANGE,
    AntecedentWeights,
    Linked,
    gold_pairs,
    pair_log_likelihood,
)
from reproduction.workflow.typed_csv import read_columns

_TEMPERATURE_GRID_POINTS = 25
MAX_NEW_DECAY = 1.5
"""Largest decay that is tried: with it, NEW would be 23 times less likely late in a text."""


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
    def of(cls, documents: Iterable[tuple[np.ndarray, Sequence[str | None]]]) -> GoldAntecedents:
        """Collect documents: A, (N, N), and the gold entity of each mention, None for one that no entity has."""
        logs, golds, lengths = [np.zeros(0)], [np.zeros(0, dtype=bool)], [np.zeros(0, dtype=np.int64)]
        for conditionals, entities in documents:
            count = len(conditionals)
            together = np.zeros((count, count), dtype=bool)
            together[np.tril_indices(count, -1)] = corefer(entities)
            whole = np.column_stack([conditionals, np.clip(1 - conditionals.sum(axis=1), 0.0, 1.0)])
            right = np.column_stack([together, ~together.any(axis=1)])
            listed = np.column_stack([np.tri(count, count, -1, dtype=bool), np.ones(count, dtype=bool)])
            listed[(whole * right).sum(axis=1) == 0] = False
            listed[:1] = False
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


def gold_antecedents(documents: Iterable[Linked]) -> GoldAntecedents:
    """Return the choices of antecedents in documents, as their models see them."""
    return GoldAntecedents.of((each.conditionals, each.entities) for each in documents)


def fit_new_decay(model: AntecedentModel, documents: Sequence[Document], mentions: str) -> float:
    """Return the decay of NEW in long documents (`systems.coref.model.model`) that fits the labels of all pairs best.

    The model is used without a temperature, and without a decay of its own. Raises `InputError` if there are no pairs.
    """
    pairs = gold_pairs(Linked.of(replace(model, card={**model.card, "new_decay": 0.0}), documents, mentions))
    if not pairs:
        raise InputError(NO_PAIRS)

    def loss(decay: float) -> float:
        return -sum(
            pair_log_likelihood(conditionals, y, 1.0, new_decay_weights(np.arange(len(conditionals)), decay))
            for conditionals, y in pairs
        )

    return float(optimize.minimize_scalar(loss, bounds=(0.0, MAX_NEW_DECAY), options={"xatol": 1e-3}).x)


def cross_fitted(fit: Callable[[Sequence[Linked]], Fitted], folds: Sequence[Sequence[Linked]]) -> list[Fitted]:
    """Return what is fitted for each fold: to the documents of all other folds, under their own models."""
    return [fit(list(chain(*folds[:fold], *folds[fold + 1 :]))) for fold in range(len(folds))]


def fit_temperature(choices: GoldAntecedents) -> float:
    """Return the temperature in WEIGHT_RANGE of the highest likelihood; `InputError` if no mention has a choice."""
    if not choices.starts.size:
        raise InputError(NO_PAIRS)

    def loss(log: float) -> float:
        return -choices.log_likelihood(float(np.exp(log)))

    # The log-likelihood is a difference of two convex functions of 1/T, so that it may have several peaks.
    grid = np.linspace(np.log(WEIGHT_RANGE[0]), np.log(WEIGHT_RANGE[1]), _TEMPERATURE_GRID_POINTS)
    best = int(np.argmin([loss(log) for log in grid]))
    found = optimize.minimize_scalar(
        loss,
        bounds=(grid[max(best - 1, 0)], grid[min(best + 1, _TEMPERATURE_GRID_POINTS - 1)]),
        method="bounded",
        options={"xatol": 1e-4},
    )
    return float(np.exp(found.x))


def read_weights(path: str | Path, recalibration: str) -> AntecedentWeights:
    """Return the weights of antecedents in a row of `reproduction.coref.evaluation.recalibration_row`.

    Raises `InputError`, naming the file, for a table without the row or a column, and for a weight of 0 or less.
    """
    for row in read_columns(path, {"recalibration": str, "temperature": float, "new_weight": float}):
        if row["recalibration"] == recalibration:
            weights = row["temperature"], row["new_weight"]
            if not all(0 < weight < np.inf for weight in weights):
                raise InputError(f"{path}, {recalibration}: found weights {weights}, expected positive numbers")
            return AntecedentWeights(*weights)
    raise InputError(f"{path}: found no row of the recalibration {recalibration}, expected one")
