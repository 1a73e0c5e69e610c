"""The setting of a report: numbers, times, places, and the names of countries and of people who are mentioned once.

A method `write_x` writes the part `x` of a row of the grammar.
"""

from __future__ import annotations

import datetime
from typing import Any

from newsroom.cast import Cast
from newsroom.difficulty import Difficulty
from newsroom.draws import Draws
from newsroom.grammar import Context, Grammar
from newsroom.lexicon import Lexicon
from newsroom.trees import Node, compound
from newsroom.world import Country, World

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
_TIMES = {"past": "past", "pluperfect": "past", "recent": "recent", "perfect": "perfect", "will": "future",
          "would": "future", "may": "future", "future": "future"}  # fmt: skip
"""The kind of time that goes with each tense that can have one."""


class Setting(Grammar):
    """Times, places and names at the date of one report."""

    cast: Cast

    def __init__(
        self, draws: Draws, *, lexicon: Lexicon, world: World, date: datetime.date, country: Country,
        difficulty: Difficulty,
    ) -> None:  # fmt: skip
        """Draw from `draws`; places and names without a country of their own lie in `country`."""
        super().__init__(draws)
        self.lexicon = lexicon
        self.world = world
        self.date = date
        self.country = country
        self.difficulty = difficulty
        self.used_nouns: set[str] = set()
        """Nouns that the report has used already: `the` with one of these would seem to refer back."""
        self.timed = self.placed = False
        """Whether the sentence being written has a time already, and a place."""

    # Numbers and times

    def write_digits(self, context: Context, bounds: str) -> Node:
        """Return a whole number between two bounds."""
        low, high = map(int, bounds.split("-"))
        return Node(f"{self.draws.between(low, high):,}", "CD")

    def write_decimals(self, context: Context) -> Node:
        """Return a number with two decimals, which few texts share."""
        return Node(f"{self.draws.between(1, 60)}.{self.draws.between(10, 99)}", "CD")

    def write_weekday(self, context: Context) -> Node:
        """Return a day of the week."""
        return Node(WEEKDAYS[(self.date.weekday() - self.draws.below(5)) % 7], "NNP")

    def write_past_month(self, context: Context) -> Node:
        """Return a month of the half year before the report's."""
        return Node(MONTHS[(self.date.month - 2 - self.draws.below(6)) % 12], "NNP")

    def write_coming_month(self, context: Context) -> Node:
        """Return a month of the half year after the report's."""
        return Node(MONTHS[(self.date.month + self.draws.below(6)) % 12], "NNP")

    def write_year(self, context: Context) -> Node:
        """Return a year not long before the date of the report."""
        return Node(str(self.date.year - 1 - int(22 * self.draws.uniform() ** 2)), "CD")

    def write_when(self, context: Context, tense: str) -> Any:
        """Return a time that goes with the tense, if the sentence has none yet."""
        if self.timed or tense not in _TIMES:
            return None
        self.timed = True
        return self.write(_TIMES[tense], context)

    # Places and names

    def write_where(self, context: Context) -> Any:
        """Return a place, if the sentence has none yet."""
        if self.placed:
            return None
        self.placed = True
        return self.write("setting", context)

    def write_place(self, context: Context) -> Node:
        """Return the name of a town in the country that the report is about."""
        return self.place_name(self.country)

    def place_name(self, country: Country) -> Node:
        """Return the name of a town in `country`."""
        name = country.capital if self.draws.chance(0.22) else self.world.names.place(self.draws, country.region)
        return compound([(word, "NNP") for word in name.split()])

    def write_country(self, context: Context) -> Node:
        """Return the name of a country."""
        return self.cast.name_of(self.draws.draw(self.world.prominence))

    def write_full_name(self, context: Context) -> Node:
        """Return the name of somebody who is mentioned only once, by the difficulty a family name of the cast."""
        draws, names = self.draws, self.world.names
        region = draws.draw(self.world.prominence).region if draws.chance(0.4) else self.country.region
        given = names.given(draws, region, "male" if draws.chance(0.7) else "female")
        family = self.cast.family() if draws.chance(0.4 * self.difficulty.rivals) else ""
        return Node(given, "NNP").after(Node(family or names.family(draws, region), "NNP"), "flat")

    def write_family(self, context: Context) -> Node:
        """Return a family name that something is called by: the Karfar plan."""
        return Node(self.world.names.family(self.draws, self.country.region), "NNP")

    def write_demonym(self, context: Context) -> Node:
        """Return the modifier by which something belongs to a country."""
        return self.demonym(self.draws.draw(self.world.prominence))

    def demonym(self, country: Country) -> Node:
        """Return the modifier by which something belongs to `country`: its adjective, or U.S. or NATO."""
        if country.organisation or (country.short and self.draws.chance(0.4)):
            return Node(country.short or country.adjective, "NNP")
        *before, adjective = country.adjective.split()
        node = Node(adjective, "JJ")
        for word in before:
            node.before(Node(word, "JJ"), "compound")
        return node

    # Somebody of the cast

    def write_home(self, context: Context) -> Node:
        """Return the country that the actor belongs to."""
        return self.cast.name_of(context["actor"].home)

    def write_demonym_of_home(self, context: Context) -> Node:
        """Return the modifier of the country that the actor belongs to."""
        return self.demonym(context["actor"].home)

    def write_demonym_of_target(self, context: Context) -> Node:
        """Return the modifier of the country that a use of force is directed at."""
        return self.demonym(context["target"].home)

    def write_home_place(self, context: Context) -> Node:
        """Return a town in the country that the actor belongs to."""
        return self.place_name(context["actor"].home)
