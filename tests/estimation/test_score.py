"""The interval for a total covers it, whatever the model is, and has a width unless everything was read."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import betaincinv, expit

from nlpcalib.errors import InputError
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.score import Family, score_interval
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import LEVEL_LOG_ODDS, Cells, level_of
from nlpcalib.sampling.samples import Sample, simple_random_sample


def counted(q, y, **options):
    q, y = np.asarray(q, float), np.asarray(y, float)
    rows = np.flatnonzero(~np.isnan(y))
    return estimate_totals(q, simple_random_sample(len(q), rows, y[rows]), **options)[0]


@pytest.mark.parametrize(("n", "k"), [(50, 0), (50, 1), (200, 1), (200, 3), (200, 10), (100, 50), (20, 20)])
@pytest.mark.parametrize("level", [0.95, 0.5])
def test_a_random_sample_and_a_useless_model_give_the_clopper_pearson_interval(n, k, level):
    items = 400_000
    found = counted(np.full(items, 0.3), np.r_[np.ones(k), np.zeros(n - k), np.full(items - n, np.nan)], level=level)
    low = betaincinv(k, n - k + 1, (1 - level) / 2) if k else 0
    high = betaincinv(k + 1, n - k, (1 + level) / 2) if k < n else 1
    share, found_low, found_high = found.share
    # Labels that are all alike do not make the estimate 0 or 1, and count for less than half a label of the other kind.
    assert share == pytest.approx(k / n, abs=1e-6 if 0 < k < n else 0.5 / n)
    assert 0 < share < 1
    assert [found_low, found_high] == pytest.approx([low, high], rel=0.04 if level > 0.9 else 0.06, abs=2e-5)
    assert found_high - found_low <= 1.01 * (high - low)


def two_strata():
    """Return cells of items read with ω = 3 and ω = 12, at four levels, and one of items that are all read."""
    size, weight = np.array([90.0, 60, 240, 480, 10]), np.array([3.0, 3, 12, 12, 1])
    read, positive = size / weight, np.array([2.0, 9, 5, 12, 4])
    level, stratum = level_of(np.array([0.005, 0.4, 0.2, 0.7, 0.3])), np.array([0, 0, 1, 1, 2])
    return Cells(level, stratum, size, size * 0.3, weight, read, positive, size, positive * weight)


@pytest.mark.parametrize("t", [-1.5, -0.3, 0.2, 0.9])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_design_effect_is_as_if_each_label_stood_for_as_many_times_more_items(t, side):
    cells = two_strata()
    eta = fit_working_model(cells)
    more = replace(cells, weight=1 + 2.5 * (cells.weight - 1))
    tail = Family(cells, eta).tail(np.array(t), np.array(2.5), side)
    assert tail == pytest.approx(Family(more, eta).tail(np.array(t), np.array(1.0), side))


@pytest.mark.parametrize("side", [-1, 1])
def test_what_was_observed_is_moved_by_a_share_of_a_mean_jump_towards_the_hypothesis(side):
    """A label of an item is a jump of ω; without it S(t) has one of 1. It counts as the item's variance does."""
    cells = two_strata()
    family, drawn = Family(cells, fit_working_model(cells)), cells.weight > 1

    def moved(t):
        p = family.p(np.array(t))
        variance = (cells.size * p * (1 - p))[drawn]
        jump = (cells.weight[drawn] - 1) @ variance / variance.sum()
        return family.score(np.array(t)) + side * (0.1 + 0.4 * 28 / 30) * jump  # 28 of 110 labels are positive

    t = brentq(moved, -3, 3, xtol=1e-12)
    assert family.tail(np.array(t), np.array(1.0), side) == pytest.approx(0, abs=1e-6)
    assert abs(family.tail(np.array(t + 0.01), np.array(1.0), side)) > 0.01


def test_the_share_of_a_jump_is_half_of_one_weight_and_grows_with_the_rarer_answer_of_several():
    cells = two_strata()

    def share(positive, weight=cells.weight):
        return float(Family(replace(cells, positive=np.array(positive), weight=weight), np.zeros(5)).continuity)

    one = np.where(cells.weight > 1, 12.0, 1.0)
    for positive in ([0.0] * 5, [0.0, 0, 0, 0, 4], [1.0, 2, 3, 0, 0]):  # what was all read has no doubt
        assert share(positive, one) == 0.5
    assert share([0.0, 0, 0, 0, 4]) == share([30.0, 20, 20, 40, 4]) == 0.5
    assert share([1.0, 2, 0, 0, 4]) == share([30.0, 20, 20, 37, 0]) == pytest.approx(0.14)
    assert share([10.0, 20, 20, 40, 0]) < share([10.0, 5, 5, 20, 0]) == 0.5
    for options in ({"process": True}, {"grows": False}):
        assert Family(cells, np.zeros(5), **options).continuity == 0.5


@pytest.mark.parametrize("t", [-1.5, -0.3, 0.2, 0.9])
def test_the_variance_ratio_is_that_of_the_design_to_that_of_the_hypothesis_in_loops(t):
    cells = two_strata()
    family = Family(cells, fit_working_model(cells))
    p, found, expected = family.p(np.array(t)), 0.0, 0.0
    for cell, weight in enumerate(cells.weight):
        for label in range(int(cells.read[cell])):
            positive = label < cells.positive[cell]
            found += weight * (weight - 1) * (positive - p[cell]) ** 2
            expected += weight * (weight - 1) * p[cell] * (1 - p[cell])
    assert family.variance_ratio(np.array(t)) == pytest.approx(max(found / expected, 1))
    assert (found > 1.2 * expected) == (t in (-1.5, 0.9))


def coverage_of_all_samples(q, y, n):
    """Return the share of all samples of n items whose interval holds the total."""
    samples = np.array(list(combinations(range(len(q)), n)))
    read = np.zeros((len(samples), len(q)))
    np.put_along_axis(read, samples, 1, axis=1)
    weight = np.full(read.shape, len(q) / n)
    cells = Cells(
        level_of(q), np.zeros(len(q), int), np.ones(read.shape), np.broadcast_to(q, read.shape), weight, read,
        read * y, read * weight, read * y * weight,
    )  # fmt: skip
    found = score_interval(cells, fit_working_model(cells))
    assert (found.low <= found.value).all()
    assert (found.value <= found.high).all()
    assert (found.high > found.low).all()
    return np.mean((found.low <= y.sum() + 1e-6) & (y.sum() - 1e-6 <= found.high))


@pytest.mark.parametrize("positive", range(13))
def test_all_samples_of_a_small_corpus_cover_its_total(positive):
    y = np.arange(12) < positive
    assert coverage_of_all_samples(np.full(12, 0.3), y, 5) >= 0.95
    q = np.linspace(0.95, 0.05, 12)
    assert coverage_of_all_samples(q, y, 5) >= 0.95


@pytest.mark.parametrize("seed", range(8))
def test_five_labels_cover_nine_in_ten_times_where_labels_contradict_the_predictions(seed):
    random = np.random.default_rng(seed)
    y = random.random(12) < random.random()
    assert coverage_of_all_samples(random.random(12), y, 5) >= 0.9


def test_the_interval_has_a_width_unless_everything_was_read():
    q = np.r_[np.zeros(90), np.ones(10)]
    nothing = counted(q, np.r_[np.zeros(80), np.full(20, np.nan)])
    assert nothing.low == 0
    assert nothing.high > 2
    all_but_one = counted(q, np.r_[q[:-1], np.nan])
    assert 9 <= all_but_one.low < all_but_one.high == 10
    everything = counted(q, q)
    assert (everything.low, everything.total, everything.high) == (10, 10, 10)
    assert "counted" in everything.notes[0]


def test_predictions_that_are_all_0_hide_nothing_from_the_interval():
    y = np.full(10_000, np.nan)
    y[:200] = 0
    found = counted(np.zeros(10_000), y)
    # An estimate of 0 would report that 200 labels show there is none.
    assert 0 < found.total / 10_000 < 0.5 / 200
    assert found.low == 0
    # The rule of three, at 97.5 %: 3.69 of 200.
    assert found.high / 10_000 == pytest.approx(1 - 0.025 ** (1 / 200), rel=0.05)


@pytest.mark.parametrize("documents", [False, True])
def test_items_that_no_label_could_reach_are_all_positive_at_one_end_and_none_at_the_other(documents):
    """Read one by one, or as documents of five, of which the last have both kinds of items."""
    stratum = np.repeat([0, 1], [898, 102])
    q, y = np.where(stratum == 0, 0.5, 0.0), np.repeat([1.0, 0.0], 50)
    unit = np.arange(1000) // 5 if documents else None
    sample = Sample(stratum, np.array([8.98, np.inf]), np.arange(100), y, unit)
    found = estimate_totals(q, sample)[0]
    alone = replace(sample, stratum=stratum[:898], weights=sample.weights[:1], unit=unit[:898] if documents else None)
    reached = estimate_totals(q[:898], alone)[0]
    assert found.low == pytest.approx(reached.low)
    assert found.high == pytest.approx(reached.high + 102)
    assert "102 items could not be drawn" in found.notes[0]


@pytest.mark.parametrize("read", [0, 1])
def test_what_the_first_level_hides_rests_on_the_model_if_no_label_reaches_it(read):
    q = np.r_[np.full(80, 0.005), np.full(40, 0.5)]
    y = np.full(120, np.nan)
    y[80 - read : 100] = 0
    notes = " ".join(counted(q, y).notes)
    assert ("how many of them are positive rests on the model." in notes) == (read == 0)
    assert "rests" not in " ".join(counted(q[80:], y[80:]).notes), "there is nothing that it could hide"


def test_items_read_for_certain_are_counted():
    stratum = np.repeat([0, 1], [50, 950])
    y = np.r_[np.ones(50), np.zeros(100)]
    found = estimate_totals(np.full(1000, 0.1), Sample(stratum, np.array([1, 9.5]), np.arange(150), y))[0]
    assert found.low >= 50
    assert found.high == pytest.approx(50 + 950 * 0.034, rel=0.1)


def test_labels_that_are_open_widen_the_interval_to_both_answers():
    q, y = np.full(1000, 0.5), np.r_[np.ones(50), np.zeros(45), np.full(905, np.nan)]
    rows = np.arange(100)
    found, none, all_positive = (
        estimate_totals(q, simple_random_sample(1000, rows, np.r_[y[:95], np.full(5, filled)]))[0]
        for filled in (np.nan, 0, 1)
    )
    assert (found.low, found.high, found.positive) == (none.low, all_positive.high, 52.5)
    assert none.total < found.total < all_positive.total


def test_equal_labels_within_documents_widen_the_interval():
    random = np.random.default_rng(3)
    y = np.repeat((random.random(40) < 0.3).astype(float), 5)
    sample = simple_random_sample(10_000, np.arange(200), y)
    items = estimate_totals(np.full(10_000, 0.3), sample)[0]
    together = Sample(sample.stratum, sample.weights, sample.rows, y, np.arange(10_000) // 5)
    documents = estimate_totals(np.full(10_000, 0.3), together)[0]
    ratio = (documents.high - documents.low) / (items.high - items.low)
    assert ratio == pytest.approx(np.sqrt(5), rel=0.1)


def test_groups_have_their_own_corrections_and_a_group_without_labels_says_nothing():
    q, group = np.full(3000, 0.2), np.repeat([0, 1, 2], 1000)
    rows = np.r_[0:100, 1000:1100]
    y = np.r_[np.ones(50), np.zeros(50), np.zeros(100)]
    sample = Sample(group, np.array([10, 10, np.inf]), rows, y)
    first, second, third = estimate_totals(q, sample, group, ["a", "b", "c"])
    assert first.low > 390
    assert second.high < 45
    assert (third.low, third.high) == (0, 1000)


@pytest.mark.parametrize(
    ("often", "shift", "by_prediction"),
    [
        (0.95, -2, False),
        pytest.param(0.6, -2, False, marks=pytest.mark.slow),
        pytest.param(0.15, -2, False, marks=pytest.mark.slow),
        pytest.param(0.8, -2, True, marks=pytest.mark.slow),
        (0.95, 2, True),
    ],
)
def test_a_stratum_that_is_read_more_often_does_not_mislead_a_group_that_differs(often, shift, by_prediction):
    draws, held, widths, alone = 80, 0, [], []
    for draw in range(draws):
        random = np.random.default_rng([41, draw])
        log_odds = random.normal(-2, 1.5, 4000)
        q, group = expit(log_odds), (np.arange(4000) < 1200).astype(int)
        y = (random.random(4000) < expit(log_odds + shift * group)).astype(float)
        seldom = q < np.median(q) if by_prediction else random.random(4000) < 0.5
        parts = [np.flatnonzero(seldom == stratum) for stratum in (False, True)]
        read = [random.choice(parts[h], round((often, 0.04)[h] * len(parts[h])), False) for h in (0, 1)]
        weights = np.array([len(parts[h]) / len(read[h]) for h in (0, 1)])
        rows = np.sort(np.concatenate(read))
        sample = Sample(seldom.astype(np.int64), weights, rows, y[rows])
        _, found = estimate_totals(q, sample, group, ["others", "differs"])
        held += found.low <= y[:1200].sum() <= found.high
        widths.append(found.high - found.low)
        parted = Sample(sample.stratum[:1200], weights, rows[rows < 1200], y[rows[rows < 1200]])
        own = estimate_totals(q[:1200], parted)[0]
        alone.append(own.high - own.low)
    assert held >= 0.9 * draws
    assert np.mean(widths) < 1.25 * np.mean(alone)


@pytest.mark.parametrize("q", [[0.5, 1.1], [0.5, np.nan], [[0.5]], []])
def test_what_is_no_prediction_is_refused(q):
    with pytest.raises(InputError, match="predictions: found"):
        estimate_totals(np.array(q), simple_random_sample(2, np.arange(2), np.zeros(2)))


def test_what_is_no_label_is_refused():
    with pytest.raises(InputError, match="labels: found"):
        counted([0.5, 0.5], [0.3, 1])
    with pytest.raises(InputError, match="labels: found none"):
        counted([0.5, 0.5], [np.nan, np.nan])
    for level in (0, 1):
        with pytest.raises(InputError, match=f"level: found {level}, expected a number between 0 and 1"):
            counted([0.5, 0.5], [0, 1], level=level)


@pytest.mark.parametrize("read", [4, 5])
def test_five_labels_give_a_level_where_the_model_is_sure_a_rate_of_its_own(read):
    level, n = level_of(np.array([0.005, 0.5])), np.array([float(read), 60.0])
    cells = Cells(level, np.array([0, 1]), *np.full((3, 2), 1000.0), n, n * [0.4, 0.5], n, n * [0.4, 0.5])
    sure = expit(fit_working_model(cells))[0]
    own = (0.4 * read + 0.5) / (read + 1)
    assert (sure == pytest.approx(own)) == (read == 5)


def test_the_working_model_is_the_maximum_of_the_penalised_likelihood():
    """Its ridge has standard deviations of 2 about 0 and of .5 about 1."""
    level, n, k = level_of(np.array([0.1, 0.4, 0.8])), np.array([9.0, 7.0, 5.0]), np.array([4.0, 2.0, 1.0])
    cells = Cells(level, np.zeros(3, dtype=np.int64), *np.full((3, 3), 100.0), n, k, n, k)
    x = LEVEL_LOG_ODDS[level]

    def loss(line):
        eta = line[0] + line[1] * x
        return np.sum(n * np.logaddexp(0, eta) - k * eta) + line[0] ** 2 / 8 + (line[1] - 1) ** 2 / 0.5

    a, b = minimize(loss, [0.0, 1.0], tol=1e-12).x
    np.testing.assert_allclose(fit_working_model(cells), a + b * x, atol=1e-5)


@pytest.mark.parametrize("unit", [None, np.arange(200) // 2])
@pytest.mark.parametrize("expansion", [None, np.full(40, 2.5)])
def test_a_group_that_was_not_read_has_the_models_own_number_and_all_that_can_be(unit, expansion):
    random = np.random.default_rng(3)
    q, group, rows = random.beta(1, 2, 200), np.repeat([0, 1], 100), np.arange(0, 80, 2)
    y = (random.random(40) < q[rows]).astype(float)
    sample = Sample(np.zeros(200, np.int64), np.array([2.5]), rows, y, unit, expansion)
    read, unread = estimate_totals(q, sample, group, ["read", "unread"])
    assert (unread.read, round(unread.low, 3), round(unread.high, 3)) == (0, 0, 100)
    assert read.low > 5
    assert unread.total == pytest.approx(q[100:].sum(), rel=0.35)
    assert unread.notes[0].endswith("the estimate is the model's.")


def month_of_few_labels() -> tuple[Cells, np.ndarray]:
    """Return the cells of 22 items of a month, five of them read, and log odds that its labels contradict."""
    weight = np.repeat([5.1, 2.4], [3, 5])
    read = np.array([2.0, 1, 0, 1, 1, 0, 0, 0])
    positive = np.array([0.0, 0, 0, 0, 1, 0, 0, 0])
    size = np.array([15.0, 1, 1, 1, 1, 1, 1, 1])
    level, eta = np.array([0, 1, 32, 4, 16, 35, 39, 40]), np.array([-4.7, -4.9, 4.6, -3.9, -0.3, 5.5, 6.8, 7.1])
    cells = Cells(
        level, np.repeat([1, 3], [3, 5]), size, size, weight, read, positive, weight * read, weight * positive
    )
    return cells, eta


def test_a_sure_model_that_labels_contradict_leaves_the_largest_total_that_the_test_does_not_reject():
    cells, eta = month_of_few_labels()
    family, found = Family(cells, eta), score_interval(cells, eta)
    places = np.linspace(-2, 8, 101)
    tails = np.array([float(family.tail(np.array(t), np.array(1.0), 1)) for t in places])
    assert (np.diff(tails) < 0).all()
    assert float(family.total(np.interp(1.96, -tails, places))) == pytest.approx(float(found.high), abs=0.05)
    assert found.high > found.value + 5
