"""How often two mentions that are joined are two people, on texts that no model was trained on."""

from __future__ import annotations

WRONG_JOINS = (0.398, 0.325, 0.472)
"""Share of wrong pairs among the pairs of people's mentions that the packaged model joins, and its 95 % interval.

24 texts of 24 kinds (tests/data/twenty_four_kinds.txt) were annotated before any model read them. The interval
resamples texts. A test measures the share again.
"""


def wrong_joins_line() -> str:
    """Return the share in words."""
    share, low, high = (f"{100 * each:.0f}" for each in WRONG_JOINS)
    return (
        f"With default settings, {share} % of the joined pairs of people are wrong on unseen ordinary text "
        f"({low} to {high} %)."
    )
