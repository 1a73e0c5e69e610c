"""Extraction of events and countries from trees (paper, section 6).

Relations are those of Universal Dependencies 2; the paper's are Stanford's of version 1:

* A mention is affiliated with a country if the lexicon has its head (Americans) or a modifier of a word of its name:
  `amod` (American forces), `compound` (U.S. forces), `nmod` (President Leila Nazam of Iraq, troops from Iraq),
  `nmod:poss` (Iraq's troops), or a conjunct of these. So does what modifies a modifier in front (a Russian Army unit,
  American-led forces). Appositions and titles are further heads of the mention (Leila
  Nazam, the president of Iraq; Iraqi President Leila Nazam).
* The agent is the `nsubj` of an active verb, or the `obl:agent` of a passive one, or its `obl` with the case "by". The
  patient is the `obj` of an active verb or the `nsubj:pass` of a passive one. `Clauses` describes the subjects of verbs
  that have none of their own.

A coordination of mentions has the role of each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nlpcalib.systems.coref.model.mentions import Span, candidate_mentions
from nlpcalib.systems.events.read.clauses import Clauses
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.inflection import spellings
from nlpcalib.systems.text.tree import check_trees, tree_of


@dataclass(frozen=True, slots=True)
class CandidateEvent:
    """A mention with a role at a verb of a query."""

    sentence: int
    verb: int
    """0-based word."""
    lemma: str
    role: str
    """`agent` or `patient`."""
    mention: int
    """Index into the document's mentions."""
    passive: bool
    negated: bool
    """Whether the text denies it: not, never, no as the subject's determiner; failed to."""
    modal: bool
    """Whether the text leaves it open: a modal verb, including will; if; or a complement (wants to)."""


@dataclass(frozen=True, slots=True)
class Affiliation:
    """A mention described with a country."""

    mention: int
    """Index into the document's mentions."""
    country: str
    word: int
    """0-based number, in the mention's sentence, of the last word of the lexicon's name that describes it."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence for queries in the trees of a document, which does not depend on coreference."""

    document: Document
    mentions: Sequence[Span]
    candidates: Mapping[str, Sequence[CandidateEvent]]
    """Candidates by the name of the query."""
    affiliations: Sequence[Affiliation]
    """Not sought in a document without candidates; without any, coreference cannot yield an event."""

    @property
    def content(self) -> tuple:
        """All but the document, hashable: equal for trees that differ in nothing that a query uses."""
        found = ((name, tuple(each)) for name, each in self.candidates.items())
        return (tuple(self.mentions), tuple(self.affiliations), *found)


def find_evidence(
    document: Document, queries: Iterable[Query], lexicon: CountryLexicon, mentions: Sequence[Span] | None = None
) -> Evidence:
    """Return the candidates of each query and the affiliations of mentions, by default `candidate_mentions`.

    Raises `InputError` as `candidate_events` does.
    """
    spans = candidate_mentions(document) if mentions is None else mentions
    found = {query.name: candidate_events(document, spans, query) for query in queries}
    return Evidence(document, spans, found, affiliations(document, spans, lexicon) if any(found.values()) else [])


def candidate_events(document: Document, spans: Sequence[Span], query: Query) -> list[CandidateEvent]:
    """Return the mentions with a role of the query, sorted by sentence, verb, role and mention.

    Verbs need a Penn tag of verbs. Lemmas are the document's; without them, words match inflected forms of the query's.

    Raises `InputError` for a sentence without Penn tags or without a tree.
    """
    inflected = {form: verb for verb in query.verbs for form in spellings(verb)}
    check_trees(document)
    found = []
    for number, sentence in enumerate(document.sentences):
        verbs = {
            word: lemma
            for word, tag in enumerate(sentence.tags)
            if tag.startswith("VB") and (lemma := _lemma(sentence, word, inflected)) in query.verbs
        }
        if not verbs:
            continue
        clauses = Clauses(tree_of(sentence))
        heads = _Heads(clauses, spans, number)
        for verb, lemma in verbs.items():
            passive, flags = clauses.is_passive(verb), clauses.flags(verb)
            for role in sorted(query.roles):
                words = clauses.agents(verb) if role == "agent" else clauses.patients(verb)
                found += [
                    CandidateEvent(number, verb, lemma, role, mention, passive, flags["negated"], flags["modal"])
                    for mention in heads.of(words, verb)
                ]
    return found


def affiliations(document: Document, spans: Sequence[Span], lexicon: CountryLexicon) -> list[Affiliation]:
    """Return the countries that describe mentions, sorted by mention and word.

    Raises `InputError` for a sentence without Penn tags or without a tree.
    """
    check_trees(document)
    codes: list[dict[int, tuple[int, str]]] = []  # by word: the place and the country of the name that it is in
    clauses: list[Clauses | None] = []
    for sentence in document.sentences:
        names = lexicon.find(sentence.words, document.date)
        codes.append({word: (start, code) for start, end, code in names for word in range(start, end)})
        clauses.append(Clauses(tree_of(sentence)) if names else None)
    found = []
    for mention, span in enumerate(spans):
        described, code = clauses[span.sentence], codes[span.sentence]
        if described is not None:
            words = sorted({word for word in described.description(span.head) if word in code})
            last = {code[word]: word for word in words}
            found += [Affiliation(mention, country, word) for (_, country), word in last.items()]
    return found


def _lemma(sentence: Sentence, word: int, inflected: dict[str, str]) -> str | None:
    return sentence.lemmas[word].lower() if sentence.lemmas else inflected.get(sentence.words[word].lower())


class _Heads:
    """The mentions of a sentence by head."""

    def __init__(self, clauses: Clauses, spans: Sequence[Span], sentence: int) -> None:
        self._clauses = clauses
        self._mentions: dict[int, list[int]] = {}
        self._coordinations: dict[int, list[tuple[int, int]]] = {}
        for mention, span in enumerate(spans):
            if span.sentence == sentence:
                first = clauses.first_conjunct(span.head)
                if first is None:
                    self._mentions.setdefault(span.head, []).append(mention)
                else:
                    self._coordinations.setdefault(first, []).append((span.head, mention))

    def of(self, words: Sequence[int], verb: int) -> list[int]:
        """Return the mentions whose heads are a verb's arguments or their conjuncts, and coordinations of them.

        A conjunct on the other side of the verb does not count: in "the troops that attacked and their allies", only
        the troops attacked.
        """
        mentions: set[int] = set()
        for word in words:
            conjuncts = [other for other in self._clauses.conjuncts(word) if (other < verb) == (word < verb)]
            for head in (word, *conjuncts):
                mentions.update(self._mentions.get(head, ()))
            for conjunction, mention in self._coordinations.get(word, ()):
                if (conjunction < verb) == (word < verb):
                    mentions.add(mention)
        return sorted(mentions)
