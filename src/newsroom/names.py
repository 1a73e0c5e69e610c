"""Invented names of people, places and organisations, built from the syllables of a region."""

from __future__ import annotations

from functools import cache

from newsroom.draws import Draws, DrawTable
from newsroom.lexicon import lexicon_rows
from nlpcalib.seeding import generator

_NOT_NAMES = frozenset(("You", "He", "She", "We", "Me", "It", "To", "So", "Go", "Do", "Be", "Hi", "No", "Yo", "Ye"))
_NAMES_PER_REGION = 400
"""Family names, and as many place names, of each region."""

_NEW_NAME_SHARE = 0.5
"""Share of family and place names that are built anew, which keeps names an open class."""


@cache
def _regions() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the pieces of names by region and kind."""
    regions: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in lexicon_rows("names"):
        regions.setdefault(row["region"], {})[row["kind"]] = tuple(row["pieces"].split())
    return regions


def _stem(draws: Draws, pieces: dict[str, tuple[str, ...]], *, long: float) -> str:
    start = draws.pick(pieces["start"])
    if any(letter in "aeiou" for letter in start) and not draws.chance(long):
        return start
    return start + draws.pick(pieces["middle"])


def _join(stem: str, ending: str) -> str:
    if stem[-1] in "aeiou" and ending[0] in "aeiou":
        stem = stem[:-1]
    if stem[-1] == ending[0]:
        ending = ending[1:]
    return (stem + ending).capitalize()


def family_name(draws: Draws, region: str) -> str:
    """Return a new family name, which is not an English pronoun or the like."""
    pieces = _regions()[region]
    while True:
        name = _join(_stem(draws, pieces, long=0.3), draws.pick(pieces["end"]))
        if name not in _NOT_NAMES:
            return name


def place_name(draws: Draws, region: str) -> str:
    """Return a new name of a town."""
    pieces = _regions()[region]
    return _join(_stem(draws, pieces, long=0.5), draws.pick(pieces["place"]))


class Names:
    """The names of a world: inventories with Zipfian frequencies, and now and then a name never used before."""

    def __init__(self, *, seed: int) -> None:
        """Draw the inventories from `seed`."""
        self._families: dict[str, DrawTable[str]] = {}
        self._places: dict[str, DrawTable[str]] = {}
        for region in _regions():
            draws = Draws(generator(seed, "names", region))
            families = dict.fromkeys(family_name(draws, region) for _ in range(_NAMES_PER_REGION))
            places = dict.fromkeys(place_name(draws, region) for _ in range(_NAMES_PER_REGION))
            self._families[region] = DrawTable.zipf(tuple(families), offset=4)
            self._places[region] = DrawTable.zipf(tuple(places), offset=4)

    def family(self, draws: Draws, region: str) -> str:
        """Return a family name of the region."""
        return family_name(draws, region) if draws.chance(_NEW_NAME_SHARE) else draws.draw(self._families[region])

    def given(self, draws: Draws, region: str, gender: str) -> str:
        """Return a given name of the region for `gender` "male" or "female"."""
        return draws.pick(_regions()[region][f"given_{gender}"])

    def place(self, draws: Draws, region: str) -> str:
        """Return the name of a town of the region."""
        return place_name(draws, region) if draws.chance(_NEW_NAME_SHARE) else draws.draw(self._places[region])
