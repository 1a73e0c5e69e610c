"""Tables of coreference models: calibration, scores, both by genre, calibration by kind of pair."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from nlpcalib.calibration.binning import SmallSampleWarning
from nlpcalib.calibration.estimates import PUBLISHED, Settings
from nlpcalib.calibration.summary import ordered, summary_errors
from nlpcalib.io.files import read_csv, read_json
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.tables.directions import direction_columns
from reproduction.tables.stacked import of_models
from reproduction.workflow.table_files import TitledRows, numbers


def coref_tables(
    scores: Sequence[str],
    genres: Sequence[str],
    calibrations: Sequence[str],
    pairs: Sequence[str],
    kinds: Sequence[str],
    errors: Sequence[str],
    counts: Sequence[str],
    *,
    models: Sequence[str],
    bin_size: int,
    samples: int,
    seed: int,
) -> list[TitledRows]:
    """Return a row per model, per model and kind of pair, decoding and genre, and what recalibration does to each.

    The inputs are one for each model. Errors are over the bins of coreference, and as published also over those of
    `bin_size` pairs, the taggers', since errors compare over bins of one size alone.
    """
    rows, score_rows, genre_rows, kind_rows = [], [], [], []
    settings = Settings(bin_size=bin_size, samples=samples, seed=seed)
    for model, *paths, path_kinds, path, path_pairs in zip(
        models, scores, genres, kinds, calibrations, pairs, strict=True
    ):
        scored, (everything, *by_genre) = (list(map(numbers, read_csv(table))) for table in paths)
        calibration = read_json(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallSampleWarning)  # the table has the number of pairs
            paper = PUBLISHED(ordered(read_written_pairs(path_pairs)).pairs, settings)
        rows.append(
            {
                "model": model,
                **{name: value for name, value in everything.items() if name != "genre"},
                "bin_size": calibration["bin_size"],
                **summary_errors(calibration),
                "paper_bin_size": bin_size,
                "paper_error": paper.value,
                "paper_low": paper.low,
                "paper_high": paper.high,
                "noise_floor": calibration["noise_floor"],
                **direction_columns(calibration),
            }
        )
        score_rows += [{"model": model, **row} for row in scored]
        genre_rows += [{"model": model, **row} for row in by_genre or [everything]]
        kind_rows += [{"model": model, **numbers(row)} for row in read_csv(path_kinds)]
    return [
        ("Coreference models", rows),
        ("Coreference by kind of pair", kind_rows),
        ("Scores of coreference", score_rows),
        ("Coreference by genre", genre_rows),
        *of_models(errors, models=models, title="Errors on held-out documents, after recalibration on others"),
        *of_models(counts, models=models, title="The number of entities in a document: intervals that promise 95 %"),
    ]
