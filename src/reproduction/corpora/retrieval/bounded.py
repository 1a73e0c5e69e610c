"""Streams of which no more than so many bytes can be read: what is unpacked is not trusted."""

from __future__ import annotations

import codecs
import gzip
import lzma
import tarfile
import zipfile
import zlib
from typing import IO, Protocol

from nlpcalib.errors import InputError
from nlpcalib.tables.records import MAX_RECORD_BYTES

DAMAGED = (
    EOFError,
    gzip.BadGzipFile,
    lzma.LZMAError,
    RuntimeError,  # zipfile's for an encrypted member and, as NotImplementedError, for an unknown compression
    tarfile.TarError,
    ValueError,  # zipfile's for places outside of the file, and for names that are no UTF-8
    zipfile.BadZipFile,
    zlib.error,
)
"""What the standard library raises for a damaged archive, apart from `OSError`."""


class Readable(Protocol):
    """Anything that bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, none at the end."""


class BoundedReader:
    """A binary stream of which no more than `limit` bytes can be read.

    Raises `InputError`, calling the stream `name`, when there is more and when what it decompresses is damaged.
    """

    def __init__(self, stream: Readable, limit: int, name: str, *, position: int = 0) -> None:
        """Read from `stream`, which the caller closes; `position` bytes count as read before."""
        self._stream = stream
        self._name = name
        self._limit = limit
        self.position = position

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes."""
        # One byte more than is left is asked for, so that exactly `limit` bytes are fine.
        try:
            data = self._stream.read(min(size, self._limit - self.position + 1))
        except InputError:
            raise
        except DAMAGED as error:
            raise InputError(f"{self._name}: found damaged data ({error}), expected a whole archive") from error
        self.position += len(data)
        if self.position > self._limit:
            raise InputError(
                f"{self._name}: found more than {self._limit} bytes, expected no more (a decompression bomb?)"
            )
        return data


def read_bounded(stream: IO[bytes]) -> bytes:
    """Return all of a stream; ValueError for more than `MAX_RECORD_BYTES` bytes and for damaged data."""
    reader = BoundedReader(stream, MAX_RECORD_BYTES, "the file")
    chunks = []
    while chunk := reader.read(1 << 20):
        chunks.append(chunk)
    return b"".join(chunks)


def decode(data: bytes) -> str:
    """Return UTF-8 bytes, without a byte order mark, as text; ValueError if they are not UTF-8."""
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} is 0x{error.object[error.start]:02x}, expected UTF-8") from None
