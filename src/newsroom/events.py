"""What happens between actors: categories of events, the clauses that report them, and the truth about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from newsroom import words
from newsroom.cast import Actor, Cast
from newsroom.clauses import SimulatedClauses
from newsroom.draws import DrawTable
from newsroom.lexicon import lexicon_rows
from newsroom.trees import Node, comma
from newsroom.verb_groups import finite
from newsroom.world import Country
from nlpcalib.text.inflection import forms


@dataclass(frozen=True)
class EventType:
    """A verb that reports an event of a category."""

    category: str
    verb: str
    preposition: str
    patient: str
    """What the patient is: `country`, `person`, `any` of these, or `target` (a place or people in a country)."""
    passive: bool
    weight: float


@cache
def event_types(kind: str) -> tuple[EventType, ...]:
    """Return the event types of `lexicon/events.tsv` of the kind "politics" or "force"."""
    return tuple(
        EventType(row["category"], row["verb"], row["preposition"], row["patient"], row["passive"] == "yes",
                  float(row["weight"]))
        for row in lexicon_rows("events")
        if row["kind"] == kind
    )  # fmt: skip


@cache
def politics() -> DrawTable[EventType]:
    """Return the table of the political event types, whose frequencies are very uneven."""
    types = event_types("politics")
    return DrawTable.weighted(types, (event.weight for event in types))


@dataclass(frozen=True)
class Draft:
    """An event as it is written: its verb and its agent are still nodes of a tree."""

    category: str
    verb: Node
    agent: Node
    actor: Actor
    patient: Country | None
    voice: str
    polarity: str


class Events:
    """Clauses that report events, with a draft of the truth for each."""

    def __init__(self, grammar: SimulatedClauses, cast: Cast) -> None:
        """Write with `grammar` about the actors of `cast`."""
        self._grammar = grammar
        self._cast = cast
        self._draws = grammar.draws
        self.drafts: list[Draft] = []
        """The events of the sentence being written."""

    def record(
        self, category: str, verb: Node, agent: Node, actor: Actor, *, patient: Country | None = None,
        voice: str = "active", polarity: str = "asserted",
    ) -> None:  # fmt: skip
        """Note that `verb` reports an event of `category` with the phrase `agent` for `actor` as its agent."""
        self.drafts.append(Draft(category, verb, agent, actor, patient, voice, polarity))

    def clause(
        self, event: EventType, agent: Actor, patient: Actor, *, polarity: str = "asserted", tense: str | None = None,
        pronoun: bool | None = None, depth: int = 0,
    ) -> Node:  # fmt: skip
        """Return a clause in which `agent` does `event` to `patient` (or to something in its country)."""
        draws, grammar = self._draws, self._grammar
        negative = polarity == "negated"
        if tense is None or polarity == "modal":
            tense = draws.pick(("might", "could", "may", "would", "could")) if polarity == "modal" else (
                draws.pick(("past", "past", "past", "past", "pluperfect", "perfect")))  # fmt: skip
        passive = event.passive and draws.chance(0.24 if event.patient == "target" else 0.14)
        if passive:
            subject = self._patient(event, patient)
            head = finite(event.verb, tense, plural=subject.plural, passive=True, negative=negative)
            head.first(subject, "nsubj:pass")
            agent_node = self._cast.refer(agent, "object", pronoun=pronoun)
            head.after(words.with_case(agent_node, "by"), "obl:agent")
        else:
            agent_node = self._cast.refer(agent, "subject", pronoun=pronoun)
            adverb = draws.draw(grammar.lexicon.adverbs["preverb"]) if draws.chance(0.07) else None
            head = finite(event.verb, tense, plural=agent_node.plural, negative=negative, adverb=adverb)
            head.first(agent_node, "nsubj")
            target = self._patient(event, patient)
            if event.preposition:
                head.after(words.with_case(target, event.preposition), "obl")
            else:
                head.after(target, "obj")
        self.record(event.category, head, agent_node, agent, patient=patient.country,
                    voice="passive" if passive else "active", polarity=polarity)  # fmt: skip
        self._circumstances(head, event, tense=tense, depth=depth)
        return head

    def _circumstances(self, head: Node, event: EventType, *, tense: str, depth: int) -> None:
        draws, grammar = self._draws, self._grammar
        if event.category == "accuse":
            verb = draws.draw(grammar.lexicon.verbs("vt", subject="body"))
            gerund = Node(forms(verb.lemma).gerund, "VBG", verb.lemma, "VERB")
            grammar.complete(gerund, verb, depth=1)
            head.after(gerund.first(Node("of", "IN", universal="SCONJ"), "mark"), "advcl")
        elif event.category == "pressure":
            head.after(grammar.infinitive(depth=1), "xcomp")
        elif event.category in ("apologize", "praise", "criticize", "punish", "warn") and draws.chance(0.5):
            word = "about" if event.category == "warn" else "for"
            head.after(
                words.with_case(grammar.noun_phrase(("issue", "ill", "program", "remark"), depth=1), word), "obl"
            )
        elif event.category in ("meet", "negotiate") and draws.chance(0.5):
            place = words.with_case(grammar.place_name(), "in")
            head.after(place, "obl")
            if draws.chance(0.5):
                head.after(grammar.infinitive(depth=1), "advcl")
        if tense in ("past", "pluperfect") and draws.chance(0.4 if depth == 0 else 0.15):
            grammar.add_time(head, "past", recent=True)

    def _patient(self, event: EventType, patient: Actor) -> Node:
        if event.patient != "target" or patient.country is None:
            return self._cast.refer(patient, "object")
        draws, grammar = self._draws, self._grammar
        kind = draws.uniform()
        if kind < 0.35:
            return self._cast.refer(patient, "object")
        if kind < 0.55:
            return grammar.place_name(patient.country)
        head = grammar.plain_phrase(draws.pick(("building", "building", "vehicle", "place", "group")))
        if draws.chance(0.5):
            modifier = grammar.demonym(patient.country)
            return head.before(modifier, "amod" if modifier.tag == "JJ" else "compound")
        if draws.chance(0.5):
            country = self._cast.refer(self._cast.country(patient.country), "object", pronoun=False)
            return head.after(words.with_case(country, "in"), "nmod")
        return head.after(words.with_case(grammar.place_name(patient.country), "near"), "nmod")

    def relative(self, event: EventType, agent: Actor, patient: Actor) -> Node:
        """Return a noun phrase for `agent` with a relative clause that reports the event."""
        head = self._cast.refer(agent, "subject", pronoun=False)
        verb = finite(event.verb, "past", plural=head.plural)
        who = Node("who", "WP") if agent.kind == "person" or agent.pronoun == "they" else Node("which", "WDT")
        verb.first(who, "nsubj")
        verb.after(self._patient(event, patient), "obj")
        if self._draws.chance(0.4):
            self._grammar.add_time(verb, "past", recent=True)
        head.after(comma(), "punct").after(verb, "acl:relcl").after(comma(), "punct")
        self.record(event.category, verb, who, agent, patient=patient.country)
        return head

    def reduced(self, event: EventType, agent: Actor, patient: Actor) -> Node:
        """Return a noun phrase for a place with a participle that names who attacked it: the town attacked by them."""
        place = self._grammar.plain_phrase("place")
        participle = Node(forms(event.verb).participle, "VBN", event.verb)
        agent_node = self._cast.refer(agent, "object", pronoun=False)
        participle.after(words.with_case(agent_node, "by"), "obl:agent")
        place.after(participle, "acl")
        self.record(event.category, participle, agent_node, agent, patient=patient.country, voice="passive")
        return place

    def rhetorical(self, agent: Actor) -> Node:
        """Return a clause in which to attack is to criticise: the senator attacked the proposal."""
        subject = self._cast.refer(agent)
        verb = finite("attack", "past", plural=subject.plural).first(subject, "nsubj")
        verb.after(self._grammar.noun_phrase(("text", "program"), depth=1), "obj")
        self.record("criticize", verb, subject, agent)
        return verb
