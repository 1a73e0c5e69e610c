"""Changes of a rate between groups, and over periods: contrasts of totals, with the intervals of one sample."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ndtri

import nlpcalib
from nlpcalib.estimation.changes import MOST_CHANGES, Change, change_sentences, estimate_changes
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.plan import draw_plan, extend_plan
from nlpcalib.sampling.samples import Sample, simple_random_sample


def series(random, rates, each=200, separation=2.0):
    """Return predictions, labels and periods with exactly these rates."""
    period = np.repeat(np.arange(len(rates)), each)
    y = np.concatenate([random.permutation(np.arange(each) < round(rate * each)) for rate in rates])
    odds = np.log(np.mean(rates)) + separation * (random.standard_normal(len(y)) + separation * (y - 0.5))
    return 1 / (1 + np.exp(-odds)), y.astype(float), period


def drawn(q, y, seed, design="two-phase", labels=300):
    frame = Frame([str(number) for number in range(len(q))], q)
    plan = draw_plan(frame, labels, seed, design)
    queue = plan.queue(frame)
    if not plan.complete:
        plan = extend_plan(plan, frame, queue, y[queue.first(plan.read[-1])])
    rows = frame.rows_of(queue.first(plan.read[-1]))
    return Sample(queue.strata, plan.weights, rows, y[rows])


def years(period):
    return [(str(2004 + number),) for number in period]


def counted(*positive_of, q=0.2, items=100_000):
    """Return the changes between groups of which k of n labels each are positive."""
    group = np.repeat(np.arange(len(positive_of)), items)
    rows = np.concatenate([items * number + np.arange(n) for number, (_, n) in enumerate(positive_of)])
    y = np.concatenate([np.arange(n) < k for k, n in positive_of]).astype(float)
    sample = simple_random_sample(len(group), rows, y)
    return estimate_changes(np.full(len(group), q), sample, [("abcdef"[number],) for number in group])


def miettinen_nurminen(k, n, level=0.95):
    """Return the score interval of the difference of two proportions, the second minus the first."""
    k, n = np.array(k, float), np.array(n, float)
    first, second = k / n

    def tail(gap):
        def loss(p):
            rates = np.clip([p, p + gap], 1e-12, 1 - 1e-12)
            return -(k * np.log(rates) + (n - k) * np.log(1 - rates)).sum()

        p = minimize_scalar(loss, bounds=(max(0, -gap), min(1, 1 - gap)), method="bounded").x
        return (second - first - gap) / np.sqrt(p * (1 - p) / n[0] + (p + gap) * (1 - p - gap) / n[1])

    z = ndtri((1 + level) / 2)
    return brentq(lambda gap: tail(gap) - z, -0.99, second - first), brentq(
        lambda gap: tail(gap) + z, second - first, 0.99
    )


@pytest.mark.parametrize("k", [(10, 30), (3, 9), (40, 45), (1, 12)])
def test_of_two_proportions_the_interval_is_miettinen_and_nurminens(k):
    """To a tenth of its width: half a positive is added, and the variance follows another path to the hypothesis."""
    (change,) = counted((k[0], 100), (k[1], 100))
    low, high = miettinen_nurminen(k, (100, 100))
    assert change.value == pytest.approx((k[1] - k[0]) / 100, abs=1e-4)
    assert (change.low, change.high) == pytest.approx((low, high), abs=0.1 * (high - low))


@pytest.mark.parametrize("design", ["random", "stratified", "two-phase"])
def test_a_difference_is_that_of_the_two_estimates(design):
    q, y, period = series(np.random.default_rng(1), [0.05, 0.1, 0.3])
    sample = drawn(q, y, 1, design)
    shares = [each.share[0] for each in estimate_totals(q, sample, period, ["a", "b", "c"])]
    slope, *differences = estimate_changes(q, sample, years(period))
    assert [each.value for each in differences] == pytest.approx(
        [shares[1] - shares[0], shares[2] - shares[1], shares[2] - shares[0]], abs=1e-6
    )
    assert slope.value == pytest.approx((shares[2] - shares[0]) / 2, abs=0.02)


def test_documents_with_items_of_both_groups_have_their_covariance():
    """Where labels in the two groups are opposed, errors of their difference double; where alike, they do not."""
    random = np.random.default_rng(2)
    group, unit = np.tile([0, 1], 1000), np.repeat(np.arange(1000), 2)
    first = random.random(1000) < 0.5
    rows, weight = np.flatnonzero(unit < 100), np.full(200, 10.0)
    widths = []
    for second, units in ((first, unit), (~first, unit), (random.random(1000) < 0.5, None)):
        y = np.column_stack([first, second]).ravel().astype(float)
        sample = Sample(
            np.zeros(2000, np.int64), np.array([10.0]), rows, y[rows], units, None if units is None else weight
        )
        (change,) = estimate_changes(np.full(2000, 0.5), sample, [("ab"[number],) for number in group])
        widths.append(change.high - change.low)
    alike, opposed, items = widths
    assert opposed == pytest.approx(np.sqrt(2) * items, rel=0.1)
    assert alike <= 1.05 * items


def test_what_is_counted_has_no_interval():
    q, y, period = series(np.random.default_rng(3), [0.1, 0.2, 0.4])
    slope, *_ = estimate_changes(q, simple_random_sample(600, np.arange(600), y), years(period))
    assert (slope.value, slope.low, slope.high) == pytest.approx((np.polyfit(period, y, 1)[0],) * 3)


def test_time_that_runs_backward_changes_the_sign_alone():
    q, y, period = series(np.random.default_rng(4), [0.05, 0.1, 0.2, 0.2])
    sample = drawn(q, y, 4)
    forward, *_ = estimate_changes(q, sample, years(period))
    backward, *_ = estimate_changes(q, sample, years(3 - period))
    assert (backward.value, backward.low, backward.high) == pytest.approx((-forward.value, -forward.high, -forward.low))
    assert backward.p_value == pytest.approx(forward.p_value)


def test_periods_count_in_their_unit_and_gaps_are_time():
    q, y, period = series(np.random.default_rng(5), [0.05, 0.2])
    sample = drawn(q, y, 5)
    found = [
        estimate_changes(q, sample, [(names[number],) for number in period])
        for names in (("2004", "2005"), ("2004", "2014"), ("2004Q3", "2004Q4"), ("2004-12", "2005-01"))
    ]
    assert [each.per for (each,) in found] == ["year", "year", "quarter", "month"]
    assert found[1][0].value == pytest.approx(found[0][0].value / 10)
    assert found[3][0].high == pytest.approx(found[0][0].high)


def test_open_labels_and_items_without_a_chance_widen_both_ends():
    q, y, period = series(np.random.default_rng(6), [0.1, 0.1, 0.3])
    sample = drawn(q, y, 6)
    still_open = Sample(sample.stratum, sample.weights, sample.rows, np.where(np.arange(300) < 20, np.nan, sample.y))
    closed, wide = (estimate_changes(q, each, years(period))[0] for each in (sample, still_open))
    assert wide.low < closed.low
    assert wide.high > closed.high
    weights = np.where(np.arange(len(sample.weights)) == 0, np.inf, sample.weights)
    kept = sample.stratum[sample.rows] > 0
    hidden = Sample(sample.stratum, weights, sample.rows[kept], sample.y[kept])
    missing = estimate_changes(q, hidden, years(period))[0]
    share = np.bincount(period[sample.stratum == 0], minlength=3) / 200
    assert missing.high > closed.value + 0.4 * share[2]
    assert missing.low < -0.4 * share[0] + 0.2
    assert missing.p_value == 1


def test_groups_that_are_no_periods_have_the_difference_of_each_two():
    found = counted((5, 100), (5, 100), (40, 100))
    assert [(each.first, each.last, each.per) for each in found] == [("a", "b", ""), ("a", "c", ""), ("b", "c", "")]
    assert [each.shown for each in found] == [False, True, True]
    assert found[1].p_adjusted == pytest.approx(3 * found[1].p_value)
    (alone,) = counted((5, 100), (40, 100))
    assert alone.high - alone.low < found[1].high - found[1].low


def test_a_period_without_labels_has_no_difference_and_the_slope_does_without():
    period = np.repeat([0, 1, 2], 100)
    rows = np.r_[0:50, 200:250]
    y = np.r_[np.arange(50) < 5, np.arange(50) < 25].astype(float)
    slope, first, second, ends = estimate_changes(np.full(300, 0.2), simple_random_sample(300, rows, y), years(period))
    assert np.isnan([first.value, second.low]).all()
    assert ends.p_adjusted == ends.p_value
    assert slope.value == pytest.approx(0.2, abs=0.01)


def test_each_series_has_a_slope_and_too_many_changes_are_left_out():
    q, y, period = series(np.random.default_rng(7), [0.1, 0.1, 0.4])
    keys = [("AB"[row % 2], *key) for row, key in enumerate(years(period))]
    found = estimate_changes(q, drawn(q, y, 7), keys)
    assert [(each.series, each.first, each.last) for each in found if each.per] == [
        ("A", "2004", "2006"), ("B", "2004", "2006")
    ]  # fmt: skip
    assert [each.series for each in found if not each.per] == ["A"] * 3 + ["B"] * 3
    many = [(str(number % (MOST_CHANGES + 1)),) for number in range(len(q))]
    assert estimate_changes(q, drawn(q, y, 7), many) == []


def test_no_positive_label_shows_no_change():
    (change,) = counted((0, 50), (0, 80))
    assert change.low < -0.02 < 0.02 < change.high
    assert change.p_value > 0.5


def test_the_front_door_has_the_changes():
    q, y, period = series(np.random.default_rng(8), [0.05, 0.1, 0.3])
    rows = np.random.default_rng(8).choice(600, 300, replace=False)
    found = nlpcalib.estimate(q, dict(zip(rows.tolist(), y[rows].tolist(), strict=True)), by=2004 + period)
    assert list(found) == ["2004", "2005", "2006"]
    assert [each.last for each in found.changes] == ["2006", "2005", "2006", "2006"]
    assert found.changes[0].shown


def test_sentences_can_be_quoted():
    rises = Change("", "2004", "2013", "year", 0.0123, 0.0031, 0.0212, 0.01, 0.01)
    falls = Change("ISR", "2004", "2013", "year", -0.0123, -0.0212, -0.0031, 0.01, 0.02)
    open_ = Change("", "2004Q1", "2013Q1", "quarter", -0.0003, -0.001, 0.0006, 0.5, 0.5)
    step = Change("", "2004", "2005", "", 0.05, 0.01, 0.1, 0.01, 0.01)
    none = Change("", "2005", "2006", "", -0.05, -0.2, 0.1, 0.5, 1.0)
    assert change_sentences([rises, step, none], 0.95) == [
        "The rate rises by 1.2 points a year (95 % interval .3 to 2.1) from 2004 to 2013.",
        "Of 2 differences, of one period to the next, and of the first to the last, 1 is shown: 2005 has 5.0 points "
        "more than 2004 (1.0 to 10.0) (intervals hold together at 95 %).",
    ]
    assert change_sentences([falls], 0.9)[0].startswith("ISR: The rate falls by 1.2 points a year (90 % interval .3 to")
    assert change_sentences([open_], 0.95) == [
        "No rise or fall of the rate is shown from 2004Q1 to 2013Q1: its mean change is -.03 points a quarter "
        "(95 % interval -.10 to .06)."
    ]
    little = Change("", "2004-01", "2013-12", "month", 0.0005, 0.00004, 0.0011, 0.04, 0.04)
    assert "by .050 points a month (95 % interval .004 to .110)" in change_sentences([little], 0.95)[0]
    assert change_sentences([none], 0.95) == [
        "Of 1 difference, of two groups, none is shown (intervals hold together at 95 %)."
    ]


@pytest.mark.slow
@pytest.mark.parametrize("rates", [[0.03] * 5, [0.02, 0.04, 0.06, 0.08, 0.1]])
@pytest.mark.parametrize("design", ["random", "two-phase"])
def test_slopes_hold_and_of_a_flat_series_none_is_shown(rates, design):
    """Over 200 samples of 20 corpora; two standard errors of a coverage of .95 are .03."""
    held = []
    for seed in range(20):
        q, y, period = series(np.random.default_rng([9, seed]), rates, 400)
        for draw in range(10):
            slope, *_, ends = estimate_changes(q, drawn(q, y, 10 * seed + draw, design), years(period))
            truth = rates[1] - rates[0]
            held.append([slope.low <= truth <= slope.high, ends.low <= 4 * truth <= ends.high])
    assert np.mean(held, axis=0).min() >= 0.92
