"""A user's file as parsed documents: plain text, CoNLL-U or CoNLL-2012."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import chain, takewhile
from pathlib import Path

from nlpcalib.corpora.document import Document
from nlpcalib.corpora.ontonotes.shared_task import parse_conll
from nlpcalib.corpora.readers.conllu import parse_conllu
from nlpcalib.errors import InputError

FORMATS = ("text", "conllu", "conll")
"""Plain text, CoNLL-U, and CoNLL-2012 (`*_gold_conll`, the key of the reference scorer)."""

LARGEST_TEXT = 500_000
"""Most bytes of a plain text, which is one document: almost three times what has `resolution.LIMIT` mentions."""

_HEAD = 1 << 16
"""Bytes at the beginning of a file that tell its format."""

_KINDS = {
    b"%PDF-": "a PDF",
    b"{\\rtf": "a rich text (RTF)",
    b"PK\x03\x04": "a zip archive (as of Word and LibreOffice)",
    b"\x1f\x8b": "a gzip archive",
    b"\xd0\xcf\x11\xe0": "a document of Word before 2007",
}
"""What people take for text, by the bytes that it begins with."""
_HTML = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--.{,2000}?-->\s*)?<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)

_CONLLU_COMMENTS = ("newdoc", "sent_id", "text =", "newpar", "global.", "meta::")
"""Beginnings of comments that tell CoNLL-U even if its first row is broken, which then is refused."""


def read_documents(
    path: str | Path, file_format: str | None = None, parser: str | Path | None = None
) -> Iterator[Document]:
    """Read the documents of a file one at a time, with tags and trees.

    A plain text is one document, called like the file. A document in which a sentence has no tags, heads or relations
    is parsed on its own words and sentences.

    Parameters
    ----------
    path : str or Path
        Read once from beginning to end, so that it may be a pipe.
    file_format : str, optional
        One of `FORMATS`; recognised by content, then by the file's name, if absent.
    parser : str or Path, optional
        As `nlpcalib.parsing.load_parser` takes it; loaded when the first document needs it.

    Raises `InputError` for a file without words, binary files such as PDF, HTML if `file_format` is absent, other
    encodings than UTF-8, texts of more than `LARGEST_TEXT` bytes, and as `parse_conllu`, `parse_conll`
    and `load_parser` do.
    """

    @cache
    def loaded():
        # Imported here because spaCy takes a second, and a file with trees needs none.
        try:
            from nlpcalib.parsing.model import load_parser
        except ModuleNotFoundError as error:
            found = f"found no {error.name}, expected it for documents without trees"
            raise InputError(f"{found}: pip install 'nlpcalib[coref]'") from None
        return load_parser(parser)

    name = str(path)
    found = False
    with Path(path).open("rb") as file:
        # Not peeked at, since a pipe shows no more than was written to it at once.
        head = file.read(_HEAD).removeprefix(codecs.BOM_UTF8)
        _refuse_other_kinds(name, head, file_format)
        if b"\0" in head:
            raise InputError(f"{name}: found a zero byte, expected text in UTF-8")
        file_format = file_format or _recognised(name, head)
        if file_format == "text":
            # Read before the parser is loaded, so that a file that cannot be used is refused at once.
            text = _text(name, head + file.read(LARGEST_TEXT))
            documents = loaded().parse_texts([(" ".join(Path(path).stem.split()), text)]) if text.strip() else []
        else:
            lines = chain(BytesIO(head + file.readline()), file)
            documents = {"conllu": parse_conllu, "conll": parse_conll}[file_format](lines, name)
        for document in documents:
            if not document.sentences:
                continue
            found = True
            if not all(each.tags and each.heads and each.relations for each in document.sentences):
                document = loaded().parse_tokens(document)
            yield document
    if not found:
        raise InputError(f"{name}: found no words, expected {_TITLES[file_format]}")


_TITLES = {"text": "plain text", "conllu": "documents in CoNLL-U", "conll": "documents in CoNLL-2012"}


def _refuse_other_kinds(name: str, head: bytes, file_format: str | None) -> None:
    """Call what is no text by its name, and HTML unless the user says that it is text."""
    for mark, kind in _KINDS.items():
        if head.startswith(mark):
            raise InputError(f"{name}: found {kind}, expected text in UTF-8: save or convert it as plain text")
    if file_format is None and _HTML.match(head):
        raise InputError(f"{name}: found HTML, whose tags would be read as words, expected plain text: save it as text")


def _recognised(name: str, head: bytes) -> str:
    """Return the format that the beginning of a file shows without doubt, or its name says, or else plain text."""
    lines = [line for line in head.decode(errors="replace").split("\n") if line.strip()]
    if lines and lines[0].startswith("#begin document"):
        return "conll"
    comments = list(takewhile(lambda line: line.startswith("#"), lines))
    if any(comment[1:].strip().startswith(_CONLLU_COMMENTS) for comment in comments):
        return "conllu"
    if len(comments) < len(lines) and lines[len(comments)].count("\t") == 9:
        return "conllu"
    if name.endswith(".conllu"):
        return "conllu"
    return "conll" if name.endswith(("conll", ".v4_auto_conll")) else "text"


def _text(name: str, data: bytes) -> str:
    if len(data) > LARGEST_TEXT:
        raise InputError(
            f"{name}: found more than {LARGEST_TEXT} bytes of plain text, expected one document of at most so many; "
            "divide it, for example into chapters"
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}, line {line}: found byte 0x{data[error.start]:02x} ({error.reason}), expected text in UTF-8"
        ) from None
