"""Weights of pairs: their loss by enumeration, its gradient by finite differences, and what a fit recovers."""

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.pair_weights import (
    WEIGHT_NAMES,
    Antecedents,
    PairWeights,
    fit_pair_weights,
    pair_loss,
)
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities, tempered, weigh_new
from nlpcalib.systems.coref.model.recalibration import pair_log_likelihood

WORDS = ("Ana Ruiz", "Leila Wolff", "She", "her", "him", "a bakery", "The bakery", "they", "Ana", "sellers of bread")


def conditionals_of(rng, mentions, *, excluded=0.2):
    weights = np.tril(rng.gamma(0.5, size=(mentions, mentions)), -1) * (rng.random((mentions, mentions)) > excluded)
    return weights / (weights.sum(axis=1) + rng.gamma(0.5, size=mentions) + 1e-9)[:, None]


def enumerated_loss(conditionals, y):
    """Return the log loss of pairs by a sum over all choices of antecedents."""
    count = len(conditionals)
    founders, weights = [()], [1.0]
    for row in range(count):
        grown, heavier = [], []
        for chosen, weight in zip(founders, weights, strict=True):
            for antecedent in range(row):
                grown.append((*chosen, chosen[antecedent]))
                heavier.append(weight * conditionals[row, antecedent])
            grown.append((*chosen, row))
            heavier.append(weight * (1 - conditionals[row].sum()))
        founders, weights = grown, heavier
    named = np.array(founders)
    marginals = np.einsum("f,fij->ij", np.array(weights), named[:, :, None] == named[:, None, :])
    q = marginals[np.tril_indices(count, -1)]
    return -np.log(np.where(y, q, 1 - q)).sum()


def test_the_loss_is_that_of_all_forests():
    rng = np.random.default_rng(0)
    for mentions in (2, 4, 6):
        conditionals = conditionals_of(rng, mentions, excluded=0)
        y = rng.random(mentions * (mentions - 1) // 2) < 0.4
        assert pair_loss(conditionals, y)[0] == pytest.approx(enumerated_loss(conditionals, y), rel=1e-12)


@pytest.mark.parametrize("sharp", [1.0, 0.2])
def test_the_gradient_by_antecedents_equals_finite_differences(sharp):
    rng = np.random.default_rng(1)
    conditionals = tempered(conditionals_of(rng, 12), sharp)
    y = rng.random(66) < 0.3
    _, gradient = pair_loss(conditionals, y)
    rows = conditionals.sum(axis=1, keepdims=True) < 0.999  # the others have no room for a step
    for i, j in zip(*np.nonzero(rows & (conditionals > 1e-3)), strict=True):
        step = np.zeros((12, 12))
        step[i, j] = 1e-6 * conditionals[i, j]
        difference = (pair_loss(conditionals + step, y)[0] - pair_loss(conditionals - step, y)[0]) / 2 / step[i, j]
        assert gradient[i, j] == pytest.approx(difference, rel=1e-4, abs=1e-4)


def test_the_gradient_equals_that_backwards_through_the_recursion():
    """Of 300 mentions, row by row, as automatic differentiation has it."""
    rng = np.random.default_rng(2)
    conditionals = tempered(conditionals_of(rng, 300), 0.5)
    marginals = pair_marginals(conditionals)
    y = sample_entities(conditionals, 1, rng)[:, 0]
    lower = np.tril_indices(300, -1)
    labels = (y[:, None] == y)[lower]
    _, gradient = pair_loss(conditionals, labels)
    q = np.where(labels, marginals[lower], 1 - marginals[lower])
    slopes, expected = np.zeros((300, 300)), np.zeros((300, 300))
    slopes[lower] = np.where(labels, -1, 1) / np.maximum(q, 1e-9) * (q > 1e-9)
    for i in range(299, 0, -1):
        row = slopes[i, :i] + slopes[:i, i]
        expected[i, :i] = marginals[:i, :i] @ row
        slopes[:i, :i] += np.outer(conditionals[i, :i], row)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def test_the_gradient_by_weights_equals_finite_differences():
    rng = np.random.default_rng(3)
    antecedents, y = Antecedents(conditionals_of(rng, 10), WORDS), rng.random(45) < 0.3
    values = rng.normal(size=len(WEIGHT_NAMES)) / 3
    _, gradient = antecedents.loss(values, y)
    assert np.count_nonzero(gradient) >= 19
    for number in range(len(WEIGHT_NAMES)):
        step = 1e-5 * np.eye(len(WEIGHT_NAMES))[number]
        difference = (antecedents.loss(values + step, y)[0] - antecedents.loss(values - step, y)[0]) / 2e-5
        assert gradient[number] == pytest.approx(difference, rel=1e-5, abs=1e-6)


def test_no_weights_change_nothing_and_two_are_temperature_and_new():
    rng = np.random.default_rng(4)
    conditionals, y = conditionals_of(rng, 10), rng.random(45) < 0.3
    none, two = np.zeros(len(WEIGHT_NAMES)), np.array([np.log(0.7)] * 3 + [np.log(2.5)] * 3 + [0.0] * 14)
    np.testing.assert_allclose(PairWeights(none, {}).apply(conditionals, WORDS), conditionals, atol=1e-12)
    for few in (0, 1):
        assert PairWeights(none, {}).apply(np.zeros((few, few)), WORDS[:few]).shape == (few, few)
    weighed = weigh_new(tempered(conditionals, 0.7), 2.5)
    np.testing.assert_allclose(PairWeights(two, {}).apply(conditionals, WORDS), weighed, atol=1e-12)
    loss, _ = Antecedents(conditionals, WORDS).loss(two, y)
    assert loss == pytest.approx(-pair_log_likelihood(conditionals, y, 0.7, 2.5), rel=1e-9)


def drawn(rng, values, documents):
    """Draw labels from the weights, of documents whose antecedents do not have them."""
    found = []
    for _ in range(documents):
        strings = [WORDS[number] for number in rng.integers(len(WORDS), size=20)]
        conditionals = conditionals_of(rng, 20)
        entities = sample_entities(PairWeights(values, {}).apply(conditionals, strings), 1, rng)[:, 0]
        found.append((conditionals, (entities[:, None] == entities)[np.tril_indices(20, -1)], strings))
    return found


@pytest.mark.slow
def test_the_fit_finds_most_of_what_the_true_weights_are_worth_on_other_documents():
    """A model that does not read names and pronouns: twenty weights mend it, and two do not."""
    truth = np.zeros(len(WEIGHT_NAMES))
    for name, value in (("same words", 2.0), ("other gender", -3.0), ("pronoun to name", -2.0), ("NEW, name", 1.0)):
        truth[WEIGHT_NAMES.index(name)] = value
    rng = np.random.default_rng(5)
    found, others = fit_pair_weights(drawn(rng, truth, 60)), drawn(rng, truth, 60)
    assert found.held_out["twenty"] < found.held_out["two"] < found.held_out["none"]

    def loss(values):
        return sum(Antecedents(rows, strings).loss(values, y)[0] for rows, y, strings in others)

    none = loss(np.zeros(len(WEIGHT_NAMES)))
    assert none - loss(found.values) > 0.5 * (none - loss(truth))
    assert all(
        found.named[name] * truth[WEIGHT_NAMES.index(name)] > 0
        for name in WEIGHT_NAMES
        if truth[WEIGHT_NAMES.index(name)]
    )


def test_the_form_of_two_weights_is_taken_where_more_do_not_help():
    truth = np.array([np.log(1.5)] * 3 + [np.log(0.4)] * 3 + [0.0] * 14)
    found = fit_pair_weights(drawn(np.random.default_rng(6), truth, 12))
    assert found.held_out["two"] < found.held_out["twenty"]
    assert len(set(found.values[:3])) == len(set(found.values[3:6])) == 1
    assert not found.values[6:].any()


def test_documents_that_cannot_be_fitted_are_refused():
    conditionals = conditionals_of(np.random.default_rng(7), 4)
    y = np.zeros(6, dtype=bool)
    with pytest.raises(InputError, match=r"documents\[1\]: found 6 labels and 3 mentions, expected 6 and 4"):
        fit_pair_weights([(conditionals, y, WORDS[:4]), (conditionals, y, WORDS[:3])])
    with pytest.raises(InputError, match="expected documents with entities"):
        fit_pair_weights([(conditionals, y, WORDS[:4])])
    with pytest.raises(InputError, match="not a distribution"):
        fit_pair_weights([(conditionals * 9, y, WORDS[:4])] * 2)
