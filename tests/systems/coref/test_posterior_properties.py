"""Laws of the posterior over entities that hold whatever the antecedent probabilities."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities

PARTS = st.sampled_from((0.0, 1e-300, 1e-12, 0.3, 1.0, 7.0))


@st.composite
def conditionals(draw, most=6):
    mentions = draw(st.integers(1, most))
    rows = np.zeros((mentions, mentions))
    for i in range(1, mentions):
        parts = np.array(draw(st.lists(PARTS, min_size=i + 1, max_size=i + 1)))
        rows[i, :i] = parts[:-1] / parts.sum() if parts.sum() > 1e-200 else 0.0
    return rows


@settings(deadline=None, max_examples=60)
@given(conditionals())
def test_marginals_are_sums_over_all_forests(rows):
    expected = np.zeros(rows.shape)
    for choice in product(*(range(i + 1) for i in range(len(rows)))):
        founders = np.arange(len(rows))
        probability = 1.0
        for i, antecedent in enumerate(choice):
            founders[i] = founders[antecedent]
            probability *= rows[i, antecedent] if antecedent < i else 1 - rows[i].sum()
        expected += probability * (founders[:, None] == founders)
    np.testing.assert_allclose(pair_marginals(rows), expected, rtol=0, atol=1e-14)


@settings(deadline=None)
@given(conditionals(most=12))
def test_marginals_are_those_of_a_distribution_over_clusterings(rows):
    marginals = pair_marginals(rows)
    assert ((marginals >= 0) & (marginals <= 1)).all()
    assert (np.diag(marginals) == 1).all()
    np.testing.assert_array_equal(marginals, marginals.T)
    # If i and j, and j and k, share an entity, so do i and k.
    both = marginals[:, :, None] + marginals[None, :, :] - 1
    assert (marginals[:, None, :] >= both - 1e-12).all()
    assert np.linalg.eigvalsh(marginals).min() > -1e-12


@settings(deadline=None)
@given(conditionals(most=8), st.integers(1, 40), st.integers(0, 2**32))
def test_samples_are_clusterings_that_the_model_allows(rows, samples, seed):
    entities = sample_entities(rows, samples, np.random.default_rng(seed))
    for labels in entities.T:
        np.testing.assert_array_equal(labels[labels], labels)
        for i, label in enumerate(labels):
            assert (label == i) | (rows[i, :i][labels[:i] == label] > 0).any()
    again = sample_entities(rows, samples, np.random.default_rng(seed))
    np.testing.assert_array_equal(entities, again)
