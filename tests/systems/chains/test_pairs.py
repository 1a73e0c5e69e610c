import dataclasses

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.read import read
from nlpcalib.systems.chains.pairs import tag_pairs
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.hmm import fit_hmm
from reproduction.tagging.pairs import bigram_pairs, frequent_bigrams, iterate_bigrams, one_tag_pairs


def document(name, *sentences):
    return Document(
        name,
        tuple(
            Sentence(f"s{n}", tuple(words.split()), tuple(tags.split())) for n, (words, tags) in enumerate(sentences)
        ),
    )


@pytest.fixture
def train():
    return tagged_corpus([document("b", ("the dog runs", "D N V"), ("dogs run", "N V"), ("run", "V"))])


@pytest.fixture
def test():
    documents = [document("z", ("oh the dog", "UH D N"), ("", "")), document("a", ("dogs run", "N V"), ("run", "V"))]
    return tagged_corpus(documents)


@pytest.fixture
def prediction(train, test):
    chain = fit_hmm(train, pseudocount=1.0)
    tags, gold = test.gold_in(chain.tags)
    return chain.marginals(test.tokens, test.lengths), gold, tags, test.units


def test_a_corpus_is_its_sentences_one_after_the_other(test):
    assert test.tags == ("D", "N", "UH", "V")
    assert test.lengths.tolist() == [3, 0, 2, 1]
    assert test.units == ("z/s0", "z/s1", "a/s0", "a/s1")
    assert [test.tags[code] for code in test.gold] == ["UH", "D", "N", "N", "V", "V"]
    assert [test.tokens.names[code] for code in test.tokens.indices] == ["oh", "the", "dog", "dogs", "run", "run"]
    assert test.second.tolist() == [1, 2, 4]


def test_tags_the_model_has_never_seen_come_after_its_own(train, test):
    tags, gold = test.gold_in(train.tags)
    assert tags == ("D", "N", "V", "UH")
    assert gold.tolist() == [3, 0, 1, 1, 2, 2]


def test_a_subset_is_the_corpus_of_those_sentences(test):
    subset = test.subset(np.array([2, 0]))
    assert subset.units == ("a/s0", "z/s0")
    assert subset.tags == ("D", "N", "UH", "V")
    assert [subset.tokens.names[code] for code in subset.tokens.indices] == ["dogs", "run", "oh", "the", "dog"]
    alone = test.subset(np.array([3, 1]))
    assert (alone.tags, alone.tokens.names, alone.lengths.tolist()) == (("V",), ("run",), [1, 0])
    for beyond in (-1, 4):
        with pytest.raises(InputError, match="corpus of 4"):
            test.subset(np.array([beyond]))


def test_a_sentence_without_its_tags_is_named():
    untagged = Document("wsj_01", (Sentence("7", ("a", "b")),))
    with pytest.raises(InputError, match="document wsj_01, sentence 7: found 0 tags; expected one for each of 2 words"):
        tagged_corpus([untagged])
    with pytest.raises(InputError, match="document d, sentence s0: occurs twice"):
        tagged_corpus([document("d", ("a", "X")), document("d", ("b", "X"))])


def test_every_tag_is_predicted_for_every_token(prediction):
    marginals, gold, tags, units = prediction
    pairs = tag_pairs(marginals, gold, tags, units)
    assert len(pairs.q) == len(gold) * len(tags)
    labels = np.array(pairs.predicted.names)[pairs.predicted.codes].reshape(4, 6)
    assert labels[:, 0].tolist() == ["D", "N", "V", "UH"]
    assert (labels == labels[:, :1]).all()
    q, y = pairs.q.reshape(4, 6), pairs.y.reshape(4, 6)
    np.testing.assert_allclose(q[:3].T, marginals.single, atol=1e-15)
    np.testing.assert_allclose(q.sum(axis=0), 1.0, atol=1e-14)
    assert y.sum(axis=0).tolist() == [1] * 6
    assert q[3].tolist() == [0] * 6
    assert y[3].tolist() == [True] + [False] * 5
    assert [pairs.unit.names[code] for code in pairs.unit.codes[:6]] == ["z/s0"] * 3 + ["a/s0"] * 2 + ["a/s1"]


def test_the_pairs_of_one_tag_are_its_rows_of_all(prediction):
    pairs = tag_pairs(*prediction)
    nouns = one_tag_pairs(pairs, "N")
    np.testing.assert_array_equal(nouns.q, pairs.q.reshape(4, 6)[1])
    assert nouns.y.tolist() == [False, False, True, True, False, False]
    assert nouns.predicted.names == ("N",)
    assert [nouns.unit.names[code] for code in nouns.unit.codes] == ["z/s0"] * 3 + ["a/s0"] * 2 + ["a/s1"]
    assert [nouns.document.names[code] for code in nouns.document.codes] == ["z"] * 3 + ["a"] * 3
    with pytest.raises(InputError, match="found no tag 'X'; expected one of D, N, UH, V"):
        one_tag_pairs(pairs, "X")
    with pytest.raises(InputError, match="expected those of tag_pairs"):
        one_tag_pairs(dataclasses.replace(pairs, document=None), "N")


def test_bigrams_are_ranked_by_gold_frequency():
    gold, lengths = np.array([0, 1, 0, 1, 2, 0, 2, 0, 0, 1]), np.array([5, 0, 3, 2])
    assert frequent_bigrams(gold, lengths, 10) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0)]
    assert frequent_bigrams(gold, lengths, 2) == [(0, 1), (0, 2)]
    odd_twice = np.concatenate([np.arange(300), np.arange(1, 300, 2)]).repeat(2)
    expected = [(tag, tag) for tag in (*range(1, 300, 2), *range(0, 300, 2))]
    assert frequent_bigrams(odd_twice, np.full(450, 2), 200) == expected[:200]
    assert frequent_bigrams(gold[:0], lengths[:0], 2) == []


def test_bigrams_are_predicted_for_consecutive_tokens_of_a_sentence(prediction):
    marginals, gold, tags, units = prediction
    pairs = bigram_pairs(marginals, gold, tags, units, [(1, 2), (3, 0)])
    assert [pairs.predicted.names[code] for code in pairs.predicted.codes] == ["N V"] * 3 + ["UH D"] * 3
    assert [pairs.unit.names[code] for code in pairs.unit.codes] == ["z/s0", "z/s0", "a/s0"] * 2
    np.testing.assert_array_equal(pairs.q, [*marginals.pair(1, 2), 0, 0, 0])
    assert pairs.y.tolist() == [False, False, True, True, False, False]


def test_all_bigrams_together_are_certain(prediction):
    marginals, gold, tags, units = prediction
    columns = list(iterate_bigrams(marginals, gold, tags, units))
    assert len(columns) == len({label for label, _, _ in columns}) == 16
    np.testing.assert_allclose(sum(q for _, q, _ in columns), 1.0, atol=1e-14)
    assert sum(y.astype(int) for _, _, y in columns).tolist() == [1, 1, 1]


def test_no_bigrams_make_no_table(prediction):
    with pytest.raises(InputError, match="found no prediction-label pairs"):
        bigram_pairs(*prediction, [])


def test_pairs_survive_the_file(prediction, tmp_path):
    pairs = tag_pairs(*prediction)
    write_pairs(tmp_path / "pairs.parquet", pairs)
    again = read(tmp_path / "pairs.parquet").pairs()
    np.testing.assert_array_equal(again.q, pairs.q)
    np.testing.assert_array_equal(again.y, pairs.y)
    for column in ("predicted", "unit"):
        one, other = getattr(pairs, column), getattr(again, column)
        assert [one.names[code] for code in one.codes] == [other.names[code] for code in other.codes]


def test_rounding_is_clipped_and_more_than_rounding_is_a_mistake(prediction):
    marginals, *rest = prediction
    rounded = dataclasses.replace(marginals, single=np.where(marginals.single > 0.5, 1 + 1e-13, 0.0))
    assert set(tag_pairs(rounded, *rest).q) <= {0.0, 1.0}
    for wrong in (1 + 1e-11, -1e-11, np.nan):
        broken = dataclasses.replace(marginals, single=np.full_like(marginals.single, wrong))
        with pytest.raises(ArithmeticError, match="expected probabilities"):
            tag_pairs(broken, *rest)


def test_what_does_not_fit_the_marginals_is_refused(prediction):
    marginals, gold, tags, units = prediction
    for arguments, message in (
        ((gold[1:], tags, units), r"gold has shape \(5,\)"),
        ((gold, tags[:2], units), "found 2 tags; the marginals are of 3"),
        ((gold, tags[:3], units), "gold tags are from 0 to 3"),
        ((gold, tags, units[1:]), "found 3 units; the marginals are of 4 sentences"),
    ):
        with pytest.raises(InputError, match=message):
            tag_pairs(marginals, *arguments)


def test_sentences_are_the_units_of_a_file_that_marks_no_documents():
    marked = tagged_corpus([document("a", ("the dog", "D N"), ("run", "V")), document("b", ("run", "V"))])
    unmarked = tagged_corpus([document("a", ("the dog", "D N"), ("run", "V"))])
    assert marked.documents == ("a", "a", "b")
    assert unmarked.documents == unmarked.units == ("a/s0", "a/s1")
