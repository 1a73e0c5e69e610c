"""Writing CoNLL-2012 keys and responses."""

import io
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from nlpcalib.coref.score.scoring import CorefScores
from nlpcalib.errors import InputError
from nlpcalib.text.conll import write_conll
from nlpcalib.text.conll2012.shared_task import parse_conll
from nlpcalib.text.document import Document, Mention, Sentence
from reproduction.coref.evaluation import gold_clusters
from reproduction.corpora.ontonotes import read_conll

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


def row(word, mention="-", document="d", part=0, bits="*"):
    return f"{document} {part} 0 {word} NN {bits} - - - - * {mention}\n\n"


def of_parts(*mentions, head="#begin document ({0}); part 000\n"):
    return "".join(
        head.format(f"d{number}") + row("x", mention, f"d{number}") + "#end document\n"
        for number, mention in enumerate(mentions)
    )


def parsed(text):
    return [document.id for document in parse_conll(io.BytesIO(text.encode()), "f.conll")]


@pytest.mark.parametrize(
    "head", ["#begin document ({0})\n", "#begin document ({0});\n", "#begin document ({0}); part 0\n"]
)
def test_a_document_without_a_part_is_part_0(head):
    assert parsed(of_parts("(1)", "-", head=head)) == [f"d{n}.{'0' if 'part' in head else '000'}" for n in range(2)]


@pytest.mark.parametrize("broken", ["(1", "1)", "x", "(1)(", "(1)|", "(" * 1000])
def test_a_broken_bracket_costs_its_document_and_not_the_file(broken, caplog):
    assert parsed(of_parts("(1)", broken, "-")) == ["d0.000", "d2.000"]
    assert re.search(r"f\.conll, line 6: mention: found .*, expected .* \(document d1\.000\); left out", caplog.text)
    assert "f.conll: 1 of 3 documents left out" in caplog.text


def test_so_do_parse_bits_that_are_no_tree(caplog):
    text = of_parts("(1)") + "#begin document (t); part 000\n" + row("x", document="t", bits="(S*") + "#end document\n"
    assert parsed(text) == ["d0.000"]
    assert "f.conll, line 6: parse: found (S opened, expected" in caplog.text


@pytest.mark.parametrize("mentions", [["(1"], ["(1", "2)"], ["-", "(1", "2)"], ["-"] * 30 + ["(1", "2)"]])
def test_broken_documents_are_one_of_several_or_one_in_twenty(mentions):
    with pytest.raises(InputError, match=r"^f\.conll, line \d+: mention: found .*; so it is with .* documents"):
        parsed(of_parts(*mentions))
    assert len(parsed(of_parts(*["-"] * 40, "(1", "2)"))) == 40


@pytest.mark.parametrize("part", ["x", "(", ")", "(1", "1)", "(1)", "(1)|", "()", "|", "((1"])
def test_the_time_of_brackets_grows_with_their_number(part, grows_linearly):
    def read(size):
        with suppress(InputError):
            parsed(of_parts(part * (size // len(part))))

    grows_linearly(read, 50_000, part)
