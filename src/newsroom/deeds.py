"""What the grammar needs of the actors of a report: clauses about them, what they say, and what they do to each other.

A method `write_x` writes the part `x` of a row of the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from newsroom.cast import Actor
from newsroom.draws import DrawTable
from newsroom.grammar import Context
from newsroom.lexicon import forms, lexicon_rows, weighted
from newsroom.phrases import Writer
from newsroom.trees import Node
from newsroom.world import Country

_VERBS_OF_SAYING = weighted("verbs of saying")
_CIRCUMSTANCES = {"accuse": "_accuse", "pressure": "_pressure", "warn": "_warn", "apologize": "_for", "praise": "_for",
                  "criticize": "_for", "punish": "_for", "meet": "_meet", "negotiate": "_meet"}  # fmt: skip
"""Categories of events that have circumstances of their own in the grammar."""


@dataclass(frozen=True)
class EventType:
    """A verb that reports an event of a category."""

    category: str
    verb: str
    preposition: str
    patient: str
    """What the patient is: `country`, `person`, `any` of these, `target` (a place or people in a country), or classes
    of nouns."""
    passive: bool
    weight: float


@cache
def event_types(kind: str) -> DrawTable[EventType]:
    """Return the event types of `lexicon/events.tsv` of the kind "politics", "force" or "figurative"."""
    types = [
        EventType(row["category"], row["verb"], row["preposition"], row["patient"], row["passive"] == "yes",
                  float(row["weight"]))
        for row in lexicon_rows("events")
        if row["kind"] == kind
    ]  # fmt: skip
    return DrawTable.weighted(types, (event.weight for event in types))


@dataclass(frozen=True)
class Draft:
    """An event as it is written: its verb and its agent are still nodes of a tree."""

    category: str
    verb: Node
    agent: Node
    actor: Actor
    patient: Country | None = None
    voice: str = "active"
    polarity: str = "asserted"


class Deeds(Writer):
    """Sentences about the actors of a report, each of whose events is noted as a draft."""

    _members: list[Actor]
    """The actors of the report."""
    _drafts: list[Draft]
    """The events of the sentence that is being written."""
    _happened: set[str]
    """Categories of politics that the report has had."""

    def _some_country(self) -> Country:
        return self.country if self.draws.chance(0.45) else self.draws.draw(self.world.prominence)

    def _speaker(self, *, other_than: Actor | None = None) -> Actor:
        speakers = [
            member for member in self._members if (member.person or member.kind == "group") and not member.armed
        ]
        others = [member for member in speakers if member is not other_than]
        return self.draws.pick(others or speakers)

    # Sentences about actors

    def refer(self, context: Context, role: str, case: str, *, pronoun: bool | None) -> Node | None:
        """Return a noun phrase for whoever has the part `role`."""
        if role == "patient":
            return self._patient(context, case)
        node = self.cast.refer(context[role], case, pronoun=pronoun)
        if "nodes" in context:
            context["nodes"][role] = node
        return node

    def write_about(self, context: Context, style: str) -> Node:
        """Return a clause that is often about an actor of the report."""
        actor = self.draws.pick(self._members) if self.draws.chance(0.75) else None
        return self.clause(style, actor=actor, depth=context["depth"] + (style == "reported"))

    def write_about_actor(self, context: Context) -> Node:
        """Return a clause about a given actor."""
        return self.clause("past", actor=context["actor"])

    def write_someone(self, context: Context) -> Node:
        """Return somebody who can know something."""
        return self.cast.refer(self._speaker())

    def write_me(self, context: Context) -> Node:
        """Return the speaker as "I", or "we" for a group."""
        speaker: Actor = context["speaker"]
        node = Node("I" if speaker.person else "we", "PRP")
        node.entity = speaker.id
        return node

    def write_statement(self, context: Context) -> Node:
        """Return a sentence in which somebody makes a statement, quoted or reported: a comment event."""
        return self._spoken(
            "source" if self.draws.chance(0.08) else "statement", {**context, "speaker": self._speaker()}
        )

    def _spoken(self, row: str, context: Context) -> Node:
        context = {**context, "nodes": {}}
        root = self.phrase(row, context)
        nodes = context["nodes"]
        if "say" in nodes:
            self._drafts.append(Draft("comment", nodes["say"], nodes["speaker"], context["speaker"]))
        return root

    def write_say(self, context: Context) -> Node:
        """Return a verb of saying."""
        context["nodes"]["say"] = verb = self.verb(context, self.draws.draw(_VERBS_OF_SAYING), "past")
        return verb

    # Events

    def write_politics(self, context: Context) -> Node:
        """Return a clause in which an actor does something to one of another country; perhaps in other words."""
        draws = self.draws
        table = event_types("figurative" if draws.chance(self.difficulty.figurative) else "politics")
        event = draws.draw(table)
        while event.category in self._happened:
            event = draws.draw(table)
        self._happened = {*self._happened, event.category} if len(self._happened) < 6 else {event.category}
        agent = draws.pick([member for member in self._members if member.political])
        patients = [
            member for member in self._members
            if member is not agent and member.political and member.country is not agent.country
            and (event.patient != "person" or member.person or member.kind == "group")
        ]  # fmt: skip
        if event.patient != "country" and patients:
            patient = draws.pick(patients)
        else:
            country = self._some_country()
            while country is agent.country:
                country = draws.draw(self.world.prominence)
            patient = self.cast.local(country) if event.patient == "person" else self.cast.country(country)
        polarity = "asserted" if draws.chance(0.88) else draws.pick(("negated", "modal"))
        return self.write_incident(
            {**context, "event": event, "agent": agent, "patient": patient, "polarity": polarity}
        )

    def write_incident(self, context: Context) -> Node:
        """Return a clause in which an agent does something to a patient, or to something in its country."""
        event: EventType = context["event"]
        passive = event.passive and self.draws.chance(0.24 if event.patient == "target" else 0.14)
        return self._event("event_passive" if passive else "event_obl" if event.preposition else "event", context)

    def write_relative_incident(self, context: Context) -> Node:
        """Return a clause about an agent, whose deed stands in a relative clause."""
        agent: Actor = context["agent"]
        who = "who/WP" if agent.person or agent.pronoun == "they" else "which/WDT"
        subject = self._event("event_relative", {**context, "tense": "past", "who": who})
        return self._continued(subject, agent.noun_class)

    def write_reduced_incident(self, context: Context) -> Node:
        """Return a clause about a place, with a participle for the attack on it."""
        return self._continued(self._event("event_reduced", {**context, "passive": True}), "building")

    def _continued(self, subject: Node, noun_class: str) -> Node:
        context: Context = {"depth": 1, "style": "past", "tense": "past", "class": noun_class, "plural": subject.plural}
        verb = self._verb("vt", "vi", "vp", subject=noun_class)
        head = self.phrase("continued", {**context, "verb": verb})
        return head.first(subject, "nsubj")

    def write_said(self, context: Context) -> Node:
        """Return a sentence in which somebody reports an incident."""
        speaker = self._speaker(other_than=context["agent"])
        return self._spoken("said_event", {**context, "speaker": speaker, "depth": 1, "tense": "pluperfect"})

    def write_feared(self, context: Context) -> Node:
        """Return a sentence in which somebody fears or denies an incident."""
        speaker = self._speaker(other_than=context["agent"])
        negated = context["polarity"] == "negated"
        return self._spoken(
            "denied_event" if negated else "feared_event",
            {**context, "speaker": speaker, "depth": 1, "tense": "pluperfect"},
        )

    def _event(self, row: str, context: Context) -> Node:
        """Return a phrase with an event in it, and note the event."""
        draws, event, polarity = self.draws, context["event"], context["polarity"]
        tense = draws.pick(("past", "past", "past", "past", "pluperfect", "perfect"))
        if polarity == "modal":
            tense = draws.pick(("might", "could", "may", "would", "could"))
        else:
            tense = context.get("tense", tense)
        context = {**context, "tense": tense, "nodes": {}, "preposition": event.preposition}
        head = self.phrase(row, context)
        nodes, patient = context["nodes"], context["patient"].country
        passive = row in ("event_passive", "event_reduced")
        agent = nodes["who"] if row == "event_relative" else nodes["agent"]
        self._drafts.append(
            Draft(event.category, nodes["deed"], agent, context["agent"], patient,
                  "passive" if passive else "active", polarity)
        )  # fmt: skip
        return head

    def write_deed(self, context: Context) -> Node:
        """Return the verb of an event."""
        negative = context["polarity"] == "negated"
        node = self.verb(context, context["event"].verb, context["tense"], negative=negative)
        context["nodes"]["deed"] = node
        return node

    def write_who(self, context: Context) -> Node:
        """Return the relative pronoun that stands for the agent."""
        agent: Actor = context["agent"]
        human = agent.person or agent.pronoun == "they"
        context["nodes"]["who"] = node = Node("who", "WP") if human else Node("which", "WDT")
        return node

    def write_done_deed(self, context: Context) -> Node:
        """Return the participle of an event's verb."""
        lemma = context["event"].verb
        context["nodes"]["deed"] = node = Node(forms(lemma).participle, "VBN", lemma)
        return node

    def write_circumstances(self, context: Context) -> list[Node]:
        """Return what goes with an event of the category."""
        parts: list[Node] = self.row("circumstances" + _CIRCUMSTANCES.get(context["event"].category, ""), context)
        return parts

    def _patient(self, context: Context, case: str) -> Node:
        event, patient = context["event"], context["patient"]
        if event.patient in ("country", "person", "any") or (event.patient == "target" and patient.country is None):
            return self.cast.refer(patient, "subject" if case == "subject" else "object")
        if event.patient == "target":
            return self.phrase("target", {**context, "target": patient, "class": "building"})
        return self.np(event.patient, 1)

    def write_target_place(self, context: Context) -> Node:
        """Return a town in the country of the patient."""
        return self.place_name(context["target"].home)

    def write_target_noun(self, context: Context) -> Node:
        """Return a building, vehicle or place."""
        noun = self._noun(self.draws.pick(("building", "building", "vehicle")))
        return Node(noun.lemma, "NN")
