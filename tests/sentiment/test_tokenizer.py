import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpcalib.sentiment.tokenizer import tokenize


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
