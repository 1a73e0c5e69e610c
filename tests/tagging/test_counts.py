"""Counts of tags in documents: intervals hold where the truth is the chain, and with an effect where it is not."""

import numpy as np
import pytest

from reproduction.tagging.attributes import Attributes
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.counts import tag_count_rows
from reproduction.tagging.data import TaggedCorpus

TAGS = ("NN", "NNP", "VB")
WORDS = ("a", "b", "c", "d")
SENTENCES, DOCUMENTS = 5, 150


def chain():
    rng = np.random.default_rng(0)
    state, transition = rng.normal(0, 1.5, (5, 3)), rng.normal(0, 1, (3, 3))
    return LinearChain(TAGS, WORDS, state, transition, rng.normal(0, 1, 3))


def corpus(seed, shared):
    """Tags drawn from the chain, with a normal effect of sd `shared` on the state potential of NN in each document."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 12, SENTENCES * DOCUMENTS)
    tokens = Attributes.of_words(rng.choice([*WORDS, "unheard"], lengths.sum()))
    model, gold = chain(), []
    effects = np.repeat(rng.normal(0, shared, DOCUMENTS), SENTENCES)
    scores = model.scores(tokens)
    scores[:, 0] += np.repeat(effects, lengths)
    own = LinearChain(
        TAGS, tuple(map(str, range(len(scores)))), np.vstack([scores, np.zeros(3)]), model.transition, model.initial
    )
    numbered = Attributes.of_words(list(map(str, range(len(scores)))))
    gold = own.marginals(numbered, lengths).sample(rng.random((lengths.sum(), 1)))[:, 0]
    units = tuple(f"d{number // SENTENCES}/s{number}" for number in range(len(lengths)))
    return TaggedCorpus(tokens, TAGS, gold, lengths, units)


def rows(shared):
    found = tag_count_rows(chain(), chain(), corpus(1, shared), corpus(2, shared), ["NN", "VB", "JJ"])
    return {(tag, row.posterior): row for tag, row in found}


def test_counts_of_tags_drawn_from_the_chain_are_held_and_nothing_is_shared():
    found = rows(0.0)
    assert {tag for tag, _ in found} == {"NN", "VB"}
    for row in found.values():
        assert row.documents == DOCUMENTS
        assert row.loading < 0.25
        assert abs(row.bias) < 0.3
        assert row.promised >= 0.95
        assert row.held == pytest.approx(row.promised, abs=0.05)


def test_what_documents_share_makes_intervals_too_narrow_and_the_effect_makes_up_for_it():
    found = rows(1.0)
    alone, together = found["NN", "recalibrated"], found["NN", "shared effect"]
    assert alone.held < 0.9 < 0.92 < together.held
    assert alone.width < together.width
    assert together.bias == pytest.approx(alone.bias, abs=0.3)
    assert together.loading > 0.25
