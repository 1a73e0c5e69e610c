"""Phrases drawn from a chain: exact marginals and counts are right; products of tokens' probabilities are not."""

import numpy as np
import pytest

from nlpcalib.systems.chains.recalibration import PotentialWeights
from nlpcalib.systems.chains.spans import SpanTags, expected_span_counts
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.phrases import RECALIBRATION_STAGES, TaggedPhrases, phrase_count_rows, recalibrated_chains
from reproduction.tagging.recalibration import reweighted

TAGS = ("DT", "JJ", "NN", "RB", "VB")
SENTENCES, LENGTH, DOCUMENTS = 1200, 9, 200


def chain():
    rng = np.random.default_rng(0)
    state, transition, initial = (rng.normal(0, 1, shape) for shape in ((7, 5), (5, 5), 5))
    return LinearChain(TAGS, tuple("abcdef"), state, transition, initial)


def corpus(seed):
    rng = np.random.default_rng(seed)
    lengths = np.full(SENTENCES, LENGTH)
    words = Attributes.of_words(rng.choice([*"abcdef", "unheard"], SENTENCES * LENGTH))
    gold = chain().marginals(words, lengths).sample(rng.random((len(words), 1)))[:, 0]
    units = tuple(f"d{number * DOCUMENTS // SENTENCES}/s{number}" for number in range(SENTENCES))
    return TaggedCorpus(words, TAGS, gold, lengths, units)


@pytest.fixture(scope="module")
def found():
    return TaggedPhrases(chain(), corpus(1))


def test_exact_marginals_of_phrases_are_calibrated_and_products_of_tokens_are_not(found):
    rows = {(row.phrase, row.query, row.score, row.length): row for row in found.rows("none")}
    exact = [row for row in rows.values() if row.score == "exact" and row.low is not None]
    assert len(exact) > 12
    # Each has an interval of 95 %.
    assert sum(row.low > 0 for row in exact if row.low is not None) <= 2
    assert all(abs(row.expected - row.right) < 4 * row.right**0.5 + 4 for row in exact)
    of_tokens = rows["NP", "best path", "product", "1"]
    assert of_tokens.low is not None
    assert of_tokens.low > 0
    assert of_tokens.expected - of_tokens.right > 2 * of_tokens.right**0.5


def test_bounds_of_phrases_add_up_to_the_expected_number(found):
    test = corpus(1)
    expected = expected_span_counts(chain().marginals(test.tokens, test.lengths), SpanTags.of(TAGS, "penn")).sum(axis=0)
    for number, total in enumerate(expected):
        for bound in (0, -1):
            assert found.bounds(number, bound).q.sum() == pytest.approx(total, rel=1e-3)


def test_one_temperature_makes_counts_of_an_overconfident_chain_right():
    sure = reweighted(chain(), PotentialWeights(2.0, 2.0, np.zeros(5)))
    chains = dict(recalibrated_chains(sure, corpus(2)))
    assert tuple(chains) == RECALIBRATION_STAGES
    test = corpus(1)
    stages = {stage: TaggedPhrases(chains[stage], test) for stage in RECALIBRATION_STAGES[:2]}
    labelled = TaggedPhrases(chains["temperature"], corpus(2))
    rows = {
        (phrase, row.posterior): row
        for phrase, row in phrase_count_rows(stages["none"], stages["temperature"], labelled)
    }
    for phrase in ("ADJP", "NP"):
        trained, shared = rows[phrase, "trained"], rows[phrase, "shared effect"]
        assert abs(shared.bias) < 0.03 * shared.mean
        assert abs(shared.bias) < abs(trained.bias)
        assert shared.held == pytest.approx(shared.promised, abs=0.05)
