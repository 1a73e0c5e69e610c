"""Acts: the wide reading of a query, which a political scientist counts; the paper's is in `extraction`.

A query's verbs have agents and patients as in the paper. Its nouns have them too (`nominal`), a verb that the tagger
took for a noun is read as one (`headlines`), and actors are whose they are by their own words (`actors`): a mention
with a country of its own keeps it, whatever it is linked with. Each candidate carries whether it is asserted
(`status`).
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from collections.abc import Sequence
from functools import cache

from nlpcalib.coref.model.mentions import Span
from nlpcalib.events.read.actors import GREAT, NATURE, Actors
from nlpcalib.events.read.clauses import inflections
from nlpcalib.events.read.dates import Days, date_expressions, own_days
from nlpcalib.events.read.headlines import HeadlineClauses, headline_verbs, is_counted
from nlpcalib.events.read.lexicon import CountryLexicon
from nlpcalib.events.read.nominal import AGAINST, WITHIN, NominalClauses
from nlpcalib.events.read.query import Query
from nlpcalib.events.read.roles import Affiliation, Candidate, Heads
from nlpcalib.events.read.status import STATUSES, is_suspected, noun_status, verb_status
from nlpcalib.text.document import Document, Sentence
from nlpcalib.text.inflection import noun_forms
from nlpcalib.text.tree import check_trees

_DEMONSTRATORS = frozenset(
    form for noun in ("demonstrator", "protester", "protestor", "rioter") for form in noun_forms(noun)
)
"""Who need not be demonstrating where they are named."""
_LEGATIONS = frozenset({"consulate", "consulates", "embassy", "embassies"})
"""Buildings of a country in another one."""
_SHARES = frozenset({"currencies", "currency", "market", "markets", "price", "prices", "shares", "stock", "stocks"})
"""What rallies without a protest."""
_TESTED = frozenset({"missile", "missiles", "projectile", "projectiles"})
"""What is fired at nobody, where nobody is named."""
_MUTUAL = frozenset({"battle", "clash", "confer", "fight", "meet", "negotiate", "skirmish", "talk"})
"""Verbs whose other side, after *with*, does the same."""


class Acts:
    """The acts of a document: names are found once for all queries."""

    def __init__(self, document: Document, spans: Sequence[Span], lexicon: CountryLexicon) -> None:
        """Find the names in a document; raises `InputError` for a sentence without Penn tags or without a tree."""
        check_trees(document)
        self._document, self._spans = document, spans
        self._actors = [Actors(sentence, lexicon, document.date) for sentence in document.sentences]
        named = Counter(code for actors in self._actors for code in actors.named)
        code, times = max(named.items(), key=lambda item: (item[1], item[0])) if named else ("", 0)
        self._subject = (code,) if 2 * times > named.total() else ()

    def affiliations(self) -> list[Affiliation]:
        """Return the countries that mentions have by their own words, by mention."""
        return [
            Affiliation(number, code, span.head)
            for number, span in enumerate(self._spans)
            for code in self._actors[span.sentence].codes(span.head)
        ]

    def candidates(self, query: Query) -> list[Candidate]:
        """Return the participants of what the query's verbs and nouns report, in all roles, by sentence."""
        inflected, plural, like_nouns = _forms(query)
        verbs = frozenset(query.verbs)
        found: list[Candidate] = []
        for number, sentence in enumerate(self._document.sentences):
            words = self._actors[number].tree.words
            is_verb = not verbs.isdisjoint(sentence.lemmas)
            if is_verb or any(word in inflected or word in plural for word in words):
                reading = _Reading(
                    sentence, number, self._spans, self._actors[number], self._document.date, self._subject
                )
                found += reading.candidates(query, inflected, plural, like_nouns)
        if query.only:
            found = [each for each in found if not any(getattr(each, status) for status in STATUSES)]
        return found


@cache
def _forms(query: Query) -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    """Return a query's verbs and nouns by their forms, and the forms of verbs that are written like nouns."""
    inflected = {form: verb for verb in query.verbs for form in inflections(verb)}
    plural = {form: noun for noun in query.nouns for form in noun_forms(noun)}
    return inflected, plural, frozenset(form for verb in query.verbs for form in inflections(verb)[:2])


class _Reading:
    """The acts of a sentence."""

    def __init__(
        self,
        sentence: Sentence,
        number: int,
        spans: Sequence[Span],
        actors: Actors,
        date: datetime.date | None,
        subject: tuple[str, ...],
    ) -> None:
        """Read a sentence; `subject` is what the document is about, for agents without a country to be of it."""
        self._subject, self._unnamed = subject, False
        self._sentence, self._number, self._spans, self._actors, self._date = sentence, number, spans, actors, date
        self._tree = actors.tree
        self._clauses = HeadlineClauses(actors.tree)
        self._nominal = NominalClauses(actors.tree, self._clauses, actors)
        self._heads = Heads(self._clauses, spans, number)
        self._events: set[int] = set()

    def candidates(
        self, query: Query, inflected: dict[str, str], plural: dict[str, str], like_nouns: frozenset[str]
    ) -> list[Candidate]:
        tree = self._tree
        found: list[Candidate] = []
        self._unnamed = bool(query.unnamed)
        self._events = {word for word, text in enumerate(tree.words) if text in plural}
        for word, tag in enumerate(tree.tags):
            text = tree.words[word]
            lemma = self._sentence.lemmas[word].lower() if self._sentence.lemmas else ""
            if lemma not in query.verbs:
                # A small lemmatizer guesses rare verbs badly.
                lemma = inflected.get(text, "")
            if text in plural and self._sentence.words[word] != "March" and self._nominal.is_event(word):
                found += self._of_noun(word, plural[text])
            elif (
                tag.startswith("VB")
                and lemma in query.verbs
                and tree.labels[word] not in ("amod", "compound")
                and not (text == lemma and is_counted(tree, word))
            ):
                found += self._of_verb(word, lemma)
        for verb, before, after in headline_verbs(tree, like_nouns, inflected, self._actors.entries):
            if not any(each.verb == verb and each.role == "agent" for each in found):
                found = [each for each in found if each.verb != verb]
                found += self._of_headline(verb, before, after, inflected[tree.words[verb]])
        return self._dated(found)

    def _dated(self, found: list[Candidate]) -> list[Candidate]:
        """Return participants with the days of their events; what is not reported as done has none."""
        expressions = date_expressions(self._sentence.words, self._date) if found and self._date else []
        if not expressions:
            return found

        def days(event: int) -> Days | None:
            carriers = (verb for verb, _, _ in self._nominal.carriers(event))
            return own_days(self._tree, event, expressions, self._events, carriers)

        by_event = {each.verb: days(each.verb) for each in found if not each.modal}
        return [dataclasses.replace(each, days=by_event.get(each.verb)) for each in found]

    def _of_verb(self, verb: int, lemma: str) -> list[Candidate]:
        flags = verb_status(self._tree, self._clauses, verb, self._date)
        obliques = self._tree.dependents(verb, "obl")
        patients = [word for word in self._clauses.patients(verb) if not self._nominal.is_weapon(word)]
        against = [word for word in obliques if self._case(word) in AGAINST]
        if lemma == "fire" and not self._is_shooting(verb, patients, against):
            return []
        if lemma == "rally" and any(self._tree.words[word] in _SHARES for word in self._clauses.agents(verb)):
            return []
        if not self._clauses.is_passive(verb):
            patients = [*patients, *self._tree.dependents(verb, "iobj")] or against
        places = [word for word in obliques if self._case(word) in WITHIN]
        agents = self._clauses.agents(verb)
        if lemma in _MUTUAL:
            agents = [*agents, *(word for word in obliques if self._case(word) == "with")]
        arguments = {"agent": agents, "patient": patients, "location": places}
        found = self._participants(verb, lemma, arguments, flags, passive=self._clauses.is_passive(verb))
        return self._at_some_place(verb, lemma, found, flags)

    def _is_shooting(self, verb: int, patients: Sequence[int], against: Sequence[int]) -> bool:
        """Return whether to fire is to shoot at somebody: coaches are fired too, and missiles tested."""
        towards = against or any(self._tree.words[word] in AGAINST for word in self._tree.dependents(verb, "compound"))
        fired = {self._tree.words[word] for word in self._tree.dependents(verb, "obj")}
        return bool(towards) or (not patients and fired.isdisjoint(_TESTED))

    def _of_noun(self, noun: int, lemma: str) -> list[Candidate]:
        nominal = self._nominal
        flags = noun_status(self._tree, self._clauses, nominal, noun, self._date)
        agents = [word for word in nominal.agents(noun, lemma) if self._tree.words[word] not in ("it", "there")]
        arguments = {"agent": agents, "patient": nominal.patients(noun, lemma), "location": nominal.places(noun)}
        names = nominal.names(noun)
        before = {
            "agent": nominal.nationalities(noun),
            "patient": names if nominal.is_about(lemma) else (),
            "location": names or (nominal.nationalities(noun) if nominal.is_domestic(lemma) else ()),
        }
        if not before["agent"] and not agents and nominal.forces(noun):
            before["agent"] = self._here(arguments)
        own = self._mention_at(noun)
        found = [
            self._candidate(noun, lemma, role, own, flags, countries=countries)
            for role, countries in before.items()
            if countries and own is not None
        ]
        return self._at_some_place(noun, lemma, found + self._participants(noun, lemma, arguments, flags), flags)

    def _at_some_place(
        self, trigger: int, lemma: str, found: list[Candidate], flags: dict[str, bool]
    ) -> list[Candidate]:
        """Return participants, with the country of protests for which no place is named: their people's, or the text's.

        Governments protest too, but not in their streets.
        """
        own = self._mention_at(trigger)
        agents = [each for each in found if each.role == "agent"]
        if own is None or not self._nominal.is_domestic(lemma) or any(each.role == "location" for each in found):
            return found
        if any(each.part == "GOV" or self._is_country(self._spans[each.mention].head) for each in agents):
            return found
        codes = tuple(dict.fromkeys(code for each in agents for code in each.countries))
        if not codes and self._tree.words[trigger] in _DEMONSTRATORS:
            return found
        countries = codes if len(codes) == 1 else self._subject
        if not countries or countries[0] in GREAT - {"USA"}:
            return found
        return [*found, self._candidate(trigger, lemma, "location", own, flags, countries=countries)]

    def _is_country(self, word: int) -> bool:
        """Return whether a word is the name of a country or government, and not of its people (Tibetans)."""
        entry = self._actors.entries.get(word)
        return entry is not None and entry.part in ("", "GOV", "CAP") and self._tree.tags[word] not in ("NNS", "NNPS")

    def _participants(
        self,
        trigger: int,
        lemma: str,
        arguments: dict[str, list[int]],
        flags: dict[str, bool],
        *,
        passive: bool = False,
    ) -> list[Candidate]:
        found = []
        for role, words in arguments.items():
            mentions = self._heads.of(words, trigger)
            if role == "location" and not any(self._around(self._spans[mention].head) for mention in mentions):
                mentions = self._places_of_sentence()
            for mention in mentions:
                head = self._spans[mention].head
                countries = self._at_home(mention, arguments) if role == "agent" else self._around(head)
                if role == "agent" and (self._actors.part(head) == NATURE or self._is_inside(head)):
                    continue
                if role == "agent" and not countries:
                    mention = self._owner(mention)
                if role != "location" or (countries and head not in self._events):
                    found.append(
                        self._candidate(trigger, lemma, role, mention, flags, passive=passive, countries=countries)
                    )
            for word in words if not mentions else ():
                # A name that the parser took for a modifier is no mention.
                holder, codes = self._mention_at(word), self._actors.codes(word)
                if holder is not None and codes and not (role == "agent" and self._actors.is_place(word)):
                    found.append(self._candidate(trigger, lemma, role, holder, flags, passive=passive, countries=codes))
        return _located(found, self._spans)

    def _is_inside(self, word: int) -> bool:
        """Return whether a word is governed by a preposition of place, by the order of words."""
        start = min([word, *(child for child in self._tree.children[word] if self._tree.relations[child] != "case")])
        while start > 0 and self._tree.tags[word] == "NNP" and self._tree.tags[start - 1] == "NNP":
            start -= 1  # East Baghdad
        return self._case(word) in WITHIN or (start > 0 and self._tree.words[start - 1] in WITHIN)

    def _owner(self, mention: int) -> int:
        """Return the pronoun that possesses an agent without a country (its forces), or the agent's own mention."""
        head = self._spans[mention].head
        if self._actors.codes(head):
            return mention
        owners = {word for word in self._tree.dependents(head, "nmod:poss") if self._tree.tags[word] == "PRP$"}
        return next(
            (
                number
                for number, span in enumerate(self._spans)
                if span.sentence == self._number and span.head in owners
            ),
            mention,
        )

    def _places_of_sentence(self) -> list[int]:
        """Return the mentions of the one country in whose places the sentence is, if there is one."""
        inside = [
            number
            for number, span in enumerate(self._spans)
            if span.sentence == self._number
            and self._case(span.head) in WITHIN
            and (self._case(span.head) != "at" or self._actors.is_place(span.head, capital=True))
            and self._actors.place(span.head)
            and span.head not in self._events
        ]
        codes = {code for number in inside for code in self._actors.place(self._spans[number].head)}
        return inside[:1] if len(codes) == 1 else []

    def _at_home(self, mention: int, arguments: dict[str, list[int]]) -> tuple[str, ...]:
        """Return the country of a place where an agent without one acts, if it is of there: police always are."""
        head = self._spans[mention].head
        unnamed = self._unnamed and self._spans[mention].kind == "nominal" and head not in self._events
        if self._actors.codes(head) or not (unnamed or self._actors.is_of_place(head)):
            return ()
        around = self._around(head)
        return around if len(around) == 1 else self._here(arguments)

    def _here(self, arguments: dict[str, list[int]]) -> tuple[str, ...]:
        """Return the country where something takes place: of its place, or else what the document is about."""
        places = tuple(dict.fromkeys(code for word in arguments["location"] for code in self._around(word)))
        return places if len(places) == 1 else self._subject

    def _around(self, word: int) -> tuple[str, ...]:
        """Return the countries of a patient or place: its own, or else those where it is (a camp in Gaza)."""
        own = self._actors.place(word)
        if own and self._tree.words[word] not in _LEGATIONS:
            return own
        inside = [child for child in self._tree.dependents(word, "nmod") if self._case(child) in WITHIN]
        return tuple(dict.fromkeys(code for child in inside for code in self._actors.place(child)))

    def _of_headline(self, word: int, before: range, after: range, lemma: str) -> list[Candidate]:
        flags = dict.fromkeys(STATUSES, False)
        own = self._mention_at(word)
        if own is None or (lemma == "fire" and not any(map(self._nominal.is_weapon, after))):
            return []
        found = []
        for role, words in (("agent", before), ("patient", after)):
            codes = tuple(
                dict.fromkeys(self._actors.entries[each].code for each in words if each in self._actors.entries)
            )
            if role == "agent" and not codes and self._actors.is_of_place(words[-1]):
                codes = self._subject
            if codes:
                found.append(self._candidate(word, lemma, role, own, flags, countries=codes))
        places = self._places_of_sentence() if self._nominal.is_domestic(lemma) else []
        found += [
            self._candidate(word, lemma, "location", each, flags, countries=self._around(self._spans[each].head))
            for each in places
        ]
        return self._at_some_place(word, lemma, found, flags)

    def _candidate(
        self,
        trigger: int,
        lemma: str,
        role: str,
        mention: int,
        flags: dict[str, bool],
        *,
        passive: bool = False,
        countries: tuple[str, ...] = (),
    ) -> Candidate:
        head = self._spans[mention].head
        part = self._actors.part(head) if role == "agent" and not countries else ""
        if not countries and not (role == "agent" and self._actors.is_place(head)):
            countries = self._actors.codes(head)
        if role == "agent" and is_suspected(self._tree, head):
            flags = {**flags, "reported": True}
        return Candidate(
            self._number, trigger, lemma, role, mention, passive, **flags, countries=countries, part=part, days=None
        )

    def _mention_at(self, word: int) -> int | None:
        """Return the smallest mention that holds a word, or else the first one of the sentence."""
        own = [(number, span) for number, span in enumerate(self._spans) if span.sentence == self._number]
        holding = [(span.end - span.start, number) for number, span in own if span.start <= word < span.end]
        return min(holding)[1] if holding else next((number for number, _ in own), None)

    def _case(self, word: int) -> str:
        return next((self._tree.words[child] for child in self._tree.dependents(word, "case")), "")


def _located(found: list[Candidate], spans: Sequence[Span]) -> list[Candidate]:
    """Return participants, with patients that no country is known of (five civilians) as the place's people."""
    patients = [each for each in found if each.role == "patient"]
    places = tuple(dict.fromkeys(code for each in found if each.role == "location" for code in each.countries))
    if len(places) != 1 or any(each.countries for each in patients):
        return found
    return [
        dataclasses.replace(each, countries=places)
        if each.role == "patient" and spans[each.mention].kind == "nominal" else each
        for each in found
    ]  # fmt: skip
