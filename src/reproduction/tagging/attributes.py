"""Tokens as lists of observed attributes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse


@dataclass(frozen=True, eq=False)
class Attributes:
    """The attributes of tokens in compressed rows, with every distinct attribute named once.

    Token t has the attributes `names[a]` for a in `indices[indptr[t]:indptr[t + 1]]`. In the models of the paper
    (section 4.2.1) that is one attribute, the word itself, and `indptr` is left out.
    """

    names: tuple[str, ...]
    indices: np.ndarray
    """(occurrences,) int64 into `names`."""
    indptr: np.ndarray | None = None
    """(tokens + 1,) int64, or None when every token has exactly one attribute."""

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Attributes:
        """Make each word the one attribute of its token. Names are in order of first occurrence."""
        codes: dict[str, int] = {}
        indices = np.fromiter((codes.setdefault(word, len(codes)) for word in words), dtype=np.int64)
        return cls(tuple(codes), indices)

    @classmethod
    def of_lists(cls, lists: Iterable[Iterable[str]]) -> Attributes:
        """Make tokens of any number of attributes each, in order of first occurrence."""
        codes: dict[str, int] = {}
        indices: list[int] = []
        indptr = [0]
        for attributes in lists:
            indices.extend(codes.setdefault(attribute, len(codes)) for attribute in attributes)
            indptr.append(len(indices))
        return cls(tuple(codes), np.array(indices, dtype=np.int64), np.array(indptr, dtype=np.int64))

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.indices) if self.indptr is None else len(self.indptr) - 1

    def bounds(self) -> np.ndarray:
        """Return where the attributes of each token begin in `indices` and, last, where they end: (tokens + 1,)."""
        return np.arange(len(self.indices) + 1) if self.indptr is None else self.indptr

    def take(self, tokens: np.ndarray) -> Attributes:
        """Return the attributes of the given tokens, (n,) int64, in that order, named in order of first occurrence."""
        if self.indptr is None:
            return Attributes.of_words(self.names[index] for index in self.indices[tokens].tolist())
        spans = zip(self.indptr[tokens].tolist(), self.indptr[tokens + 1].tolist(), strict=True)
        return Attributes.of_lists([self.names[index] for index in self.indices[first:last]] for first, last in spans)

    def codes_as_text(self) -> list[list[str]]:
        """Return the decimal numbers, as text, of every token's attributes: one list per token."""
        text = [str(code) for code in self.indices.tolist()]
        if self.indptr is None:
            return [[code] for code in text]
        bounds = self.indptr.tolist()
        return [text[first:last] for first, last in pairwise(bounds)]

    def sum_rows(self, table: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return for each token the sum of `table[rows[a]]` over its attributes a: (tokens, columns of `table`)."""
        columns = rows[self.indices]
        if self.indptr is None:
            return table[columns]
        selection = sparse.csr_array((np.ones(len(columns)), columns, self.indptr), shape=(len(self), len(table)))
        return selection @ table


def ranges(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the numbers start … start + length - 1 of each range, one range after the other."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(lengths.sum())
