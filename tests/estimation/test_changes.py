"""Changes of a rate between groups, and over periods: contrasts of totals, with the intervals of one sample."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar, root
from scipy.special import expit, ndtri
from scipy.stats import norm, t

import nlpcalib as nc
from nlpcalib.estimation.changes import MAX_CHANGES, Change, _planned, change_sentences, estimate_changes, points
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.units import error_variance
from nlpcalib.estimation.working_model import fit_working_model, shifted_to_groups
from nlpcalib.sampling.cells import level_of
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.plan import draw_plan, extend_plan
from nlpcalib.sampling.samples import Sample, count_cells, simple_random_sample


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


def contrast_by_hand(q, sample, groups, group, z):
    """Return D, and a function that has the tail of D = D₀, as the module states them, item by item."""
    here = np.isin(group, groups)
    cells, _ = count_cells(q, sample, group, group.max() + 1)
    cell = {key: number for number, key in enumerate(zip(cells.stratum, cells.level, strict=True))}
    model = fit_working_model(cells.whole)
    models = [model] * (group.max() + 1) if sample.expansion is not None else shifted_to_groups(cells, model)
    eta = np.array(models)[group, [cell[key] for key in zip(sample.stratum, level_of(q), strict=True)]][here]
    place, y = np.searchsorted(groups, group[here]), np.full(len(q), np.nan)
    y[sample.rows] = sample.y
    weight = sample.weights[sample.stratum]
    omega, spread = np.full(len(q), np.nan), weight
    omega[sample.rows] = weight[sample.rows] if sample.expansion is None else sample.expansion
    if sample.expansion is not None:
        spread = np.ones(len(q))
    y, omega, g = y[here], omega[here], (spread / spread[here].mean())[here]
    read, size = ~np.isnan(y), np.bincount(place)
    time = np.arange(len(groups)) - np.arange(len(groups)) @ size / size.sum()
    # A difference has a level for each group, a mean change a level and a trend.
    a = (np.array([-1, 1]) / size if z == "levels" else time / (time**2 @ size))[place]
    z = (np.eye(2) if z == "levels" else np.column_stack([np.ones(len(groups)), time / np.abs(time).max()]))[place]

    def factors(p):
        """Return h of labels, and their leverages."""
        b = p * (1 - p)
        m = (z[read] * (omega * g * b)[read, None]).T @ z[read]
        h = omega * (z @ np.linalg.solve(m, z.T @ (g * b * a)))
        return np.where(read, h, 0.0), omega * g * b * np.einsum("ij,jk,ik->i", z, np.linalg.inv(m), z)

    def score(theta):
        return z[read].T @ (omega * (y - expit(eta + g * (z @ theta))))[read]

    fitted = expit(eta + g * (z @ root(score, np.zeros(2), tol=1e-12).x))
    factor, leverage = factors(fitted)
    b = fitted * (1 - fitted)
    if sample.unit is None:
        squares = (factor * (y - fitted)) ** 2 / (1 - np.minimum(leverage, 0.6))
        ratio, df = max(squares[read].sum() / (factor**2 * b)[read].sum(), 1), np.inf
    else:
        unit = sample.unit[here]
        parts = sorted({(number, known) for number, known in zip(unit, read, strict=True) if known})
        inside = [(unit == number) & (read == known) for number, known in parts]
        alone = np.array([(factor**2 * b)[part].sum() for part in inside])
        together = np.array([(factor * np.sqrt(b))[part].sum() ** 2 for part in inside])
        squares = [
            (np.sum((factor * (y - fitted))[part]) / (1 - min(leverage[part].sum(), 0.6))) ** 2
            for part, (_, known) in zip(inside, parts, strict=True) if known
        ]  # fmt: skip
        known = np.array([known for _, known in parts])
        variance, df = error_variance(
            alone, np.maximum(together - alone, 0), np.array(squares), np.ones(len(squares)), known,
            np.zeros(len(parts), int), 1,
        )  # fmt: skip
        ratio, df = variance[0] / (factor**2 * b).sum(), df[0]

    def among(p, unit):
        off = a * (p - (np.bincount(place, p) / size)[place])
        return (off**2).sum() if unit is None else (np.bincount(unit, off) ** 2).sum()

    alike = 1.0 if sample.unit is None else among(fitted, sample.unit[here]) / among(fitted, None)

    def pooled(level):
        p = expit(eta + level)[read]
        w = omega[read]
        return np.sum(w * (y[read] - p)) + np.sum(w**2 * p) / np.sum(w * p) / 2

    level = brentq(pooled, -30, 30)

    def tail(total):
        def hypothesis(step):
            return expit(eta + level + step * a / np.abs(a).max())

        p = hypothesis(brentq(lambda step: a @ hypothesis(step) - total, -30, 30, xtol=1e-12))
        independent = (factors(p)[0] ** 2 * p * (1 - p)).sum()
        observed = (a @ fitted - total) / np.sqrt(independent)
        variance = ratio * independent + alike * among(p, None)
        freedom = df * (variance / (ratio * independent)) ** 2
        student = norm.ppf(t.cdf(observed * np.sqrt(independent / variance), freedom))
        return student if abs(student) < abs(observed) else observed

    return a @ fitted, tail, ratio


@pytest.mark.parametrize("drawn_as", ["items", "unequal items", "documents"])
@pytest.mark.parametrize("z", ["levels", "trend"])
def test_ends_and_p_values_are_those_of_the_modules_formula_item_by_item(drawn_as, z):
    """Labels of a document are alike, and items that were read rarely are positive: residuals add to the variance."""
    random, number = np.random.default_rng(8), 2 if z == "levels" else 3
    group, stratum = np.arange(360) // 8 % number, (np.arange(360) >= 180).astype(int)
    q = random.choice([0.1, 0.3, 0.6], 360)
    unit, weights = np.arange(360) // 6, np.array([3.0, 5.0] if drawn_as == "documents" else [2.0, 9.0])
    if drawn_as == "documents":
        rows = np.flatnonzero(np.isin(unit, [*range(0, 30, 3), *range(30, 60, 5)]))
        y = (random.random(60)[unit[rows]] < np.where(stratum[rows], 0.3, 0.35)).astype(float)
    else:
        rows = np.r_[0:180:2, 181:360:9]
        y = (random.random(len(rows)) < np.where(stratum[rows], 0.5, 0.05)).astype(float)
    expansion = random.uniform(1.5, 9, len(rows)) if drawn_as == "unequal items" else None
    sample = Sample(stratum, weights, rows, y, unit if drawn_as == "documents" else None, expansion)
    found = estimate_changes(q, sample, years(group) if z == "trend" else [("ab"[each],) for each in group])[0]
    value, tail, ratio = contrast_by_hand(q, sample, np.arange(number), group, z)
    assert found.value == pytest.approx(value, abs=1e-7)
    assert [tail(found.low), tail(found.high)] == pytest.approx([1.959964, -1.959964], abs=1e-5)
    assert found.p_value == pytest.approx(2 * norm.cdf(-abs(tail(0.0))), rel=1e-4)
    assert ratio > 1.05


@pytest.mark.parametrize("design", ["random", "stratified", "two-phase"])
def test_a_difference_is_that_of_the_two_estimates(design):
    q, y, period = series(np.random.default_rng(1), [0.05, 0.1, 0.3])
    sample = drawn(q, y, 1, design)
    shares = [each.share[0] for each in estimate_totals(q, sample, period, ["a", "b", "c"], process=True)]
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


def test_a_slope_of_labels_of_all_items_has_the_interval_of_least_squares():
    q, y, period = series(np.random.default_rng(3), [0.1, 0.2, 0.4])
    slope, *_ = estimate_changes(q, simple_random_sample(600, np.arange(600), y), years(period))
    (expected, _), covariance = np.polyfit(period, y, 1, cov=True)
    assert slope.value == pytest.approx(expected)
    assert slope.high - slope.low == pytest.approx(2 * 1.96 * np.sqrt(covariance[0, 0]), rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("labelled", [100, 450, 600])
@pytest.mark.parametrize("error", [0.05, 0.5])
def test_of_equal_rates_hardly_any_difference_is_shown_however_much_is_labelled(labelled, error):
    """Predictions that are right for nearly every item report these items, and not what made them."""
    shown = 0
    for seed in range(100):
        random = np.random.default_rng([31, seed])
        group, y = np.arange(600) % 2, (random.random(600) < 0.35).astype(float)
        q = np.where(random.random(600) < error, 1 - y, y) * 0.9 + 0.05
        rows = random.choice(600, labelled, replace=False)
        sample = simple_random_sample(600, rows, y[rows])
        (change,) = estimate_changes(q, sample, [("ab"[number],) for number in group])
        shown += change.shown
    assert shown <= 12


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


def test_a_far_year_that_decides_the_sentence_is_named_with_the_change_without_it():
    """Six years that rise, and a few items of 1907 that are all positive."""
    group = np.r_[np.repeat(np.arange(6), 100), np.full(12, 6)]
    y = np.r_[np.tile(np.arange(100), 6), np.zeros(12)] < 15 * group + 5
    rows, keys = np.arange(0, 612, 2), [(str(2000 + each) if each < 6 else "1907",) for each in group.tolist()]
    q, labels = np.full(612, 0.4), y[rows].astype(float)
    slope = estimate_changes(q, simple_random_sample(612, rows, labels), keys)[0]
    near = estimate_changes(q[:600], simple_random_sample(600, rows[:-6], labels[:-6]), keys[:600])[0]
    assert slope.low < 0 < near.low
    assert slope.deciding == "1907"
    assert near.deciding == ""
    assert slope.without == pytest.approx((near.value, near.low, near.high), abs=0.002)
    assert slope.row()["deciding"] == "1907"


def test_an_open_label_is_half_a_positive_of_the_estimate():
    """Two open labels of a level in a group have the estimate of one that is positive and one that is not."""
    group, y = np.repeat([0, 1], 500), np.tile([1.0, 0, 0, 0, 1], 20)
    found = []
    for pair in ([1.0, 0.0], [np.nan, np.nan]):
        sample = simple_random_sample(1000, np.arange(0, 1000, 10), np.r_[pair, y[2:]])
        q = np.where(np.arange(1000) % 30 < 13, 0.2, 0.6)
        found.append(estimate_changes(q, sample, [("ab"[number],) for number in group])[0].value)
    assert found[1] == pytest.approx(found[0], abs=1e-9)


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
    many = [(str(number % (MAX_CHANGES + 1)),) for number in range(len(q))]
    assert estimate_changes(q, drawn(q, y, 7), many) == []


@pytest.mark.parametrize("number", [199, 200, 201])
def test_up_to_two_hundred_changes_of_each_kind_are_planned(number):
    """Mean changes of series of two years, and differences of a series of so many years."""
    several = [(f"{series:03}", year) for series in range(number) for year in ("2004", "2005")]
    long = [(str(1000 + year),) for year in range(number)]
    kept = number <= 200
    assert [len(part) for part in _planned(several, np.ones(2 * number))] == [number * kept, 0]
    assert [len(part) for part in _planned(long, np.ones(number))] == [1, number * kept]
    two = [(name,) for name in "abcdefghijklmnopqrstu"[: 20 + (number > 200)]]
    assert [len(part) for part in _planned(two, np.ones(len(two)))] == [0, 190 * kept]


def test_no_positive_label_shows_no_change():
    (change,) = counted((0, 50), (0, 80))
    assert change.low < -0.02 < 0.02 < change.high
    assert change.p_value > 0.5


def test_the_front_door_has_the_changes():
    q, y, period = series(np.random.default_rng(8), [0.05, 0.1, 0.3])
    rows = np.random.default_rng(8).choice(600, 300, replace=False)
    found = nc.estimate(nc.read(q, dict(zip(rows.tolist(), y[rows].tolist(), strict=True))), by=2004 + period)
    assert list(found.groups) == ["2004", "2005", "2006"]
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
        "1 of 2 differences between consecutive periods, or the first and the last, is significant (joint 95 % "
        "intervals): 2005 has 5.0 points more than 2004 (1.0 to 10.0).",
    ]
    assert change_sentences([rises, none, none], 0.95)[1:] == [
        "No two periods differ significantly (2 differences, joint 95 % intervals): only all of them together show the "
        "change."
    ]
    assert change_sentences([open_, step], 0.95)[1].endswith("These differences are shown, and no trend is.")
    assert change_sentences([falls], 0.9)[0].startswith("ISR: The rate falls by 1.2 points a year (90 % interval .3 to")
    assert change_sentences([open_], 0.95) == [
        "The rate has no significant rise or fall from 2004Q1 to 2013Q1: its mean change is -.03 points a quarter "
        "(95 % interval -.10 to .06)."
    ]
    little = Change("", "2004-01", "2013-12", "month", 0.0005, 0.00004, 0.0011, 0.04, 0.04)
    assert "by .05 points a month (95 % interval .004 to .11)" in change_sentences([little], 0.95)[0]
    nearly = Change("", "2022Q1", "2024Q4", "quarter", 0.012, -0.0002, 0.0241, 0.06, 0.06)
    assert "its mean change is 1.2 points a quarter (95 % interval -.02 to 2.4)" in change_sentences([nearly], 0.95)[0]
    assert points(-0.012, -0.0241, 0.0002) == ("-1.2", "-2.4", ".02")
    assert points(-0.012, -0.0241, 0.0002, signed=False) == ("1.2", "-.02", "2.4")
    assert points(0.012, 0.0, 0.0241) == ("1.2", ".0", "2.4")
    assert change_sentences([none], 0.95) == [
        "The difference between 2005 and 2006 is not significant: 2006 has 5.0 points less than 2005 (95 % interval "
        "-10.0 to 20.0)."
    ]
    assert change_sentences([none, none], 0.95) == [
        "None of 2 differences between groups is significant (joint 95 % intervals)."
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


def paired_systems(random, cases, differ, gain=0.0):
    """Return which answers of two systems are right, (2, cases): they differ in a share of cases, besides the gain."""
    first = random.permutation(cases) < round(0.7 * cases)
    second = first.copy()
    second[random.choice(np.flatnonzero(first), round(differ / 2 * cases), replace=False)] = False
    second[random.choice(np.flatnonzero(~first), round((differ / 2 + gain) * cases), replace=False)] = True
    return np.array([first, second])


def difference_of_systems(y, rows):
    """Return the difference that labels of some cases show, without predictions."""
    unit = np.tile(np.arange(y.shape[1]), 2)
    sample = simple_random_sample(y.size, np.concatenate([rows, rows + y.shape[1]]), y[:, rows].ravel().astype(float))
    keys = [(name,) for name in np.repeat(["A", "B"], y.shape[1])]
    [found] = estimate_changes(np.full(y.size, 0.5), replace(sample, unit=unit), keys)
    return found


def test_a_difference_of_paired_groups_is_as_narrow_as_that_of_pairs_and_holds():
    """Both systems answer the same cases, and differ in a tenth: unpaired the interval would be 2.05 times as wide."""
    widths, held = [], []
    for draw in range(60):
        random = np.random.default_rng([12, draw])
        y = paired_systems(random, 2000, 0.1, 0.02)
        rows = np.sort(random.choice(2000, 300, replace=False))
        found = difference_of_systems(y, rows)
        pairs = y[1, rows].astype(float) - y[0, rows]
        widths.append((found.high - found.low) / (3.92 * pairs.std() / np.sqrt(300)))
        held.append(found.low <= 0.02 <= found.high)
    assert 0.9 < np.mean(widths) < 1.25
    assert np.mean(held) >= 0.9


def test_pairs_that_were_not_seen_to_differ_may_differ():
    """Of 100 labelled pairs none differs: the rule of three has 3 of 100."""
    y = paired_systems(np.random.default_rng(13), 2000, 0.0)
    found = difference_of_systems(y, np.arange(100))
    assert found.value == pytest.approx(0, abs=1e-9)
    assert 0.02 < found.high < 0.05


def test_cases_of_which_hardly_any_has_two_labels_are_as_good_as_items():
    """Of 60 labels of 600 answers, three systems by 200 cases: pairing neither costs nor gains much."""
    random = np.random.default_rng(14)
    y = (random.random((3, 200)) < np.array([[0.3], [0.4], [0.75]])).astype(float).ravel()
    rows = np.sort(random.choice(600, 60, replace=False))
    sample, keys = simple_random_sample(600, rows, y[rows]), [(name,) for name in np.repeat(["v1", "v2", "v3"], 200)]
    paired = replace(sample, unit=np.tile(np.arange(200), 3))
    alone, cases = (estimate_changes(np.full(600, 0.5), each, keys) for each in (sample, paired))
    for one, other in zip(alone, cases, strict=True):
        assert other.value == one.value
        assert (other.high - other.low) / (one.high - one.low) == pytest.approx(1, abs=0.05)
    group = np.repeat([0, 1, 2], 200)
    assert estimate_totals(np.full(600, 0.5), sample, group, list("abc")) == estimate_totals(
        np.full(600, 0.5), paired, group, list("abc")
    )
