"""Dated documents of your own: a table, or JSON lines, with `id`, `date` and `text`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.systems.text.dated import DatedRecord, DatedText, read_dated_records
from nlpcalib.tables.dates import DateFormat, date_format
from nlpcalib.tables.periods import parse_date
from nlpcalib.tables.records import TableRecord, table_records

DATED_COLUMNS = ("id", "date", "text")
ISO_FORMAT = DateFormat()


def read_dated_file(
    path: Path | str, share: float, columns: Mapping[str, str] | None = None, dates: str | None = None
) -> Iterator[DatedText]:
    """Read dated documents from any table that the library reads, in bounded memory.

    Every document has `id`, `date` (a time's day as written) and `text`. `columns` names those that are called
    otherwise: `{"text": "headline", "date": "published"}`; capitals make no difference. `dates` is how dates are
    written, see `nlpcalib.tables.dates.date_format`; by default all of them decide.

    Raises `InputError` for a missing or damaged file, a table without these columns, dates of which none shows whether
    the day is first, and, naming the first, for too many broken lines or rows (see `read_dated_records`).
    """
    form = dates_of_files([path], str(path), columns, dates)
    records = table_records(path, DATED_COLUMNS, columns)
    yield from read_dated_records(dated_records(records, partial(documents_of_row, form)), str(path), share)


def dates_of_files(
    paths: Sequence[Path | str], name: str, columns: Mapping[str, str] | None = None, dates: str | None = None
) -> DateFormat:
    """Return how the dates of files are written, by all of them unless the first is in ISO 8601.

    Parameters are those of `read_dated_file`; `name` is what the files are called in messages. Raises `InputError` as
    it does.
    """
    texts = chain.from_iterable(_date_texts(path, columns) for path in paths) if dates is None else iter(())
    first = next(texts, "")
    try:
        try:
            parse_date(first)
        except ValueError:
            return date_format(chain([first], texts), dates)
        return DateFormat()
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def _date_texts(path: Path | str, columns: Mapping[str, str] | None) -> Iterator[str]:
    for record in table_records(path, DATED_COLUMNS, columns):
        with suppress(ValueError):  # a broken row is reported when it is read again
            if text := _text(record.read().get("date")):
                yield text


def dated_records(
    records: Iterable[TableRecord], build: Callable[[Mapping[str, Any]], list[DatedText]]
) -> Iterator[DatedRecord]:
    """Yield the rows of a table, whose documents `build` makes of the values by their columns."""
    for record in records:
        yield record.place, partial(_built, build, record)


def _built(build: Callable[[Mapping[str, Any]], list[DatedText]], record: TableRecord) -> list[DatedText]:
    return build(record.read())


def dated_line(document: DatedText) -> str:
    """Return a document as a JSON line that `read_dated_file` reads again, without metadata."""
    values = {"id": document.id, "date": document.date.isoformat(), "text": document.text}
    return json.dumps(values, ensure_ascii=False) + "\n"


def documents_of_row(form: DateFormat, values: Mapping[str, Any]) -> list[DatedText]:
    """Return the document that a row has; ValueError if it has none."""
    return [dated_text({key: _text(values.get(key)) for key in DATED_COLUMNS}, form)]


def _text(value: object) -> str:
    if isinstance(value, dict | list | bool | int | float):
        return json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else str(value)  # a text, or a date of Parquet


def dated_text(values: Mapping[str, str], form: DateFormat = ISO_FORMAT) -> DatedText:
    """Return the document of a record; ValueError if a required key is missing."""
    missing = [column for column in DATED_COLUMNS if not values.get(column)]
    if missing:
        raise ValueError(f"found no {' and no '.join(missing)}, expected {', '.join(DATED_COLUMNS)}")
    return DatedText(values["id"], form.parse(values["date"]), values["text"])
