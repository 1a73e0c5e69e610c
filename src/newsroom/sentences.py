"""The kinds of sentences a report is made of."""

from __future__ import annotations

from newsroom import words
from newsroom.cast import Actor
from newsroom.lexicon import choices, weighted
from newsroom.quotations import Quotations
from newsroom.trees import Node, comma
from newsroom.verb_groups import finite
from nlpcalib.text.inflection import forms

_VERBS_OF_SAYING = weighted("verbs of saying")
_TROOP_MOVES = choices("moves of troops")
"""What troops do that is no event of its own, with the preposition before the place."""


class Sentences(Quotations):
    """Sentences about the actors of a report, without their final full stop."""

    def about(self, actor: Actor, *, style: str = "narrative", depth: int = 0) -> Node:
        """Return a clause whose subject is `actor`."""
        if actor.armed:
            return self._movement(actor, style=style)
        subject = self.cast.refer(actor)
        return self.grammar.clause(subject=subject, subject_class=actor.noun_class, style=style, depth=depth)

    def _movement(self, actor: Actor, *, style: str) -> Node:
        """Return a clause about where troops go or are seen."""
        draws, grammar = self.draws, self.grammar
        subject = self.cast.refer(actor)
        tense = {
            "past": "past",
            "simple past": "past",
            "quoted": "perfect",
            "reported": draws.pick(("past", "pluperfect", "would")),
        }.get(style, draws.pick(("past", "past", "past", "perfect", "pluperfect")))
        if draws.chance(0.3):
            verb = draws.pick(("see", "sight", "deploy", "station", "report", "move"))
            head = finite(verb, tense, plural=subject.plural, passive=True).first(subject, "nsubj:pass")
            word = "near"
        else:
            verb, _, word = draws.pick(_TROOP_MOVES).partition(" ")
            head = finite(verb, tense, plural=subject.plural, negative=draws.chance(0.08)).first(subject, "nsubj")
        place = grammar.place_name() if draws.chance(0.6) else grammar.noun_phrase(("place", "building"), depth=2)
        if word:
            head.after(words.with_case(place, word), "obl")
        else:
            head.after(place, "obj")
        if tense == "past" and not grammar.timed and draws.chance(0.4):
            grammar.add_time(head, tense, recent=True)
        return head

    def content(self, actors: list[Actor]) -> Node:
        """Return the reported words of somebody: a clause about one of `actors` or about something new."""
        draws = self.draws
        if actors and draws.chance(0.5):
            return self.about(draws.pick(actors), style="reported", depth=1)
        if draws.chance(0.12):
            return self.existential(quoted=False, depth=1)
        if draws.chance(0.08):
            return self.extraposition(quoted=False)
        return self.grammar.clause(style="reported", depth=1)

    def statement(self, speaker: Actor, actors: list[Actor]) -> Node:
        """Return a sentence in which `speaker` makes a statement, quoted or reported: a comment event."""
        kind = self.draws.uniform()
        if kind < 0.42:
            return self.reported(speaker, actors)
        if kind < 0.60:
            return self._trailing(speaker, actors)
        if kind < 0.92:
            return self._quotation(speaker)
        return self._according_to(speaker, actors)

    def _say(self, speaker: Actor, *, lemma: str | None = None) -> tuple[Node, Node]:
        subject = self.cast.refer(speaker)
        lemma = lemma or self.draws.draw(_VERBS_OF_SAYING)
        tense = "past" if self.draws.chance(0.94) else self.draws.pick(("present", "pluperfect", "perfect"))
        verb = finite(lemma, tense, plural=subject.plural)
        self.events.record("comment", verb, subject, speaker)
        return verb, subject

    def reported(self, speaker: Actor, actors: list[Actor]) -> Node:
        """Return a sentence in which `speaker` states that something is so."""
        draws = self.draws
        verb, subject = self._say(speaker)
        verb.first(subject, "nsubj")
        if draws.chance(0.25):
            self.grammar.add_time(verb, "past", recent=True)
        if draws.chance(0.06):
            verb.after(words.with_case(self.grammar.noun_phrase(("remark",), depth=2), "in"), "obl")
        inner = self.content(actors)
        if draws.chance(0.62):
            inner.first(Node("that", "IN", universal="SCONJ"), "mark")
        verb.after(inner, "ccomp")
        if draws.chance(0.12):
            verb.after(comma(), "punct")
            participle = Node(draws.pick(("adding", "noting")), "VBG")
            participle.lemma = participle.word[:-3] if participle.word == "adding" else "note"
            more = self.grammar.clause(style="reported", depth=1).first(Node("that", "IN", universal="SCONJ"), "mark")
            verb.after(participle.after(more, "ccomp"), "advcl")
        return verb

    def _trailing(self, speaker: Actor, actors: list[Actor]) -> Node:
        inner = self.content(actors)
        verb, subject = self._say(speaker, lemma="say")
        inner.after(comma(), "punct")
        if subject.tag != "PRP" and not verb.left and self.draws.chance(0.25):
            return verb.first(inner, "ccomp").after(subject, "nsubj")
        return verb.first(subject, "nsubj").first(inner, "ccomp")

    def _according_to(self, speaker: Actor, actors: list[Actor]) -> Node:
        fronted = self.draws.chance(0.5)
        # Who comes first in the text is referred to first.
        inner = None if fronted else self.content(actors)
        source = words.with_case(self.cast.refer(speaker, "object", pronoun=False), "according to")
        if inner is None:
            inner = self.content(actors)
            return inner.first(comma(), "punct").first(source, "obl")
        return inner.after(comma(), "punct").after(source, "obl")

    def _quotation(self, speaker: Actor) -> Node:
        draws = self.draws
        first_person = speaker if speaker.kind == "person" else None
        quoted = self.quoted(first_person)
        question = bool(quoted.right) and quoted.right[-1].word == "?"
        quoted.first(_opening(), "punct")
        if not question:
            quoted.after(comma(), "punct")
        quoted.after(Node('"', "''", '"'), "punct")
        verb, subject = self._say(speaker, lemma="ask" if question else None if draws.chance(0.2) else "say")
        if subject.tag != "PRP" and not verb.left and draws.chance(0.3):
            head = verb.first(quoted, "ccomp").after(subject, "nsubj")
        else:
            head = verb.first(subject, "nsubj").first(quoted, "ccomp")
        if draws.chance(0.2):
            head.after(
                words.with_case(self.grammar.noun_phrase(("talks",), depth=2), draws.pick(("before", "after", "at"))),
                "obl",
            )
        elif draws.chance(0.12):
            self.grammar.add_time(head, "past", recent=True)
        return head

    def narrative(self, actors: list[Actor]) -> Node:
        """Return a sentence of background, often about one of `actors`, with something before or after the clause."""
        draws, grammar = self.draws, self.grammar
        opening = draws.uniform()
        lead: list[tuple[Node, str]] = []
        style = "narrative"
        if opening < 0.10:
            lead = [(Node(draws.draw(grammar.lexicon.adverbs["sentence"]), "RB"), "advmod")]
            style = "past"
        elif opening < 0.18:
            lead = [words.past_time(draws, grammar.date)]
            grammar.timed, style = True, "simple past"
        elif opening < 0.24:
            lead = [(grammar.place_phrase(), "obl")]
            grammar.placed = True
        elif opening < 0.28:
            lead = [(self._participial_lead(), "advcl")]
        elif opening < 0.35:
            verb = draws.draw(grammar.lexicon.verbs("vt", "vp", subject="body"))
            participle = Node(forms(verb.lemma).gerund, "VBG", verb.lemma)
            grammar.complete(participle, verb, depth=1)
            if draws.chance(0.4):
                word = draws.pick(("after", "by", "before", "since", "despite", "without"))
                participle.first(Node(word, "IN", universal="SCONJ"), "mark")
            lead = [(participle, "advcl")]
        elif opening < 0.42:
            phrase = grammar.noun_phrase(("talks", "issue", "violence", "disaster"), depth=1)
            word = draws.pick(("despite", "after", "before", "during", "with", "under", "because of", "since"))
            lead = [(words.with_case(phrase, word), "obl")]
        if lead and lead[0][0].tag == "RB" and lead[0][0].left:
            lead = []
        conjunction = not lead and draws.chance(0.07)
        if actors and draws.chance(0.6):
            head = self.about(draws.pick(actors), style=style)
        else:
            head = grammar.clause(style=style)
        for node, relation in reversed(lead):
            head.first(comma(), "punct").first(node, relation)
        if conjunction:
            head.first(Node(draws.pick(("but", "but", "and", "yet")), "CC"), "cc")
        if draws.chance(0.12):
            self._coordinate(head)
        return head

    def _participial_lead(self) -> Node:
        """Return a passive participle before a clause: backed by the army, ..."""
        grammar, draws = self.grammar, self.draws
        verb = draws.draw(grammar.lexicon.verbs_with_object(draws.pick(("role", "group", "body"))))
        participle = Node(forms(verb.lemma).participle, "VBN", verb.lemma)
        return participle.after(
            words.with_case(grammar.noun_phrase(("group", "body", "issue"), depth=1), "by"), "obl:agent"
        )

    def gerund_subject(self) -> Node:
        """Return a sentence whose subject is a gerund with its object: closing the port would cost jobs."""
        grammar, draws = self.grammar, self.draws
        verb = draws.draw(grammar.lexicon.verbs("vt", "vpt", subject="body"))
        gerund = Node(forms(verb.lemma).gerund, "VBG", verb.lemma)
        grammar.complete(gerund, verb, depth=1)
        effect = draws.draw(grammar.lexicon.verbs("vt", subject="text"))
        head = finite(effect.lemma, draws.pick(("would", "could", "will", "past", "might")), plural=False)
        grammar.complete(head, effect, depth=1)
        return head.first(gerund, "csubj")

    def _coordinate(self, head: Node) -> None:
        """Add a second clause to the one at `head`."""
        word = self.draws.pick(("and", "but", "and", "so", "; "))
        second = self.grammar.clause(style="past", depth=1)
        if word == "; ":
            second.first(Node(";", ":"), "punct")
        else:
            second.first(Node(word, "IN" if word == "so" else "CC", universal="CCONJ"), "cc").first(comma(), "punct")
        head.after(second, "conj")

    def wh_clause(self, actors: list[Actor]) -> Node:
        """Return a sentence in which somebody does not know or say wh-something."""
        draws, grammar = self.draws, self.grammar
        human = [actor for actor in actors if actor.kind != "thing" and not actor.armed]
        subject = self.cast.refer(draws.pick(human)) if human else grammar.noun_phrase(("group",))
        verb = draws.pick(("say", "know", "explain", "disclose", "reveal", "ask", "wonder"))
        negative = verb in ("say", "know", "explain", "disclose", "reveal")
        head = finite(verb, "past", plural=subject.plural, negative=negative).first(subject, "nsubj")
        kind = draws.below(4)
        if kind == 0:
            cause = draws.draw(grammar.lexicon.verbs("vt", subject="disaster"))
            inner = finite(cause.lemma, "pluperfect", plural=False).first(Node("what", "WP"), "nsubj")
            grammar.complete(inner, cause, depth=1)
        elif kind == 1:
            agent = grammar.noun_phrase(("body", "group", "role"), depth=2)
            inner = finite(draws.pick(("want", "need", "offer", "expect", "find", "seek")), "past", plural=agent.plural)
            inner.first(agent, "nsubj").first(Node("what", "WP"), "obj")
        elif kind == 2:
            inner = grammar.clause(tense="past", depth=1, subject_class="role")
            inner.first(Node(draws.pick(("why", "how", "when", "where")), "WRB"), "advmod")
        else:
            inner = grammar.clause(tense=draws.pick(("would", "past")), depth=1)
            inner.first(Node(draws.pick(("whether", "if")), "IN", universal="SCONJ"), "mark")
        return head.after(inner, "ccomp")

    def superlative(self) -> Node:
        """Return a sentence that compares: it was the worst flood in the region since 1972."""
        draws, grammar = self.draws, self.grammar
        noun_class = draws.pick(("violence", "disaster", "building", "program", "issue"))
        noun = draws.draw(grammar.lexicon.nouns[noun_class])
        adjective = draws.draw(grammar.lexicon.adjectives[noun_class])
        while adjective.grade == "none":
            adjective = draws.pick(grammar.lexicon.adjectives[noun_class].items)
        head = (
            words.common(noun, plural=False)
            .before(words.det("the"), "det")
            .before(grammar.compare(adjective, "est"), "amod")
        )
        subject = grammar.noun_phrase((noun_class,), plural=False)
        grammar.add_copula(head, subject, "past")
        head.after(words.with_case(grammar.place_name(), "in"), "nmod")
        if draws.chance(0.7):
            head.after(words.with_case(words.year(draws, grammar.date), "since"), "nmod")
        return head

    def whose(self) -> Node:
        """Return a sentence about people whose something is affected."""
        draws, grammar = self.draws, self.grammar
        subject = grammar.noun_phrase(("group", "role"), depth=3)
        owned = words.common(draws.draw(grammar.lexicon.nouns["building"]), plural=draws.chance(0.5))
        owned.before(Node("whose", "WP$", "whose"), "nmod:poss")
        verb = draws.draw(grammar.lexicon.verbs_with_object("building"))
        relative = finite(verb.lemma, draws.pick(("past", "pluperfect")), plural=owned.plural, passive=True)
        relative.first(owned, "nsubj:pass")
        if not subject.right:
            subject.after(relative, "acl:relcl")
        return grammar.clause(subject=subject, subject_class="group" if subject.plural else "role", depth=1)

    def measures(self) -> Node:
        """Return a sentence with figures."""
        draws, grammar = self.draws, self.grammar
        head = grammar.clause(subject_class="measure", tense=draws.pick(("past", "past", "perfect", "would")))
        if draws.chance(0.35):
            second = grammar.clause(subject_class="measure", tense="past", depth=1)
            word = draws.pick(("while", "and", "as"))
            if word == "and":
                second.first(Node("and", "CC"), "cc").first(comma(), "punct")
                head.after(second, "conj")
            else:
                head.after(comma(), "punct") if word == "while" else None
                head.after(second.first(Node(word, "IN", universal="SCONJ"), "mark"), "advcl")
        return head


def _opening() -> Node:
    mark = Node('"', "``")
    mark.capital = True
    return mark
