"""Exact pair marginals and entity samples of the antecedent model."""

from itertools import product

import numpy as np
import pytest
from scipy.linalg import solve_triangular

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities
from reproduction.coref.sampling import sampled_marginals, sampled_pairs


def random_conditionals(rng, mentions, *, sparse=False, new=1.0):
    """Return A of random rows; P(NEW) is small where `new` is, and most antecedents of a sparse row are impossible."""
    weights = np.tril(rng.gamma(0.3, size=(mentions, mentions)), -1)
    if sparse:
        weights *= rng.random(weights.shape) < 0.4
    total = weights.sum(axis=1) + new * rng.gamma(1.0, size=mentions)
    return weights / np.maximum(total, 1e-300)[:, None]


def forests(conditionals):
    """Yield every forest of antecedents: its probability and the founder of each mention's entity."""
    rows = [[*row[:i], 1 - row[:i].sum()] for i, row in enumerate(conditionals)]
    for choice in product(*(range(i + 1) for i in range(len(rows)))):
        founders = []
        for i, antecedent in enumerate(choice):
            founders.append(i if antecedent == i else founders[antecedent])
        yield np.prod([row[antecedent] for row, antecedent in zip(rows, choice, strict=True)]), np.array(founders)


def enumerated(conditionals):
    """Return C, a sum over all forests."""
    marginals = np.zeros(conditionals.shape)
    for probability, founders in forests(conditionals):
        marginals += probability * (founders[:, None] == founders)
    return marginals


def closed_form(conditionals):
    """Return C = R diag(y) Rᵀ with R = (I − A)⁻¹ and y from (R ∘ R) y = 1.

    R[i, k] is the probability that k is on i's way to its founder. Two independent ways that meet at k and never
    again afterwards, which has the probability y[k], have met a last time: every pair that meets does so exactly once.
    """
    one = np.eye(len(conditionals))
    ways = solve_triangular(one - conditionals, one, lower=True, unit_diagonal=True)
    apart = solve_triangular(ways**2, np.ones(len(conditionals)), lower=True, unit_diagonal=True)
    return (ways * apart) @ ways.T


def test_exact_marginals_match_enumeration():
    rng = np.random.default_rng(0)
    for mentions in range(1, 8):
        for sparse, new in product((False, True), (1.0, 1e-3)):
            conditionals = random_conditionals(rng, mentions, sparse=sparse, new=new)
            expected = enumerated(conditionals)
            np.testing.assert_allclose(pair_marginals(conditionals), expected, rtol=0, atol=1e-14)
            np.testing.assert_allclose(closed_form(conditionals), expected, rtol=0, atol=1e-14)


def test_impossible_certain_and_vanishing_antecedents_are_exact():
    conditionals = np.zeros((6, 6))
    conditionals[1, 0] = 1e-300
    conditionals[2, 1] = 1.0
    conditionals[3, :3] = 0.5, 0.0, 0.5
    conditionals[4, :4] = 1e-300, 1e-300, 1e-12, 1 - 1e-12
    marginals = pair_marginals(conditionals)
    np.testing.assert_allclose(marginals, enumerated(conditionals), rtol=1e-14, atol=0)
    assert marginals[2, 0] == marginals[1, 0] == 1e-300
    assert marginals[2, 1] == 1
    assert marginals[3, 1] == 0.5
    assert (marginals[5, :5] == 0).all()


@pytest.mark.parametrize("new", [1.0, 1e-9, 0.0])
def test_recursion_and_closed_form_agree_on_long_documents(new):
    rng = np.random.default_rng(1)
    conditionals = random_conditionals(rng, 1200, new=new)
    marginals = pair_marginals(conditionals)
    np.testing.assert_allclose(marginals, closed_form(conditionals), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(marginals, marginals.T)


@pytest.mark.parametrize("stay", [1.0, 1 - 1e-12, 0.999])
def test_a_chain_of_near_certain_links_has_the_products_of_its_links(stay):
    conditionals = np.diag(np.full(1199, stay), -1)
    distance = np.abs(np.subtract.outer(np.arange(1200), np.arange(1200)))
    np.testing.assert_allclose(pair_marginals(conditionals), stay**distance, rtol=1e-12)
    np.testing.assert_allclose(closed_form(conditionals), stay**distance, rtol=0, atol=1e-12)


@pytest.mark.parametrize("mentions", [0, 1, 2, 63, 64, 65, 128, 193])
def test_marginals_of_the_first_mentions_do_not_depend_on_how_many_follow(mentions):
    conditionals = random_conditionals(np.random.default_rng(2), 200)
    part = pair_marginals(conditionals[:mentions, :mentions])
    np.testing.assert_allclose(part, pair_marginals(conditionals)[:mentions, :mentions], rtol=0, atol=1e-14)
    for i in range(1, mentions):
        np.testing.assert_allclose(part[i, :i], conditionals[i, :i] @ part[:i, :i], rtol=0, atol=1e-14)


def test_samples_have_the_distribution_of_whole_clusterings():
    # Strata are drawn for each mention: the mentions of one sample must be independent all the same.
    conditionals = random_conditionals(np.random.default_rng(3), 5)
    samples = 200_000
    expected = {}
    for probability, founders in forests(conditionals):
        expected[tuple(founders)] = expected.get(tuple(founders), 0) + probability
    found, counts = np.unique(
        sample_entities(conditionals, samples, np.random.default_rng(4)), axis=1, return_counts=True
    )
    found = dict(zip(map(tuple, found.T), counts / samples, strict=True))
    assert set(found) <= set(expected)
    for clustering, probability in expected.items():
        deviation = np.sqrt(probability * (1 - probability) / samples)
        assert abs(found.get(clustering, 0) - probability) < 4.5 * deviation + 1e-12


def independent_entities(conditionals, samples, rng):
    """Draw every antecedent of every sample by itself, in loops."""
    entities = np.empty((len(conditionals), samples), dtype=np.int64)
    for i, row in enumerate(conditionals):
        antecedents = rng.choice(i + 1, size=samples, p=[*row[:i], 1 - row[:i].sum()])
        entities[i] = i
        for sample, antecedent in enumerate(antecedents):
            if antecedent < i:
                entities[i, sample] = entities[antecedent, sample]
    return entities


def test_sampled_marginals_converge_at_the_monte_carlo_rate_and_beat_independent_samples():
    conditionals = random_conditionals(np.random.default_rng(5), 40)
    exact, repeats, sizes = pair_marginals(conditionals), 30, (10, 40, 160, 640)
    pairs = np.tril_indices(40, -1)

    def rmse(sampler, samples):
        errors = [
            sampled_marginals(sampler(conditionals, samples, generator(0, "rate", samples, repeat)))[pairs]
            - exact[pairs]
            for repeat in range(repeats)
        ]
        return np.sqrt(np.mean(np.square(errors)))

    stratified = [rmse(sample_entities, samples) for samples in sizes]
    slope = np.polyfit(np.log(sizes), np.log(stratified), 1)[0]
    assert -0.56 < slope < -0.48
    theory = np.sqrt(np.mean(exact[pairs] * (1 - exact[pairs])) / sizes[0])
    assert rmse(independent_entities, sizes[0]) == pytest.approx(theory, rel=0.06)
    assert stratified[0] < theory


@pytest.mark.parametrize("samples", [1, 3])
def test_stratified_samples_are_unbiased(samples):
    conditionals = random_conditionals(np.random.default_rng(6), 6)
    exact, repeats = pair_marginals(conditionals), 6_000 // samples
    rng = np.random.default_rng(7)
    mean = np.mean([sampled_marginals(sample_entities(conditionals, samples, rng)) for _ in range(repeats)], axis=0)
    assert (np.abs(mean - exact) < 4.5 * np.sqrt(exact * (1 - exact) / repeats / samples) + 1e-12).all()


def test_an_antecedent_is_drawn_in_its_share_of_the_samples_to_within_one():
    conditionals = np.zeros((9, 9))
    conditionals[8, :8] = np.random.default_rng(8).dirichlet(np.ones(8)) * 0.9
    entities = sample_entities(conditionals, 1000, np.random.default_rng(9))
    shares = np.bincount(entities[8], minlength=9)
    assert (np.abs(shares - 1000 * np.array([*conditionals[8, :8], 0.1])) <= 2).all()


def test_every_sample_is_a_clustering_named_by_first_mentions():
    conditionals = random_conditionals(np.random.default_rng(10), 150, new=0.2)
    entities = sample_entities(conditionals, 64, np.random.default_rng(11))
    assert entities.dtype == np.int32
    numbers = np.arange(150)
    for labels in entities.T:
        assert (labels <= numbers).all()
        np.testing.assert_array_equal(labels[labels], labels)
    together = sampled_marginals(entities)
    np.testing.assert_array_equal(together, (entities[:, None] == entities).mean(axis=2))


def test_what_is_impossible_is_not_drawn_and_what_is_certain_always():
    conditionals = np.zeros((4, 4))
    conditionals[2, 1] = 1.0
    conditionals[3, :3] = 0.5, 0.0, 0.0
    entities = sample_entities(conditionals, 999, np.random.default_rng(12))
    assert (entities[1] == 1).all()
    assert (entities[2] == 1).all()
    assert set(entities[3].tolist()) == {0, 3}


def test_samples_of_a_document_do_not_depend_on_other_documents():
    rng = np.random.default_rng(13)
    documents = [(name, random_conditionals(rng, mentions)) for name, mentions in (("a", 20), ("b", 1), ("c", 30))]
    _, alone = sampled_pairs(documents[2:], 100, seed=1)
    _, together = sampled_pairs(documents, 100, seed=1)
    _, backwards = sampled_pairs(documents[::-1], 100, seed=1)
    np.testing.assert_array_equal(alone, together[-alone.size :])
    np.testing.assert_array_equal(alone, backwards[: alone.size])
    _, other = sampled_pairs([("d", documents[2][1])], 100, seed=1)
    assert (other != alone).any()


@pytest.mark.parametrize(
    ("place", "value"),
    [((2, 1), np.nan), ((2, 1), -1e-9), ((2, 1), 1.1), ((2, 1), np.inf), ((1, 1), 0.1), ((0, 2), 1e-300)],
)
def test_rows_that_are_no_distributions_are_refused(place, value):
    conditionals = np.zeros((3, 3))
    conditionals[place] = value
    for consumer in (pair_marginals, lambda rows: sample_entities(rows, 10, np.random.default_rng(0))):
        with pytest.raises(InputError, match="not a distribution over earlier mentions and NEW"):
            consumer(conditionals)


def test_arrays_that_are_not_square_are_refused():
    with pytest.raises(InputError, match=r"found an array of shape \(2, 3\), expected \(mentions, mentions\)"):
        pair_marginals(np.zeros((2, 3)))
