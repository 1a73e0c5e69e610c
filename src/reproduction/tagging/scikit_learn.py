"""scikit-learn's recalibration of a tagger's marginals, to compare with."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import KFold

_SKLEARN_FOLDS = 2
"""The fewest folds that scikit-learn takes."""


def calibrated_classifier(q: np.ndarray, gold: np.ndarray, new: np.ndarray, *, method: str) -> np.ndarray:
    """Return `new` marginals as scikit-learn's `CalibratedClassifierCV` recalibrates them.

    It takes no class with fewer labels than folds: tags that the development set does not have, or has once, keep their
    probabilities, and the others share what is left.

    Parameters
    ----------
    q, gold : ndarray, shapes (N, K) float64 and (N,) int64
        Marginals of the development set, and its tags; codes from K on are tags that the model does not have.
    new : ndarray, shape (M, K), float64
        Marginals to recalibrate.
    method : str
        `temperature`, `isotonic` or `sigmoid`.
    """
    present = np.flatnonzero(np.bincount(gold, minlength=q.shape[1])[: q.shape[1]] >= _SKLEARN_FOLDS)
    known = np.isin(gold, present)
    # Nothing is trained, so that folds make no difference: one map is fitted to all labels.
    model = CalibratedClassifierCV(
        FrozenEstimator(_Given(present)), method=method, cv=KFold(_SKLEARN_FOLDS), ensemble=False
    )
    model.fit(_share(q[known], present), gold[known])
    result = new.copy()
    result[:, present] = model.predict_proba(_share(new, present)) * new[:, present].sum(axis=1, keepdims=True)
    return result


def _share(q: np.ndarray, columns: np.ndarray) -> np.ndarray:
    chosen = q[:, columns]
    return chosen / np.maximum(chosen.sum(axis=1, keepdims=True), np.finfo(float).tiny)


class _Given(ClassifierMixin, BaseEstimator):
    """A classifier whose observations are its probabilities."""

    def __init__(self, classes: np.ndarray) -> None:
        self.classes = classes
        self.classes_ = classes

    def predict_proba(self, probabilities: np.ndarray) -> np.ndarray:
        return probabilities

    def predict(self, probabilities: np.ndarray) -> np.ndarray:
        return self.classes_[probabilities.argmax(axis=1)]

    def fit(self, probabilities: np.ndarray, y: np.ndarray) -> _Given:
        return self
