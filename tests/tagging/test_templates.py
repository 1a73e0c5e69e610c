"""What each template observes about a token, said by hand and by a slow second implementation."""

from itertools import chain

import numpy as np
import pytest

from nlpcalib.errors import InputError
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.templates import TEMPLATES, unknown_words, with_templates

SENTENCES = [["The", "U.S.", "re-elected", "@Bo2"], [], ["x"], ["The", "internationalisation", "日本", "x"]]


def corpus_of(sentences):
    words = [word for sentence in sentences for word in sentence]
    return TaggedCorpus(
        tokens=Attributes.of_words(words),
        tags=("T",),
        gold=np.zeros(len(words), dtype=np.int64),
        lengths=np.array([len(sentence) for sentence in sentences], dtype=np.int64),
        units=tuple(map(str, range(len(sentences)))),
    )


def observed(sentences, names):
    tokens = with_templates(corpus_of(sentences), names).tokens
    return [
        [tokens.names[code] for code in tokens.indices[first:last]]
        for first, last in zip(tokens.indptr[:-1], tokens.indptr[1:], strict=True)
    ]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("word", [["word:The"], ["word:U.S."], ["word:re-elected"], ["word:@Bo2"]]),
        (
            "context",
            [
                ["previous:", "next:U.S."],
                ["previous:The", "next:re-elected"],
                ["previous:U.S.", "next:@Bo2"],
                ["previous:re-elected", "next:"],
            ],
        ),
        ("shape", [["shape:Xx"], ["shape:X.X."], ["shape:x-x"], ["shape:@Xx0"]]),
        ("length", [["length:3"], ["length:4"], ["length:10"], ["length:4"]]),
        (
            "prefixes",
            [
                ["prefix:T", "prefix:Th", "prefix:The"],
                ["prefix:U", "prefix:U.", "prefix:U.S", "prefix:U.S."],
                ["prefix:r", "prefix:re", "prefix:re-", "prefix:re-e"],
                ["prefix:@", "prefix:@B", "prefix:@Bo", "prefix:@Bo2"],
            ],
        ),
        (
            "suffixes",
            [
                ["suffix:e", "suffix:he", "suffix:The"],
                ["suffix:.", "suffix:S.", "suffix:.S.", "suffix:U.S."],
                ["suffix:d", "suffix:ed", "suffix:ted", "suffix:cted"],
                ["suffix:2", "suffix:o2", "suffix:Bo2", "suffix:@Bo2"],
            ],
        ),
    ],
)
def test_a_template_observes(template, expected):
    assert observed(SENTENCES[:1], [template]) == expected


def test_a_lone_word_has_no_neighbours_and_long_words_share_a_length():
    assert observed([["x"]], ["context"]) == [["previous:", "next:"]]
    assert observed([["internationalisation"]], ["length"]) == [["length:15"]]
    assert observed([["日本"]], ["shape"]) == [["shape:x"]]


def test_templates_add_up_in_order_and_names_that_do_not_occur_are_gone():
    names = list(TEMPLATES)
    parts = [observed(SENTENCES, [name]) for name in names]
    together = observed(SENTENCES, names)
    assert together == [list(chain.from_iterable(token)) for token in zip(*parts, strict=True)]
    occurring = with_templates(corpus_of(SENTENCES), names).tokens
    assert set(occurring.names) == {name for token in together for name in token}
    assert len(occurring.names) == len(set(occurring.names))


def test_templates_of_a_part_are_the_part_of_the_templates():
    corpus = corpus_of(SENTENCES)
    part = with_templates(corpus.subset([3, 0]), list(TEMPLATES)).tokens
    whole = with_templates(corpus, list(TEMPLATES)).subset([3, 0]).tokens
    for one, other in ((part, whole), (whole, part)):
        assert set(one.names) == set(other.names)
    assert [part.names[code] for code in part.indices] == [whole.names[code] for code in whole.indices]
    np.testing.assert_array_equal(part.indptr, whole.indptr)


def test_no_templates_leave_bare_words():
    corpus = corpus_of(SENTENCES)
    assert with_templates(corpus, ()) is corpus


def test_unknown_words_are_counted_by_token_with_and_without_templates():
    corpus = corpus_of(SENTENCES)  # nine tokens, The and x twice
    assert unknown_words(corpus, ["The", "suffix:x"], ()) == pytest.approx(7 / 9)
    assert unknown_words(corpus, ["word:The", "word:x", "previous:U.S."], ["word", "context"]) == pytest.approx(5 / 9)


@pytest.mark.parametrize(
    ("names", "message"),
    [(["word", "stem"], "found templates word, stem; expected some of word, context"), (["word", "word"], "each once")],
)
def test_templates_that_do_not_exist_or_repeat_are_refused(names, message):
    with pytest.raises(InputError, match=message):
        with_templates(corpus_of(SENTENCES), names)


def test_templates_of_templates_are_refused():
    corpus = with_templates(corpus_of(SENTENCES), ["word"])
    with pytest.raises(InputError, match="expect exactly one, the word"):
        with_templates(corpus, ["shape"])
