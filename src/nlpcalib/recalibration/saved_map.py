"""Maps from predictions to better ones in nine forms: how they are applied, written and read.

With q a prediction, a floor that keeps logarithms finite, and z = log q/(1 − q):

* `linear`: 1/(1 + exp(−intercept − slope · z));
* `beta`: the same of bias + a log q − b log(1 − q);
* `curve`: linear between given predictions, constant outside of them;
* `by_class`: 1/(1 + exp(−intercept − slope · z)) for z of what a `curve` gives, by the numbers of a row's label;
* `steps`: a value at each given prediction, and one between neighbours;
* `softmax`, of K probabilities: softmax(weight · log q + bias);
* `shifts`, of K probabilities: softmax(slope · log q + bias + matrix v + bend w), with the features v and w of
  p = softmax(heat · log q); then the likeliest class takes the probability that a `curve` gives for its own;
* `linear_by_class` and `beta_by_class`, of K probabilities: each by a map of its own, divided by their sum.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS
from nlpcalib.errors import InputError, counted, quoted
from nlpcalib.io.files import check_file, write_json
from nlpcalib.io.json_values import each_once

Parameters = Mapping[str, np.ndarray]

_MAX_ABS_PARAMETER = 1e9
"""Largest parameter of a saved map in absolute value: a larger one comes from no fit."""
_MAX_ROUNDING = 1e-9
"""Probability by which a saved curve may fall, and by which the likeliest class stays ahead of the next."""


@dataclass(frozen=True)
class Map:
    """A fitted map; called with predictions `(M,)` or `(M, K)`, it returns recalibrated ones of the same shape."""

    form: str
    """A key of `FORMS`."""
    parameters: Parameters
    """Numbers, or arrays of one dimension, by name."""
    classes: tuple[str, ...] = ()
    """Names of the K classes in the order of predictions, where they have names."""
    fitted_to: Mapping[str, str | int] | None = None
    """Checksums of the predictions and labels that the map was fitted to, as `fingerprint_of_labels` returns them."""
    labels: tuple[str, ...] = ()
    """Names of the labels with numbers of their own, in their order, of the form `by_class`."""
    view: str = ""
    """Which answers of a record the map was fitted to: the top class, all classes, or empty for every prediction."""

    @property
    def keeps_classes(self) -> bool:
        """Whether the likeliest of K classes stays the likeliest for any prediction, as in a map of `temperature`."""
        # By these a form can change the order of a row's classes; each is a number, or the same for all classes.
        names = {"softmax": ("weight", "bias"), "shifts": ("slope", "bias", "matrix", "bend")}.get(self.form)
        if names is None:
            return False
        slope, bias, *others = (self.parameters[name] for name in names)
        alike = all(np.ptp(each) == 0 for each in (slope, bias, *others))
        return bool(alike and slope.min() > 0 and all(each.min() >= 0 for each in others))

    def __repr__(self) -> str:
        """Return one line."""
        size = counted(sum(np.size(value) for value in self.parameters.values()), "parameter")
        return f"<map of the form {self.form}: {size}{f', {len(self.classes)} classes' * bool(self.classes)}>"

    def __call__(self, q: np.ndarray, label: Sequence[str] | None = None) -> np.ndarray:
        """Return recalibrated predictions, float64; `label` (M,) names what each is of, which `by_class` needs.

        A label that the map was not fitted to takes the curve of all labels.
        """
        if self.form != "by_class":
            return FORMS[self.form][0](q, self.parameters)
        if label is None or len(label) != len(q):
            found = "no labels" if label is None else counted(len(label), "label")
            raise InputError(
                f"label: found {found}, expected what each of {len(q)} predictions is of: maps differ by it"
            )
        code = {name: code for code, name in enumerate(self.labels)}
        rows = np.array([code.get(str(name), len(code)) for name in label], int)
        own = {"intercept": 0.0, "slope": 1.0}
        of_row = {name: np.append(self.parameters[name], other)[rows] for name, other in own.items()}
        return _apply_by_class(q, {**self.parameters, **of_row})


def made(form: str, **parameters: np.ndarray | float) -> Map:
    """Return a map of a form."""
    return Map(form, {name: np.asarray(value, np.float64) for name, value in parameters.items()})


def fingerprint_of_labels(q: np.ndarray, y: np.ndarray) -> dict[str, str | int]:
    """Return the number `n` of predictions, and the SHA-256 of `predictions`, float64, and of `labels`, int64."""
    parts = {"predictions": q.astype("<f8"), "labels": y.astype("<i8")}
    return {"n": len(q)} | {name: hashlib.sha256(part.tobytes()).hexdigest() for name, part in parts.items()}


def write_map(path: Path, fitted: Map, method: str) -> None:
    """Write a map as JSON."""
    content: dict[str, Any] = {"method": method, "form": fitted.form}
    content |= {"classes": list(fitted.classes)} if fitted.classes else {}
    content |= {"labels": list(fitted.labels)} if fitted.labels else {}
    content |= {"view": fitted.view} if fitted.view else {}
    content |= {"fitted_to": dict(fitted.fitted_to)} if fitted.fitted_to else {}
    write_json(path, content | {"parameters": {name: value.tolist() for name, value in fitted.parameters.items()}})


def read_map(path: str | Path) -> Map:
    """Read what `write_map` wrote.

    Raises `InputError` for a file that is missing, for no such map, and for one that falls or leaves [0, 1].
    """
    check_file(path)
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"), object_pairs_hook=each_once)
        form, given = content["form"], content["parameters"]
        _, single, many = FORMS[form]
        names = (*single, *many)
        classes, labels, fitted_to = (content.get(name) for name in ("classes", "labels", "fitted_to"))
        if sorted(given) != sorted(names):
            raise InputError(f"found the parameters {', '.join(given)}, expected {', '.join(names)}")
        parameters = {name: _numbers(name, value, name in many) for name, value in given.items()}
        classes, labels = _names("classes", classes), _names("labels", labels)
        if (view := content.get("view", "")) not in ("", TOP_CLASS, ALL_CLASSES):
            raise InputError(f"found {quoted(view)} as 'view', expected '{TOP_CLASS}' or '{ALL_CLASSES}'")
        if not isinstance(fitted_to, dict | None):
            raise InputError(f"found {quoted(fitted_to)} as 'fitted_to', expected what the map was fitted to")
        _check_map(form, parameters, classes, labels)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        found = f"no key {error}" if isinstance(error, KeyError) else "what is no map"
        raise InputError(f"{path}: found {found}, expected map.json of nlpcalib recalibrate") from None
    return Map(form, parameters, tuple(classes), fitted_to, tuple(labels), view)


def _names(key: str, given: Any) -> list[str]:
    """Return the names that JSON has under a key, which may be missing."""
    if given is not None and (not isinstance(given, list) or not all(isinstance(name, str) for name in given)):
        raise InputError(f"found the {key} {quoted(given)}, expected a list of names")
    return given or []


def _numbers(name: str, value: Any, many: bool) -> np.ndarray:
    """Return a parameter as it is in JSON: a number, or a list of them where there are `many`."""
    found = value if many and isinstance(value, list) and value else [value]
    if (not many and isinstance(value, list)) or (many and found is not value):
        raise InputError(f"found another {name}, expected {'a list of numbers' if many else 'a number'}")
    most = _MAX_ABS_PARAMETER
    for each in found:
        if isinstance(each, bool) or not isinstance(each, int | float) or not abs(each) <= most:
            raise InputError(f"found {each!r:.40} as {name}, expected a number between −{most:g} and {most:g}")
    return np.array(value, np.float64)


def _check_map(form: str, parameters: Parameters, classes: list[str], labels: list[str]) -> None:
    """Raise `InputError` for parameters that contradict each other, and for maps that fall."""
    _, single, many = FORMS[form]
    names = (*single, *many)
    for name in {"floor", "soft"}.intersection(names):
        floor = parameters[name]
        # Nearer to 1 a number rounds to 1, whose logit is not finite; a softmax needs log q alone.
        lowest = np.finfo(np.float64).tiny if form in ("softmax", "shifts") else np.finfo(np.float64).eps
        if floor.min() < lowest or (floor > 1 - floor).any():
            raise InputError(f"found the {name} {floor.min():g}, expected one from {lowest:.3g} to 0.5")
    for name in {"slope", "heat", "weight", "a", "b"}.intersection(names):
        if parameters[name].min() < 0:
            raise InputError(
                f"found the {name} {parameters[name].min():g}, by which higher predictions become lower ones; expected "
                "0 or more"
            )
    if form == "by_class":
        sizes = {parameters["intercept"].size, parameters["slope"].size}
        if sizes != {len(set(labels))} or len(labels) > len(set(labels)):
            raise InputError(f"found {len(set(labels))} different labels, expected a number for each label")
    if form in CLASS_FORMS:
        sizes = {parameters[name].size for name in many if name not in ("matrix", "values", "fitted")}
        if len(sizes) > 1:
            raise InputError("found lists of several lengths, expected a number for each class")
        if classes and (len(classes) not in sizes or len(set(classes)) < len(classes)):
            raise InputError(f"found {len(set(classes))} different classes, expected {sizes.pop()}")
        if "matrix" in names and parameters["matrix"].size != parameters["bias"].size ** 2:
            raise InputError(
                f"found a matrix of {parameters['matrix'].size}, expected a number for each pair of classes"
            )
    if "values" in names:
        ends = names[names.index("values") :]
        values, fitted = (parameters[name] for name in ends)
        if (np.diff(values) <= 0).any() or fitted.size != (2 * values.size + 1 if form == "steps" else values.size):
            raise InputError("found a curve that is none, expected growing values and as many probabilities")
        for name, part in zip(ends, (values, fitted), strict=True):
            if part.min() < 0 or part.max() > 1:
                raise InputError(f"found {name} from {part.min():g} to {part.max():g}, expected probabilities")
        if (np.diff(fitted) < -_MAX_ROUNDING).any():
            place = int(np.argmin(np.diff(fitted)))
            found = f"falls from {fitted[place]:g} to {fitted[place + 1]:g}"
            raise InputError(f"found a curve that {found}, expected one that never falls")


def logit(q: np.ndarray, floor: float | np.ndarray) -> np.ndarray:
    """Return log q/(1 − q) of predictions kept between `floor` and 1 − `floor`."""
    return special.logit(np.clip(q, floor, 1 - floor))


def beta_features(q: np.ndarray, floor: float | np.ndarray) -> list[np.ndarray]:
    """Return log q and −log(1 − q) of predictions kept between `floor` and 1 − `floor`."""
    clipped = np.clip(q, floor, 1 - floor)
    return [np.log(clipped), -np.log1p(-clipped)]


def _linear_score(q: np.ndarray, given: Parameters) -> np.ndarray:
    return given["intercept"] + given["slope"] * logit(q, given["floor"])


def _beta_score(q: np.ndarray, given: Parameters) -> np.ndarray:
    first, second = beta_features(q, given["floor"])
    return given["bias"] + given["a"] * first + given["b"] * second


def _apply_linear(q: np.ndarray, given: Parameters) -> np.ndarray:
    return special.expit(_linear_score(q, given))


def _apply_beta(q: np.ndarray, given: Parameters) -> np.ndarray:
    return special.expit(_beta_score(q, given))


def _apply_curve(q: np.ndarray, given: Parameters) -> np.ndarray:
    return np.interp(q, given["values"], given["fitted"])


def _apply_by_class(q: np.ndarray, given: Parameters) -> np.ndarray:
    return _apply_linear(_apply_curve(q, given), given)


def _apply_steps(q: np.ndarray, given: Parameters) -> np.ndarray:
    left = np.searchsorted(given["values"], q, side="left")
    return given["merged"][left + np.searchsorted(given["values"], q, side="right")]


def _apply_softmax(q: np.ndarray, given: Parameters) -> np.ndarray:
    return special.softmax(given["weight"] * np.log(np.clip(q, given["floor"], None)) + given["bias"], axis=1)


def class_features(z: np.ndarray, soft: float | np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return log p, log(p + soft) and −log(1 + soft − p) for p = softmax(z), float64 `(N, K)`."""
    x = special.log_softmax(z, axis=1)
    return x, np.log(np.exp(x) + soft), -np.log(soft - np.expm1(x))


def corrected_top(q: np.ndarray, top: np.ndarray) -> np.ndarray:
    """Return rows `(N, K)` whose likeliest class has the probability `top` `(N,)`, and the others what is left.

    It stays the likeliest class: where another one would overtake it, it has a little more than that one.
    """
    rows, best = np.arange(len(q)), q.argmax(axis=1)
    others = q.copy()
    others[rows, best] = 0
    second = others.max(axis=1)
    left = others.sum(axis=1)
    least = np.divide(second, left + second, out=np.ones_like(left), where=left > 0) + _MAX_ROUNDING
    new = np.clip(np.maximum(top, least), 0, 1)
    shares = np.divide(others, left[:, None], out=np.zeros_like(others), where=left[:, None] > 0)
    found = (1 - new)[:, None] * shares
    found[rows, best] = new
    return found


def curve_of(fitted: Map) -> dict[str, np.ndarray]:
    """Return the parameters of a `curve` that follows a map of one probability, with 800 places if it is none yet."""
    if fitted.form == "curve":
        return dict(fitted.parameters)
    values = special.expit(np.linspace(-20, 20, 801))
    return {"values": values, "fitted": fitted(values)}


def _apply_shifts(q: np.ndarray, given: Parameters) -> np.ndarray:
    logs = np.log(np.clip(q, given["floor"], None))
    _, v, w = class_features(given["heat"] * logs, given["soft"])
    matrix = given["matrix"].reshape(q.shape[1], -1)
    scores = given["slope"] * logs + given["bias"] + np.einsum("nj,kj->nk", v, matrix) + given["bend"] * w
    found = special.softmax(scores, axis=1)
    return corrected_top(found, _apply_curve(found.max(axis=1), given))


def _apply_linear_by_class(q: np.ndarray, given: Parameters) -> np.ndarray:
    return _shares(_linear_score(q, given))


def _apply_beta_by_class(q: np.ndarray, given: Parameters) -> np.ndarray:
    return _shares(_beta_score(q, given))


def _shares(score: np.ndarray) -> np.ndarray:
    """Return 1/(1 + exp(−score)) divided by the sums of rows, also where all of a row are 0 to rounding."""
    return special.softmax(special.log_expit(score), axis=1)


FORMS: dict[str, tuple[Callable[[np.ndarray, Parameters], np.ndarray], tuple[str, ...], tuple[str, ...]]] = {
    "linear": (_apply_linear, ("intercept", "slope", "floor"), ()),
    "beta": (_apply_beta, ("a", "b", "bias", "floor"), ()),
    "curve": (_apply_curve, (), ("values", "fitted")),
    "by_class": (_apply_by_class, ("floor",), ("intercept", "slope", "values", "fitted")),
    "steps": (_apply_steps, (), ("values", "merged")),
    "softmax": (_apply_softmax, ("floor",), ("weight", "bias")),
    "shifts": (_apply_shifts, ("heat", "slope", "soft", "floor"), ("bias", "matrix", "bend", "values", "fitted")),
    "linear_by_class": (_apply_linear_by_class, (), ("intercept", "slope", "floor")),
    "beta_by_class": (_apply_beta_by_class, (), ("a", "b", "bias", "floor")),
}
"""How each form is applied, and its parameters: numbers, and lists."""

CLASS_FORMS = ("softmax", "shifts", "linear_by_class", "beta_by_class")
"""Forms of K probabilities."""
