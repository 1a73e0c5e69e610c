"""Training Bernoulli Naive Bayes and L2 logistic regression with scikit-learn (paper, section 4.1.1)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB

from nlpcalib.errors import InputError
from nlpcalib.io.files import write_csv
from reproduction.sentiment.classifier import LogLinear, excess_confidence, f1_score

logger = logging.getLogger(__name__)

_SOLVER = {"solver": "newton-cg", "tol": 1e-8, "max_iter": 1000}
"""At its default tolerance scikit-learn's default solver stopped at probabilities off by as much as .13 (at C = 10)."""


def fit_naive_bayes(features: csr_array, y: np.ndarray, vocabulary: Sequence[str], pseudocount: float) -> LogLinear:
    """Return Bernoulli Naive Bayes: both what is there and what is not there of the vocabulary counts.

    Parameters
    ----------
    features : csr_array, shape (N, V)
        0 and 1.
    y : ndarray, shape (N,), bool
        Messages of both classes.
    vocabulary : sequence of V str
    pseudocount : float
        Added to the number of messages with a word and to that of messages without it, in each class.
    """
    _check_classes(y)
    model = BernoulliNB(alpha=pseudocount).fit(features, y)
    there = model.feature_log_prob_
    absent = np.log1p(-np.exp(there))
    per_word = there - absent
    constant = model.class_log_prior_ + absent.sum(axis=1)
    return LogLinear(tuple(vocabulary), per_word[1] - per_word[0], float(constant[1] - constant[0]), float(pseudocount))


def fit_logistic_regression(features: csr_array, y: np.ndarray, vocabulary: Sequence[str], c: float) -> LogLinear:
    """Return logistic regression with an L2 penalty of inverse strength `c`; the intercept is not penalised.

    Other arguments as for `fit_naive_bayes`.
    """
    _check_classes(y)
    model = LogisticRegression(C=c, **_SOLVER).fit(features, y)
    return LogLinear(tuple(vocabulary), model.coef_[0], float(model.intercept_[0]), float(c))


def _check_classes(y: np.ndarray) -> None:
    if y.all() or not y.any():
        raise InputError(f"found {np.count_nonzero(y)} happy of {len(y)} training messages, expected both classes")


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """What one hyperparameter does on the development set."""

    value: float
    f1: float
    excess_confidence: float
    """See `reproduction.sentiment.classifier.excess_confidence`."""


def select_classifier(
    candidates: Iterable[tuple[float, LogLinear]], features: csr_array, y: np.ndarray
) -> tuple[LogLinear, list[ScoredCandidate], np.ndarray]:
    """Return the best of `candidates`, models with their hyperparameters, by F1 on the development set, and all scores.

    The first of equally good ones is chosen: order them by decreasing regularisation. Last is what the candidates
    predict, float64 (candidates, N). Raises InputError if there are no candidates.
    """
    best: LogLinear | None = None
    scores: list[ScoredCandidate] = []
    predictions = []
    for value, model in candidates:
        q = model.posterior(features)
        predictions.append(q)
        scores.append(ScoredCandidate(float(value), f1_score(q, y), excess_confidence(q, y)))
        logger.info("%g: F1 %.4f", value, scores[-1].f1)
        if best is None or scores[-1].f1 > max(score.f1 for score in scores[:-1]):
            best = model.with_dev_f1(scores[-1].f1)
    if best is None:
        raise InputError("found no models to choose from, expected at least one hyperparameter")
    return best, scores, np.stack(predictions)


def write_classifier_selection(path: str | Path, scores: Sequence[ScoredCandidate], chosen: float) -> None:
    """Write a grid's candidates as CSV, one row per hyperparameter, the chosen one marked."""
    write_csv(path, [{**asdict(candidate), "chosen": candidate.value == chosen} for candidate in scores])
