"""The parser in the package, on all kinds of text."""

import dataclasses
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import parse_conllu, write_conllu
from nlpcalib.systems.text.document import Document, Mention, Sentence
from nlpcalib.systems.text.parsing import load_parser
from nlpcalib.systems.text.parsing.text import pieces


@pytest.fixture(scope="module")
def parser():
    return load_parser()


def parse(parser, text):
    [document] = parser.parse_texts([("a", text)])
    return document


def triples(document):
    return {
        (relation, sentence.words[head - 1] if head else "", word)
        for sentence in document.sentences
        for word, head, relation in zip(sentence.words, sentence.heads, sentence.relations, strict=True)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Iraqi troops attacked the city.", {("nsubj", "attacked", "troops"), ("obj", "attacked", "city")}),
        (
            "The village was attacked by American forces.",
            {("nsubj:pass", "attacked", "village"), ("obl:agent", "attacked", "forces")},
        ),
        ("Iraq's army fled to Syria.", {("nmod:poss", "army", "Iraq"), ("obl", "fled", "Syria")}),
        ("The president of France did not go.", {("nmod", "president", "France"), ("nsubj", "go", "president")}),
        ("The men who attacked Kuwait have fled.", {("acl:relcl", "men", "attacked"), ("nsubj", "fled", "men")}),
    ],
)
def test_what_events_hang_on_is_found(parser, text, expected):
    assert expected <= triples(parse(parser, text))


def test_verbs_have_their_lemmas(parser):
    document = parse(parser, "They attacked. She was bombing it. He fought and struck.")
    lemmas = [lemma for sentence in document.sentences for lemma in sentence.lemmas]
    assert {"attack", "bomb", "fight", "strike"} <= set(lemmas)


def test_contractions_and_possessives_are_words_of_their_own(parser):
    sentence = parse(parser, "He can't see John's non-profit, I wanna say!!").sentences[0]
    expected = "He ca n't see John 's non-profit , I wan na say !!"
    assert " ".join(sentence.words) == expected


def test_no_sentence_of_edited_text_ends_without_a_mark(parser):
    text = "The army of Ivory Coast and the military of Burkina Faso fought in Mali. They met Zine El Abidine Ben Ali."
    document = next(iter(parser.parse_texts([("d", text)], edited=True)))
    assert [sentence.words[-1] for sentence in document.sentences] == [".", "."]


def test_a_paragraph_that_ends_in_a_mark_has_no_sentence_that_ends_without_one(parser):
    text = "Mrs Dorothy Pryce had kept the house at Wick End. She slept badly.\n\nsee you tmrw"
    document = next(iter(parser.parse_texts([("d", text)], edited=None)))
    assert [sentence.words[-1] for sentence in document.sentences] == [".", ".", "tmrw"]


@pytest.mark.parametrize("edited", [True, False, None])
@pytest.mark.parametrize(("opening", "closing"), [('"', '"'), ("“", "”"), ("(", ")")])
def test_no_mark_that_opens_a_quotation_is_a_sentence(parser, edited, opening, closing):
    text = f"She slept badly. {opening}We saw the doctor,{closing} said Ned. He left."
    document = next(iter(parser.parse_texts([("d", text)], edited=edited)))
    assert [sentence.words[0] for sentence in document.sentences] == ["She", opening, "He"]


def test_a_heading_on_a_line_of_its_own_may_be_a_sentence_of_edited_text(parser):
    text = "Attack in Paris\nTwo men were hurt today."
    lines, plain = (list(parser.parse_texts([("d", text)], edited=edited)) for edited in (True, False))
    assert lines == plain


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not(parser):
    document = parse(parser, "Attack in Paris\n\nTwo men were\nhurt today.")
    assert [" ".join(sentence.words) for sentence in document.sentences] == [
        "Attack in Paris",
        "Two men were hurt today .",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "...!?",
        "\x00\x01",
        "😀 👍🏽👨‍👩‍👧",
        "_",
        "\u200b",
        "مرحبا بالعالم",
        "a" * 12_000,
        "-" * 12_000,
        "( " * 4000,
        "http://a.b/" + "c" * 3000,
    ],
)
def test_no_text_is_too_strange(parser, text):
    document = parse(parser, text)
    assert "".join(document.text.split()) == "".join("".join(pieces(text)).split())
    if document.sentences:
        buffer = io.StringIO()
        write_conllu(buffer, [document])
        assert list(parse_conllu(io.BytesIO(buffer.getvalue().encode()), "a")) == [document]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_words_and_spaces_give_the_text_back(parser, text):
    assert parse(parser, text).text == "".join(pieces(text))


def test_every_text_is_a_document_in_order_even_if_empty_or_of_the_same_id(parser):
    texts = [("b", "One. Two."), ("a", ""), ("a", ""), ("a", "Three."), ("a", "Four.")]
    documents = list(parser.parse_texts(texts))
    assert [document.id for document in documents] == ["b", "a", "a", "a", "a"]
    assert [len(document.sentences) for document in documents] == [2, 0, 0, 1, 1]
    assert [sentence.id for sentence in documents[0].sentences] == ["b-1", "b-2"]


def test_the_batch_size_changes_nothing(parser):
    texts = [(str(number), f"Troops attacked {number} towns.\n\nNobody was hurt, they said.") for number in range(9)]
    one, many = (list(parser.parse_texts(texts, batch_size=size)) for size in (1, 64))
    assert one == many


def test_the_vocabulary_keeps_some_words_of_a_corpus_and_no_more(parser, monkeypatch):
    texts = [(str(n), " ".join(f"Troops left Villg{n}x{word}." for word in range(20))) for n in range(9)]
    vocabulary = parser._nlp.vocab
    found, grown = [], []
    for more in (0, 60):
        before = len(list(vocabulary))
        monkeypatch.setattr("nlpcalib.systems.text.parsing.parser._MAX_KEPT_WORDS", len(vocabulary) + more)
        found.append(list(parser.parse_texts(texts, batch_size=1)))
        grown.append(len(list(vocabulary)) - before)
    assert found[0] == found[1]
    assert grown[0] == 0
    assert 60 <= grown[1] < 90


def test_texts_are_parsed_as_they_come(parser):
    taken = []

    def texts():
        for number in range(100):
            taken.append(number)
            yield str(number), "A short text."

    next(parser.parse_texts(texts(), batch_size=4))
    assert len(taken) <= 8


def test_text_that_is_not_unicode_is_refused_by_its_id(parser):
    for edited in (None, False):
        with pytest.raises(InputError, match=r"text 'b': .* at character 9,"):
            list(parser.parse_texts([("a", "Fine."), ("b", "Rain.\n\nA \ud800")], edited=edited))


WORDS = Document(
    "book",
    (
        Sentence("x", ("The", "men", "who"), speaker="Ann"),
        Sentence("y", ("came", "left", "."), speaker="Bob", space_after=(True, False, True)),
        Sentence("z", ("She", "saw", "it", "."), speaker="Bob"),
    ),
    (Mention(0, 0, 2, "m"), Mention(2, 0, 1, "s")),
    metadata={"genre": "fiction"},
)


def test_given_words_and_sentences_stay(parser):
    parsed = parser.parse_tokens(WORDS)
    bare = [dataclasses.replace(sentence, tags=(), lemmas=(), heads=(), relations=()) for sentence in parsed.sentences]
    assert dataclasses.replace(parsed, sentences=tuple(bare)) == WORDS
    for sentence in parsed.sentences:
        assert sentence.heads.count(0) == 1
        assert len(sentence.tags) == len(sentence.lemmas) == len(sentence.relations) == len(sentence.words)
