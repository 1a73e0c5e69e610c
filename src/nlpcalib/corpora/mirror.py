"""A local mirror of a corpus: files as they are, compressed, or packed in archives, found by their content.

Archives are untrusted. Nothing is extracted under a name they give, links and devices are passed over, and what is
read from any one file, decompressed, is bounded.
"""

from __future__ import annotations

import contextlib
import gzip
import logging
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO

from nlpcalib.errors import InputError

_log = logging.getLogger(__name__)
_DAMAGED = (
    EOFError,
    gzip.BadGzipFile,
    lzma.LZMAError,
    RuntimeError,  # zipfile's for an encrypted member and, as NotImplementedError, for an unknown compression
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)


class BoundedReader:
    """A binary stream of which no more than `limit` bytes can be read.

    Raises `InputError`, calling the stream `name`, when there is more and when what it decompresses is damaged.
    """

    def __init__(self, stream: IO[bytes], limit: int, name: str, *, position: int = 0) -> None:
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
        except _DAMAGED as error:
            raise InputError(f"{self._name}: found damaged data ({error}), expected a whole archive") from error
        self.position += len(data)
        if self.position > self._limit:
            raise InputError(
                f"{self._name}: found more than {self._limit} bytes, expected no more (a decompression bomb?)"
            )
        return data


def iter_mirror(folder: Path, limit: int) -> Iterator[tuple[str, BoundedReader]]:
    """Go through everything below `folder`: each file as it is, then what `.xz`, `.tar.xz`, `.tar.gz` and `.zip` hold.

    Yields a name for messages and the content, which must be read before the next one is asked for. At most `limit`
    bytes are read from a file as it is, and at most as many from all that it holds.

    Raises `InputError` for a damaged or cut archive and for more than `limit` bytes.
    """
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        _log.info("looking into %s", path)
        with path.open("rb") as stream:
            yield str(path), BoundedReader(stream, limit, str(path))
        try:
            if path.name.endswith((".tar.xz", ".tar.gz")):
                yield from _tar_members(path, limit)
            elif path.name.endswith(".xz"):
                with lzma.open(path) as stream:
                    yield str(path), BoundedReader(stream, limit, str(path))
            elif path.name.endswith(".zip"):
                yield from _zip_members(path, limit)
        except _DAMAGED as error:
            raise InputError(f"{path}: found a damaged archive ({error}), expected a whole one") from error


def _tar_members(path: Path, limit: int) -> Iterator[tuple[str, BoundedReader]]:
    with contextlib.ExitStack() as stack:
        stream: BinaryIO
        if path.name.endswith(".xz"):
            stream = stack.enter_context(lzma.open(path))
        else:
            stream = stack.enter_context(gzip.open(path))
        # Headers and members that are passed over are decompressed too: the bound is on the archive's whole stream.
        bounded = BoundedReader(stream, limit, str(path))
        archive = stack.enter_context(tarfile.open(fileobj=bounded, mode="r|"))
        for member in archive:
            # A sparse file's holes cost the archive nothing, so its size is not bounded by the stream's.
            if member.isreg() and not member.issparse():
                content = archive.extractfile(member)
                yield f"{path}: {member.name}", BoundedReader(content, limit, f"{path}: {member.name}")


def _zip_members(path: Path, limit: int) -> Iterator[tuple[str, BoundedReader]]:
    read = 0
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            # Nothing but the type's bits tells a link in a zip file; archivers that are not Unix's leave them zero.
            kind = stat.S_IFMT(member.external_attr >> 16)
            if member.is_dir() or kind not in (0, stat.S_IFREG):
                continue
            with archive.open(member) as stream:
                content = BoundedReader(stream, limit, f"{path}: {member.filename}", position=read)
                yield f"{path}: {member.filename}", content
            read = content.position
