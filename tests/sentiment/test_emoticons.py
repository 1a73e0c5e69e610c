import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.sentiment.emoticons import is_happy, without_smiles


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
