"""Shares of several classes sum to 1, and their intervals hold together."""

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError
from nlpcalib.estimation.classes import class_totals
from nlpcalib.sampling.samples import simple_random_sample

NAMES = ("politics", "sport", "science", "weather")


def corpus(random, sharpness=1.0, items=4000):
    """Return probabilities of four classes, and classes that have others where sharpness is not 1."""
    score = random.normal([1.5, 0.5, -0.5, -2], 1.5, (items, 4))
    p = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    sharp = np.exp(sharpness * score)
    truth = (random.random((items, 1)) > np.cumsum(p, axis=1)).sum(axis=1).clip(max=3)
    return sharp / sharp.sum(axis=1, keepdims=True), truth


def test_shares_sum_to_one_and_lie_between_their_ends():
    random = np.random.default_rng(1)
    p, truth = corpus(random, 3)
    rows = random.choice(4000, 150, replace=False)
    found = nc.estimate_classes(p, {int(row): NAMES[truth[row]] for row in rows}, classes=NAMES)
    assert sum(share for share, _, _ in found.shares.values()) == pytest.approx(1)
    for number, (name, (share, low, high)) in enumerate(found.shares.items()):
        assert name == NAMES[number]
        assert low <= share <= high
        assert low <= np.mean(truth == number) <= high
    assert "all 95 % intervals hold together" in str(found)


def test_labels_are_codes_names_or_columns():
    random = np.random.default_rng(2)
    p, truth = corpus(random)
    rows = random.choice(4000, 100, replace=False)
    column = np.full(4000, np.nan)
    column[rows] = truth[rows]
    by_code = nc.estimate_classes(p, column)
    by_name = nc.estimate_classes(p, {int(row): NAMES[truth[row]] for row in rows}, classes=NAMES)
    assert list(by_code.shares.values()) == list(by_name.shares.values())


@pytest.mark.slow
@pytest.mark.parametrize("sharpness", [1.0, 2.5])
def test_all_intervals_hold_together(sharpness):
    held = []
    for draw in range(100):
        random = np.random.default_rng([3, draw])
        p, truth = corpus(random, sharpness)
        rows = np.sort(random.choice(4000, 100, replace=False))
        found = class_totals(p, simple_random_sample(4000, rows, truth[rows].astype(float)), NAMES)
        counts = np.bincount(truth, minlength=4)
        held.append(all(each.low <= count <= each.high for each, count in zip(found, counts, strict=True)))
    assert np.mean(held) >= 0.9


@pytest.mark.parametrize(
    ("p", "labels", "classes", "message"),
    [
        (np.full((3, 2), 0.5), {0: "c"}, ("a", "b"), "labels: found 'c' at row 0, expected one of a, b"),
        (np.full((3, 2), 0.5), {0: "a"}, ("a", "a"), "classes: found a, a, expected 2 different names"),
        (np.full(3, 0.5), {0: 1}, None, r"found an array of shape \(3,\), expected \(N, K\)"),
    ],
)
def test_what_are_no_classes_is_refused(p, labels, classes, message):
    with pytest.raises(InputError, match=message):
        nc.estimate_classes(p, labels, classes=classes)
