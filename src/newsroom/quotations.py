"""What people say between quotation marks, and the clauses with an empty subject that they like."""

from __future__ import annotations

from newsroom import words
from newsroom.cast import Actor, Cast
from newsroom.clauses import SimulatedClauses
from newsroom.events import Events
from newsroom.trees import Node, comma
from newsroom.verb_groups import finite


class Quotations:
    """Clauses for quotations in a report."""

    def __init__(self, grammar: SimulatedClauses, cast: Cast, events: Events) -> None:
        """Write with `grammar` and `events` about the actors of `cast`."""
        self.grammar = grammar
        self.cast = cast
        self.events = events
        self.draws = grammar.draws

    def quoted(self, speaker: Actor | None) -> Node:
        """Return the words inside quotation marks."""
        draws, grammar = self.draws, self.grammar
        kind = draws.uniform()
        if kind < 0.34:
            return self._first_person(speaker)
        if kind < 0.44:
            return self.extraposition(quoted=True)
        if kind < 0.53:
            return self.existential(quoted=True, depth=1)
        if kind < 0.60:
            return self._question()
        if kind < 0.66:
            subject = Node("that" if draws.chance(0.6) else "this", "DT", universal="PRON")
            predicate = grammar.noun_phrase(("issue", "text", "program"), depth=1, plural=False)
            grammar.add_copula(predicate, subject, "present", quoted=False)
            return predicate
        if kind < 0.71:
            verb = draws.draw(grammar.lexicon.verbs("vt", subject="body"))
            command = finite(verb.lemma, "bare", plural=True)
            if draws.chance(0.5):
                command.first(Node("n't", "RB", "not", "PART"), "advmod").first(Node("do", "VB", "do", "AUX"), "aux")
            grammar.complete(command, verb, depth=1)
            return command
        head = grammar.clause(style="quoted", depth=1)
        if draws.chance(0.14):
            word = draws.pick(("well", "yes", "no", "of course", "but", "and"))
            if word in ("but", "and"):
                return head.first(Node(word, "CC"), "cc")
            if word == "of course":
                return head.first(comma(), "punct").first(
                    Node("of", "RB", universal="ADV").after(Node("course", "RB"), "fixed"), "advmod"
                )
            return head.first(comma(), "punct").first(Node(word, "UH"), "discourse")
        return head

    def _first_person(self, speaker: Actor | None) -> Node:
        draws, grammar = self.draws, self.grammar
        lemma = "I" if speaker and draws.chance(0.35) else draws.pick(("we", "we", "we", "you", "they"))
        subject = words.pronoun(lemma, "subject")
        if speaker is not None and lemma == "I":
            subject.entity = speaker.id
        if draws.chance(0.3):
            mental = draws.pick(("think", "believe", "know", "hope", "fear", "expect"))
            head = finite(mental, "present", plural=True, negative=draws.chance(0.2), contracted=True)
            inner = grammar.clause(style="quoted", depth=1)
            if draws.chance(0.4):
                inner.first(Node("that", "IN", universal="SCONJ"), "mark")
            return head.first(subject, "nsubj").after(inner, "ccomp")
        verb = draws.draw(grammar.lexicon.verbs("vt", "vp", "vto", "vpt", subject="body"))
        tense = draws.pick(
            ("present", "past", "perfect", "will", "will", "present", "can", "must", "would", "progressive")
        )
        if lemma == "I" and tense in ("progressive", "past progressive"):
            tense = "present"
        head = finite(verb.lemma, tense, plural=True, negative=draws.chance(0.18), contracted=True)
        grammar.complete(head, verb, depth=1)
        first = head.left[0] if head.left else None
        if first is not None and first.word in ("will", "have", "are") and len(head.left) == 1 and draws.chance(0.6):
            first.word = {"will": "'ll", "have": "'ve", "are": "'re"}[first.word]
        return head.first(subject, "nsubj")

    def _question(self) -> Node:
        draws, grammar = self.draws, self.grammar
        kind = draws.below(3)
        if kind == 0:
            verb = draws.draw(grammar.lexicon.verbs("vt", subject="body"))
            head = finite(verb.lemma, draws.pick(("will", "would", "past")), plural=False).first(
                Node("who", "WP"), "nsubj"
            )
            grammar.complete(head, verb, depth=1)
        elif kind == 1:
            subject = self.grammar.noun_phrase(("role", "body", "group"), depth=2)
            auxiliary = Node("do" if subject.plural else "does", "VBP" if subject.plural else "VBZ", "do", "AUX")
            head = Node(draws.pick(("want", "need", "expect", "fear")), "VB")
            head.before(Node("what", "WP"), "obj").before(auxiliary, "aux").before(subject, "nsubj")
        else:
            verb = draws.draw(grammar.lexicon.verbs("vt", subject="body"))
            head = Node(verb.lemma, "VB")
            head.before(Node(draws.pick(("why", "how", "when")), "WRB"), "advmod")
            head.before(Node("should", "MD"), "aux").before(words.pronoun("we", "subject"), "nsubj")
            grammar.complete(head, verb, depth=1)
        return head.after(Node("?", "."), "punct")

    def existential(self, *, quoted: bool, depth: int = 0) -> Node:
        """Return a clause with existential there."""
        draws, grammar = self.draws, self.grammar
        subject = grammar.noun_phrase(("issue", "ill", "talks", "group", "feeling"), depth=depth)
        if subject.left and subject.left[0].word in ("the", "this", "that", "these", "those"):
            subject.left[0] = Node("no", "DT")
            subject.left[0].relation = "det"
        present = quoted or draws.chance(0.2)
        be = Node(
            *(("are", "VBP") if present else ("were", "VBD"))
            if subject.plural
            else (("is", "VBZ") if present else ("was", "VBD"))
        )
        be.lemma = "be"
        if quoted and be.word == "is" and draws.chance(0.5):
            be.word = "'s"
        be.before(Node("there", "EX"), "expl").after(subject, "nsubj")
        if draws.chance(0.4):
            be.after(grammar.place_phrase(), "obl")
        return be

    def extraposition(self, *, quoted: bool) -> Node:
        """Return a clause with an empty `it`: it is difficult to ..., it was unclear whether ..."""
        draws, grammar = self.draws, self.grammar
        tense = "present" if quoted else "past"
        be = Node("is" if quoted else "was", "VBZ" if quoted else "VBD", "be", "AUX")
        if draws.chance(0.5):
            head = Node(
                draws.pick(("difficult", "important", "possible", "impossible", "easy", "necessary", "dangerous")), "JJ"
            )
            clause, relation = grammar.infinitive(depth=1), "csubj"
        elif draws.chance(0.6):
            head = Node(draws.pick(("unclear", "uncertain", "unknown")), "JJ")
            clause = grammar.clause(tense="would" if draws.chance(0.4) else tense, depth=1, negative=False)
            word = draws.pick(("whether", "why", "how", "when", "if"))
            marker = Node(
                word,
                "IN" if word in ("whether", "if") else "WRB",
                universal="SCONJ" if word in ("whether", "if") else "ADV",
            )
            clause.first(marker, "mark" if marker.tag == "IN" else "advmod")
            relation = "csubj"
        else:
            head = Node(draws.pick(("clear", "likely", "obvious", "possible")), "JJ")
            clause = grammar.clause(tense=draws.pick(("would", tense, "could")), depth=1)
            clause.first(Node("that", "IN", universal="SCONJ"), "mark")
            relation = "csubj"
        if quoted and draws.chance(0.5):
            be.word = "'s"
        return head.before(words.pronoun("it", "subject"), "expl").before(be, "cop").after(clause, relation)
