"""Dated documents of your own, in a table or a folder of tables, which can be read in parts.

A part is a range of bytes of each of its files. It begins and ends between rows, which listing finds by reading all.
Files that are packed, recoded, or of Parquet are in one part as a whole.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, cast

from nlpcalib.blocks import BLOCK_BYTES
from nlpcalib.errors import InputError
from nlpcalib.io.folders import files_below
from nlpcalib.io.lines import check_blank
from nlpcalib.systems.text.dated import DatedRecord, DatedText, read_dated_records
from nlpcalib.systems.text.dated_files import (
    DATED_COLUMNS,
    dated_records,
    dates_of_files,
    documents_of_row,
    read_dated_file,
)
from nlpcalib.tables.dates import DateFormat
from nlpcalib.tables.delimited import kind_of, line_end_of
from nlpcalib.tables.records import MAX_RECORD_BYTES, TableRecord, json_records, table_records, text_records
from nlpcalib.tables.sources import SavedForm, source_of
from reproduction.corpora.parts import Listing, Piece, listed_file, part_at


def read_dated(path: Path | str, share: float) -> Iterator[DatedText]:
    """Read a table as `read_dated_file` does, or all tables of a folder, by their names, as if they were one."""
    if not Path(path).is_dir():
        return read_dated_file(path, share)
    files = [file for file in files_below(Path(path)) if not file.name.startswith(".")]
    return read_dated_records(part_records(path, divide(path, files, 1)[0]), str(path), share)


def divide(source: Path | str, paths: Sequence[Path | str], parts: int) -> list[Listing]:
    """Return the pieces of about equal length that each part reads, in order, and how the dates of all are written.

    `paths` are the files, which are the source itself or below it.

    Raises `InputError` for a file that cannot be read as a table with `DATED_COLUMNS`, and for a folder without files.
    """
    source = Path(source)
    files = [Path(path) for path in paths if not Path(path).name.startswith(".")]
    if not files:
        raise InputError(f"{source}: found a folder without files, expected tables in it")
    form = dates_of_files(files, str(source))
    pieces: list[list[Piece]] = [[] for _ in range(parts)]
    before, total = 0, sum(path.stat().st_size for path in files)
    for path in files:
        size = path.stat().st_size
        piece: Piece = {"file": "" if path == source else path.relative_to(source).as_posix(), "bytes": size}
        starts = list(_first_rows(path, partial(part_at, before=before, total=total, parts=parts)))
        for (part, offset, line), (_, end, _) in pairwise([*starts, (parts, size, 0)]):
            rows = {"head": starts[0][1], "start": offset, "end": end, "line": line - starts[0][2]}
            pieces[part].append(piece | rows)
        if not starts:
            pieces[part_at(0, before, total, parts)].append(piece)
        before += size
    return [{"pieces": each, "dates": [form.order, form.shown]} for each in pieces]


def _first_rows(path: Path, part_of: Any) -> Iterator[tuple[int, int, int]]:
    """Yield each part of a file that can be divided, where its first row begins, and how many lines are before it."""
    last = -1
    for offset, line in _rows(path):
        part = part_of(offset)
        if part != last:
            yield part, offset, line
            last = part


def _rows(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the bytes and the lines before each row of a file; none of one that cannot be divided."""
    if source_of(path, str(path)) != SavedForm():
        return
    with path.open("rb") as stream:
        start = stream.read(BLOCK_BYTES)
        stream.seek(0)
        kind = kind_of(path.name, start)
        if kind == "json":
            yield from _json_rows(stream, str(path))
        elif kind == "text":
            yield from _text_rows(stream, path, line_end_of(start))


def _json_rows(stream: IO[bytes], name: str) -> Iterator[tuple[int, int]]:
    offset = number = blank = 0
    is_start = True
    while line := stream.readline(MAX_RECORD_BYTES):
        if is_start:
            yield offset, number
            number += 1
        blank = 0 if line.strip() else blank + len(line)
        check_blank(blank, f"{name}, line {number}")
        offset += len(line)
        is_start = line.endswith(b"\n")


def _text_rows(stream: IO[bytes], path: Path, line_end: str) -> Iterator[tuple[int, int]]:
    text = io.TextIOWrapper(stream, "utf-8", errors="surrogateescape", newline=line_end)
    lines = iter(partial(text.readline, MAX_RECORD_BYTES), "")
    offset = number = 0
    try:
        for record in table_records(path, DATED_COLUMNS):
            while number < record.number - 1:
                offset += len(next(lines).encode("utf-8", "surrogateescape"))
                number += 1
            yield offset, number
    finally:
        text.detach()  # whoever opened the stream closes it


def part_records(source: Path | str, listing: Listing) -> Iterator[DatedRecord]:
    """Yield the records of a part, as `divide` lists it."""
    build = partial(documents_of_row, DateFormat(*listing["dates"]))
    for piece in listing["pieces"]:
        yield from dated_records(_table_rows(listed_file(source, piece), piece), build)


def _table_rows(path: Path, piece: Piece) -> Iterator[TableRecord]:
    if "head" not in piece:
        yield from table_records(path, DATED_COLUMNS)
        return
    name = str(path)
    with path.open("rb") as stream:
        start = stream.read(BLOCK_BYTES)
        rows = cast(IO[bytes], io.BufferedReader(_Excerpt(stream, piece)))
        if kind_of(path.name, start) == "json":
            records = json_records(rows, name, DATED_COLUMNS, {})
        else:
            records = text_records(rows, name, DATED_COLUMNS, line_end=line_end_of(start), checked=True)
        for record in records:
            number = record.number + piece["line"]
            yield TableRecord(f"{name}, line {number}", number, record.read)


class _Excerpt(io.RawIOBase):
    """The bytes of a file that a piece has: the header, and from where its rows begin to where they end."""

    def __init__(self, stream: IO[bytes], piece: Mapping[str, Any]) -> None:
        self._stream = stream
        self._ranges: Sequence[tuple[int, int]] = [(0, piece["head"]), (piece["start"], piece["end"])]
        self._position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        place = self._position
        for start, end in self._ranges:
            if place < end - start:
                self._stream.seek(start + place)
                data = self._stream.read(min(len(buffer), end - start - place))
                buffer[: len(data)] = data
                self._position += len(data)
                return len(data)
            place -= end - start
        return 0
