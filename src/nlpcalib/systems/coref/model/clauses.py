"""The clause of a word."""

from __future__ import annotations

from nlpcalib.systems.text.tree import Tree


def clause_of(tree: Tree, place: int) -> int:
    """Return the nearest verb above a word, or the root; the walk stops at a cycle of heads."""
    above = place
    for above in tree.ancestors(place):
        if tree.tags[above].startswith("VB"):
            break
    return above
