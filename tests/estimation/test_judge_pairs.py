"""Which of two judges is more accurate: against the definition, and against McNemar's exact test."""

import numpy as np
import pytest
from scipy.stats import binomtest

from nlpcalib.estimation.judge_pairs import accuracy_difference


@pytest.mark.parametrize(("first", "last"), [(5, 6), (2, 14), (30, 12), (1, 9), (0, 12)])
def test_with_every_item_labelled_the_difference_is_that_of_accuracies_and_agrees_with_mcnemar(first, last):
    """`first` and `last` items, half of each positive, on which one judge alone is right; both are right on 80."""
    y = np.concatenate([np.arange(first) % 2, np.arange(last) % 2, np.arange(80) % 2]).astype(float)
    one = np.concatenate([y[:first], 1 - y[first : first + last], y[first + last :]])
    other = np.concatenate([1 - y[:first], y[first:]])
    found = accuracy_difference(one, other, np.arange(len(y)), y, np.ones(len(y)))
    assert found.value == pytest.approx(np.mean(one == y) - np.mean(other == y))
    assert found.differ == first + last
    p = binomtest(first, first + last).pvalue
    if p > 0.1 or p < 0.01:  # near .05 two tests may differ
        assert found.shown == (p < 0.05)
    turned = accuracy_difference(other, one, np.arange(len(y)), y, np.ones(len(y)))
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=0.01)


@pytest.mark.parametrize("oversampled", [False, True])
def test_intervals_hold_the_difference_of_items_like_these(oversampled):
    random, held, runs = np.random.default_rng(2), 0, 60
    for _ in range(runs):
        y = random.random(800) < 0.3
        one, other = ((y ^ (random.random(800) < error)).astype(float) for error in (0.1, 0.2))
        if oversampled:  # half of the labels under each verdict of the first judge
            rows = np.concatenate([random.choice(np.flatnonzero(one == each), 60, replace=False) for each in (0, 1)])
        else:
            rows = random.choice(800, 120, replace=False)
        found = accuracy_difference(one, other, rows, y[rows].astype(float), np.ones(120))
        held += found.low <= 0.1 <= found.high
    assert held >= 53  # 53 or fewer of 60 at .95: 2 %


def test_what_cannot_be_compared_says_why():
    one, y = np.array([1.0, 0, 1, 0]), np.ones(2)
    assert "the same on every item" in accuracy_difference(one, one, np.arange(2), y, y).note
    other = np.array([1.0, 0, 0, 1])
    assert (
        "no item on which their verdicts differ has a label" in accuracy_difference(one, other, np.arange(2), y, y).note
    )
