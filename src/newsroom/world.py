"""The world the newsroom reports on: countries, their public figures, and how often each of them attacks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from newsroom.draws import Draws, DrawTable
from newsroom.lexicon import lexicon_rows
from newsroom.names import Names
from nlpcalib.seeding import generator

_EPISODES_IN_84_QUARTERS = 14
"""Conflicts that a world of 21 years has; longer and shorter ones have them in proportion."""
_MAX_ATTACK_RATE = 0.35
"""Largest probability that a document reports an attack by one country."""
_TWO_SIDED_CONFLICT = ("YUG", "NATO")
"""The two sides of the conflict that every world has."""
_MALE_SHARE = 0.85
"""Share of men among office holders."""
_QUARTERS_IN_OFFICE = 22


@dataclass(frozen=True)
class Country:
    """A country, or an organisation that acts like one (NATO)."""

    code: str
    """ISO 3166 alpha-3 code, or the name of the organisation."""
    name: tuple[tuple[str, str], ...]
    """The words of the name and their Penn tags."""
    short: str
    """An abbreviation in use next to the name, or empty."""
    adjective: str
    people: str
    capital: str
    region: str
    prominence: float
    attack_rate: float
    title: str
    """The title of its political leader."""
    article: str
    organisation: bool


@dataclass(frozen=True)
class Figure:
    """A public figure in office."""

    given: str
    family: str
    gender: str


@cache
def countries() -> tuple[Country, ...]:
    """Return the countries of `lexicon/countries.tsv`, and NATO, in the order of the table."""
    return tuple(
        Country(
            code=row["code"],
            name=tuple((word, tag) for word, tag in (part.split("/") for part in row["name"].split())),
            short=row["short"],
            adjective=row["adjective"],
            people=row["people"],
            capital=row["capital"],
            region=row["region"],
            prominence=float(row["prominence"]),
            attack_rate=float(row["attack_rate"]),
            title=row["title"],
            article=row["article"],
            organisation=row["organisation"] == "yes",
        )
        for row in lexicon_rows("countries")
    )


class World:
    """What is true, whatever is reported.

    `attack_rates` has the shape (countries, quarters): the probability that a document of the quarter reports an attack
    by the country. Every document draws every country's attack independently, so of the N documents of a quarter a
    Binomial(N, rate) number report one.
    """

    def __init__(self, *, seed: int, first_year: int, last_year: int) -> None:
        """Draw the world of the quarters of `first_year` to `last_year`."""
        self.countries = countries()
        self.quarters: tuple[str, ...] = tuple(
            f"{year}Q{quarter}" for year in range(first_year, last_year + 1) for quarter in (1, 2, 3, 4)
        )
        self.names = Names(seed=seed)
        self.prominence: DrawTable[Country] = DrawTable.weighted(
            self.countries, (country.prominence for country in self.countries)
        )
        """The countries, by how often they are in the news."""
        self.episodes: list[tuple[str, int, int]] = []
        """Conflicts: the country, the first quarter's index and the number of quarters."""
        self.attack_rates: np.ndarray = self._draw_rates(generator(seed, "world", first_year, last_year))
        self._seed = seed
        self._figures: dict[tuple[str, str, int], Figure] = {}

    def _draw_rates(self, rng: np.random.Generator) -> np.ndarray:
        size = len(self.quarters)
        time = np.arange(size)
        base = np.array([country.attack_rate for country in self.countries])
        log_rates = np.repeat(np.log(base)[:, None], size, axis=1)
        for row in log_rates:
            for period in (20.0, 36.0, 60.0):
                row += rng.normal(0, 0.22) * np.cos(2 * math.pi * (time / period + rng.random()))
        rates = np.exp(log_rates)
        codes = [country.code for country in self.countries]
        shares = base / base.sum()

        def episode(code: str, start: int, length: int, peak: float) -> None:
            self.episodes.append((code, start, length))
            shape = np.exp(-0.5 * ((time - start - (length - 1) / 2) / max(length / 3, 0.5)) ** 2)
            rates[codes.index(code)] += peak * shape

        for _ in range(max(1, round(_EPISODES_IN_84_QUARTERS * size / 84))):
            country = codes[int(rng.choice(len(codes), p=shares))]
            length = int(rng.integers(2, 7))
            episode(country, int(rng.integers(size)), length, float(rng.uniform(0.04, 0.15)))
        start = int(rng.integers(round(0.4 * size), max(round(0.75 * size), round(0.4 * size) + 1)))
        for code, peak in zip(_TWO_SIDED_CONFLICT, (0.17, 0.20), strict=True):
            episode(code, start, 3, peak)
        return np.minimum(rates, _MAX_ATTACK_RATE)

    def quarter_index(self, quarter: str) -> int:
        """Return the column of `attack_rates` for a quarter such as "1999Q2"."""
        return self.quarters.index(quarter)

    def figure(self, country: Country, office: str, quarter: int) -> Figure:
        """Return who holds `office` in `country` at the quarter with the given index."""
        draws = Draws(generator(self._seed, "office", country.code, office))
        offset = draws.below(_QUARTERS_IN_OFFICE)
        term = (quarter + offset) // _QUARTERS_IN_OFFICE
        key = (country.code, office, term)
        if key not in self._figures:
            draws = Draws(generator(self._seed, "office", *key))
            gender = "male" if draws.chance(_MALE_SHARE) else "female"
            given = self.names.given(draws, country.region, gender)
            self._figures[key] = Figure(given, self.names.family(draws, country.region), gender)
        return self._figures[key]
