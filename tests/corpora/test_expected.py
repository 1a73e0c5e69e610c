"""Sizes of corpora beside published ones."""

from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.corpora.ontonotes import iter_split
from reproduction.corpora.retrieval.expected import AS_EXPECTED, DIFFERS, NOT_COUNTED, Size, compare

ROOT = Path(__file__).parents[1] / "data" / "corpora" / "conll-2012"


def document(identifier, *lengths, tag="NN"):
    sentences = [Sentence(f"{n}", ("a",) * length, (tag,) * length) for n, length in enumerate(lengths)]
    return Document(identifier, tuple(sentences))


def verdicts(corpus_format, sizes, expected):
    return {
        (row["split"], row["count"]): (row["verdict"], row["found"]) for row in compare(corpus_format, sizes, expected)
    }


def explanation(corpus_format, size, **expected):
    [row] = compare(corpus_format, {"dev": size}, {"dev": expected})
    assert row["verdict"] == DIFFERS
    return row["explanation"]


def test_documents_files_sentences_words_and_tags_are_counted():
    size = Size.of([document("nw/a.000", 3, 2), document("nw/a.001", 1, tag="XX"), document("b", 1)])
    assert (size.documents, size.files, size.sentences, size.words) == (3, {"nw/a", "b"}, 4, 7)
    assert size.tags == {"NN", "XX"}


def test_the_wall_street_journal_of_the_fixture_has_its_size():
    sizes = {split: Size.of(iter_split(ROOT, split, wsj_only=True)) for split in ("train", "dev")}
    expected = {"train": {"documents": 2, "sentences": 3, "words": 9}, "dev": {"words": 1}, "all": {"sentences": 4}}
    assert {verdict for verdict, _ in verdicts("ontonotes", sizes, expected).values()} == {AS_EXPECTED}


def test_tags_are_counted_over_all_splits():
    sizes = {"train": Size.of([document("a", 2)]), "test": Size.of([document("b", 2), document("c", 2, tag="VB")])}
    assert verdicts("conllu", sizes, {"all": {"tags": 2, "documents": 4}}) == {
        ("all", "tags"): (AS_EXPECTED, 2),
        ("all", "documents"): (DIFFERS, 3),
    }


def test_passages_of_an_article_are_one_document():
    size = Size.of_ids(["1", "2#1", "2#2", "3#1"])
    assert verdicts("nitf", {"all": size}, {"all": {"documents": 3, "words": 5}}) == {
        ("all", "documents"): (AS_EXPECTED, 3),
        ("all", "words"): (NOT_COUNTED, None),
    }


def test_pairs_agree_within_what_a_text_rounds_away():
    for pairs, verdict in (
        (4_250_000, AS_EXPECTED),
        (4_350_000, AS_EXPECTED),
        (4_350_001, DIFFERS),
        (None, NOT_COUNTED),
    ):
        size = Size(pairs=pairs)
        assert verdicts("ontonotes", {"dev": size}, {"dev": {"pairs": 4_300_000}}) == {
            ("dev", "pairs"): (verdict, pairs)
        }


def test_a_split_that_was_not_read_is_not_counted():
    assert verdicts("ontonotes", {"dev": Size()}, {"test": {"sentences": 3}}) == {
        ("test", "sentences"): (NOT_COUNTED, None)
    }


def test_a_number_of_files_or_twice_that_is_recognised():
    size = Size.of([document("nw/a.000", 1), document("nw/a.001", 1), document("nw/b.000", 1)])
    assert explanation("ontonotes", size, documents=2) == (
        "1 documents more (+50.0%): it is the number of files, of which these are parts"
    )
    assert "twice the number of files, which come with gold and with automatic" in explanation(
        "ontonotes", size, documents=4
    )


def test_a_difference_tells_how_much_and_what_may_be_why():
    size = Size.of([document("nw/a.000", 1, 1, 1)])
    found = explanation("ontonotes", size, sentences=4)
    assert found.startswith("1 sentences fewer (-25.0%): possibly CoNLL-2012")
    assert "LDC2011T03" in found
    assert "names of countries" in explanation("nitf", Size.of_ids(["1"]), documents=2)
    assert "another version of the corpus" in explanation("ark", size, documents=2)


def test_words_of_other_sentences_are_not_explained_by_themselves():
    size = Size.of([document("nw/a.000", 1, 1, 1)])
    rows = compare("ontonotes", {"test": size}, {"test": {"sentences": 4, "words": 5}})
    assert rows[1]["explanation"] == "2 words fewer (-40.0%): the sentences differ, and with them what is in them"
    rows = compare("ontonotes", {"test": size}, {"test": {"sentences": 3, "words": 5}})
    assert "words that speakers take back" in rows[1]["explanation"]


@pytest.mark.parametrize("expected", [{"valid": {"words": 1}}, {"dev": {"tokens": 1}}])
def test_unknown_splits_and_counts_are_refused(expected):
    with pytest.raises(InputError, match=r"expected one of train, dev, test, all and one of documents, sentences"):
        compare("ontonotes", {}, expected)
