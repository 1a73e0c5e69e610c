"""Intervals with a stated bound on wrong labels hold whatever errors there are up to it, and are no wider than that."""

from itertools import product

import numpy as np
import pytest
from scipy.special import expit, logit

import nlpcalib as nc
from nlpcalib.errors import InputError
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.label_errors import with_label_errors
from nlpcalib.questions.estimate import label_errors_of
from nlpcalib.sampling.samples import simple_random_sample


@pytest.mark.parametrize("errors", [(0.0, 0.0), (0.25, 0.0), (0.0, 0.25), (0.2, 0.4), (0.1, 0.1)])
@pytest.mark.parametrize("items", [1, 7, 20])
def test_ends_are_those_of_all_totals_from_which_errors_may_lead_to_what_was_labelled(items, errors):
    """By enumeration of every total, number of misses and number of false alarms; totals are real numbers at an end."""
    reached: dict[int, list[int]] = {labelled: [] for labelled in range(items + 1)}
    for truth in range(items + 1):
        missed, alarms = int(errors[0] * truth + 1e-9), int(errors[1] * (items - truth) + 1e-9)
        for labelled in {truth - m + a for m, a in product(range(missed + 1), range(alarms + 1))}:
            reached[labelled].append(truth)
    for labelled, truths in reached.items():
        low, high = with_label_errors(labelled, labelled, items, errors)
        if truths:
            assert low <= min(truths) + 1e-9
            assert high >= max(truths) - 1e-9
        # Shares that errors reach exactly: nothing narrower would hold.
        exact_low, exact_high = with_label_errors(labelled * 10**6, labelled * 10**6, items * 10**6, errors)
        assert (exact_low / 10**6, exact_high / 10**6) == pytest.approx((low, high))
        if low > 0:
            assert low + errors[1] * (items - low) == pytest.approx(labelled)
        if high < items:
            assert high * (1 - errors[0]) == pytest.approx(labelled)


def corpus(random, prevalence, model, items=4000):
    y = random.random(items) < prevalence
    seen = y & (random.random(items) > 0.3) if model == "blind" else y
    return expit(logit(prevalence) + 3 * (random.standard_normal(items) + 3 * (seen - 0.5))), y


def labelled(random, y, kind, rate):
    """Return labels with errors either way, misses alone, or errors that all fall on a hard fifth of the items."""
    wrong = random.random(len(y)) < rate
    if kind == "hard fifth":
        wrong = np.zeros(len(y), dtype=bool)
        for part in (y, ~y):
            rows = np.flatnonzero(part)
            wrong[rows[: int(rate * len(rows))]] = True  # the first items are the hard ones
    return np.where(wrong & (y | (kind != "misses")), ~y, y)


@pytest.mark.parametrize("kind", ["both ways", "misses", "hard fifth"])
def test_the_truth_is_held_where_labels_as_the_truth_miss_it(kind):
    held = {0.0: [], 0.07: []}
    for draw in range(40):
        random = np.random.default_rng([1, draw])
        q, y = corpus(random, 0.3, "blind")
        rows = np.sort(random.choice(len(y), 400, replace=False))
        sample = simple_random_sample(len(y), rows, labelled(random, y, kind, 0.07 * 0.85)[rows].astype(float))
        found = estimate_totals(q, sample)[0]
        for bound, each in held.items():
            low, high = with_label_errors(found.low, found.high, len(y), (bound, bound))
            each.append(low <= y.sum() <= high)
    assert np.mean(held[0.07]) >= 0.95
    assert np.mean(held[0.0]) < 0.95


def test_every_total_of_a_report_has_the_bound_and_a_line_reports_it():
    random = np.random.default_rng(2)
    q, y = corpus(random, 0.3, "calibrated")
    labels = {int(row): int(y[row]) for row in random.choice(len(y), 300, replace=False)}
    group = np.repeat(["a", "b"], 2000)
    plain, bound = (nc.estimate(nc.read(q, labels), by=group, label_error=each) for each in (None, (0.05, 0.02)))
    for one, wide in zip(plain.estimates, bound.estimates, strict=True):
        assert wide.total == one.total
        assert (wide.low, wide.high) == pytest.approx(
            ((one.low - 0.02 * one.items) / 0.98, min(one.high / 0.95, one.items))
        )
    line = "Intervals hold if at most 5 % of positive items and 2 % of the others are labelled wrongly."
    assert line in bound.lines()
    assert line in bound.methods()[0]
    ends = [with_label_errors(plain.low, plain.high, 4000, (each, each)) for each in (0.02, 0.05, 0.1)]
    shown = [f"{low:,.0f} to {high:,.0f}" for low, high in ends]
    line = (
        "The interval assumes that all labels are correct. If up to 2, 5 or 10 % of positive and of other "
        f"items were labelled wrongly, it would be {shown[0]}, {shown[1]} or {shown[2]}."
    )
    assert line in plain.methods()[0]


@pytest.mark.parametrize("given", [0.5, -0.01, [0.1, 0.1, 0.1], [], float("nan"), "much"])
def test_shares_that_are_none_are_refused(given):
    with pytest.raises(InputError, match="label_error: found"):
        label_errors_of(given)


def test_one_share_is_that_of_both_kinds():
    assert label_errors_of(0.05) == (0.05, 0.05)
    assert label_errors_of((0.05, 0)) == (0.05, 0)
