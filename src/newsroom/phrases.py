"""What the grammar needs of the lexicon: nouns, verbs and what goes with them, and how clauses start.

A method `write_x` writes the part `x` of a row of the grammar.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from newsroom.cast import Actor
from newsroom.grammar import Context
from newsroom.lexicon import (
    HUMAN,
    Adjective,
    Noun,
    Verb,
    choices,
    complements,
    compound_classes,
    forms,
    makes_modifier,
    shares,
    weighted,
)
from newsroom.setting import Setting
from newsroom.trees import Node

_TENSES = {style: weighted(f"{style} tenses") for style in ("narrative", "reported", "quoted", "past")}
"""Tenses by the place of a clause: as narrative, after "said", between quotation marks, or with a main clause."""
_SUBJECT_CLASSES = weighted("subjects")
_PASSIVE_SHARE = shares("shares of passives")
_HUMAN_FRAMES = weighted("frames of human subjects")
_STATE_CLASSES = ("good", "feeling", "ill", "resource", "activity", "goods", "place", "object", "weather", "remark")
"""Classes that a clause describes by what they are like, not by what they do."""
_NEVER_OBJECTS = ("place", "weather", "measure")
_NO_ADVERB = choices("adjectives without adverb")


class Writer(Setting):
    """Phrases and clauses about one topic, at the date of one report."""

    # Clauses

    def clause(self, style: str, *, actor: Actor | None = None, depth: int = 0) -> Node:
        """Return a clause about `actor` or about something new; `style` chooses the tense."""
        draws = self.draws
        if style == "measure":
            style, noun_class = "past", "measure"
        else:
            noun_class = actor.noun_class if actor else draws.draw(_SUBJECT_CLASSES)
        measured = noun_class == "measure"
        tense = draws.draw(_TENSES[style])
        context: Context = {"depth": depth, "style": style, "tense": tense, "class": noun_class, "actor": actor}
        if actor and actor.armed:
            return self.phrase("movement", context)
        if not actor and draws.chance(_PASSIVE_SHARE.get(noun_class, 0.0)):
            return self.phrase("passive", {**context, "verb": self._verb(object_class=noun_class)})
        if noun_class in _STATE_CLASSES or (not measured and draws.chance(0.1)):
            return self.phrase("copular", context)
        if noun_class in HUMAN:
            frames = draws.draw(_HUMAN_FRAMES).split("+")
        else:
            frames = ["vm"] if measured else ["vt", "vi", "vp", "vpt", "vpi"]
        return self.phrase("active", {**context, "verb": self._verb(*frames, subject=noun_class)})

    def write_clause(self, context: Context, style: str) -> Node:
        """Return a clause inside of another."""
        return self.clause(style, depth=context.get("depth", 0) + 1)

    def write_subject(self, context: Context) -> Node:
        """Return the subject of a clause."""
        actor = context["actor"]
        return self.cast.refer(actor) if actor else self.np(context["class"], context["depth"])

    def _verb(self, *frames: str, subject: str = "body", object_class: str | None = None) -> Verb:
        """Return a verb in one of `frames`, or one that takes objects of a class."""
        lexicon = self.lexicon
        table = lexicon.verbs_with_object(object_class) if object_class else lexicon.verbs(*frames, subject=subject)
        return self.draws.draw(table)

    def write_predicate(self, context: Context) -> Node:
        """Return the verb of a clause, perhaps negated or with an adverb."""
        adverb = self.draws.draw(self.lexicon.adverbs["preverb"]) if self.draws.chance(0.1) else None
        negative = self.draws.chance(0.05)
        return self.verb(context, context["verb"].lemma, context["tense"], negative=negative, adverb=adverb)

    def write_complement(self, context: Context) -> Any:
        """Return what the frame of the verb asks for."""
        verb: Verb = context["verb"]
        if verb.extra in ("in", "on") and verb.frame in ("vpt", "vpi"):
            # "moved in in May" and "went on on Monday" would be hard to read.
            self.timed = self.placed = True
        return self.write(verb.frame, {**context, "objects": "|".join(verb.objects), "extra": verb.extra})

    def _with_complement(self, verb: Verb, word: str, tag: str, context: Context) -> Node:
        """Return a form of `verb` that is not finite, with its complement."""
        head = Node(word, tag, verb.lemma)
        head.right = self.write_complement({"depth": context.get("depth", 0) + 1, "verb": verb, "style": "past"})
        return head

    def write_infinitive(self, context: Context) -> Node:
        """Return a `to` infinitive with its complement."""
        verb = self._verb("vt", "vp", "vpt", "vi", subject=self.draws.pick(("body", "role")))
        return self._with_complement(verb, verb.lemma, "VB", context).first(Node("to", "TO"), "mark")

    def write_bare_verb(self, context: Context) -> Node:
        """Return an infinitive without `to`."""
        verb = self._verb("vt", "vi", "vp", subject="group")
        return self._with_complement(verb, verb.lemma, "VB", context)

    def write_will_do(self, context: Context) -> Node:
        """Return what somebody will do or did."""
        verb = self._verb("vt")
        head = self.verb({}, verb.lemma, self.draws.pick(("will", "would", "past")))
        head.right = self.write_complement({"depth": 1, "verb": verb, "style": "quoted"})
        return head

    def write_gerund(self, context: Context, noun_class: str) -> Node | None:
        """Return a gerund, or participle of the present, of a verb whose subject is of a class."""
        subject = self.draws.pick(noun_class.split("|"))
        if not self.lexicon.verbs("vt", "vp", subject=subject).items:
            return None
        verb = self._verb("vt", "vp", subject=subject)
        return self._with_complement(verb, forms(verb.lemma).gerund, "VBG", context)

    def write_verb_of(self, context: Context, subject: str) -> Node:
        """Return what we, or I, do."""
        verb = self._verb("vt", "vp", "vto", "vpt")
        tense = self.draws.pick(("present", "past", "perfect", "will", "can", "must", "would"))
        head = self.verb(context, verb.lemma, tense, negative=self.draws.chance(0.15))
        head.right = self.write_complement({"depth": 1, "verb": verb, "style": "quoted"})
        return head

    def write_does(self, context: Context) -> Node:
        """Return the verb of a relative clause whose object is the noun before it."""
        tense = self.draws.pick(("past", "past", "perfect", "would"))
        return self.verb({**context, "passive": False}, self._verb(object_class=context["class"]).lemma, tense)

    def write_done(self, context: Context) -> Node | None:
        """Return the past participle of a verb that has the noun before it as its object."""
        verb = self._verb(object_class=context["class"])
        return Node(forms(verb.lemma).participle, "VBN", verb.lemma)

    def write_participial(self, context: Context) -> Node | None:
        """Return a reduced relative clause: the road closed on Monday."""
        return None if context["class"] in _NEVER_OBJECTS else self.phrase("participial", context)

    def write_relative(self, context: Context) -> Any:
        """Return a relative clause whose subject is the noun before it."""
        noun_class = context["class"]
        if noun_class in _STATE_CLASSES or noun_class == "measure":
            return None
        verb = self._verb("vt", "vp", "vi", "vpt", "vto", subject=noun_class)
        tense = self.draws.pick(("past", "past", "present", "perfect"))
        kind = "relative_human" if noun_class in ("role", "group") else "relative_thing"
        return self.write(kind, {**context, "verb": verb, "tense": tense})

    def write_relative_object(self, context: Context) -> Any:
        """Return a relative clause whose object is the noun before it."""
        if context["class"] in (*_NEVER_OBJECTS, *HUMAN):
            return None
        return self.row("relative_object", context)

    # Noun phrases

    def np(self, classes: str, depth: int, *, plural: bool | None = None, determiners: str = "det") -> Node:
        """Return a new noun phrase headed by a noun of one of `classes`; `plural` where its number is given.

        `determiners` names the rows of its determiner: `det`, or `new` where English has an indefinite one.
        """
        draws = self.draws
        noun_class = draws.pick(classes.split("|"))
        noun = self._noun(noun_class)
        if plural is None:
            plural = draws.chance(0.46)
        if noun.number != "count":
            plural = noun.number == "plural"
        context = {"depth": depth + 1, "class": noun_class, "noun": noun, "plural": plural,
                   "determiners": determiners}  # fmt: skip
        nominal = self.cast.description(noun_class, plural=plural) if noun_class in HUMAN else ""
        if nominal and draws.chance(0.5 * self.difficulty.rivals):
            return self.phrase("namesake", {**context, "nominal": nominal})
        if noun_class == "body" and not plural and draws.chance(0.25):
            return self.phrase("institution", context)
        if noun_class == "role" and not plural and draws.chance(0.25):
            return self.phrase("person", context)
        return self.phrase("common", context)

    def write_np(self, context: Context, classes: str) -> Node:
        """Return a noun phrase inside of another phrase."""
        return self.np(classes, context.get("depth", 0))

    def write_single(self, context: Context, classes: str) -> Node:
        """Return a singular noun phrase."""
        return self.np(classes, context.get("depth", 0), plural=False)

    def write_plural(self, context: Context, classes: str) -> Node:
        """Return a plural noun phrase."""
        return self.np(classes, context.get("depth", 0), plural=True)

    def write_single_new(self, context: Context, classes: str) -> Node:
        """Return a singular noun phrase that is not definite."""
        return self.np(classes, context.get("depth", 0), plural=False, determiners="new")

    def write_plural_new(self, context: Context, classes: str) -> Node:
        """Return a plural noun phrase that is not definite."""
        return self.np(classes, context.get("depth", 0), plural=True, determiners="new")

    def write_same(self, context: Context, classes: str) -> Node:
        """Return a noun phrase with the number of the subject."""
        return self.np(classes, context["depth"] + 1, plural=context.get("plural"))

    def write_bare(self, context: Context, classes: str) -> Node:
        """Return a singular noun alone."""
        noun = self._noun(self.draws.pick(classes.split("|")))
        self.used_nouns.add(noun.lemma)
        return Node(noun.lemma, "NN")

    def write_bare_object(self, context: Context) -> Node:
        """Return a short object that stands before a particle."""
        return self.write_bare(context, context["objects"]).before(Node("the", "DT"), "det")

    def write_noun(self, context: Context) -> Node:
        """Return the noun of a noun phrase."""
        noun: Noun = context["noun"]
        self.used_nouns.add(noun.lemma)
        return Node(noun.plural, "NNS", noun.lemma) if context["plural"] else Node(noun.lemma, "NN")

    def _noun(self, noun_class: str) -> Noun:
        """Return a noun of the class; by the difficulty a compound that few texts share: oiltreaty."""
        draws = self.draws
        noun = draws.draw(self.lexicon.nouns[noun_class])
        if noun.number == "plural" or not draws.chance(self.difficulty.coined):
            return noun
        modifier = draws.draw(self.lexicon.nouns[draws.pick(compound_classes(noun_class))]).lemma
        return replace(noun, lemma=modifier + noun.lemma, plural=modifier + noun.plural)

    def write_determiner(self, context: Context) -> list[Node]:
        """Return the determiner; a noun that the report has used already is another one."""
        noun: Noun = context["noun"]
        number = "plural" if context["plural"] else "mass" if noun.number == "mass" else "singular"
        parts: list[Node] = self.row(f"{context['determiners']}_{number}", context)
        if noun.lemma in self.used_nouns and parts and parts[0].lemma in ("the", "this", "that", "these", "those"):
            parts = self.row(f"again_{number}", context)
        return parts

    def write_count(self, context: Context) -> Any:
        """Return a number, if the noun is one that news counts."""
        return self.row("count", context) if context["class"] in (*HUMAN, "building", "vehicle", "text") else []

    def write_owner(self, context: Context) -> Node:
        """Return somebody of this sentence as a possessive, or somebody new."""
        return self.cast.possessor() or self.phrase("owner", context)

    def write_ownership(self, context: Context) -> Node:
        """Return a short noun phrase that can own something."""
        noun = self._noun(self.draws.pick(("body", "role")))
        article = "a" if noun.lemma in self.used_nouns else "the"
        self.used_nouns.add(noun.lemma)
        return Node(noun.lemma, "NN").before(Node(article, "DT"), "det")

    def write_prenoun(self, context: Context) -> Node | None:
        """Return a noun that modifies the one after it."""
        modifier = self._noun(self.draws.pick(compound_classes(context["class"])))
        return None if modifier.number == "plural" else Node(modifier.lemma, "NN")

    def write_of_or_in(self, context: Context) -> Node:
        """Return a prepositional phrase that nouns of the class take."""
        word, classes = self.draws.pick(complements(context["class"]))
        plural = True if word in ("between", "among") else None
        inner = self.np("|".join(classes), context["depth"], plural=plural)
        inner.relation = "nmod"
        return inner.first(Node(word, "TO" if word == "to" else "IN"), "case")

    def write_capital(self, context: Context, classes: str) -> Node:
        """Return a common noun as a word of a name."""
        return Node(self.draws.draw(self.lexicon.nouns[self.draws.pick(classes.split("|"))]).lemma.capitalize(), "NNP")

    def _adjective(self, noun_class: str, *, graded: bool = False) -> Adjective:
        while True:
            adjective = self.draws.draw(self.lexicon.adjectives[noun_class])
            if adjective.grade != "none" or not graded:
                return adjective

    def write_adjective(self, context: Context) -> Node:
        """Return an adjective, by the difficulty a coined one."""
        if self.draws.chance(self.difficulty.coined / 3):
            return self._coined_modifier()
        return Node(self._adjective(context["class"]).lemma, "JJ")

    def write_gradable(self, context: Context) -> Node:
        """Return an adjective that can stand after be."""
        return Node(self._adjective(context["class"], graded=True).lemma, "JJ")

    def write_comparative(self, context: Context) -> Node:
        """Return a comparative."""
        return self._compared(context["class"], "er", "JJR", ("more", "RBR"))

    def write_most(self, context: Context) -> Node:
        """Return a superlative."""
        return self._compared("violence", "est", "JJS", ("most", "RBS"))

    def _compared(self, noun_class: str, ending: str, tag: str, adverb: tuple[str, str]) -> Node:
        adjective = self._adjective(noun_class, graded=True)
        if adjective.grade == "suffix":
            return Node(adjective.compared(ending), tag, adjective.lemma)
        return Node(adjective.lemma, "JJ").before(Node(*adverb, "much"), "advmod")

    def write_participle(self, context: Context) -> Node | None:
        """Return a participle before its noun: the proposed treaty."""
        if context["class"] in _NEVER_OBJECTS:
            return None
        lemma = self.draws.draw(self.lexicon.verbs_with_object(context["class"])).lemma
        return Node(forms(lemma).participle, "VBN", lemma) if makes_modifier(lemma) else None

    def write_moving(self, context: Context) -> Node | None:
        """Return a participle of the present before its noun: rising prices."""
        if context["class"] in _STATE_CLASSES:
            return None
        lemma = self.draws.draw(self.lexicon.verbs("vi", "vm", subject=context["class"])).lemma
        return Node(forms(lemma).gerund, "VBG", lemma)

    def _coined_modifier(self) -> Node:
        """Return a hyphenated adjective made for the occasion."""
        draws, lexicon = self.draws, self.lexicon
        return Node(
            draws.pick(choices("coined modifiers")).format(
                country=draws.draw(self.world.prominence).adjective.split()[-1],
                noun=draws.draw(lexicon.nouns[draws.pick(("goods", "good", "talks", "text", "weapon"))]).lemma,
                small=draws.pick(("two", "three", "four", "five", "ten")),
                number=draws.between(11, 90),
                done=forms(draws.draw(lexicon.verbs_with_object("text")).lemma).participle,
                year=self.date.year - draws.between(1, 40),
            ),
            "JJ",
        )

    # Adverbs, numbers, times and places

    def write_adverb(self, context: Context, kind: str) -> Node:
        """Return an adverb of a kind."""
        return Node(self.draws.draw(self.lexicon.adverbs[kind]), "RB")

    def write_manner(self, context: Context) -> Node:
        """Return an adverb of manner: from the list, or made from an adjective."""
        adjective = self._adjective(self.draws.pick(("violence", "text", "feeling")))
        stem = adjective.lemma
        if adjective.grade == "suffix" or stem.endswith(("ly", "ed")) or stem in _NO_ADVERB or self.draws.chance(0.4):
            return self.write_adverb(context, "manner")
        if stem.endswith("ic"):
            return Node(stem + "ally", "RB")
        return Node(
            stem[:-1] + "y" if stem.endswith("le") else stem[:-1] + "ily" if stem.endswith("y") else stem + "ly", "RB"
        )
