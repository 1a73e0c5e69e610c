"""A question has a function for each kind of predictions: what it does not take, it refuses by its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from nlpcalib.errors import InputError
from nlpcalib.predictions.predictions import Predictions

Report = TypeVar("Report")


def answered(question: Callable[..., Report], function: Callable[..., Any], data: Predictions, **given: Any) -> Report:
    """Return what the function for this kind of predictions answers; options it lacks are at their defaults.

    Raises `InputError` for others: none is dropped.
    """
    takes, defaults = inspect.signature(function).parameters, inspect.signature(question).parameters
    for name, value in given.items():
        if name not in takes and value != defaults[name].default:
            options = ", ".join(each for each in given if each in takes)
            raise InputError(f"{name}: found {value!r} with {data.kind}, which takes {options} alone")
    return function(data, **{name: value for name, value in given.items() if name in takes})
