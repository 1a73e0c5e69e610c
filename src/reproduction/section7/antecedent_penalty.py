"""A calibration error in the training of the antecedent model, against recalibration afterwards (paper, section 7).

Next to the likelihood stands a penalty λ Σ n_b (mean q − mean y)² over bins b of mentions, where q = P(NEW) and y is
whether the mention begins an entity: the one query whose truth a row of the model has without a clustering. Bins are
drawn anew every few steps of L-BFGS. Recalibration fits a temperature and a weight of NEW to pairs of other documents.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy import optimize

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import Settings, default_estimates
from nlpcalib.coref.model.model import AntecedentModel
from nlpcalib.coref.model.posterior import pair_marginals, tempered, weigh_new
from nlpcalib.coref.model.recalibration import fit_to_pairs, gold_pairs, pair_log_likelihood
from nlpcalib.text.conllu import read_conllu
from reproduction.coref.training import Costs, TrainingPairs
from reproduction.section7.tag_risk import mean_by_unit

TRAINING, OTHER = 120, 60
"""Documents."""
MENTIONS, ROUNDS, STEPS, BINS = "predicted", 3, 20, 20
L2 = (8.0, 2.0, 0.5)
"""Regularisers: a penalty must not only undo too strong a one."""
STRENGTHS = (0.0, 10.0, 100.0)
"""λ."""


class PenalisedPairs:
    """The loss of an antecedent model and its gradient, with the penalty λ of P(NEW)."""

    def __init__(self, pairs: TrainingPairs, strength: float, l2: float) -> None:
        """Take the documents' pairs, λ and the regulariser."""
        self.pairs, self.strength, self.l2 = pairs, strength, l2
        self.bin = np.zeros(pairs.rows.size, dtype=np.int64)

    def draw_bins(self, vector: np.ndarray) -> None:
        """Put mentions into half-mass half-information bins of their present P(NEW)."""
        q = np.clip(self._softmax(vector)[0], 0, 1)
        starts = SortedPairs(q, np.zeros(q.size, dtype=bool)).half_information_starts(BINS)
        self.bin = np.searchsorted(np.sort(q)[starts][1:], q, side="right")

    def __call__(self, vector: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss and its gradient."""
        value, gradient = self.pairs.objective(vector, self.l2, Costs())
        if not self.strength:
            return value, gradient
        new, links = self._softmax(vector)
        size = np.maximum(np.bincount(self.bin), 1)
        gap = np.bincount(self.bin, new - ~self.pairs.anaphoric) / size
        slope = 2 * self.strength * gap[self.bin] * new
        added = self.pairs._gradient(slope * (1 - new), -np.repeat(slope, self.pairs.lengths) * links)
        return value + float(self.strength * size @ gap**2), gradient + added

    def _softmax(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return P(NEW) of each mention with a choice, and the probability of each link."""
        new, scores = self.pairs._scores(self.pairs.weights(vector))
        highest = np.maximum(np.maximum.reduceat(scores, self.pairs.starts), new)
        links, of_new = np.exp(scores - np.repeat(highest, self.pairs.lengths)), np.exp(new - highest)
        total = np.add.reduceat(links, self.pairs.starts) + of_new
        return of_new / total, links / np.repeat(total, self.pairs.lengths)

    def fit(self) -> np.ndarray:
        """Return the weights after `ROUNDS` of L-BFGS, each with bins of its own."""
        vector = np.zeros(self.pairs.size)
        for _ in range(ROUNDS):
            self.draw_bins(vector)
            vector = optimize.minimize(self, vector, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
        return vector


def rows(seed: int, train: str, dev: str, test: str) -> list[dict]:
    """Return a row for each regulariser and λ, as trained and after recalibration, measured on all documents of `test`.

    `error_new` is the calibration error of P(NEW), `error_pairs` that of pairs of mentions; losses are log losses.
    `saved` is the log loss of pairs that a document saves over the best training without a penalty, with the ends of
    its 95 % interval. Nothing is drawn with `seed`.
    """
    training, other, judged = (list(read_conllu(path)) for path in (train, dev, test))
    pairs = TrainingPairs.of(training[:TRAINING], MENTIONS)
    found, losses = [], []
    for l2, strength in product(L2, STRENGTHS):
        weights = pairs.weights(PenalisedPairs(pairs, strength, l2).fit())
        model = AntecedentModel(pairs.current_vocabulary, pairs.antecedent_vocabulary, weights, {})
        fitted = fit_to_pairs(gold_pairs([model], [other[:OTHER]], MENTIONS))
        seen = gold_pairs([model], [judged], MENTIONS)
        for after, (temperature, new) in (("as trained", (1, 1)), ("recalibrated", (fitted.temperature, fitted.new))):
            settings = {"temperature": float(temperature), "new_weight": float(new)}
            weighed = [(weigh_new(tempered(a, temperature), new), y) for a, y in seen]
            losses.append([-pair_log_likelihood(a, y, 1.0, 1.0) for a, y in weighed])
            found.append({"l2": l2, "strength": strength, "then": after, **settings, **measure(weighed)})
    base = min((loss for row, loss in zip(found, losses, strict=True) if not row["strength"]), key=np.sum)
    for row, loss in zip(found, losses, strict=True):
        saved, error = mean_by_unit(np.subtract(base, loss), np.arange(len(loss)))
        row.update(saved=saved, low=saved - 1.96 * error, high=saved + 1.96 * error)
    return found


def measure(documents: list[tuple[np.ndarray, np.ndarray]]) -> dict[str, float]:
    """Return the errors of P(NEW) and of pairs, from each document's A (N, N) and labels of pairs (N(N − 1)/2,)."""
    new, first, pair, together, unit, of_pair = [], [], [], [], [], []
    for number, (conditionals, y) in enumerate(documents):
        i, j = np.tril_indices(len(conditionals), -1)
        linked = np.zeros(len(conditionals), dtype=bool)
        linked[i[y]] = True
        new.append(np.clip(1 - conditionals.sum(axis=1), 0, 1)[1:])
        first.append(~linked[1:])
        pair.append(pair_marginals(conditionals)[i, j])
        together.append(y)
        unit.append(np.full(len(conditionals) - 1, number))
        of_pair.append(np.full(y.size, number))
    measured = {}
    for name, columns in (("new", (new, first, unit)), ("pairs", (pair, together, of_pair))):
        q, y, codes = map(np.concatenate, columns)
        measured[f"error_{name}"] = float(default_estimates(SortedPairs(q, y, codes), Settings())[0].value)
        measured[f"loss_{name}"] = float(-np.log(np.maximum(np.where(y, q, 1 - q), 1e-9)).mean())
    return measured
