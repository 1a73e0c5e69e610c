"""Whether what a verb or noun reports is asserted: or negated, not said to have happened, alleged, or long past."""

from __future__ import annotations

import datetime
import re
from functools import cache
from pathlib import Path

from nlpcalib.corpora.tree import Tree
from nlpcalib.events.clauses import Clauses
from nlpcalib.events.nominal import NominalClauses

STATUSES = ("negated", "modal", "reported", "past")
_REPORTING = frozenset({"ccomp", "advcl", "xcomp", "acl", "obl", "nmod", "obj", "nsubj"})
_NEAR = 3
_YEAR = re.compile(r"(?:1[89]|20)[0-9][0-9]")
_NO = frozenset({"no", "without", "neither"})


def verb_status(tree: Tree, clauses: Clauses, verb: int, date: datetime.date | None) -> dict[str, bool]:
    """Return the flags of a verb."""
    flags = clauses.flags(verb)
    flags["modal"] |= _has_mark(tree, verb) or tree.words[max(verb - 1, 0)] == "test"
    return {**flags, "reported": _reported(tree, verb), "past": _past(tree, verb, date)}


def noun_status(
    tree: Tree, clauses: Clauses, nominal: NominalClauses, noun: int, date: datetime.date | None
) -> dict[str, bool]:
    """Return the flags of a noun: by its modifiers, by the verb that carries it, and by what governs it."""
    near = {_contexts().get(tree.words[word], "") for word in tree.children[noun] if word < noun}
    head = tree.heads[noun]
    if head >= 0 and tree.relations[noun] in ("nmod", "compound", "obl", "obj", "conj"):
        near.add(_contexts().get(tree.words[head], ""))
    negated = "negated" in near or any(tree.words[word] in _NO for word in tree.dependents(noun, "det", "case"))
    modal = "modal" in near
    for verb, _, status in nominal.carriers(noun):
        flags = clauses.flags(verb)
        negated |= flags["negated"] or status == "negated"
        modal |= flags["modal"] or status == "modal" or _has_mark(tree, verb)
    if head >= 0 and tree.relations[noun] == "nsubj" and tree.tags[head].startswith("VB"):
        flags = clauses.flags(head)
        negated, modal = negated | flags["negated"], modal | flags["modal"]
    return {
        "negated": negated,
        "modal": modal,
        "reported": "reported" in near or _reported(tree, noun),
        "past": "past" in near or _past(tree, noun, date),
    }


def is_suspected(tree: Tree, actor: int) -> bool:
    """Return whether an actor, by its head, is said to be suspected or alleged."""
    return any(_contexts().get(tree.words[word]) == "reported" for word in tree.dependents(actor, "amod"))


def _has_mark(tree: Tree, verb: int) -> bool:
    """Return whether a verb is an infinitive that modifies a noun (a plan to attack)."""
    return tree.relations[verb] == "acl" and any(tree.words[word] == "to" for word in tree.dependents(verb, "mark"))


def _reported(tree: Tree, word: int) -> bool:
    """Return whether a word is said of somebody who is accused of it or suspected, or hedged by an adverb."""
    if any(_contexts().get(tree.words[child]) == "reported" for child in tree.dependents(word, "advmod")):
        return True
    return _governed(tree, word, "reported")


def _past(tree: Tree, word: int, date: datetime.date | None) -> bool:
    """Return whether a word is governed by what looks back (the trial for), or has a year before the last."""
    if _governed(tree, word, "past"):
        return True
    if date is None:
        return False
    near = [*tree.children[word], *(each for child in tree.children[word] for each in tree.children[child])]
    years = [int(tree.words[each]) for each in near if _YEAR.fullmatch(tree.words[each])]
    return bool(years) and max(years) < date.year - 1


def _governed(tree: Tree, word: int, status: str) -> bool:
    for _ in range(_NEAR):
        relation, head = tree.relations[word], tree.heads[word]
        if head < 0 or relation not in _REPORTING:
            return False
        if relation != "nsubj" and _contexts().get(tree.words[head]) == status:
            return True
        word = head
    return False


@cache
def _contexts() -> dict[str, str]:
    rows = (Path(__file__).parent / "nominal" / "contexts.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {form: status for status, forms in (row.split("\t") for row in rows) for form in forms.split()}
