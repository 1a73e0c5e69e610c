"""Binary unigram features (paper, section 4.1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from nlpcalib.errors import InputError
from nlpcalib.io.arrays import read_arrays
from nlpcalib.io.files import atomic_path
from reproduction.sentiment.tokenizer import tokenize


@dataclass(frozen=True, eq=False)
class FeatureSets:
    """The training vocabulary, and which of its V words are in which message of each set."""

    vocabulary: tuple[str, ...]
    """Sorted."""
    features: Mapping[str, csr_array]
    """float64 (N, V) of 0 and 1, by the name of the set."""
    y: Mapping[str, np.ndarray]
    """bool (N,), by the name of the set."""

    def save(self, path: str | Path) -> None:
        """Write as .npz without pickles, all or nothing; what is equal gives equal bytes."""
        arrays: dict[str, Any] = {"vocabulary": pack_words(self.vocabulary)}
        for name, matrix in self.features.items():
            arrays |= {f"{name}_columns": matrix.indices, f"{name}_ends": matrix.indptr, f"{name}_y": self.y[name]}
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: str | Path) -> FeatureSets:
        """Read what `save` wrote; InputError as `read_arrays`, and for arrays that are no matrices and labels."""
        expected = "expected features saved by FeatureSets.save"
        arrays = read_arrays(path, ("vocabulary",), expected=expected)
        names = [name.removesuffix("_ends") for name in arrays if name.endswith("_ends")]
        try:
            vocabulary = unpack_words(arrays["vocabulary"])
            features = {
                name: _matrix(arrays[f"{name}_columns"], arrays[f"{name}_ends"], len(vocabulary)) for name in names
            }
            y = {name: arrays[f"{name}_y"] for name in names}
            for name, matrix in features.items():
                matrix.check_format(full_check=True)
                if y[name].dtype != np.bool_ or y[name].shape != (matrix.shape[0],):
                    raise ValueError(f"found labels of {y[name].dtype} and shape {y[name].shape} in {name}")
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise InputError(f"{path}: {error}; {expected}") from error
        return cls(vocabulary, features, y)


def feature_sets(texts: Mapping[str, Sequence[str]], y: Mapping[str, np.ndarray]) -> FeatureSets:
    """Return the features of every set of `texts`, over the vocabulary of the set `train`."""
    words = {name: [words_of(text) for text in members] for name, members in texts.items()}
    vocabulary = vocabulary_of(words["train"])
    return FeatureSets(vocabulary, {name: binary_features(sets, vocabulary) for name, sets in words.items()}, y)


def words_of(text: str) -> frozenset[str]:
    """Return the distinct tokens of a message, in lower case."""
    return frozenset(token.lower() for token in tokenize(text))


def vocabulary_of(words: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the distinct words of all messages, sorted; InputError if there are none."""
    vocabulary = sorted(set().union(*words))
    if not vocabulary:
        raise InputError("found no words in the training messages, expected some")
    return tuple(vocabulary)


def binary_features(words: Sequence[Iterable[str]], vocabulary: Sequence[str]) -> csr_array:
    """Return float64 (N, V) of 0 and 1: which words of the vocabulary are in which message; others do not count."""
    column = {word: number for number, word in enumerate(vocabulary)}
    columns, ends = [], [0]
    for message in words:
        columns += sorted(column[word] for word in message if word in column)
        ends.append(len(columns))
    return _matrix(np.array(columns, np.int32), np.array(ends, np.int32), len(vocabulary))


def _matrix(columns: np.ndarray, ends: np.ndarray, width: int) -> csr_array:
    return csr_array((np.ones(len(columns)), columns, ends), shape=(len(ends) - 1, width))


def pack_words(words: Sequence[str]) -> np.ndarray:
    """Return words, which have no line breaks, as the bytes of their lines, uint8."""
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def unpack_words(packed: np.ndarray) -> tuple[str, ...]:
    """Return the words that `pack_words` packed."""
    return tuple(packed.tobytes().decode().split("\n"))
