"""Lemmas: the treebank's own where it has the form, the regular inflection undone where it does not."""

import pytest
import spacy
from spacy.tokens import Doc

from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.parsing.lemmas import COMPONENT
from reproduction.parsing.training import add_lemmas


def document(*rows):
    words, tags, lemmas = zip(*(row.split("/") for row in rows), strict=True)
    return Document("a", (Sentence("a-1", words, tags, lemmas),))


def pipeline(*rows):
    nlp = spacy.blank("en")
    nlp.add_pipe(COMPONENT)
    add_lemmas(nlp.vocab.lookups, [document(*rows)])
    return nlp


def lemma(nlp, word, tag):
    return nlp.get_pipe(COMPONENT)(Doc(nlp.vocab, words=[word], tags=[tag]))[0].lemma_


TREEBANK = """
bomb/NN/bomb fought/VBD/fight saw/VBD/see saw/VBD/see saw/VBD/saw hope/VB/hope hop/VB/hop People/NNS/person raid/VB/raid
big/JJ/big Iraq/NNP/Iraq Kingdoms/NNPS/Kingdom 's/VBZ/be 's/POS/'s
"""
NLP = pipeline(*TREEBANK.split())


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("fought", "VBD", "fight"),
        ("Fought", "VBD", "fight"),
        ("saw", "VBD", "see"),  # the more frequent one
        ("people", "NNS", "person"),
        ("'s", "VBZ", "be"),
        ("'s", "POS", "'s"),
        ("Iraq", "NNP", "Iraq"),
        ("Attacks", "NNP", "Attacks"),
    ],
)
def test_forms_of_the_treebank_have_its_lemmas(word, tag, expected):
    assert lemma(NLP, word, tag) == expected


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("bombed", "VBN", "bomb"),  # known as a noun
        ("raiding", "VBG", "raid"),
        ("hoped", "VBD", "hope"),
        ("hopping", "VBG", "hop"),
        ("bigger", "JJR", "big"),
        ("biggest", "JJS", "big"),
    ],
)
def test_a_known_lemma_settles_what_an_unknown_form_is_of(word, tag, expected):
    assert lemma(NLP, word, tag) == expected


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("attacked", "VBD", "attack"),
        ("kidnapped", "VBN", "kidnap"),
        ("shelled", "VBD", "shell"),
        ("assassinated", "VBN", "assassinate"),
        ("denied", "VBD", "deny"),
        ("striking", "VBG", "strike"),
        ("shooting", "VBG", "shoot"),
        ("clashes", "VBZ", "clash"),
        ("allies", "NNS", "ally"),
        ("troops", "NNS", "troop"),
        ("Israelis", "NNPS", "Israeli"),
        ("heaviest", "JJS", "heavy"),
        ("sing", "VBG", "sing"),
        ("class", "NNS", "class"),
        ("The", "DT", "the"),
    ],
)
def test_otherwise_the_regular_inflection_is_undone(word, tag, expected):
    assert lemma(NLP, word, tag) == expected


def test_tables_travel_with_the_pipeline(tmp_path):
    NLP.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    assert lemma(again, "fought", "VBD") == "fight"
    assert lemma(again, "bombed", "VBN") == "bomb"
