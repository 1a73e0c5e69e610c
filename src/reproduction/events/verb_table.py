"""What samples miss of a query's true events, and what is left of the bias of counts after recalibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nlpcalib.api.recalibrate import recalibrate_predictions
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.events.count.series import SeriesRow

VERB_FOLDS = 5


def verb_row(
    pairs: Pairs,
    periods: Mapping[str, str],
    series: Sequence[SeriesRow],
    truth: Mapping[tuple[str, str], int],
    seed: int,
) -> dict[str, float | None]:
    """Return how many true events no sample has, and the bias of the mean count in cells with an uncertain count.

    Parameters
    ----------
    pairs : Pairs
        Probabilities of events with the country as label and the document as unit.
    periods : mapping
        The period of each document.
    series, truth
        As `reproduction.events.coverage.count_coverage_rows` takes them.

    Returns
    -------
    dict
        `true_events`, `never_seen`, `bias`, and `recalibrated_bias`: with the probabilities of the default map, learned
        from the truth about the other documents in five folds, None where there are too few.
    """
    if pairs.label is None or pairs.unit is None:
        raise InputError("pairs of events: found no label or no unit, expected countries and documents")
    cells = list(zip(pairs.label.texts(), map(periods.__getitem__, pairs.unit.texts()), strict=True))
    uncertain = {(row["country"], row["period"]) for row in series if row["exact_sd"] > 0}
    counted = np.array([cell in uncertain for cell in cells], dtype=bool)
    true = sum(truth.get(cell, 0) for cell in uncertain)
    try:
        recalibrated = recalibrate_predictions(pairs, folds=VERB_FOLDS, seed=seed).q
    except InputError:
        recalibrated = None
    every = sum(truth.values())
    return {
        "true_events": every,
        "never_seen": every - int((pairs.y & (pairs.q > 0)).sum()),
        "bias": float(pairs.q[counted].sum() - true) / len(uncertain) if uncertain else None,
        "recalibrated_bias": None
        if recalibrated is None or not uncertain
        else float(recalibrated[counted].sum() - true) / len(uncertain),
    }
