"""The headline of a calibration has what Cox's line shows where bins show nothing."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

import nlpcalib as nc

DRAWS, ROWS = 120, 400


def reports(sharpness: float) -> list[nc.CalibrationReport]:
    found = []
    for seed in range(DRAWS):
        random = np.random.default_rng([58, seed])
        q = random.beta(2, 3, ROWS)
        found.append(nc.calibrate(q, (random.random(ROWS) < expit(sharpness * logit(q))).astype(int)))
    return found


def test_an_overall_error_that_bins_do_not_show_is_in_the_headline_and_in_the_advice() -> None:
    found = [each for each in reports(1.4) if each.shown_by_cox]
    assert len(found) > 0.15 * DRAWS
    for each in found:
        assert each.interval[0] == 0
        assert "an error is shown by Cox's line" in each.answer()
        assert each.advice() == "recalibrate, then measure again"


def test_the_line_is_rarely_named_for_calibrated_predictions() -> None:
    assert sum(each.shown_by_cox for each in reports(1.0)) <= 0.025 * DRAWS + 3 * (0.025 * DRAWS) ** 0.5


def test_few_units_without_an_interval_are_told_to_get_more_units_and_not_more_labels() -> None:
    random = np.random.default_rng(58)
    q = random.random(600)
    y = (random.random(600) < q).astype(int)
    found = {n: nc.calibrate(nc.read(q, y=y, unit=np.arange(600) % n), method="bootstrap") for n in (6, 40)}
    assert found[6].interval is None
    assert found[6].advice().startswith("more units")
    assert found[40].interval is not None
