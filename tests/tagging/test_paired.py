"""Two taggers' predictions side by side are those that each has by itself, event for event."""

import numpy as np
import pytest

from nlpcalib.systems.chains.pairs import tag_pairs
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.hmm import fit_hmm
from reproduction.tagging.paired import TaggerOutput, paired_bigrams, paired_tags
from reproduction.tagging.pairs import bigram_pairs, frequent_bigrams


def corpus(*documents):
    return tagged_corpus(
        Document(name, tuple(Sentence(f"s{n}", tuple(w.split()), tuple(t.split())) for n, (w, t) in enumerate(each)))
        for name, *each in documents
    )


TEST = corpus(("z", ("oh the dog", "UH D N"), ("", "")), ("a", ("dogs run", "N V"), ("run", "V")))
FIRST = fit_hmm(corpus(("b", ("the dog runs", "D N V"), ("dogs run", "N V"))), pseudocount=1.0)
SECOND = fit_hmm(corpus(("c", ("run", "V"), ("oh dogs", "UH N"), ("dogs run", "N V"))), pseudocount=0.5)
OUTPUTS = [TaggerOutput(each.marginals(TEST.tokens, TEST.lengths), each.tags) for each in (FIRST, SECOND)]


@pytest.mark.parametrize("place", [0, 1])
def test_each_tag_has_the_predictions_and_labels_of_its_tagger_alone(place):
    """A tag that the tagger does not know happens with probability 0."""
    columns, documents = paired_tags(*OUTPUTS, TEST)
    tags, gold = TEST.gold_in(OUTPUTS[place].tags)
    alone = tag_pairs(OUTPUTS[place].marginals, gold, tags, TEST.units)
    label = np.array(alone.predicted.names)[alone.predicted.codes]
    names = []
    for name, *q, y in columns:
        names.append(name)
        own = label == name
        assert q[place].tolist() == (alone.q[own].tolist() if own.any() else [0.0] * 6)
        assert y.tolist() == (alone.y[own].tolist() if own.any() else [False] * 6)
    assert names == ["D", "N", "UH", "V"]
    assert documents.tolist() == [1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("place", [0, 1])
def test_each_bigram_has_the_predictions_and_labels_of_its_tagger_alone(place):
    columns, documents = paired_bigrams(*OUTPUTS, TEST)
    tags, gold = TEST.gold_in(OUTPUTS[place].tags)
    alone = bigram_pairs(
        OUTPUTS[place].marginals, gold, tags, TEST.units, frequent_bigrams(gold, TEST.lengths, len(tags) ** 2)
    )
    label = np.array(alone.predicted.names)[alone.predicted.codes]
    found = {name: (q[place], y) for name, *q, y in columns}
    assert set(found) == set(label) == {"UH D", "D N", "N V"}
    for name, (q, y) in found.items():
        assert q.tolist() == alone.q[label == name].tolist()
        assert y.tolist() == alone.y[label == name].tolist()
    assert documents.tolist() == [1, 1, 0]
