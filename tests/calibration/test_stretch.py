"""The stretched scale has a place for every probability, 0 and 1 among them."""

import numpy as np
import pytest

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.stretch import stretch, stretched_edges, unstretch
from nlpcalib.calibration.summary import measure_calibration


def test_the_scale_is_finite_symmetric_and_inverted():
    probability = np.concatenate([[0, 1e-12, 1e-6], np.linspace(0.001, 0.999, 301), [1 - 1e-6, 1]])
    place = stretch(probability)
    assert np.isfinite(place).all()
    assert (np.diff(place) >= 0).all()
    assert stretch(1 - probability) == pytest.approx(-place, abs=1e-9)
    assert unstretch(place) == pytest.approx(probability, abs=1e-12)


def test_what_lies_outside_moves_to_the_ends():
    assert stretch(np.array([-0.1, 1.1])).tolist() == stretch(np.array([0.0, 1.0])).tolist()
    assert unstretch(np.array([-50.0, 50.0])) == pytest.approx(np.array([0.0, 1.0]))


def test_every_prediction_is_in_one_part_of_the_scale():
    rng = np.random.default_rng(0)
    q = np.concatenate([[0.0, 1.0], rng.beta(0.05, 0.3, 998)])
    counts = measure_calibration(Pairs(q, rng.random(1000) < q), bin_size=50, samples=20, seed=0).stretched
    expected = np.histogram(q, bins=stretched_edges(50))[0]
    assert counts.tolist() == expected.tolist()
    assert counts.sum() == 1000
