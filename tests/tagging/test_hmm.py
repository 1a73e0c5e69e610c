from dataclasses import replace

import numpy as np
import pytest
from hmmlearn.hmm import CategoricalHMM

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.hmm import MAXIMUM_LIKELIHOOD, HMMCounts, fit_hmm


def corpus_of(*sentences):
    """Make a corpus of sentences written as `word/TAG word/TAG`."""
    columns = [
        zip(*(token.rsplit("/", 1) for token in text.split()), strict=True) if text else ((), ()) for text in sentences
    ]
    return tagged_corpus(
        [Document("d", tuple(Sentence(str(n), tuple(w), tuple(t)) for n, (w, t) in enumerate(columns)))]
    )


@pytest.fixture
def corpus():
    return corpus_of("the/D dog/N runs/V", "dogs/N run/V", "", "run/V")


def test_every_count_gets_the_pseudocount(corpus):
    chain = fit_hmm(corpus, pseudocount=1.0)
    assert chain.tags == ("D", "N", "V")
    assert chain.attributes == ("the", "dog", "runs", "dogs", "run")
    np.testing.assert_allclose(np.exp(chain.initial), np.array([2, 2, 2]) / 6)
    np.testing.assert_allclose(
        np.exp(chain.transition), [[1 / 4, 2 / 4, 1 / 4], [1 / 5, 1 / 5, 3 / 5], [1 / 3, 1 / 3, 1 / 3]]
    )
    # Five words and the unknown one; D occurs once, N twice, V three times.
    expected = np.array([[2, 1, 1], [1, 2, 1], [1, 1, 2], [1, 2, 1], [1, 1, 3], [1, 1, 1]]) / [7, 8, 9]
    np.testing.assert_allclose(np.exp(chain.state), expected)
    assert chain.metadata["sentences"] == 3
    assert chain.metadata["pseudocount"] == 1.0


@pytest.mark.parametrize("pseudocount", [1.0, 0.01, MAXIMUM_LIKELIHOOD])
@pytest.mark.parametrize("implementation", ["scaling", "log"])
def test_posteriors_and_likelihoods_equal_those_of_hmmlearn(pseudocount, implementation):
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 5, 400)
    words = (gold * 3 + rng.integers(0, 8, 400)) % 20
    text = [f"w{word}/T{tag}" for word, tag in zip(words, gold, strict=True)]
    corpus = corpus_of(*(" ".join(text[start : start + 20]) for start in range(0, 400, 20)))
    chain = fit_hmm(corpus, pseudocount=pseudocount)

    lengths = np.array([30, 1, 2, 17, 50])
    observed = rng.integers(0, len(chain.attributes) + 1, lengths.sum())
    names = (*chain.attributes, "unheard")
    marginals = chain.marginals(Attributes.of_words(names[word] for word in observed), lengths)

    peer = CategoricalHMM(n_components=5, implementation=implementation)
    peer.startprob_, peer.transmat_ = np.exp(chain.initial), np.exp(chain.transition)
    peer.emissionprob_ = np.exp(chain.state.T)
    log_likelihood, posteriors = peer.score_samples(observed[:, None], lengths)
    np.testing.assert_allclose(marginals.single, posteriors, rtol=0, atol=1e-9)
    assert marginals.log_partition.sum() == pytest.approx(log_likelihood, rel=1e-12)
    _, path = peer.decode(observed[:, None], lengths)
    np.testing.assert_array_equal(chain.decode(Attributes.of_words(names[word] for word in observed), lengths), path)


def test_maximum_likelihood_is_a_limit_and_unseen_words_have_one_too(corpus):
    tokens, lengths = Attributes.of_words(["the", "unheard", "dog", "unheard", "the"]), np.array([4, 1])
    counts = HMMCounts.of(corpus)
    posterior = counts.chain(MAXIMUM_LIKELIHOOD).marginals(tokens, lengths).single
    for nearby in (1e10, 1e-10):
        other = counts.chain(nearby * MAXIMUM_LIKELIHOOD).marginals(tokens, lengths).single
        np.testing.assert_allclose(other, posterior, rtol=0, atol=1e-13)
    assert counts.chain(1e-6).marginals(tokens, lengths).single != pytest.approx(posterior, abs=1e-13)


def test_an_unseen_word_alone_is_tagged_by_initial_probability_over_tag_count(corpus):
    marginals = fit_hmm(corpus, pseudocount=MAXIMUM_LIKELIHOOD).marginals(
        Attributes.of_words(["unheard"]), np.array([1])
    )
    expected = np.array([1 / 1, 1 / 2, 1 / 3])
    np.testing.assert_allclose(marginals.single[0], expected / expected.sum(), rtol=0, atol=1e-14)


def test_a_sentence_may_end_after_any_tag_at_no_cost(corpus):
    # Without a stop state the probabilities of all sentences of one length add up to one.
    chain = fit_hmm(corpus, pseudocount=0.5)
    words = (*chain.attributes, "unheard")
    tokens = Attributes.of_words(word for first in words for then in words for word in (first, then))
    log_partition = chain.marginals(tokens, np.full(len(words) ** 2, 2)).log_partition
    assert np.exp(log_partition).sum() == pytest.approx(1.0, abs=1e-13)


@pytest.mark.parametrize("pseudocount", [0.0, -1.0, float("nan"), float("inf")])
def test_a_pseudocount_that_is_not_positive_is_refused_with_the_way_out(corpus, pseudocount):
    with pytest.raises(InputError, match=r"expected a positive number.*MAXIMUM_LIKELIHOOD"):
        fit_hmm(corpus, pseudocount=pseudocount)


def test_no_tokens_or_several_attributes_are_refused(corpus):
    with pytest.raises(InputError, match="no tokens"):
        HMMCounts.of(corpus_of("", ""))
    with pytest.raises(InputError, match="exactly one, the word"):
        HMMCounts.of(replace(corpus, tokens=Attributes.of_lists([["a"]] * 6)))
