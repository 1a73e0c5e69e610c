"""The frame of CoNLL-2012: parts, brackets, and what a broken one costs."""

import io
import re
from contextlib import suppress

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.answer.reading import read_documents
from nlpcalib.systems.coref.score_entities import score_entities
from nlpcalib.systems.text.conll import parse_conll


def row(word, mention="-", document="d", part=0):
    return f"{document} {part} 0 {word} NN * - - - - * {mention}\n\n"


def of_parts(*mentions, head="#begin document ({0}); part 000\n"):
    return "".join(
        head.format(f"d{number}") + row("x", mention, f"d{number}") + "#end document\n"
        for number, mention in enumerate(mentions)
    )


def parsed(text):
    return [document.id for document in parse_conll(io.BytesIO(text.encode()), "f.conll")]


@pytest.mark.parametrize(
    "head",
    ["#begin document ({0})\n", "#begin document ({0});\n", "#begin document {0}\n", "#begin document ({0}); part 0\n"],
)
def test_a_document_without_a_part_is_part_0(head):
    assert parsed(of_parts("(1)", "-", head=head)) == [f"d{n}.{'0' if 'part' in head else '000'}" for n in range(2)]


def test_a_part_without_sentences_is_a_document_without_any_to_whoever_reads_the_file(tmp_path):
    file = tmp_path / "f.conll"
    file.write_text(of_parts("(1)", "-") + "#begin document (d2); part 000\n#end document\n")
    assert parsed(file.read_text()) == ["d0.000", "d1.000", "d2.000"]
    assert score_entities(file, file).documents == 3
    assert [document.id for document in read_documents(file)] == ["d0.000", "d1.000"]


@pytest.mark.parametrize("broken", ["(1", "1)", "x", "(1)(", "(1)|", "(" * 1000])
def test_a_broken_bracket_costs_its_document_and_not_the_file(broken, caplog):
    assert parsed(of_parts("(1)", broken, "-")) == ["d0.000", "d2.000"]
    assert re.search(r"f\.conll, line 6: mention: found .*, expected .* \(document d1\.000\); left out", caplog.text)
    assert "f.conll: 1 of 3 documents left out" in caplog.text


@pytest.mark.parametrize("mentions", [["(1"], ["(1", "2)"], ["-", "(1", "2)"], ["-"] * 30 + ["(1", "2)"]])
def test_broken_documents_are_one_of_several_or_one_in_twenty(mentions):
    with pytest.raises(InputError, match=r"^f\.conll, line \d+: mention: found .*; .* documents are broken"):
        parsed(of_parts(*mentions))
    assert len(parsed(of_parts(*["-"] * 40, "(1", "2)"))) == 40


@pytest.mark.parametrize("part", ["x", "(", ")", "(1", "1)", "(1)", "(1)|", "()", "|", "((1"])
def test_the_time_of_brackets_grows_with_their_number(part, grows_linearly):
    def read(size):
        with suppress(InputError):
            parsed(of_parts(part * (size // len(part))))

    grows_linearly(read, 50_000, part)
