"""Progress of a long run and the time that is left."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_SECONDS_ON_TERMINAL, _SECONDS_IN_LOG = 1.0, 60.0
"""Seconds between two progress lines on a terminal, where each replaces the last, and in a log."""
_log = logging.getLogger(__name__)
Item = TypeVar("Item")


def with_progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield items and report how many are done and, with a `total`, the time left.

    A log at level INFO gets a line a minute. Otherwise a terminal shows one line, which disappears at the end. `what`
    names one item: document.
    """
    logged = _log.isEnabledFor(logging.INFO)
    if not logged and not (sys.stderr and sys.stderr.isatty()):
        yield from items
        return
    start = last = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if now - last >= (_SECONDS_IN_LOG if logged else _SECONDS_ON_TERMINAL):
            last, line = now, _line(number, total, what, now - start)
            if logged:
                _log.info("%s", line)
            else:
                print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
    if not logged:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def time_left(seconds: float) -> str:
    """Format a duration, rounded to about a tenth."""
    if seconds < 90:
        return f"{max(round(seconds, -1), 10):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _line(number: int, total: int | None, what: str, passed: float) -> str:
    if total is None:
        return f"{number:,} {what}s, {number / passed:.3g} a second"
    left = passed / number * max(total - number, 0)
    return f"{number:,} of {total:,} {what}s, about {time_left(left)} left"
