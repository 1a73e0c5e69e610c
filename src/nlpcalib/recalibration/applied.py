"""A fitted map, applied to predictions whose classes and labels may be spelt or ordered otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpcalib.errors import InputError, argument
from nlpcalib.recalibration.saved_map import Map
from nlpcalib.tables.spellings import Spellings


def apply_to(
    fitted: Map, q: np.ndarray, classes: Sequence[str], predicted: Sequence[str] | None, place: str
) -> np.ndarray:
    """Return recalibrated predictions, float64 of the shape of `q`, (N,) or (N, K) of K `classes`.

    `predicted` has what each prediction is of, for a map that differs by it. Raises `InputError`, which names the
    `place`, if that is missing, or for classes other than the map's.
    """
    if fitted.labels and predicted is None:
        raise InputError(f"{place}: found no column predicted, expected one, or its name: the map differs by it")
    order = _class_order(classes, fitted.classes, place) if q.ndim == 2 else slice(None)
    recalibrated = np.empty_like(q)
    recalibrated[..., order] = fitted(q[..., order], as_fitted(fitted, predicted or ()) if fitted.labels else None)
    return recalibrated


def as_fitted(fitted: Map, names: Sequence[str]) -> list[str]:
    """Return each label as the map has it, whatever its capitals and blanks."""
    spellings = Spellings(fitted.labels)
    meant = {name: spellings.class_of(name) for name in set(names)}
    return [meant[name] for name in names]


def changed_share(before: np.ndarray, after: np.ndarray) -> float | None:
    """Return the share of rows `(N, K)` whose likeliest class changes; None for one prediction in each row."""
    return None if before.ndim == 1 else float(np.mean(before.argmax(axis=1) != after.argmax(axis=1)))


def _class_order(columns: Sequence[str], classes: Sequence[str], place: str) -> np.ndarray | slice:
    """Return the columns of predictions in the order of a map's classes; `InputError` for other classes."""
    numbered = [str(index) for index in range(len(columns))]
    if list(columns) in (list(classes), numbered) or list(classes) == numbered:
        return slice(None)
    if sorted(columns) != sorted(classes):
        expected = f"{', '.join(classes)}: {argument('q')} names their columns"
        raise InputError(f"{place}: found the classes {', '.join(columns)}; expected {expected}")
    return np.array([list(columns).index(name) for name in classes])
