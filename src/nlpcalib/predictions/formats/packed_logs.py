"""Packed logs of Inspect (`.eval`): zip archives of JSON, which newer versions pack with Zstandard."""

from __future__ import annotations

import io
import json
import lzma
import zipfile
import zlib
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError

MAX_LOG_BYTES = 1 << 28
"""Unpacked bytes that are read of a log: about 200,000 samples; an archive of kilobytes may claim more."""
_ZSTANDARD_METHOD = 93
_LOCAL_HEADER_BYTES = 30
_HEADERS = ("header.json", "_journal/start.json")
"""What was evaluated; a log that was interrupted has the second alone."""


def read_packed_log(path: Path) -> dict[str, Any]:
    """Return `eval` and `samples` of a log, as the same log in JSON has them; samples are summaries with all scores.

    Raises `InputError` for what is no such archive, is damaged, or unpacks to more than is read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = {member.filename: member for member in archive.infolist()}
            header = next((members[name] for name in _HEADERS if name in members), None)
            if header is None:
                raise InputError("found an archive without header.json, expected a log of Inspect")
            parts = [members[name] for name in _samples(list(members))]
            size = sum(member.file_size for member in (header, *parts))
            if size > MAX_LOG_BYTES:
                raise InputError(
                    f"found a log of {size:,} bytes unpacked, expected at most {MAX_LOG_BYTES:,}: "
                    f"inspect log convert {path} --to json"
                )
            content = json.loads(_unpacked(archive, header))
            found = [json.loads(_unpacked(archive, member)) for member in parts]
    except InputError:
        raise
    # What zipfile, its decompressors, Arrow's and json raise for damaged archives.
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, OSError, ValueError) as error:
        raise InputError(
            f"found a damaged log ({type(error).__name__}), expected one that Inspect wrote, or JSON: "
            f"inspect log convert {path} --to json"
        ) from None
    samples = [sample for each in found for sample in (each if isinstance(each, list) else [each])]
    return {"eval": content["eval"], "samples": samples}


def _samples(names: list[str]) -> list[str]:
    """Return the members that have the scores: summaries of all samples, of parts of them, or the samples."""
    if "summaries.json" in names:
        return ["summaries.json"]
    parts = [name for name in names if name.startswith("_journal/summaries/")]
    return parts or [name for name in names if name.startswith("samples/") and name.endswith(".json")]


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return a member, no more bytes than it claims to have."""
    if member.compress_type != _ZSTANDARD_METHOD:
        with archive.open(member) as stream:
            return stream.read(member.file_size)
    import pyarrow as pa  # takes a while to load

    if archive.fp is None:
        raise zipfile.BadZipFile
    archive.fp.seek(member.header_offset)
    start = archive.fp.read(_LOCAL_HEADER_BYTES)
    # The lengths of its name and of further fields, which may be others than those of the directory.
    archive.fp.seek(int.from_bytes(start[26:28], "little") + int.from_bytes(start[28:30], "little"), io.SEEK_CUR)
    packed = pa.BufferReader(archive.fp.read(member.compress_size))
    return pa.CompressedInputStream(packed, "zstd").read(member.file_size)
