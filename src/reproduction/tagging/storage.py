"""Marginals as a file between two jobs of the workflow."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.arrays import read_arrays
from nlpcalib.io.files import atomic_path
from nlpcalib.systems.chains.forward_backward import Marginals


def save_marginals(path: str | Path, marginals: Marginals) -> None:
    """Write `marginals` as .npz, all or nothing; equal marginals give equal bytes."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **{field.name: getattr(marginals, field.name) for field in fields(Marginals)})


def load_marginals(path: str | Path) -> Marginals:
    """Read marginals that `save_marginals` wrote.

    Raises `InputError` as `read_arrays` does, and for arrays of other types or whose shapes do not agree.
    """
    expected = "expected marginals saved by save_marginals"
    names = [field.name for field in fields(Marginals)]
    marginals = read_arrays(path, names, expected=expected)
    tokens, tags = (*marginals["single"].shape, -1, -1)[:2]
    each, sentences = (tokens, tags), (marginals["lengths"].size,)
    shapes: dict[str, tuple[int, ...]] = {"single": each, "left": each, "right": each, "weights": (tags, tags)}
    shapes |= {"log_partition": sentences, "lengths": sentences}
    for name in names:
        array, kind = marginals[name], np.int64 if name == "lengths" else np.float64
        if array.dtype != kind or array.shape != shapes[name]:
            raise InputError(f"{path}: found {name} of {array.dtype} and shape {array.shape}; {expected}")
    lengths = marginals["lengths"]
    if lengths.min(initial=0) < 0 or lengths.sum() != tokens:
        raise InputError(f"{path}: found lengths that do not add up to {tokens} tokens; {expected}")
    return Marginals(**{name: marginals[name] for name in names})
