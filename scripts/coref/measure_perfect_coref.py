"""Measure an antecedent model by genre and kind of pair next to perfect models."""

import logging

from nlpcalib.io.files import write_csv
from reproduction.coref.evaluated import load_evaluated
from reproduction.coref.evaluation import by_genre, errors_of_a_perfect_model, genre_row, kind_rows
from reproduction.workflow.run_script import run_script

KIND_BIN_SIZE = 200
"""Pairs of a bin in the table by kind of pair; kinds of fewer pairs are left out."""


def main(
    path_posteriors: str,
    path_genres: str,
    path_perfect: str,
    path_kinds: str,
    *,
    bin_size: int,
    replicates: int,
    seed: int,
) -> None:
    """Write errors by genre and kind next to those of `replicates` perfect models, and each of the latter."""
    evaluated = load_evaluated(path_posteriors)
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
