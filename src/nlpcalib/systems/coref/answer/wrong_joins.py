"""How often two mentions that are joined are two people, on texts that no model had read."""

from __future__ import annotations

WRONG_JOINS = (0.0, 0.0, 0.0)
"""Share of wrong pairs among the pairs of people's mentions that the packaged model joins, and its 95 % interval.

24 texts of 24 kinds (tests/data/twenty_four_kinds.txt) were annotated before any model read them. The interval
resamples texts. docs/how-to/coref.md has the share by kind and length; a test measures it again.
"""


def wrong_joins_line() -> str:
    """Return the share in words."""
    share, low, high = WRONG_JOINS
    return f"On unseen ordinary text, {share:.0%} of joined pairs of people are wrong ({low:.0%} to {high:.0%})."
