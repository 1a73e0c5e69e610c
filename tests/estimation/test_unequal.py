"""The interval of items with probabilities of their own: its tail is that of the exact distribution, and it holds."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import binom, norm

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.unequal import Shifted
from nlpcalib.sampling.samples import Sample, unequal_sample


@pytest.mark.parametrize("t", [-0.9, -0.4, 0.5, 1.0, 1.8])
@pytest.mark.parametrize("side", [-1, 1])
def test_the_tail_is_that_of_the_exact_distribution_by_convolution(t, side):
    """Of 1,000 items read with ω = 4 and 3,000 not read: a binomial count, and the sum of the others is normal."""
    rows = np.arange(1000)
    y = np.r_[np.ones(110), np.zeros(890)]
    sample = Sample(np.zeros(4000, dtype=np.int64), np.array([4.0]), rows, y, expansion=np.full(1000, 4.0))
    family = Shifted(np.full(4000, 0.1), sample, y, None, 1)
    at = np.array([t])
    p = expit(family.own[0] + t)
    # The error is 3 (K − n p) − (M − m p); the jump of 3 is what half a step of continuity is of.
    k = np.arange(1001)
    rest = np.sqrt(3000 * p * (1 - p))
    observed = family.score(at)[0] + side * 1.5
    exact = binom.pmf(k, 1000, p) @ norm.cdf((observed - 3 * (k - 1000 * p)) / rest)
    tail = norm.cdf(family.tail(at, np.ones(1), side)[0])
    assert min(tail, 1 - tail) == pytest.approx(min(exact, 1 - exact), rel=0.05, abs=1e-12)


def corpus(random, model):
    y = random.random(6000) < 0.05
    seen = y & (random.random(6000) > 0.3) if model == "blind" else y
    odds = logit(0.05) + 3 * (random.standard_normal(6000) + 3 * (seen - 0.5))
    return expit(2 * odds if model == "overconfident" else odds), y.astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["calibrated", "overconfident", "blind"])
def test_active_designs_hold_and_are_not_wider_than_random_ones(model):
    held, width = [], {"active": [], "random": []}
    for draw in range(120):
        random = np.random.default_rng([4, draw])
        q, y = corpus(random, model)
        doubt = np.sqrt(q * (1 - q))
        active = np.minimum(1, 150 * (doubt / doubt.sum() + 1 / len(q)) / 2)
        for name, inclusion in (("active", active), ("random", np.full(len(q), 150 / len(q)))):
            rows = np.flatnonzero(random.random(len(q)) < inclusion)
            found = estimate_totals(q, unequal_sample(inclusion, rows, y[rows]))[0]
            width[name].append(found.high - found.low)
            if name == "active":
                held.append(found.low <= y.sum() <= found.high)
    assert np.mean(held) >= 0.9
    assert np.mean(width["active"]) <= 1.03 * np.mean(width["random"])


def test_probabilities_of_few_strata_keep_the_interval_of_strata():
    random = np.random.default_rng(7)
    q, y = corpus(random, "calibrated")
    stratum = (q > 0.2).astype(int)
    inclusion = np.array([0.02, 0.2])[stratum]
    rows = np.flatnonzero(random.random(6000) < inclusion)
    found, same = (
        estimate_totals(q, sample)[0]
        for sample in (
            unequal_sample(inclusion, rows, y[rows]),
            Sample(stratum, 1 / np.array([0.02, 0.2]), rows, y[rows]),
        )
    )
    assert [found.total, found.low, found.high] == pytest.approx([same.total, same.low, same.high])


def test_groups_sum_to_the_whole_and_a_group_without_labels_holds_all_of_it():
    random = np.random.default_rng(2)
    q, y = corpus(random, "calibrated")
    group = np.repeat([0, 1, 2], 2000)
    inclusion = np.where(group == 2, 0, np.clip(q, 0.05, 1))
    rows = np.flatnonzero(random.random(6000) < inclusion)
    found = estimate_totals(q, unequal_sample(inclusion, rows, y[rows]), group, ["a", "b", "c"])
    assert (found[2].low, found[2].high) == (0, 2000)
    for number in (0, 1):
        assert found[number].low <= y[group == number].sum() <= found[number].high
        assert found[number].high - found[number].low < 500
