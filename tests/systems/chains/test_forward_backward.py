import hashlib
import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp

from nlpcalib.errors import InputError
from nlpcalib.systems.chains import forward_backward as module
from nlpcalib.systems.chains.forward_backward import MAX_TRANSITION_SPREAD, Marginals, forward_backward, viterbi


def random_chain(seed, lengths, tags, scale=2.0):
    rng = np.random.default_rng(seed)
    lengths = np.asarray(lengths)
    scores = rng.normal(0, scale, (lengths.sum(), tags))
    return scores, lengths, rng.normal(0, scale, (tags, tags)), rng.normal(0, scale, tags)


def enumerate_sequences(scores, transition, initial):
    """Return single and pair marginals, log partition and the best sequence of one sentence, by brute force."""
    tokens, tags = scores.shape
    sequences = list(product(range(tags), repeat=tokens))
    totals = np.array(
        [
            initial[y[0]]
            + sum(scores[t, y[t]] for t in range(tokens))
            + sum(transition[y[t - 1], y[t]] for t in range(1, tokens))
            for y in sequences
        ]
    )
    log_partition = logsumexp(totals)
    single, pair = np.zeros((tokens, tags)), np.zeros((tokens, tags, tags))
    for y, probability in zip(sequences, np.exp(totals - log_partition), strict=True):
        for t in range(tokens):
            single[t, y[t]] += probability
            if t:
                pair[t, y[t - 1], y[t]] += probability
    return single, pair, log_partition, sequences[int(totals.argmax())]


def log_space_marginals(scores, transition, initial):
    """Return the single marginals and log partition of one sentence with logarithms throughout."""
    alpha, beta = np.empty_like(scores), np.zeros_like(scores)
    alpha[0] = initial + scores[0]
    for t in range(1, len(scores)):
        alpha[t] = logsumexp(alpha[t - 1][:, None] + transition, axis=0) + scores[t]
    for t in range(len(scores) - 2, -1, -1):
        beta[t] = logsumexp(transition + scores[t + 1] + beta[t + 1], axis=1)
    log_partition = logsumexp(alpha[-1])
    return np.exp(alpha + beta - log_partition), log_partition


@pytest.mark.parametrize("tags", [1, 2, 3, 4])
def test_marginals_and_best_paths_match_enumeration_of_all_sequences(tags):
    lengths = [0, 1, 4, 2, 0, 6, 3, 0]
    scores, lengths, transition, initial = random_chain(tags, lengths, tags)
    marginals = forward_backward(scores, lengths, transition, initial)
    path = viterbi(scores, lengths, transition, initial)
    pairs = np.stack([[marginals.pair(i, j) for j in range(tags)] for i in range(tags)])
    start = 0
    for sentence, length in enumerate(lengths):
        if length:
            rows = slice(start, start + length)
            single, pair, log_partition, best = enumerate_sequences(scores[rows], transition, initial)
            np.testing.assert_allclose(marginals.single[rows], single, atol=1e-13)
            assert marginals.log_partition[sentence] == pytest.approx(log_partition, abs=1e-12)
            assert tuple(path[rows]) == best
            here = (marginals.second >= start) & (marginals.second < start + length)
            np.testing.assert_allclose(pairs[:, :, here], pair[1:].transpose(1, 2, 0), atol=1e-13)
        else:
            assert marginals.log_partition[sentence] == 0
        start += length


def all_pairs(marginals):
    """Return P(y_{t-1} = i, y_t = j | x) of all i and j, (pairs, K, K)."""
    tags = range(marginals.single.shape[1])
    return np.array([[marginals.pair(i, j) for j in tags] for i in tags]).transpose(2, 0, 1)


def test_pair_marginals_sum_to_the_single_marginals_of_both_tokens():
    chain = random_chain(1, [5, 1, 0, 9], 6, scale=4.0)
    marginals = forward_backward(*chain)
    blocks = all_pairs(marginals)
    np.testing.assert_allclose(blocks.sum(axis=1), marginals.single[marginals.second], atol=1e-14)
    np.testing.assert_allclose(blocks.sum(axis=2), marginals.single[marginals.second - 1], atol=1e-14)


def test_nothing_but_empty_sentences_has_nothing_but_empty_marginals():
    for lengths in ([], [0, 0]):
        lengths = np.array(lengths, dtype=np.int64)
        marginals = forward_backward(np.zeros((0, 3)), lengths, np.zeros((3, 3)), np.zeros(3))
        assert marginals.single.shape == (0, 3)
        assert marginals.pair(0, 1).shape == (0,)
        np.testing.assert_array_equal(marginals.log_partition, np.zeros(len(lengths)))
        assert viterbi(np.zeros((0, 3)), lengths, np.zeros((3, 3)), np.zeros(3)).shape == (0,)


@pytest.mark.parametrize("smallest", [np.log(1e-12), -250.0])
def test_a_long_sentence_of_tiny_potentials_agrees_with_log_space(smallest):
    rng = np.random.default_rng(2)
    scores = np.where(rng.random((2000, 4)) < 0.5, smallest, rng.normal(0, 1, (2000, 4)))
    transition = np.where(rng.random((4, 4)) < 0.5, smallest, rng.normal(0, 1, (4, 4)))
    initial = np.array([0.0, smallest, smallest, -1.0])
    marginals = forward_backward(scores, np.array([2000]), transition, initial)
    single, log_partition = log_space_marginals(scores, transition, initial)
    # The oracle adds rounding errors of 2,000 steps to logarithms of size 1e5.
    np.testing.assert_allclose(marginals.single, single, atol=1e-8)
    assert marginals.log_partition[0] == pytest.approx(log_partition, rel=1e-12)
    np.testing.assert_allclose(marginals.single.sum(axis=1), 1.0, atol=1e-14)


def test_scores_that_are_all_but_impossible_do_not_lose_the_only_path_the_rest_allows():
    # At the second token tag 1 is exp(-5000) times less probable, and nothing before or after speaks for it.
    scores = np.array([[0.0, 0.0], [0.0, -5000.0], [0.0, 0.0]])
    transition = np.array([[-590.0, 0.0], [0.0, 0.0]])
    marginals = forward_backward(scores, np.array([3]), transition, np.zeros(2))
    np.testing.assert_allclose(marginals.single, [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], atol=1e-200)
    assert marginals.log_partition[0] == pytest.approx(0.0, abs=1e-12)


def test_ten_thousand_tokens_neither_underflow_nor_drift():
    scores, lengths, transition, initial = random_chain(3, [10_000, 1, 0, 7], 5, scale=10.0)
    scores -= 1000.0
    marginals = forward_backward(scores, lengths, transition, initial)
    np.testing.assert_allclose(marginals.single.sum(axis=1), 1.0, rtol=0, atol=2e-15)
    total = all_pairs(marginals).sum(axis=(1, 2))
    np.testing.assert_allclose(total, 1.0, rtol=0, atol=2e-15)
    assert np.isfinite(marginals.log_partition).all()
    assert marginals.log_partition[0] < -9e6


def test_a_constant_added_to_the_potentials_only_moves_the_log_partition():
    scores, lengths, transition, initial = random_chain(4, [3, 0, 8], 4)
    marginals = forward_backward(scores, lengths, transition, initial)
    moved = forward_backward(scores + 7.0, lengths, transition - 3.0, initial + 11.0)
    np.testing.assert_allclose(moved.single, marginals.single, atol=1e-13)
    expected = marginals.log_partition + np.array([7 * 3 - 3 * 2 + 11, 0, 7 * 8 - 3 * 7 + 11])
    np.testing.assert_allclose(moved.log_partition, expected, atol=1e-12)


def test_marginals_do_not_depend_on_batches_or_on_the_order_of_sentences(monkeypatch):
    rng = np.random.default_rng(5)
    lengths = rng.integers(0, 30, 200)
    scores, lengths, transition, initial = random_chain(5, lengths, 12)
    whole, best = forward_backward(scores, lengths, transition, initial), viterbi(scores, lengths, transition, initial)

    starts = np.cumsum(lengths) - lengths
    order = rng.permutation(len(lengths))
    rows = np.concatenate([np.arange(starts[s], starts[s] + lengths[s]) for s in order])
    permuted = forward_backward(scores[rows], lengths[order], transition, initial)
    np.testing.assert_array_equal(viterbi(scores[rows], lengths[order], transition, initial), best[rows])

    monkeypatch.setattr(module, "_MAX_SINGLE_THREAD_PRODUCT", 1)
    alone = forward_backward(scores, lengths, transition, initial)
    np.testing.assert_array_equal(viterbi(scores, lengths, transition, initial), best)
    for other, tokens, sentences in ((permuted, rows, order), (alone, slice(None), slice(None))):
        np.testing.assert_allclose(other.single, whole.single[tokens], rtol=0, atol=1e-12)
        np.testing.assert_allclose(other.log_partition, whole.log_partition[sentences], rtol=1e-13, atol=1e-12)
    for i, j in ((0, 0), (3, 7)):
        np.testing.assert_allclose(alone.pair(i, j), whole.pair(i, j), rtol=0, atol=1e-12)


def test_the_number_of_threads_does_not_change_a_bit():
    program = """
import sys, numpy as np
from nlpcalib.systems.chains.forward_backward import forward_backward
rng = np.random.default_rng(6)
for tags in (12, 47):
    lengths = rng.integers(0, 40, 300)
    scores = rng.normal(0, 3, (lengths.sum(), tags))
    marginals = forward_backward(scores, lengths, rng.normal(0, 2, (tags, tags)), rng.normal(0, 1, tags))
    for array in (marginals.single, marginals.left, marginals.right, marginals.log_partition):
        sys.stdout.buffer.write(array.tobytes())
"""
    digests = set()
    for threads in ("1", "2", "4"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads}
        run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
        digests.add(hashlib.sha256(run.stdout).hexdigest())
    assert len(digests) == 1


def test_the_largest_uniform_draws_a_tag_also_where_chances_are_the_least_numbers():
    """The product of the least number and 1 − 2⁻⁵³ is the least number, beyond which there is no tag."""
    least = np.full((2, 3), 5e-324)
    marginals = Marginals(least, least, least, np.ones((3, 3)), np.zeros(1), np.array([2]))
    assert marginals.sample(np.full((2, 1), np.nextafter(1, 0))).tolist() == [[2], [2]]


def test_arguments_are_not_changed():
    chain = random_chain(7, [4, 2], 3)
    copies = [array.copy() for array in chain]
    forward_backward(*chain)
    viterbi(*chain)
    for array, copy in zip(chain, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("infer", [forward_backward, viterbi])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": np.zeros(3)}, r"scores have shape \(3,\)"),
        ({"scores": np.zeros((3, 0))}, "at least one tag"),
        ({"transition": np.zeros((2, 3))}, r"transition has shape \(2, 3\)"),
        ({"initial": np.zeros(3)}, r"initial \(3,\)"),
        ({"lengths": np.array([2.0, 1.0])}, "expected a vector of integers"),
        ({"lengths": np.array([2, 2])}, "sum to 4"),
        ({"lengths": np.array([4, -1])}, "non-negative"),
        ({"scores": np.array([[0, 0], [0, np.nan], [0, 0]])}, r"scores\[1, 1\] is nan"),
        ({"transition": np.array([[0, -np.inf], [0, 0]])}, r"transition\[0, 1\] is -inf"),
        ({"transition": np.array([[0, -MAX_TRANSITION_SPREAD - 1], [0, 0]])}, "spread over 601 nats"),
    ],
)
def test_unusable_arguments_are_named(infer, change, message):
    arguments = {
        "scores": np.zeros((3, 2)),
        "lengths": np.array([2, 1]),
        "transition": np.zeros((2, 2)),
        "initial": np.zeros(2),
    }
    with pytest.raises(InputError, match=message):
        infer(**(arguments | change))
