import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reproduction.sentiment.emoticons import is_happy, without_smiles


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("thanks :)", "thanks"),
        ("thanks:)", "thanks"),
        (":) good  morning", "good morning"),
        ("ha :) ha :)) ha", "ha ha ha"),
        ("nose :-) :o) :^) :')", "nose"),
        ("eyes =) =] =-)", "eyes"),
        ("square :] end", "square end"),
        ("(: turned", "turned"),
        ("(=", ""),
        (":):)", ""),
        ("(see you :))", "(see you"),
        ("ok, :). bye", "ok, . bye"),
        (":)\nnext line", "next line"),
        ("http://example.org/ :)", "http://example.org/"),
    ],
)
def test_smiles_label_and_leave_no_trace(text, rest):
    assert is_happy(text)
    assert without_smiles(text) == rest


@pytest.mark.parametrize(
    "text",
    [
        "sad :(",
        "wink ;)",
        "laugh :D",
        "tongue :P",
        "slash :/",
        "f(x=)",
        "a=)b",
        "list[i:]",
        "(12:30)",
        "smile (happy)",
        "",
    ],
)
def test_other_emoticons_and_code_are_no_smiles(text):
    assert not is_happy(text)
    assert without_smiles(text) == " ".join(text.split())


@given(
    st.lists(st.sampled_from([":", ")", "(", "=", "-", "o", "]", "[", "^", "'", " ", "a", "."]), max_size=14).map(
        "".join
    )
)
def test_nothing_of_the_emoticon_is_left(text):
    assert not is_happy(without_smiles(text))
    assert without_smiles(without_smiles(text)) == without_smiles(text)


PUBLISHED = re.compile(
    r":[-o^']?\)+|(?<![^\s.,!?])(?:=[-o^']?\)+|[:=][-o^']?\]+)(?!\w)|(?<!\S)(?:\(+|\[+)[-o^']?[:=](?![^\s.,!?])"
)
"""Smiles as they are defined: what is left is searched again until there are none."""


def removed_one_by_one(text):
    while PUBLISHED.search(text):
        text = PUBLISHED.sub(" ", text)
    return " ".join(text.split())


@given(st.text(alphabet=":=()[]-o^. x", max_size=14))
@example("=)=)")
@example("(=:)")
@example(":)(=:)=]x")
@example(":)[")  # Python up to 3.11.4 backtracks wrongly out of a possessive group
def test_one_search_removes_what_searching_again_and_again_does(text):
    assert without_smiles(text) == removed_one_by_one(text)
    assert is_happy(text) == (PUBLISHED.search(text) is not None)


@pytest.mark.parametrize("part", ["=)=)", ":)", "(=", "(=:)", "((", "[:", "=o", "=]x", ":-", "(= "])
def test_the_time_grows_with_the_text(part, grows_linearly):
    grows_linearly(lambda size: without_smiles(part * (size // len(part))), 10_000, part)
