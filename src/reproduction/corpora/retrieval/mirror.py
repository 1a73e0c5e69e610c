"""A local mirror of a corpus: files as they are, compressed, or packed in archives, found by their content.

Archives are untrusted. Nothing is extracted under a name they give, links and devices are passed over, and what is
read from any one file, decompressed, is bounded.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import logging
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import IO, Any, Self, cast

from nlpcalib.errors import InputError
from reproduction.corpora.retrieval.bounded import DAMAGED, BoundedReader

_log = logging.getLogger(__name__)
_BUFFER_BYTES = 1 << 16
_MAX_METADATA_BYTES = 1 << 20
_MAX_HEADER_BYTES = 1 << 26
"""Most bytes of an archive's headers: a month of the largest corpus has a tenth, and each takes as long as a file."""


def iter_mirror(folder: Path, limit: int) -> Generator[tuple[str, BoundedReader], None, None]:
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
        except InputError:
            raise
        except (*DAMAGED, OSError) as error:
            raise InputError(f"{path}: found a damaged archive ({error}), expected a whole one") from error


def _tar_members(path: Path, limit: int) -> Iterator[tuple[str, BoundedReader]]:
    with contextlib.ExitStack() as stack:
        opened = lzma.open if path.name.endswith(".xz") else gzip.open
        stream = stack.enter_context(opened(path))
        # Headers and members that are passed over are decompressed too: the bound is on the archive's whole stream.
        bounded = BoundedReader(stream, limit, str(path))
        archive = stack.enter_context(open_tar(bounded))
        for member in archive:
            # A sparse file's holes cost the archive nothing, so its size is not bounded by the stream's.
            content = archive.extractfile(member) if member.isreg() and not member.issparse() else None
            if content is not None:
                yield f"{path}: {member.name}", BoundedReader(content, limit, f"{path}: {member.name}")


def open_tar(stream: BoundedReader) -> tarfile.TarFile:
    """Open a tar archive to be read as a stream; tarfile's `ReadError` for one that is cut or damaged, wherever it is.

    To tarfile alone, an archive that is cut between two members, or has a damaged header, ends there; and a header with
    a long name, other metadata or the map of a sparse file is held in memory, however long. More than 1 MB before a
    member, and more than `_MAX_HEADER_BYTES` in all, are refused, with `ReadError` too.
    """
    # Of a stream, tarfile uses no more than `read`.
    return _Archive.open(fileobj=cast(IO[bytes], stream), mode="r|", tarinfo=_Header)


class _Archive(tarfile.TarFile):
    headers_left = _MAX_HEADER_BYTES


class _Header(tarfile.TarInfo):
    @classmethod
    def fromtarfile(cls, archive: Any) -> Self:
        # A stream is gone through once, but tarfile keeps all members of it.
        archive.members.clear()
        stream = archive.fileobj
        # A header of metadata reads the one after it, so that all before a member share a bound.
        if not isinstance(stream, _HeaderStream):
            archive.fileobj = _HeaderStream(stream, archive)
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined] # tarfile has it, its annotations do not
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(f"{error} where a member or the archive's end should be") from error
        finally:
            archive.fileobj = stream


class _HeaderStream:
    """What tarfile reads headers from: no more than `_MAX_METADATA_BYTES` bytes, and `_MAX_HEADER_BYTES` in all."""

    def __init__(self, stream: IO[bytes], archive: _Archive) -> None:
        self._stream = stream
        self._archive = archive
        self._left = _MAX_METADATA_BYTES
        self.tell = stream.tell

    def read(self, size: int) -> bytes:
        if not 0 <= size <= self._left:
            raise tarfile.ReadError(f"found more than {_MAX_METADATA_BYTES} bytes of metadata before a member")
        self._left -= size
        self._archive.headers_left -= size
        if self._archive.headers_left < 0:
            raise tarfile.ReadError(
                f"found more than {_MAX_HEADER_BYTES} bytes of headers, those of {_MAX_HEADER_BYTES >> 9:,} members"
            )
        return self._stream.read(size)


def _zip_members(path: Path, limit: int) -> Iterator[tuple[str, BoundedReader]]:
    read = 0
    with open_zip(path, str(path)) as archive:
        for member in archive.infolist():
            # Only the type's bits mark a link in a zip file; archivers that are not Unix's leave them zero.
            kind = stat.S_IFMT(member.external_attr >> 16)
            if member.is_dir() or kind not in (0, stat.S_IFREG):
                continue
            name = f"{path}: {member.filename}"
            with open_zip_member(archive, member, name) as stream:
                content = BoundedReader(stream, limit, name, position=read)
                yield name, content
            read = content.position


@contextlib.contextmanager
def open_zip(file: Path | IO[bytes], name: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive; InputError, calling it `name`, for something else and for a damaged directory of members."""
    try:
        archive = zipfile.ZipFile(file)
    except DAMAGED as error:
        found = f"{name}: found a damaged archive or none ({error})"
        raise InputError(f"{found}, expected a zip archive or a folder") from error
    with archive:
        yield archive


@contextlib.contextmanager
def open_zip_member(archive: zipfile.ZipFile, member: str | zipfile.ZipInfo, name: str) -> Iterator[IO[bytes]]:
    """Open a member of a zip archive; InputError, calling it `name`, for a damaged one, also while it is read."""
    try:
        # Where the directory points out of the file, it is the system that complains.
        stream = archive.open(member)
    except (*DAMAGED, OSError) as error:
        raise InputError(f"{name}: found a damaged archive ({error}), expected a whole one") from error
    with stream, io.BufferedReader(_Member(stream, name), _BUFFER_BYTES) as buffered:
        yield buffered


class _Member(io.RawIOBase):
    """What a member of an archive holds, to be read by lines too."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self._name = name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        try:
            data = self._stream.read(len(buffer))
        except DAMAGED as error:
            raise InputError(f"{self._name}: found damaged data ({error}), expected a whole archive") from error
        buffer[: len(data)] = data
        return len(data)
