"""Dated documents of your own: a table, or JSON lines, with `id`, `date` and `text`, the rest metadata."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from nlpcalib.tables.periods import parse_date
from nlpcalib.tables.records import TableRecord, table_records
from nlpcalib.text.dated import DatedRecord, DatedText, read_dated_records

DATED_COLUMNS = ("id", "date", "text")


def read_dated_file(path: Path | str, share: float, columns: Mapping[str, str] | None = None) -> Iterator[DatedText]:
    """Read dated documents from any table that the library reads, in bounded memory.

    Every document has `id`, `date` (ISO 8601, a time's day as written) and `text`; other values are metadata. `columns`
    names those that are called otherwise: `{"text": "headline", "date": "published"}`.

    Raises `InputError` for a missing or damaged file, a table without these columns, and, naming the first, for too
    many broken lines or rows (see `read_dated_records`).
    """
    yield from read_dated_records(
        dated_records(table_records(path, DATED_COLUMNS, columns), _documents), str(path), share
    )


def dated_records(
    records: Iterable[TableRecord], build: Callable[[Mapping[str, Any]], list[DatedText]]
) -> Iterator[DatedRecord]:
    """Yield the rows of a table, whose documents `build` makes of the values by their columns."""
    for record in records:
        yield record.place, partial(_built, build, record)


def _built(build: Callable[[Mapping[str, Any]], list[DatedText]], record: TableRecord) -> list[DatedText]:
    return build(record.read())


def dated_line(document: DatedText) -> str:
    """Return a document as a JSON line that `read_dated_file` reads again; empty metadata are dropped."""
    values = {"id": document.id, "date": document.date.isoformat(), "text": document.text, **document.metadata}
    return json.dumps(values, ensure_ascii=False) + "\n"


def _documents(values: Mapping[str, Any]) -> list[DatedText]:
    return [dated_text({key: _text(value) for key, value in values.items()})]


def _text(value: object) -> str:
    if isinstance(value, dict | list | bool | int | float):
        return json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else str(value)  # a text, or a date of Parquet


def dated_text(values: Mapping[str, str]) -> DatedText:
    """Return the document of a record, whose other keys are metadata; ValueError if a required key is missing."""
    missing = [column for column in DATED_COLUMNS if not values.get(column)]
    if missing:
        raise ValueError(f"found no {' and no '.join(missing)}, expected {', '.join(DATED_COLUMNS)}")
    metadata = {key: value for key, value in values.items() if key not in DATED_COLUMNS}
    return DatedText(values["id"], parse_date(values["date"]), values["text"], metadata)
