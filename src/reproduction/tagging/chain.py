"""The one representation of a trained tagger, whatever trained it: the log-potentials of a linear chain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.arrays import read_arrays
from nlpcalib.io.files import atomic_path
from nlpcalib.systems.chains.forward_backward import Marginals, forward_backward, viterbi
from reproduction.tagging.attributes import Attributes

_FORMAT_NAME = "nlpcalib linear chain"
_FORMAT_VERSION = 1
_ARRAYS = ("state", "transition", "initial")


@dataclass(frozen=True, eq=False)
class LinearChain:
    """A first-order model of tag sequences: P(y | x) is proportional to the exponential of a sum of potentials.

    The potentials are those of the token's attributes (`state`), of consecutive tags (`transition`) and of the first
    tag (`initial`). Raises InputError if shapes disagree, names repeat or potentials are not finite.
    """

    tags: tuple[str, ...]
    """K names of tags."""
    attributes: tuple[str, ...]
    """A observable attributes; the words, in the models of the paper."""
    state: np.ndarray
    """(A + 1, K) float64: log-potential of each attribute with each tag; the last row is an unknown attribute's."""
    transition: np.ndarray
    """(K, K) float64: log-potential of the previous tag (row) and the next (column)."""
    initial: np.ndarray
    """(K,) float64: log-potential of the first tag."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """How the model was made, in JSON's types: kind, hyperparameters, training data, accuracy, versions."""

    def __post_init__(self) -> None:
        """Check the potentials against each other."""
        for name in _ARRAYS:
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=np.float64))
        for name in ("tags", "attributes"):
            names = getattr(self, name)
            if len(set(names)) != len(names):
                raise InputError(f"{name} repeat a name; expected {len(names)} distinct ones, found {len(set(names))}")
        tags, attributes = len(self.tags), len(self.attributes)
        expected = {"state": (attributes + 1, tags), "transition": (tags, tags), "initial": (tags,)}
        for name, shape in expected.items():
            array = getattr(self, name)
            if array.shape != shape:
                raise InputError(f"{name} has shape {array.shape}; {tags} tags, {attributes} attributes expect {shape}")
            if not np.isfinite(array).all():
                raise InputError(f"{name} has values that are not finite; expected finite log-potentials")

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {attribute: row for row, attribute in enumerate(self.attributes)}

    def scores(self, tokens: Attributes) -> np.ndarray:
        """Return the (tokens, K) float64 sums of the state potentials of each token's attributes."""
        unknown = len(self.attributes)
        rows = np.array([self._rows.get(name, unknown) for name in tokens.names], dtype=np.int64)
        return tokens.sum_rows(self.state, rows)

    def marginals(self, tokens: Attributes, lengths: np.ndarray) -> Marginals:
        """Return the exact posterior marginals of `tokens` in sentences of `lengths`; see `forward_backward`."""
        return forward_backward(self.scores(tokens), lengths, self.transition, self.initial)

    def decode(self, tokens: Attributes, lengths: np.ndarray) -> np.ndarray:
        """Return the most probable tag sequences as (tokens,) int64 indices into `tags`; see `viterbi`."""
        return viterbi(self.scores(tokens), lengths, self.transition, self.initial)

    def with_metadata(self, **entries: Any) -> LinearChain:
        """Return the same model with `entries` added to its metadata."""
        return replace(self, metadata={**self.metadata, **entries})

    def save(self, path: str | Path) -> None:
        """Write the model to `path` as an .npz file, all or nothing; equal models give equal bytes.

        Names and metadata are JSON in an array of bytes, so reading it back never unpickles.
        """
        header = {
            "format": _FORMAT_NAME,
            "version": _FORMAT_VERSION,
            "tags": self.tags,
            "attributes": self.attributes,
            "metadata": dict(self.metadata),
        }
        blob = json.dumps(header, allow_nan=False, sort_keys=True, separators=(",", ":")).encode("ascii")
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        # NumPy dates every member of the archive 1980-01-01, so the bytes depend on the model alone.
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            np.savez(file, header=np.frombuffer(blob, dtype=np.uint8), **arrays)

    @classmethod
    def load(cls, path: str | Path) -> LinearChain:
        """Read a model that `save` wrote; InputError names the file and what is wrong with it."""
        expected = "expected a model saved by LinearChain.save"
        arrays = read_arrays(path, ("header", *_ARRAYS), expected=expected)
        try:
            header = json.loads(arrays["header"].tobytes())
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: {error}; {expected}") from error
        if not isinstance(header, dict) or header.get("format") != _FORMAT_NAME:
            raise InputError(f"{path}: found no mark of its format; expected {_FORMAT_NAME!r}")
        if header.get("version") != _FORMAT_VERSION:
            raise InputError(f"{path}: found version {header.get('version')!r}; expected {_FORMAT_VERSION}")
        for name in ("tags", "attributes"):
            if not isinstance(header.get(name), list) or not all(isinstance(entry, str) for entry in header[name]):
                raise InputError(f"{path}: {name} are not a list of strings")
        if not isinstance(header.get("metadata"), dict):
            raise InputError(f"{path}: metadata is not a mapping")
        for name in _ARRAYS:
            if arrays[name].dtype != np.float64:
                raise InputError(f"{path}: {name} is {arrays[name].dtype}; expected float64")
        try:
            return cls(
                tuple(header["tags"]),
                tuple(header["attributes"]),
                **{name: arrays[name] for name in _ARRAYS},
                metadata=header["metadata"],
            )
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
