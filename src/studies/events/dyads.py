"""Who does it to whom: the pairs of countries that are drawn."""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.systems.events.learn.candidates import ARROW


def largest_pairs(names: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """Return the first pairs of countries of dyads, most frequent first, each with both its directions.

    A country and itself are a pair with one direction.
    """
    pairs: list[tuple[str, ...]] = []
    for name in names:
        source, target = name.split(ARROW)
        both = (name,) if source == target else (name, f"{target}{ARROW}{source}")
        if not any(name in pair for pair in pairs):
            pairs.append(both)
    return pairs[:number]
