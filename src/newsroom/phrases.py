"""Noun phrases and their modifiers."""

from __future__ import annotations

from newsroom import words
from newsroom.coinage import Coinage
from newsroom.lexicon import (
    HUMAN,
    Adjective,
    Noun,
    complements,
    compound_classes,
    forms,
    makes_modifier,
    weighted,
)
from newsroom.trees import Node, comma

_SINGULAR_DETERMINERS, _PLURAL_DETERMINERS, _MASS_DETERMINERS = (
    weighted(f"{number} determiners") for number in ("singular", "plural", "mass")
)
_DETERMINER_TAGS = {"several": "JJ", "many": "JJ", "few": "JJ", "other": "JJ", "more": "JJR", "less": "JJR",
                    "much": "JJ", "little": "JJ", "most": "JJS"}  # fmt: skip
_DETERMINER_LEMMAS = {"more": "much", "less": "little", "most": "many"}
_NEVER_OBJECTS = ("place", "weather")
"""Classes that no transitive verb takes as its object."""

_COUNTED_CLASSES = ("role", "group", "body", "building", "vehicle", "weapon", "object", "violence", "text", "talks")
"""Classes of things that news counts."""

_MOVING_CLASSES = ("role", "group", "talks", "violence", "disaster", "measure", "issue", "building", "vehicle")
"""Classes that a participle of an intransitive verb can modify."""


class SimulatedPhrases(Coinage):
    """Noun phrases about one topic, at the date of one report."""

    def noun_phrase(self, classes: tuple[str, ...], *, depth: int = 0, plural: bool | None = None) -> Node:
        """Return a new noun phrase headed by a noun of one of `classes`; `depth` is that of its embedding."""
        draws = self.draws
        noun_class = draws.pick(classes)
        noun = self.new_noun(noun_class)
        if plural is None:
            plural = draws.chance(0.46)
        plural = (plural and noun.number != "mass") or noun.number == "plural"
        if noun_class == "body" and not plural and draws.chance(0.2):
            return self.named_body(noun)
        if noun_class == "role" and not plural and depth < 2 and draws.chance(0.26):
            return self.named_person(noun)
        if noun_class == "group" and draws.chance(0.035):
            return self.followers()
        if noun_class not in _NEVER_OBJECTS and noun_class not in HUMAN and draws.chance(0.035):
            return self._action_noun(noun_class, depth=depth)
        head = words.common(noun, plural=plural)
        self._determine(head, noun, plural=plural)
        self.used_nouns.add(noun.lemma)
        self._premodify(head, noun_class, noun, depth=depth)
        postmodified = draws.uniform() * (1 + 0.6 * depth)
        if postmodified < 0.27:
            if draws.chance(0.33) and noun_class not in ("weapon", "object", "measure", "feeling"):
                head.after(self._named_place(), "nmod")
                return head
            word, classes = draws.pick(complements(noun_class))
            inner = self.noun_phrase(classes, depth=depth + 1, plural=True if word in ("between", "among") else None)
            if word == "between" and not inner.right and not inner.plural:
                self.coordinate(inner, self.noun_phrase(classes, depth=depth + 2))
            head.after(words.with_case(inner, word), "nmod")
        elif postmodified < 0.45 and depth < 3:
            self.modify_by_clause(head, noun_class)
        elif postmodified < 0.47 and depth == 0 and noun_class in ("body", "group", "object", "goods") and head.plural:
            self._list_examples(head, noun_class)
        elif postmodified < 0.58 and depth < 3:
            self._conjoin(head, noun_class, depth=depth)
        return head

    def plain_phrase(self, noun_class: str) -> Node:
        """Return an indefinite noun phrase without modifiers."""
        draws = self.draws
        noun = draws.draw(self.lexicon.nouns[noun_class])
        plural = noun.number == "plural" or draws.chance(0.4)
        head = words.common(noun, plural=plural)
        self.used_nouns.add(noun.lemma)
        if not plural:
            head.before(words.det("a"), "det")
        elif draws.chance(0.35):
            head.before(words.small_number(draws), "nummod")
        return head

    def _conjoin(self, head: Node, noun_class: str, *, depth: int) -> None:
        """Add a second noun phrase like `head`, or a list of two more: roads, bridges and a dam."""
        draws = self.draws
        if draws.chance(0.2):
            head.after(self.noun_phrase((noun_class,), depth=depth + 2).first(comma(), "punct"), "conj")
        self.coordinate(head, self.noun_phrase((noun_class,), depth=depth + 2), draws.pick(("and", "and", "and", "or")))

    def _action_noun(self, noun_class: str, *, depth: int) -> Node:
        """Return a gerund that is a noun: the closing of the port."""
        verb = self.draws.draw(self.lexicon.verbs_with_object(noun_class))
        gerund = forms(verb.lemma).gerund
        head = Node(gerund, "NN", gerund).before(words.det("the"), "det")
        inner = self.noun_phrase((noun_class,), depth=max(depth + 1, 2))
        return head.after(words.with_case(inner, "of"), "nmod")

    def _named_place(self) -> Node:
        """Return a phrase such as "in Moscow" or "in Lebanon"."""
        if self.country_name is not None and self.draws.chance(0.4):
            country = self.draws.draw(self.prominent)
            if not country.organisation:
                return words.with_case(self.country_name(country), "in")
        return words.with_case(self.place_name(), self.draws.pick(("in", "in", "near", "outside")))

    def modify_by_clause(self, head: Node, noun_class: str) -> None:
        """Put a relative clause, a participle or an infinitive after `head`; the clause grammar defines how."""
        raise NotImplementedError

    def _determine(self, head: Node, noun: Noun, *, plural: bool) -> None:
        draws = self.draws
        choice = draws.draw(
            _PLURAL_DETERMINERS if plural else _MASS_DETERMINERS if noun.number == "mass" else _SINGULAR_DETERMINERS
        )
        if choice in ("the", "this", "that", "these", "those") and noun.lemma in self.used_nouns:
            choice = "other" if plural else "nothing" if noun.number == "mass" else "another"
        if choice == "nothing":
            return
        if choice == "number":
            if noun.noun_class in _COUNTED_CLASSES:
                head.before(words.count(draws), "nummod")
        elif choice == "one":
            head.before(Node("one", "CD"), "nummod")
        elif choice == "possessive":
            owner = self.possessor() if self.possessor is not None else None
            head.before(owner or words.possessive(self.owner()), "nmod:poss")
        elif choice in ("all the", "such a", "half the"):
            predeterminer, article = choice.split()
            head.before(Node(predeterminer, "PDT"), "det:predet").before(words.det(article), "det")
        elif choice in _DETERMINER_TAGS:
            if choice == "few" and draws.chance(0.6):
                head.before(words.det("a"), "det")
            head.before(Node(choice, _DETERMINER_TAGS[choice], _DETERMINER_LEMMAS.get(choice)), "amod")
        else:
            head.before(words.det(choice), "det")

    def owner(self) -> Node:
        """Return a short noun phrase that can own something."""
        if self.draws.chance(0.35):
            return self.place_name()
        noun = self.draws.draw(self.lexicon.nouns[self.draws.pick(("body", "role"))])
        head = words.common(noun, plural=False)
        article = "a" if noun.lemma in self.used_nouns else "the"
        self.used_nouns.add(noun.lemma)
        return head.before(words.det(article), "det")

    def _premodify(self, head: Node, noun_class: str, noun: Noun, *, depth: int) -> None:
        draws = self.draws
        scarcity = 1 + 0.5 * depth
        if draws.chance(0.055):
            head.before(self.coined_modifier(), "amod")
            scarcity += 1
        u = draws.uniform() * scarcity
        if u < 0.30:
            head.before(self.adjective_phrase(noun_class, noun), "amod")
            scarcity += 1
        elif u < 0.37 and noun_class not in _NEVER_OBJECTS:
            verb = draws.draw(self.lexicon.verbs_with_object(noun_class))
            if makes_modifier(verb.lemma):
                head.before(Node(forms(verb.lemma).participle, "VBN", verb.lemma), "amod")
        elif u < 0.41 and noun_class in _MOVING_CLASSES:
            verb = draws.draw(self.lexicon.verbs("vi", "vm", subject=noun_class))
            head.before(Node(forms(verb.lemma).gerund, "VBG", verb.lemma), "amod")
        if draws.chance(0.06) and noun_class not in ("place", "measure", "weather", "disaster"):
            modifier = self.demonym(draws.draw(self.prominent))
            head.before(modifier, "amod" if modifier.tag == "JJ" else "compound")
        if draws.chance(0.28 / scarcity):
            self._compound(head, noun_class, noun)

    def _compound(self, head: Node, noun_class: str, noun: Noun) -> None:
        draws = self.draws
        modifier = draws.draw(self.lexicon.nouns[draws.pick(compound_classes(noun_class))])
        if modifier.lemma != noun.lemma and modifier.number != "plural":
            head.before(words.common(modifier, plural=modifier.number == "count" and draws.chance(0.08)), "compound")

    def adjective_phrase(self, noun_class: str, noun: Noun | None = None) -> Node:
        """Return an adjective, bare, graded, compared or coordinated with another."""
        draws = self.draws
        adjective = draws.draw(self.lexicon.adjectives[noun_class])
        if adjective.grade != "none" and draws.chance(0.10) and noun is not None:
            return self.compare(adjective, "er")
        node = Node(adjective.lemma, "JJ")
        if adjective.grade != "none" and draws.chance(0.10):
            node.before(Node(draws.draw(self.lexicon.adverbs["degree"]), "RB"), "advmod")
        elif draws.chance(0.05):
            second = Node(draws.draw(self.lexicon.adjectives[noun_class]).lemma, "JJ")
            if second.word != node.word:
                second.before(Node(draws.pick(("and", "and", "but", "or")), "CC"), "cc")
                node.after(second, "conj")
        return node

    def compare(self, adjective: Adjective, ending: str) -> Node:
        """Return the comparative ("er") or superlative ("est") of `adjective`."""
        tag = "JJR" if ending == "er" else "JJS"
        if adjective.grade == "suffix":
            return Node(adjective.compared(ending), tag, adjective.lemma)
        word, lemma = ("more", "much") if ending == "er" else ("most", "much")
        return Node(adjective.lemma, "JJ").before(Node(word, "RBR" if ending == "er" else "RBS", lemma), "advmod")

    def _list_examples(self, head: Node, noun_class: str) -> None:
        """Put "including X and Y" after `head`."""
        first = self.noun_phrase((noun_class,), depth=2)
        second = self.noun_phrase((noun_class,), depth=2)
        first.first(Node("including", "VBG", "include"), "case")
        self.coordinate(first, second)
        head.after(comma(), "punct").after(first, "nmod").after(comma(), "punct")

    def coordinate(self, first: Node, second: Node, conjunction: str = "and") -> Node:
        """Return `first` with `second` as a conjunct; two nominals together are plural."""
        second.first(Node(conjunction, "CC"), "cc")
        first.after(second, "conj")
        if conjunction == "and":
            first.plural = True
        return first

    def place_phrase(self) -> Node:
        """Return a prepositional phrase of place."""
        draws = self.draws
        if draws.chance(0.6):
            return words.with_case(self.place_name(), draws.pick(("in", "in", "near", "outside")))
        place = self.noun_phrase(("place",), depth=2)
        return words.with_case(place, draws.pick(("in", "in", "near", "across", "along", "around", "throughout")))
