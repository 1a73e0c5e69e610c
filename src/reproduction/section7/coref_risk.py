"""Clusterings with the least expected loss next to best antecedents, on held-out documents (paper, section 7).

Two losses of a document's pairs of mentions: 1 − F1 of the pairs that share an entity, and the number of pairs that are
wrongly joined or parted. The expectation is over samples from the model. The decision is the best of a few candidates:
best antecedents, average linkage of the exact marginals at several thresholds, and samples.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.coref.answer.resolution import Resolution, resolve
from nlpcalib.coref.model.decoding import cluster_marginals
from nlpcalib.coref.model.mentions import corefer, entities_of
from nlpcalib.coref.model.model import load_model
from nlpcalib.coref.score.scoring import coref_counts, coref_results
from nlpcalib.text.conllu import read_conllu
from reproduction.coref.evaluation import best_antecedents, clusters, gold_clusters
from reproduction.section7.tag_risk import mean_by_unit

SAMPLES, OF_WHICH_CANDIDATES = 200, 40
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)
DECISIONS = ("best antecedents", "average linkage", "least 1 − F1", "fewest wrong pairs")


def rows(seed: int, test: str, model: str) -> list[dict]:
    """Return a row for each decision: expected and measured losses, CoNLL F1, and the F1 gained over best antecedents.

    `low` and `high` are the ends of the 95 % interval of the gain in documents' pairwise F1.
    """
    losses, counts = [], []
    for resolution in resolve(read_conllu(test), load_model(model)):
        if len(resolution.mentions) > 1:
            document, decided = resolution.document, decisions(resolution, seed)
            gold = corefer(entities_of(resolution.mentions, document))
            samples = _pairs(resolution.samples(SAMPLES, seed))
            key = gold_clusters(document)
            response = [clusters(resolution.mentions, labels) for labels in decided]
            counts.append([coref_counts(key, each, singletons=False) for each in response])
            losses.append(
                [
                    (*pair_losses(each, samples).mean(axis=1), *pair_losses(each, gold[:, None]).mean(axis=1))
                    for each in map(_pairs, decided)
                ]
            )
    values, found = np.array(losses), []
    for number, name in enumerate(DECISIONS):
        expected_f1, expected_wrong, f1, wrong = values[:, number].mean(axis=0)
        gain, error = mean_by_unit(values[:, 0, 2] - values[:, number, 2], np.arange(len(values)))
        found.append(
            {
                "decision": name, "expected_1_minus_f1": expected_f1, "measured_1_minus_f1": f1,
                "expected_wrong_pairs": expected_wrong, "measured_wrong_pairs": wrong, "gain": gain,
                "low": gain - 1.96 * error, "high": gain + 1.96 * error,
                "conll_f1": coref_results(np.sum([each[number] for each in counts], axis=0)).conll_f1,
            }
        )  # fmt: skip
    return found


def decisions(resolution: Resolution, seed: int) -> list[np.ndarray]:
    """Return the entities of `DECISIONS`, int64 (N,) each."""
    first = best_antecedents(resolution.conditionals)
    samples = resolution.samples(SAMPLES, seed)
    linked = [cluster_marginals(resolution.marginals, threshold) for threshold in THRESHOLDS]
    candidates = [first, resolution.entities, *linked, *samples[:, :OF_WHICH_CANDIDATES].T]
    drawn = _pairs(samples)
    risks = np.array([pair_losses(_pairs(candidate), drawn).mean(axis=1) for candidate in candidates])
    return [first, resolution.entities, *(candidates[number] for number in risks.argmin(axis=0))]


def pair_losses(decided: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Return 1 − F1 and the number of wrong pairs, float64 (2, S), of pairs bool (P,) against each of bool (P, S)."""
    both = decided.astype(np.float64) @ true
    total = decided.sum() + true.sum(axis=0)
    f1 = np.divide(2 * both, total, out=np.ones(total.size), where=total > 0)
    return np.array([1 - f1, total - 2 * both])


def _pairs(entities: np.ndarray) -> np.ndarray:
    """Return whether the mentions i and j < i share an entity, bool (P,) of (N,), or (P, S) of (N, S)."""
    i, j = np.tril_indices(len(entities), -1)
    return entities[i] == entities[j]
