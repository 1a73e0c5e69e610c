"""Event probabilities before and after recalibration."""

from __future__ import annotations

import logging

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.questions.calibrate import measure_predictions
from nlpcalib.questions.recalibrate import recalibrate_predictions

METHODS = ("temperature", "logistic", "isotonic")


def recalibration_rows(pairs: Pairs, folds: int, seed: int) -> list[dict]:
    """Return error, Brier score and expected total, without recalibration and by those METHODS that labels support.

    Each pair is recalibrated by the truth about other documents, in so many folds.
    """
    stages = [("none", pairs.q, measure_predictions(pairs, seed=seed))]
    for method in METHODS:
        try:
            found = recalibrate_predictions(pairs, method=method, folds=folds, seed=seed)
        except InputError as error:
            logging.info("left out: %s", error)
        else:
            stages.append((method, found.q, found.after))
    rows = []
    for name, q, report in stages:
        low, high = report.interval or (None, None)
        rows.append(
            {
                "recalibration": name,
                "n": report.n,
                "error": report.error,
                "low": low,
                "high": high,
                "brier": report.brier,
                "events": int(pairs.y.sum()),
                "expected_events": float(q.sum()),
            }
        )
    return rows
