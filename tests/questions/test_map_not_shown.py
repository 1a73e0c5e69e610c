"""A map that held-out labels do not show to be better is not handed out without saying so."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

import nlpcalib as nc

SENTENCE = "the map is not shown to be better"


def recalibrated(sharpness: float, rows: int) -> nc.RecalibrationReport:
    random = np.random.default_rng([58, rows])
    q = random.beta(2, 3, rows)
    y = (random.random(rows) < expit(sharpness * logit(q))).astype(int)
    return nc.recalibrate(q, y, method="logistic")


def test_a_map_of_calibrated_predictions_is_called_not_shown_to_be_better() -> None:
    report = recalibrated(1.0, 300)
    assert not report.shown_better
    assert SENTENCE in str(report)


def test_a_map_that_repairs_an_error_is_handed_out_as_better() -> None:
    report = recalibrated(0.3, 2000)
    assert report.shown_better
    assert SENTENCE not in str(report)
