"""Mentions found from tags and trees, and those that corpora annotate."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.mentions import MENTION_KINDS, Span, candidate_mentions, entities_of, gold_mentions
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.document import Document, Mention, Sentence
from reproduction.coref.clusters import gold_clusters
from reproduction.corpora.prepare import prepare
from reproduction.corpora.readers.ontogum import read_ontogum

ROOT = Path(__file__).parents[3]


def document(rows: str, *mentions: Mention) -> Document:
    """Make a document of one sentence; rows are word/tag/head/relation."""
    words, tags, heads, relations = zip(*(row.split("/") for row in rows.split()), strict=True)
    sentence = Sentence("d-1", words, tags, heads=tuple(map(int, heads)), relations=relations)
    return Document("d", (sentence,), mentions)


def found(rows: str) -> dict[str, str]:
    """Return the kind of every candidate by its words."""
    one = document(rows)
    words = one.sentences[0].words
    return {" ".join(words[span.start : span.end]): span.kind for span in candidate_mentions(one)}


OWNER = "Ana/NNP/3/nmod:poss 's/POS/1/case boat/NN/5/nsubj has/VBZ/5/aux sunk/VBN/0/root ././5/punct"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (OWNER, {"Ana 's": "proper", "Ana 's boat": "nominal"}),
        (
            "on/IN/4/case the/DT/4/det old/JJ/4/amod boat/NN/0/root of/IN/6/case theirs/PRP/4/nmod ,/,/4/punct",
            {"the old boat of theirs": "nominal", "theirs": "pronoun"},
        ),
        (
            "Leila/NNP/6/nsubj ,/,/4/punct a/DT/4/det clerk/NN/1/appos ,/,/4/punct sold/VBD/0/root it/PRP/6/obj",
            {"Leila , a clerk ,": "proper", "it": "pronoun"},
        ),
        (
            "the/DT/2/det boat/NN/0/root that/WDT/4/obj sank/VBD/2/acl:relcl ././2/punct",
            {"the boat that sank": "nominal"},
        ),
        (
            "Ana/NNP/8/nsubj and/CC/3/cc friends/NNS/1/conj of/IN/5/case hers/PRP/1/nmod from/IN/7/case "
            "Rome/NNP/1/nmod sail/VBP/0/root",
            {
                "Ana": "proper",
                "Ana and friends of hers from Rome": "nominal",
                "friends": "nominal",
                "hers": "pronoun",
                "Rome": "proper",
            },
        ),
        (
            "both/CC/2/cc:preconj Ana/NNP/5/nsubj and/CC/4/cc Leo/NNP/2/conj sail/VBP/0/root",
            {"Ana": "proper", "both Ana and Leo": "nominal", "Leo": "proper"},
        ),
        (
            "Oslo/NNP/2/compound police/NNS/4/nsubj are/VBP/4/cop friends/NNS/0/root today/NN/4/obl:unmarked",
            {"Oslo": "proper", "Oslo police": "nominal", "friends": "nominal", "today": "nominal"},
        ),
        (
            "President/NNP/2/compound Ana/NNP/4/nsubj Ruiz/NNP/2/flat sat/VBD/0/root",
            {"President Ana Ruiz": "proper"},
        ),
        ("it/PRP/2/expl rains/VBZ/0/root", {}),
        ("there/EX/2/expl rains/VBZ/0/root", {}),
        ("This/DT/2/nsubj sank/VBD/0/root", {"This": "demonstrative"}),
        ("this/DT/2/det boat/NN/0/root", {"this boat": "nominal"}),
        ("all/DT/0/root of/IN/3/case us/PRP/1/nmod", {"us": "pronoun"}),
        ("all/DT/4/nsubj of/IN/3/case us/PRP/1/nmod sat/VBD/0/root", {"all of us": "nominal", "us": "pronoun"}),
        ("the/DT/2/det first/JJ/3/nsubj sank/VBD/0/root", {"the first": "nominal"}),
        ("fast/JJ/2/nsubj sank/VBD/0/root", {}),
        (
            "her/PRP$/6/nmod:poss ``/``/6/punct City/NNP/6/compound of/IN/5/case Sun/NNP/3/nmod house/NN/0/root",
            {"her `` City of Sun house": "nominal", "her": "pronoun", "City of Sun": "proper", "Sun": "proper"},
        ),
        (
            "the/DT/3/det ``/``/3/punct Sun/NNP/0/root ''/''/3/punct ././3/punct",
            {"the `` Sun ''": "proper"},
        ),
        ("a/DT/4/det very/RB/3/advmod um/UH/4/discourse boat/NN/0/root", {"a very um boat": "nominal"}),
    ],
)
def test_noun_phrases(rows, expected):
    assert found(rows) == expected


def test_a_coordination_is_headed_by_its_conjunction():
    [first, both, second] = candidate_mentions(document("Ana/NNP/4/nsubj and/CC/3/cc Leo/NNP/1/conj sail/VBP/0/root"))
    assert (first.head, both.head, second.head) == (0, 1, 2)


@pytest.mark.parametrize("spans_of", [candidate_mentions, gold_mentions])
def test_lemmas_and_universal_tags_are_not_needed_but_tags_and_trees_are(spans_of):
    """In every sentence: a table of mentions speaks of words around them too."""
    first = document("Ana/NNP/2/nsubj sails/VBZ/0/root", Mention(0, 0, 1, "1"))
    for sentence, lacking in ((Sentence("d-2", ("a",)), "tags"), (Sentence("d-2", ("a",), ("NN",)), "tree")):
        with pytest.raises(InputError) as refused:
            spans_of(replace(first, sentences=(*first.sentences, sentence)))
        message = str(refused.value)
        assert message.startswith(f"document 'd', sentence 'd-2': found no {lacking}, expected ")
        assert "`parsed: true`" in message


def test_gold_mentions_have_the_heads_that_candidates_have():
    rows = "Ana/NNP/4/nsubj and/CC/3/cc Leo/NNP/1/conj sail/VBP/0/root ././4/punct"
    one = document(rows, Mention(0, 0, 1, "1"), Mention(0, 0, 3, "2"), Mention(0, 3, 4, "3"))
    assert gold_mentions(one) == [
        Span(0, 0, 1, 0, "proper"),
        Span(0, 0, 3, 1, "nominal"),
        Span(0, 3, 4, 3, "nominal"),
    ]


def test_entities_are_those_of_the_same_words():
    one = document(OWNER, Mention(0, 0, 2, "7"), Mention(0, 0, 4, "8"), Mention(0, 0, 2, "9"))
    assert entities_of(candidate_mentions(one), one) == ["7", None]
    assert gold_clusters(one) == [[(0, 0, 2)], [(0, 0, 4)], [(0, 0, 2)]]
    assert len(gold_mentions(one)) == 2


@st.composite
def sentences(draw):
    size = draw(st.integers(1, 8))
    tags = st.sampled_from(("NN", "NNP", "PRP", "PRP$", "DT", "CC", "POS", "JJ", "''", "``", "VB"))
    names = st.sampled_from(("nsubj", "conj", "cc", "nmod", "appos", "case", "punct", "flat", "compound", "det"))
    column = lambda values: draw(st.lists(values, min_size=size, max_size=size).map(tuple))  # noqa: E731
    return Sentence("d-1", ("w",) * size, column(tags), heads=column(st.integers(0, size)), relations=column(names))


TAGGED_AS_PRONOUN = Sentence(
    "d-1", ("w",) * 3, ("NN", "PRP$", "NN"), heads=(0, 3, 1), relations=("nsubj", "cc", "conj")
)
"""A conjunction with a pronoun's tag."""


@given(sentences())
@example(TAGGED_AS_PRONOUN)
def test_whatever_the_tree_spans_hold_their_heads_and_are_in_order(sentence):
    spans = candidate_mentions(Document("d", (sentence,)))
    assert spans == sorted(spans)
    assert len({span.head for span in spans}) == len({(span.start, span.end) for span in spans}) == len(spans)
    for span in spans:
        assert 0 <= span.start <= span.head < span.end <= len(sentence.words)
        assert span.kind in MENTION_KINDS


def test_every_mention_of_the_newsroom_is_a_candidate_with_the_same_head():
    for report in Newsroom(seed=3).reports(0, 200):
        gold = gold_mentions(report.document)
        assert set(gold) <= set(candidate_mentions(report.document))


@pytest.mark.slow
def test_most_mentions_of_ontogum_are_candidates(retrieved, tmp_path):
    archive = retrieved("ontogum_v11.1")
    prepare(read_ontogum, archive, {"test": tmp_path / "test.conllu"})
    right = gold = candidates = 0
    for one in read_conllu(tmp_path / "test.conllu"):
        spans, expected = (
            {(span.sentence, span.start, span.end) for span in spans_of(one)}
            for spans_of in (candidate_mentions, gold_mentions)
        )
        right += len(spans & expected)
        candidates += len(spans)
        gold += len(expected)
    # 2 % are verbs, which are no candidates; singletons are not annotated.
    assert right / gold > 0.93
    assert right / candidates > 0.4
