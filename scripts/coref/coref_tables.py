"""Tabulate the coreference models of a dataset: calibration, scores, both by genre, calibration by kind of pair."""

from collections.abc import Sequence

from nlpcalib.calibration.summary import error_columns
from nlpcalib.io.files import read_csv, read_json
from nlpcalib.io.html_table import numbers, write_table
from reproduction.workflow.script_log import start_log


def main(
    models: Sequence[str],
    paths_scores: Sequence[str],
    paths_genres: Sequence[str],
    paths_calibrations: Sequence[str],
    paths_kinds: Sequence[str],
    path_models: str,
    path_scores: str,
    path_genres: str,
    path_kinds: str,
) -> None:
    """Write a row per model, per model and decoding, per model and genre, and per model and kind of pair.

    The inputs are one for each model.
    """
    rows, score_rows, genre_rows, kind_rows = [], [], [], []
    inputs = (paths_scores, paths_genres, paths_calibrations, paths_kinds)
    for model, *paths in zip(models, *inputs, strict=True):
        scores, (everything, *genres) = (list(map(numbers, read_csv(path))) for path in paths[:2])
        calibration = read_json(paths[2])
        rows.append(
            {
                "model": model,
                **{name: value for name, value in everything.items() if name != "genre"},
                **error_columns(calibration),
                "noise_floor": calibration["noise_floor"],
                "directions": " ".join(region["direction"] for region in calibration["direction"]["regions"]),
            }
        )
        score_rows += [{"model": model, **row} for row in scores]
        genre_rows += [{"model": model, **row} for row in genres or [everything]]
        kind_rows += [{"model": model, **numbers(row)} for row in read_csv(paths[3])]
    write_table(path_models, "Coreference models", rows)
    write_table(path_scores, "Scores of coreference", score_rows)
    write_table(path_genres, "Coreference by genre", genre_rows)
    write_table(path_kinds, "Coreference by kind of pair", kind_rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        models=snakemake.params.models,
        paths_scores=snakemake.input.scores,
        paths_genres=snakemake.input.genres,
        paths_calibrations=snakemake.input.calibrations,
        paths_kinds=snakemake.input.kinds,
        path_models=snakemake.output.models,
        path_scores=snakemake.output.scores,
        path_genres=snakemake.output.genres,
        path_kinds=snakemake.output.kinds,
    )
