"""Reports: who is in them, what happens, and in which order."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from dataclasses import dataclass

from newsroom import words
from newsroom.cast import CASTING, Actor, Cast
from newsroom.clauses import SimulatedClauses
from newsroom.draws import Draws, DrawTable
from newsroom.events import Draft, Events, EventType, event_types, politics
from newsroom.lexicon import TOPICS, Lexicon, weighted
from newsroom.sentences import Sentences
from newsroom.trees import Node
from newsroom.verb_groups import finite
from newsroom.world import Country, World

_TOPIC_TABLE = DrawTable.weighted([topic for topic in TOPICS if topic != "conflict"], (30, 22, 18, 12, 10, 8))
_OTHER_FORCE_CHANCE = 0.45
"""Chance, relative to that of an attack, that a report has each other kind of force by the same country."""
_NON_EVENT_CHANCE = 0.5
"""Chance, relative to that of an attack, that a report denies an attack or calls one possible."""
_BACKGROUND_NON_EVENT_CHANCE = 0.002
"""Chance, for every country, of such a non-event where there is no conflict."""
_REBEL_ATTACK_CHANCE = 0.04
"""Chance of an attack by a group that belongs to no country."""
_RHETORICAL_ATTACK_CHANCE = 0.012
"""Chance of an attack that is only words: the leader attacked the proposal."""
_ELABORATION_CHANCE = 0.45
"""Chance that the sentence after an incident is about its agent."""
_SENTENCE_KINDS = {topic: weighted(f"sentences on {topic}") for topic in TOPICS}
"""How often a report on each topic has sentences of each kind."""

_FORCE_NOUNS = {"attack": "Attack", "bombard": "Bombing", "raid": "Raid", "invade": "Invasion", "seize": "Seizure"}


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


class Story:
    """One report, drawn from its own stream."""

    def __init__(
        self, draws: Draws, *, world: World, lexicons: dict[str, Lexicon], date: datetime.date, quarter: int
    ) -> None:
        """Draw the report of `date`, in the quarter with index `quarter`, and write it."""
        self._draws = draws
        self._world = world
        rates = world.attack_rates[:, quarter].tolist()
        incidents = self._draw_incidents(rates)
        attacks = [incident for incident in incidents if incident.polarity == "asserted"]
        self.topic: str = "conflict" if attacks else draws.draw(_TOPIC_TABLE)
        """One of `lexicon.TOPICS`."""
        main = next((incident.target for incident in incidents), None) or draws.draw(world.prominence)
        grammar = SimulatedClauses(draws, lexicon=lexicons[self.topic], world=world, date=date, country=main)
        self.place: str = main.capital if draws.chance(0.6) else grammar.place_name(main).word
        """Where the report is from."""
        self._grammar = grammar
        self.cast = Cast(grammar, quarter=quarter)
        grammar.country_name = self.cast.name_of
        grammar.possessor = self.cast.possessor
        self._events = Events(grammar, self.cast)
        self._sentences = Sentences(grammar, self.cast, self._events)
        self._main = main
        self.sentences: list[Written] = []
        """The sentences in order."""
        self.headline: str = ""
        self._agents: dict[str, Actor] = {}
        self._happened: set[str] = set()
        self._write(incidents)

    def _draw_incidents(self, rates: list[float]) -> list[Incident]:
        """Draw, independently for every country, its attacks and other uses of force in the report."""
        draws = self._draws
        incidents = []
        others = [event for event in event_types("force") if event.verb != "attack"]
        attack = next(event for event in event_types("force") if event.verb == "attack")
        for country, rate in zip(self._world.countries, rates, strict=True):
            if draws.chance(rate):
                incidents.append(Incident(attack, country, self._target(country, rates), "asserted"))
            for event in others:
                if draws.chance(_OTHER_FORCE_CHANCE * event.weight * rate):
                    incidents.append(Incident(event, country, self._target(country, rates), "asserted"))
            if draws.chance(_NON_EVENT_CHANCE * rate + _BACKGROUND_NON_EVENT_CHANCE):
                polarity = "modal" if draws.chance(0.65) else "negated"
                incidents.append(Incident(attack, country, self._target(country, rates), polarity))
        if draws.chance(_REBEL_ATTACK_CHANCE):
            target = draws.pick([country for country in self._world.countries if not country.organisation])
            incidents.append(Incident(attack, None, target, "asserted"))
        return incidents

    def _target(self, agent: Country, rates: list[float]) -> Country:
        """Draw whom `agent` attacks: rather those that are at war too."""
        others = [(country, rate) for country, rate in zip(self._world.countries, rates, strict=True)
                  if country is not agent and not country.organisation]  # fmt: skip
        return self._draws.draw(
            DrawTable.weighted([country for country, _ in others], [0.004 + rate for _, rate in others])
        )

    def _write(self, incidents: list[Incident]) -> None:
        draws = self._draws
        self._cast_members = self._fill_cast()
        length = 8 + min(int(-4.2 * math.log(1 - draws.uniform())), 15)
        told = list(incidents)
        # The lead reports the first incident two times out of three; the rest come at random places.
        first = told.pop(0) if told and draws.chance(0.65) else None
        if first:
            self._tell(first)
        else:
            self._lead()
        self.headline = self._headline(first)
        slots = sorted(draws.below(length) for _ in told)
        for position in range(length):
            while slots and slots[0] <= position:
                slots.pop(0)
                self._tell(told.pop(0))
            if len(self.sentences) < 24 and position < length - 1:
                self._ordinary()
        if draws.chance(_RHETORICAL_ATTACK_CHANCE):
            actor = self.cast.official(self._country(), "opposition")
            self._add(lambda: self._events.rhetorical(actor))
        self._closing()
        self._dateline()

    def _country(self) -> Country:
        return self._main if self._draws.chance(0.45) else self._draws.draw(self._world.prominence)

    def _fill_cast(self) -> list[Actor]:
        draws, cast = self._draws, self.cast
        members: list[Actor] = []
        taken: set[tuple[str, str]] = set()
        for _ in range(4 + draws.below(4)):
            kind, country = draws.draw(CASTING), self._country()
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
                members.append(cast.thing(draws.pick(("text", "text", "program", "talks", "building", "body"))))
            elif kind == "group":
                members.append(cast.group(country, armed=self.topic == "conflict" and draws.chance(0.5)))
            elif kind == "local":
                members.append(cast.local(country))
            else:
                members.append(cast.organisation(country))
        if not any(member.kind == "person" for member in members):
            members.append(cast.local(self._main))
        if not any(member.political for member in members):
            members.append(cast.official(self._main, "leader"))
        return members

    def _add(self, write: Callable[[], Node]) -> None:
        """Write a sentence: `write` returns its tree without the full stop."""
        self._events.drafts = []
        self.cast.sentence = len(self.sentences)
        self._grammar.timed = self._grammar.placed = False
        root = write()
        root.after(Node(".", "."), "punct")
        self.sentences.append(Written(root, tuple(self._events.drafts)))

    def _salient(self) -> list[Actor]:
        """Return actors for the next sentence: those mentioned lately are listed more than once."""
        now = len(self.sentences)
        return [
            member for member in self._cast_members
            for _ in range(4 if 0 <= now - member.last_sentence <= 2 else 2 if member.mentions else 1)
        ]  # fmt: skip

    def _speaker(self, *, other_than: Actor | None = None) -> Actor:
        speakers = [member for member in self._salient() if member.kind in ("person", "group") and not member.armed]
        others = [member for member in speakers if member is not other_than]
        return self._draws.pick(others or speakers)

    def _ordinary(self) -> None:
        draws, sentences = self._draws, self._sentences
        kind = draws.draw(_SENTENCE_KINDS[self.topic])
        if kind == "statement":
            speaker = self._speaker()
            others = [member for member in self._salient() if member is not speaker or draws.chance(0.3)]
            self._add(lambda: sentences.statement(speaker, others))
        elif kind == "politics":
            self._add(self._political)
        elif kind == "narrative":
            self._add(lambda: sentences.narrative(self._salient()))
        elif kind == "wh":
            self._add(lambda: sentences.wh_clause(self._salient()))
        elif kind == "existential":
            self._add(lambda: sentences.existential(quoted=False))
        elif kind == "extraposition":
            self._add(lambda: sentences.extraposition(quoted=False))
        else:
            simple = {"superlative": sentences.superlative, "measures": sentences.measures, "whose": sentences.whose,
                      "gerund": sentences.gerund_subject}  # fmt: skip
            self._add(simple[kind])

    def _political(self) -> Node:
        draws = self._draws
        event = draws.draw(politics())
        while event.category in self._happened:
            event = draws.draw(politics())
        self._happened = {*self._happened, event.category} if len(self._happened) < 6 else {event.category}
        agent = draws.pick([member for member in self._salient() if member.political])
        patients = [
            member for member in self._salient()
            if member is not agent and member.political and member.country is not agent.country
            and (event.patient != "person" or member.kind in ("person", "group"))
        ]  # fmt: skip
        if event.patient != "country" and patients:
            patient = draws.pick(patients)
        else:
            country = self._country()
            while country is agent.country:
                country = draws.draw(self._world.prominence)
            patient = self.cast.local(country) if event.patient == "person" else self.cast.country(country)
        polarity = "asserted" if draws.chance(0.88) else draws.pick(("negated", "modal"))
        return self._events.clause(event, agent, patient, polarity=polarity)

    def _agent_of(self, country: Country | None) -> Actor:
        """Return the actor that uses force for `country`: the same one all through the report."""
        key = country.code if country else ""
        if key not in self._agents:
            draws, cast = self._draws, self.cast
            kind = draws.uniform()
            if country is None:
                self._agents[key] = cast.rebels()
            elif kind < 0.62:
                self._agents[key] = cast.group(country, armed=True)
            elif kind < 0.87:
                self._agents[key] = cast.country(country)
            else:
                self._agents[key] = cast.official(
                    country, "general" if draws.chance(0.3) and not country.organisation else "leader"
                )
            self._cast_members.append(self._agents[key])
        return self._agents[key]

    def _tell(self, incident: Incident) -> None:
        """Write the sentence that reports the incident, perhaps after one that brings its agent in."""
        draws, events = self._draws, self._events
        agent = self._agent_of(incident.agent)
        patient = self.cast.country(incident.target)
        if incident.polarity != "asserted":
            speaker = self._speaker(other_than=agent)
            self._add(lambda: self._feared(incident, agent, patient, speaker))
            return
        pronoun = None
        if self.sentences and draws.chance(0.75 if agent.mentions == 0 else 0.3):
            self._add(lambda: self._sentences.about(agent, style="past"))
            pronoun = True if draws.chance(0.45) else None
        kind = draws.uniform()
        if kind < 0.10:
            self._add(lambda: self._relative(incident, agent, patient))
        elif kind < 0.17:
            self._add(lambda: self._reduced(incident, agent, patient))
        elif kind < 0.35:
            speaker = self._speaker(other_than=agent)
            self._add(lambda: self._said(incident, agent, patient, speaker))
        else:
            self._add(lambda: events.clause(incident.event, agent, patient, pronoun=pronoun))
        if draws.chance(_ELABORATION_CHANCE):
            self._add(lambda: self._sentences.about(agent))

    def _relative(self, incident: Incident, agent: Actor, patient: Actor) -> Node:
        subject = self._events.relative(incident.event, agent, patient)
        return self._grammar.clause(
            subject=subject, subject_class=agent.noun_class, style="past", depth=1, negative=False
        )

    def _reduced(self, incident: Incident, agent: Actor, patient: Actor) -> Node:
        subject = self._events.reduced(incident.event, agent, patient)
        return self._grammar.clause(subject=subject, subject_class="place", tense="past", depth=1)

    def _said(self, incident: Incident, agent: Actor, patient: Actor, speaker: Actor) -> Node:
        source = self.cast.refer(speaker)
        verb = finite("say", "past", plural=source.plural).first(source, "nsubj")
        self._events.record("comment", verb, source, speaker)
        inner = self._events.clause(incident.event, agent, patient, tense="pluperfect", depth=1)
        if self._draws.chance(0.7):
            inner.first(Node("that", "IN", universal="SCONJ"), "mark")
        return verb.after(inner, "ccomp")

    def _feared(self, incident: Incident, agent: Actor, patient: Actor, speaker: Actor) -> Node:
        """Return a sentence in which an attack is only possible, or denied."""
        if self._draws.chance(0.3):
            return self._events.clause(incident.event, agent, patient, polarity=incident.polarity, tense="past")
        source = self.cast.refer(speaker)
        lemma = self._draws.pick(
            ("fear", "warn", "say", "believe") if incident.polarity == "modal" else ("say", "insist", "say")
        )
        verb = finite(lemma, "past", plural=source.plural).first(source, "nsubj")
        if lemma in ("say", "warn", "insist"):
            self._events.record("comment", verb, source, speaker)
        inner = self._events.clause(
            incident.event, agent, patient, polarity=incident.polarity, tense="pluperfect", depth=1
        )  # fmt: skip
        if self._draws.chance(0.7):
            inner.first(Node("that", "IN", universal="SCONJ"), "mark")
        return verb.after(inner, "ccomp")

    def _lead(self) -> None:
        if self._draws.chance(0.35):
            self._add(self._political)
        elif self._draws.chance(0.5):
            speaker = self._speaker()
            self._add(lambda: self._sentences.reported(speaker, self._salient()))
        else:
            self._add(lambda: self._sentences.narrative(self._salient()))

    def _closing(self) -> None:
        def write() -> Node:
            grammar = self._grammar
            subject = grammar.noun_phrase(("talks",), depth=2)
            verb = self._draws.pick(("resume", "begin", "end", "continue"))
            head = finite("expect", "present", plural=subject.plural, passive=True).first(subject, "nsubj:pass")
            inner = finite(verb, "infinitive", plural=False)
            time, relation = words.future_time(self._draws, grammar.date)
            return head.after(inner.after(time, relation), "xcomp")

        if self._draws.chance(0.6):
            self._add(write)
        else:
            speaker = self._speaker()
            self._add(lambda: self._sentences.statement(speaker, self._salient()))

    def _dateline(self) -> None:
        """Put the place and the date before the lead."""
        date = self._grammar.date
        place = words.name([(word.upper(), "NNP") for word in self.place.split()])
        day = words.calendar_day(words.MONTHS[date.month - 1], date.day)
        dash = Node("--", ":")
        dash.capital = True
        place.after(Node(",", ","), "punct").after(day, "obl:tmod").after(dash, "punct")
        self.sentences[0].root.first(place, "parataxis")

    def _headline(self, first: Incident | None) -> str:
        """Return a headline; `first` is what the lead reports."""
        lexicon, draws = self._grammar.lexicon, self._draws
        if first is None:
            body = draws.draw(lexicon.nouns["body"]).lemma.capitalize()
            text = draws.draw(lexicon.nouns["text"]).plural.capitalize()
            return f"{self._main.adjective} {body} Weighs {text}"
        agent = first.agent.adjective if first.agent else "Rebel"
        target = " ".join(word for word, _ in first.target.name)
        state = {"asserted": "Reported", "modal": "Feared", "negated": "Denied"}[first.polarity]
        return f"{agent} {_FORCE_NOUNS[first.event.category]} {state} in {target}"
