"""Verb phrases and clauses."""

from __future__ import annotations

from dataclasses import replace

from newsroom import words
from newsroom.lexicon import HUMAN, Adjective, Verb, forms, shares, weighted
from newsroom.phrases import SimulatedPhrases
from newsroom.trees import Node, comma
from newsroom.verb_groups import finite

_TENSES = {
    style: weighted(f"{style} tenses")
    for style in ("narrative", "reported", "quoted", "past", "simple past", "present")
}
"""Tenses by the place of a clause: as narrative, after "said", between quotation marks, or with a main clause."""

_SUBJECT_CLASSES = weighted("subjects")
_PASSIVE_SHARE = shares("shares of passives")
"""How often a clause about something of the class is passive."""

_HUMAN_FRAMES = weighted("frames of human subjects")
_SUBORDINATORS = weighted("subordinators")
_PAST_TENSES = ("past", "pluperfect")
_TENSES_WITH_TIME = (*_PAST_TENSES, "perfect", "will", "would", "may")
"""Tenses with which a clause can have a time."""

_STATE_CLASSES = ("good", "feeling", "ill", "resource", "activity", "goods", "place", "object", "weather", "remark")
"""Classes that a clause describes by what they are like, not by what they do."""


class SimulatedClauses(SimulatedPhrases):
    """Clauses from verbs and their frames."""

    def clause(
        self, *, subject: Node | None = None, subject_class: str | None = None, style: str = "narrative",
        tense: str | None = None, depth: int = 0, negative: bool | None = None,
    ) -> Node:  # fmt: skip
        """Return a clause: about `subject`, which behaves like a noun of `subject_class`, or about a new one.

        `style` is one of the keys of `_TENSES` and chooses the tense unless `tense` does.
        """
        draws = self.draws
        tense = tense or draws.draw(_TENSES[style])
        quoted = style == "quoted"
        if subject is None:
            subject_class = subject_class or draws.draw(_SUBJECT_CLASSES)
            passive = draws.chance(_PASSIVE_SHARE.get(subject_class, 0.0))
            subject = self.noun_phrase((subject_class,), depth=depth)
            if passive:
                return self._passive_clause(subject, subject_class, tense=tense, depth=depth, quoted=quoted)
        elif subject_class is None:
            raise ValueError("found a subject without the class of nouns that it behaves like, expected both")
        if negative is None:
            negative = draws.chance(0.06)
        if subject_class in _STATE_CLASSES or draws.chance(0.10):
            return self.copular_clause(subject, subject_class, tense=tense, depth=depth, quoted=quoted)
        verb = self._coined(self._verb_for(subject_class))
        adverb = draws.draw(self.lexicon.adverbs["preverb"]) if draws.chance(0.12) else None
        head = finite(verb.lemma, tense, plural=subject.plural, negative=negative, contracted=quoted, adverb=adverb)
        head.first(subject, "nsubj")
        self.complete(head, verb, depth=depth)
        if draws.chance(0.10) and subject_class in HUMAN and depth < 2 and not negative:
            self._coordinate_verbs(head, subject_class)
        else:
            self.adjoin(head, tense=tense, depth=depth, manner=verb.frame != "vm")
        return head

    def _verb_for(self, subject_class: str) -> Verb:
        if subject_class in HUMAN:
            frames = self.draws.draw(_HUMAN_FRAMES).split("+")
        else:
            frames = ["vm"] if subject_class == "measure" else ["vt", "vi", "vp", "vpt", "vpi"]
        return self.draws.draw(self.lexicon.verbs(*frames, subject=subject_class))

    def _coined(self, verb: Verb) -> Verb:
        """Return `verb`, or now and then one derived from it: re-elect."""
        if verb.frame == "vt" and self.draws.chance(0.05):
            return replace(verb, lemma="re-" + verb.lemma)
        return verb

    def _coordinate_verbs(self, head: Node, subject_class: str) -> None:
        """Add a second verb in the same form as `head`, with the same subject and auxiliaries."""
        draws = self.draws
        verb = draws.draw(self.lexicon.verbs("vt", "vp", "vpt", "vi", subject=subject_class))
        form = forms(verb.lemma)
        word = {"VB": form.lemma, "VBP": form.lemma, "VBZ": form.third, "VBD": form.past, "VBN": form.participle,
                "VBG": form.gerund}[head.tag]  # fmt: skip
        second = Node(word, head.tag, verb.lemma)
        second.before(Node(draws.pick(("and", "and", "and", "but", "or")), "CC"), "cc")
        self.complete(second, verb, depth=1)
        head.after(second, "conj")

    def complete(self, head: Node, verb: Verb, *, depth: int) -> None:
        """Add to the verb at `head` what its frame asks for."""
        draws = self.draws
        if verb.frame in ("vpt", "vpi") and verb.extra in ("in", "on"):
            # "moved in in May" and "went on on Monday" would be hard to read.
            self.timed = self.placed = True
        if verb.frame in ("vt", "vobjto"):
            head.after(self.noun_phrase(verb.objects, depth=depth), "obj")
            if verb.frame == "vobjto":
                head.after(self.infinitive(depth=depth + 1), "xcomp")
        elif verb.frame == "vobjbare":
            head.after(self.noun_phrase(verb.objects, depth=depth + 1), "obj")
            inner = draws.draw(self.lexicon.verbs("vt", "vi", "vp", subject="group"))
            bare = Node(inner.lemma, "VB")
            self.complete(bare, inner, depth=depth + 1)
            head.after(bare, "xcomp")
        elif verb.frame == "vp":
            head.after(words.with_case(self.noun_phrase(verb.objects, depth=depth), verb.extra), "obl")
        elif verb.frame == "vpt":
            particle, complement = Node(verb.extra, "RP"), self.noun_phrase(verb.objects, depth=depth + 1)
            if draws.chance(0.25) and not complement.right:
                head.after(complement, "obj").after(particle, "compound:prt")
            else:
                head.after(particle, "compound:prt").after(complement, "obj")
        elif verb.frame == "vpi":
            head.after(Node(verb.extra, "RP"), "compound:prt")
        elif verb.frame == "vto":
            head.after(self.infinitive(depth=depth + 1), "xcomp")
        elif verb.frame == "ving":
            inner = draws.draw(self.lexicon.verbs("vt", "vp", subject="body"))
            gerund = Node(forms(inner.lemma).gerund, "VBG", inner.lemma)
            self.complete(gerund, inner, depth=depth + 1)
            head.after(gerund, "xcomp")
        elif verb.frame == "vthat":
            content = self.clause(
                tense=draws.pick(("past", "would", "pluperfect", "past", "could", "might")), depth=depth + 1
            )
            if draws.chance(0.6):
                content.first(Node("that", "IN", universal="SCONJ"), "mark")
            head.after(content, "ccomp")
        elif verb.frame == "vm":
            self._measure_complements(head)

    def _measure_complements(self, head: Node) -> None:
        draws = self.draws
        if draws.chance(0.35):
            adverb = Node(draws.draw(self.lexicon.adverbs["measure"]), "RB")
            head.after(adverb, "advmod")
        if draws.chance(0.55):
            amount = words.percentage(draws) if draws.chance(0.75) else words.money(draws)
            if draws.chance(0.45):
                head.after(words.with_case(amount, "by"), "obl")
            else:
                head.after(amount, "obl:npmod")
        if draws.chance(0.4):
            head.after(words.with_case(words.money(draws), "to"), "obl")
        if draws.chance(0.2):
            head.after(words.with_case(words.money(draws), "from"), "obl")

    def infinitive(self, *, depth: int) -> Node:
        """Return a `to` infinitive with its complements."""
        verb = self.draws.draw(self.lexicon.verbs("vt", "vp", "vpt", "vi", subject=self.draws.pick(("body", "role"))))
        head = finite(verb.lemma, "infinitive", plural=False, negative=self.draws.chance(0.06))
        self.complete(head, verb, depth=depth + 1)
        return head

    def adjoin(self, head: Node, *, tense: str, depth: int, manner: bool = True) -> None:
        """Add adjuncts to the clause at `head`: time, place, manner, purpose, participles and subordinate clauses."""
        draws = self.draws
        if depth > 1:
            return
        if manner and draws.chance(0.10):
            head.after(Node(self.manner(), "RB"), "advmod")
        if not self.placed and draws.chance(0.30):
            self.placed = True
            head.after(self.place_phrase(), "obl")
        if not self.timed and tense in _TENSES_WITH_TIME and draws.chance(0.42):
            self.add_time(head, tense)
        # "They gave in in order to" and "in in talks" would be hard to read.
        dangling = bool(head.right) and head.right[-1].tag == "RP"
        if not dangling and draws.chance(0.08):
            phrase = self.noun_phrase(("talks", "issue", "program"), depth=2)
            word = draws.pick(("despite", "after", "before", "during", "because of", "under", "in", "without"))
            head.after(words.with_case(phrase, word), "obl")
        if depth > 0 and draws.chance(0.4):
            return
        if manner and draws.chance(0.07):
            purpose = self.infinitive(depth=1)
            if not dangling and draws.chance(0.2):
                purpose.first(Node("in", "IN", universal="SCONJ").after(Node("order", "NN"), "fixed"), "mark")
            head.after(purpose, "advcl")
        elif draws.chance(0.07):
            verb = draws.draw(self.lexicon.verbs("vt", subject=draws.pick(("talks", "text", "violence"))))
            participle = Node(forms(verb.lemma).gerund, "VBG", verb.lemma)
            self.complete(participle, verb, depth=1)
            head.after(comma(), "punct").after(participle, "advcl")
        elif draws.chance(0.14):
            self.subordinate(head, tense=tense, fronted=depth == 0 and draws.chance(0.35))

    def add_time(self, head: Node, tense: str, *, recent: bool = False) -> None:
        """Add a time: before the report's date, or after it if the tense is not a past one."""
        self.timed = True
        if tense == "perfect":
            time, relation = words.with_case(words.year(self.draws, self.date), "since"), "obl"
        elif tense in _PAST_TENSES:
            time, relation = words.past_time(self.draws, self.date, recent=recent)
        else:
            time, relation = words.future_time(self.draws, self.date)
        head.after(time, relation)

    def subordinate(self, head: Node, *, tense: str, fronted: bool) -> None:
        """Add a subordinate clause before or after the clause at `head`."""
        draws = self.draws
        word = draws.draw(_SUBORDINATORS)
        inner = self.clause(style="present" if tense in ("present", "will", "may", "can", "must") else "past", depth=2)
        tag, universal = ("WRB", "ADV") if word == "when" else ("IN", "SCONJ")
        inner.first(Node(word, tag, universal=universal), "advmod" if word == "when" else "mark")
        if fronted:
            head.first(comma(), "punct").first(inner, "advcl")
        else:
            if word in ("although", "while", "though"):
                head.after(comma(), "punct")
            head.after(inner, "advcl")

    def _passive_clause(self, subject: Node, subject_class: str, *, tense: str, depth: int, quoted: bool) -> Node:
        draws = self.draws
        verb = self._coined(draws.draw(self.lexicon.verbs_with_object(subject_class)))
        adverb = draws.draw(self.lexicon.adverbs["preverb"]) if draws.chance(0.10) else None
        head = finite(
            verb.lemma,
            tense,
            plural=subject.plural,
            passive=True,
            negative=draws.chance(0.05),
            contracted=quoted,
            adverb=adverb,
        )
        head.first(subject, "nsubj:pass")
        if draws.chance(0.4):
            agent = self.noun_phrase(HUMAN, depth=depth + 1)
            head.after(words.with_case(agent, "by"), "obl:agent")
        self.adjoin(head, tense=tense, depth=depth)
        return head

    def copular_clause(self, subject: Node, subject_class: str, *, tense: str, depth: int, quoted: bool) -> Node:
        """Return a clause with be (or remain, seem) and an adjective, a noun or a prepositional phrase."""
        draws = self.draws
        if draws.chance(0.15):
            verb = draws.draw(self.lexicon.verbs("vadj", subject="text"))
            head = finite(verb.lemma, tense, plural=subject.plural)
            head.first(subject, "nsubj").after(Node(self._predicative(subject_class).lemma, "JJ"), "xcomp")
            self.adjoin(head, tense=tense, depth=depth)
            return head
        u = draws.uniform()
        if u < 0.58:
            adjective = self._predicative(subject_class)
            predicate = Node(adjective.lemma, "JJ")
            compared = draws.uniform()
            if compared < 0.14:
                predicate = self.compare(adjective, "er")
                if draws.chance(0.6):
                    standard = self.noun_phrase((subject_class,), depth=2)
                    predicate.after(words.with_case(standard, "than"), "obl")
            elif compared < 0.20:
                standard = self.noun_phrase((subject_class,), depth=2)
                predicate.before(Node("as", "RB"), "advmod").after(words.with_case(standard, "as"), "obl")
            elif compared < 0.36:
                predicate.before(Node(draws.draw(self.lexicon.adverbs["degree"]), "RB"), "advmod")
        elif u < 0.90 or subject_class not in HUMAN:
            predicate = self.noun_phrase((subject_class,), depth=depth + 1, plural=subject.plural)
        else:
            predicate = words.with_case(
                self.noun_phrase(("talks", "ill", "violence"), depth=2), draws.pick(("against", "behind", "without"))
            )
        self.add_copula(predicate, subject, tense, quoted=quoted)
        self.adjoin(predicate, tense=tense, depth=max(depth, 1), manner=False)
        return predicate

    def _predicative(self, noun_class: str) -> Adjective:
        """Return an adjective that can stand after be: one that can be compared."""
        while True:
            adjective = self.draws.draw(self.lexicon.adjectives[noun_class])
            if adjective.grade != "none":
                return adjective

    def add_copula(self, predicate: Node, subject: Node, tense: str, *, quoted: bool = False) -> None:
        """Put the subject and the forms of be before a predicate that is not a verb."""
        skeleton = finite(
            "be", "past" if tense == "past progressive" else "present" if tense == "progressive" else tense,
            plural=subject.plural,
        )  # fmt: skip
        singular_now = skeleton.tag == "VBZ"
        if skeleton.tag == "VBD":
            skeleton.word = "were" if subject.plural else "was"
        elif skeleton.tag in ("VBZ", "VBP"):
            skeleton.word = "are" if subject.plural else "is"
        if quoted and singular_now and (subject.tag == "PRP" or self.draws.chance(0.3)) and not subject.right:
            skeleton.word = "'s"
        elif quoted and skeleton.tag == "VBP" and subject.tag == "PRP":
            skeleton.word = "'re"
        skeleton.universal = "AUX"
        auxiliaries, skeleton.left = skeleton.left, []
        parts = [(subject, "nsubj"), *((part, part.relation) for part in auxiliaries), (skeleton, "cop")]
        if self.draws.chance(0.12):
            adverb = Node(self.draws.draw(self.lexicon.adverbs["preverb"]), "RB")
            # "is usually", but "would usually be".
            parts.insert(len(parts) - bool(auxiliaries), (adverb, "advmod"))
        elif self.draws.chance(0.10) and skeleton.tag in ("VBZ", "VBP", "VBD"):
            parts.append((Node("n't" if quoted and skeleton.word[0] != "'" else "not", "RB", "not", "PART"), "advmod"))
        for part, relation in reversed(parts):
            predicate.first(part, relation)

    def modify_by_clause(self, head: Node, noun_class: str) -> None:
        """Put a relative clause, a participle or an infinitive after `head`."""
        draws = self.draws
        u = draws.uniform()
        object_verbs = noun_class not in ("place", "weather", "measure")
        if u < 0.46 and object_verbs:
            verb = draws.draw(self.lexicon.verbs_with_object(noun_class))
            participle = Node(forms(verb.lemma).participle, "VBN", verb.lemma)
            if draws.chance(0.4):
                agent = self.noun_phrase(HUMAN, depth=2)
                participle.after(words.with_case(agent, "by"), "obl:agent")
            elif draws.chance(0.7):
                time, relation = words.past_time(draws, self.date)
                participle.after(time, relation)
            else:
                participle.after(self.place_phrase(), "obl")
            head.after(participle, "acl")
        elif noun_class in ("remark", "feeling") and u < 0.75:
            inner = self.clause(style="reported", depth=2)
            head.after(inner.first(Node("that", "IN", universal="SCONJ"), "mark"), "acl")
        elif u < 0.54 and noun_class in ("text", "program", "issue"):
            head.after(self.infinitive(depth=2), "acl")
        elif u < 0.64 and noun_class in ("role", "group", "talks", "text"):
            verb = draws.draw(self.lexicon.verbs("vt", "vp", subject=noun_class))
            participle = Node(forms(verb.lemma).gerund, "VBG", verb.lemma)
            self.complete(participle, verb, depth=2)
            head.after(participle, "acl")
        elif u < 0.84 or not object_verbs:
            self._subject_relative(head, noun_class)
        else:
            self._object_relative(head, noun_class)

    def _subject_relative(self, head: Node, noun_class: str) -> None:
        draws = self.draws
        human = noun_class in ("role", "group")
        word, tag = ("who", "WP") if human else draws.pick((("that", "WDT"), ("which", "WDT"), ("that", "WDT")))
        tense = draws.pick(("past", "past", "present", "perfect"))
        if noun_class in _STATE_CLASSES:
            predicate = Node(self._predicative(noun_class).lemma, "JJ")
            pro = Node(word, tag)
            pro.plural = head.plural
            self.add_copula(predicate, pro, tense)
            relative = predicate
        else:
            verb = draws.draw(
                self.lexicon.verbs("vm", subject="measure") if noun_class == "measure"
                else self.lexicon.verbs("vt", "vp", "vi", "vpt", "vto", subject=noun_class)
            )  # fmt: skip
            relative = finite(verb.lemma, tense, plural=head.plural, negative=draws.chance(0.05))
            relative.first(Node(word, tag), "nsubj")
            self.complete(relative, verb, depth=2)
        if word == "which":
            head.after(comma(), "punct").after(relative, "acl:relcl").after(comma(), "punct")
        else:
            head.after(relative, "acl:relcl")

    def _object_relative(self, head: Node, noun_class: str) -> None:
        draws = self.draws
        verb = draws.draw(self.lexicon.verbs_with_object(noun_class))
        subject = self.noun_phrase(HUMAN, depth=3)
        relative = finite(verb.lemma, draws.pick(("past", "perfect", "past", "would")), plural=subject.plural)
        relative.first(subject, "nsubj")
        if draws.chance(0.45):
            human = noun_class in ("role", "group")
            relative.first(Node("whom", "WP") if human else Node("that", "WDT"), "obj")
        head.after(relative, "acl:relcl")
