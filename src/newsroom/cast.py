"""The actors of a report, and how they are introduced and referred to again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from newsroom import words
from newsroom.lexicon import choices, lexicon_rows, weighted
from newsroom.phrases import SimulatedPhrases
from newsroom.trees import Node, comma
from newsroom.world import Country

FORCES = choices("forces")
_DELEGATIONS = choices("delegations")
_SYNONYMS = {"soldiers": "troops", "troops": "soldiers", "warplanes": "planes", "jets": "planes", "diplomats": "envoys",
             "commandos": "soldiers", "paratroopers": "troops", "fighters": "forces"}  # fmt: skip
OFFICES = {row["office"]: (row["title"], row["nominal"]) for row in lexicon_rows("offices")}
"""For each public office its title before a name and its nominal, as words with Penn tags."""

_LOCAL_ROLES = choices("local roles")
_SPOKES = {"male": "spokesman", "female": "spokeswoman"}
_INSTITUTIONS = choices("institutions")
_WORLD_BODIES = choices("world bodies")
_FRONTS = choices("fronts")
_FIRMS = choices("firms")
_HONORIFIC = {"male": "Mr.", "female": "Ms."}
_PRONOUN_ODDS = {0: 0.78, 1: 0.62, 2: 0.13}
_PRONOUN_ODDS_COMPETING = {0: 0.30, 1: 0.17, 2: 0.03}


def tagged(spec: str) -> list[tuple[str, str]]:
    """Return the words and tags of "Foreign/NNP Minister/NNP"."""
    return [(part.rsplit("/", 1)[0], part.rsplit("/", 1)[1]) for part in spec.split()]


@dataclass
class Actor:
    """Someone or something that a report can mention more than once."""

    id: str
    kind: str
    """`person`, `group`, `country`, `organisation` or `thing`."""

    noun_class: str
    """The class of nouns that it behaves like."""
    pronoun: str
    country: Country | None = None
    given: str = ""
    family: str = ""
    gender: str = ""
    title: list[tuple[str, str]] = field(default_factory=list)
    nominal: list[tuple[str, str]] = field(default_factory=list)
    """The words of a later description (the foreign minister) and their tags."""
    name: list[tuple[str, str]] = field(default_factory=list)
    article: str = ""
    armed: bool = False
    """Whether it is troops or an army, which move and fight but do not talk."""
    lemma: str = ""
    """The lemma of the nominal's last word where it is not the word itself."""
    mentions: int = 0
    last_sentence: int = -9

    @property
    def home(self) -> Country:
        """The country that it is or belongs to, which people, groups and countries have."""
        if self.country is None:
            raise ValueError(f"found {self.kind} {self.id} without a country, expected one")
        return self.country

    @property
    def political(self) -> bool:
        """Whether it deals with other countries: a country, an office holder, a delegation or an organisation."""
        if self.kind == "person":
            return bool(self.title) or self.nominal[0][0] == "opposition"
        return self.kind != "thing" and not self.armed


class Cast:
    """The actors of one report, and who was mentioned when."""

    def __init__(self, phrases: SimulatedPhrases, *, quarter: int) -> None:
        """Start with nobody; names and offices come from the world of `phrases` at the quarter with this index."""
        self._phrases = phrases
        self._draws = phrases.draws
        self._quarter = quarter
        self.actors: list[Actor] = []
        self.sentence = 0
        """The number of the sentence being written."""
        self._recent: list[Actor] = []
        self._countries: dict[str, Actor] = {}

    def _add(self, kind: str, pronoun: str, *, noun_class: str = "body", **details: Any) -> Actor:
        actor = Actor(f"e{len(self.actors)}", kind, noun_class, pronoun, **details)
        self.actors.append(actor)
        return actor

    def country(self, country: Country) -> Actor:
        """Return the actor that is the country itself."""
        if country.code not in self._countries:
            nominal = [("alliance", "NN")] if country.organisation else [("country", "NN")]
            self._countries[country.code] = self._add(
                "country", "it", country=country, name=list(country.name), nominal=nominal, article=country.article
            )
        return self._countries[country.code]

    def official(self, country: Country, office: str) -> Actor:
        """Return who holds `office` in `country`."""
        figure = self._phrases.world.figure(country, office, self._quarter)
        title, nominal = OFFICES[office]
        if office == "leader":
            title = " ".join(f"{word}/NNP" for word in country.title.split())
            nominal = " ".join(f"{word.lower()}/{'JJ' if word == 'Prime' else 'NN'}" for word in country.title.split())
        return self._person(country, figure.given, figure.family, figure.gender, tagged(title), tagged(nominal))

    def local(self, country: Country) -> Actor:
        """Return a private person or a spokesman, who may share a family name with somebody else in the report."""
        draws, names = self._draws, self._phrases.world.names
        gender = "male" if draws.chance(0.68) else "female"
        families = [actor.family for actor in self.actors if actor.family]
        family = draws.pick(families) if families and draws.chance(0.08) else names.family(draws, country.region)
        nominal = _SPOKES[gender] if draws.chance(0.35) else draws.pick(_LOCAL_ROLES)
        return self._person(country, names.given(draws, country.region, gender), family, gender, [], [(nominal, "NN")])

    def _person(
        self, country: Country, given: str, family: str, gender: str, title: list[tuple[str, str]],
        nominal: list[tuple[str, str]],
    ) -> Actor:  # fmt: skip
        pronoun = "he" if gender == "male" else "she"
        return self._add("person", pronoun, noun_class="role", country=country, given=given, family=family,
                         gender=gender, title=title, nominal=nominal)  # fmt: skip

    def group(self, country: Country, *, armed: bool) -> Actor:
        """Return a group of a country's people: its forces, or a delegation."""
        draws = self._draws
        if armed and not country.organisation and draws.chance(0.15):
            nominal = [(word, "NN") for word in draws.pick(("army", "navy", "air force", "military")).split()]
            return self._add("group", "it", country=country, nominal=nominal, article="the", armed=True)
        if armed and not country.organisation and draws.chance(0.10):
            people = [(word, "NNPS" if word.endswith("s") else "NNP") for word in country.people.split()]
            people[-1] = (people[-1][0], "NNPS")
            return self._add("group", "they", noun_class="group", country=country, nominal=people, lemma=country.people,
                             article="the", armed=True)  # fmt: skip
        common = draws.pick(FORCES[:5] if draws.chance(0.7) else FORCES) if armed else draws.pick(_DELEGATIONS)
        lemma = "troops" if common == "troops" else common[:-1]
        return self._add("group", "they", noun_class="group", country=country, nominal=[(common, "NNS")], lemma=lemma,
                         armed=armed)  # fmt: skip

    def rebels(self) -> Actor:
        """Return an armed group that belongs to no country."""
        first, second = self._draws.pick(_FRONTS).split()
        place = self._phrases.place_name().word
        name = [(place, "NNP"), *(((first[:-2], "NNPS"), ("'s", "POS")) if first == "People's" else ((first, "NNP"),))]
        return self._add("organisation", "it", name=[*name, (second, "NNP")], nominal=[("group", "NN")], article="the")

    def organisation(self, country: Country) -> Actor:
        """Return a world body, or a company or institute of `country` (which its name does not show)."""
        if self._draws.chance(0.45):
            name, nominal = self._draws.pick(_WORLD_BODIES).split(": ")
            words_ = [(word, "NN") for word in nominal.split()]
            return self._add("organisation", "it", name=tagged(name), nominal=words_, article="the")
        second = self._draws.pick(_FIRMS)
        family = self._phrases.world.names.family(self._draws, country.region)
        noun = {"Bank": "bank", "Institute": "institute", "Foundation": "foundation", "Airlines": "airline"}.get(
            second, "company"
        )
        tag = "NNPS" if second in ("Industries", "Holdings", "Motors", "Airlines") else "NNP"
        article = "the" if second in ("Institute", "Foundation") else ""
        return self._add(
            "organisation", "it", name=[(family, "NNP"), (second, tag)], nominal=[(noun, "NN")], article=article
        )

    def thing(self, noun_class: str) -> Actor:
        """Return a thing of the class `noun_class` that the report comes back to."""
        draws, phrases = self._draws, self._phrases
        nouns = phrases.lexicon.nouns[noun_class]
        noun = draws.draw(nouns)
        while noun.number != "count" or noun.lemma in phrases.used_nouns:
            noun = draws.pick(nouns.items)
        phrases.used_nouns.add(noun.lemma)
        plural = draws.chance(0.15)
        word = (noun.plural, "NNS") if plural else (noun.lemma, "NN")
        modifier = [(draws.draw(phrases.lexicon.adjectives[noun_class]).lemma, "JJ")]
        return self._add("thing", "they" if plural else "it", noun_class=noun_class, nominal=[word], title=modifier,
                         lemma=noun.lemma)  # fmt: skip

    def refer(self, actor: Actor, case: str = "subject", *, pronoun: bool | None = None) -> Node:
        """Return a noun phrase for `actor`, introducing it if it is new.

        `case` is "subject", "object" or "possessive" (with its 's); `pronoun` forces or forbids a pronoun.
        """
        if actor.mentions == 0:
            node = self._introduce(actor, short=case != "object")
            form = "full"
        else:
            form = "pronoun" if pronoun or (pronoun is None and self._pronoun_serves(actor)) else "short"
            node = (
                words.pronoun(actor.pronoun, case) if form == "pronoun" else self._again(actor, short=case != "object")
            )
        if case == "possessive" and form != "pronoun":
            words.possessive(node)
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
        rivals = self._recent[self._recent.index(actor) + 1 :]
        competing = any(
            rival.pronoun == actor.pronoun and self.sentence - rival.last_sentence <= max(distance, 1)
            for rival in rivals
        )
        return self._draws.chance((_PRONOUN_ODDS_COMPETING if competing else _PRONOUN_ODDS).get(distance, 0.0))

    def _introduce(self, actor: Actor, *, short: bool) -> Node:
        if actor.kind == "person":
            return (
                self._introduce_official(actor)
                if actor.title or "opposition" in actor.nominal[0]
                else self._introduce_local(actor)
            )
        if actor.kind == "group":
            return self._introduce_group(actor)
        if actor.kind == "thing":
            head = self._nominal(actor)
            if head.tag == "NN":
                head.before(words.det("a"), "det")
            return head.before(Node(*actor.title[0]), "amod")
        node = self._full_name(actor, short=short)
        if actor.kind == "organisation" and len(actor.name) > 2 and self._draws.chance(0.5):
            acronym = Node("".join(word[0] for word, tag in actor.name if tag != "POS"), "NNP")
            node.after(acronym.before(Node("(", "-LRB-"), "punct").after(Node(")", "-RRB-"), "punct"), "appos")
        return node

    def _nominal(self, actor: Actor) -> Node:
        head = words.compound_name(actor.nominal)
        head.lemma = actor.lemma or head.word
        return head

    def _full_name(self, actor: Actor, *, short: bool = False) -> Node:
        """Return the name; `short` allows an abbreviation, whose full stop cannot end a sentence."""
        if actor.kind == "country":
            country = actor.home
            if short and country.short and self._draws.chance(0.5):
                return Node(country.short, "NNP").before(words.det("the"), "det")
            head = (
                words.compound_name(actor.name)
                if len(actor.name) > 1 and actor.name[-1][1] == "NNPS"
                else words.name(actor.name)
            )
            head.plural = False
        elif ("'s", "POS") in actor.name:
            place, owner, _, army = actor.name
            head = (
                Node(*army)
                .before(Node(*place), "compound")
                .before(words.possessive(Node(owner[0], "NNP")), "nmod:poss")
            )
        else:
            head = words.compound_name(actor.name)
            head.plural = False
        return head.first(words.det("the"), "det") if actor.article else head

    def name_of(self, country: Country) -> Node:
        """Return the name of `country` inside another phrase: a mention of the country too."""
        actor = self.country(country)
        node = self._full_name(actor)
        node.entity = actor.id
        self._note(actor)
        return node

    def _person_name(self, actor: Actor) -> Node:
        return words.name([(actor.given, "NNP"), (actor.family, "NNP")])

    def _description(self, actor: Actor) -> Node:
        """Return "president of Iraq", "Iraqi president" or "Iraq's president"."""
        head = words.compound_name(actor.nominal)
        kind = self._draws.uniform()
        if kind < 0.45:
            head.first(words.det("the"), "det").after(words.with_case(self.name_of(actor.home), "of"), "nmod")
        elif kind < 0.75 or actor.home.organisation:
            modifier = self._phrases.demonym(actor.home)
            head.first(modifier, "amod" if modifier.tag == "JJ" else "compound").first(words.det("the"), "det")
        else:
            head.first(words.possessive(self.name_of(actor.home)), "nmod:poss")
        return head

    def _introduce_official(self, actor: Actor) -> Node:
        kind = self._draws.uniform()
        if kind < 0.45 and actor.title:
            head = self._person_name(actor)
            head.before(words.compound_name(actor.title), "compound")
            return head.after(words.with_case(self.name_of(actor.home), "of"), "nmod")
        if kind < 0.72:
            head = self._description(actor)
            return head.after(comma(), "punct").after(self._person_name(actor), "appos").after(comma(), "punct")
        head = self._person_name(actor)
        return head.after(comma(), "punct").after(self._description(actor), "appos").after(comma(), "punct")

    def _introduce_local(self, actor: Actor) -> Node:
        role = words.compound_name(actor.nominal).before(words.det("a"), "det")
        if actor.nominal[0][0] in _SPOKES.values():
            body = words.compound_name(tagged(self._draws.pick(_INSTITUTIONS)))
            modifier = self._phrases.demonym(actor.home)
            body.first(modifier, "amod" if modifier.tag == "JJ" else "compound").first(words.det("the"), "det")
            role.after(words.with_case(body, "for"), "nmod")
        elif self._draws.chance(0.5):
            place = self._phrases.place_name(actor.home)
            role.after(words.with_case(place, self._draws.pick(("in", "from"))), "nmod")
        else:
            role.first(self._phrases.demonym(actor.home), "amod")
            role.left[0], role.left[1] = role.left[1], role.left[0]
            if role.left[1].tag == "NNP":
                role.left[1].relation = "compound"
        head = self._person_name(actor)
        if self._draws.chance(0.25):
            head.after(comma(), "punct").after(Node(str(self._draws.between(19, 78)), "CD"), "appos")
        return head.after(comma(), "punct").after(role, "appos").after(comma(), "punct")

    def _introduce_group(self, actor: Actor) -> Node:
        head = self._nominal(actor)
        if head.tag == "NNPS":
            return head.first(words.det("the"), "det")
        kind = self._draws.uniform()
        if kind < 0.62 or actor.home.organisation:
            modifier = self._phrases.demonym(actor.home)
            head.first(modifier, "amod" if modifier.tag == "JJ" else "compound")
            if actor.article:
                head.first(words.det("the"), "det")
        elif kind < 0.85:
            head.first(words.possessive(self.name_of(actor.home)), "nmod:poss")
        else:
            head.after(words.with_case(self.name_of(actor.home), "of" if actor.article else "from"), "nmod")
            if actor.article:
                head.first(words.det("the"), "det")
        if not actor.article and self._draws.chance(0.15):
            number = words.count(self._draws)
            # A number stands before the modifier but not next to a possessive (*Iraq's 300 troops from).
            if not head.left or head.left[0].relation != "nmod:poss":
                head.first(number, "nummod")
        return head

    def _again(self, actor: Actor, *, short: bool) -> Node:
        draws = self._draws
        if actor.kind == "person":
            kind = draws.uniform()
            if kind < 0.58:
                return Node(actor.family, "NNP").before(Node(_HONORIFIC[actor.gender], "NNP"), "compound")
            if kind < 0.72 and actor.title:
                return Node(actor.family, "NNP").before(words.compound_name(actor.title), "compound")
            if kind < 0.80:
                return Node(actor.family, "NNP")
        elif actor.kind in ("country", "organisation") and draws.chance(0.68):
            if actor.kind == "country" and not actor.home.organisation and draws.chance(0.08):
                return words.name([(word, "NNP") for word in actor.home.capital.split()])
            return self._full_name(actor, short=short)
        elif actor.kind == "group" and actor.nominal[-1][1] != "NNPS" and draws.chance(0.3):
            head = self._nominal(actor)
            modifier = self._phrases.demonym(actor.home)
            head.first(modifier, "amod" if modifier.tag == "JJ" else "compound")
            return head.first(words.det("the"), "det") if actor.article or draws.chance(0.5) else head
        head = self._nominal(actor)
        if actor.kind == "group" and head.word in _SYNONYMS and draws.chance(0.2):
            head.word = _SYNONYMS[head.word]
            head.lemma = "troops" if head.word == "troops" else head.word[:-1]
        return head.first(words.det("the"), "det")


CASTING = weighted("actors")
"""What kind of actor joins a report."""
