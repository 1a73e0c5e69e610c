"""Laws of exact inference that hold for every linear chain."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nlpcalib.systems.chains.forward_backward import forward_backward, viterbi

potentials = st.floats(-40, 40)


@st.composite
def chains(draw, longest=6, potentials=potentials):
    tags = draw(st.integers(1, 4))
    lengths = np.array(draw(st.lists(st.integers(0, longest), max_size=5)), dtype=np.int64)
    return (
        draw(arrays(np.float64, (int(lengths.sum()), tags), elements=potentials)),
        lengths,
        draw(arrays(np.float64, (tags, tags), elements=potentials)),
        draw(arrays(np.float64, tags, elements=potentials)),
    )


def sequence_scores(scores, transition, initial):
    """Return all tag sequences of one sentence, (n, tokens), and their total scores, (n,)."""
    tokens, tags = scores.shape
    sequences = np.array(list(product(range(tags), repeat=tokens)))
    totals = initial[sequences[:, 0]] + scores[np.arange(tokens), sequences].sum(axis=1)
    return sequences, totals + transition[sequences[:, :-1], sequences[:, 1:]].sum(axis=1)


def all_pairs(marginals):
    """Return P(y_{t-1} = i, y_t = j | x) of all i and j, (pairs, K, K)."""
    tags = range(marginals.single.shape[1])
    return np.array([[marginals.pair(i, j) for j in tags] for i in tags]).transpose(2, 0, 1)


def sentences(lengths):
    ends = np.cumsum(lengths)
    return [(sentence, slice(end - n, end)) for sentence, (n, end) in enumerate(zip(lengths, ends, strict=True)) if n]


@settings(deadline=None)
@given(chains(longest=5))
def test_marginals_and_paths_are_those_of_the_enumerated_distribution(chain):
    scores, lengths, transition, initial = chain
    marginals, path = forward_backward(*chain), viterbi(*chain)
    pairs = all_pairs(marginals)
    for sentence, rows in sentences(lengths):
        sequences, totals = sequence_scores(scores[rows], transition, initial)
        log_partition = np.logaddexp.reduce(totals)
        probability = np.exp(totals - log_partition)
        assert abs(marginals.log_partition[sentence] - log_partition) < 1e-10
        single = np.array([[probability[column == k].sum() for k in range(len(initial))] for column in sequences.T])
        np.testing.assert_allclose(marginals.single[rows], single, rtol=0, atol=1e-10)
        inside = (marginals.second >= rows.start) & (marginals.second < rows.stop)
        for t, pair in enumerate(pairs[inside]):
            expected = np.zeros_like(pair)
            np.add.at(expected, (sequences[:, t], sequences[:, t + 1]), probability)
            np.testing.assert_allclose(pair, expected, rtol=0, atol=1e-10)
        best = totals[(sequences == path[rows]).all(axis=1)]
        assert best[0] >= totals.max() - 1e-10


@settings(deadline=None)
@given(chains(longest=40, potentials=st.floats(-290, 290)))
def test_pair_marginals_sum_to_single_marginals_which_sum_to_one(chain):
    marginals = forward_backward(*chain)
    assert (marginals.single >= 0).all()
    np.testing.assert_allclose(marginals.single.sum(axis=1), 1.0, rtol=0, atol=1e-14)
    pairs = all_pairs(marginals)
    assert (pairs >= 0).all()
    np.testing.assert_allclose(pairs.sum(axis=1), marginals.single[marginals.second], rtol=0, atol=1e-12)
    np.testing.assert_allclose(pairs.sum(axis=2), marginals.single[marginals.second - 1], rtol=0, atol=1e-12)


@settings(deadline=None)
@given(chains(longest=12), st.randoms(use_true_random=False))
def test_sentences_do_not_know_of_each_other(chain, random):
    scores, lengths, transition, initial = chain
    together, path = forward_backward(*chain), viterbi(*chain)
    order = list(range(len(lengths)))
    random.shuffle(order)
    ends = np.cumsum(lengths)
    rows = np.concatenate([np.arange(ends[s] - lengths[s], ends[s]) for s in order]) if order else np.zeros(0, int)
    permuted = forward_backward(scores[rows], lengths[order], transition, initial)
    np.testing.assert_allclose(permuted.single, together.single[rows], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(viterbi(scores[rows], lengths[order], transition, initial), path[rows])


@settings(deadline=None)
@given(chains(longest=8))
def test_read_backwards_the_marginals_are_the_same(chain):
    # Reversed, the potential of the first tag becomes one of the last: give it to that token's score.
    scores, lengths, transition, initial = chain
    rows = np.concatenate([np.arange(s.stop - 1, s.start - 1, -1) for _, s in sentences(lengths)] or [np.zeros(0, int)])
    scores = scores.copy()
    for _, sentence in sentences(lengths):
        scores[sentence.start] += initial
    no_initial = np.zeros_like(initial)
    there = forward_backward(scores, lengths, transition, no_initial)
    back = forward_backward(scores[rows], lengths, transition.T, no_initial)
    np.testing.assert_allclose(back.single, there.single[rows], rtol=0, atol=1e-11)
    np.testing.assert_allclose(back.log_partition, there.log_partition, rtol=1e-12, atol=1e-10)
