"""Reader of CRFsuite's binary model files, for the exact weights (CRFsuite's own dump prints six digits)."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from reproduction.tagging.chain import LinearChain

_HEADER = struct.Struct("<4s4x4s2I2I3I8x")
_CHUNK_HEADER = struct.Struct("<4xII")
_FEATURE = np.dtype([("kind", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_STATE_FEATURE = 0
_DATABASE = struct.Struct("<20xI")
_RECORD = struct.Struct("<4xI")


def read_crfsuite_model(path: str | os.PathLike[str]) -> LinearChain:
    """Return the model in a file that CRFsuite has just written (version 100, `crf1d`).

    Tags and attributes are in CRFsuite's order. Weights of features that the model does not have are zero, as are
    those of unknown attributes and of the first tag: `initial` is all zeros.

    The layout: a header of 48 bytes; a chunk `FEAT` of 20-byte records (kind 0 from attribute to tag, kind 1 from tag
    to tag, float64 weight); one constant database `CQDB` each of tags and attributes, which is read through its
    backward array (number to record); and indices into the features, which are not needed.

    Raises `InputError` for a file of another kind or version; it is trusted otherwise, as what training has made.
    """
    data = Path(path).read_bytes()
    magic, kind, version, _, labels, attributes, off_features, off_labels, off_attributes = _HEADER.unpack_from(data)
    if (magic, kind, version) != (b"lCRF", b"FOMC", 100):
        raise InputError(f"{path}: found {magic!r} {kind!r} {version}, expected a model of CRFsuite, version 100")
    tags, names = _names(data, off_labels, labels), _names(data, off_attributes, attributes)
    _, count = _CHUNK_HEADER.unpack_from(data, off_features)
    features = np.frombuffer(data, _FEATURE, count, off_features + _CHUNK_HEADER.size)
    # Transitions stand after the attributes' rows.
    table = np.zeros((len(names) + 1 + len(tags), len(tags)))
    row = features["source"] + np.where(features["kind"] == _STATE_FEATURE, 0, len(names) + 1)
    table[row, features["target"]] = features["weight"]
    state, transition = np.split(table, [len(names) + 1])
    return LinearChain(tags, names, state, transition, np.zeros(len(tags)), {"model": "crf"})


def _names(data: bytes, offset: int, count: int) -> tuple[str, ...]:
    (backward,) = _DATABASE.unpack_from(data, offset)
    names = []
    for start in np.frombuffer(data, "<u4", count, offset + backward).tolist():
        (length,) = _RECORD.unpack_from(data, offset + start)
        first = offset + start + _RECORD.size
        names.append(data[first : first + length - 1].decode())  # without its NUL
    return tuple(names)
