"""Apply antecedent models to documents that they were not trained on: posteriors, pairs, scores."""

import logging
from collections.abc import Sequence

from nlpcalib.io.files import write_csv
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.coref.clusters import in_fold
from reproduction.coref.evaluated import Evaluated, coreference_pairs, evaluate_coref, save_evaluated, score_rows
from reproduction.coref.recalibration import Linked
from reproduction.workflow.run_script import run_script


def main(
    paths_models: Sequence[str],
    paths_documents: Sequence[str],
    path_posteriors: str,
    path_pairs: str,
    path_scores: str,
    *,
    mentions: str,
) -> None:
    """Write the posterior of each document's antecedents with what is right of it, pairs of mentions, and scores.

    One model is applied to all documents; several, of as many folds, each to the documents of its fold.
    """
    documents = [document for path in paths_documents for document in read_conllu(path)]
    folds = [in_fold(documents, fold, len(paths_models)) for fold in range(len(paths_models))]
    evaluated: list[Evaluated] = []
    for number, (path, held_out) in enumerate(zip(paths_models, folds, strict=True), 1):
        evaluated += map(evaluate_coref, Linked.of(load_model(path), held_out, mentions))
        logging.info("model %d of %d: %d documents", number, len(folds), len(held_out))
    save_evaluated(path_posteriors, evaluated)
    write_pairs(path_pairs, coreference_pairs(evaluated))
    write_csv(path_scores, score_rows(evaluated))


if "snakemake" in globals():
    run_script(main, snakemake)
