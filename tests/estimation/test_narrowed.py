"""The first line of an estimate: by how much predictions narrow the interval of the same labels."""

import numpy as np
import pytest

import nlpcalib as nc


@pytest.fixture
def corpus():
    random = np.random.default_rng(7)
    q = random.beta(0.4, 1, 2000)
    y = np.where(random.permutation(2000) < 200, random.random(2000) < q, np.nan)
    return q, y


def test_predictions_are_compared_with_the_labels_that_were_given(corpus):
    q, y = corpus
    ours, alone = nc.estimate(nc.read(q, y)), nc.estimate(nc.read(np.full(q.size, q.mean()), y))
    narrower = 100 * (1 - (ours.high - ours.low) / (alone.high - alone.low))
    assert f"Predictions make this interval {narrower:.0f} % narrower than these labels alone." in ours.lines()[1]


def test_predictions_that_are_no_help_are_named(corpus):
    q, y = corpus
    useless = nc.estimate(nc.read(np.random.default_rng(8).permutation(q), y))
    assert "Predictions do not make this interval narrower than these labels alone." in useless.lines()[1]


def test_what_improves_the_predictions_has_a_part_in_it():
    random = np.random.default_rng(9)
    q, known = random.random(2000), random.random(2000)
    y = np.where(np.arange(2000) < 300, random.random(2000) < (known > 0.5), np.nan)
    first = nc.estimate(nc.read(q, y), features=known[:, None]).lines()[1]
    assert "Predictions and further columns make this interval" in first
