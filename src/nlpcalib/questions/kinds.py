"""A question has a function for each kind of predictions: what it does not take, it refuses by its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from nlpcalib.errors import InputError, argument, quoted
from nlpcalib.predictions.predictions import Predictions

Report = TypeVar("Report")


def answered(question: Callable[..., Report], function: Callable[..., Any], data: Predictions, **given: Any) -> Report:
    """Return what the function for this kind of predictions answers; options it lacks are at their defaults.

    Raises `InputError` for others: none is dropped.
    """
    check_takes(question, function, data.kind, given)
    takes = inspect.signature(function).parameters
    return function(data, **{name: value for name, value in given.items() if name in takes})


def check_takes(
    question: Callable[..., Any], function: Callable[..., Any], what: str, given: Mapping[str, Any]
) -> None:
    """Raise `InputError` for an option that differs from the question's default and that `function` does not take.

    `what` is what the function is for: a kind of predictions, or a map.
    """
    takes, defaults = inspect.signature(function).parameters, inspect.signature(question).parameters
    for name, value in given.items():
        if name not in takes and np.any(value != defaults[name].default):
            options = ", ".join(each for each in given if each in takes)
            raise InputError(f"{name}: found {quoted(value)} with {what}, which takes only {options}")


def check_read(y: Any) -> None:
    """Raise `InputError` for labels next to predictions that are read, which have their own."""
    if y is not None:
        raise InputError("y: found labels beside predictions that are read, which have their own")


def check_drawn(data: Predictions, *, takes_weights: bool = False) -> None:
    """Raise `InputError` for rows that were chosen by their answer, and for weights that a question does not take."""
    if data.design.drawn == "answer" or (data.design.weighted and not takes_weights):
        raise InputError(
            f"{data.place}: found labels {data.design.words}, expected all, or a random sample: "
            "what they show of the others depends on how they were drawn"
        )


def drawn_equally() -> str:
    """Return what a report asks where as many labels are positive as negative, which by chance is rare."""
    drawn = argument("drawn", "answer")
    return f"As many labels are positive as negative: if people chose them so, state {drawn}"


def equally_many(data: Predictions, labels: Sequence[np.ndarray]) -> bool:
    """Whether nobody stated how labels were drawn, and as many are positive as negative; of an odd number one more.

    `labels` are those of rows with a prediction, and of rows without: people chose both.
    """
    if data.design.drawn or data.classes or data.values:
        return False
    y = np.concatenate(labels)
    y = y[~np.isnan(y)]
    return y.size > 1 and abs(2 * int((y == 1).sum()) - y.size) <= y.size % 2
