"""Training on labels of single pairs: their likelihood through the exact marginals, with its gradient.

A label records whether two mentions of a document share an entity. All else in the document is unknown and summed over:
C, the marginals of `systems.coref.model.posterior`, is a polynomial of the antecedents' probabilities A, and the loss
of a label is −log C[i, j], or −log(1 − C[i, j]). Documents are stacked, since GAP's snippets have some 30 mentions
each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

PairLabel = tuple[int, int, bool]
"""Two mentions' numbers, in any order, and whether they share an entity; a negative number is of no mention."""

_MIN_LABEL_PROBABILITY = 1e-9
"""Probability that a label has at least: one that the constraints exclude is lost, not infinitely bad."""

_DOCUMENT_STACKS = 8


class LabelledPairs:
    """The labels of D documents, and where their links stand among all."""

    def __init__(self, allowed: Sequence[np.ndarray], labels: Sequence[Sequence[PairLabel]]) -> None:
        """Take the links that can be of each document, bool (N, N), and its labels."""
        self.size = sum(int(links.sum()) for links in allowed)
        """Links of these documents."""
        starts = np.cumsum([0, *(int(links.sum()) for links in allowed)])
        found = [[(max(i, j), min(i, j), true) for i, j, true in part if min(i, j) >= 0] for part in labels]
        # A label depends on mentions up to its later one alone, so that documents of like size are stacked.
        counts = np.array([max((label[0] + 1 for label in part), default=0) for part in found], dtype=np.int64)
        order = np.argsort(counts, kind="stable")
        self._stacks = [
            _Stack([(allowed[number], int(starts[number]), found[number]) for number in part], int(counts[part].max()))
            for part in np.array_split(order[counts[order] > 0], _DOCUMENT_STACKS)
            if part.size
        ]

    @property
    def labels(self) -> np.ndarray:
        """All labels in the order in which they are stacked: document, later and earlier mention, and whether true."""
        return np.concatenate([np.zeros((0, 4), np.int64), *(stack.labels for stack in self._stacks)])

    def loss(self, probabilities: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the negative log-likelihood of the labels and its derivatives, (links,), by the probabilities."""
        value, by_probability = 0.0, np.zeros(self.size)
        for stack in self._stacks:
            value += stack.loss(probabilities, by_probability)
        return value, by_probability


class _Stack:
    """Documents of which the first n mentions are all that their labels depend on."""

    def __init__(self, documents: Sequence[tuple[np.ndarray, int, list[PairLabel]]], count: int) -> None:
        self._shape = (len(documents), count, count)
        self.labels = np.array(
            [(number, *label) for number, (_, _, part) in enumerate(documents) for label in part], dtype=np.int64
        )
        places, used = [], []
        for number, (links, start, _) in enumerate(documents):
            i, j = np.nonzero(links[:count])
            places.append((number * count + i) * count + j)
            used.append(start + np.arange(i.size))
        self._places, self._used = np.concatenate(places), np.concatenate(used)

    def loss(self, probabilities: np.ndarray, by_probability: np.ndarray) -> float:
        """Return the loss, and write its derivatives where the links of these documents stand."""
        count = self._shape[1]
        conditionals, marginals = np.zeros(self._shape), np.zeros(self._shape)
        conditionals.reshape(-1)[self._places] = probabilities[self._used]
        for i in range(count):
            marginals[:, i, :i] = np.matmul(conditionals[:, i, None, :i], marginals[:, :i, :i])[:, 0]
            marginals[:, :i, i] = marginals[:, i, :i]
            marginals[:, i, i] = 1.0
        document, i, j, true = self.labels.T
        q = np.where(true, marginals[document, i, j], 1 - marginals[document, i, j])
        slopes = np.zeros(self._shape)
        np.add.at(
            slopes,
            (document, i, j),
            np.where(true, -1.0, 1.0) / np.maximum(q, _MIN_LABEL_PROBABILITY) * (q > _MIN_LABEL_PROBABILITY),
        )
        # Backwards through the recursion; slopes[d, i, j] + slopes[d, j, i] is the derivative by C[i, j] = C[j, i].
        of_conditionals = np.zeros(self._shape)
        for i in range(count - 1, 0, -1):
            row = slopes[:, i, :i] + slopes[:, :i, i]
            of_conditionals[:, i, :i] = np.matmul(row[:, None], marginals[:, :i, :i])[:, 0]
            slopes[:, :i, :i] += conditionals[:, i, :i, None] * row[:, None, :]
        by_probability[self._used] = of_conditionals.reshape(-1)[self._places]
        return -float(np.log(np.maximum(q, _MIN_LABEL_PROBABILITY)).sum())
