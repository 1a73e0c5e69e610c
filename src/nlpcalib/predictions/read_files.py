"""Which reader a file of predictions has: an archive of arrays, another tool's records, or a table."""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nlpcalib.blocks import BLOCK_BYTES
from nlpcalib.errors import InputError, located
from nlpcalib.io.files import check_file
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.formats.known_formats import FORMATS
from nlpcalib.predictions.formats.registry import ARRAYS, TABLES, are_scores_of_tokens, record_format
from nlpcalib.predictions.options import Options
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.predictions.read_arrays import Arrays, read_given_arrays
from nlpcalib.predictions.read_records import read_tool_records
from nlpcalib.predictions.read_table import read_table
from nlpcalib.tables.sources import unpacked

MAX_BLANKS_BEFORE_JSON = 4096
"""Bytes of standard input in which records of JSON begin."""


def read_file(path: Path, labels: list[Path] | Mapping, options: Options) -> Predictions:
    """Return the predictions in a file, - for standard input, with labels of its own, in other files or by id."""
    known = [*TABLES, *FORMATS, ARRAYS]
    if options.format is not None and options.format not in known:
        raise InputError(f"format: found {options.format!r}, expected one of {', '.join(known)}")
    if str(path) == "-":
        start = sys.stdin.buffer.read(MAX_BLANKS_BEFORE_JSON)
        kind = ".jsonl" if start.lstrip()[:1] in (b"{", b"[") else ".csv"
        with tempfile.NamedTemporaryFile(suffix=kind) as copy:
            copy.write(start)
            shutil.copyfileobj(sys.stdin.buffer, copy)
            copy.flush()
            try:
                found = read_file(Path(copy.name), labels, options)
            except InputError as error:
                raise InputError(str(error).replace(copy.name, "standard input")) from None
            return replace(found, place="standard input", files=_files_of(labels))
    check_file(path)
    if path.suffix.lower() == f".{ARRAYS}" or options.format == ARRAYS:
        return _read_archive(path, labels, options)
    form = record_format(path, options.format, options.columns)
    if form is not None:
        if isinstance(labels, Mapping):
            raise InputError(f"labels: found values with {path}, expected paths of sheets or exports")
        return read_tool_records(path, form, labels, options)
    with unpacked(path, str(path)) as stream:
        if are_scores_of_tokens(stream.read(BLOCK_BYTES)):
            spans = f"nlpcalib spans {shlex.quote(str(path))} --out spans.csv"
            raise InputError(f"{path}: found scores of tokens; {spans} makes a table of spans with their probabilities")
    return read_table(path, labels, options)


def _files_of(labels: list[Path] | Mapping) -> tuple[Path, ...]:
    return () if isinstance(labels, Mapping) else tuple(labels)


def _read_archive(path: Path, labels: list[Path] | Mapping, options: Options) -> Predictions:
    """Return the predictions of NumPy's archive of the arrays q, y, predicted, unit, id, text and classes."""
    from nlpcalib.io.arrays import read_arrays as read_archive

    arrays = read_archive(path, expected="expected an archive (.npz) of arrays")
    names = {name: options.columns.get(name, name) for name in ("q", "y", "predicted", "unit", "id", "text")}
    missing = [names[key] for key in names if names[key] not in arrays and (key == "q" or key in options.columns)]
    if missing:
        raise InputError(f"{path}: found the arrays {', '.join(arrays)}; expected one named '{missing[0]}'")
    given: dict[str, Any] = {key: arrays[name] for key, name in names.items() if name in arrays}
    classes = tuple(map(str, arrays["classes"].tolist())) if "classes" in arrays else ()
    with located(path):
        found = read_given_arrays(Arrays(**given, classes=classes), labels or None, options)
    return replace(found, place=str(path), files=(path, *_files_of(labels)), sha256=checksum(path))
