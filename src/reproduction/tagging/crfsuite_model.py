"""Reader of CRFsuite's binary model files, for the exact weights (CRFsuite's own dump prints six digits)."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from reproduction.tagging.chain import LinearChain

_HEADER = struct.Struct("<4sI4sIIIIIIIII")
_FEATURES_HEADER = struct.Struct("<4sII")
_FEATURE = np.dtype([("kind", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_STATE, _TRANSITION = 0, 1

_DATABASE_HEADER = struct.Struct("<4sIIIII")
_DATABASE_BYTE_ORDER = 0x62445371
_HASH_TABLES = 256 * 8
_RECORD_HEADER = struct.Struct("<II")

_MAXIMUM_WEIGHTS = 2**28
"""Bound on the dense weights (2 GB): the file is untrusted, and its counts multiply."""


def read_crfsuite_model(source: str | os.PathLike[str] | bytes) -> LinearChain:
    """Return the model in a file, or in the bytes of one, that CRFsuite wrote (version 100, `crf1d`).

    Tags and attributes are in CRFsuite's order. Weights of features that the model does not have are zero, as are
    those of unknown attributes and of the first tag: `initial` is all zeros.

    The layout: a header of 48 bytes; a chunk `FEAT` of 20-byte records (kind 0 from attribute to tag, kind 1 from tag
    to tag, float64 weight); one constant database `CQDB` each of tags and attributes, which is read through its
    backward array (number to record); and indices into the features, which are not needed. The file is not trusted:
    whatever does not fit raises InputError with the offset, what was found there and what was expected.
    """
    name, data = ("CRFsuite model", source) if isinstance(source, bytes) else (str(source), Path(source).read_bytes())
    file = _Bytes(name, data)
    header = file.unpack(_HEADER, 0)
    magic, size, kind, version, _, labels, attributes, off_features, off_labels, off_attributes, _, _ = header
    file.expect(0, "magic", magic, b"lCRF")
    file.expect(4, "file size", size, len(data))
    file.expect(8, "model type", kind, b"FOMC")
    file.expect(12, "version", version, 100)
    tags = _names(file, off_labels, labels, "labels")
    names = _names(file, off_attributes, attributes, "attributes")
    if not tags:
        raise file.error(20, "found no labels; expected at least one")
    if (len(names) + 1 + len(tags)) * len(tags) > _MAXIMUM_WEIGHTS:
        raise file.error(20, f"found {labels} labels and {attributes} attributes; expected a product below 2**28")
    state, transition = _weights(file, off_features, len(tags), len(names))
    return LinearChain(tags, names, state, transition, np.zeros(len(tags)), {"model": "crf"})


@dataclass(frozen=True)
class _Bytes:
    """Bounds-checked access to a file in memory."""

    name: str
    data: bytes

    def error(self, offset: int, problem: str) -> InputError:
        return InputError(f"{self.name}, byte {offset}: {problem}")

    def require(self, offset: int, length: int, what: str) -> None:
        available = max(0, len(self.data) - offset)
        if length > available:
            raise self.error(offset, f"found {available} bytes; expected {length} of {what}")

    def unpack(self, layout: struct.Struct, offset: int) -> tuple:
        self.require(offset, layout.size, "header")
        return layout.unpack_from(self.data, offset)

    def expect(self, offset: int, what: str, found: object, expected: object) -> None:
        if found != expected:
            raise self.error(offset, f"found {what} {found!r}; expected {expected!r}")


def _weights(file: _Bytes, offset: int, tags: int, attributes: int) -> tuple[np.ndarray, np.ndarray]:
    chunk, size, count = file.unpack(_FEATURES_HEADER, offset)
    file.expect(offset, "chunk", chunk, b"FEAT")
    file.expect(offset + 4, "chunk size", size, _FEATURES_HEADER.size + count * _FEATURE.itemsize)
    file.require(offset, size, "features")
    first = offset + _FEATURES_HEADER.size
    features = np.frombuffer(file.data, dtype=_FEATURE, count=count, offset=first)

    def refuse(bad: np.ndarray, column: str, expected: str) -> None:
        if bad.any():
            record = int(bad.argmax())
            place = first + record * _FEATURE.itemsize
            found = features[column][record]
            raise file.error(place, f"feature {record} has {column} {found}; expected {expected}")

    is_state = features["kind"] == _STATE
    refuse(~is_state & (features["kind"] != _TRANSITION), "kind", "0 or 1")
    refuse(features["source"] >= np.where(is_state, attributes, tags), "source", "the number of an attribute or tag")
    refuse(features["target"] >= tags, "target", f"the number of one of {tags} tags")
    refuse(~np.isfinite(features["weight"]), "weight", "a finite number")
    # Transitions after the attributes' rows: one table, in which a feature that occurs twice shows.
    cell = (features["source"] + np.where(is_state, 0, attributes + 1)) * tags + features["target"]
    repeated = np.ones(count, dtype=bool)
    repeated[np.unique(cell, return_index=True)[1]] = False
    refuse(repeated, "source", "each feature once")
    table = np.zeros((attributes + 1 + tags, tags))
    table.reshape(-1)[cell] = features["weight"]
    return table[: attributes + 1], table[attributes + 1 :]


def _names(file: _Bytes, offset: int, count: int, what: str) -> tuple[str, ...]:
    chunk, size, _, byte_order, backward_count, backward_offset = file.unpack(_DATABASE_HEADER, offset)
    file.expect(offset, "chunk", chunk, b"CQDB")
    file.expect(offset + 12, "byte order mark", byte_order, _DATABASE_BYTE_ORDER)
    file.require(offset, size, what)
    if count > backward_count:
        raise file.error(offset + 16, f"found {backward_count} {what}; expected {count} as in the file's header")
    if count * 4 > size - backward_offset:
        raise file.error(offset + 20, f"found the backward array at {backward_offset}; expected all of it in the chunk")
    names: dict[str, None] = {}
    for number, start in enumerate(np.frombuffer(file.data, "<u4", count, offset + backward_offset).tolist()):
        place = offset + start
        if not _DATABASE_HEADER.size + _HASH_TABLES <= start <= size - _RECORD_HEADER.size:
            raise file.error(
                offset + backward_offset + 4 * number, f"found the record of {what} {number} at {start}; outside"
            )
        identifier, length = _RECORD_HEADER.unpack_from(file.data, place)
        file.expect(place, f"number of {what}", identifier, number)
        if not 0 < length <= size - start - _RECORD_HEADER.size:
            raise file.error(place + 4, f"found a name of {length} bytes; expected one that ends in the chunk")
        raw = file.data[place + _RECORD_HEADER.size : place + _RECORD_HEADER.size + length]
        if raw.find(b"\0") != length - 1:
            raise file.error(place + 8, f"found the name {raw[:40]!r}; expected one that ends with its only NUL")
        try:
            name = raw[:-1].decode("utf-8")
        except UnicodeDecodeError as error:
            raise file.error(place + 8, f"found the name {raw[:40]!r}; expected UTF-8") from error
        if name in names:
            raise file.error(place, f"found {name!r} twice among the {what}; expected it once")
        names[name] = None
    return tuple(names)
