import datetime
import io
import lzma
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import parse_conllu, read_conllu, write_conllu
from nlpcalib.systems.text.document import Document, Mention, Sentence

DATA = Path(__file__).parents[2] / "data" / "corpora"

SENTENCE = Sentence("d-1", ("A", "boat", "sank"))
DOCUMENT = Document("d", (SENTENCE,))


def parse(text: str | bytes, name: str = "folder/some.conllu") -> list[Document]:
    return list(parse_conllu(io.BytesIO(text if isinstance(text, bytes) else text.encode()), name))


def line(number: object, form: str = "w", head: object = "_", misc: str = "_") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t{misc}\n"


def written(*documents: Document) -> str:
    stream = io.StringIO()
    write_conllu(stream, documents)
    return stream.getvalue()


def test_every_part_of_a_document_is_read():
    boat, sea = read_conllu(DATA / "small.conllu")
    first, second = boat.sentences
    assert boat.id == "GUM_news_boat"
    assert boat.date == datetime.date(2014, 3, 9)
    assert boat.metadata == {"genre": "news", "title": "A boat = a joy"}
    assert first == Sentence(
        id="GUM_news_boat-1",
        words=("She", "did", "n't", "see", "Ana", "'s", "boat", "."),
        tags=("PRP", "VBD", "RB", "VB", "NNP", "POS", "NN", "."),
        lemmas=("she", "do", "not", "see", "Ana", "'s", "boat", "."),
        universal_tags=("PRON", "AUX", "PART", "VERB", "PROPN", "PART", "NOUN", "PUNCT"),
        heads=(4, 4, 4, 0, 7, 5, 4, 4),
        relations=("nsubj", "aux", "advmod", "root", "nmod:poss", "case", "obj", "punct"),
        space_after=(True, False, True, True, False, True, False, True),
        speaker="Ana",
    )
    assert second == Sentence("GUM_news_boat-2", ("Yes", "!"), space_after=(False, False))
    assert boat.mentions == (Mention(0, 0, 1, "7"), Mention(0, 4, 6, "7"), Mention(0, 4, 7, "9"))
    assert sea.mentions == (Mention(0, 0, 1, "2"), Mention(0, 0, 2, "1"), Mention(0, 0, 2, "1"))


def test_a_date_that_is_no_day_stays_in_the_metadata():
    sea = list(read_conllu(DATA / "small.conllu"))[1]
    assert sea.date is None
    assert sea.metadata == {"dateCreated": "2017"}


def test_a_column_is_empty_only_if_all_of_it_is_missing():
    sea = list(read_conllu(DATA / "small.conllu"))[1]
    assert sea.sentences[0].tags == ("PRP", "_")
    assert sea.sentences[0].universal_tags == ()


def test_documents_without_an_id_are_called_like_the_file_and_numbered():
    text = "".join(f"# newdoc\n{line(1, word)}\n" for word in ("one", "two", "three"))
    documents = list(parse(text))
    assert [document.sentences[0].words for document in documents] == [("one",), ("two",), ("three",)]
    first = documents[0].id
    assert [document.id for document in documents] == [first, f"{first}-2", f"{first}-3"]


def test_a_file_without_newdoc_is_one_document_called_like_it():
    [document] = parse(line(1) + "\n\n" + line(1))
    assert document.id == "some"
    assert [sentence.id for sentence in document.sentences] == ["some-1", "some-2"]


def test_windows_line_ends_and_unicode_line_separators():
    [document] = parse("# newdoc id = d\r\n# speaker = A\u2028B\r\n" + line(1, "a\u2028b").replace("\n", "\r\n"))
    assert document == Document("d", (Sentence("d-1", ("a\u2028b",), speaker="A\u2028B"),))


def test_an_empty_file_has_no_documents():
    assert parse("") == []


def test_documents_are_streamed():
    def lines():
        yield b"# newdoc id = a\n"
        yield line(1).encode()
        yield b"\n"
        yield b"# newdoc id = b\n"
        yield line(1).encode()
        yield b"\n"
        raise AssertionError("read past what the first document needs")

    assert next(parse_conllu(lines(), "x")).id == "a"


def test_a_closing_bracket_closes_the_most_recent_opening_of_its_entity():
    cells = ["(1", "(2", "(1", "2)", "1)", "1)(3)"]
    [document] = parse("".join(line(i, misc=f"Entity={cell}") for i, cell in enumerate(cells, 1)))
    assert document.mentions == (
        Mention(0, 0, 6, "1"),
        Mention(0, 1, 4, "2"),
        Mention(0, 2, 5, "1"),
        Mention(0, 5, 6, "3"),
    )


def test_hyphens_belong_to_the_entity_when_it_is_the_only_field():
    [document] = parse("# global.Entity = GRP\n" + line(1, misc="Entity=(a-b)"))
    assert document.mentions == (Mention(0, 0, 1, "a-b"),)


@pytest.mark.parametrize(
    ("text", "place", "found", "expected"),
    [
        (line(1) + "2\tw\n", "line 2", "2 columns", "expected 10"),
        (line(1) + " \n", "line 2", "1 columns", "expected 10"),
        (line("x"), "line 1", "'x'", "expected 1"),
        (line(1) + line(3), "line 2", "'3'", "expected 2"),
        (line(1) + line("01"), "line 2", "'01'", "expected 2"),
        (line("2-3") + line(1), "line 1", "2-3", "from 1 on"),
        (line("1-3") + line(1), "line 2", "1 words", "range's last, 3"),
        (line("1-2") + line(1) + line("2-3") + line(2) + line(3), "line 3", "2-3", "range"),
        (line(1, head=2), "line 1", "'2'", "from 0 to 1"),
        (line(1, head=0) + line(2, head="x"), "line 2", "'x'", "number"),
        (line(1, head=0) + line(2), "line 2", "'_'", "number"),
        (line(1, head="-1"), "line 1", "'-1'", "number"),
        (line(1, ""), "line 1", "nothing as FORM", "expected a value"),
        (line(1, misc="Entity=(1") + line(2), "line 1", "(1 opened", "closing 1)"),
        (line(1) + line(2, misc="Entity=1)"), "line 2", "'1' closed", "opening (1"),
        (line(1, misc="Entity=1"), "line 1", "'1'", "brackets"),
        (line(1, misc="Entity="), "line 1", "''", "brackets"),
        (line(1, misc="Entity=((1)"), "line 1", "'((1)'", "brackets"),
        (line(1, misc="Entity=(1-person)"), "line 1", "(1-person without fields", "# global.Entity = "),
        ("# global.Entity = etype-GRP\n" + line(1, misc="Entity=(person)"), "line 2", "(person", "etype-GRP"),
        ("# global.Entity = id-head\n" + line(1), "line 1", "id-head", "expected GRP"),
        ("# newdoc id =\n" + line(1), "line 1", "# newdoc id =", "# newdoc id = …"),
        ("# newdoc id = a\n\n" + line(1), "line 1", "without words", "at least one"),
        ("# newdoc id = a\n" + line(1) + "\n# newdoc id = a\n" + line(1), "line 4", "'a' again", "once"),
        (b"# text = caf\xe9 \n", "line 1", "byte 13 of the line is 0xe9", "UTF-8"),
    ],
)
def test_errors_name_the_line_what_was_found_and_what_was_expected(text, place, found, expected):
    with pytest.raises(InputError) as error:
        parse(text)
    message = str(error.value)
    assert message.startswith(f"folder/some.conllu, {place}: ")
    assert found in message
    assert expected in message


def test_what_is_written_is_conllu():
    sentence = replace(
        SENTENCE, tags=("DT", "NN", "VBD"), heads=(2, 3, 0), space_after=(True, True, False), speaker="Jo"
    )
    mentions = (Mention(0, 0, 2, "1"), Mention(0, 1, 2, "2"))
    assert written(Document("d", (sentence,), mentions, datetime.date(1990, 1, 2), {"genre": "news"})) == (
        "# newdoc id = d\n# global.Entity = GRP\n# meta::dateCreated = 1990-01-02\n# meta::genre = news\n"
        "# sent_id = d-1\n# speaker = Jo\n# text = A boat sank\n"
        "1\tA\t_\t_\tDT\t_\t2\t_\t_\tEntity=(1\n"
        "2\tboat\t_\t_\tNN\t_\t3\t_\t_\tEntity=1)(2)\n"
        "3\tsank\t_\t_\tVBD\t_\t0\t_\t_\tSpaceAfter=No\n\n"
    )


def test_the_fixture_comes_back_from_a_file(tmp_path):
    documents = list(read_conllu(DATA / "small.conllu"))
    write_conllu(tmp_path / "out.conllu", documents)
    assert list(read_conllu(tmp_path / "out.conllu")) == documents
    assert [path.name for path in tmp_path.iterdir()] == ["out.conllu"]


def mentioning(*spans: tuple[int, int, str]) -> Document:
    return replace(DOCUMENT, mentions=tuple(Mention(0, *span) for span in spans))


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (replace(DOCUMENT, id="a\nb"), "line 2: found 1 columns"),
        (replace(DOCUMENT, id=" a"), "read as 'id a'"),
        (replace(DOCUMENT, id=""), "newdoc id"),
        (replace(DOCUMENT, sentences=()), "a sentence without words"),
        (replace(DOCUMENT, metadata={"title": "two\nlines"}), "line 3: found 1 columns"),
        (replace(DOCUMENT, metadata={"title": "x "}), "title"),
        (replace(DOCUMENT, metadata={"a=b": "x"}), "{'a': 'b = x'}"),
        (replace(DOCUMENT, metadata={"title": "two\rlines"}), "line 3: found 1 columns"),
        (replace(DOCUMENT, metadata={"dateCreated": "2001-02-03"}), "date"),
        (replace(DOCUMENT, metadata={"dateCreated": "2001"}, date=datetime.date(2001, 2, 3)), "date"),
        (replace(DOCUMENT, sentences=(Sentence("d-1", ()),)), "a sentence without words"),
        (replace(DOCUMENT, sentences=(Sentence("", ("a",)),)), "read as 'id d-1'"),
        (replace(DOCUMENT, sentences=(Sentence("d-1", ("a\tb",)),)), "found 11 columns"),
        (replace(DOCUMENT, sentences=(Sentence("d-1", ("a\nb",)),)), "found 1 columns"),
        (replace(DOCUMENT, sentences=(Sentence("d-1", ("a", "")),)), "nothing as FORM"),
        (replace(DOCUMENT, sentences=(replace(SENTENCE, tags=("NN",)),)), "[3, 3, 1, 3, 3, 3]"),
        (replace(DOCUMENT, sentences=(replace(SENTENCE, space_after=(True,)),)), "[3, 3, 3, 3, 3, 1]"),
        (replace(DOCUMENT, sentences=(replace(SENTENCE, tags=("_",) * 3),)), "read as 'tags ()'"),
        (replace(DOCUMENT, sentences=(replace(SENTENCE, heads=(0, 1, 4)),)), "head '4'"),
        (replace(DOCUMENT, sentences=(replace(SENTENCE, speaker=""),)), "speaker"),
        (replace(DOCUMENT, mentions=(Mention(1, 0, 1, "1"),)), "Mention(sentence=1"),
        (mentioning((0, 4, "1")), "expected its closing 1"),
        (mentioning((1, 1, "1")), "expected its closing 1"),
        (mentioning((0, 1, "a|b")), "expected its closing a"),
        (mentioning((0, 1, "")), "found '()'"),
        (mentioning((0, 1, "(")), "found '(()'"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(document, problem):
    with pytest.raises(InputError) as error:
        written(document)
    assert f"document {document.id!r}" in str(error.value)
    assert problem in str(error.value)


def test_crossing_mentions_of_one_entity_are_refused_and_of_two_written():
    sentence = Sentence("d-1", ("a", "b", "c", "d"))
    crossing = (Mention(0, 0, 3, "1"), Mention(0, 1, 4, "1"))
    with pytest.raises(InputError, match=r"document 'd': found .*end=3, entity='1'.*, which would be read as"):
        written(Document("d", (sentence,), crossing))
    document = Document("d", (sentence,), (crossing[0], replace(crossing[1], entity="2")))
    assert parse(written(document)) == [document]


def test_an_id_is_written_once():
    with pytest.raises(InputError, match="document 'd': found a duplicate id"):
        written(DOCUMENT, DOCUMENT)


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path):
    def documents():
        yield DOCUMENT
        raise KeyboardInterrupt

    target = tmp_path / "out.conllu"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_conllu(target, documents())
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("split", "documents", "sentences", "words"),
    [("train", 540, 12544, 204578), ("dev", 318, 2001, 25149), ("test", 316, 2077, 25094)],
)
def test_the_english_web_treebank_has_its_published_size(mirrored, split, documents, sentences, words):
    path = mirrored("ud_ewt_r2.14") / f"en_ewt-ud-{split}.conllu.xz"
    with lzma.open(path) as lines:
        read = list(parse_conllu(lines, path.stem))
    assert len(read) == documents
    assert sum(len(document.sentences) for document in read) == sentences
    assert sum(len(sentence.words) for document in read for sentence in document.sentences) == words
    assert parse(written(*read)) == read


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (f"1\ta\t_\t_\t_\t_\t{'9' * 5000}\troot\t_\t_", "found head '9999"),
        (f"1-{'9' * 5000}\ta\t_\t_\t_\t_\t_\t_\t_\t_", "found id '1-9999"),
    ],
)
def test_numbers_beyond_what_python_converts_are_refused(cells, found):
    with pytest.raises(InputError, match=f"x, line 1: {found}"):
        list(parse_conllu([cells.encode()], "x"))


def gum(*brackets, fields="GRP-etype"):
    rows = (
        f"# newdoc id = d{number}\n# global.Entity = {fields}\n1\tx\t_\t_\t_\t_\t_\t_\t_\tEntity={each}\n\n"
        for number, each in enumerate(brackets)
    )
    return io.BytesIO("".join(rows).encode())


@pytest.mark.parametrize("broken", ["(1-person", "1)", "x", "(-person)", "(1-person)("])
def test_a_broken_bracket_costs_its_document_and_not_the_file(broken, caplog):
    documents = list(parse_conllu(gum("(1-person)", broken, "(2-x)"), "f.conllu"))
    assert [document.id for document in documents] == ["d0", "d2"]
    assert re.search(r"f\.conllu, line 7: mention: found .*, expected .* \(document d1\); left out", caplog.text)


def test_broken_documents_are_one_of_several_or_one_in_twenty():
    for broken in (["(1"], ["(1", "(2"], ["(1", "(1)", "2)"]):
        with pytest.raises(InputError, match=r"^f\.conllu, line 3: mention: .* documents are broken, expected"):
            list(parse_conllu(gum(*broken), "f.conllu"))
    assert len(list(parse_conllu(gum(*["(1-x)"] * 40, "(1", "2)"), "f.conllu"))) == 40


@pytest.mark.parametrize("part", ["x", "(", ")", "(1", "1)", "(1)", "(1-", "()", "-", "((1"])
def test_the_time_of_brackets_grows_with_their_number(part, grows_linearly):
    def read(size):
        with suppress(InputError):
            list(parse_conllu(gum("(1-x)", part * (size // len(part))), "f.conllu"))

    grows_linearly(read, 50_000, part)


def corefud(*entities):
    """Return the mentions of four words, an empty node before the third, with these values of Entity=."""
    rows = zip(("1", "2", "2.1", "3", "4"), entities, strict=True)
    lines = "".join(f"{number}\tw" + "\t_" * 7 + f"\t{f'Entity={each}' if each else '_'}\n" for number, each in rows)
    [document] = parse_conllu(
        f"# global.Entity = eid-etype-head-other\n{lines}\n".encode().splitlines(keepends=True), "f.conllu", share=0.0
    )
    return [(mention.start, mention.end, mention.entity) for mention in document.mentions]


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        (("(e1-person-1-x", "e1)", "", "(e2-x-1-)", ""), [(0, 2, "e1"), (2, 3, "e2")]),
        (("(e1[1/2]-person-1-x", "e1[1/2])", "", "", "(e1[2/2]-person-1-x)"), [(0, 4, "e1")]),
        (("(e1[1/3])", "", "(e1[2/3])", "", "(e1[3/3])(e2)"), [(0, 4, "e1"), (3, 4, "e2")]),
        (("", "(e1-x-1-", "e1)", "", ""), [(1, 2, "e1")]),
        (("", "", "(e1-x-1-", "", "e1)"), [(2, 4, "e1")]),
    ],
)
def test_mentions_of_corefud_have_the_words_between_their_ends(entities, expected):
    assert corefud(*entities) == expected


def test_mentions_of_empty_nodes_alone_are_counted():
    with pytest.warns(UserWarning, match=r"^f\.conllu: left out 1 mention of empty nodes, which are no words$"):
        assert corefud("", "", "(e1-x-1-)", "", "(e1)") == [(3, 4, "e1")]


@pytest.mark.parametrize(
    ("entities", "message"),
    [
        (("(e1[2/2])", "", "", "", ""), r"line 2: mention: found the part e1\[2/2\], expected the parts before it"),
        (("", "(e1[1/2])", "", "", ""), r"line 3: mention: found no part e1\[2/2\], expected it by the end"),
    ],
)
def test_parts_of_mentions_are_all_there(entities, message):
    with pytest.raises(InputError, match=message):
        corefud(*entities)


@pytest.mark.parametrize("fields", ["GRP-etype", "eid-etype"])
def test_parts_are_one_mention_in_the_fields_of_gum_and_of_corefud(fields):
    [document] = parse_conllu(gum("(e1[1/1]-person)", fields=fields), "f.conllu")
    assert [mention.entity for mention in document.mentions] == ["e1"]


def test_fields_of_brackets_are_few():
    with pytest.raises(
        InputError, match=r"f\.conllu, line 2: found fields 'GRP-x.*, expected GRP or eid among them, and at most"
    ):
        list(parse_conllu(gum("(1)", fields="GRP" + "-x" * 1000), "f.conllu"))


def test_a_tag_with_a_blank_is_refused_in_what_is_read_and_written():
    with pytest.raises(InputError, match="line 1: found blanks around XPOS 'PRP ', expected none"):
        parse("1\tIt\tit\tPRON\tPRP \t_\t0\troot\t_\t_\n\n")
    with pytest.raises(InputError, match="found blanks around XPOS 'PRP '"):
        written(Document("d", (Sentence("s", ("It",), tags=("PRP ",)),)))
