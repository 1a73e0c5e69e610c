"""What people give to `nlpcalib coref` in place of text."""

import io
import zipfile

import pytest

from nlpcalib.coref.reading import read_documents
from nlpcalib.errors import InputError

TREES = "1\tAna\t_\t_\tNNP\t_\t0\troot\t_\t{0}\n\n"


def refusal(path, form=None):
    with pytest.raises(InputError) as refused:
        list(read_documents(path, form))
    message = str(refused.value)
    assert message.startswith(f"{path}: found ")
    return message


def packed():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\0", "a PDF"),
        (b"{\\rtf1\\ansi Ana}", "a rich text"),
        (packed(), "a zip archive"),
        (b"\x1f\x8b\x08\0", "a gzip archive"),
    ],
)
@pytest.mark.parametrize("form", [None, "text"])
def test_what_is_no_text_is_called_by_its_name(tmp_path, data, kind, form):
    (tmp_path / "story.txt").write_bytes(data)
    assert f"found {kind}" in refusal(tmp_path / "story.txt", form)


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE html>\n<p>Ana",
        "\n <HTML lang='en'>",
        "<!-- saved -->\n<html>",
        '<?xml version="1.0"?>\n<!doctype HTML><p>',
        "<head><title>",
    ],
)
def test_html_is_called_by_its_name(tmp_path, head):
    (tmp_path / "story.html").write_text(head, encoding="utf-8")
    assert "found HTML" in refusal(tmp_path / "story.html")


def test_a_broken_bracket_costs_a_document_of_a_users_file(tmp_path, caplog):
    path = tmp_path / "d.conllu"
    cells = ("Entity=(1)", "Entity=(1", "_")
    text = "".join(f"# newdoc id = d{number}\n{TREES.format(cell)}" for number, cell in enumerate(cells))
    path.write_text(text, encoding="utf-8")
    assert [document.id for document in read_documents(path)] == ["d0", "d2"]
    assert f"{path}, line 5: mention: found (1 opened" in caplog.text
