"""The actors of a report, and how they are introduced and referred to again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from newsroom.difficulty import Difficulty
from newsroom.draws import Draws
from newsroom.lexicon import choices, lexicon_rows, weighted
from newsroom.trees import Node
from newsroom.world import Country, World

CASTING = weighted("actors")
"""What kind of actor joins a report."""
_FORCES, _DELEGATIONS = choices("forces"), choices("delegations")
_OFFICES = {row["office"]: (row["title"], row["nominal"]) for row in lexicon_rows("offices")}
"""For each public office its title before a name and its nominal, as words with Penn tags."""
_LOCAL_ROLES, _INSTITUTIONS = choices("local roles"), choices("institutions")
_WORLD_BODIES, _FRONTS, _FIRMS = choices("world bodies"), choices("fronts"), choices("firms")
_HONORIFIC = {"male": "Mr./NNP", "female": "Ms./NNP"}
_PRONOUNS = {"he": ("he", "him", "his"), "she": ("she", "her", "her"), "it": ("it", "it", "its"),
             "they": ("they", "them", "their")}  # fmt: skip
_PRONOUN_ODDS = {0: 0.8, 1: 0.65, 2: 0.16}
"""Chance of a pronoun by the number of sentences since the actor was mentioned, where no other fits it as well."""


@dataclass
class Actor:
    """Someone or something that a report can mention more than once."""

    id: str
    kind: str
    """`official`, `local`, `group`, `named` (a country or an organisation) or `thing`."""
    pronoun: str
    words: dict[str, str]
    """What the grammar's rows of this kind need: its names, titles and descriptions, with tags."""
    noun_class: str = "body"
    """The class of nouns that it behaves like."""
    country: Country | None = None
    gender: str = ""
    armed: bool = False
    """Whether it is troops or an army, which move and fight but do not talk."""
    mentions: int = 0
    last_sentence: int = -9

    @property
    def home(self) -> Country:
        """The country that it is or belongs to, which people, groups and countries have."""
        if self.country is None:
            raise ValueError(f"found {self.kind} {self.id} without a country, expected one")
        return self.country

    @property
    def person(self) -> bool:
        """Whether it is one person."""
        return self.kind in ("official", "local")

    @property
    def political(self) -> bool:
        """Whether it deals with other countries: a country, an office holder, a delegation or an organisation."""
        return self.kind not in ("local", "thing") and not self.armed


class Cast:
    """The actors of one report, and who was mentioned when."""

    def __init__(
        self, draws: Draws, phrase: Callable[[str, dict[str, Any]], Node], *, world: World, quarter: int,
        difficulty: Difficulty,
    ) -> None:  # fmt: skip
        """Start with nobody; `phrase` writes a phrase of the grammar, `quarter` is an index into those of `world`."""
        self._draws = draws
        self._phrase = phrase
        self._world = world
        self._quarter = quarter
        self._difficulty = difficulty
        self.actors: list[Actor] = []
        self.sentence = 0
        """The number of the sentence being written."""
        self._recent: list[Actor] = []
        self._countries: dict[str, Actor] = {}

    def _add(self, kind: str, pronoun: str, words: dict[str, str], **details: Any) -> Actor:
        self.actors.append(Actor(f"e{len(self.actors)}", kind, pronoun, words, **details))
        return self.actors[-1]

    def _rival(self, kind: str) -> Actor | None:
        """Return an earlier actor of the kind that a new one is to resemble, by the difficulty."""
        others = [actor for actor in self.actors if actor.kind == kind]
        return self._draws.pick(others) if others and self._draws.chance(self._difficulty.rivals) else None

    def country(self, country: Country) -> Actor:
        """Return the actor that is the country itself."""
        if country.code not in self._countries:
            words = {
                "name": " ".join(f"{word}/{tag}" for word, tag in country.name),
                "article": f"{country.article}/DT" if country.article else "",
                "nominal": "alliance/NN" if country.organisation else "country/NN",
                "alias": " ".join(f"{word}/NNP" for word in (country.short or country.capital).split()),
                "generic": self._generic("alliance" if country.organisation else "country"),
            }
            self._countries[country.code] = self._add("named", "it", words, country=country)
        return self._countries[country.code]

    def official(self, country: Country, office: str) -> Actor:
        """Return who holds `office` in `country`."""
        figure = self._world.figure(country, office, self._quarter)
        title, nominal = _OFFICES[office]
        if office == "leader":
            title = " ".join(f"{word}/NNP" for word in country.title.split())
            nominal = " ".join(f"{word.lower()}/{'JJ' if word == 'Prime' else 'NN'}" for word in country.title.split())
        words = {"title": title, "nominal": nominal, "given": figure.given, "family": figure.family}
        return self._person("official", country, figure.gender, words)

    def local(self, country: Country) -> Actor:
        """Return a private person or a spokesman, who may share a family name with somebody else in the report."""
        draws, names, rival = self._draws, self._world.names, self._rival("local")
        gender = rival.gender if rival else "male" if draws.chance(0.68) else "female"
        families = [actor.words["family"] for actor in self.actors if actor.person]
        spokes = "spokesman/NN" if gender == "male" else "spokeswoman/NN"
        nominal = spokes if draws.chance(0.35) else f"{draws.pick(_LOCAL_ROLES)}/NN"
        words = {
            "given": names.given(draws, country.region, gender),
            "family": draws.pick(families)
            if families and draws.chance(0.6 * self._difficulty.rivals)
            else names.family(draws, country.region),
            "nominal": rival.words["nominal"] if rival else nominal,
            "body": draws.pick(_INSTITUTIONS),
        }
        return self._person("local", country, gender, words)

    def _person(self, kind: str, country: Country, gender: str, words: dict[str, str]) -> Actor:
        pronoun = "he" if gender == "male" else "she"
        words["honorific"] = _HONORIFIC[gender]
        words["generic"] = self._generic(kind if self._draws.chance(0.6) else gender)
        return self._add(kind, pronoun, words, noun_class="role", country=country, gender=gender)

    def group(self, country: Country, *, armed: bool) -> Actor:
        """Return a group of a country's people: its forces, or a delegation."""
        draws = self._draws
        rival = next((actor for actor in self.actors if actor.kind == "group" and actor.armed == armed), None)
        if rival and draws.chance(self._difficulty.rivals):
            words = rival.words | {"the_people": self._people(country)}
            return self._add("group", rival.pronoun, words, noun_class=rival.noun_class,
                             country=country, armed=armed)  # fmt: skip
        if armed and not country.organisation and draws.chance(0.15):
            army = " ".join(f"{word}/NN" for word in draws.pick(("army", "navy", "air force", "military")).split())
            words = {"nominal": army, "article": "the/DT", "generic": "military/NN", "the_people": "the/DT military/NN"}
            return self._add("group", "it", words, country=country, armed=True)
        common = draws.pick(_FORCES[:5] if draws.chance(0.7) else _FORCES) if armed else draws.pick(_DELEGATIONS)
        lemma = "/troops" if common == "troops" else ""
        words = {"nominal": f"{common}/NNS{lemma}", "generic": self._generic("forces" if armed else "delegation"),
                 "the_people": self._people(country)}  # fmt: skip
        return self._add("group", "they", words, noun_class="group", country=country, armed=armed)

    def _people(self, country: Country) -> str:
        """Return the people of a country as words with tags: the Americans; for an alliance its allies."""
        if not country.people:
            return "the/DT allies/NNS/ally"
        *before, people = country.people.split()
        return " ".join(["the/DT", *(f"{word}/NNP" for word in before), f"{people}/NNPS"])

    def _generic(self, kind: str) -> str:
        """Return a noun that fits many actors of the kind, with its tag."""
        return self._draws.pick(choices(f"generic {kind}"))

    def rebels(self, place: str) -> Actor:
        """Return an armed group, named for `place`, that belongs to no country."""
        first, second = self._draws.pick(_FRONTS).split()
        owner = "People/NNPS 's/POS" if first == "People's" else f"{first}/NNP"
        words = {
            "name": f"{place}/NNP {owner} {second}/NNP",
            "nominal": "group/NN",
            "article": "the/DT",
            "alias": f"the/DT {second}/NNP",
            "generic": self._generic("front"),
        }
        return self._add("named", "it", words)

    def organisation(self, country: Country) -> Actor:
        """Return a world body, or a company or institute of `country` (which its name does not show)."""
        if self._draws.chance(0.45):
            name, nominal = self._draws.pick(_WORLD_BODIES).split(": ")
            words = {"name": name, "nominal": " ".join(f"{word}/NN" for word in nominal.split()), "article": "the/DT",
                     "alias": f"the/DT {name.split()[-1]}", "generic": self._generic("organisation")}  # fmt: skip
            return self._add("named", "it", words)
        second = self._draws.pick(_FIRMS)
        family = self._world.names.family(self._draws, country.region)
        tag = "NNPS" if second in ("Industries", "Holdings", "Motors", "Airlines") else "NNP"
        words = {"name": f"{family}/NNP {second}/{tag}", "nominal": "company/NN", "alias": f"{family}/NNP",
                 "generic": self._generic("company")}  # fmt: skip
        return self._add("named", "it", words)

    def thing(self, noun_class: str, noun: str, modifier: str) -> Actor:
        """Return a thing that the report comes back to: a `noun` with an adjective, or a rival of one that it has."""
        rival = self._rival("thing")
        plural = self._draws.chance(0.15)
        words = rival.words | {"modifier": modifier} if rival else {
            "nominal": noun.split()[plural], "modifier": modifier, "indefinite": "" if plural else "a/DT",
            "generic": self._generic(f"{noun_class}s" if plural else noun_class)}  # fmt: skip
        return self._add("thing", rival.pronoun if rival else "they" if plural else "it", words, noun_class="text")

    def description(self, noun_class: str, *, plural: bool) -> str:
        """Return the description of an actor that is mentioned already, for somebody else; empty if there is none."""
        found = [actor.words["nominal"] for actor in self._recent
                 if actor.noun_class == noun_class and (actor.pronoun == "they") == plural
                 and not (actor.kind == "named" and actor.country)]  # fmt: skip
        return self._draws.pick(found) if found else ""

    def family(self) -> str:
        """Return the family name of an actor, for somebody else; empty if there is none."""
        found = [actor.words["family"] for actor in self.actors if actor.person]
        return self._draws.pick(found) if found else ""

    def refer(self, actor: Actor, case: str = "subject", *, pronoun: bool | None = None) -> Node:
        """Return a noun phrase for `actor`, introducing it if it is new.

        `case` is "subject", "object" or "possessive" (with its 's); `pronoun` forces or forbids a pronoun.
        """
        context = {"actor": actor, **actor.words}
        if actor.mentions == 0:
            node = self._phrase(f"{actor.kind}_new", context)
        elif pronoun or (pronoun is None and self._pronoun_serves(actor)):
            word = _PRONOUNS[actor.pronoun][("subject", "object", "possessive").index(case)]
            node = Node(
                word, "PRP$" if case == "possessive" else "PRP", None if case == "possessive" else actor.pronoun
            )
            case = ""
        else:
            node = self._again(actor, context)
        node.plural = actor.pronoun == "they"
        if case == "possessive":
            node.after(Node("'s", "POS"), "case")
        node.entity = actor.id
        self._note(actor)
        return node

    def _again(self, actor: Actor, context: dict[str, Any]) -> Node:
        kind = "person" if actor.person else actor.kind
        alike = {(other.words["nominal"], other.words["generic"]) for other in self._recent if other is not actor}
        fits = any(actor.words["nominal"] == nominal or actor.words["generic"] == generic for nominal, generic in alike)
        if fits and self._draws.chance(self._difficulty.vague):
            return self._phrase("bare_again", context)
        return self._phrase(f"{kind}_again", context)

    def name_of(self, country: Country) -> Node:
        """Return the name of `country` inside another phrase: a mention of the country too."""
        actor = self.country(country)
        node = self._phrase("named_new", {"actor": actor, **actor.words})
        node.plural = False
        node.entity = actor.id
        self._note(actor)
        return node

    def possessor(self) -> Node | None:
        """Return a possessive for the last actor of this sentence, if there is one: mostly a pronoun."""
        if not self._recent or self._recent[-1].last_sentence != self.sentence or self._draws.chance(0.3):
            return None
        return self.refer(self._recent[-1], "possessive", pronoun=self._draws.chance(0.85))

    def _note(self, actor: Actor) -> None:
        actor.mentions += 1
        actor.last_sentence = self.sentence
        if actor in self._recent:
            self._recent.remove(actor)
        self._recent.append(actor)

    def _pronoun_serves(self, actor: Actor) -> bool:
        distance = self.sentence - actor.last_sentence
        nearer = self._recent[self._recent.index(actor) + 1 :]
        odds = _PRONOUN_ODDS.get(distance, 0.0)
        since = max((rival.last_sentence for rival in nearer if rival.pronoun == actor.pronoun), default=-9)
        if since == self.sentence > actor.last_sentence:
            # In "it talked with it" hardly any reader could find out who is who.
            odds *= self._difficulty.vague / 2
        elif since >= self.sentence - 1:
            odds *= self._difficulty.vague
        return self._draws.chance(odds)
