"""Retrieval of a registered corpus into one verified archive, from a local mirror first and the network second."""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
import logging
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import quote

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open
from reproduction.corpora.retrieval.mirror import BoundedReader, iter_mirror, open_zip, open_zip_member
from reproduction.corpora.retrieval.registry import Source, load_manifest, load_registry

if TYPE_CHECKING:
    import requests

_log = logging.getLogger(__name__)
_DOWNLOAD_CHUNK_BYTES = 1 << 20
_DOWNLOAD_ATTEMPTS = 3
_TIMEOUT_SECONDS = (10, 60)
"""Seconds to connect, and between bytes."""
_PROGRESS_SECONDS = 10


def retrieve(
    corpus: str,
    *,
    registry: Path | str,
    manifest: Path | str,
    output: Path | str,
    mirror: Path | str | None = None,
    max_bytes: int = 1 << 30,
    backoff_seconds: float = 2.0,
) -> None:
    """Write the files of a corpus, verified, into one zip archive called `output`.

    The archive's members are the manifest's paths in their order. It depends on nothing but the files: members are
    stored uncompressed, of 1980, so the same corpus is the same archive, bit by bit, wherever it came from.

    Content that has the right sha256 is taken from anywhere below `mirror/<corpus>/`: see `iter_mirror`. What is not
    there is downloaded from the registry's URL, each file in up to three attempts with pauses of `backoff_seconds`,
    twice that and so on. `max_bytes` bounds each download, and what is read from each file of the mirror.

    Raises `InputError` for a corpus that is not in the registry, whatever `load_registry`, `load_manifest` and
    `iter_mirror` refuse, a file that cannot be had or differs from the manifest. There is no `output` then.
    """
    source = load_registry(registry).get(corpus)
    if source is None:
        raise InputError(f"{registry}: found no corpus {corpus!r}, expected one of the registry's")
    files = load_manifest(manifest, source.sha256)
    output = Path(output)
    with tempfile.TemporaryFile(dir=output.parent) as spool, atomic_open(output, "wb") as stream:
        store = _Store(spool, set(files.values()))
        if mirror is not None:
            _search_mirror(store, Path(mirror) / corpus, max_bytes)
        missing = {path: sha256 for path, sha256 in files.items() if sha256 not in store.places}
        if missing:
            _download(store, source, missing, mirror, max_bytes, backoff_seconds)
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            for path, sha256 in files.items():
                member = zipfile.ZipInfo(path, date_time=(1980, 1, 1, 0, 0, 0))
                member.create_system = 3
                member.external_attr = 0o100644 << 16
                member.file_size = store.places[sha256][1]
                with archive.open(member, "w") as content:
                    store.copy(sha256, content)
    _log.info("%s: %d files, all verified", output, len(files))


class _Store:
    """Content by its sha256, in one temporary file: members come in the mirror's order, and leave in the manifest's."""

    def __init__(self, spool: IO[bytes], wanted: set[str]) -> None:
        self._spool = spool
        self._wanted = wanted
        self.places: dict[str, tuple[int, int]] = {}

    @property
    def complete(self) -> bool:
        return len(self.places) == len(self._wanted)

    def add(self, content: BoundedReader) -> str:
        """Take the content if its sha256 is wanted, forget it if not; return the sha256."""
        start = self._spool.seek(0, 2)
        digest = hashlib.sha256()
        while chunk := content.read(_DOWNLOAD_CHUNK_BYTES):
            digest.update(chunk)
            self._spool.write(chunk)
        sha256 = digest.hexdigest()
        if sha256 in self._wanted and sha256 not in self.places:
            self.places[sha256] = (start, self._spool.tell() - start)
        else:
            self._spool.truncate(start)
        return sha256

    def copy(self, sha256: str, target: IO[bytes]) -> None:
        start, size = self.places[sha256]
        self._spool.seek(start)
        for left in range(size, 0, -_DOWNLOAD_CHUNK_BYTES):
            target.write(self._spool.read(min(_DOWNLOAD_CHUNK_BYTES, left)))


def _search_mirror(store: _Store, folder: Path, max_bytes: int) -> None:
    if not folder.is_dir():
        _log.info("no folder %s in the mirror", folder)
        return
    contents = iter_mirror(folder, max_bytes)
    with contextlib.closing(contents):
        for name, content in contents:
            sha256 = store.add(content)
            _log.debug("%s  %s", sha256, name)
            if store.complete:
                break
    _log.info("%d files found in %s", len(store.places), folder)


def _download(
    store: _Store,
    source: Source,
    files: Mapping[str, str],
    mirror: Path | str | None,
    max_bytes: int,
    backoff_seconds: float,
) -> None:
    # Not at the top: an optional dependency, which reading corpora should not ask for.
    import requests

    reported = time.monotonic()
    with requests.Session() as session:
        # Compressed on the way, a cut transfer would show as a damaged stream, and sizes would not be the files'.
        session.headers["Accept-Encoding"] = "identity"
        for count, (path, expected) in enumerate(files.items()):
            if expected in store.places:
                continue
            url = source.url + quote(path)
            if time.monotonic() - reported > _PROGRESS_SECONDS:
                reported = time.monotonic()
                _log.info("%s: %d of %d files downloaded", source.corpus, count, len(files))
            try:
                found = _fetch(session, store, url, max_bytes, backoff_seconds)
            except requests.RequestException as error:
                raise InputError(_advice(source, path, expected, url, mirror, error)) from error
            if found != expected:
                raise InputError(
                    f"{url}: found sha256 {found}, expected {expected} as in the manifest of {source.corpus}"
                )


def _fetch(session: requests.Session, store: _Store, url: str, max_bytes: int, backoff_seconds: float) -> str:
    import requests

    pauses = [backoff_seconds * 2**attempt for attempt in range(_DOWNLOAD_ATTEMPTS - 1)]
    while True:
        try:
            with session.get(url, stream=True, timeout=_TIMEOUT_SECONDS) as response:
                response.raise_for_status()
                return store.add(BoundedReader(_Body(response), max_bytes, url))
        except requests.RequestException as error:
            status = error.response.status_code if error.response is not None else 500
            if not pauses or (status < 500 and status != requests.codes.too_many_requests):
                raise
            _log.warning("%s: %s; trying again in %g s", url, error, pauses[0])
            time.sleep(pauses.pop(0))


class _Body:
    """The body of a response as a stream: `iter_content` checks that it is whole, `raw.read` does not always."""

    def __init__(self, response: requests.Response) -> None:
        self._chunks = response.iter_content(_DOWNLOAD_CHUNK_BYTES)

    def read(self, _: int) -> bytes:
        return next(self._chunks, b"")


def _advice(source: Source, path: str, sha256: str, url: str, mirror: Path | str | None, error: Exception) -> str:
    folder = Path(mirror or "<mirror>") / source.corpus
    return (
        f"{source.corpus}: found no {path} in the mirror ({mirror or 'none is set'}) nor at {url} ({error}).\n"
        f"Without access to the network, get the file elsewhere and put it below {folder}/, as it is, as .xz, or in a "
        ".tar.xz, .tar.gz or .zip archive (its name does not matter), and set `mirror:` in the config to the folder "
        f"that has {source.corpus}/ in it. Expected sha256: {sha256}"
    )


@contextlib.contextmanager
def open_member(source: Path | str, member: str) -> Iterator[IO[bytes]]:
    """Open one file of a corpus for the readers: a member of an archive that `retrieve` wrote, or of a folder.

    Raises `InputError` when there is none, and for a damaged archive, also while the member is read.
    """
    source = Path(source)
    if source.is_dir():
        if not (source / member).is_file():
            raise InputError(f"{source}: found no file {member}, expected one")
        with (source / member).open("rb") as stream:
            yield stream
        return
    with open_zip(source, str(source)) as archive:
        if member not in archive.namelist():
            raise InputError(f"{source}: found no member {member}, expected it among {len(archive.namelist())} members")
        with open_zip_member(archive, member, f"{source}/{member}") as stream:
            yield stream


def read_archive(source: Path | str, pattern: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Open, one after the other, the members of an archive that `retrieve` wrote whose paths match `pattern`.

    The pattern is a shell's, its * matching / too. Yields path and binary stream, for `parse_conllu` and its like.

    Raises `InputError` when no member matches, and for a damaged archive, also while a member is read.
    """
    with open_zip(Path(source), str(source)) as archive:
        members = fnmatch.filter(archive.namelist(), pattern)
        if not members:
            raise InputError(
                f"{source}: found no member {pattern} among {len(archive.namelist())}, expected at least one"
            )
        for member in members:
            with open_zip_member(archive, member, f"{source}/{member}") as stream:
                yield member, stream
