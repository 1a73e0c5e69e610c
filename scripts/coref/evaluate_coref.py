"""Apply antecedent models to documents that they were not trained on: pairs, scores, errors of a perfect model."""

import logging
from collections.abc import Sequence

from nlpcalib.io.files import write_csv
from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.calibration import write_measured
from reproduction.coref.evaluation import (
    Evaluated,
    by_genre,
    coreference_pairs,
    errors_of_a_perfect_model,
    evaluate_coref,
    genre_row,
    in_fold,
    kind_rows,
    score_rows,
)
from reproduction.workflow.run_script import run_script

KIND_BIN_SIZE = 200
"""Pairs of a bin in the table by kind of pair; kinds of fewer pairs are left out."""


def main(
    paths_models: Sequence[str],
    paths_documents: Sequence[str],
    path_pairs: str,
    path_scores: str,
    path_genres: str,
    path_perfect: str,
    path_kinds: str,
    *,
    mentions: str,
    bin_size: int,
    samples: int,
    replicates: int,
    seed: int,
) -> None:
    """Write pairs with their calibration, scores, and by genre and kind of pair the error next to a perfect model's.

    One model is applied to all documents; several, of as many folds, each to the documents of its fold.
    """
    documents = [document for path in paths_documents for document in read_conllu(path)]
    folds = [in_fold(documents, fold, len(paths_models)) for fold in range(len(paths_models))]
    evaluated: list[Evaluated] = []
    for number, (path, held_out) in enumerate(zip(paths_models, folds, strict=True), 1):
        evaluated += map(evaluate_coref, resolve(held_out, load_model(path), mentions=mentions))
        logging.info("model %d of %d: %d documents", number, len(folds), len(held_out))
    pairs = coreference_pairs(evaluated)
    write_measured(path_pairs, pairs, bin_size=bin_size, samples=samples, seed=seed)
    write_csv(path_scores, score_rows(evaluated))
    genres, errors = [], []
    for genre, part in [("all", evaluated), *by_genre(evaluated)]:
        perfect = errors_of_a_perfect_model(part, bin_size=bin_size, replicates=replicates, seed=seed)
        genres.append(genre_row(genre, part, bin_size=bin_size, perfect=perfect))
        errors += [
            {"genre": genre, "replicate": number, "error": error} for number, error in enumerate(perfect.tolist())
        ]
        logging.info("%s: error %.4f, of a perfect model %.4f", genre, genres[-1]["calibration_error"], perfect.mean())
    write_csv(path_genres, genres)
    write_csv(path_kinds, kind_rows(evaluated, bin_size=KIND_BIN_SIZE, replicates=replicates, seed=seed))
    write_csv(path_perfect, errors)


if "snakemake" in globals():
    run_script(main, snakemake)
