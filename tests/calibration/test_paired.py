"""The closed-form test of two models keeps its level where units are unequal, and agrees with its parts."""

import numpy as np
import pytest
from scipy import optimize, special, stats
from scipy.special import expit

from nlpcalib.calibration.bias_corrected import squared_error
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import Settings, recommended_starts
from nlpcalib.calibration.loss_path import LossPath
from nlpcalib.calibration.paired import difference, loss_side, mean_side, own_loss, squared_side


def tables(rng, n, units=None, spread=1.0):
    """Return two models that are equally wrong, each having seen half of what decides a label, and units."""
    seen = rng.normal(0, 1.2, (2, n))
    base = rng.normal(-0.5, 0.5, n)
    if units is None:
        unit, shared = np.arange(n), 0.0
    else:
        size = np.exp(rng.normal(0, spread, units))
        unit = np.unique(rng.choice(units, n, p=size / size.sum()), return_inverse=True)[1]
        shared = rng.normal(0, 0.6, unit.max() + 1)[unit]
    y = rng.random(n) < expit(seen.mean(axis=0) + base + shared)
    return [SortedPairs(expit(part + base), y, unit) for part in seen]


def paired(first, second):
    return difference(squared_side(first), squared_side(second))


@pytest.mark.parametrize("units", [None, 40])
def test_squared_errors_are_those_of_the_bias_corrected_estimator(units):
    for pairs in tables(np.random.default_rng(0), 2000, units):
        expected = squared_error(pairs, recommended_starts(pairs, Settings())).value
        assert squared_side(pairs).value == pytest.approx(expected, abs=1e-12)


def test_a_bin_of_one_unit_has_no_products_of_two_and_is_left_out():
    first, _ = tables(np.random.default_rng(0), 600, 40)
    alone = SortedPairs(first.q, first.y, np.where(first.q > 0.8, 0, first.unit))
    expected = squared_error(alone, recommended_starts(alone, Settings())).value
    assert squared_side(alone).value == pytest.approx(expected, abs=1e-12)
    assert squared_side(SortedPairs(first.q, first.y, np.zeros(600, int))).value == 0


def test_equal_predictions_do_not_differ_and_exchange_changes_no_p_value():
    first, second = tables(np.random.default_rng(1), 1500, 60)
    same = paired(first, first)
    assert (same.p_value, same.error) == (1, 0)
    assert paired(first, second).p_value == pytest.approx(paired(second, first).p_value)


def test_the_standard_error_is_the_spread_of_differences():
    rng = np.random.default_rng(2)
    tests = [paired(*tables(rng, 1000)) for _ in range(200)]
    assert np.mean([test.error for test in tests]) == pytest.approx(np.std([t.value for t in tests]), rel=0.15)


def test_the_interval_excludes_zero_where_the_test_rejects():
    rng = np.random.default_rng(6)
    for _ in range(40):
        test = paired(*tables(rng, 400, 50))
        low, high = test.interval(1 - test.p_value)
        assert min(abs(low), abs(high)) < 1e-9 + 1e-6 * test.error


def test_a_mean_of_independent_rows_has_the_usual_standard_error():
    values = np.random.default_rng(7).normal(size=(2, 90))
    rows = np.arange(90)
    found = difference(*(mean_side(one, rows) for one in values))
    gap = values[0] - values[1]
    assert found.value == pytest.approx(gap.mean())
    assert found.error == pytest.approx(gap.std(ddof=1) / 90**0.5)
    together = difference(*(mean_side(np.repeat(one, 5), np.repeat(rows, 5)) for one in values))
    assert together.error == pytest.approx(found.error)


def products(pairs):
    """Return what two units add to T together, (U, U), 0 of one unit with itself, and what each adds, (U,)."""
    units = pairs.unit.max() + 1
    kernel, influence = np.zeros((units, units)), np.zeros(units)
    starts = recommended_starts(pairs, Settings())
    bin_of = np.searchsorted(starts, np.arange(len(pairs)), side="right") - 1
    residual, n = pairs.y - pairs.q, len(pairs)
    sums, counts = (np.zeros((units, starts.size)) for _ in range(2))
    np.add.at(sums, (pairs.unit, bin_of), residual)
    np.add.at(counts, (pairs.unit, bin_of), 1)
    size = counts.sum(axis=0)
    mean, across = sums.sum(axis=0) / size, size**2 - np.sum(counts**2, axis=0)
    plug_in = size @ mean**2 / n
    deviation = (sums - mean * counts) * size / np.sqrt(across)  # the root gives a unit's own share back
    kernel = (deviation * size / n / across) @ deviation.T
    np.fill_diagonal(kernel, 0.0)
    influence = deviation @ (2 * mean / n) + counts @ (mean**2 - plug_in) / n
    return kernel, influence


@pytest.mark.parametrize("alike", [False, True])
def test_the_variance_is_that_of_the_linear_and_of_the_degenerate_part(alike):
    first, second = tables(np.random.default_rng(8), 300, 40)
    if alike:  # hardly a linear part, and of it the noise of means is taken away
        second = SortedPairs(np.clip(first.q + 0.02 * np.sin(40 * first.q), 0, 1), first.y, first.unit)
    (one, psi), (other, chi) = (products(pairs) for pairs in (first, second))
    quadratic = 2 * np.sum((one - other) ** 2)
    expected = max(np.sum((psi - chi) ** 2) - 2 * quadratic, 0) + quadratic
    assert paired(first, second).error ** 2 == pytest.approx(expected)


def test_the_test_is_students_with_one_degree_less_than_effective_units():
    rng = np.random.default_rng(9)
    values, unit = rng.normal(0.3, 1, 100), np.repeat(np.arange(20), np.tile([1, 3, 6, 10], 5))
    mean, zero = mean_side(values, unit), mean_side(np.zeros(100), unit)
    counts = np.bincount(unit)
    effective = 100**2 / np.sum(counts**2)
    left_out = np.array([values[unit != each].mean() for each in range(20)])
    error = np.sqrt((1 - 1 / 20) * np.sum((left_out - values.mean()) ** 2))
    found = difference(mean, zero)
    assert (found.freedom, found.error) == pytest.approx((effective - 1, error))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(values.mean()) / error, effective - 1))
    assert found.interval(0.9) == pytest.approx(stats.t.interval(0.9, effective - 1, values.mean(), error))


def losses(rng, n=60, classes=3):
    """Return probabilities of two models, of which the first is right, and the outcomes."""
    first, second = rng.dirichlet(np.full(classes, 0.4), (2, n))
    return [first, second], (first.cumsum(axis=1) > rng.random(n)[:, None]).argmax(axis=1)


@pytest.mark.parametrize("size", [1, 3])
def test_ends_have_the_quantile_as_the_root_of_the_likelihood_ratio(size):
    """By quadrature-free sums over all outcomes and Brent's method, with the design effect of units."""
    models, observed = losses(np.random.default_rng(12))
    unit, rows = np.arange(60) // size, np.arange(60)
    found = difference(*(loss_side(p, observed, unit) for p in models))
    mean = difference(*(mean_side(-np.log(p[rows, observed]), unit) for p in models))
    gap = np.log(models[1] / models[0])
    seen = gap[rows, observed]

    def cumulant(t):
        return np.log(np.sum(models[0] ** (1 - t) * models[1] ** t) / 60)

    def stated(t):
        share = models[0] ** (1 - t) * models[1] ** t
        return np.sum(share * gap) / share.sum(), np.sum(share * gap**2) / share.sum()

    place = optimize.brentq(lambda t: stated(t)[0] - seen.mean(), -5, 5)
    first, second = stated(place)
    independent = np.var(seen) / 59
    dispersion = max(mean.error**2 / independent, 1) * max(independent * 60 / (second - first**2), 1)

    def root(t):
        deviance = (place - t) * seen.mean() - cumulant(place) + cumulant(t)
        return np.sqrt(2 * 60 * max(deviance, 0) / dispersion)

    quantile = stats.t.ppf(0.95, found.freedom)
    ends = [stated(optimize.brentq(lambda t: root(t) - quantile, place, place + side))[0] for side in (-9, 9)]
    assert found.interval(0.9) == pytest.approx(ends, rel=1e-3)
    zero = optimize.brentq(lambda t: stated(t)[0], -5, 5)
    assert found.p_value == pytest.approx(2 * stats.t.sf(root(zero), found.freedom), rel=1e-3)
    swapped = difference(*(loss_side(p, observed, unit) for p in models[::-1]))
    assert swapped.interval(0.9) == pytest.approx([-end for end in found.interval(0.9)[::-1]], rel=1e-6)
    assert swapped.p_value == pytest.approx(found.p_value)


@pytest.mark.parametrize("events", [0, 1, 7, 200])
def test_the_interval_of_equal_rows_is_that_of_a_frequency(events):
    """With the same prediction of every row the likelihood is a binomial one."""
    y, rows = (np.arange(200) < events).astype(np.int64), np.arange(200)
    q = np.array([0.02, 0.005])
    found = difference(*(loss_side(np.tile([1 - each, each], (200, 1)), y, rows) for each in q))
    quantile, rate = stats.t.ppf(0.975, 199), events / 200

    def deviance(p):
        likelihood = special.xlogy(events, p) + special.xlog1py(200 - events, -p)
        best = special.xlogy(events, rate) + special.xlog1py(200 - events, -rate)
        return 2 * (best - likelihood) / (200 / 199 if 0 < events < 200 else 1) - quantile**2

    low = optimize.brentq(deviance, 1e-9, rate) if events else 0.0
    high = optimize.brentq(deviance, rate, 1 - 1e-9) if events < 200 else 1.0
    none, one = np.log((1 - q[1]) / (1 - q[0])), np.log(q[1] / q[0])
    expected = [none + rate_ * (one - none) for rate_ in (high, low)]
    assert found.interval(0.95) == pytest.approx(expected, rel=2e-3, abs=1e-5)


@pytest.mark.parametrize("classes", [2, 5])
def test_extreme_probabilities_have_finite_ends_around_the_difference(classes):
    random = np.random.default_rng(5)
    for scale in (1e-12, 1e-3, 1, 30, 300):
        logits = random.normal(0, 3, (80, classes))
        models = [special.softmax(each, axis=1) for each in (logits, logits + random.normal(0, scale, logits.shape))]
        models = [np.maximum(p, 1e-300) for p in models]
        observed = logits.argmax(axis=1)
        found = difference(*(loss_side(p, observed, np.arange(80)) for p in models))
        low, high = found.interval(0.95)
        assert -np.inf < low <= found.value <= high < np.inf
        assert 0 <= found.p_value <= 1


def test_a_loss_has_no_upper_end_if_another_model_expects_what_it_rules_out():
    p = np.tile([0.9, 0.1, 0.0], (40, 1))
    sure, observed = p.copy(), np.zeros(40, dtype=np.int64)
    sure[7] = [1, 0, 0]
    sides = [loss_side(each, observed, np.arange(40)) for each in (p, sure)]
    found = difference(*sides)
    assert found.interval(0.95)[0] == -np.inf
    assert np.isfinite(found.interval(0.95)[1])
    assert found.p_value == 1
    assert own_loss(sides[1], [p, sure]).interval(0.95)[1] == np.inf
    assert own_loss(sides[0], [p, sure]).interval(0.95)[1] < 1, "what no model expects has no part in it"


@pytest.mark.parametrize(("units", "tested"), [(9, False), (10, True)])
def test_ten_effective_units_are_tested(units, tested):
    sides = [
        mean_side(np.random.default_rng(seed).normal(size=3 * units), np.arange(3 * units) // 3) for seed in (0, 1)
    ]
    assert np.isnan(difference(*sides).p_value) != tested


def test_a_mean_that_is_infinite_is_not_tested():
    sides = [mean_side(np.append(np.zeros(39), last), np.arange(40) // 2) for last in (np.inf, 1.0)]
    assert np.isnan(difference(*sides).p_value)
    assert np.isnan(difference(*sides[::-1]).p_value)


def test_few_units_and_few_events_are_not_tested():
    rng = np.random.default_rng(3)
    assert np.isnan(paired(*tables(rng, 500, 8)).p_value)
    q, y = rng.random((2, 200)), np.arange(200) < 4
    assert np.isnan(paired(*(SortedPairs(part, y, np.arange(200)) for part in q)).p_value)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "units"), [(300, None), (2000, None), (2000, 30), (2000, 100), (2000, 300)])
def test_equally_wrong_models_differ_in_at_most_seven_percent(n, units):
    """Sizes of units are log-normal; in a bootstrap over units .09 to .18 of such comparisons differed."""
    rng = np.random.default_rng(4)
    p_values = np.array([paired(*tables(rng, n, units)).p_value for _ in range(600)])
    tested = p_values[~np.isnan(p_values)]
    assert tested.size > 300
    assert np.mean(tested < 0.05) < 0.07 + 2 * np.sqrt(0.07 * 0.93 / tested.size)


def test_a_sharper_model_is_found():
    rng = np.random.default_rng(5)
    logit = rng.normal(-0.5, 1.2, 10_000)
    y = rng.random(10_000) < expit(logit)
    test = paired(*(SortedPairs(expit(scale * logit), y, np.arange(10_000)) for scale in (1.5, 1.0)))
    assert test.value > 0
    assert test.p_value < 1e-6


def test_a_loss_that_no_outcome_changes_is_known():
    """A model of .5 loses log 2 whatever happens, so its loss has no path and no width."""
    mass, gap = np.full((50, 2), 0.5), np.full((50, 2), np.log(2))
    assert LossPath.of(mass, gap, np.zeros(50, dtype=np.int64), 0.0) is None


def test_a_finite_difference_of_one_value_ends_where_it_is():
    """With .9 against 1 for what happened, the other outcome, if it came, would cost the second model without limit."""
    mass, gap = np.tile([[0.0, 0.9**0.5]], (50, 1)), np.tile([[-np.inf, np.log(1 / 0.9)]], (50, 1))
    path = LossPath.of(mass, gap, np.ones(50, dtype=np.int64), 0.0)
    assert path is not None
    low, high = path.ends(1.96)
    assert low == -np.inf
    assert high == pytest.approx(np.log(1 / 0.9))
    assert path.root(0.0) == 0
