"""The one exception that bad input raises, and how messages name places, list names and count things."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

MAX_NAMES_LISTED = 5
"""Names or faults that a message lists."""


class InputError(ValueError):
    """Input that cannot be used: the message names the place, what was found and what was expected."""


@contextmanager
def located(place: object) -> Iterator[None]:
    """Put a place, such as a file and a line, in front of the message of an `InputError` that the block raises."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def some(names: Sequence[str]) -> str:
    """Return the first of the names, and how many more there are."""
    rest = len(names) - MAX_NAMES_LISTED
    return ", ".join(names[:MAX_NAMES_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def counted(count: int, noun: str) -> str:
    """Return a number of things in words: 1 item, 2,000 items, 3 entities."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def decimals(value: float, digits: int = 4) -> str:
    """Return a number in words: .0123 without the zero before the point, 10.2000, and never −0."""
    text = f"{round(value, digits) + 0.0:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text
