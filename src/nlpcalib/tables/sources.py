"""The bytes of a table as UTF-8 lines, however a program saved it: packed, in another encoding, a workbook, an array.

Excel saves CSV in Windows-1252, "Unicode text" in UTF-16, and workbooks, of which the first sheet with a table is
read. A JSON array of objects is read as JSON lines, see `nlpcalib.io.json_array`. A file is
Windows-1252 if it is not UTF-8, has hardly anything that UTF-8 would write, and its letters beyond ASCII stand alone,
as in *café*. In Cyrillic or Greek they follow each other; such a file is refused. Letters of Polish, Czech, Turkish and
their neighbours decide for the encodings of these, see `nlpcalib.tables.encodings`.
"""

from __future__ import annotations

import codecs
import csv
import datetime
import gzip
import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import IO, Any, cast

from nlpcalib.blocks import BLOCK_BYTES, MAX_UNPACKED_BYTES
from nlpcalib.errors import InputError
from nlpcalib.extras import install_command
from nlpcalib.io.json_array import array_lines, is_array
from nlpcalib.tables.encodings import NAMES, encoding_of, letters_in_words

MAX_SHARE_OF_UTF8 = 0.1
"""Share of the bytes beyond ASCII that may look like UTF-8 in a file that is Windows-1252."""
MAX_SHARE_TOGETHER = 0.5
"""Share of the letters beyond ASCII that may follow each other in a file that is Windows-1252."""


@dataclass(frozen=True)
class SavedForm:
    """How the bytes of a file are to be read."""

    packed: bool = False
    encoding: str = "utf-8"
    workbook: bool = False
    sheet: str = ""
    """The sheet of a workbook that is read."""
    array: bool = False
    """Whether it is a JSON array, whose objects are the lines."""
    note: str = ""
    """What the user should know of it."""

    @property
    def is_plain(self) -> bool:
        """Whether the file is UTF-8, perhaps packed."""
        return self.encoding == "utf-8" and not self.workbook and not self.array


def source_of(path: Path, name: str) -> SavedForm:
    """Return how a file, called `name` in messages, is to be read; `InputError` for damaged packing."""
    if not path.is_file():  # such as a pipe, which is read once
        return SavedForm()
    status = path.stat()
    return _source(path, name, (status.st_ino, status.st_size, status.st_mtime_ns))


@lru_cache(maxsize=32)
def _source(path: Path, name: str, _version: tuple[int, ...]) -> SavedForm:
    with path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    if not packed and _is_workbook(path):
        _, sheet, others = _workbook(path, name, _version)
        first = f", one of {others + 1}" if others else ""
        return SavedForm(workbook=True, sheet=sheet, note=f"read sheet {sheet!r}{first}")
    with _opened(path, name, packed) as stream:
        start = stream.read(BLOCK_BYTES)
        stream.seek(0)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            _check_utf16(stream, name)
            text = _made(stream, partial(_recoded, "utf-16"))
            return SavedForm(packed, "utf-16", array=is_array(text.read(BLOCK_BYTES)), note="read as UTF-16")
        is_binary = start.startswith((b"PK\x03\x04", b"PAR1", b"\x93NUMPY", b"\xd0\xcf\x11\xe0"))
        if is_binary or start.removeprefix(codecs.BOM_UTF8).lstrip().startswith((b"{", b"[")):
            return SavedForm(packed, array=is_array(start))
        encoding, word = _one_byte_encoding(_parts(stream))
    if not encoding:
        return SavedForm(packed)
    called = NAMES.get(encoding, "Windows-1252")
    return SavedForm(packed, encoding, note=f"read as {called}, since it is not UTF-8: {word.decode(encoding)!r}")


def lines_of(path: Path, name: str) -> str:
    """Return what stands before the number of a line in messages: the file, and of a workbook the sheet.

    Objects of a JSON array are records.
    """
    source = source_of(path, name)
    return f"{name}, record" if source.array else named_lines(name, source.sheet)


def named_lines(name: str, sheet: str) -> str:
    """Return what stands before the number of a line of a text, or of a row of a workbook's `sheet`."""
    return f"{name}, sheet {sheet!r}, row" if sheet else f"{name}, line"


@contextmanager
def unpacked(path: Path, name: str) -> Iterator[IO[bytes]]:
    """Open a file as UTF-8, whatever it was saved as; `InputError` for damaged packing.

    A JSON array of objects is JSON lines.
    """
    source = source_of(path, name)
    if source.workbook:
        status = path.stat()
        yield io.BytesIO(_workbook(path, name, (status.st_ino, status.st_size, status.st_mtime_ns))[0])
        return
    with _opened(path, name, source.packed) as stream:
        if source.encoding != "utf-8":
            stream = _made(stream, partial(_recoded, source.encoding))
        yield _made(stream, lambda each: array_lines(_parts(each), name)) if source.array else stream


@contextmanager
def _opened(path: Path, name: str, packed: bool) -> Iterator[IO[bytes]]:
    try:
        with gzip.open(path) if packed else path.open("rb") as stream:
            yield cast(IO[bytes], stream)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{name}: found a damaged file ({error}), expected a whole one") from error


class _Made(io.RawIOBase):
    """A stream of the bytes that `make` makes of another one; it can be read again from its beginning."""

    def __init__(self, stream: IO[bytes], make: Callable[[IO[bytes]], Iterator[bytes]]) -> None:
        self._stream, self._make = stream, make
        self.seek(0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if (offset, whence) == (0, io.SEEK_SET):
            self._stream.seek(0)
            self._parts = self._make(self._stream)
            self._left, self._position = memoryview(b""), 0
        elif (offset, whence) != (0, io.SEEK_CUR):
            raise io.UnsupportedOperation("seek")
        return self._position

    def readinto(self, buffer: Any) -> int:
        # A view, so that what is left of a long part is not copied at each read.
        self._left = self._left or memoryview(next(filter(None, self._parts), b""))
        n = min(len(buffer), len(self._left))
        buffer[:n], self._left = self._left[:n], self._left[n:]
        self._position += n
        return n


def _made(stream: IO[bytes], make: Callable[[IO[bytes]], Iterator[bytes]]) -> IO[bytes]:
    return cast(IO[bytes], io.BufferedReader(_Made(stream, make)))


def _parts(stream: IO[bytes]) -> Iterator[bytes]:
    return iter(lambda: stream.read(BLOCK_BYTES), b"")


def _recoded(encoding: str, stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a stream in another encoding as UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)()
    for part in _parts(stream):
        yield decoder.decode(part).encode()
    yield decoder.decode(b"", final=True).encode()


def _one_byte_encoding(chunks: Iterator[bytes]) -> tuple[str, bytes]:
    """Return the encoding of one byte a letter that bytes have, and a word with letters beyond ASCII.

    Both are empty if bytes are UTF-8, and in no encoding that is known.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_utf8, can_be_1252, word = True, True, b""
    high = valid = letters = together = 0
    in_words: Counter[int] = Counter()
    for chunk in chunks:
        if is_utf8:
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                is_utf8 = False
        if b"\0" in chunk:
            return "", b""
        if chunk.isascii():
            continue
        can_be_1252 &= re.search(rb"[\x81\x8d\x8f\x90\x9d]", chunk) is None
        if not word:
            at = next(re.finditer(rb"[\x80-\xff]", chunk)).start()
            before, rest = chunk[max(at - 40, 0) : at], chunk[at : at + 40]
            word = (re.findall(rb"[\w'-]*\Z", before)[0] + re.findall(rb"[\w\x80-\xff'-]+", rest)[0])[:40]
        high += len(re.findall(rb"[\x80-\xff]", chunk))
        as_utf8 = rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
        valid += sum(map(len, re.findall(as_utf8, chunk)))
        runs = [len(run) for run in re.findall(rb"[\xc0-\xff]+", chunk)]
        letters += sum(runs)
        together += sum(length for length in runs if length > 1)
        in_words += letters_in_words(chunk)
    if is_utf8:
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            is_utf8 = False
    if is_utf8 or valid > MAX_SHARE_OF_UTF8 * high:
        return "", b""
    if encoding := encoding_of(in_words):
        return encoding, word
    return ("cp1252", word) if can_be_1252 and together <= MAX_SHARE_TOGETHER * letters else ("", b"")


def _check_utf16(stream: IO[bytes], name: str) -> None:
    decoder = codecs.getincrementaldecoder("utf-16")()
    try:
        for chunk in _parts(stream):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}: found damaged UTF-16 ({error.reason}), expected a table saved as CSV UTF-8"
        ) from None


def _is_workbook(path: Path) -> bool:
    with path.open("rb") as stream:
        if stream.read(4) != b"PK\x03\x04":
            return False
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return False


@lru_cache(maxsize=2)
def _workbook(path: Path, name: str, _version: tuple[int, ...]) -> tuple[bytes, str, int]:
    """Return the first sheet of a workbook that is no note as CSV, its name, and how many other sheets there are.

    Empty rows above the first that is filled are blank lines, so that each row keeps its number.
    """
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > MAX_UNPACKED_BYTES:
        raise InputError(
            f"{name}: found a workbook of {size:,} bytes unpacked, expected at most {MAX_UNPACKED_BYTES:,}: "
            "save it as CSV"
        )
    try:
        import openpyxl  # of the extra excel
    except ImportError:
        raise InputError(
            f"{name}: found an Excel workbook, which openpyxl reads: {install_command('excel')}, or in "
            "Excel: File, Save As, CSV UTF-8"
        ) from None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        text = io.StringIO()
        writer = csv.writer(text)
        rows, title = [], ""
        for sheet in book.worksheets:
            # The sheet may claim more columns than it has, which its rows would then be filled up to.
            sheet.reset_dimensions()
            found = [[_cell(value) for value in row] for row in sheet.iter_rows(values_only=True)]
            if not title or any(sum(map(bool, row)) > 1 for row in found):
                rows, title = found, sheet.title
            if any(sum(map(bool, row)) > 1 for row in rows):
                break  # others before it, in which no row has two cells, are notes
        number = len(book.worksheets)
        book.close()
    # openpyxl raises what the part of the archive that is damaged makes of it.
    except Exception as error:
        raise InputError(
            f"{name}: found a damaged Excel workbook ({type(error).__name__}), expected a whole one"
        ) from error
    width = max((place + 1 for row in rows for place, cell in enumerate(row) if cell), default=0)
    several = [place for place, row in enumerate(rows) if sum(map(bool, row)) > 1]  # a title has one cell
    above = several[0] if several else next((place for place, row in enumerate(rows) if any(row)), 0)
    writer.writerows([[]] * above)
    writer.writerows([*row, *[""] * width][:width] for row in rows[above:])
    return text.getvalue().encode(), title, number - 1


def _cell(value: object) -> str:
    """Return the value of a cell as a table in text has it: dates in ISO 8601, whole numbers without a point."""
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)
