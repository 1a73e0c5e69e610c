"""Constituent trees and the dependencies that they become."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.mentions import candidate_mentions, gold_mentions
from nlpcalib.systems.text.mentions import BracketError
from reproduction.corpora.conll2012.constituents import Constituent, parse_tree
from reproduction.corpora.conll2012.head_rules import dependencies
from reproduction.corpora.ontonotes import parse_conll, read_conll

OSLO = Path(__file__).parents[1] / "data" / "corpora" / "oslo.v4_gold_conll"


def test_bits_make_a_tree():
    word = [Constituent("", number, number + 1) for number in range(3)]
    tree = parse_tree(["(S(NP-SBJ-1*", "*)", "(VP*))"])
    assert (tree.label, tree.start, tree.end) == ("S", 0, 3)
    subject, verb = tree.children
    assert (subject.label, subject.start, subject.end) == ("NP", 0, 2)
    assert [(child.label, child.start) for child in subject.children] == [("", 0), ("", 1)]
    assert (verb.label, verb.children[0].end) == ("VP", word[2].end)


def test_a_column_without_brackets_is_no_tree():
    assert parse_tree(["*", "*"]) is None
    assert parse_tree(["-", "-"]) is None


@pytest.mark.parametrize(
    ("bits", "word", "message"),
    [
        (["(S(NP*)", "*"], 0, "found (S opened, expected its closing )"),
        (["(S*", "(VP*"], 1, "found (VP opened, expected its closing )"),
        (["(S*)", "*)"], 1, "found '*)' outside of the tree"),
        (["(S*))"], 0, "found '(S*))', expected no more closing brackets"),
        (["(S*)", "(NP*)"], 1, "found (NP after the tree's end, expected one tree"),
        (["*", "(S*)"], 0, "found '*' outside of the tree"),
        (["(S", "*)"], 0, "found '(S', expected brackets around *"),
        (["(S*)(NP*)"], 0, "expected brackets around *"),
        (["((*))"], 0, "expected brackets around *"),
        (["(NP" * 201 + "*" + ")" * 201], 0, "found more than 200 brackets open"),
    ],
)
def test_bits_that_are_no_tree_are_refused_with_their_word(bits, word, message):
    with pytest.raises(BracketError) as error:
        parse_tree(bits)
    assert error.value.word == word
    assert message in str(error.value)


def test_a_file_with_a_broken_tree_is_refused_with_its_line():
    text = OSLO.read_text().replace("(TOP(S(NP(NP*", "(TOP(S(NP(NP", 1)
    with pytest.raises(InputError, match=r"^x, line 2: parse: found '\(TOP\(S\(NP\(NP', expected brackets around \*"):
        list(parse_conll(io.BytesIO(text.encode()), "x"))


def of(penn: str) -> list[tuple[str, str, str]]:
    """Return (word, head, relation) for a tree in the notation of the Penn Treebank."""
    words, tags, bits, opened = [], [], [], ""
    tokens = penn.replace("(", " ( ").replace(")", " ) ").split()
    for before, token in zip(["", *tokens], tokens, strict=False):
        if token == ")":
            bits[-1] += ")"
        elif before == "(":
            opened += f"({token}"
        elif token != "(":
            opened, _, tag = opened.rpartition("(")
            words.append(token)
            tags.append(tag)
            bits.append(opened + "*")
            opened = ""
    # A word's own bracket is not a bit.
    heads, relations = dependencies(parse_tree([bit.replace(")", "", 1) for bit in bits]), words, tags)
    return [(word, ("root", *words)[head], name) for word, head, name in zip(words, heads, relations, strict=True)]


def test_a_transitive_clause():
    assert of("(S (NP (DT The) (NN dog)) (VP (VBZ gives) (NP (PRP me)) (NP (DT a) (JJ red) (NN ball))) (. .))") == [
        ("The", "dog", "det"),
        ("dog", "gives", "nsubj"),
        ("gives", "root", "root"),
        ("me", "gives", "iobj"),
        ("a", "ball", "det"),
        ("red", "ball", "amod"),
        ("ball", "gives", "obj"),
        (".", "gives", "punct"),
    ]


def test_a_passive_with_its_agent_and_auxiliaries():
    tree = """(S (NP (NNP Lake) (NNP Oslo)) (VP (MD must) (RB not) (VP (VB be) (VP (VBN crossed)
              (PP (IN by) (NP (NNS boats)))))))"""
    assert of(tree) == [
        ("Lake", "Oslo", "flat"),
        ("Oslo", "crossed", "nsubj:pass"),
        ("must", "crossed", "aux"),
        ("not", "crossed", "advmod"),
        ("be", "crossed", "aux:pass"),
        ("crossed", "root", "root"),
        ("by", "boats", "case"),
        ("boats", "crossed", "obl:agent"),
    ]


def test_a_nominal_predicate_has_the_subject_and_the_copula():
    tree = "(S (NP (PRP She)) (VP (VBZ is) (NP (NP (DT the) (NN head)) (PP (IN of) (NP (PRP it))))))"
    assert of(tree) == [
        ("She", "head", "nsubj"),
        ("is", "head", "cop"),
        ("the", "head", "det"),
        ("head", "root", "root"),
        ("of", "it", "case"),
        ("it", "head", "nmod"),
    ]


def test_existence_has_a_subject_and_an_expletive():
    tree = "(S (NP (EX There)) (VP (VBP are) (NP (NNS boats)) (PP (IN at) (NP (NN sea)))))"
    assert of(tree)[:3] == [("There", "are", "expl"), ("are", "root", "root"), ("boats", "are", "nsubj")]


def test_coordination_hangs_on_the_first_conjunct():
    tree = "(NP (NP (DT the) (NN boat)) (, ,) (NP (DT the) (NN oar)) (CC and) (NP (NNP Ana) (POS 's)))"
    assert of(tree) == [
        ("the", "boat", "det"),
        ("boat", "root", "root"),
        (",", "oar", "punct"),
        ("the", "oar", "det"),
        ("oar", "boat", "conj"),
        ("and", "Ana", "cc"),
        ("Ana", "boat", "conj"),
        ("'s", "Ana", "case"),
    ]


def test_clauses_within_clauses():
    tree = """(S (SBAR (IN If) (S (NP (PRP it)) (VP (VBZ rains)))) (NP (PRP we)) (VP (VBP want) (S (VP (TO to)
              (VP (VB know) (SBAR (IN that) (S (NP (NN help)) (VP (VBZ comes)))))))))"""
    assert of(tree) == [
        ("If", "rains", "mark"),
        ("it", "rains", "nsubj"),
        ("rains", "want", "advcl"),
        ("we", "want", "nsubj"),
        ("want", "root", "root"),
        ("to", "know", "mark"),
        ("know", "want", "xcomp"),
        ("that", "comes", "mark"),
        ("help", "comes", "nsubj"),
        ("comes", "know", "ccomp"),
    ]


def test_appositions_possessors_and_numbers():
    tree = """(NP (NP (NP (NNP Ana) (POS 's)) (CD two) (NN shop) (NNS doors)) (, ,) (NP (DT both) (JJ red)) (, ,))"""
    assert of(tree) == [
        ("Ana", "doors", "nmod:poss"),
        ("'s", "Ana", "case"),
        ("two", "doors", "nummod"),
        ("shop", "doors", "compound"),
        ("doors", "root", "root"),
        (",", "doors", "punct"),
        ("both", "red", "det"),
        ("red", "doors", "appos"),
        (",", "red", "punct"),
    ]


def test_every_mention_of_the_fixture_is_found_from_its_dependencies():
    [document] = read_conll(OSLO)
    assert len(document.mentions) == 33
    assert set(gold_mentions(document)) <= set(candidate_mentions(document))
    assert [sentence.speaker for sentence in document.sentences][4:7] == ["The_brother", None, "the_president"]


LABELS = ("S", "SBAR", "SINV", "SQ", "VP", "NP", "PP", "ADJP", "ADVP", "PRN", "QP", "WHNP", "UCP", "X", "FRAG")
TAGS = ("NN", "NNP", "PRP", "DT", "JJ", "IN", "TO", "CC", "CD", "VBZ", "VBN", "MD", "RB", "POS", "EX", ",", "``", "UH")


@st.composite
def trees(draw):
    shape = draw(st.recursive(st.just(0), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=12))
    size = 0

    def build(node) -> Constituent:
        nonlocal size
        start = size
        if node == 0:
            size += 1
            return Constituent("", start, size)
        children = [build(child) for child in node]
        return Constituent(draw(st.sampled_from(LABELS)), start, size, children)

    tree = build(shape)
    words = [draw(st.sampled_from(("is", "by", "that", "x"))) for _ in range(size)]
    return tree, words, [draw(st.sampled_from(TAGS)) for _ in range(size)]


@given(trees())
def test_any_tree_becomes_a_dependency_tree(drawn):
    heads, relations = dependencies(*drawn)
    assert len(heads) == len(relations) == len(drawn[1])
    assert [head == 0 for head in heads] == [name == "root" for name in relations]
    assert heads.count(0) == 1
    for word in range(len(heads)):
        seen = set()
        while heads[word]:
            assert word not in seen
            seen.add(word)
            word = heads[word] - 1


def test_a_noun_phrase_that_ends_with_a_noun_of_time_is_an_adverbial():
    """*This week* stands where an object would; in *time travel* the noun of time does not end the phrase."""
    tree = "(S (NP (DT The) (NN mayor)) (VP (VBD met) (NP (NNS voters)) (NP (DT this) (NN week))))"
    assert of(tree)[-2:] == [("this", "week", "det"), ("week", "met", "obl:unmarked")]
    assert of("(S (NP (NN Time) (NN travel)) (VP (VBZ fails)))")[1] == ("travel", "fails", "nsubj")
