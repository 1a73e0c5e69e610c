"""Parts of a corpus that several jobs read: what each reads, and documents that are twice in all of them.

One job lists the pieces of files that each part has. Each part is then read alone, and documents of a part that an
earlier part has too are left out at the end. So any number of parts has the documents that one reading has. Years are
read one after the other in the same way: a document is left out if an earlier year has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_json
from nlpcalib.systems.text.bad_records import Tolerance
from nlpcalib.systems.text.dated import found_no_document

Piece = dict[str, Any]
"""A file, relative to the source of its corpus, its length in `bytes`, and what its reader notes of the rows in it."""
Listing = dict[str, Any]
"""`pieces` of a part, and what the reader of the format notes of the corpus."""

_DIGEST_BYTES = 16
"""Bytes that stand for an id: of 10⁹ ids, two have the same with probability 10⁻²¹."""


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


def repeated_documents(
    paths: Sequence[Path | str], name: str, share: float, earlier: Iterable[np.ndarray] = ()
) -> tuple[list[list[int]], np.ndarray]:
    """Return, of each part, the places of the documents whose ids an earlier part has, and the digests of all ids.

    `paths` are files that each have the `PartRead` of a part, in order; one is in memory at a time. `earlier` are the
    digests of corpora before this one, whose documents are repeated too. A digest has 16 bytes of memory.

    Raises `InputError` as `systems.text.dated.read_dated_records` does for all parts together, which are called
    `name`: if too many records are broken or repeated, or if there is no document.
    """
    by_part = [_digests(_read(path)["ids"]) for path in paths]
    digests, first = np.unique(np.concatenate(by_part), return_index=True)
    again = np.ones(sum(map(len, by_part)), bool)
    again[first[~_in_any(digests, earlier)]] = False
    repeated: list[list[int]] = []
    tolerance = Tolerance(name, share, "records")
    for number, (path, here) in enumerate(zip(paths, _divided(again, by_part), strict=True), 1):
        part = _read(path)
        tolerance.first = tolerance.first or part["first"]
        tolerance.count += part["records"]
        tolerance.broken += part["broken"]
        repeated.append(np.flatnonzero(here).tolist())
        for place in repeated[-1]:
            message = f"found id {part['ids'][place]} again, expected each once"
            tolerance.skip(f"{name}, part {number} of {len(paths)}", message)
    tolerance.close()
    if not len(digests):
        raise found_no_document(name, tolerance.count)
    return repeated, digests


def _read(path: Path | str) -> PartRead:
    found: PartRead = read_json(path)
    return found


def _in_any(digests: np.ndarray, others: Iterable[np.ndarray]) -> np.ndarray:
    found = np.zeros(len(digests), bool)
    for other in others:
        found |= np.isin(digests, other)
    return found


def _divided(values: np.ndarray, parts: Sequence[np.ndarray]) -> list[np.ndarray]:
    return np.split(values, np.cumsum([len(part) for part in parts])[:-1])


def _digests(ids: Sequence[str]) -> np.ndarray:
    """Return what ids of different parts and years are compared by."""
    digests = (blake2b(name.encode(), digest_size=_DIGEST_BYTES).digest() for name in ids)
    return np.fromiter(digests, f"S{_DIGEST_BYTES}", len(ids))
