"""Feedback from events to coreference: a prototype of joint inference (paper, section 7).

The paper's events ask an entity to be described with one country alone. Coreference does not know of countries. Here it
learns of them: a sampled clustering weighs exp(−λ c), with c its entities that are described with two countries or
more. That is importance sampling from the product of the antecedent model and a factor for each such entity. λ is
chosen by no label here; all are reported.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.coref.model.decoding import cluster_marginals
from nlpcalib.systems.coref.model.mentions import corefer, entities_of
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.coref.score.scoring import coref_counts, coref_results
from nlpcalib.systems.events.read.extraction import affiliations
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.coref.clusters import clusters, gold_clusters
from reproduction.section7.tag_risk import mean_by_unit

CLUSTERINGS_PER_DOCUMENT = 300
FEEDBACK_STRENGTHS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""λ."""


def rows(seed: int, test: str, model: str) -> list[dict]:
    """Return a row for each λ: scores of clustered marginals, the pairs' log loss, and what it saves over λ = 0.

    `conflicts` is the expected number of entities with two countries in a document, `effective` the mean share of the
    samples that count; `gold_conflicts` is what the annotated entities have. `low` and `high` end the 95 % interval of
    the log loss saved in a document.
    """
    lexicon = load_lexicon(["newsroom"])
    counts, losses, conflicting, effective, gold_conflicts = [], [], [], [], []
    for resolution in resolve(read_conllu(test), load_model(model)):
        spans, document = resolution.mentions, resolution.document
        if len(spans) < 2:
            continue
        described = affiliations(document, spans, lexicon)
        mention, country = (np.array([getattr(each, name) for each in described]) for name in ("mention", "country"))
        samples = resolution.samples(CLUSTERINGS_PER_DOCUMENT, seed)
        conflicts = np.array([conflicts_of(entities, mention, country) for entities in samples.T])
        gold = entities_of(spans, document)
        named = np.array([f"alone {number}" if name is None else name for number, name in enumerate(gold)])
        gold_conflicts.append(conflicts_of(named, mention, country))
        y, key = corefer(gold), gold_clusters(document)
        i, j = np.tril_indices(len(spans), -1)
        together = samples[i] == samples[j]
        each = []
        for strength in FEEDBACK_STRENGTHS:
            weight = np.exp(-strength * (conflicts - conflicts.min()))
            weight /= weight.sum()
            q = (together @ weight * CLUSTERINGS_PER_DOCUMENT + 0.5) / (CLUSTERINGS_PER_DOCUMENT + 1)
            marginals = np.eye(len(spans))
            marginals[i, j] = marginals[j, i] = q
            response = clusters(spans, cluster_marginals(marginals, resolution.threshold))
            counts.append(coref_counts(key, response, singletons=False))
            each.append(
                (
                    -np.log(np.where(y, q, 1 - q)).sum(),
                    weight @ conflicts,
                    1 / (CLUSTERINGS_PER_DOCUMENT * weight @ weight),
                )
            )
        loss, conflict, share = np.transpose(each)
        losses.append(loss)
        conflicting.append(conflict)
        effective.append(share)
    values = np.array(losses)
    found = []
    for number, strength in enumerate(FEEDBACK_STRENGTHS):
        saved, error = mean_by_unit(values[:, 0] - values[:, number], np.arange(len(values)))
        scores = coref_results(np.sum(counts[number :: len(FEEDBACK_STRENGTHS)], axis=0))
        found.append(
            {
                "strength": strength, "conll_f1": scores.conll_f1, "log_loss": float(values[:, number].mean()),
                "saved": saved, "low": saved - 1.96 * error, "high": saved + 1.96 * error,
                "conflicts": float(np.mean(conflicting, axis=0)[number]),
                "gold_conflicts": float(np.mean(gold_conflicts)),
                "effective": float(np.mean(effective, axis=0)[number]),
            }
        )  # fmt: skip
    return found


def conflicts_of(entities: np.ndarray, mention: np.ndarray, country: np.ndarray) -> int:
    """Return how many entities, (N,) by mention, are described with two countries or more."""
    if not mention.size:
        return 0
    pairs = np.unique(np.column_stack([entities[mention].astype(str), country]), axis=0)
    return int(np.count_nonzero(np.unique(pairs[:, 0], return_counts=True)[1] > 1))
