"""The interval of items with probabilities of their own: its tail is that of the exact distribution, and it holds."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import binom, norm

from nlpcalib.estimation import unequal
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.unequal import Shifted
from nlpcalib.sampling.cells import level_of
from nlpcalib.sampling.samples import Sample, unequal_sample


def thousand():
    """Return 4,000 items of which 1,000 are read with ω = 4, and 110 of these are positive."""
    y = np.r_[np.ones(110), np.zeros(890)]
    sample = Sample(np.zeros(4000, dtype=np.int64), np.array([4.0]), np.arange(1000), y, expansion=np.full(1000, 4.0))
    return Shifted(np.full(4000, 0.1), sample, None, 1)


@pytest.mark.parametrize("t", [-0.9, -0.4, 0.5, 1.0, 1.8])
@pytest.mark.parametrize("side", [-1, 1])
def test_the_tail_is_that_of_the_exact_distribution_by_convolution(t, side):
    """Of 1,000 items read with ω = 4 and 3,000 not read: a binomial count, and the sum of the others is normal."""
    family, at = thousand(), np.array([t])
    p = expit(family.own[0] + t)
    # The error is 3 (K − n p) − (M − m p); the jump of 3 is what half a step of continuity is of.
    k = np.arange(1001)
    rest = np.sqrt(3000 * p * (1 - p))
    observed = family.score(at)[0] + side * 1.5
    exact = binom.pmf(k, 1000, p) @ norm.cdf((observed - 3 * (k - 1000 * p)) / rest)
    tail = norm.cdf(family.tail(at, np.ones(1), side)[0])
    assert min(tail, 1 - tail) == pytest.approx(min(exact, 1 - exact), rel=0.05, abs=1e-12)


@pytest.mark.parametrize("t", [-0.9, -0.4, 0.5, 1.0, 1.8])
def test_four_times_the_variance_halves_the_tail_and_newtons_method_needs_four_steps(monkeypatch, t):
    """But for the continuity correction, which grows with the variance."""
    monkeypatch.setattr(unequal, "CONTINUITY_SHARE", 1e-9)
    family, at = thousand(), np.array([t])
    one = family.tail(at, np.ones(1), 1)
    assert family.tail(at, np.full(1, 4.0), 1) == pytest.approx(one / 2, rel=0.01)
    monkeypatch.setattr(unequal, "NEWTON_STEPS", 4)
    assert family.tail(at, np.ones(1), 1) == pytest.approx(one, rel=1e-6)


@pytest.mark.parametrize("y", [[1, 0, 0, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1]])
def test_the_variance_ratio_is_that_of_the_design_to_that_of_the_model_in_loops(y):
    """If items are drawn one by one, Σ ω (ω − 1) r² estimates the variance of Σ ω r (Horvitz & Thompson 1952)."""
    omega, group = np.array([9, 1.5, 4, 6, 2, 3, 5]), np.r_[np.zeros(6, int), 1, np.zeros(13, int), np.ones(5, int)]
    q = np.r_[0.3, 0.1, 0.3, 0.5, 0.1, 0.3, 0.2, np.full(18, 0.3)]
    sample = Sample(np.zeros(25, dtype=np.int64), np.array([3.0]), np.arange(7), np.array(y, float), expansion=omega)
    family, at = Shifted(q, sample, group, 2), np.array([-1.0, -0.4])
    level = level_of(q)
    p = expit(family.eta[level] + at[group] * family.g[level])
    for number in (0, 1):
        read = [row for row in range(7) if group[row] == number]
        found = sum(omega[row] * (omega[row] - 1) * (y[row] - p[row]) ** 2 for row in read)
        expected = sum((omega[row] - 1) ** 2 * p[row] * (1 - p[row]) for row in read)
        expected += sum(p[row] * (1 - p[row]) for row in range(7, 25) if group[row] == number)
        assert family.variance_ratio(at)[number] == pytest.approx(max(found / expected, 1))
        assert (found > expected) == (y[read[0]] == 1)


def test_the_path_blames_levels_by_their_mean_weight_and_a_sure_level_has_one_rate():
    q, inclusion = (
        np.r_[np.full(300, 0.001), np.full(300, 0.009), np.full(400, 0.3)],
        np.repeat([0.02, 0.08, 0.5], [300, 300, 400]),
    )
    inclusion *= np.linspace(0.9, 1.1, 1000)
    rows = np.arange(0, 1000, 10)
    y = (rows % 100 == 0).astype(float)
    family = Shifted(q, unequal_sample(inclusion, rows, y), None, 1)
    sure, middle = level_of(np.array([0.001, 0.3]))
    assert level_of(np.array([0.009]))[0] == sure
    off = 1 / inclusion - 1
    root = np.sqrt([off[:600].mean(), off[600:].mean()])
    least = unequal.MIN_RELATIVE_PATH * (0.6 * root[0] + 0.4 * root[1])
    assert root[1] < least < root[0]
    assert family.g[sure] / family.g[middle] == pytest.approx(root[0] / least, rel=0.01)
    assert (family.size[0] * family.g).sum() == pytest.approx(1000)
    assert expit(family.eta[sure]) == pytest.approx((6 + 0.5) / (60 + 1))


def test_the_design_effect_widens_a_jump_as_it_does_in_the_interval_of_strata():
    """With a design effect of 4 the continuity correction is 4 times half a jump."""
    family, at = thousand(), np.array([0.3])
    four = np.full(1, 4.0)
    r = [family.tail(at, four, side)[0] for side in (-1, 1)]
    variance = 4 * (9 * 1000 * (p := expit(family.own[0] + 0.3)) * (1 - p) + 3000 * p * (1 - p))
    assert r[1] - r[0] == pytest.approx(2 * 4 * 1.5 / np.sqrt(variance), rel=0.1)


def corpus(random, model):
    y = random.random(6000) < 0.05
    seen = y & (random.random(6000) > 0.3) if model == "blind" else y
    odds = logit(0.05) + 3 * (random.standard_normal(6000) + 3 * (seen - 0.5))
    return expit(2 * odds if model == "overconfident" else odds), y.astype(float)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "ratio"), [("calibrated", 0.9), ("overconfident", 1.1), ("blind", 1.03)])
def test_active_designs_hold_and_are_wider_than_random_ones_only_where_the_model_is_overconfident(model, ratio):
    """Where an overconfident model is sure, positive items remain, and the design reads half as many there."""
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
    assert np.mean(width["active"]) <= ratio * np.mean(width["random"])


@pytest.mark.slow
@pytest.mark.parametrize(("positive", "floor"), [(0.01, 0.5), (0.03, None)])
def test_what_a_sharp_model_misses_is_held(positive, floor):
    """Half of the positive items have predictions of 10⁻² to 10⁻⁷. Held in .78 and .62 of samples by a plain shift."""
    held = []
    for draw in range(80):
        random = np.random.default_rng([8, draw])
        y = random.random(6000) < positive
        q = 10 ** random.uniform(-7, -2, 6000)
        seen = (y & (random.random(6000) < 0.5)) | (~y & (random.random(6000) < positive))
        q[seen] = expit(random.normal(np.where(y[seen], 1.5, -0.5), 1.5))
        doubt = np.sqrt(q * (1 - q))
        share = (doubt / doubt.sum() + 1 / 6000) / 2 if floor else (q + 0.003) / (q + 0.003).sum()
        inclusion = np.minimum(1, 300 * share)
        rows = np.flatnonzero(random.random(6000) < inclusion)
        found = estimate_totals(q, unequal_sample(inclusion, rows, y[rows].astype(float)))[0]
        held.append(found.low <= y.sum() <= found.high)
    assert np.mean(held) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize(("rest", "width"), [(0.03, 0.24), (0.1, 0.09)])
def test_groups_that_differ_hold_where_one_level_was_read_almost_whole(rest, width):
    """The labels of the level that was read whole pinned the others: held in .91 and .89, and some had a width of 1.

    Clopper and Pearson's intervals of the other level alone have the mean widths .237 and .083.
    """
    held, widths = [], []
    for draw in range(30):
        random = np.random.default_rng([5, draw])
        group, top = random.integers(0, 12, 6000), random.random(6000) < 0.05
        q = np.where(top, random.uniform(0.2, 0.5, 6000), random.uniform(0.001, 0.008, 6000))
        y = (random.random(6000) < expit(logit(q) + random.normal(0, 1, 12)[group])).astype(float)
        inclusion = np.where(top, random.uniform(0.95, 1, 6000), rest * random.uniform(0.8, 1.2, 6000))
        rows = np.flatnonzero(random.random(6000) < inclusion)
        sample = unequal_sample(inclusion, rows, y[rows])
        for number, found in enumerate(estimate_totals(q, sample, group, [str(each) for each in range(12)])):
            held.append(found.low <= y[group == number].sum() <= found.high)
            widths.append((found.high - found.low) / found.items)
    assert np.mean(held) >= 0.94
    assert np.mean(widths) <= width


def test_what_was_read_whole_is_counted():
    """Half of the items are read whole, 30 of them positive; of the others none of 40 is."""
    inclusion = np.r_[np.ones(200), np.linspace(0.19, 0.21, 200)]
    rows = np.r_[np.arange(200), np.arange(200, 400, 5)]
    y = np.r_[np.ones(30), np.zeros(210)]
    found = estimate_totals(np.repeat([0.5, 0.02], 200), unequal_sample(inclusion, rows, y))[0]
    assert found.low == 30
    assert found.high == pytest.approx(30 + binom_upper(40) * 200, rel=0.15)


def binom_upper(trials):
    """Return the upper end of Clopper and Pearson's interval where nothing occurred."""
    return 1 - 0.025 ** (1 / trials)


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
    assert found[2].total == pytest.approx(y[group == 2].sum(), rel=0.25), "the working model's word"
    for number in (0, 1):
        assert found[number].low <= y[group == number].sum() <= found[number].high
        assert found[number].high - found[number].low < 500
