"""Recalibrated chains are the chains that the weights define, and weights are those that make the labels likeliest."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from nlpcalib.errors import InputError
from nlpcalib.systems.chains.forward_backward import MAX_TRANSITION_SPREAD
from nlpcalib.systems.chains.recalibration import CHAIN_RECALIBRATIONS, PotentialWeights, fit_weights
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.hmm import MAXIMUM_LIKELIHOOD, HMMCounts
from reproduction.tagging.recalibration import MAX_DIFFERENCES, chain_likelihood, choose, reweighted, smoothed
from reproduction.tagging.selection import tagging_accuracy

TAGS = ("DT", "NN", "VB")
WORDS = ("a", "b", "c", "d")


def random_chain(seed, scale=1.5):
    rng = np.random.default_rng(seed)
    state = rng.normal(0, scale, (len(WORDS) + 1, len(TAGS)))
    return LinearChain(TAGS, WORDS, state, rng.normal(0, scale, (3, 3)), rng.normal(0, scale, 3))


def corpus_from(chain, sentences, seed, longest=6, documents=40):
    """Words at random, and tags drawn from the chain itself: the truth is the chain."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, longest + 1, sentences)
    tokens = Attributes.of_words(rng.choice([*WORDS, "unheard"], lengths.sum()))
    gold = chain.marginals(tokens, lengths).sample(rng.random((lengths.sum(), 1)))[:, 0]
    units = tuple(f"d{number % documents}/s{number}" for number in range(sentences))
    return TaggedCorpus(tokens, TAGS, gold, lengths, units)


def distorted(chain, weights):
    """The chain that `weights` turn into `chain`."""
    a, c, bias = weights.state, weights.transition, weights.bias
    return LinearChain(TAGS, WORDS, chain.state / a, (chain.transition - bias) / c, (chain.initial - bias) / c)


def enumerated(chain, weights, rows):
    """All sequences of a sentence of words `rows`, and their probabilities by the definition of the weights."""
    sequences = np.array(list(product(range(len(TAGS)), repeat=len(rows))))
    state = chain.state[rows, sequences].sum(axis=1)
    links = chain.initial[sequences[:, 0]] + chain.transition[sequences[:, :-1], sequences[:, 1:]].sum(axis=1)
    score = weights.state * state + weights.transition * links + weights.bias[sequences].sum(axis=1)
    probability = np.exp(score - score.max())
    return sequences, probability / probability.sum()


@pytest.mark.parametrize("seed", range(5))
def test_tags_pairs_samples_and_paths_are_those_of_the_enumerated_weighted_chain(seed):
    rng = np.random.default_rng(seed)
    chain = random_chain(seed)
    weights = PotentialWeights(rng.uniform(0.2, 2), rng.uniform(0.2, 2), rng.normal(0, 1, 3))
    rows = rng.integers(0, len(WORDS), 4)
    words, lengths = Attributes.of_words([WORDS[row] for row in rows]), np.array([4])
    recalibrated = reweighted(chain, weights)
    marginals = recalibrated.marginals(words, lengths)
    sequences, probability = enumerated(chain, weights, rows)
    for position in range(4):
        expected = np.bincount(sequences[:, position], probability, 3)
        np.testing.assert_allclose(marginals.single[position], expected, atol=1e-13)
    values = rng.normal(size=(3, 3))
    for position in range(1, 4):
        before, after = sequences[:, position - 1], sequences[:, position]
        pairs = np.bincount(3 * before + after, probability, 9).reshape(3, 3)
        found = np.array([[marginals.pair(i, j)[position - 1] for j in range(3)] for i in range(3)])
        np.testing.assert_allclose(found, pairs, atol=1e-13)
        np.testing.assert_allclose(marginals.expected(values)[position - 1], np.sum(pairs * values), atol=1e-13)
    assert tuple(recalibrated.decode(words, lengths)) == tuple(sequences[probability.argmax()])
    drawn = marginals.sample(rng.random((4, 20_000)))
    frequency = np.bincount(drawn.T @ 3 ** np.arange(3, -1, -1), minlength=81) / 20_000
    deviation = (frequency - probability) / np.sqrt(probability * (1 - probability) / 20_000)
    assert np.abs(deviation[probability > 1e-3]).max() < 4.5


def test_a_bias_is_the_same_for_tokens_of_many_attributes():
    """The bias is one per token and tag, however many attributes the token has."""
    chain = random_chain(0)
    tokens = Attributes.of_lists([["a", "b"], [], ["c", "d", "d"]])
    weights = PotentialWeights(0.7, 1.3, np.array([0.5, -1.0, 0.2]))
    scores = 0.7 * chain.scores(tokens) + weights.bias
    expected = LinearChain(
        TAGS, ("0", "1", "2"), np.vstack([scores, np.zeros(3)]), 1.3 * chain.transition, 1.3 * chain.initial
    )
    found = reweighted(chain, weights).marginals(tokens, np.array([3]))
    np.testing.assert_allclose(
        found.single, expected.marginals(Attributes.of_words("012"), np.array([3])).single, atol=1e-14
    )


def test_weights_of_one_leave_marginals_and_paths_as_they_are_to_the_bit():
    chain = random_chain(3)
    corpus = corpus_from(chain, 50, 3)
    same = reweighted(chain, PotentialWeights(1.0, 1.0, np.zeros(3)))
    before, after = (each.marginals(corpus.tokens, corpus.lengths) for each in (chain, same))
    for name in ("single", "left", "right", "weights", "log_partition"):
        assert getattr(before, name).tobytes() == getattr(after, name).tobytes()
    assert chain.decode(corpus.tokens, corpus.lengths).tobytes() == same.decode(corpus.tokens, corpus.lengths).tobytes()


@pytest.mark.parametrize("seed", range(4))
def test_the_likelihood_is_the_enumerated_one_and_its_gradient_that_of_finite_differences(seed):
    rng = np.random.default_rng(seed)
    chain = random_chain(seed)
    corpus = corpus_from(random_chain(seed + 10), 12, seed, longest=4)
    likelihood, _ = chain_likelihood(chain, corpus)
    vector = np.concatenate([rng.uniform(0.3, 2, 2), rng.normal(0, 1, 3)])
    rows = [
        chain.attributes.index(w) if w in WORDS else len(WORDS)
        for w in np.array(corpus.tokens.names)[corpus.tokens.indices]
    ]
    ends = np.cumsum(corpus.lengths)
    by_sentence, gradients = likelihood.with_gradient(vector)
    for number, (length, end) in enumerate(zip(corpus.lengths, ends, strict=True)):
        sequences, probability = enumerated(chain, PotentialWeights.of(vector), np.array(rows[end - length : end]))
        gold = (sequences == corpus.gold[end - length : end]).all(axis=1)
        assert abs(by_sentence[number] - np.log(probability[gold][0])) < 1e-11
        numeric = approx_fprime(vector, lambda at, number=number: likelihood(at)[number], 1e-6)
        np.testing.assert_allclose(gradients[number], numeric, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(by_sentence, likelihood(vector))


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (PotentialWeights(1.0, 1.0, np.zeros(3)), "none"),
        (PotentialWeights(0.6, 0.6, np.zeros(3)), "temperature"),
        (PotentialWeights(0.5, 1.5, np.zeros(3)), "two_temperatures"),
        (PotentialWeights(1.0, 1.0, np.array([-0.8, 0.0, 0.8])), "vector"),
    ],
)
def test_a_distorted_chain_gets_a_method_that_can_undo_it_and_the_weights_that_do(truth, expected):
    chain = random_chain(1)
    corpus = corpus_from(chain, 3000, 7)
    choice = choose(distorted(chain, truth), corpus, seed=0)
    # The rule errs towards simplicity by one standard error only, so that noise may ask for a method more.
    assert CHAIN_RECALIBRATIONS.index(choice.method) >= CHAIN_RECALIBRATIONS.index(expected)
    likelihood, _ = chain_likelihood(distorted(chain, truth), corpus)
    found, true = (np.array([w.state, w.transition, *w.bias]) for w in (choice.weights[expected], truth))
    # Wilks: twice the gain over the truth is chi-square with at most five degrees of freedom; the prior costs a little.
    assert -1 < 2 * np.sum(likelihood(found) - likelihood(true)) < 25
    assert [row.method for row in choice.rows] == list(CHAIN_RECALIBRATIONS)
    assert [row.method for row in choice.rows if row.chosen] == [choice.method]


def test_methods_are_judged_by_documents_that_they_were_not_fitted_to():
    """Fitted weights are more likely on what they were fitted to; on the rest they lose against the true chain."""
    chain = random_chain(4)
    corpus = corpus_from(chain, 40, 4)
    choice = choose(chain, corpus, seed=0)
    likelihood, _ = chain_likelihood(chain, corpus)
    losses = {row.method: row.log_loss for row in choice.rows}
    for method, weights in choice.weights.items():
        inside = -likelihood(np.array([weights.state, weights.transition, *weights.bias])).sum() / len(corpus.gold)
        assert losses[method] == pytest.approx(inside) if method == "none" else losses[method] > inside + 1e-3


def test_the_fit_is_a_maximum():
    chain = random_chain(2)
    likelihood, _ = chain_likelihood(
        distorted(chain, PotentialWeights(0.6, 1.4, np.array([0.5, 0, -0.5]))), corpus_from(chain, 300, 2)
    )
    for method, size in (("temperature", 1), ("two_temperatures", 2), ("vector", 5)):
        found = fit_weights(likelihood, method)
        for direction in np.eye(5)[:size] if size > 1 else [np.array([1.0, 1, 0, 0, 0])]:
            value, at = likelihood(found).sum() - penalty(found), [found + step * direction for step in (-0.02, 0.02)]
            assert all(likelihood(other).sum() - penalty(other) < value for other in at)


def test_a_chain_that_is_far_too_flat_gets_the_largest_weight_of_four():
    chain = random_chain(5)
    flat = replace(chain, state=chain.state / 8, transition=chain.transition / 8, initial=chain.initial / 8)
    likelihood, _ = chain_likelihood(flat, corpus_from(chain, 2000, 5))
    np.testing.assert_allclose(fit_weights(likelihood, "temperature"), [4, 4, 0, 0, 0], rtol=0, atol=0)


def test_weights_leave_transitions_within_what_inference_takes():
    """A spread of 300 nats may not be doubled: with biases of 20 on both sides it would be beyond the limit of 600."""
    chain = random_chain(6)
    steep = replace(chain, state=chain.state / 8, transition=np.array([[0.0, -300, 0], [0, 0, -1], [-1, 0, 0]]))
    truth = replace(chain, transition=np.zeros((3, 3)))
    likelihood, _ = chain_likelihood(steep, corpus_from(truth, 300, 6))
    state, transition, *_ = fit_weights(likelihood, "two_temperatures")
    assert state == pytest.approx((MAX_TRANSITION_SPREAD - 2 * 20) / 300)
    assert 0 <= transition <= state


def penalty(vector):
    return np.sum((vector - [1, 1, 0, 0, 0]) ** 2) / 2


def test_a_development_set_that_separates_perfectly_has_finite_weights():
    chain = LinearChain(TAGS, WORDS, np.eye(5, 3), np.zeros((3, 3)), np.zeros(3))
    tokens = Attributes.of_words(["a", "b", "c"] * 10)
    corpus = TaggedCorpus(tokens, TAGS, np.tile([0, 1, 2], 10), np.full(10, 3), tuple(f"d{n}/1" for n in range(10)))
    choice = choose(chain, corpus, seed=0)
    assert all(np.isfinite(weights.bias).all() and weights.state <= 4 for weights in choice.weights.values())


def test_sentences_with_a_tag_that_the_chain_lacks_are_left_out():
    chain = random_chain(4)
    corpus = corpus_from(chain, 60, 4)
    gold = corpus.gold.copy()
    gold[0] = 3
    extended = TaggedCorpus(corpus.tokens, (*TAGS, "XX"), gold, corpus.lengths, corpus.units)
    likelihood, names = chain_likelihood(chain, extended)
    assert names == corpus.units[1:]
    expected = chain_likelihood(chain, corpus)[0](np.array([1.0, 1, 0, 0, 0]))[1:]
    np.testing.assert_allclose(likelihood(np.array([1.0, 1, 0, 0, 0])), expected, atol=1e-12)
    alien = TaggedCorpus(corpus.tokens, ("XX",), np.zeros_like(gold), corpus.lengths, corpus.units)
    with pytest.raises(InputError, match="no sentence whose tags the model has"):
        choose(chain, alien, seed=0)


def test_a_model_for_which_unseen_words_are_impossible_is_smoothed_which_weights_alone_cannot_replace():
    """Weights alone would flatten all it has learned to make room for what it has never seen."""
    rng = np.random.default_rng(0)
    truth = replace(random_chain(6), attributes=tuple(f"w{n}" for n in range(300)), state=rng.normal(0, 5, (301, 3)))

    def drawn(sentences, seed):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(2, 9, sentences)
        tokens = Attributes.of_words([f"w{n}" for n in (300 * rng.random(lengths.sum()) ** 3).astype(int)])
        gold = truth.marginals(tokens, lengths).sample(rng.random((lengths.sum(), 1)))[:, 0]
        return TaggedCorpus(tokens, TAGS, gold, lengths, tuple(f"d{n % 40}/s{n}" for n in range(sentences)))

    trained = HMMCounts.of(drawn(250, 1)).chain(MAXIMUM_LIKELIHOOD)
    dev, test = drawn(400, 2), drawn(400, 3)
    choice = choose(trained, dev, seed=0)
    recalibrated = choice.apply(trained)
    assert choice.spread in MAX_DIFFERENCES
    assert max(np.ptp(table) for table in (smoothed(trained, choice.spread).transition, recalibrated.initial)) < 60
    before, after = (chain_likelihood(each, test)[0] for each in (trained, recalibrated))
    neutral = np.array([1.0, 1, 0, 0, 0])
    assert after(neutral).sum() > before(neutral).sum()
    without = fit_weights(chain_likelihood(trained, dev)[0], "vector")
    assert after(neutral).sum() > before(without).sum()
    assert tagging_accuracy(recalibrated, test) > tagging_accuracy(
        reweighted(trained, PotentialWeights.of(without)), test
    )


@pytest.mark.parametrize(("documents", "units"), [(10, 10), (9, 60)])
def test_ten_documents_are_the_units_of_folds_and_of_fewer_the_sentences(documents, units):
    chain = random_chain(4)
    assert (
        choose(chain, corpus_from(chain, 60, 4, documents=documents), seed=0, methods=CHAIN_RECALIBRATIONS[:1]).units
        == units
    )


@pytest.mark.parametrize(("spread", "smooths"), [(40, False), (40.1, True)])
def test_a_chain_whose_potentials_spread_over_more_than_forty_nats_is_smoothed(spread, smooths):
    chain = replace(random_chain(4), transition=np.array([[0.0, -spread, 0], [0, 0, 0], [0, 0, 0]]))
    choice = choose(chain, corpus_from(chain, 60, 4), seed=0, methods=CHAIN_RECALIBRATIONS[:1])
    assert choice.spread in ((12, 15, 18, 21, 24) if smooths else (None,))


def test_smoothing_raises_what_is_below_a_new_least_potential_and_nothing_else():
    chain = replace(random_chain(1), transition=np.array([[0.0, -3, -100], [-1, -101, -2], [-99, -1, -1]]))
    np.testing.assert_array_equal(smoothed(chain, 11).transition, [[0, -3, -10], [-1, -11, -2], [-9, -1, -1]])
    assert smoothed(chain, 200).transition.tobytes() == chain.transition.tobytes()
    assert smoothed(chain, 200).state.tobytes() == chain.state.tobytes()
