"""The likelihood of labelled pairs against enumeration of all forests of antecedents, and its gradient."""

from itertools import product

import numpy as np
import pytest

from reproduction.coref.labelled_pairs import LabelledPairs


def enumerated(conditionals, i, j):
    """Return the probability that i and j are connected, over all choices of antecedents."""
    count, total = len(conditionals), 0.0
    new = 1 - conditionals.sum(axis=1)
    for chosen in product(*[range(row + 1) for row in range(count)]):
        root = []
        for row, antecedent in enumerate(chosen):
            root.append(row if antecedent == row else root[antecedent])
        if root[i] == root[j]:
            total += np.prod([new[row] if a == row else conditionals[row, a] for row, a in enumerate(chosen)])
    return total


@pytest.fixture
def documents():
    rng = np.random.default_rng(1)
    found = []
    for count, labels in ((4, [(3, 0, True), (1, 2, False)]), (5, [(4, 2, True), (4, -1, True)]), (3, [])):
        links = np.tri(count, k=-1, dtype=bool) & (rng.random((count, count)) < 0.9)
        scores = np.where(links, rng.random((count, count)), 0)
        found.append((links, scores / (scores.sum(axis=1, keepdims=True) + 0.4), labels))
    return found


def test_the_loss_equals_enumeration_with_links_left_out(documents):
    pairs = LabelledPairs([links for links, _, _ in documents], [labels for *_, labels in documents])
    expected = 0.0
    for _, conditionals, labels in documents:
        for i, j, true in labels:
            if min(i, j) >= 0:
                q = enumerated(conditionals, i, j)
                expected -= np.log(q if true else 1 - q)
    loss, _ = pairs.loss(np.concatenate([conditionals[links] for links, conditionals, _ in documents]))
    assert loss == pytest.approx(expected, rel=1e-12)
    assert len(pairs.labels) == 3


def test_the_gradient_equals_finite_differences(documents):
    pairs = LabelledPairs([links for links, _, _ in documents], [labels for *_, labels in documents])
    values = np.concatenate([conditionals[links] for links, conditionals, _ in documents])
    _, gradient = pairs.loss(values)
    for number in range(values.size):
        step = np.eye(values.size)[number] * 1e-6
        difference = (pairs.loss(values + step)[0] - pairs.loss(values - step)[0]) / 2e-6
        assert gradient[number] == pytest.approx(difference, rel=1e-6, abs=1e-8)


def test_no_labels_are_no_loss():
    pairs = LabelledPairs([np.tri(3, k=-1, dtype=bool)], [[]])
    loss, gradient = pairs.loss(np.full(3, 0.2))
    assert loss == 0
    assert not gradient.any()
