"""Classifiers whose log-odds are linear in binary features, and what they are evaluated by.

Naive Bayes and logistic regression are of one form (Ng & Jordan 2002): weights of the words that are there, and an
intercept. They differ in how these are found, which is what the paper compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from nlpcalib.errors import InputError
from nlpcalib.io.arrays import read_arrays
from nlpcalib.io.files import atomic_path
from reproduction.sentiment.features import pack_words, unpack_words


class ClassifierRow(TypedDict):
    """A row of the table of hyperparameters, see `reproduction.sentiment.training.write_classifier_selection`."""

    value: float
    f1: float
    excess_confidence: float
    chosen: bool


@dataclass(frozen=True, eq=False)
class LogLinear:
    """P(happy | x) = 1 / (1 + exp(−(intercept + x · weights)))."""

    vocabulary: tuple[str, ...]
    weights: np.ndarray
    """float64 (V,)."""
    intercept: float
    hyperparameter: float
    """Naive Bayes' pseudocount or logistic regression's C."""
    dev_f1: float | None = None
    """F1 on the development set, for which the hyperparameter was chosen."""

    def posterior(self, features: csr_array) -> np.ndarray:
        """Return float64 (N,): the probability that each message is happy."""
        return expit(features @ self.weights + self.intercept)

    def with_dev_f1(self, dev_f1: float) -> LogLinear:
        """Return the same model with its F1 on the development set."""
        return replace(self, dev_f1=dev_f1)

    def save(self, path: str | Path) -> None:
        """Write the model as .npz without pickles, all or nothing; equal models give equal bytes."""
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            np.savez(
                file,
                vocabulary=pack_words(self.vocabulary),
                weights=self.weights,
                intercept=self.intercept,
                hyperparameter=self.hyperparameter,
                dev_f1=np.nan if self.dev_f1 is None else self.dev_f1,
            )

    @classmethod
    def load(cls, path: str | Path) -> LogLinear:
        """Read a model that `save` wrote.

        Raises `InputError` as `read_arrays` does, and for numbers that are not finite or as many as there are words.
        """
        expected = "expected a model saved by LogLinear.save"
        scalars = ("intercept", "hyperparameter", "dev_f1")
        arrays = read_arrays(path, ("vocabulary", "weights", *scalars), expected=expected)
        try:
            vocabulary = unpack_words(arrays["vocabulary"])
        except ValueError as error:
            raise InputError(f"{path}: {error}; {expected}") from error
        for name, shape in {"weights": (len(vocabulary),), **dict.fromkeys(scalars, ())}.items():
            array = arrays[name]
            if array.dtype != np.float64 or array.shape != shape:
                raise InputError(f"{path}: found {name} of {array.dtype} and shape {array.shape}; {expected}")
            if name != "dev_f1" and not np.isfinite(array).all():
                raise InputError(f"{path}: found {name} that are not finite; {expected}")
        intercept, hyperparameter, dev_f1 = (float(arrays[name]) for name in scalars)
        return cls(vocabulary, arrays["weights"], intercept, hyperparameter, None if np.isnan(dev_f1) else dev_f1)


def f1_score(q: np.ndarray, y: np.ndarray) -> float:
    """Return the F1 of calling happy what has q > ½, against labels y, both (N,); 0 if nothing happy is found."""
    called = q > 0.5
    found = np.count_nonzero(called & y)
    return float(2 * found / (np.count_nonzero(called) + np.count_nonzero(y))) if found else 0.0


def excess_confidence(q: np.ndarray, y: np.ndarray) -> float:
    """Return by how much the mean probability of what is called exceeds the accuracy: positive is too extreme.

    It joins the lower and the higher range of the paper: a curve above the diagonal below ½ and below it
    above ½ makes it positive, a steep one negative.
    """
    return float(np.mean(np.maximum(q, 1 - q)) - np.mean((q > 0.5) == y))


def evaluation_of(q: np.ndarray, y: np.ndarray) -> Mapping[str, float | None]:
    """Return F1, precision, recall and accuracy of calling happy what has q > ½; precision is None if nothing is."""
    called = q > 0.5
    found = np.count_nonzero(called & y)
    return {
        "f1": f1_score(q, y),
        "precision": float(found / np.count_nonzero(called)) if called.any() else None,
        "recall": float(found / np.count_nonzero(y)),
        "accuracy": float(np.mean(called == y)),
    }
