"""Maps from predictions to better ones: seven forms, applied, written and read.

With q a prediction, a floor that keeps logarithms finite, and z = log q/(1 − q):

* `linear`: 1/(1 + exp(−intercept − slope · z));
* `beta`: the same of bias + a log q − b log(1 − q);
* `curve`: linear between given predictions, constant outside of them;
* `steps`: a value at each given prediction, and one between neighbours;
* `softmax`, of K probabilities: softmax(weight · log q + bias);
* `linear_by_class` and `beta_by_class`, of K probabilities: each by a map of its own, divided by their sum.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import special

from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file, write_json

Parameters = Mapping[str, np.ndarray]

_HIGHEST_FLOOR = 0.5
_LINEAR = ("intercept", "slope", "floor")
_BETA = ("a", "b", "bias", "floor")


@dataclass(frozen=True)
class Map:
    """A fitted map; called with predictions `(M,)` or `(M, K)`, it returns recalibrated ones of the same shape."""

    form: str
    """A key of `FORMS`."""
    parameters: Parameters
    """Numbers, or arrays of one dimension, by name."""
    classes: tuple[str, ...] = ()
    """Names of the K classes in the order of predictions, where they have names."""

    def __call__(self, q: np.ndarray) -> np.ndarray:
        """Return recalibrated predictions, float64."""
        return FORMS[self.form][0](q, self.parameters)


def made(form: str, **parameters: np.ndarray | float) -> Map:
    """Return a map of a form."""
    return Map(form, {name: np.asarray(value, np.float64) for name, value in parameters.items()})


def write_map(path: Path, fitted: Map, method: str) -> None:
    """Write a map as JSON."""
    parameters = {name: value.tolist() for name, value in fitted.parameters.items()}
    classes = {"classes": list(fitted.classes)} if fitted.classes else {}
    write_json(path, {"method": method, "form": fitted.form, **classes, "parameters": parameters})


def read_map(path: str | Path) -> Map:
    """Read what `write_map` wrote.

    Raises `InputError` for a file that is missing or no such map.
    """
    check_file(path)
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        form, parameters = content["form"], content["parameters"]
        found = replace(made(form, **parameters), classes=tuple(map(str, content.get("classes", []))))
        _, names, many = FORMS[form]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        found_there = f"no key {error}" if isinstance(error, KeyError) else "what is no map"
        raise InputError(f"{path}: found {found_there}, expected map.json of nlpcalib recalibrate") from None
    if sorted(found.parameters) != sorted(names):
        raise InputError(f"{path}: found the parameters {', '.join(found.parameters)}, expected {', '.join(names)}")
    for name, value in found.parameters.items():
        if value.ndim != (name in many) or not value.size or not np.isfinite(value).all():
            expected = "a list of finite numbers" if name in many else "a finite number"
            raise InputError(f"{path}: found another {name}, expected {expected}")
    floor = found.parameters.get("floor", np.array(_HIGHEST_FLOOR))
    if floor.min() <= 0 or floor.max() > _HIGHEST_FLOOR:
        raise InputError(f"{path}: found the floor {floor.max():g}, expected one above 0 and at most {_HIGHEST_FLOOR}")
    if len({found.parameters[name].size for name in many}) > 1 and form in OF_CLASSES:
        raise InputError(f"{path}: found lists of several lengths, expected a number for each class")
    classes = found.parameters[many[0]].size if form in OF_CLASSES else 0
    if found.classes and len(set(found.classes)) != classes:
        raise InputError(f"{path}: found {len(set(found.classes))} different classes, expected {classes}")
    if "values" in names:
        values, other = (found.parameters[name] for name in names)
        if (np.diff(values) <= 0).any() or other.size != (2 * values.size + 1 if form == "steps" else values.size):
            raise InputError(f"{path}: found a curve that is none, expected growing values and as many probabilities")
        if other.min() < 0 or other.max() > 1:
            raise InputError(f"{path}: found a curve from {other.min():g} to {other.max():g}, expected probabilities")
    return found


def logit(q: np.ndarray, floor: float | np.ndarray) -> np.ndarray:
    """Return log q/(1 − q) of predictions kept between `floor` and 1 − `floor`."""
    return special.logit(np.clip(q, floor, 1 - floor))


def beta_features(q: np.ndarray, floor: float | np.ndarray) -> list[np.ndarray]:
    """Return log q and −log(1 − q) of predictions kept between `floor` and 1 − `floor`."""
    clipped = np.clip(q, floor, 1 - floor)
    return [np.log(clipped), -np.log1p(-clipped)]


def _linear(q: np.ndarray, given: Parameters) -> np.ndarray:
    return special.expit(given["intercept"] + given["slope"] * logit(q, given["floor"]))


def _beta(q: np.ndarray, given: Parameters) -> np.ndarray:
    first, second = beta_features(q, given["floor"])
    return special.expit(given["bias"] + given["a"] * first + given["b"] * second)


def _curve(q: np.ndarray, given: Parameters) -> np.ndarray:
    return np.interp(q, given["values"], given["fitted"])


def _steps(q: np.ndarray, given: Parameters) -> np.ndarray:
    left = np.searchsorted(given["values"], q, side="left")
    return given["merged"][left + np.searchsorted(given["values"], q, side="right")]


def _softmax(q: np.ndarray, given: Parameters) -> np.ndarray:
    return special.softmax(given["weight"] * np.log(np.clip(q, given["floor"], None)) + given["bias"], axis=1)


def _linear_by_class(q: np.ndarray, given: Parameters) -> np.ndarray:
    return _shares(_linear(q, given))


def _beta_by_class(q: np.ndarray, given: Parameters) -> np.ndarray:
    return _shares(_beta(q, given))


def _shares(q: np.ndarray) -> np.ndarray:
    return q / q.sum(axis=1, keepdims=True)


FORMS: dict[str, tuple[Callable[[np.ndarray, Parameters], np.ndarray], tuple[str, ...], tuple[str, ...]]] = {
    "linear": (_linear, _LINEAR, ()),
    "beta": (_beta, _BETA, ()),
    "curve": (_curve, ("values", "fitted"), ("values", "fitted")),
    "steps": (_steps, ("values", "merged"), ("values", "merged")),
    "softmax": (_softmax, ("weight", "bias", "floor"), ("weight", "bias")),
    "linear_by_class": (_linear_by_class, _LINEAR, _LINEAR),
    "beta_by_class": (_beta_by_class, _BETA, _BETA),
}
"""Of each form how it is applied, its parameters, and which of them are lists."""

OF_CLASSES = ("softmax", "linear_by_class", "beta_by_class")
"""Forms of K probabilities."""
