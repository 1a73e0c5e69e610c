"""Numbers of entities are those of enumerated forests, and intervals hold where entities are drawn from the model."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse

from nlpcalib.estimation.shared_effect import INDEPENDENT
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities
from reproduction.coref.entity_counts import COUNTED, beginnings, entity_count_rows, entity_units
from reproduction.coref.evaluated import Evaluated


def random_conditionals(rng, mentions, new=1.0):
    weights = np.tril(rng.gamma(0.5, size=(mentions, mentions)), -1)
    return weights / (weights.sum(axis=1) + rng.gamma(new, size=mentions) + 1e-9)[:, None]


def enumerated(conditionals):
    """Yield the probability of each forest of antecedents, and the sizes of its entities."""
    rows = [np.append(row[:i], 1 - row[:i].sum()) for i, row in enumerate(conditionals)]
    for choice in product(*(range(i + 1) for i in range(len(rows)))):
        founders: list[int] = []
        for i, antecedent in enumerate(choice):
            founders.append(i if antecedent == i else founders[antecedent])
        probability = np.prod([row[antecedent] for row, antecedent in zip(rows, choice, strict=True)])
        yield probability, np.bincount(founders)


def evaluated(rng, conditionals, name):
    """Return a document whose entities are one draw from the model."""
    entities = sample_entities(conditionals, 1, rng)[:, 0]
    i, j = np.tril_indices(len(entities), -1)
    q, y = pair_marginals(conditionals)[i, j], entities[i] == entities[j]
    return Evaluated(name, "", len(entities), conditionals, q, y, np.zeros(0), np.zeros(len(entities), dtype=int))


@pytest.mark.parametrize("mentions", [1, 2, 6])
def test_numbers_of_entities_are_those_of_enumerated_forests(mentions):
    conditionals = random_conditionals(np.random.default_rng(mentions), mentions)
    distribution, again = np.zeros(mentions + 1), 0.0
    for probability, sizes in enumerated(conditionals):
        distribution[np.count_nonzero(sizes)] += probability
        again += probability * np.count_nonzero(sizes > 1)
    np.testing.assert_allclose(INDEPENDENT.distribution(beginnings(conditionals)), distribution, atol=1e-4)
    assert beginnings(conditionals, again=True).sum() == pytest.approx(again, abs=1e-12)
    for counted in (False, True):
        found = beginnings(sparse.csr_array(conditionals), again=counted)
        np.testing.assert_allclose(found, beginnings(conditionals, again=counted), atol=1e-12)


def test_a_certain_antecedent_and_none_leave_no_doubt():
    conditionals = np.array([[0.0, 0, 0], [1.0, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(beginnings(conditionals), [1, 0, 1])
    np.testing.assert_array_equal(beginnings(conditionals, again=True), [1, 0, 0])


def test_units_are_first_mentions_of_gold_entities():
    together = {(1, 0), (4, 0), (4, 1), (3, 2)}
    i, j = np.tril_indices(6, -1)
    y = np.array([pair in together for pair in zip(i.tolist(), j.tolist(), strict=True)])
    result = Evaluated("d", "", 6, np.zeros((6, 6)), y * 1.0, y, np.zeros(0), np.zeros(6, dtype=int))
    assert entity_units([result, result]).y.tolist() == [True, False, True, False, False, True] * 2
    assert entity_units([result], again=True).y.tolist() == [True, False, True, False, False, False]
    assert entity_units([result, result]).group.tolist() == [0] * 6 + [1] * 6


def test_intervals_hold_where_entities_are_drawn_from_the_model():
    rng = np.random.default_rng(0)
    documents = [evaluated(rng, random_conditionals(rng, rng.integers(5, 40)), f"d{n}") for n in range(300)]
    rows = list(entity_count_rows([documents[:200]], [documents[:200]], [documents[200:]]))
    assert [counted for counted, _ in rows] == [name for name in COUNTED for _ in range(3)]
    for _, row in rows:
        assert row.documents == 200
        assert abs(row.bias) < 0.5
        assert row.held == pytest.approx(row.promised, abs=0.045)
    # With three fold of as many documents, each has its own map and effect.
    folds = [documents[fold::3] for fold in range(3)]
    others = [[one for other in folds if other is not fold for one in other] for fold in folds]
    *_, shared = [row for _, row in entity_count_rows(folds, folds, others)]
    assert shared.documents == 300
    assert shared.held > 0.92
