"""Words and names that no dictionary lists: people, places, institutions, compounds and derivatives."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from newsroom import words
from newsroom.draws import Draws, DrawTable
from newsroom.lexicon import Lexicon, Noun, choices, forms
from newsroom.trees import Node, comma
from newsroom.world import Country, World

_PREFIXES = {noun_class: choices(f"{noun_class} prefixes") for noun_class in ("role", "group", "body")}
_SECOND_PARTS = choices("late parts")
"""Second parts of compounds that are written as one word."""
_NO_ADVERB = choices("adjectives without adverb")
"""Adjectives that make no adverb of manner."""


class Coinage:
    """What one report needs of the world, and the open classes of its vocabulary."""

    def __init__(self, draws: Draws, *, lexicon: Lexicon, world: World, date: datetime.date, country: Country) -> None:
        """Draw from `draws`; places and names without a country of their own lie in `country`."""
        self.draws = draws
        self.lexicon = lexicon
        self.world = world
        self.date = date
        self.country = country
        self.used_nouns: set[str] = set()
        """Nouns that the report has used already: `the` with one of these would seem to refer back."""
        self.timed = False
        self.placed = False
        """Whether the sentence being written has a time already, and a place."""
        self.possessor: Callable[[], Node | None] | None = None
        """Makes a possessive for somebody just mentioned, if the sentence has mentioned anybody."""
        self.country_name: Callable[[Country], Node] | None = None
        """Makes the name of a country, which the report keeps track of."""

    @property
    def prominent(self) -> DrawTable[Country]:
        """The countries, by how often they are in the news."""
        return self.world.prominence

    def demonym(self, country: Country) -> Node:
        """Return the modifier by which something belongs to `country`: its adjective, or U.S. or NATO."""
        if country.organisation:
            return Node(country.adjective, "NNP")
        if country.short and self.draws.chance(0.4):
            return Node(country.short, "NNP")
        *before, adjective = country.adjective.split()
        node = Node(adjective, "JJ", universal="ADJ")
        for word in before:
            node.before(Node(word, "JJ"), "compound")
        return node

    def place_name(self, country: Country | None = None) -> Node:
        """Return the name of a town in `country`."""
        country = country or self.country
        if self.draws.chance(0.22):
            return words.name([(word, "NNP") for word in country.capital.split()])
        place = self.world.names.place(self.draws, country.region)
        if self.draws.chance(0.06):
            return words.compound_name([(self.draws.pick(("Mount", "Fort", "Port", "Lake")), "NNP"), (place, "NNP")])
        return Node(place, "NNP")

    def named_person(self, noun: Noun) -> Node:
        """Return somebody with a name and a description who is mentioned only once."""
        draws, names = self.draws, self.world.names
        region = draws.draw(self.prominent).region if draws.chance(0.4) else self.country.region
        given = names.given(draws, region, "male" if draws.chance(0.7) else "female")
        head = words.name([(given, "NNP"), (names.family(draws, region), "NNP")])
        if draws.chance(0.3):
            head.after(comma(), "punct").after(Node(str(draws.between(21, 79)), "CD"), "appos")
        description = words.common(noun, plural=False).before(words.det("a"), "det")
        if draws.chance(0.4):
            description.before(self.demonym(draws.draw(self.prominent)), "amod")
            if description.left[-1].tag == "NNP":
                description.left[-1].relation = "compound"
        if draws.chance(0.5):
            description.after(words.with_case(self.place_name(), draws.pick(("in", "from"))), "nmod")
        return head.after(comma(), "punct").after(description, "appos").after(comma(), "punct")

    def named_body(self, noun: Noun) -> Node:
        """Return the name of an institution made of common words: the National Wheat Board, the Miners Union."""
        draws, nouns = self.draws, self.lexicon.nouns
        head = Node(noun.lemma.capitalize(), "NNP")
        if draws.chance(0.3):
            role = draws.draw(nouns["group"])
            head.before(Node(role.plural.capitalize(), "NNPS"), "compound")
        else:
            for _ in range(1 + draws.below(2)):
                word = draws.draw(
                    nouns[draws.pick(("goods", "good", "resource", "program", "talks"))]
                ).lemma.capitalize()
                if not any(word == other.word for other in (head, *head.left)):
                    head.before(Node(word, "NNP"), "compound")
        if draws.chance(0.35):
            head.first(
                Node(draws.pick(("National", "Central", "Federal", "International", "Regional", "Supreme")), "NNP"),
                "compound",
            )
        elif draws.chance(0.3):
            head.first(Node(self.place_name().word, "NNP"), "compound")
        elif draws.chance(0.35):
            # Inside a name a demonym is part of the name, not an adjective.
            head.first(Node(draws.draw(self.prominent).adjective.split()[-1], "NNP"), "compound")
        return head.first(words.det("the"), "det")

    def new_noun(self, noun_class: str) -> Noun:
        """Return a noun of the class; now and then a compound or derivative that no dictionary lists."""
        noun = self.draws.draw(self.lexicon.nouns[noun_class])
        if noun.number != "count" or not self.draws.chance(0.13):
            return noun
        if self.draws.chance(0.25):
            prefix = self.draws.pick(_PREFIXES.get(noun_class, ("counter-", "mini-", "sub-")))
            return Noun(prefix + noun.lemma, prefix + noun.plural, noun_class, "count", noun.topics)
        if noun_class in ("role", "group", "body", "building"):
            stem = self.draws.draw(self.lexicon.nouns["goods"]).lemma
            singular, plural = self.draws.pick(_SECOND_PARTS).split()
            return Noun(stem + singular, stem + plural, noun_class, "count", noun.topics)
        return noun

    def coined_modifier(self) -> Node:
        """Return a hyphenated adjective made for the occasion."""
        draws, nouns = self.draws, self.lexicon.nouns
        noun = draws.draw(nouns[draws.pick(("goods", "good", "talks", "text", "body", "weapon"))]).lemma
        country = draws.draw(self.prominent)
        verb = draws.draw(self.lexicon.verbs_with_object(draws.pick(("text", "building", "goods"))))
        number = draws.pick((*words.SMALL_NUMBERS, str(draws.between(11, 90))))
        unit = draws.pick(("year", "member", "day", "hour", "mile", "page", "ton", "nation", "story", "point"))
        kind = draws.below(12)
        if kind == 0:
            return Node(f"{country.adjective.split()[-1]}-{draws.pick(('led', 'backed', 'made', 'born', 'run'))}", "JJ")
        if kind == 1:
            return Node(f"{draws.pick(('anti', 'pro'))}-{noun}", "JJ")
        if kind == 2:
            return Node(f"anti-{country.adjective.split()[-1]}", "JJ")
        if kind in (3, 4):
            return Node(f"{number}-{unit}", "JJ")
        if kind == 5:
            return Node(f"{noun}-{draws.pick(('related', 'based', 'rich', 'producing', 'dependent', 'style'))}", "JJ")
        if kind == 6:
            return Node(
                f"{draws.pick(('newly', 'well', 'half', 'long', 'state', 'ill'))}-{forms(verb.lemma).participle}", "JJ"
            )
        if kind == 7:
            adjective = draws.draw(self.lexicon.adjectives["text"]).lemma
            return Node(f"{draws.pick(('non', 'semi', 'quasi', 'un'))}-{adjective}", "JJ")
        if draws.chance(0.1):
            first, second = draws.pick((("de", "facto"), ("ad", "hoc"), ("pro", "forma")))
            return Node(first, "FW").after(Node(second, "FW"), "flat")
        return Node(
            f"{draws.pick(('mid', 'late', 'early', 'post', 'pre'))}-{self.date.year - draws.between(1, 40)}", "JJ"
        )

    def followers(self) -> Node:
        """Return the followers of somebody by his name: the Kastovites."""
        name = self.world.names.family(self.draws, self.country.region).rstrip("aeiou") + self.draws.pick(
            ("ites", "ists")
        )
        return Node(name, "NNPS", name[:-1]).before(words.det("the"), "det")

    def manner(self) -> str:
        """Return an adverb of manner: from the list, or made from an adjective."""
        draws = self.draws
        if draws.chance(0.45):
            return draws.draw(self.lexicon.adverbs["manner"])
        adjective = draws.draw(self.lexicon.adjectives[draws.pick(("violence", "text", "feeling"))])
        stem = adjective.lemma
        if adjective.grade == "suffix" or stem.endswith(("ly", "ed")) or stem in _NO_ADVERB:
            return draws.draw(self.lexicon.adverbs["manner"])
        if stem.endswith("ic"):
            return stem + "ally"
        return stem[:-2] + "ly" if stem.endswith("le") else stem[:-1] + "ily" if stem.endswith("y") else stem + "ly"
