"""A map that held-out labels do not show to be better is not handed out without saying so."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

import nlpcalib as nc

SENTENCE = ": not shown to be better (no difference between before and after is shown), keep q or label more"


def drawn(sharpness: float, rows: int, seed: int = 58) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng([seed, rows])
    q = random.beta(2, 3, rows)
    return q, (random.random(rows) < expit(sharpness * logit(q))).astype(int)


def recalibrated(sharpness: float, rows: int) -> nc.RecalibrationReport:
    return nc.recalibrate(*drawn(sharpness, rows), method="logistic")


def test_a_map_of_calibrated_predictions_is_called_not_shown_to_be_better() -> None:
    report = recalibrated(1.0, 300)
    assert not report.shown_better
    assert not report.record()["shown_better"]
    assert report.lines()[0].endswith(SENTENCE)


def test_a_shrunk_map_that_is_not_shown_to_be_better_says_so_first_and_nothing_of_it_where_it_changes_nothing() -> None:
    changed = [
        report
        for seed in range(20)
        if not (report := nc.recalibrate(*drawn(0.8, 300, seed))).shown_better and report.shrinkage.weights["raw"] < 1
    ]
    assert len(changed) > 5
    assert all(": not shown to be better (" in report.lines()[0] for report in changed)
    assert "left as it is" in nc.recalibrate(*drawn(1.0, 300)).lines()[0]


def test_a_map_that_repairs_an_error_is_handed_out_as_better() -> None:
    report = recalibrated(0.3, 2000)
    assert report.shown_better
    assert report.record()["shown_better"]
    assert "not shown" not in str(report)
