"""A training set of the size that makes a model as accurate as another (paper, section 4.2.1).

The paper compares the calibration of two models of similar accuracy, and trains its CRF with only 3,000 of 11,772
sentences for it. Another corpus takes another number.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from nlpcalib.errors import InputError
from reproduction.tagging.chain import LinearChain

logger = logging.getLogger(__name__)

FIRST_SIZE, SIZES_IN_A_DOUBLING = 100, 2
"""The grid of sizes: 100, 141, 200, 283 and so on."""
MAX_APART = 0.01
"""Difference of two accuracies beyond which the grid is refined."""
BISECTIONS = 6
"""Sizes between two of the grid that are tried at most: 1/64 of their distance remains."""


def matched_model(
    train: Callable[[int], LinearChain], accuracy: Callable[[LinearChain], float], target: float, most: int
) -> LinearChain:
    """Return the model whose accuracy is nearest to `target`, of those that sizes of the grid make.

    Sizes rise until one makes a model that is as accurate. If the nearest is more than a point away, sizes between the
    last two are tried. Warns if it is still so.

    Parameters
    ----------
    train : callable
        Returns the model of so many sentences.
    accuracy : callable
        Returns a model's accuracy on the development set, the one that also chooses among models.
    target : float
        Accuracy of the other model.
    most : int
        Sentences of the whole training set, at least 1. It is the last size of the grid.
    """
    if most < 1:
        raise InputError(f"found {most} sentences to train on, expected at least one")
    tried: dict[int, tuple[float, LinearChain]] = {}

    def reaches(size: int) -> bool:
        model = train(size)
        tried[size] = accuracy(model), model
        logger.info("%d sentences: accuracy %.4f, for %.4f", size, tried[size][0], target)
        return tried[size][0] >= target

    def apart(size: int) -> float:
        return abs(tried[size][0] - target)

    low, step, size = 0, 0, min(FIRST_SIZE, most)
    while not reaches(size) and size < most:
        low, step = size, step + 1
        size = min(round(FIRST_SIZE * 2 ** (step / SIZES_IN_A_DOUBLING)), most)
    high = size
    for _ in range(BISECTIONS):
        middle = (low + high) // 2
        if min(map(apart, tried)) <= MAX_APART or middle in (low, high) or tried[high][0] < target:
            break
        low, high = (low, middle) if reaches(middle) else (middle, high)
    nearest = min(tried, key=lambda number: (apart(number), number))
    if apart(nearest) > MAX_APART:
        found, _ = tried[nearest]
        logger.warning("%d of %d sentences come nearest: accuracy %.4f, for %.4f", nearest, most, found, target)
    return tried[nearest][1]
