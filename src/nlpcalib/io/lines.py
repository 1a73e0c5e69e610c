"""Lines of corpus files: decoded, numbered, bounded in length, and grouped into blocks."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from itertools import groupby
from typing import IO

from nlpcalib.errors import InputError

ByteStream = IO[bytes] | BufferedIOBase
"""A binary file, or one that decompresses it."""

MAX_BLANK_BYTES = 1 << 22
"""Most bytes of consecutive blank lines: a compressed megabyte can hold a thousand million of them."""


def bounded_lines(stream: ByteStream, limit: int, name: str) -> Iterator[bytes]:
    """Yield the lines of a stream, cut after `limit` bytes, so that no line fills the memory.

    Raises `InputError`, calling the stream `name`, for more than `MAX_BLANK_BYTES` bytes of consecutive blank lines.
    """
    blank = number = 0
    while line := stream.readline(limit):
        number += 1
        blank = 0 if line.strip() else blank + len(line)
        check_blank(blank, f"{name}, line {number}")
        yield line
        while line and not line.endswith(b"\n"):
            line = stream.readline(limit)


def check_blank(size: int, place: str) -> None:
    """Raise `InputError` at a place, a file and a line, before which are so many bytes of blank lines in a row."""
    if size > MAX_BLANK_BYTES:
        raise InputError(f"{place}: found more than {MAX_BLANK_BYTES} bytes of blank lines, expected text")


def without_mark(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file without its byte order mark."""
    rest = iter(lines)
    for first in rest:
        yield first.removeprefix(codecs.BOM_UTF8)
        yield from rest


def numbered_lines(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, str]]:
    """Decode the lines of the file called `name`, without line ends and numbered from 1.

    Lines end only at LF or CRLF: corpora have characters such as U+2028 inside words. A byte order mark is dropped.

    Raises `InputError` for bytes that are not UTF-8.
    """
    for number, line in enumerate(without_mark(lines), 1):
        try:
            yield number, line.decode().rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{name}, line {number}: byte {error.start + 1} of the line is 0x{line[error.start]:02x}, "
                f"which is not UTF-8 ({error.reason}); expected a UTF-8 file"
            ) from None


def numbered_blocks(lines: Iterable[bytes], name: str) -> Iterator[list[tuple[int, str]]]:
    """Group the decoded lines of a file into blocks, which blank lines separate.

    Raises `InputError` as `numbered_lines` does.
    """
    for is_block, numbered in groupby(numbered_lines(lines, name), key=lambda numbered: bool(numbered[1])):
        if is_block:
            yield list(numbered)
