"""Reading a user's files as parsed documents: plain text, JSON lines, CoNLL-U or CoNLL-2012."""

from __future__ import annotations

import codecs
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import chain, groupby, takewhile, tee
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nlpcalib.errors import InputError, counted, located, some
from nlpcalib.io.destinations import path_kind
from nlpcalib.io.files import check_file, refuse_xml
from nlpcalib.io.folders import files_below
from nlpcalib.io.json_values import json_object, shown
from nlpcalib.io.own_tables import own_rows
from nlpcalib.systems.coref.answer.turns import with_speakers, without_labels
from nlpcalib.systems.text.conll import parse_conll
from nlpcalib.systems.text.conllu import parse_conllu
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing.model import load_parser
from nlpcalib.systems.text.titles import with_titled_names

if TYPE_CHECKING:
    from nlpcalib.systems.text.parsing.parser import Parser

DOCUMENT_FORMATS = {
    "text": "plain text",
    "jsonl": "JSON lines with texts",
    "conllu": "documents in CoNLL-U",
    "conll": "documents in CoNLL-2012",
}
"""The formats of files, with their names in messages. CoNLL-2012 is `*_gold_conll`, the reference scorer's key."""

MAX_TEXT_BYTES = 5_000_000
"""Largest plain text: it is one document, and one of this size takes some gigabytes of memory."""

_FORMAT_HEAD_BYTES = 1 << 16
"""First bytes of a file from which its format is recognised."""
_HTML = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--.{,2000}?-->\s*)?<(!doctype\s+html|html|head|body|p|div)\b", re.IGNORECASE | re.DOTALL
)
_MIN_ENGLISH_SHARE = 0.08
"""Smallest share of common words in an English text; most have .3 to .5."""


def read_documents(
    path: str | Path | Iterable[str | Path],
    *,
    mentions: bool = True,
) -> Iterator[Document]:
    """Read the documents of files one at a time, with tags and trees.

    A plain text is one document, named after its file. The `text` of each object in JSON lines is a document, named by
    its `id`, or by the file and the line. The document's `source` is the text. A document in which a sentence has no
    tags, heads or relations is parsed, keeping its words and sentences.

    Parameters
    ----------
    path : str or Path, or several of them
        A file is read once from beginning to end, so that it may be a pipe. A folder means the files below it; an
        error in one of those is a warning, and the rest of that file is left out.
        Its format is recognised from the content, then from its name.
    mentions : bool
        Whether to read annotated mentions. Without them, unmatched brackets are ignored.

    Raises `InputError` for a file without words, binary files such as PDF, HTML and tables,
    encodings other than UTF-8, texts of more than `MAX_TEXT_BYTES` bytes, a duplicate id, and as `parse_conllu`,
    `parse_conll` and `load_parser` do. Warns of texts that are not English.
    """

    loaded = cache(lambda: load_parser(None))
    files = input_files([path] if isinstance(path, str | Path) else path)
    found = (each for file in files for each in _contents(file, mentions))
    for is_text, group in groupby(_distinct(found, files), key=lambda each: each[1] is not None):
        for document in _parsed(group, loaded) if is_text else (document for document, _, _ in group):
            if not all(each.tags and each.heads and each.relations for each in document.sentences):
                document = loaded().parse_tokens(document)
            yield document


_Content = tuple[Document, str | None, str]
"""A document, the text from which it will be parsed, if any, and its file."""


def _distinct(contents: Iterable[_Content], files: Sequence[InputFile]) -> Iterator[_Content]:
    """Yield documents; raise `InputError` for a duplicate id, and if there is none."""
    seen: dict[str, str] = {}
    for content in contents:
        document, _, name = content
        if document.id in seen:
            first = seen[document.id]
            raise InputError(f"{name}: found document {document.id!r} again, first in {first}, expected each once")
        seen[document.id] = name
        yield content
    if not seen:
        raise InputError(
            f"{some([str(file.path) for file in files])}: found no documents, expected {DOCUMENT_FORMATS['text']}"
        )


def parsed_texts(texts: Iterable[tuple[str, str]], parser: Parser) -> Iterator[Document]:
    """Yield parsed documents for pairs of an id and a plain text, with source and speakers."""
    sources, again = tee(texts)
    unlabelled = ((identifier, without_labels(text)) for identifier, text in sources)
    parsed = parser.parse_texts(unlabelled, edited=None)
    for document, (_, text) in zip(parsed, again, strict=True):
        document = replace(document, sentences=tuple(map(with_titled_names, document.sentences)))
        yield with_speakers(replace(document, source=text)) if document.sentences else document


def _parsed(contents: Iterable[_Content], loaded: Callable[[], Parser]) -> Iterator[Document]:
    """Parse texts in batches."""
    unparsed, again = tee(contents)
    parsed = parsed_texts(((document.id, text or "") for document, text, _ in unparsed), loaded())
    for found, (_, _, name) in zip(parsed, again, strict=True):
        if found.sentences:
            yield found
        else:
            warnings.warn(f"{name}: document {found.id!r} has no words; left out", stacklevel=2)


class InputFile(NamedTuple):
    """An input file."""

    path: Path
    id: str
    """The id of a document that is the whole file."""
    named: bool
    """Whether the user named the file itself, not its folder."""


def input_files(paths: Iterable[str | Path]) -> list[InputFile]:
    """Return the named files and the files below named folders, except hidden ones.

    The id of a named file is its stem; that of a file in a folder is its path there, without suffix. Where these are
    equal, the path is the id. `-` is standard input.

    Raises `InputError` for a missing file, and for a folder without files.
    """
    files: list[tuple[Path, Path, bool]] = []
    for path in (Path("/dev/stdin") if str(path) == "-" else Path(path) for path in paths):
        if path.is_dir():
            below = [each for each in files_below(path) if not _is_hidden(each.relative_to(path))]
            if not below:
                raise InputError(f"{path}: found a folder without files, expected a folder of texts")
            files += [(each, path, False) for each in below]
        elif not path_kind(path):
            raise InputError(f"{path}: no such file")
        else:
            files.append((path, path.parent, True))
    ids = [_named(path.relative_to(folder).with_suffix("")) for path, folder, _ in files]
    counts = Counter(ids)
    return [
        InputFile(path, each if counts[each] == 1 else _named(path), named)
        for (path, _, named), each in zip(files, ids, strict=True)
    ]


def _named(path: Path) -> str:
    return " ".join(path.as_posix().split())


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _contents(file: InputFile, mentions: bool) -> Iterator[_Content]:
    """Yield the documents of a file. For a file found in a folder, an error becomes a warning and ends the file."""
    count = 0
    try:
        for content in _file_contents(file, mentions):
            yield content
            count += 1
    except (InputError, OSError) as error:
        if file.named:
            raise
        kept = f"; the rest of the file is left out after {counted(count, 'document')}" if count else "; left out"
        warnings.warn(f"{error}{kept}", stacklevel=2)


def _file_contents(file: InputFile, mentions: bool) -> Iterator[_Content]:
    name, found = str(file.path), False
    if not file.named:
        check_file(file.path)  # reading a pipe in a folder would wait for ever
    with file.path.open("rb") as stream:
        # Reads rather than peeks: peeking at a pipe shows only what was written to it at once.
        head = stream.read(_FORMAT_HEAD_BYTES).removeprefix(codecs.BOM_UTF8)
        refuse_other_kinds(name, head)
        if b"\0" in head:
            raise InputError(f"{name}: found a zero byte, expected text in UTF-8")
        form = _recognised(name, head)
        contents: Iterable[tuple[Document, str | None]]
        if form == "text":
            # Read before the parser is loaded, so that an unusable file is refused at once.
            text = _text(name, head + stream.read(MAX_TEXT_BYTES))
            notice_language(name, text)
            contents = [(Document(file.id, ()), text)] if text.strip() else []
        else:
            lines = chain(BytesIO(head + stream.readline()), stream)
            if form == "jsonl":
                contents = _json_lines(name, file.id, lines)
            else:
                parse = parse_conllu if form == "conllu" else parse_conll
                documents = parse(lines, name, mentions=mentions, share=1.0)
                contents = ((each, None) for each in documents if each.sentences)
        for document, source in contents:
            found = True
            yield document, source, name
    if not found:
        raise InputError(f"{name}: found no words, expected {DOCUMENT_FORMATS[form]}")


def _json_lines(name: str, stem: str, lines: Iterable[bytes]) -> Iterator[tuple[Document, str]]:
    """Yield the texts of objects, each with a document named by its id, or by the file and the line number.

    Five texts get a warning at most.
    """
    noticed = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{name}, line {number}"
        with located(place):
            value = json_object(line)
        if not isinstance(text := value.get("text"), str):
            raise InputError(f"{place}: found {shown(value)}, expected an object with a `text`")
        if len(text.encode(errors="replace")) > MAX_TEXT_BYTES:
            raise InputError(f"{place}: found more than {MAX_TEXT_BYTES} bytes of text, expected no more")
        identifier = value.get("id", f"{stem}-{number}")
        if not isinstance(identifier, str | int) or not str(identifier).strip():
            raise InputError(f"{place}: found id {identifier!r}, expected a text or a whole number")
        if noticed < 5:
            noticed += notice_language(place, text)
        yield Document(" ".join(str(identifier).split()), ()), text


def _recognised(name: str, head: bytes) -> str:
    """Return the format from the beginning of a file if that is certain, else from its name, else plain text."""
    lines = [line for line in head.decode(errors="replace").split("\n") if line.strip()]
    comments = list(takewhile(lambda line: line.lstrip().startswith("#"), lines))
    if any(re.match(r"\s*#\s*begin document", comment) for comment in comments):
        return "conll"
    if lines and re.match(r'\s*\{\s*"(text|id)"\s*:', lines[0]):
        return "jsonl"
    # A comment identifies CoNLL-U even if the first row is broken.
    is_conllu = any(re.match(r"#\s*(newdoc|sent_id|text =|newpar|global\.|meta::)", comment) for comment in comments)
    if is_conllu or (len(comments) < len(lines) and lines[len(comments)].count("\t") == 9) or name.endswith(".conllu"):
        return "conllu"
    if name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    if name.lower().endswith((".csv", ".tsv")):
        raise InputError(
            f"{name}: found a table, which would be read as one text, expected plain text: save each text as a file, "
            'or all as JSON lines with a "text"'
        )
    return "conll" if name.endswith(("conll", ".v4_auto_conll")) else "text"


def _text(name: str, data: bytes) -> str:
    if len(data) > MAX_TEXT_BYTES:
        raise InputError(
            f"{name}: found more than {MAX_TEXT_BYTES} bytes of plain text, expected a shorter document; divide it, "
            "for example into chapters"
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}, line {line}: found byte 0x{data[error.start]:02x} ({error.reason}), expected text in UTF-8"
        ) from None


def refuse_other_kinds(name: str, head: bytes) -> None:
    """Raise `InputError` for files that are not text, and for HTML and XML."""
    if b"%PDF-" in head[:1024] or head.startswith((b"{\\rtf", b"PK\x03\x04", b"\x1f\x8b", b"\xd0\xcf\x11\xe0")):
        raise InputError(f"{name}: found a PDF, RTF, Word or packed file, expected text in UTF-8: save it as text")
    if _HTML.match(head):
        raise InputError(f"{name}: found HTML, whose tags would become words, expected plain text: save it as text")
    refuse_xml(name, head)


@cache
def _common_words() -> dict[str, list[str]]:
    """Return the common words of each language."""
    return {language: each.split() for language, each in own_rows(__file__, "languages")}


def notice_language(name: str, text: str, *, recognised: bool = False) -> bool:
    """Warn of a text that is not English, by its first 20,000 characters; return whether it warned.

    A text of less than 20 words does not show its language. If that has to be `recognised`, only a text with five
    common words of another language gets a warning.
    """
    words = Counter(word.lower() for word in re.findall(r"[^\W\d_]+", text[:20_000]))
    count, common = words.total(), _common_words()
    sums = {language: sum(words[word] for word in each) for language, each in common.items()}
    if count < 20 or sums.pop("English") >= _MIN_ENGLISH_SHARE * count:
        return False
    likeliest = max(sums, key=lambda language: sums[language])
    if recognised and sum(words[word] > 0 for word in common[likeliest]) < 5:
        return False
    is_likely = sums[likeliest] >= 2 * _MIN_ENGLISH_SHARE * count
    found = f"what looks {likeliest}" if is_likely else "few common words of English"
    warnings.warn(f"{name}: found {found}, expected English: parser and model are for no other language", stacklevel=2)
    return True
