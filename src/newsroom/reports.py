"""The simulated newsroom: dated news reports, annotated, from a world whose events are known.

Reports have Penn Treebank tags, lemmas, Universal Dependencies (version 2, projective), coreference and events. Choices
that the annotation schemes leave open:

* The head of a name is its first word and the others are `flat`; a title is `compound` under it (President Leila Nazam:
  the head is Leila). Institutions named by common words are headed by the last word (the Foreign Ministry).
* Mentions are whole noun phrases with their appositions and relative clauses, without a preposition but with a
  possessive 's, as in OntoNotes. Entities mentioned once have no mentions, nor have relative pronouns; "I" is the
  speaker.
* `to` is always TO, demonyms before a noun are JJ (American forces), people NNPS (the Americans).
* Quotation marks and brackets are written as printed and tagged ``, '' and -LRB-, -RRB-.
* An event belongs to the country its agent is described with. Only the verb "attack" in the category `attack`,
  asserted, counts towards the world's rates; other uses of force are categories of their own.
"""

from __future__ import annotations

import calendar
import datetime
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from newsroom.difficulty import Difficulty
from newsroom.draws import Draws
from newsroom.lexicon import TOPICS, Lexicon
from newsroom.story import Draft, Story
from newsroom.trees import mention_span, sentence_columns
from newsroom.world import World
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.text.document import Document, Mention, Sentence

_GOLDEN_SECTION = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True, slots=True)
class Event:
    """What an actor did in a report: one row of the truth."""

    document: str
    date: datetime.date
    quarter: str
    sentence: int
    """0-based number of the sentence."""
    category: str
    verb: str
    """Lemma of the verb; `verb_index` is its 0-based place in the sentence."""
    verb_index: int
    agent_country: str
    """Code of the country the agent belongs to, or empty."""
    patient_country: str
    agent_start: int
    agent_end: int
    agent_entity: str
    """The agent's entity id in the document's mentions (absent there if the agent is mentioned only once)."""
    agent_form: str
    """`name`, `nominal`, `pronoun` or `relative` (a relative pronoun)."""
    voice: str
    """`active` or `passive`."""
    polarity: str
    """`asserted`, `negated` or `modal`."""


@dataclass(frozen=True, slots=True)
class Report:
    """A document and the truth about the events in it."""

    document: Document
    events: tuple[Event, ...]
    """In the order of the text."""


@dataclass(frozen=True)
class Newsroom:
    """A source of reports of the years `first_year` to `last_year`, every one a function of `seed` and its number."""

    seed: int
    first_year: int = 1987
    last_year: int = 2007
    difficulty: Difficulty = field(default_factory=Difficulty)

    def __post_init__(self) -> None:
        """Raise `InputError` if the years are not in order or not such as `datetime` has."""
        if not datetime.MINYEAR < self.first_year <= self.last_year <= datetime.MAXYEAR:
            raise InputError(
                f"newsroom: found the years {self.first_year} to {self.last_year}, expected the first not after the "
                f"last, and both between {datetime.MINYEAR + 1} and {datetime.MAXYEAR}"
            )

    @cached_property
    def world(self) -> World:
        """The world that is reported on, with `attack_rates` of shape (countries, quarters)."""
        return World(seed=self.seed, first_year=self.first_year, last_year=self.last_year)

    @cached_property
    def _lexicons(self) -> dict[str, Lexicon]:
        ambiguous = self.difficulty.ambiguous
        return {topic: Lexicon(seed=self.seed, topic=topic, ambiguous=ambiguous) for topic in TOPICS}

    @cached_property
    def _stride(self) -> int:
        """A step coprime to the number of quarters and near its golden section: any run of numbers spans the period."""
        size = len(self.world.quarters)
        return next(
            step for step in range(max(1, round(size * _GOLDEN_SECTION)), size + 1) if math.gcd(step, size) == 1
        )

    def quarter_of(self, number: int) -> str:
        """Return the quarter, such as "1999Q2", of document `number`: every quarter has its turn."""
        return self.world.quarters[number * self._stride % len(self.world.quarters)]

    def document_id(self, number: int) -> str:
        """Return the id of document `number`: its quarter, and how many there were of that quarter before, from 1."""
        return f"newsroom-{self.quarter_of(number)}-{number // len(self.world.quarters) + 1:04d}"

    def document(self, number: int) -> Report:
        """Return document `number` (from 0), the same however many others are generated.

        Raises `InputError` if `number` is negative.
        """
        if number < 0:
            raise InputError(f"newsroom: found the document number {number}, expected 0 or more")
        identifier, quarter = self.document_id(number), self.quarter_of(number)
        draws = Draws(generator(self.seed, identifier))
        year, month = int(quarter[:4]), 3 * int(quarter[5]) - 2 + draws.below(3)
        date = datetime.date(year, month, 1 + draws.below(calendar.monthrange(year, month)[1]))
        story = Story(
            draws,
            world=self.world,
            lexicons=self._lexicons,
            date=date,
            quarter=self.world.quarter_index(quarter),
            difficulty=self.difficulty,
        )
        return _assemble(story, identifier=identifier, date=date, quarter=quarter)

    def reports(self, start: int, stop: int) -> Iterator[Report]:
        """Yield documents `start` to `stop` - 1."""
        return (self.document(number) for number in range(start, stop))


def _assemble(story: Story, *, identifier: str, date: datetime.date, quarter: str) -> Report:
    sentences: list[Sentence] = []
    mentions: list[Mention] = []
    events: list[Event] = []
    for number, written in enumerate(story.sentences):
        sentence, order = sentence_columns(written.root, sentence_id=f"{identifier}-{number + 1}")
        sentences.append(sentence)
        for node in order:
            if node.entity is not None:
                mentions.append(Mention(number, *mention_span(node), node.entity))
        events.extend(
            _event(draft, document=identifier, date=date, quarter=quarter, sentence=number) for draft in written.drafts
        )
    counts: dict[str, int] = {}
    for mention in mentions:
        counts[mention.entity] = counts.get(mention.entity, 0) + 1
    document = Document(
        id=identifier,
        sentences=tuple(sentences),
        mentions=tuple(sorted(mention for mention in mentions if counts[mention.entity] > 1)),
        date=date,
        metadata={"headline": story.headline, "section": story.topic, "place": story.place},
    )
    return Report(document, tuple(sorted(events, key=lambda event: (event.sentence, event.verb_index))))


def _event(draft: Draft, *, document: str, date: datetime.date, quarter: str, sentence: int) -> Event:
    start, end = mention_span(draft.agent)
    form = {"PRP": "pronoun", "WP": "relative", "WDT": "relative", "NNP": "name", "NNPS": "name"}
    return Event(
        document=document,
        date=date,
        quarter=quarter,
        sentence=sentence,
        category=draft.category,
        verb=draft.verb.lemma,
        verb_index=draft.verb.index - 1,
        agent_country=draft.actor.country.code if draft.actor.country else "",
        patient_country=draft.patient.code if draft.patient else "",
        agent_start=start,
        agent_end=end,
        agent_entity=draft.actor.id,
        agent_form=form.get(draft.agent.tag, "nominal"),
        voice=draft.voice,
        polarity=draft.polarity,
    )
