"""Entities of documents as scores take them, where clusters are cut, and folds of documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.decoding import cluster_marginals
from nlpcalib.systems.coref.model.mentions import Span
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.coref.score.scoring import COUNTED, coref_counts, coref_results
from nlpcalib.systems.text.document import Document

THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)


def choose_threshold(model: AntecedentModel, documents: Sequence[Document], mentions: str) -> float:
    """Return that of THRESHOLDS with which clustered marginals have the best CoNLL F1 on `documents`."""
    counts = np.zeros((len(THRESHOLDS), len(COUNTED), 4))
    for resolution in resolve(documents, model, mentions=mentions):
        key = gold_clusters(resolution.document)
        apart = model.constraints(mention_table(resolution.document, resolution.mentions)).among
        for number, threshold in enumerate(THRESHOLDS):
            entities = cluster_marginals(resolution.marginals, threshold, apart)
            response = clusters(resolution.mentions, entities)
            counts[number] += coref_counts(key, response, singletons=False)
    return THRESHOLDS[int(np.argmax([coref_results(count).conll_f1 for count in counts]))]


def clusters(spans: Sequence[Span], entities: np.ndarray) -> list[list[tuple[int, int, int]]]:
    """Return the (sentence, start, end) of each entity's mentions, as `coref_counts` takes them."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    for span, entity in zip(spans, entities.tolist(), strict=True):
        found.setdefault(entity, []).append((span.sentence, span.start, span.end))
    return list(found.values())


def best_antecedents(conditionals: np.ndarray) -> np.ndarray:
    """Return the entities, int64 (N,), that each mention's most probable antecedent makes (the 1-best of the paper).

    `conditionals` is A, (N, N). Ties go to the earliest antecedent, and from NEW to an antecedent.
    """
    entities = np.arange(len(conditionals))
    for i in range(1, len(conditionals)):
        j = int(conditionals[i, :i].argmax())
        if conditionals[i, j] >= 1 - conditionals[i, :i].sum():
            entities[i] = entities[j]
    return entities


def gold_clusters(document: Document) -> list[list[tuple[int, int, int]]]:
    """Return the annotated entities, each the (sentence, start, end) of its mentions, as `coref_counts` takes them."""
    clusters: dict[str, list[tuple[int, int, int]]] = {}
    for mention in document.mentions:
        clusters.setdefault(mention.entity, []).append((mention.sentence, mention.start, mention.end))
    return list(clusters.values())


def in_fold(documents: Iterable[Document], fold: int, folds: int) -> list[Document]:
    """Return every `folds`-th document by id, so that genres that ids begin with are spread over all folds."""
    return sorted(documents, key=lambda document: document.id)[fold::folds]


def others(documents: Sequence[Document], fold: int, folds: int) -> list[Document]:
    """Return the documents that are not `in_fold`, by id."""
    held_out = {document.id for document in in_fold(documents, fold, folds)}
    return sorted((document for document in documents if document.id not in held_out), key=lambda document: document.id)
