"""The one exception that bad input raises, and how its messages list names."""

from collections.abc import Sequence

NAMED = 5
"""Names or faults that a message lists."""


class InputError(ValueError):
    """Input that cannot be used: the message names the place, what was found and what was expected."""


def some(names: Sequence[str]) -> str:
    """Return the first of the names, and how many more there are."""
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
