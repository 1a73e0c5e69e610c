"""`nlpcalib.sklearn` is an estimator of scikit-learn, and repairs a classifier's probabilities."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import check_estimator

from nlpcalib.sklearn import RecalibratedClassifier


@pytest.fixture(params=[2, 4])
def data(request):
    X, y = make_classification(
        3000, 20, n_informative=6, n_redundant=10, n_classes=request.param, random_state=0, class_sep=0.7
    )
    return X, np.array(["a", "b", "c", "d"])[y]


@pytest.mark.slow
def test_scikit_learns_own_checks_pass():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(RecalibratedClassifier())


@pytest.mark.parametrize("prefit", [False, True])
def test_naive_bayes_with_copied_features_becomes_better_on_new_rows(data, prefit):
    X, y = data
    raw = GaussianNB().fit(X[:1000], y[:1000])
    if prefit:
        model = RecalibratedClassifier(FrozenEstimator(raw)).fit(X[1000:2000], y[1000:2000])
    else:
        model = RecalibratedClassifier(GaussianNB(), cv=3).fit(X[:1000], y[:1000])
    before, after = (log_loss(y[2000:], one.predict_proba(X[2000:]), labels=raw.classes_) for one in (raw, model))
    assert after < before - 0.05
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.score(X[2000:], y[2000:]) > raw.score(X[2000:], y[2000:]) - 0.02


def test_a_clone_learns_the_same_to_the_bit(data):
    X, y = data
    model = RecalibratedClassifier(LogisticRegression(), cv=3)
    groups = np.arange(900) // 3
    first, second = (each.fit(X[:900], y[:900], groups).predict_proba(X) for each in (model, clone(model)))
    np.testing.assert_array_equal(first, second)


def test_a_class_that_a_frozen_estimator_does_not_have_is_refused(data):
    X, y = data
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    y[7] = "z"
    with pytest.raises(ValueError, match=r"found class .*'z'.*, expected one that"):
        RecalibratedClassifier(frozen).fit(X, y)
