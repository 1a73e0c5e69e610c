"""Maps agree with scikit-learn's and with definitions, and a cross-fit never sees the labels it is judged by."""

import numpy as np
import pytest
from scipy import optimize, special
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from nlpcalib.errors import InputError
from nlpcalib.recalibration.fitting import (
    RECALIBRATIONS,
    check_support,
    cross_fit,
    fit_beta,
    fit_class_temperature,
    fit_isotonic,
    fit_logistic,
    fit_temperature,
    fit_venn_abers,
)


@pytest.fixture
def pairs():
    rng = np.random.default_rng(0)
    q = rng.beta(0.3, 0.8, 2000)
    return q, rng.random(2000) < q**1.3


def regression(design, target, weight=None, intercept=True):
    return LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000, fit_intercept=intercept).fit(design, target, weight)


def test_temperature_is_scikit_learns_logistic_regression_without_an_intercept(pairs):
    q, y = pairs
    z = special.logit(q)[:, None]
    expected = regression(z, y, intercept=False).predict_proba(z)[:, 1]
    np.testing.assert_allclose(fit_temperature(q, y)(q), expected, atol=1e-8)


def test_logistic_is_scikit_learns_regression_on_platts_targets(pairs):
    """A target t is a label 1 of weight t and a label 0 of weight 1 − t."""
    q, y = pairs
    z = special.logit(q)[:, None]
    target = np.where(y, (y.sum() + 1) / (y.sum() + 2), 1 / ((~y).sum() + 2))
    twice = np.repeat([True, False], q.size)
    expected = regression(np.concatenate([z, z]), twice, np.concatenate([target, 1 - target])).predict_proba(z)[:, 1]
    np.testing.assert_allclose(fit_logistic(q, y)(q), expected, atol=1e-8)


def test_beta_is_scikit_learns_regression_on_both_logarithms(pairs):
    q, y = pairs
    design = np.column_stack([np.log(q), -np.log1p(-q)])
    np.testing.assert_allclose(fit_beta(q, y)(q), regression(design, y).predict_proba(design)[:, 1], atol=1e-7)


def test_beta_is_monotone_where_the_likelihood_would_have_it_fall(pairs):
    q, _ = pairs
    y = np.random.default_rng(1).random(q.size) < 0.5 - 0.4 * q  # falls with q
    fitted = fit_beta(q, y)(np.linspace(0, 1, 50))
    np.testing.assert_allclose(fitted, y.mean(), atol=1e-9)


def test_isotonic_is_scikit_learns(pairs):
    q, y = pairs
    q = q.round(2)
    new = np.random.default_rng(1).random(500)
    expected = IsotonicRegression(out_of_bounds="clip").fit(q, y).predict(new)
    np.testing.assert_allclose(fit_isotonic(q, y)(new), expected, atol=1e-12)


def test_isotonic_has_no_nan_next_to_one():
    """1 − 2⁻⁵² next to 1 made scikit-learn's prediction NaN."""
    q = np.array([0.2, 1 - 2**-52, 1.0, 1.0])
    assert np.isfinite(fit_isotonic(q, np.array([False, True, False, True]))(q)).all()


@pytest.mark.parametrize("seed", range(30))
def test_venn_abers_is_the_two_isotonic_fits_with_the_new_label(seed):
    rng = np.random.default_rng(seed)
    q = rng.integers(0, 9, rng.integers(1, 25)) / 8
    y = rng.random(q.size) < q
    predict = fit_venn_abers(q, y)
    for new in [*np.unique(q), *rng.random(3)]:
        ends = []
        for label in (0.0, 1.0):
            values, place, count = np.unique(np.append(q, new), return_inverse=True, return_counts=True)
            frequency = np.bincount(place, np.append(y, label)) / count
            ends.append(optimize.isotonic_regression(frequency, weights=count).x[np.searchsorted(values, new)])
        assert predict(np.array([new]))[0] == pytest.approx(ends[1] / (1 - ends[0] + ends[1]), abs=1e-12)


@pytest.mark.parametrize("name", RECALIBRATIONS)
def test_predictions_of_zero_and_one_stay_probabilities(name):
    rng = np.random.default_rng(2)
    q = np.concatenate([np.zeros(300), np.ones(300), rng.random(300)])
    y = rng.random(900) < 0.1 + 0.8 * q
    fitted = RECALIBRATIONS[name].fit(q, y)(np.array([0.0, 1.0, 0.5, 1e-9]))
    assert np.all((fitted >= 0) & (fitted <= 1))


@pytest.mark.parametrize("name", ["temperature", "logistic", "beta", "isotonic", "venn_abers"])
def test_every_map_undoes_what_it_can_undo(name):
    """Sharpened predictions, whose truth every family has among its curves."""
    rng = np.random.default_rng(3)
    truth = special.expit(rng.normal(0, 1.5, 20_000))
    q = special.expit(2 * special.logit(truth))
    recalibrated = cross_fit(RECALIBRATIONS[name].fit, q, rng.random(truth.size) < truth, None, folds=5, seed=0)
    assert np.sqrt(np.mean((recalibrated - truth) ** 2)) < 0.03 < np.sqrt(np.mean((q - truth) ** 2))


def test_class_temperature_undoes_sharpening_and_rows_sum_to_one():
    rng = np.random.default_rng(4)
    truth = rng.dirichlet([1, 2, 3], 20_000)
    y = (truth.cumsum(axis=1) > rng.random(truth.shape[0])[:, None]).argmax(axis=1)
    sharp = special.softmax(2 * np.log(truth), axis=1)
    found = fit_class_temperature(sharp, y)(sharp)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    assert np.sqrt(np.mean((found - truth) ** 2)) < 0.01


def test_a_cross_fit_holds_out_whole_units():
    """A map that remembers the units it was fitted to finds none of them again."""
    unit = np.repeat(np.arange(30), 4)
    q = unit / 100
    y = unit % 2 == 0

    def fit(seen, labels):
        assert labels.size < y.size
        return lambda new: np.isin(new, seen).astype(float)

    assert not cross_fit(fit, q, y, unit, folds=5, seed=0).any()


def test_folds_follow_the_seed_and_units_alone(pairs):
    q, y = pairs
    unit = np.arange(q.size) // 5
    order = np.random.default_rng(1).permutation(q.size)
    whole = cross_fit(fit_logistic, q, y, unit, folds=4, seed=1)
    shuffled = cross_fit(fit_logistic, q[order], y[order], unit[order], folds=4, seed=1)
    np.testing.assert_allclose(shuffled, whole[order], atol=1e-12)
    assert not np.allclose(whole, cross_fit(fit_logistic, q, y, unit, folds=4, seed=2), atol=1e-12)


@pytest.mark.parametrize(
    ("method", "positives", "enough"),
    [
        *[("temperature", 9, False), ("temperature", 10, True), ("logistic", 19, False), ("logistic", 20, True)],
        *[("beta", 29, False), ("beta", 30, True), ("isotonic", 99, False), ("isotonic", 100, True)],
    ],
)
def test_labels_have_to_support_the_parameters(method, positives, enough):
    y = np.arange(1000) < positives
    if enough:
        check_support(method, y, None)
    else:
        with pytest.raises(InputError, match=f"{method}: found {positives} positive labels"):
            check_support(method, y, None)


def test_labels_of_one_unit_count_once():
    y = np.arange(1000) < 500
    with pytest.raises(InputError, match="found 5 positive units with labels"):
        check_support("logistic", y, np.arange(1000) // 100)


def test_a_fold_without_the_other_label_is_refused():
    y = np.zeros(100, bool)
    y[:3] = True
    with pytest.raises(InputError, match="expected both in at least two units"):
        cross_fit(fit_logistic, np.linspace(0.1, 0.9, 100), y, np.arange(100) // 3, folds=5, seed=0)


def test_each_fold_needs_a_unit():
    q, y = np.linspace(0.1, 0.9, 40), np.arange(40) % 2 == 0
    assert np.isfinite(cross_fit(fit_logistic, q, y, np.arange(40) % 5, folds=5, seed=0)).all()
    with pytest.raises(InputError, match="found labels of 4 units for 5 folds, expected one for each"):
        cross_fit(fit_logistic, q, y, np.arange(40) % 4, folds=5, seed=0)
