import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduction.sentiment.tokenizer import tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I don't know, really!!!", "I|don't|know|,|really|!!!"),
        ("RT @user_1: so #happy2day :-) http://t.co/aB1?x=2.", "RT|@user_1|:|so|#happy2day|:-)|http://t.co/aB1?x=2|."),
        ("see example.com/a_b, mail me@example.org", "see|example.com/a_b|,|mail|me@example.org"),
        ("at 10:30 it was 5% of 1,000.50", "at|10:30|it|was|5%|of|1,000.50"),
        ("the U.S. and a.k.a. me", "the|U.S.|and|a.k.a.|me"),
        ("wait...what ?!", "wait|...|what|?!"),
        ('"quoted" (bracketed) well-known and/or', '"|quoted|"|(|bracketed|)|well-known|and/or'),
        ("<3 you >:( :'( :P ;D xD ^_^ -__- o_O", "<3|you|>:(|:'(|:P|;D|xD|^_^|-__-|o_O"),
        ("now --> here", "now|-->|here"),
        ("naïve café ñ 日本", "naïve|café|ñ|日本"),
        ("", ""),
        (" \n\t ", ""),
    ],
)
def test_tokens_are_those_of_twokenize(text, tokens):
    assert "|".join(tokenize(text)) == tokens


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
def test_nothing_but_white_space_is_lost(text):
    tokens = tokenize(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(tokens)


def test_long_runs_do_not_take_long():
    for run in ("(" * 20_000, "a." * 20_000, "-" * 20_000, "www." * 5_000, ":-" * 10_000, "@" * 20_000, "1," * 20_000):
        assert "".join(tokenize(run)) == run


@pytest.mark.parametrize(
    "part",
    [
        "[][]",
        "x._.",
        "aa.",
        "a.b@",
        "~*",
        "*~",
        "o_",
        "<-",
        "-=~",
        "1.1-",
        "a-",
        "xD-",
        "www.",
        "co.,",
        "#_",
        "$1.",
        "''",
    ],
)
@pytest.mark.parametrize("end", ["", "a", " "])
def test_the_time_grows_with_the_text(part, end, grows_linearly):
    grows_linearly(lambda size: tokenize(part * (size // len(part)) + end), 10_000, part)


@pytest.mark.slow
def test_the_time_grows_with_a_text_of_any_part(grows_linearly):
    characters = ":=)[](Doxa-._,^;<>~*@#1/'!|+&$w °é"
    parts = [*characters, *map("".join, itertools.product(characters, repeat=2))]
    rng = random.Random(4)
    parts += ["".join(rng.choices(characters, k=rng.choice((3, 4)))) for _ in range(500)]
    for part in parts:
        text = part * (8_000 // len(part))
        grows_linearly(lambda size, text=text: tokenize(text[:size] + rng.choice("a )1")), 2_000, part)


@pytest.mark.parametrize("mouth", ["_", "___.___", "_" * 30])
def test_faces_may_be_wide(mouth):
    assert tokenize(f"well -{mouth}- ok") == ["well", f"-{mouth}-", "ok"]
