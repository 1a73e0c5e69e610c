"""Recalibrated scikit-learn classifiers; no other module of the package imports scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, check_cv, cross_val_predict
from sklearn.utils import column_or_1d, get_tags, indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from nlpcalib.recalibration.shrinkage import fit_shrinkage


class RecalibratedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier whose probabilities are recalibrated by shrinkage, as `CalibratedClassifierCV(ensemble=False)` does.

    Parameters
    ----------
    estimator : classifier with `predict_proba`, optional
        By default `LogisticRegression()`. An estimator in `FrozenEstimator` is not trained again: give `fit` labels
        that it was not trained on.
    cv : int, splitter or iterable, optional
        Splits for cross-fitting: each row is predicted by a model trained on other rows. Five folds by default; no
        effect with `FrozenEstimator`.
    seed : int
        Seeds the folds in which candidate maps are compared.

    Attributes
    ----------
    estimator_ : classifier
        Trained on all rows.
    recalibration_ : nlpcalib.recalibration.shrinkage.Shrinkage
        The fitted map and its diagnostics.
    classes_ : ndarray, shape (K,)
    """

    def __init__(self, estimator: Any = None, *, cv: Any = None, seed: int = 0) -> None:
        self.estimator = estimator
        self.cv = cv
        self.seed = seed

    def fit(self, X: Any, y: Any, groups: Any = None) -> RecalibratedClassifier:
        """Train the estimator and fit the map. Rows of one group, of `groups` (N,), stay in one fold."""
        check_classification_targets(y)
        X, y, groups = indexable(X, column_or_1d(y, warn=True), groups)
        estimator = LogisticRegression() if self.estimator is None else self.estimator
        if isinstance(estimator, FrozenEstimator):
            self.estimator_ = estimator
            q = estimator.predict_proba(X)
        else:
            folds = 5 if self.cv is None else self.cv
            grouped = groups is not None and isinstance(folds, int)
            splits = StratifiedGroupKFold(folds) if grouped else check_cv(folds, y, classifier=True)
            q = cross_val_predict(clone(estimator), X, y, groups=groups, cv=splits, method="predict_proba")
            self.estimator_ = clone(estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        strange = np.setdiff1d(y, self.classes_)
        if strange.size:
            raise ValueError(f"y: found class {strange[0]!r}, expected one that the estimator was trained on")
        codes = np.searchsorted(self.classes_, y)
        unit = None if groups is None else np.unique(groups, return_inverse=True)[1]
        two = len(self.classes_) == 2
        self.recalibration_ = fit_shrinkage(*((q[:, 1], codes == 1) if two else (q, codes)), unit, seed=self.seed)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return recalibrated probabilities, float64 (N, K)."""
        check_is_fitted(self)
        q = np.asarray(self.estimator_.predict_proba(X), np.float64)
        if len(self.classes_) > 2:
            return self.recalibration_.map(q)
        second = self.recalibration_.map(q[:, 1])
        return np.column_stack([1 - second, second])

    def predict(self, X: Any) -> np.ndarray:
        """Return the most probable class of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self) -> Any:
        """Return the tags of the estimator's inputs."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(LogisticRegression() if self.estimator is None else self.estimator).input_tags
        return tags
