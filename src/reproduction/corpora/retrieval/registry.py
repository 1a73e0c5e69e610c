"""The data registry: which upstream files make a corpus, where they are and what they hash to.

A table has one row per corpus. Its sha256 is that of the corpus's manifest, which in turn has the sha256 of every file
(in the format of `sha256sum`), so the one number in the table pins the whole corpus.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from urllib.parse import urlsplit

from nlpcalib.errors import InputError

_SHA256 = re.compile(r"[0-9a-f]{64}")
_CORPUS = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_MANIFEST_LINE = re.compile(r"(?P<sha256>[0-9a-f]{64})  (?P<path>.+)")
_UNSAFE_CHARACTERS = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')


@dataclass(frozen=True, slots=True)
class Source:
    """A row of the registry; `url` is the folder that the manifest's paths are relative to."""

    corpus: str
    version: str
    url: str
    sha256: str
    """Checksum of the manifest."""
    licence: str
    citation: str


def load_registry(path: Path | str) -> dict[str, Source]:
    """Read the table of corpora, a CSV file whose columns are the fields of `Source`.

    Raises `InputError`, naming the line, for other columns, missing values, a corpus that is there twice or is not
    called by a plain file name, a sha256 that is not 64 lower-case hexadecimal digits, and a URL that is not an http or
    https folder (with / at its end).
    """
    columns = [field.name for field in fields(Source)]
    sources: dict[str, Source] = {}
    # strict: a stray quotation mark is an error, and not swallowed together with the rows up to the next one.
    reader = csv.reader(io.StringIO(_text(Path(path)).removeprefix("\ufeff"), newline=""), strict=True)
    try:
        header = next(reader, [])
        if header != columns:
            raise InputError(f"{path}, line 1: found columns {','.join(header)}, expected {','.join(columns)}")
        for row in reader:
            place = f"{path}, line {reader.line_num}"
            if len(row) != len(columns):
                raise InputError(f"{place}: found {len(row)} columns, expected {len(columns)}")
            for column, value in zip(columns, row, strict=True):
                if not value or value != value.strip():
                    raise InputError(
                        f"{place}: found {value!r} as {column}, expected a value without outer white space"
                    )
            source = Source(*row)
            _check_source(source, place)
            if source.corpus in sources:
                raise InputError(f"{place}: found corpus {source.corpus} again, expected each once")
            sources[source.corpus] = source
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None
    return sources


def _check_source(source: Source, place: str) -> None:
    if not _CORPUS.fullmatch(source.corpus):
        raise InputError(
            f"{place}: found corpus {source.corpus!r}, expected lower-case letters, digits, '_', '.' and '-'"
        )
    if not _SHA256.fullmatch(source.sha256):
        raise InputError(f"{place}: found sha256 {source.sha256!r}, expected 64 lower-case hexadecimal digits")
    try:
        url = urlsplit(source.url)
    except ValueError:
        url = urlsplit("")
    if (
        url.scheme not in ("http", "https")
        or not url.netloc
        or not source.url.endswith("/")
        or url.query
        or url.fragment
    ):
        raise InputError(f"{place}: found url {source.url!r}, expected http(s)://…/ with / at its end")


def load_manifest(path: Path | str, sha256: str) -> Mapping[str, str]:
    """Read a manifest, `<sha256>  <path>` per line in the order of the paths; return the sha256 of every path.

    Raises `InputError`, naming the line, when the manifest does not have the expected `sha256` itself, for lines of
    another form, paths out of order or there twice, and paths that could leave their folder (absolute, `..`) or are no
    portable file names.
    """
    path = Path(path)
    text = _text(path)
    found = hashlib.sha256(text.encode()).hexdigest()
    if found != sha256:
        raise InputError(f"{path}: found sha256 {found} of the manifest, expected {sha256} as in the registry")
    files: dict[str, str] = {}
    previous = ""
    for number, line in enumerate(text.split("\n")[:-1] if text.endswith("\n") else text.split("\n"), 1):
        place = f"{path}, line {number}"
        match = _MANIFEST_LINE.fullmatch(line)
        if not match:
            raise InputError(f"{place}: found {line!r}, expected <sha256>, two spaces and a path")
        member = match["path"]
        if _UNSAFE_CHARACTERS.search(member) or any(part in ("", ".", "..") for part in member.split("/")):
            raise InputError(f"{place}: found path {member!r}, expected one relative to the url, without . and ..")
        if member in files:
            raise InputError(f"{place}: found path {member} again, expected each once")
        if member < previous:
            raise InputError(f"{place}: found path {member} after {previous}, expected paths in order")
        files[member] = match["sha256"]
        previous = member
    return files


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: byte {error.start + 1} is 0x{data[error.start]:02x}, expected a UTF-8 file"
        ) from None
