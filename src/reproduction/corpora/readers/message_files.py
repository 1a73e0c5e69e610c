"""Messages of your own: lines of JSON, as Twitter's API gives them or with text and time, or a CSV table of these."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.lines import bounded_lines
from nlpcalib.text.bad_records import Tolerance
from nlpcalib.text.dated import MAX_RECORD_BYTES
from nlpcalib.text.dated_files import header_line, open_own_file
from reproduction.corpora.messages import Message, parse_time, tolerant_lines, unescaped
from reproduction.corpora.separators import wrong_separator

_TEXT = ("full_text", "text")
_TIME = ("created_at", "time")
_ID = ("id_str", "id")
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_message_file(path: Path | str, share: float, language: str | None = None) -> Iterator[Message]:
    """Read a file of messages by its ending: `.jsonl`, `.ndjson`, `.json` (JSON lines all) or `.csv`, also with `.gz`.

    Of messages that name their language only those in `language` are read, if it is given.

    Raises `InputError` for a missing file, another ending, and as `parse_json_lines` and `parse_csv` do.
    """
    with open_own_file(path) as (lines, kind):
        parse = parse_json_lines if kind == "json" else parse_csv
        yield from parse(bounded_lines(lines, MAX_RECORD_BYTES, str(path)), str(path), share, language)


def parse_json_lines(lines: Iterable[bytes], name: str, share: float, language: str | None = None) -> Iterator[Message]:
    """Read JSON lines: a message each, with `text` and `time`, or what Twitter's API gives.

    Of version 1.1 these are tweets with `created_at` and `text` or `full_text`, in whole where they were cut
    (`extended_tweet`), and retweets with the whole text that they repeat; notices of a stream (`delete`, `limit`, …)
    are no messages. Of version 2 they are objects whose `data` is a tweet or a list of them.

    Raises `InputError`, naming the first, for too many lines that hold no message (see `Tolerance`).
    """
    tolerance = Tolerance(name, share)
    for number, line in tolerant_lines(lines, tolerance):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            tolerance.skip_line(number, f"found {line[:40]!r}, expected a JSON object ({error})")
            continue
        if not isinstance(item, Mapping):
            tolerance.skip_line(number, f"found {line[:40]!r}, expected a JSON object")
            continue
        data = item.get("data", item)
        tweets = data if isinstance(data, list) else [data]
        for position, tweet in enumerate(tweets, 1):
            if not isinstance(tweet, Mapping):
                tolerance.skip_line(number, f"found a {type(tweet).__name__} as data, expected an object")
            elif not (len(item) == 1 and next(iter(item)) in _NOTICES) and _in_language(tweet, language):
                default = f"{number}/{position}" if len(tweets) > 1 else str(number)
                if (message := _message(tweet, default, number, tolerance)) is not None:
                    yield message
    tolerance.close()


_NOTICES = {"delete", "limit", "scrub_geo", "status_withheld", "user_withheld", "warning", "disconnect", "meta"}


def _in_language(tweet: Mapping, language: str | None) -> bool:
    return language is None or tweet.get("lang", language) == language


def _message(tweet: Mapping, default: str, number: int, tolerance: Tolerance) -> Message | None:
    text = _whole_text(tweet)
    if text is None:
        tolerance.skip_line(number, f"found keys {', '.join(map(str, tweet))[:60]}, expected text or full_text")
        return None
    time = next((tweet[key] for key in _TIME if isinstance(tweet.get(key), str)), None)
    if time is None:
        tolerance.skip_line(number, "found no created_at or time, expected one")
        return None
    try:
        seconds = parse_time(time)
    except ValueError:
        tolerance.skip_line(number, f"found the time {time!r}, expected ISO 8601 or Twitter's form")
        return None
    identifiers = (tweet[key] for key in _ID if isinstance(tweet.get(key), str | int) and tweet[key])
    try:
        message = Message(str(next(identifiers, default)), seconds, unescaped(text))
    except ValueError as error:
        tolerance.skip_line(number, str(error))
        return None
    if _SURROGATE.search(message.id + message.text):
        tolerance.skip_line(number, "found half of a character (a surrogate that stands alone), expected Unicode")
        return None
    return message


def _whole_text(tweet: Mapping) -> str | None:
    repeated = tweet.get("retweeted_status")
    if isinstance(repeated, Mapping) and (text := _own_text(repeated)) is not None:
        user = repeated.get("user")
        name = user.get("screen_name") if isinstance(user, Mapping) else None
        return f"RT @{name if isinstance(name, str) else ''}: {text}"
    return _own_text(tweet)


def _own_text(tweet: Mapping) -> str | None:
    for part in (tweet.get("extended_tweet"), tweet):
        if isinstance(part, Mapping):
            for key in _TEXT:
                if isinstance(part.get(key), str):
                    return part[key]
    return None


def parse_csv(lines: Iterable[bytes], name: str, share: float, language: str | None = None) -> Iterator[Message]:
    """Read a CSV table with a header that names `text` and `time` (or `created_at`), and perhaps `id` and `lang`.

    Raises `InputError` for another header, a quotation mark that is not closed, and, naming the first, for too many
    rows that hold no message (see `Tolerance`).
    """
    tolerance = Tolerance(name, share)
    # Decoded so that a byte that is not UTF-8 spoils its own row alone.
    decoded = (line.decode("utf-8", errors="surrogateescape") for line in lines)
    first = header_line(decoded, name)
    reader = csv.reader(chain([first], decoded), strict=True)
    header: list[str] = []
    with suppress(csv.Error):
        header = next(reader, [])
    column = {key: header.index(key) for key in (*_TEXT, *_TIME, *_ID, "lang") if key in header}
    if not (column.keys() & set(_TEXT) and column.keys() & set(_TIME)):
        if problem := wrong_separator(first, ","):
            raise InputError(f"{name}, line 1: {problem} and the columns text and time among them")
        raise InputError(f"{name}, line 1: found columns {first.strip()[:80]}, expected text and time among them")
    try:
        for row in reader:
            tolerance.count += 1
            number = reader.line_num
            if len(row) != len(header):
                tolerance.skip_line(number, f"found {len(row)} columns, expected {len(header)} as in the header")
                continue
            if any("\udc80" <= character <= "\udcff" for cell in row for character in cell):
                tolerance.skip_line(number, "found bytes that are not UTF-8, expected UTF-8")
                continue
            tweet = {key: row[index] for key, index in column.items()}
            if _in_language(tweet, language) and (message := _message(tweet, str(number), number, tolerance)):
                yield message
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}, expected rows of CSV") from None
    tolerance.close()
