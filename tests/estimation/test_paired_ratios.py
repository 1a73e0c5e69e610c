"""Differences of two models on the same events have the intervals that resampling units gives."""

import numpy as np
import pytest

from nlpcalib.calibration.pairs import Pairs
from reproduction.estimation.paired import RatioTerms, ratio_difference, ratio_interval
from reproduction.sentiment.classifier import f1_score
from reproduction.tables.sentiment import message_ratios


def drawn(seed, size=4000):
    rng = np.random.default_rng(seed)
    first = rng.random(size)
    second = np.clip(first + rng.normal(0, 0.1, size), 0, 1)
    return first, second, rng.random(size) < first, np.repeat(np.arange(size // 4), 4)


def test_f1_and_gaps_are_ratios():
    q, _, y, _ = drawn(0)
    f1, below, above = message_ratios(Pairs(q, y))
    assert f1.value == pytest.approx(f1_score(q, y), rel=1e-12)
    for ratio, part in ((below, q < 0.5), (above, q >= 0.5)):
        assert ratio.value == pytest.approx(y[part].mean() - q[part].mean(), rel=1e-9)


def test_the_interval_of_a_mean_is_the_textbook_one():
    values = np.random.default_rng(1).normal(size=50)
    mean, low, high = ratio_interval(RatioTerms(values, np.ones(50)), np.arange(50))
    assert mean == pytest.approx(values.mean())
    assert (high - low) / 2 == pytest.approx(1.959964 * values.std(ddof=1) / 50**0.5, rel=1e-6)


def test_a_paired_interval_is_that_of_resampled_units():
    first, second, y, unit = drawn(2)
    rng = np.random.default_rng(3)
    value, low, high = ratio_difference(*(message_ratios(Pairs(q, y))[0] for q in (first, second)), unit)
    differences = []
    for _ in range(400):
        rows = (4 * rng.integers(0, 1000, 1000)[:, None] + np.arange(4)).ravel()
        differences.append(f1_score(second[rows], y[rows]) - f1_score(first[rows], y[rows]))
    assert value == pytest.approx(f1_score(second, y) - f1_score(first, y), rel=1e-12)
    assert (high - low) / 2 == pytest.approx(1.96 * np.std(differences), rel=0.12)


def test_a_model_is_not_apart_from_itself():
    q, _, y, unit = drawn(4)
    for ratio in message_ratios(Pairs(q, y)):
        assert ratio_difference(ratio, ratio, unit) == (0.0, 0.0, 0.0)
