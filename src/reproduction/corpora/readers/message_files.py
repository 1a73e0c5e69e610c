"""Messages of your own: a table or lines of JSON with text and time, or JSON as Twitter's API gives it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from nlpcalib.systems.text.bad_records import Tolerance
from nlpcalib.tables.records import table_records
from reproduction.corpora.messages import Message, parse_time, unescaped

_TEXT = ("full_text", "text")
_TIME = ("created_at", "time")
_ID = ("id_str", "id")
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_message_file(path: Path | str, share: float, language: str | None = None) -> Iterator[Message]:
    """Read a table of messages, or JSON lines: `text` and `time` (or `created_at`), perhaps `id` and `lang`.

    JSON may be what Twitter's API gives. Of version 1.1 these are tweets with `created_at` and `text` or `full_text`,
    in whole where they were cut (`extended_tweet`), and retweets with the whole text that they repeat; notices of a
    stream (`delete`, `limit`, …) are no messages. Of version 2 they are objects whose `data` is a tweet or a list of
    them. Of messages that name their language only those in `language` are read, if it is given.

    Raises `InputError` for a missing or damaged file, a table without these columns, and, naming the first, for too
    many lines or rows that hold no message (see `Tolerance`).
    """
    tolerance = Tolerance(str(path), share)
    for record in table_records(path, (_TEXT[::-1], _TIME[::-1])):
        tolerance.count += 1
        try:
            item = record.read()
        except ValueError as error:
            tolerance.skip(record.place, error)
            continue
        data = item.get("data")
        tweets = data if isinstance(data, list) else [data if isinstance(data, Mapping) else item]
        for position, tweet in enumerate(tweets, 1):
            default = f"{record.number}/{position}" if len(tweets) > 1 else str(record.number)
            try:
                if not (len(item) == 1 and next(iter(item)) in _NOTICES) and _in_language(tweet, language):
                    yield _message(tweet, default)
            except ValueError as error:
                tolerance.skip(record.place, error)
    tolerance.close()


_NOTICES = {"delete", "limit", "scrub_geo", "status_withheld", "user_withheld", "warning", "disconnect", "meta"}


def _in_language(tweet: object, language: str | None) -> bool:
    return language is None or not isinstance(tweet, Mapping) or tweet.get("lang", language) == language


def _message(tweet: object, default: str) -> Message:
    """Return the message of a tweet, called `default` if it has no id; ValueError if it is none."""
    if not isinstance(tweet, Mapping):
        raise ValueError(f"found a {type(tweet).__name__} as data, expected an object")
    text = _whole_text(tweet)
    if text is None:
        raise ValueError(f"found keys {', '.join(map(str, tweet))[:60]}, expected text or full_text")
    time = next((str(tweet[key]) for key in _TIME if isinstance(tweet.get(key), str | datetime.date)), None)
    if time is None:
        raise ValueError("found no created_at or time, expected one")
    try:
        seconds = parse_time(time)
    except ValueError:
        raise ValueError(f"found the time {time!r}, expected ISO 8601 or Twitter's form") from None
    identifiers = (tweet[key] for key in _ID if isinstance(tweet.get(key), str | int) and tweet[key])
    message = Message(str(next(identifiers, default)), seconds, unescaped(text))
    if _SURROGATE.search(message.id + message.text):
        raise ValueError("found half of a character (a surrogate that stands alone), expected Unicode")
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
