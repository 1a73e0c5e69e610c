"""Shifts have the derivatives and ridges that they should, and shrinkage learns what labels show and ends."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, special, stats

from nlpcalib import recalibration
from nlpcalib.errors import InputError
from nlpcalib.recalibration import shrinkage
from nlpcalib.recalibration.rank_curve import curve_through
from nlpcalib.recalibration.saved_map import class_features, corrected_top
from nlpcalib.recalibration.shifts import Shifts
from nlpcalib.recalibration.shrinkage import (
    Average,
    _family_of,
    _in_standard_errors,
    _map_of_one,
    average,
    fit_shrinkage,
)


@pytest.fixture
def shifts():
    rng = np.random.default_rng(0)
    n, classes = 150, 3
    x, v, w = class_features(rng.normal(0, 1.5, (n, classes)), 0.01)
    diagonal = np.eye(classes, dtype=bool)
    group = np.column_stack([np.zeros(classes, int), np.where(diagonal, 1, 3), np.full(classes, 2)])
    group[0, 0] = -1
    y = rng.integers(0, classes, n)
    return Shifts(x, np.column_stack([np.ones(n), v]), w, y, group, np.full(n, 0.7))


def classes_drawn(n, classes=4, *, seed=0, heat=1.0, bias=0.0):
    """Predictions, labels, and the probabilities that the labels were drawn from."""
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 1.5, (n, classes))
    truth = special.softmax(heat * z + bias, axis=1)
    return special.softmax(z, axis=1), (truth.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1), truth


def pairs_drawn(n, *, seed=0, slope=1.0, shift=0.0):
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 2, n)
    truth = special.expit(slope * z + shift)
    return special.expit(z), rng.random(n) < truth, truth


def test_gradient_and_curvature_are_finite_differences(shifts):
    theta = np.random.default_rng(1).normal(0, 0.3, shifts.group.shape)
    free = shifts.group >= 0
    step = 1e-5

    def moved(place, by):
        other = theta.copy()
        other[place] += by
        return other

    gradient = shifts.gradient(shifts.loss(theta)[1])
    curvature = shifts.curvature(theta, free)
    for index, place in enumerate(zip(*np.nonzero(free), strict=True)):
        up, down = (shifts.loss(moved(place, by)) for by in (step, -step))
        assert gradient[place] == pytest.approx((up[0] - down[0]) / (2 * step), abs=1e-6)
        difference = (shifts.gradient(up[1]) - shifts.gradient(down[1]))[free] / (2 * step)
        np.testing.assert_allclose(curvature[index], difference, atol=1e-6)


def test_the_fit_is_that_of_another_optimiser_and_ignores_where_it_starts(shifts):
    ridge = np.array([2.0, 5.0, np.inf, 9.0])
    free = (shifts.group >= 0) & np.isfinite(ridge)[shifts.group]

    def loss(parameters):
        theta = np.zeros(free.shape)
        theta[free] = parameters
        return shifts.loss(theta)[0] + np.sum(ridge[shifts.group[free]] * parameters**2) / 2

    expected = optimize.minimize(loss, np.zeros(free.sum()), method="BFGS", options={"gtol": 1e-8}).x
    for start in (0.0, 3.0):
        found = shifts.fit(ridge, np.full(free.shape, start))
        np.testing.assert_allclose(found[free], expected, atol=1e-4)
        assert not found[~free].any()


def test_learned_ridges_are_the_mode_of_the_laplace_evidence_with_a_gamma_prior(shifts):
    prior, strength = np.array([2.0, 6.0, 6.0, 12.0]), 3.0
    ridge, theta = shifts.learn(prior, strength, np.zeros(shifts.group.shape))
    free = shifts.group >= 0
    group = shifts.group[free]
    curvature = shifts.curvature(theta, free)
    # Around the fit the log likelihood is a parabola, so that the evidence has a closed form in λ.
    slope = -ridge[group] * theta[free]

    def negative_evidence(logs):
        penalty = np.exp(logs)[group]
        both = curvature + np.diag(penalty)
        mean = np.linalg.solve(both, curvature @ theta[free] - slope)
        gap = mean - theta[free]
        fit = slope @ gap + gap @ curvature @ gap / 2 + np.sum(penalty * mean**2) / 2
        determinants = (np.linalg.slogdet(both)[1] - np.sum(np.log(penalty))) / 2
        return fit + determinants + np.sum(strength * np.exp(logs) / prior - strength * logs)

    expected = optimize.minimize(negative_evidence, np.log(prior), method="BFGS").x
    np.testing.assert_allclose(np.log(ridge), expected, atol=0.05)


def test_an_average_weighs_as_a_grid_of_all_weights_does():
    q, y, _ = pairs_drawn(300, slope=0.7)
    z = special.logit(q)
    scores = np.array([z, 0.5 * z, 0.6 * z + 0.3])[:, :, None]
    found = average(scores, y.astype(int), 0.8, 1.0)
    grid = [(a, b, 1 - a - b) for a in np.linspace(0, 1, 101) for b in np.linspace(0, 1, 101) if a + b <= 1.0001]

    def loss(weights):
        score = np.tensordot(weights, scores, 1)[:, 0]
        return 0.8 * np.sum(np.logaddexp(0, score) - y * score) + weights[1] + 2 * weights[2]

    assert found.sum() == pytest.approx(1)
    assert loss(found) <= min(map(loss, grid)) + 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_a_calibrated_model_is_hardly_changed_and_a_wrong_one_is_repaired(seed):
    for change, most in (({}, 0.0005), ({"shift": -0.8}, 0.002), ({"slope": 0.6}, 0.002)):
        q, y, _ = pairs_drawn(1000, seed=seed, **change)
        new, _, truth = pairs_drawn(5000, seed=seed + 100, **change)
        assert np.mean((fit_shrinkage(q, y).map(new) - truth) ** 2) < most
    for change, most in (({}, 0.0005), ({"heat": 0.6}, 0.001), ({"bias": np.array([0.8, -0.8, 0, 0])}, 0.002)):
        q, y, _ = classes_drawn(1000, seed=seed, **change)
        new, _, truth = classes_drawn(5000, seed=seed + 100, **change)
        assert np.mean((fit_shrinkage(q, y).map(new) - truth) ** 2) < most


def test_a_calibrated_model_is_left_as_it_is_to_the_bit_where_labels_show_nothing():
    q, y, _ = pairs_drawn(5000, seed=5)
    found = fit_shrinkage(q, y)
    assert found.left_as_it_is
    assert found.finished
    np.testing.assert_array_equal(found.q, q)


def test_labels_end_what_they_began():
    """What is repaired is finished, and what is wrong is not."""
    q, y, _ = pairs_drawn(1000, shift=-0.8)
    first = fit_shrinkage(q, y)
    assert not first.finished
    assert fit_shrinkage(first.q, y).finished
    q, y, _ = classes_drawn(1000, heat=0.6)
    first = fit_shrinkage(q, y)
    assert not first.finished
    assert fit_shrinkage(first.q, y).finished


@pytest.mark.parametrize("draw", [pairs_drawn, classes_drawn])
def test_copies_of_rows_count_once_where_their_unit_is_named(draw):
    q, y, _ = draw(120, seed=2)
    once = fit_shrinkage(q, y, np.arange(120))
    copies = fit_shrinkage(np.repeat(q, 5, axis=0), np.repeat(y, 5), np.repeat(np.arange(120), 5))
    assert np.abs(copies.map(q) - once.map(q)).max() < 0.02


def test_rare_and_absent_classes_and_labels_of_one_kind_are_not_refused():
    q, y, _ = classes_drawn(200, classes=6)
    y[y == 5] = 4
    y[np.flatnonzero(y == 3)[1:]] = 2
    found = fit_shrinkage(q, y)
    np.testing.assert_allclose(found.map(q).sum(axis=1), 1, atol=1e-12)
    assert 0 < found.map(q)[:, 5].mean() < q[:, 5].mean()
    assert np.all(np.isfinite(fit_shrinkage(q[:, 0], np.zeros(200, bool)).map(q[:, 0])))


def test_the_likeliest_class_stays_so_whatever_share_it_is_given():
    rng = np.random.default_rng(0)
    q = np.vstack([rng.dirichlet(np.ones(4), 200), np.full((1, 4), 0.25), [[1, 0, 0, 0]]])
    found = corrected_top(q, rng.random(len(q)))
    np.testing.assert_array_equal(found.argmax(axis=1), q.argmax(axis=1))
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize(
    ("labels", "units", "asked", "folds"),
    [
        (1000, 1000, None, 10),
        (1001, 1001, None, 5),
        (60, 6, None, 6),
        (2000, 3, None, 3),
        (60, 60, 4, 4),
        (20, 2, 2, 2),
    ],
)
def test_folds_are_ten_of_up_to_a_thousand_labels_and_five_of_more_and_no_more_than_units(labels, units, asked, folds):
    q, y, _ = pairs_drawn(labels)
    assert fit_shrinkage(q, y, np.arange(labels) % units, folds=asked).folds == folds
    if labels < 100:
        q, y, _ = classes_drawn(labels, classes=3)
        assert fit_shrinkage(q, y, np.arange(labels) % units, folds=asked).folds == folds


def test_labels_show_a_gain_of_more_than_the_one_sided_quantile_in_standard_errors_of_units():
    rng = np.random.default_rng(3)
    unit = np.repeat(np.arange(20), rng.integers(1, 9, 20))
    gains = rng.normal(0.1, 1, unit.size) + rng.normal(0, 1, 20)[unit]
    totals, counts = np.bincount(unit, gains), np.bincount(unit)
    error = np.sqrt(np.sum((totals - gains.mean() * counts) ** 2))
    assert _in_standard_errors(gains, unit) == pytest.approx(gains.sum() / error)
    assert _in_standard_errors(np.zeros(9), np.arange(9)) == 0
    found = fit_shrinkage(*pairs_drawn(60)[:2])
    for shown, more in ((stats.norm.isf(0.0501), False), (stats.norm.isf(0.0499), True)):
        assert replace(found, shown=shown).finished != more
        assert replace(found, sharper=shown).sharpens == more


def test_confusions_are_of_forty_classes_at_most():
    assert [_family_of(classes).names[-1] for classes in (40, 41)] == ["confusions", "slopes and bends"]


@pytest.mark.parametrize(("digits", "error"), [(2, 1e-6), (17, 2e-4)])
def test_rows_next_to_each_other_are_fitted_as_one_which_is_exact_for_those_of_one_prediction(
    monkeypatch, digits, error
):
    q, y, _ = pairs_drawn(20_000, slope=0.7)
    q = q.round(digits)
    exact = fit_shrinkage(q, y)
    monkeypatch.setattr(shrinkage, "MAX_FITTED_PLACES", 2000)
    found = fit_shrinkage(q, y)
    assert found.q == pytest.approx(exact.q, abs=error)
    assert found.map(q) == pytest.approx(exact.map(q), abs=error)


def test_curves_are_cosines_of_ranks_less_their_line_that_grow_rarer_as_they_wave_more():
    z = np.repeat(np.sort(np.random.default_rng(0).normal(size=80)), np.tile([1, 3], 40))
    base, shared, own = curve_through(z)(z)
    assert base[:, 0].tolist() == z.tolist()
    assert shared[:, :3] == pytest.approx(np.column_stack([z, np.ones(160), z - z.mean()]))
    rank = stats.rankdata(z) - 0.5  # equal ones have the mean of their ranks
    for place, waves in enumerate(range(2, 9), 3):
        wave = np.cos(np.pi * waves * rank / 160) * 4 / waves**2
        assert shared[:, place] == pytest.approx(wave - np.polyval(np.polyfit(z, wave, 1), z), abs=1e-9)
    assert shared.shape == (160, 10)
    assert not own.any()


def test_folds_need_units():
    with pytest.raises(InputError, match="found labels of 1 unit for 2 folds, expected one for each"):
        fit_shrinkage(np.array([0.2, 0.4]), np.array([True, False]), np.zeros(2, int))


@pytest.mark.parametrize(("wave", "form"), [(0.0, "linear"), (0.05, "curve")])
def test_a_map_moves_the_predictions_it_was_fitted_to_as_its_parameters_do(wave, form):
    z = np.random.default_rng(0).normal(0.5, 1, 200)
    parameters = np.zeros((1, 11))
    parameters[0, :-1] = [0.2, 0.3, -0.4, *[wave] * 7]
    _, shared, _ = curve_through(z)(z)
    nothing = np.zeros(0)
    found = _map_of_one(Average(nothing, parameters, nothing, nothing, nothing, 1.0, 1.0), 1e-6, z)
    assert found.form == form
    expected = special.expit(z + shared @ parameters[0, :-1])
    np.testing.assert_allclose(found(special.expit(z)), expected, atol=1e-12 if form == "linear" else 1e-3)


def test_maps_cannot_be_changed(all_frozen):
    assert all_frozen(recalibration)


def test_a_map_that_would_fall_is_flat():
    q = np.linspace(0.01, 0.99, 400)
    y = np.random.default_rng(0).random(400) < 1 - q
    assert np.all(np.diff(fit_shrinkage(q, y).map(q)) >= 0)


def test_rows_beyond_four_thousand_still_count(shifts):
    many = replace(
        shifts, **{name: np.tile(getattr(shifts, name), (40, 1)) for name in ("base", "shared", "own")},
        y=np.tile(shifts.y, 40), weight=np.tile(shifts.weight, 40) / 40,
    )  # fmt: skip
    ridge = np.full(4, 3.0)
    start = np.zeros(shifts.group.shape)
    np.testing.assert_allclose(many.fit(ridge, start), shifts.fit(ridge, start), atol=1e-5)


def test_what_no_float_next_to_one_can_hold_changes_no_map():
    """Naive Bayes states 1e-300 where it could as well state 1e-30: logarithms of both would outweigh all others."""
    q, y, _ = classes_drawn(300, heat=0.3)
    least = q.argsort(axis=1)[:, 0]
    stated = []
    for chance in (1e-30, 1e-300):
        extreme = q.copy()
        extreme[np.arange(300), least] = np.where(np.arange(300) % 2, chance, q.min(axis=1))
        extreme /= extreme.sum(axis=1, keepdims=True)
        stated.append(fit_shrinkage(extreme, y).map(extreme))
    np.testing.assert_array_equal(*stated)
