"""Verbs with their auxiliaries."""

from __future__ import annotations

from newsroom.trees import Node
from nlpcalib.systems.text.inflection import forms

MODALS = ("will", "would", "could", "might", "may", "should", "must", "can")


def finite(
    lemma: str, tense: str, *, plural: bool, passive: bool = False, negative: bool = False,
    contracted: bool = False, adverb: str | None = None,
) -> Node:  # fmt: skip
    """Return the verb `lemma` with its auxiliaries, negation and adverb; the caller adds subject and complements.

    `tense` is "past", "present", "perfect", "pluperfect", "progressive", "past progressive", "infinitive", "bare" or
    a modal. `contracted` makes n't (and 's, 're) where English does.
    """
    form = forms(lemma)
    be_now = ("are", "VBP", "be") if plural else ("is", "VBZ", "be")
    be_then = ("were" if plural else "was", "VBD", "be")
    main = (form.participle, "VBN") if passive else (form.lemma, "VB")
    chain: list[tuple[str, str, str]]
    if tense in MODALS:
        chain = [(tense, "MD", tense)]
        if passive:
            chain.append(("be", "VB", "be"))
    elif tense in ("progressive", "past progressive"):
        chain = [be_now if tense == "progressive" else be_then]
        if passive:
            chain.append(("being", "VBG", "be"))
        else:
            main = (form.gerund, "VBG")
    elif tense in ("perfect", "pluperfect"):
        now = ("have", "VBP", "have") if plural else ("has", "VBZ", "have")
        chain = [now if tense == "perfect" else ("had", "VBD", "have")]
        if passive:
            chain.append(("been", "VBN", "be"))
        main = (form.participle, "VBN")
    elif tense in ("infinitive", "bare"):
        chain = [("to", "TO", "to")] if tense == "infinitive" else []
        if passive:
            chain.append(("be", "VB", "be"))
    elif passive:
        chain = [be_now if tense == "present" else be_then]
    elif negative:
        chain = [("did", "VBD", "do") if tense == "past" else ("do", "VBP", "do") if plural else ("does", "VBZ", "do")]
    elif lemma == "be":
        chain, main = [], (be_then if tense == "past" else be_now)[:2]
    elif tense == "past":
        chain, main = [], (form.past, "VBD")
    else:
        chain, main = [], (form.lemma, "VBP") if plural else (form.third, "VBZ")
    verb = Node(*main, lemma)
    for position, (word, tag, aux_lemma) in enumerate(chain):
        auxiliary = Node(word, tag, aux_lemma)
        is_passive = passive and aux_lemma == "be" and position == len(chain) - 1
        verb.before(auxiliary, "mark" if tag == "TO" else "aux:pass" if is_passive else "aux")
        if position == 0 and tag != "TO":
            if negative:
                _negate(verb, auxiliary, contracted=contracted)
            if adverb:
                verb.before(Node(adverb, "RB"), "advmod")
    if tense == "infinitive" and negative:
        verb.first(Node("not", "RB", "not"), "advmod")
    if not chain and adverb:
        verb.before(Node(adverb, "RB"), "advmod")
    return verb


def _negate(verb: Node, auxiliary: Node, *, contracted: bool) -> None:
    if contracted and auxiliary.word not in ("may", "might"):
        auxiliary.word = {"will": "wo", "can": "ca"}.get(auxiliary.word, auxiliary.word)
        verb.before(Node("n't", "RB", "not"), "advmod")
    else:
        verb.before(Node("not", "RB", "not"), "advmod")
