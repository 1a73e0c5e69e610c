"""Training of a whole model on annotated documents: settings, weights, decay of NEW and threshold."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nlpcalib
from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.model import AntecedentModel
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.document import Document
from reproduction.coref.clusters import choose_threshold, others
from reproduction.coref.temperatures import fit_new_decay
from reproduction.coref.training import Costs, TrainingPairs, fit
from reproduction.corpora.annotated import in_genres


def documents_of(paths: Sequence[str], genres: Sequence[str], fold: tuple[int, int] | None) -> list[Document]:
    """Return the documents of some files in some genres, without those of a fold, (k, folds), if one is named.

    Raises `InputError` if there are none.
    """
    documents = [document for path in paths for document in read_conllu(path)]
    if fold is not None:
        documents = others(documents, *fold)
    documents = [document for document in documents if in_genres(document, genres)]
    if not documents:
        raise InputError(f"{', '.join(paths)}: found no documents of {genres}, expected documents to train on")
    return documents


def trained(
    documents: Sequence[Document],
    snippets: Sequence[Document],
    tuning: Sequence[Document] | None,
    *,
    dataset: str,
    settings: Mapping[str, Any],
    l2: float,
    iterations: int,
    checkpoint: Path,
    library: str,
) -> AntecedentModel:
    """Return a model of documents and of GAP's snippets, with a card.

    `settings` are a model's of the configuration, all of them optional. On `tuning` the threshold is chosen, and a
    decay of NEW is fitted to it if the settings ask for it; without such documents there are none.
    `checkpoint` and `library` are as `reproduction.coref.training.fit` takes them.
    """
    mentions = settings.get("mentions", "predicted")
    pairs = TrainingPairs.of(documents, mentions, snippets)
    logging.info("%d documents, %d mentions, %d pairs", len(documents), pairs.mentions, pairs.gold.size)
    costs = Costs(**settings.get("costs", {}))
    weights = fit(pairs, l2=l2, iterations=iterations, costs=costs, checkpoint=checkpoint, library=library)
    card = {
        "corpus": dataset,
        "documents": len(documents),
        "snippets": len(snippets),
        "mentions": pairs.mentions,
        "trained_on_mentions": mentions,
        "settings": {**settings, "l2": l2, "iterations": iterations},
        "nlpcalib": nlpcalib.__version__,
    }
    model = AntecedentModel(pairs.current_vocabulary, pairs.antecedent_vocabulary, weights, card)
    if tuning is not None:
        if settings.get("recalibrated"):
            card["new_decay"] = fit_new_decay(model, tuning, mentions)
            logging.info("decay of NEW: %.2f", card["new_decay"])
        card["threshold"] = choose_threshold(model, tuning, mentions)
        logging.info("marginals are clustered down to %.2f", card["threshold"])
    return model
