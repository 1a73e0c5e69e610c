"""Input files that a user names, and checks that they are English text."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nlpcalib.errors import InputError, InputWarning
from nlpcalib.examination.texts import misread_word, stands_twice
from nlpcalib.io.destinations import path_kind
from nlpcalib.io.files import refuse_xml
from nlpcalib.io.folders import files_below
from nlpcalib.io.json_values import shown
from nlpcalib.io.own_tables import own_rows

_FILE_SIGNATURES = {
    b"%PDF-": "a PDF",
    b"{\\rtf": "a rich text (RTF)",
    b"PK\x03\x04": "a zip archive (as of Word and LibreOffice)",
    b"\x1f\x8b": "a gzip archive",
    b"\xd0\xcf\x11\xe0": "a document of Word before 2007",
}
"""Kinds of files that people mistake for text, by their first bytes."""
_HTML = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--.{,2000}?-->\s*)?<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)

_PDF_HEAD_BYTES = 1024
"""First bytes that are searched for the signature of a PDF."""
_HTML_TAG = re.compile(r"</?(?:p|div|span|br|a|li|ul|table|tr|td|h[1-6]|script|style)\b[^<>]{,200}>", re.IGNORECASE)
_MIN_HTML_TAGS = 5
"""HTML tags from which a text gets a warning: fewer may be quotations."""
_RUN_OF_LETTERS = re.compile(r"[^\W\d_]+")
_MAX_LANGUAGE_CHARACTERS = 20_000
"""Characters of a text from which its language is recognised."""
_MIN_WORDS_FOR_LANGUAGE = 20
"""Shorter texts do not show their language."""
_COMMON_WORDS = {language: words.split() for language, words in own_rows(__file__, "languages")}
"""Common words of each language."""
MIN_COMMON_WORDS_RECOGNISED = 5
"""Different common words of a language by which texts of few words are recognised."""
_MIN_ENGLISH_SHARE = 0.08
"""Smallest share of common words in an English text; most have .3 to .5."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """An input file."""

    path: Path
    id: str
    """The id of a document that is the whole file."""
    named: bool
    """Whether the user named the file itself, not its folder."""


def input_files(paths: Iterable[str | Path]) -> list[InputFile]:
    """Return the named files and the files below named folders, except hidden ones.

    The id of a named file is its stem; that of a file in a folder is its path there, without suffix. Equal ids are
    extended by parent folders until they are unique, and by the suffix if only that differs. `-` is standard input.

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
    ids = _ids([(path, folder) for path, folder, _ in files])
    return [InputFile(path, each, named) for (path, _, named), each in zip(files, ids, strict=True)]


def _ids(files: Sequence[tuple[Path, Path]]) -> list[str]:
    """Return ids of files: their paths in their folders, and more of their paths where these are equal."""
    alike = Counter(path.with_suffix("") for path in {path for path, _ in files})
    parts = [(path if alike[path.with_suffix("")] > 1 else path.with_suffix("")).parts for path, _ in files]
    lengths = [len(path.relative_to(folder).parts) for path, folder in files]
    while True:
        ids = [" ".join(Path(*each[-length:]).as_posix().split()) for each, length in zip(parts, lengths, strict=True)]
        counts = Counter(ids)
        longer = [
            length + (counts[identifier] > 1 and length < len(each))
            for each, length, identifier in zip(parts, lengths, ids, strict=True)
        ]
        if longer == lengths:
            return ids
        lengths = longer


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def refuse_other_kinds(name: str, head: bytes) -> None:
    """Raise `InputError` for files that are not text, and for HTML and XML."""
    for mark, kind in _FILE_SIGNATURES.items():
        if mark in head[:_PDF_HEAD_BYTES] if kind == "a PDF" else head.startswith(mark):
            raise InputError(f"{name}: found {kind}, expected text in UTF-8: save or convert it as plain text")
    if _HTML.match(head):
        raise InputError(f"{name}: found HTML, whose tags would become words, expected plain text: save it as text")
    refuse_xml(name, head)


def notice_spoilt(name: str, text: str) -> bool:
    """Warn of a text that stands twice, and of one that was read in a wrong encoding; return whether it warned."""
    found = []
    if stands_twice(text):
        found.append("the second half of the text repeats the first, in order: does it stand twice?")
    if word := misread_word(text):
        found.append(f"found {shown(word)}, which looks like UTF-8 read in another encoding: was it so saved?")
    for sign in found:
        warnings.warn(f"{name}: {sign}", InputWarning, stacklevel=2)
    return bool(found)


def notice_language(name: str, text: str, *, markup: bool = False, recognised: bool = False) -> bool:
    """Warn of a text that is not English or, with `markup`, has tags of HTML; return whether it warned.

    If it has to be `recognised`, only a text with several common words of another language gets a warning.
    """
    part = text[:_MAX_LANGUAGE_CHARACTERS]
    tags = len(_HTML_TAG.findall(part)) if markup else 0
    if tags >= _MIN_HTML_TAGS:
        warnings.warn(
            f"{name}: found {tags} HTML tags, which are read as words, expected plain text: save it as text",
            stacklevel=2,
        )
    words = Counter(word.lower() for word in _RUN_OF_LETTERS.findall(part))
    count = words.total()
    shares = {language: sum(words[word] for word in common) for language, common in _COMMON_WORDS.items()}
    if count < _MIN_WORDS_FOR_LANGUAGE or shares.pop("English") >= _MIN_ENGLISH_SHARE * count:
        return tags >= _MIN_HTML_TAGS
    likeliest = max(shares, key=lambda language: shares[language])
    if recognised and sum(words[word] > 0 for word in _COMMON_WORDS[likeliest]) < MIN_COMMON_WORDS_RECOGNISED:
        return tags >= _MIN_HTML_TAGS
    found = (
        f"what looks {likeliest}"
        if shares[likeliest] >= 2 * _MIN_ENGLISH_SHARE * count
        else "few common words of English"
    )
    warnings.warn(f"{name}: found {found}, expected English: parser and model are for no other language", stacklevel=2)
    return True
