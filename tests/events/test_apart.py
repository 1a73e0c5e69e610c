"""Entities of at most one country: samples are those of enumerated forests; without conflicts nothing changes."""

from itertools import product

import numpy as np
import pytest

from nlpcalib.coref.model.posterior import sample_entities, sampled_marginals, tempered, weigh_new
from nlpcalib.coref.model.recalibration import GoldAntecedents, fit_temperature_and_new
from nlpcalib.events.read.roles import Affiliation
from reproduction.events.apart import country_labels, links_apart, sample_apart


def random_conditionals(rng, mentions):
    weights = np.tril(rng.gamma(0.7, size=(mentions, mentions)), -1)
    return weights / (weights.sum(axis=1) + rng.gamma(0.7, size=mentions) + 1e-9)[:, None]


def enumerated(conditionals, labels):
    """Yield each forest's probability by the definition, mention after mention, and the founders of its entities."""
    for choice in product(*(range(i + 1) for i in range(len(labels)))):
        founders: list[int] = []
        probability = 1.0
        for i, antecedent in enumerate(choice):
            country = {founders[k]: labels[k] for k in range(i) if labels[k]}
            owner = [country.get(founders[j], 0) for j in range(i)]
            allowed = [not labels[i] or other in (0, labels[i]) for other in owner]
            weights = [*conditionals[i, :i] * allowed, 1 - conditionals[i].sum()]
            probability *= weights[antecedent] / sum(weights)
            founders.append(i if antecedent == i else founders[antecedent])
        if probability:
            yield probability, tuple(founders)


LABELS = np.array([1, 0, 2, 0, 1])


@pytest.fixture
def conditionals():
    return random_conditionals(np.random.default_rng(1), 5)


def test_samples_are_drawn_from_the_distribution_of_enumerated_forests(conditionals):
    expected, total = np.zeros((5, 5)), 0.0
    for probability, founders in enumerated(conditionals, LABELS):
        named = np.array(founders)
        expected += probability * (named[:, None] == named)
        total += probability
    assert total == pytest.approx(1)
    found = sampled_marginals(sample_apart(conditionals, LABELS, 40_000, np.random.default_rng(0)))
    np.testing.assert_allclose(found, expected, atol=4 * 0.5 / 200)
    assert found[0, 2] == found[2, 4] == 0 < found[0, 4]


def test_the_likelihood_of_a_clustering_is_the_product_of_its_links(conditionals):
    clusterings: dict[tuple[int, ...], float] = {}
    for probability, founders in enumerated(conditionals, LABELS):
        clusterings[founders] = clusterings.get(founders, 0.0) + probability
    for founders, expected in clusterings.items():
        apart = links_apart(conditionals, LABELS, [str(each) for each in founders])
        found = 1.0
        for i in range(5):
            own = [j for j in range(i) if founders[j] == founders[i]]
            found *= apart[i, own].sum() if own else 1 - apart[i].sum()
        assert found == pytest.approx(expected)


def test_without_countries_nothing_changes(conditionals):
    none = np.zeros(5, dtype=np.int64)
    assert links_apart(conditionals, none, ["a", None, "a", "b", "b"]).tobytes() == conditionals.tobytes()
    expected = np.zeros((5, 5))
    for probability, founders in enumerated(conditionals, none):
        named = np.array(founders)
        expected += probability * (named[:, None] == named)
    found = sampled_marginals(sample_apart(conditionals, none, 40_000, np.random.default_rng(0)))
    np.testing.assert_allclose(found, expected, atol=4 * 0.5 / 200)


def test_a_mention_that_may_join_no_one_is_new():
    conditionals = np.array([[0.0, 0], [1.0, 0]])
    assert sample_apart(conditionals, np.array([1, 2]), 3, np.random.default_rng(0))[1].tolist() == [1, 1, 1]
    assert sample_apart(conditionals, np.array([2, 2]), 3, np.random.default_rng(0))[1].tolist() == [0, 0, 0]
    assert links_apart(conditionals, np.array([1, 2]), ["a", "b"]).sum() == 0


def test_a_mention_described_with_two_countries_is_no_ones():
    described = [Affiliation(0, "IRQ", 0), Affiliation(0, "IRQ", 1), Affiliation(2, "USA", 4), Affiliation(2, "IRQ", 5)]
    assert country_labels([*described, Affiliation(3, "USA", 9)], 5).tolist() == [1, 0, 0, 2, 0]


def test_a_weight_of_new_is_fitted_by_the_likelihood_of_the_weighted_rows():
    rng = np.random.default_rng(2)
    documents = []
    for _ in range(60):
        conditionals = random_conditionals(rng, 30)
        drawn = weigh_new(tempered(conditionals, 0.7), np.full(30, 2.5))
        documents.append((conditionals, [str(name) for name in sample_entities(drawn, 1, rng)[:, 0]]))
    choices = GoldAntecedents.of(documents)
    weighted = [(weigh_new(tempered(rows, 0.7), np.full(30, 2.5)), names) for rows, names in documents]
    expected = GoldAntecedents.of(weighted).log_likelihood(1.0)
    assert choices.log_likelihood(0.7, 2.5) == pytest.approx(expected, rel=1e-9)
    temperature, new = fit_temperature_and_new(choices)
    assert abs(np.log(temperature / 0.7)) < 0.15
    assert abs(np.log(new / 2.5)) < 0.3
    assert choices.log_likelihood(temperature, new) >= choices.log_likelihood(0.7, 2.5)
