"""Commands that end in one line: what went wrong, with nothing left behind, however they are stopped."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from nlpcalib.cli.terminal import print_note
from nlpcalib.errors import InputError
from nlpcalib.io.signals import Stopped, raise_signals

REFUSED_STATUS, OUT_OF_MEMORY_STATUS, OVER_LIMIT_STATUS, SIGNAL_STATUS_OFFSET = 2, 1, 3, 128
"""Exit statuses: for bad input, without enough memory, over a limit, and what is added to a signal's number."""


class OverLimitError(Exception):
    """A model is over a limit that the user set, after all results are printed and written."""


@contextmanager
def _raised_signals() -> Iterator[None]:
    before = raise_signals()
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)


def run_command(name: str, command: Callable[[], object]) -> int:
    """Run the command called `name`, and return its exit status, after one line on standard error if it failed.

    That is 0, 2 for bad input and files that cannot be read or written, 3 for a model over a limit, 1 without enough
    memory, and 128 and its number after a signal. Who reads standard output may have enough before its end: this is no
    failure, and has no line.
    """
    try:
        status, line = _outcome(command)
    except SystemExit:  # of a parser of arguments, which has printed why
        _flush_output()
        raise
    problem = _flush_output()
    if problem and not status:
        status, line = REFUSED_STATUS, problem
    if line:
        with suppress(OSError, AttributeError):  # there may be no terminal any more
            print_note(f"{name}: {' '.join(line.split())}")
    return status


def _flush_output() -> str:
    """Write what standard output still holds, and return why this was not possible."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        # Python would complain once more at its end of what it could not write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return "" if isinstance(error, BrokenPipeError) else f"standard output: {os.strerror(error.errno or 0)}"
    return ""


def _outcome(command: Callable[[], object]) -> tuple[int, str]:
    """Run a command, and return its exit status and the line to print."""
    try:
        with _raised_signals():
            command()
    except Stopped as stopped:
        return SIGNAL_STATUS_OFFSET + stopped.number, str(stopped)
    except BrokenPipeError:
        return SIGNAL_STATUS_OFFSET + 13, ""  # SIGPIPE, which not every system names
    except MemoryError as error:
        return OUT_OF_MEMORY_STATUS, f"not enough memory{f' ({error})' if str(error) else ''}"
    except OverLimitError as limit:
        return OVER_LIMIT_STATUS, str(limit)
    except (InputError, OSError) as error:
        return REFUSED_STATUS, str(error)
    return 0, ""
