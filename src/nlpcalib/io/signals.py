"""Signals that ask a program to end, as exceptions: what is unfinished is taken away on the way out."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(BaseException):
    """A signal that asks to end, so that what is unfinished is taken away on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.number = number


def raise_signals() -> dict[int, Callable[[int, FrameType | None], Any] | int]:
    """Let SIGINT, SIGTERM and SIGHUP raise `Stopped`, and return what was done on them before.

    Those that are ignored, as under nohup, stay ignored. After the first, all are: cleaning up is not to be stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        return {}
    before = {number: signal.getsignal(number) for number in _ENDING}
    usual = {n: each for n, each in before.items() if each in (signal.SIG_DFL, signal.default_int_handler)}
    for number in usual:
        signal.signal(number, _raise)
    return usual


def _raise(number: int, frame: FrameType | None) -> None:
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(number)
