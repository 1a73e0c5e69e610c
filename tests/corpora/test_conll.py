"""Writing CoNLL-2012 keys and responses."""

import io
from dataclasses import replace
from pathlib import Path

import pytest

from nlpcalib.coref.mentions import gold_clusters
from nlpcalib.coref.scoring import CorefScores
from nlpcalib.corpora.document import Document, Mention, Sentence
from nlpcalib.corpora.ontonotes.shared_task import parse_conll, read_conll
from nlpcalib.corpora.readers.conll import write_conll
from nlpcalib.errors import InputError

OSLO = Path(__file__).parents[1] / "data" / "corpora" / "oslo.v4_gold_conll"
SENTENCE = Sentence("d-1", ("Her", "boat", "sank"), ("PRP$", "NN", "VBD"))
FOUR = Sentence("d-1", ("a", "b", "c", "d"))
DOCUMENT = Document("d", (SENTENCE,), (Mention(0, 0, 1, "1"), Mention(0, 0, 2, "2")))


def written(*documents: Document) -> str:
    stream = io.StringIO()
    write_conll(stream, documents)
    return stream.getvalue()


def read_back(*documents: Document) -> list[Document]:
    return list(parse_conll(io.BytesIO(written(*documents).encode()), "x"))


def test_rows_have_the_columns_of_the_shared_task():
    document = Document("bc/a.003", (replace(SENTENCE, speaker="Ana Ruiz"),), DOCUMENT.mentions)
    assert written(document) == (
        "#begin document (bc/a); part 003\n"
        "bc/a\t3\t0\tHer\tPRP$\t*\t-\t-\t-\tAna_Ruiz\t*\t(1)|(2\n"
        "bc/a\t3\t1\tboat\tNN\t*\t-\t-\t-\tAna_Ruiz\t*\t2)\n"
        "bc/a\t3\t2\tsank\tVBD\t*\t-\t-\t-\tAna_Ruiz\t*\t-\n"
        "\n#end document\n"
    )


def test_what_was_read_comes_back_but_for_the_trees():
    [document] = read_conll(OSLO)
    [back] = read_back(document)
    assert back == replace(
        document, sentences=tuple(replace(sentence, heads=(), relations=()) for sentence in document.sentences)
    )
    scores = CorefScores()
    scores.add(gold_clusters(document), gold_clusters(back))
    assert scores.results().conll_f1 == 1


def test_a_document_of_another_corpus_is_a_first_part_and_needs_no_tags():
    [back] = read_back(replace(DOCUMENT, sentences=(replace(SENTENCE, tags=()),)))
    assert back.id == "d.000"
    assert back.mentions == DOCUMENT.mentions
    assert back.sentences[0].words == SENTENCE.words


def test_entities_that_are_no_numbers_are_numbered():
    mentions = (Mention(0, 0, 1, "Ana"), Mention(0, 0, 2, "boat-1"), Mention(0, 2, 3, "Ana"))
    [back] = read_back(replace(DOCUMENT, mentions=mentions))
    assert [mention.entity for mention in back.mentions] == ["0", "1", "0"]


def test_several_brackets_at_a_word_are_separated():
    mentions = (Mention(0, 0, 2, "1"), Mention(0, 1, 2, "3"), Mention(0, 1, 3, "2"))
    document = replace(DOCUMENT, mentions=mentions)
    assert "\t1)|(3)|(2\n" in written(document)
    assert read_back(document)[0].mentions == mentions


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (replace(DOCUMENT, id="a b"), "without white space"),
        (replace(DOCUMENT, id="a(b"), "brackets"),
        (replace(DOCUMENT, sentences=(replace(SENTENCE, words=("New York", "b", "c")),)), "'New York'"),
        (replace(DOCUMENT, sentences=(replace(SENTENCE, tags=("", "b", "c")),)), "''"),
        (replace(DOCUMENT, sentences=(FOUR,), mentions=(Mention(0, 0, 3, "1"), Mention(0, 1, 4, "1"))), "cross"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(document, problem):
    with pytest.raises(InputError, match=problem):
        written(document)


def test_a_part_is_written_once():
    with pytest.raises(InputError, match="each part once"):
        written(DOCUMENT, replace(DOCUMENT, id="d.000"))


def test_an_interrupted_write_leaves_nothing(tmp_path):
    with pytest.raises(InputError):
        write_conll(tmp_path / "key.conll", [DOCUMENT, replace(DOCUMENT, id=" ")])
    assert list(tmp_path.iterdir()) == []
