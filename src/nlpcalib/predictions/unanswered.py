"""Records without an answer, which are left out if the user asks for it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator

from nlpcalib.predictions.records import Record


class UnansweredWarning(UserWarning):
    """Answers without a probability were left out."""


def answered(records: Iterable[Record], is_unanswered: Callable[[Record], bool], name: str) -> Iterator[Record]:
    """Yield the records of the file `name` whose answer states a probability, and warn how many do not.

    A number that cannot be read remains an error of the format's reader.
    """
    found = left_out = 0
    for record in records:
        found += 1
        if is_unanswered(record):
            left_out += 1
        else:
            yield record
    if left_out:
        rest = f"the result is of the other {found - left_out:,} alone"
        text = f"{name}: {left_out:,} of {found:,} answers state no probability and are left out; {rest}"
        warnings.warn(text, UnansweredWarning, stacklevel=2)
