"""A map of each tag's marginals, after which the rows are divided by their sums."""

from __future__ import annotations

import numpy as np

from nlpcalib.recalibration.fitting import EVENTS_PER_PARAMETER, RECALIBRATIONS
from nlpcalib.recalibration.saved_map import Map, made

_FLOOR_OF_UNCHANGED = 1e-12


def fit_by_class(q: np.ndarray, y: np.ndarray, *, method: str) -> Map:
    """Return a map of each class, after which each row is divided by its sum.

    `q` is `(N, K)`, `y` int `(N,)`; values from K on are classes that the model does not have. `method` is a key of
    `_UNCHANGED`. A class with fewer labels than its map needs keeps its probabilities.
    """
    same, recalibration = _UNCHANGED[method], RECALIBRATIONS[method]
    needed = EVENTS_PER_PARAMETER * recalibration.parameters
    maps = []
    for k in range(q.shape[1]):
        happened = y == k
        enough = min(np.count_nonzero(happened), np.count_nonzero(~happened)) >= needed
        maps.append(recalibration.fit(q[:, k], happened) if enough else same)
    parameters = {name: np.array([each.parameters[name] for each in maps]) for name in same.parameters}
    return made(f"{same.form}_by_class", **parameters)


_UNCHANGED = {
    "temperature": made("linear", intercept=0.0, slope=1.0, floor=_FLOOR_OF_UNCHANGED),
    "beta": made("beta", a=1.0, b=1.0, bias=0.0, floor=_FLOOR_OF_UNCHANGED),
}
"""The map of each method that changes nothing, except for probabilities nearer to 0 or 1 than 10⁻¹²."""
