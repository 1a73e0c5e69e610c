"""What people give to `nlpcalib coref` in place of text."""

import io
import zipfile

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.answer.reading import notice_language, read_documents, refuse_other_kinds
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.text.document import Document, Sentence

TREES = "1\tAna\t_\t_\tNNP\t_\t0\troot\t_\t{0}\n\n"


def refusal(path):
    with pytest.raises(InputError) as refused:
        list(read_documents(path))
    message = str(refused.value)
    assert message.startswith(f"{path}: found ")
    return message


def packed():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return stream.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\0",
        b"{\\rtf1\\ansi Ana}",
        packed(),
        b"\x1f\x8b\x08\0",
    ],
)
def test_what_is_no_text_is_refused(tmp_path, data):
    (tmp_path / "story.txt").write_bytes(data)
    assert "found a PDF, RTF, Word or packed file" in refusal(tmp_path / "story.txt")


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE html>\n<p>Ana",
        "\n <HTML lang='en'>",
        "<!-- saved -->\n<html>",
        '<?xml version="1.0"?>\n<!doctype HTML><p>',
        "<head><title>",
        "<p>Ana came.",
    ],
)
def test_html_is_called_by_its_name(tmp_path, head):
    (tmp_path / "story.html").write_text(head, encoding="utf-8")
    assert "found HTML" in refusal(tmp_path / "story.html")


@pytest.mark.parametrize("name", ["news.csv", "news.TSV"])
def test_a_table_is_not_read_as_one_text(tmp_path, name):
    (tmp_path / name).write_text("id,date,text\n1,2004-12-25,Ana saw her dog.\n", encoding="utf-8")
    assert "found a table" in refusal(tmp_path / name)
    assert "JSON lines" in refusal(tmp_path / name)


def test_a_broken_bracket_costs_a_document_of_a_users_file(tmp_path, caplog):
    path = tmp_path / "d.conllu"
    cells = ("Entity=(1)", "Entity=(1", "_")
    text = "".join(f"# newdoc id = d{number}\n{TREES.format(cell)}" for number, cell in enumerate(cells))
    path.write_text(text, encoding="utf-8")
    assert [document.id for document in read_documents(path)] == ["d0", "d2"]
    assert f"{path}, line 5: mention: found (1 opened" in caplog.text


def test_a_broken_bracket_costs_no_other_document_however_many_are_broken(tmp_path, caplog):
    path = tmp_path / "d.conllu"
    text = "".join(f"# newdoc id = d{n}\n{TREES.format('Entity=(1' if n % 2 else '_')}" for n in range(10))
    path.write_text(text, encoding="utf-8")
    assert len(list(read_documents(path))) == 5
    assert "5 of 10 documents left out" in caplog.text
    assert len(list(read_documents(path, mentions=False))) == 10


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Der Mann ist nicht zu Hause, und die Frau war es auch nicht. Er hat sich das Buch von ihr geben lassen.",
            "German",
        ),
        (
            "Le chat est dans la maison et il ne sort pas, car le chien qui garde la porte est une bête. Elle dort.",
            "French",
        ),
        (
            "Кот сидит дома и никуда не выходит, потому что собака сторожит дверь. Она спит весь день, а ночью лает. "
            "Кот это знает и ждёт.",
            "few common words",
        ),
    ],
)
def test_other_languages_are_noticed(text, found):
    with pytest.warns(UserWarning, match=f"a.txt: found .*{found}"):
        assert notice_language("a.txt", text)


@pytest.mark.parametrize(
    "text",
    [
        "Ana met Leila in Oslo. She saw her dog, and the dog barked at the mayor of the city, who was not at home." * 2,
        "Hola",
    ],
)
def test_english_and_what_is_too_short_to_see_are_not(text):
    assert not notice_language("a.txt", text)


@pytest.mark.parametrize(("place", "found"), [(1019, True), (1020, False)])
def test_a_pdf_begins_within_its_first_kilobyte(place, found):
    head = b" " * place + b"%PDF-1.7"
    if found:
        with pytest.raises(InputError, match="found a PDF"):
            refuse_other_kinds("a", head)
    else:
        refuse_other_kinds("a", head)


@pytest.mark.parametrize(
    ("text", "noticed"),
    [
        ("kot " * 92 + "the " * 8, False),
        ("kot " * 93 + "the " * 7, True),
        ("kot " * 19, False),
        ("kot " * 20, True),
        ("the " * 1500 + "kot " * 13_500, False),  # of 20,000 characters 30 % are English
        ("kot " * 5000 + "the " * 2000, True),  # which begins after 20,000 characters
    ],
)
@pytest.mark.filterwarnings("ignore:a.txt")
def test_eight_percent_of_twenty_words_or_more_show_english(text, noticed):
    assert notice_language("a.txt", text) == noticed


def test_emoji_and_parts_of_them_are_no_mentions():
    words = ("Ana", "👍", "🏽", "🧑\u200d", "\u200d🤝", "️", "🇩", "%", "№5")
    sentence = Sentence("1", words, tags=("NNP",) + ("NN",) * 8, heads=(0, *[1] * 8), relations=("root", *["conj"] * 8))
    found = candidate_mentions(Document("d", (sentence,)))
    assert {words[span.head] for span in found} == {"Ana", "%", "№5"}
