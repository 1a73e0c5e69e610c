"""Parts of a corpus that several jobs read: what each reads, and documents that are twice in all of them.

One job lists the pieces of files that each part has. Each part is then read alone, and documents of a part that an
earlier part has too are left out at the end. So any number of parts has the documents that one reading has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_json
from nlpcalib.text.bad_records import Tolerance

Piece = dict[str, Any]
"""A file, relative to the source of its corpus, its length in `bytes`, and what its reader notes of the rows in it."""
Listing = dict[str, Any]
"""`pieces` of a part, and what the reader of the format notes of the corpus."""


class PartRead(TypedDict):
    """What a job found in its part."""

    records: int
    broken: int
    first: str
    """The first broken record, see `Tolerance`."""
    ids: list[str]
    """Ids of all documents, in the order of the part."""


def part_at(offset: int, before: int, total: int, parts: int) -> int:
    """Return the part of a row that begins at `offset` of a file, with `before` of `total` bytes in earlier files."""
    return min((before + offset) * parts // max(total, 1), parts - 1)


def listed_file(source: Path | str, piece: Piece) -> Path:
    """Return the file of a piece; raises `InputError` if it is not as long as it was when it was listed."""
    path = Path(source, piece["file"]) if piece["file"] else Path(source)
    if not path.is_file() or path.stat().st_size != piece["bytes"]:
        found = f"{path.stat().st_size:,} bytes" if path.is_file() else "no such file"
        raise InputError(f"{path}: found {found}, expected {piece['bytes']:,} bytes, as when the corpus was listed")
    return path


def repeated_documents(paths: Sequence[Path | str], name: str, share: float) -> list[list[int]]:
    """Return, of each part, the places of the documents whose ids an earlier part has.

    `paths` are files that each have the `PartRead` of a part, in order; one is in memory at a time.

    Raises `InputError` as `nlpcalib.text.dated.read_dated_records` does for all parts together, which are called
    `name`: if too many records are broken or repeated, or if there is no document.
    """
    tolerance = Tolerance(name, share, "records")
    hashes = np.concatenate([_hashes(_read(path)["ids"]) for path in paths])
    hashes.sort()
    shared = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
    repeated: list[list[int]] = []
    seen: set[str] = set()
    for number, path in enumerate(paths, 1):
        part = _read(path)
        tolerance.first = tolerance.first or part["first"]
        tolerance.count += part["records"]
        tolerance.broken += part["broken"]
        suspected = np.flatnonzero(np.isin(_hashes(part["ids"]), shared)).tolist()
        repeated.append([place for place in suspected if part["ids"][place] in seen])
        for place in repeated[-1]:
            again = f"found id {part['ids'][place]} again, expected each once"
            tolerance.skip(f"{name}, part {number} of {len(paths)}", again)
        seen.update(part["ids"][place] for place in suspected)
    tolerance.close()
    if not len(hashes):
        raise InputError(f"{name}: found no document in {tolerance.count:,} records, expected at least one")
    return repeated


def _read(path: Path | str) -> PartRead:
    found: PartRead = read_json(path)
    return found


def _hashes(ids: Sequence[str]) -> np.ndarray:
    """Return 8 bytes of memory for each id, by which those of different parts are compared."""
    digests: Iterator[int] = (int.from_bytes(blake2b(name.encode(), digest_size=8).digest()) for name in ids)
    return np.fromiter(digests, np.uint64, len(ids))
