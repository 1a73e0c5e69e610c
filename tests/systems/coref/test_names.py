"""What entities are called, and where their mentions stand in the user's text."""

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.answer.names import entity_names, resolved_text
from nlpcalib.systems.coref.answer.offsets import Offsets
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.coref.model.mentions import Span
from nlpcalib.systems.text.document import Document, Sentence

TEXT = "Mr. Fitzwilliam Darcy 's sister met Darcy . Darcy smiled , and she gave him his hat ."
WORDS = tuple(TEXT.split(" "))
_TAGS = "NNP NNP NNP POS NN VBD NNP . NNP VBD , CC PRP VBD PRP PRP$ NN ."
TAGS = tuple(_TAGS.split(" "))
SPACES = (True, True, False, *[True] * 15)
SPANS = (
    Span(0, 0, 4, 2, "proper"),
    Span(0, 0, 5, 4, "nominal"),
    Span(0, 6, 7, 6, "proper"),
    Span(1, 0, 1, 0, "proper"),
    Span(1, 4, 5, 4, "pronoun"),
    Span(1, 6, 7, 6, "pronoun"),
    Span(1, 7, 8, 7, "pronoun"),
    Span(1, 7, 9, 8, "nominal"),
)
SOURCE = "Mr. Fitzwilliam\r\nDarcy's  sister met Darcy.\r\n\r\n\tDarcy smiled, and she gave him his hat.\n"


def resolution(source=SOURCE, entities=(0, 1, 0, 0, 1, 0, 0, 2), sure=1.0, words=WORDS):
    parts = slice(8), slice(8, None)
    sentences = tuple(Sentence(str(n), words[p], tags=TAGS[p], space_after=SPACES[p]) for n, p in enumerate(parts))
    entities = np.array(entities)
    marginals = np.where(entities[:, None] == entities, sure, 0.0)
    np.fill_diagonal(marginals, 1.0)
    return Resolution(Document("d", sentences, source=source), SPANS, np.tril(marginals, -1), marginals, entities, 0.5)


def test_offsets_cut_the_mentions_out_of_the_users_text():
    offsets = Offsets(resolution().document)
    found = [SOURCE[slice(*offsets.of(span))] for span in SPANS]
    assert found == [
        *("Mr. Fitzwilliam\r\nDarcy's", "Mr. Fitzwilliam\r\nDarcy's  sister", "Darcy", "Darcy"),
        *("she", "him", "his", "his hat"),
    ]


def test_without_a_source_offsets_are_into_the_words():
    offsets = Offsets(resolution(source="").document)
    assert offsets.text == TEXT.replace(" 's", "'s") + " "
    assert [offsets.text[slice(*offsets.of(span))] for span in SPANS[4:]] == ["she", "him", "his", "his hat"]


def test_a_source_without_the_words_is_refused():
    with pytest.raises(InputError, match="document 'd': found no 'hat' after character"):
        Offsets(resolution(source=SOURCE.replace("hat", "cap")).document)


@pytest.mark.parametrize(
    ("gap", "expected"),
    [("\r\n\r\n", "paragraph"), ("\n \t\n", "paragraph"), ("\u2029", "paragraph"), ("\n", "line"), (" ", "")],
)
def test_paragraphs_and_lines_are_those_of_the_text(gap, expected):
    text = " ".join(WORDS[:8]) + gap + " ".join(WORDS[8:])
    assert Offsets(resolution(source=text).document).breaks() == ["", expected]


def test_line_breaks_of_wrapped_text_mean_nothing():
    text = " ".join(WORDS[:2]) + "\n" + " ".join(WORDS[2:5]) + "\n" + " ".join(WORDS[5:8]) + "\n" + "\n".join(WORDS[8:])
    assert Offsets(resolution(source=text).document).breaks() == ["", ""]


def test_entities_are_called_by_the_longest_name_that_is_often_used():
    assert entity_names(resolution()) == ["Mr. Fitzwilliam Darcy", "Mr. Fitzwilliam Darcy's sister", "his hat"]


def test_a_name_that_hardly_belongs_is_none():
    found = resolution()
    found.membership[0] = 0.1
    assert entity_names(found)[0] == "Darcy"


@pytest.mark.parametrize(("support", "name"), [(0.5, "Mr. Fitzwilliam Darcy"), (0.49, "Darcy")])
def test_a_longer_name_has_a_quarter_of_the_support_of_the_best(support, name):
    found = resolution()
    found.membership[[0, 2, 3]] = support, 1, 1
    assert entity_names(found)[0] == name


@pytest.mark.parametrize(("letters", "whole"), [(50, True), (51, False)])
def test_names_of_more_than_sixty_characters_give_way_to_shorter_ones(letters, whole):
    words = (WORDS[0], "F" * letters, *WORDS[2:])
    assert (len(" ".join(words[:3])) <= 60) == whole
    assert entity_names(resolution(source="", words=words))[0] == (" ".join(words[:3]) if whole else "Darcy")


@pytest.mark.parametrize(
    ("text", "tags", "heads", "relations", "head", "name"),
    [
        ("Her aunt , Ana Ruiz", "PRP$ NN , NNP NNP", (2, 0, 2, 2, 4), "nmod:poss root punct appos flat", 1, "Ana Ruiz"),
        ("a deputy , J. Smith", "DT NN , NNP NNP", (2, 0, 2, 2, 4), "det root punct appos flat", 1, "J. Smith"),
        ("her son Jan Novak", "PRP$ NN NNP NNP", (2, 0, 2, 3), "nmod:poss root appos flat", 1, "Jan Novak"),
        ("my son Daniel", "PRP$ NN NNP", (2, 0, 2), "nmod:poss root flat", 1, "Daniel"),
        ("the friend of Ana", "DT NN IN NNP", (2, 0, 4, 2), "det root case nmod", 1, "the friend of Ana"),
        ("JANET PURCELL", "NNP NN", (0, 1), "root flat", 0, "JANET PURCELL"),
    ],
)
def test_a_name_in_apposition_is_the_name_of_its_noun_phrase(text, tags, heads, relations, head, name):
    words = tuple(text.split(" "))
    tags, relations = (tuple(each.split(" ")) for each in (tags, relations))
    sentence = Sentence("1", words, tags=tags, heads=heads, relations=relations)
    kind = "proper" if tags[head] == "NNP" else "nominal"
    spans, one = (Span(0, 0, len(words), head, kind),), np.ones((1, 1))
    found = Resolution(Document("d", (sentence,)), spans, 0 * one, one, np.array([0]), 0.5)
    assert entity_names(found) == [name]


def test_who_only_says_i_has_the_name_of_the_turn():
    turns = (("Mina", "I won"), ("Leo", "I lost"), ("Leo", "“ I am sad ” she said"), ("Mina", "You told me"))
    sentences = tuple(
        Sentence(speaker, tuple(words.split(" ")), tags=("PRP",) * len(words.split(" ")), speaker=speaker)
        for speaker, words in turns
    )
    places = ((0, 0), (1, 0), (2, 1), (2, 5), (3, 0), (3, 2))
    spans = tuple(Span(sentence, word, word + 1, word, "pronoun") for sentence, word in places)
    entities = np.array([0, 1, 2, 2, 1, 0])
    same = (entities[:, None] == entities).astype(float)
    found = Resolution(Document("d", sentences), spans, np.tril(same, -1), same, entities, 0.5)
    assert entity_names(found) == ["Mina", "Leo", "I"]


def test_pronouns_are_replaced_by_names():
    assert resolved_text(resolution()) == (
        "Mr. Fitzwilliam\r\nDarcy's  sister met Darcy.\r\n\r\n\tDarcy smiled, and she gave "
        "Mr. Fitzwilliam Darcy Mr. Fitzwilliam Darcy's hat.\n"
    )
    assert resolved_text(resolution(sure=0.4)) == SOURCE


def entity_of(text, spans, entities, marginals=None, tags=None):
    """Return a resolution of one sentence whose mentions of an entity are as sure as `marginals` has it."""
    words = tuple(text.split(" "))
    sentence = Sentence("1", words, tags=tuple(tags.split(" ")) if tags else (), space_after=(True,) * len(words))
    entities = np.array(entities)
    sure = (entities[:, None] == entities).astype(float) if marginals is None else np.array(marginals)
    return Resolution(Document("d", (sentence,)), tuple(spans), np.tril(sure, -1), sure, entities, 0.5)


def test_no_pronoun_names_what_has_a_noun_and_no_noun_replaces_a_pronoun():
    spans = [Span(0, 0, 2, 1, "nominal"), Span(0, 3, 4, 3, "pronoun"), Span(0, 5, 6, 5, "pronoun")]
    text = "The dean called he shouted his wife cried"
    for marginals in ([[1, 0.3, 0.3], [0.3, 1, 0.9], [0.3, 0.9, 1]], None):
        found = entity_of(text, spans, [0, 0, 0], marginals)
        assert entity_names(found) == ["The dean"]
        assert resolved_text(found) == f"{text} "


def test_a_pronoun_is_replaced_by_the_name_that_it_most_probably_means():
    spans = [Span(0, 0, 1, 0, "proper"), Span(0, 2, 3, 2, "proper"), Span(0, 4, 5, 4, "pronoun")]
    marginals = [[1, 0.93, 0.91], [0.93, 1, 0.95], [0.91, 0.95, 1]]
    found = entity_of("Tom met Bob . He slept", spans, [0, 0, 0], marginals, tags="NNP VBD NNP . PRP VBD")
    assert resolved_text(found) == "Tom met Bob . Bob slept "


@pytest.mark.parametrize(
    ("text", "tags", "replaced"),
    [
        ("Ana saw her", "NNP VBD PRP", "Ana saw Ana "),
        ("Ana saw her dog", "NNP VBD PRP$ NN", "Ana saw Ana's dog "),
        ("Ana kept hers", "NNP VBD PRP", "Ana kept Ana's "),
        ("Ana saw herself", "NNP VBD PRP", "Ana saw herself "),
    ],
)
def test_a_place_has_its_case(text, tags, replaced):
    found = entity_of(text, [Span(0, 0, 1, 0, "proper"), Span(0, 2, 3, 2, "pronoun")], [0, 0], tags=tags)
    assert resolved_text(found) == replaced
