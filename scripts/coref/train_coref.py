"""Train an antecedent model, and choose on other documents where the clustering of its marginals is cut."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nlpcalib
from nlpcalib.coref.model.model import AntecedentModel
from nlpcalib.errors import InputError
from nlpcalib.text.conllu import read_conllu
from nlpcalib.text.document import in_genres
from reproduction.coref.evaluation import choose_threshold, others
from reproduction.coref.temperatures import fit_temperatures
from reproduction.coref.training import Costs, TrainingPairs, fit
from reproduction.workflow.run_script import run_script


def main(
    paths_documents: Sequence[str],
    path_model: str,
    path_checkpoint: str,
    *,
    path_tuning: str | None = None,
    path_snippets: str | None = None,
    dataset: str,
    settings: Mapping[str, Any],
    l2: float,
    iterations: int,
    fold: tuple[int, int] | None,
    snippets_without: tuple[int, int] | None = None,
    library: str = "",
) -> None:
    """Write the model of the documents of `paths_documents`, in which a training that was stopped is gone on with.

    `settings` are a model's of the configuration, all of them optional. With `fold`, (k, folds), the documents of that
    fold are left out, and with `snippets_without` that fold of the snippets in `path_snippets`, which the model is
    trained on as well. The threshold is chosen, and temperatures are fitted if the settings ask for it, on the
    documents of `path_tuning`; without them there are none. `library` is the checksum of the library files that this
    script imports.
    """
    documents = [document for path in paths_documents for document in read_conllu(path)]
    if fold is not None:
        documents = others(documents, *fold)
    genres = settings.get("genres", [])
    documents = [document for document in documents if in_genres(document, genres)]
    if not documents:
        raise InputError(
            f"{', '.join(paths_documents)}: found no documents of {genres}, expected documents to train on"
        )
    mentions = settings.get("mentions", "predicted")
    snippets = list(read_conllu(path_snippets)) if path_snippets is not None else []
    if snippets_without is not None:
        snippets = others(snippets, *snippets_without)
    pairs = TrainingPairs.of(documents, mentions, snippets)
    logging.info("%d documents, %d mentions, %d pairs", len(documents), pairs.mentions, pairs.gold.size)
    costs = Costs(**settings.get("costs", {}))
    weights = fit(pairs, l2=l2, iterations=iterations, costs=costs, checkpoint=Path(path_checkpoint), library=library)
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
    if path_tuning is not None:
        tuning = list(read_conllu(path_tuning))
        if settings.get("recalibrated"):
            card["temperature"] = fit_temperatures([model], [tuning], mentions)
            logging.info("temperatures of antecedents: %s", card["temperature"])
        card["threshold"] = choose_threshold(model, tuning, mentions)
        logging.info("marginals are clustered down to %.2f", card["threshold"])
    model.save(path_model)
    Path(path_checkpoint).unlink()


if "snakemake" in globals():
    run_script(main, snakemake, path_checkpoint=Path(snakemake.log[0]).with_suffix(".checkpoint.npz"))
