"""Scores of parsers, against counts made by hand."""

from collections import Counter

import pytest

from nlpcalib.systems.text.document import Document, Sentence
from reproduction.parsing.evaluation import count_matches, parser_scores

GOLD = Document(
    "a",
    (
        Sentence(
            "a-1",
            ("He", "was", "n't", "hit", "by", "us", "."),
            tags=("PRP", "VBD", "RB", "VBN", "IN", "PRP", "."),
            lemmas=("he", "be", "not", "hit", "by", "we", "."),
            heads=(4, 4, 4, 0, 6, 4, 4),
            relations=("nsubj:pass", "aux:pass", "advmod", "root", "case", "obl:agent", "punct"),
            space_after=(True, False, True, True, True, False, True),
        ),
        Sentence("a-2", ("No",), tags=("UH",), lemmas=("no",), heads=(0,), relations=("root",)),
    ),
)
PARSED = Document(
    "a",
    (
        Sentence(
            "a-1",
            ("He", "wasn't", "hit", "by", "us"),
            tags=("PRP", "VBD", "VBD", "IN", "PRP"),
            lemmas=("he", "be", "hit", "by", "us"),
            heads=(3, 3, 0, 5, 3),
            relations=("nsubj", "aux:pass", "root", "case", "obl:agent"),
        ),
        Sentence(
            "a-2",
            (".", "No"),
            tags=(".", "UH"),
            lemmas=(".", "no"),
            heads=(2, 0),
            relations=("punct", "root"),
        ),
    ),
)


def test_text_has_white_space_where_it_stood():
    assert GOLD.text == "He wasn't hit by us. No "


def test_counts_are_those_made_by_hand():
    found = count_matches(GOLD, PARSED)
    assert {
        name: found[f"{name}_both"] for name in ("words", "sentences", "tags", "lemmas", "uas", "las", "agents")
    } == {
        "words": 6,  # He hit by us . No
        "sentences": 0,
        "tags": 5,  # not that of hit
        "lemmas": 5,  # not that of us
        "uas": 5,  # not that of the full stop
        "las": 4,  # nor the relation of He
        "agents": 1,
    }
    assert (found["words_gold"], found["words_parsed"]) == (8, 7)
    assert (found["agents_gold"], found["agents_parsed"]) == (1, 1)


def test_an_agent_with_another_head_is_wrong():
    sentence = PARSED.sentences[0]
    moved = Document("a", (Sentence(**{**fields(sentence), "heads": (3, 3, 0, 5, 2)}), PARSED.sentences[1]))
    assert count_matches(GOLD, moved)["agents_both"] == 0


def fields(sentence):
    return {name: getattr(sentence, name) for name in sentence.__slots__}


def test_scores_are_f1_over_all_documents():
    found = parser_scores([count_matches(GOLD, PARSED), count_matches(GOLD, GOLD)])
    assert found["words"] == pytest.approx(2 * (6 + 8) / (8 + 7 + 8 + 8))
    assert found["sentences"] == pytest.approx(2 * 2 / 8)
    assert found["agents"] == 1


def test_a_document_against_itself_is_perfect():
    assert set(parser_scores([count_matches(GOLD, GOLD)]).values()) == {1}


def test_without_any_unit_there_is_no_score():
    assert parser_scores([Counter(agents_both=0, agents_gold=0, agents_parsed=0)]) == {"agents": None}
