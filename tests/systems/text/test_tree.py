"""The tree of a sentence agrees with its definition, word by word, and every walk in it ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.tree import Tree, check_trees, tree_of


@st.composite
def sentences(draw):
    """Sentences with any heads, so that some have cycles, words of their own as heads, or several roots."""
    size = draw(st.integers(1, 8))
    relations = draw(st.lists(st.sampled_from(["nsubj", "nsubj:pass", "conj", "cc"]), min_size=size, max_size=size))
    heads = draw(st.lists(st.integers(0, size), min_size=size, max_size=size))
    return Sentence("1", ("W",) * size, ("NN",) * size, heads=tuple(heads), relations=tuple(relations))


def is_above(sentence, high, low):
    """Return whether one word is above another: the definition, by a set of those that were passed."""
    passed, word = set(), sentence.heads[low] - 1
    while word >= 0 and word not in passed:
        passed.add(word)
        word = sentence.heads[word] - 1
    return high in passed


@given(sentences())
def test_words_are_where_the_heads_put_them(sentence):
    tree, words = Tree(sentence), range(len(sentence.words))
    low, high = tree.extents
    for word in words:
        assert tree.children[word] == [child for child in words if sentence.heads[child] == word + 1]
        assert set(tree.ancestors(word)) == {other for other in words if is_above(sentence, other, word)}
        subtree = [word, *(other for other in words if is_above(sentence, word, other))]
        assert (low[word], high[word]) == (min(subtree), max(subtree))


@given(sentences())
def test_dependents_have_one_of_the_relations_with_their_subtype_or_without(sentence):
    tree = Tree(sentence)
    for word, children in enumerate(tree.children):
        subjects = [child for child in children if sentence.relations[child].startswith("nsubj")]
        passive = [child for child in children if sentence.relations[child] == "nsubj:pass"]
        assert tree.dependents(word, "nsubj") == subjects
        assert tree.dependents(word, "nsubj:pass") == passive


@given(sentences(), st.data())
def test_the_head_of_a_span_lies_in_it(sentence, data):
    start = data.draw(st.integers(0, len(sentence.words) - 1))
    end = data.draw(st.integers(start + 1, len(sentence.words)))
    assert start <= Tree(sentence).span_head(start, end) < end


def test_a_coordination_is_headed_by_its_conjunction_and_a_part_of_it_is_not():
    words, tags = ("Ana", "and", "Leo", "sail"), ("NNP", "CC", "NNP", "VBP")
    tree = Tree(Sentence("1", words, tags, heads=(4, 3, 1, 0), relations=("nsubj", "cc", "conj", "root")))
    assert (tree.span_head(0, 3), tree.span_head(0, 1), tree.span_head(2, 3)) == (1, 0, 2)
    assert (tree.conjunction(0), tree.conjunction(2)) == (1, None)


def test_sentences_that_are_equal_share_a_tree():
    one, same = (Sentence("1", ("go",), ("VB",), heads=(0,), relations=("root",)) for _ in range(2))
    assert tree_of(one) is tree_of(same)


@pytest.mark.parametrize(("column", "lacking"), [("tags", "tags"), ("heads", "tree"), ("relations", "tree")])
def test_a_sentence_without_tags_or_tree_is_refused(column, lacking):
    columns = {"tags": ("VB",), "heads": (0,), "relations": ("root",)} | {column: ()}
    with pytest.raises(InputError, match=f"document 'd', sentence '1': found no {lacking}, expected Penn tags"):
        check_trees(Document("d", (Sentence("1", ("go",), **columns),)))


def test_a_comma_before_the_conjunction_is_none():
    words, tags = ("Ana", ",", "and", "Leo", "sail"), ("NNP", ",", "CC", "NNP", "VBP")
    relations = ("nsubj", "punct", "cc", "conj", "root")
    assert Tree(Sentence("1", words, tags, heads=(5, 4, 4, 1, 0), relations=relations)).conjunction(0) == 2
