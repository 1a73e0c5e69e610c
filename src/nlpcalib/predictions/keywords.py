"""First predictions for texts without a model, from keywords."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import numpy as np

from nlpcalib.errors import InputError, quoted

_PREDICTION_BY_MATCHES = np.array([0.02, 0.5, 0.8])
"""Predictions for texts with no, one, and two or more different matches. Rough values suffice: labels correct them."""
MAX_SECONDS_PER_MILLION = 10.0
"""Processor time for a million characters, from which on a pattern is given up: a hundred times that of most."""
MIN_SECONDS_ALLOWED = 2.0
"""Processor time that a pattern has for few characters."""
MAX_CHARACTERS_TIMED = 1_000_000
"""Characters of texts that are searched under one timer, unless a single text has more."""


def keyword_predictions(texts: Sequence[str], pattern: str) -> np.ndarray:
    """Return predictions for texts, float64 (N,), by the number of different matches of a regular expression.

    Case is ignored, and matches begin at the beginning of a word: `flood` finds "Floods" and not "afflood".

    Raises `InputError` for an invalid pattern, and for one that matches an empty text or no text. A pattern that takes
    more than 10 s of processor time for a million characters, and 2 s for few, is given up: `(a+)+$` tries ways without
    end. This needs a system with timers, and the main thread.
    """
    try:
        alone, words = (re.compile(each, re.IGNORECASE) for each in (pattern, rf"\b(?:{pattern})"))
    except re.error as error:
        raise InputError(
            f"match: found {quoted(pattern)} ({error}), expected words such as 'earthquake|flood'"
        ) from None
    if alone.match(""):
        raise InputError(
            f"match: found {quoted(pattern)}, which an empty text matches, expected words such as 'flood|quake'"
        )
    found = np.zeros(len(texts), np.int64)
    try:
        for batch in _batches(texts):
            millions = sum(map(len, batch.values())) / 1e6
            with _cpu_time_limited(max(MAX_SECONDS_PER_MILLION * millions, MIN_SECONDS_ALLOWED)):
                for row, text in batch.items():
                    found[row] = min(len({match[0].lower() for match in words.finditer(text)}), 2)
    except TimeoutError:
        raise InputError(
            f"match: found {quoted(pattern)}, which takes too long (in text {row + 1}), "
            f"expected a pattern without repeats inside of repeats, such as (a+)+"
        ) from None
    if not found.any():
        raise InputError(f"match: found {quoted(pattern)} in no text, expected words of some texts")
    return _PREDICTION_BY_MATCHES[found]


def _batches(texts: Sequence[str]) -> Iterator[dict[int, str]]:
    """Yield texts by their rows, in batches of a million characters or a single text."""
    batch: dict[int, str] = {}
    characters = 0
    for row, text in enumerate(texts):
        if batch and characters + len(text) > MAX_CHARACTERS_TIMED:
            yield batch
            batch, characters = {}, 0
        batch[row] = text
        characters += len(text)
    yield batch


@contextmanager
def _cpu_time_limited(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` in the block after so much processor time; a search of Python's checks for signals."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> NoReturn:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before or signal.SIG_DFL)
