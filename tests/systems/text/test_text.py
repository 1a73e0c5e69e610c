"""Plain text in pieces: nothing is lost, and no piece is long."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.errors import InputError
from nlpcalib.systems.text.parsing.text import MAX_PIECE_CHARACTERS, MAX_WORD_CHARACTERS, check_unicode, pieces

BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\ufeff]+")


@given(st.text(st.sampled_from('ab .!?"\n\r\t\f\x00\u200b\u2029é😀'), max_size=200), st.integers(1, 60))
def test_pieces_together_are_the_text_but_for_the_kind_of_white_space(text, repeats):
    text *= repeats
    found = list(pieces(text))
    assert "".join(found) == BLANKS.sub(" ", text).lstrip(" ")
    assert all(0 < len(piece) <= MAX_PIECE_CHARACTERS for piece in found)
    assert all(len(word) <= MAX_WORD_CHARACTERS for piece in found for word in piece.split(" "))


@pytest.mark.parametrize("gap", ["\n\n", "\r\n\r\n", "\n \t\n", "\n\n\n\n", "\f", "\u2029"])
def test_a_blank_line_divides(gap):
    assert list(pieces(f"A headline{gap}Some text")) == ["A headline ", "Some text"]


def test_a_line_break_alone_does_not():
    assert list(pieces("Some\ntext\r\nhere")) == ["Some text here"]


def test_a_long_paragraph_is_cut_after_a_sentence_else_between_words_else_within_one():
    sentence = "This is one. "
    assert {piece[-5:] for piece in pieces(sentence * 2000)} == {"one. "}
    assert {piece[-4:] for piece in list(pieces("word " * 2000))[:-1]} == {"ord "}
    assert [len(piece) for piece in pieces("An " + "x" * 1001)] == [503, 500, 1]
    assert [len(piece) for piece in pieces("a " * 4000)] == [5000, 3000]


def test_five_megabytes_take_no_longer_than_their_length_says():
    start = time.process_time()
    assert sum(map(len, pieces("Nothing here ends " * 280_000))) == 5_040_000
    assert time.process_time() - start < 5


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\x00\ufeff"])
def test_a_text_without_words_has_no_pieces(text):
    assert list(pieces(text)) == []


def test_what_is_not_unicode_is_refused_with_its_place():
    with pytest.raises(InputError, match=r"text 'report 7': found '\\udce9' at character 3, expected .* Unicode"):
        check_unicode("report 7", "caf\udce9")
