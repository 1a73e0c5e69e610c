"""Reports: who is in them, what happens, and in which order."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Any

from newsroom.cast import CASTING, Actor, Cast
from newsroom.deeds import Deeds, Draft, EventType, event_types
from newsroom.difficulty import Difficulty
from newsroom.draws import Draws, DrawTable
from newsroom.grammar import Context
from newsroom.lexicon import TOPICS, Lexicon, weighted
from newsroom.setting import MONTHS
from newsroom.trees import Node
from newsroom.world import Country, World

_TOPIC_TABLE = DrawTable.weighted([topic for topic in TOPICS if topic != "conflict"], (30, 22, 18, 12, 10, 8))
_SENTENCE_KINDS = {topic: weighted(f"sentences on {topic}") for topic in TOPICS}
"""How often a report on each topic has sentences of each kind."""
_OTHER_FORCE_CHANCE = 0.45
"""Chance, relative to that of an attack, that a report has each other kind of force by the same country."""
_NON_EVENT_CHANCE = 0.5
"""Chance, relative to that of an attack, that a report denies an attack or calls one possible."""
_BACKGROUND_NON_EVENT_CHANCE = 0.002
"""Chance, for every country, of such a non-event where there is no conflict."""
_REBEL_ATTACK_CHANCE = 0.04
"""Chance of an attack by a group that belongs to no country."""
_ELABORATION_CHANCE = 0.45
"""Chance that the sentence after an incident is about its agent."""
_MAX_SENTENCES = 24
_REPORTED = weighted("reports of incidents")
"""The kinds of sentences that report an incident."""


@dataclass(frozen=True)
class Written:
    """A sentence as it is written: its tree and the events in it."""

    root: Node
    drafts: tuple[Draft, ...]


@dataclass(frozen=True)
class Incident:
    """A use of force in a report."""

    event: EventType
    agent: Country | None
    target: Country
    polarity: str


class Story(Deeds):
    """One report, drawn from its own stream."""

    def __init__(
        self, draws: Draws, *, world: World, lexicons: dict[str, Lexicon], date: datetime.date, quarter: int,
        difficulty: Difficulty,
    ) -> None:  # fmt: skip
        """Draw the report of `date`, in the quarter with index `quarter`, and write it."""
        rates = world.attack_rates[:, quarter].tolist()
        self._incidents = incidents = self._draw_incidents(draws, world, rates)
        attacks = [incident for incident in incidents if incident.polarity == "asserted"]
        self.topic: str = "conflict" if attacks else draws.draw(_TOPIC_TABLE)
        """One of `lexicon.TOPICS`."""
        main = next((incident.target for incident in incidents), None) or draws.draw(world.prominence)
        super().__init__(
            draws, lexicon=lexicons[self.topic], world=world, date=date, country=main, difficulty=difficulty
        )
        self.place = main.capital if draws.chance(0.6) else self.place_name(main).word
        """Where the report is from."""
        self.cast = Cast(draws, self.phrase, world=world, quarter=quarter, difficulty=difficulty)
        self._drafts = []
        self.sentences: list[Written] = []
        """The sentences in order."""
        self.headline = ""
        self._agents: dict[str, Actor] = {}
        self._happened = set()
        self._members = self._fill_cast()
        self._write_report(incidents)

    @staticmethod
    def _draw_incidents(draws: Draws, world: World, rates: list[float]) -> list[Incident]:
        """Draw, independently for every country, its attacks and other uses of force in the report."""

        def target(agent: Country) -> Country:
            """Draw whom `agent` attacks: rather those that are at war too."""
            others = [(country, 0.004 + rate) for country, rate in zip(world.countries, rates, strict=True)
                      if country is not agent and not country.organisation]  # fmt: skip
            return draws.draw(DrawTable.weighted(*zip(*others, strict=True)))

        incidents = []
        attack, *others = event_types("force").items
        for country, rate in zip(world.countries, rates, strict=True):
            if draws.chance(rate):
                incidents.append(Incident(attack, country, target(country), "asserted"))
            for event in others:
                if draws.chance(_OTHER_FORCE_CHANCE * event.weight * rate):
                    incidents.append(Incident(event, country, target(country), "asserted"))
            if draws.chance(_NON_EVENT_CHANCE * rate + _BACKGROUND_NON_EVENT_CHANCE):
                polarity = "modal" if draws.chance(0.65) else "negated"
                incidents.append(Incident(attack, country, target(country), polarity))
        if draws.chance(_REBEL_ATTACK_CHANCE):
            victim = draws.pick([country for country in world.countries if not country.organisation])
            incidents.append(Incident(attack, None, victim, "asserted"))
        return incidents

    # The plot

    def _write_report(self, incidents: list[Incident]) -> None:
        draws = self.draws
        length = 8 + min(int(-4.2 * math.log(1 - draws.uniform())), 15)
        told = list(incidents)
        # The lead reports the first incident two times out of three; the rest come at random places.
        first = told.pop(0) if told and draws.chance(0.65) else None
        if first:
            self._tell(first)
        else:
            self._add(draws.pick(("politics", "politics", "statement", "narrative")))
        self.headline = self._headline(first)
        slots = sorted(draws.below(length) for _ in told)
        for position in range(length):
            while slots and slots[0] <= position:
                slots.pop(0)
                self._tell(told.pop(0))
            if len(self.sentences) < _MAX_SENTENCES and position < length - 1:
                self._add(draws.draw(_SENTENCE_KINDS[self.topic]))
        self._add("closing")
        self._dateline()

    def _add(self, kind: str, **context: Any) -> None:
        """Write a sentence of a kind, a phrase of the grammar."""
        self._drafts = []
        self.cast.sentence = len(self.sentences)
        self.timed = self.placed = False
        root = self.write(kind, {"depth": 0, **context})
        self.sentences.append(Written(root.after(Node(".", "."), "punct"), tuple(self._drafts)))

    def _fill_cast(self) -> list[Actor]:
        draws, cast = self.draws, self.cast
        members: list[Actor] = []
        taken: set[tuple[str, str]] = set()
        kind = ""
        for _ in range(7 + draws.below(4)):
            if not kind or not draws.chance(self.difficulty.rivals):
                kind = draws.draw(CASTING)
            country = self._some_country()
            if kind == "official":
                office = draws.pick(("leader", "leader", "foreign", "defense", "general", "ambassador", "opposition"))
                if (country.code, office) in taken or (
                    country.organisation and office in ("general", "ambassador", "opposition")
                ):
                    continue
                taken.add((country.code, office))
                members.append(cast.official(country, office))
            elif kind == "country":
                actor = cast.country(country)
                if actor not in members:
                    members.append(actor)
            elif kind == "thing":
                noun = self._noun(draws.pick(("text", "text", "program", "building")))
                self.used_nouns.add(noun.lemma)
                adjective = self._adjective(noun.noun_class)
                members.append(
                    cast.thing(
                        noun.noun_class, f"{noun.lemma}/NN {noun.plural}/NNS/{noun.lemma}", f"{adjective.lemma}/JJ"
                    )
                )
            elif kind == "group":
                members.append(cast.group(country, armed=self.topic == "conflict" and draws.chance(0.5)))
            elif kind == "local":
                members.append(cast.local(country))
            else:
                members.append(cast.organisation(country))
        if not any(member.person for member in members):
            members.append(cast.local(self.country))
        if not any(member.political for member in members):
            members.append(cast.official(self.country, "leader"))
        return members

    def _agent_of(self, country: Country | None) -> Actor:
        """Return the actor that uses force for `country`: the same one all through the report."""
        key = country.code if country else ""
        if key not in self._agents:
            draws, cast = self.draws, self.cast
            kind = draws.uniform()
            if country is None:
                actor = cast.rebels(self.world.names.place(draws, self.country.region))
            elif kind < 0.62:
                actor = cast.group(country, armed=True)
            elif kind < 0.87:
                actor = cast.country(country)
            else:
                actor = cast.official(country, "general" if kind > 0.96 and not country.organisation else "leader")
            self._agents[key] = actor
            self._members.append(actor)
        return self._agents[key]

    def _tell(self, incident: Incident) -> None:
        """Write the sentence that reports the incident, perhaps after some that bring its two sides in."""
        draws = self.draws
        agent, patient = self._agent_of(incident.agent), self.cast.country(incident.target)
        event: Context = {"event": incident.event, "agent": agent, "patient": patient, "polarity": incident.polarity}
        if incident.polarity != "asserted":
            self._add("feared" if draws.chance(0.7) else "incident", **event)
            return
        if self.sentences and draws.chance(0.75 if agent.mentions == 0 else 0.3):
            self._add("about_actor", actor=agent)
            if draws.chance(self.difficulty.rivals):
                self._add("about_actor", actor=self._agent_of(incident.target))
        self._add(draws.draw(_REPORTED), **event)
        if draws.chance(_ELABORATION_CHANCE):
            self._add("about_actor", actor=agent)

    def _dateline(self) -> None:
        """Put the place and the date before the lead."""
        date = self.date
        place = Node(self.place.split()[0].upper(), "NNP")
        for word in self.place.split()[1:]:
            place.after(Node(word.upper(), "NNP"), "flat")
        day = Node(MONTHS[date.month - 1], "NNP").after(Node(str(date.day), "CD"), "nummod")
        dash = Node("--", ":")
        dash.capital = True
        place.after(Node(",", ","), "punct").after(day, "obl:tmod").after(dash, "punct")
        self.sentences[0].root.first(place, "parataxis")

    def _headline(self, first: Incident | None) -> str:
        """Return a headline; `first` is what the lead reports."""
        nouns = self.lexicon.nouns
        if first is None:
            body, text = (self.draws.draw(nouns[name]) for name in ("body", "text"))
            return f"{self.country.adjective} {body.lemma.capitalize()} Weighs {text.plural.capitalize()}"
        agent = first.agent.adjective if first.agent else "Rebel"
        state = {"asserted": "Reported", "modal": "Feared", "negated": "Denied"}[first.polarity]
        return f"{agent} {first.event.verb.capitalize()} {state} in {' '.join(word for word, _ in first.target.name)}"
