"""Whether what a verb or noun reports is asserted, or else negated, left open, alleged or long past."""

from __future__ import annotations

import datetime
import re
from functools import cache
from pathlib import Path

from nlpcalib.events.read.clauses import Clauses, inflections
from nlpcalib.events.read.nominal import NominalClauses
from nlpcalib.text.tree import Tree

STATUSES = ("negated", "modal", "reported", "past")
_REPORTING = frozenset({"ccomp", "advcl", "xcomp", "acl", "obl", "nmod", "obj", "nsubj"})
_NEAR = 3
_PRESUPPOSING = frozenset({"after", "amid", "despite", "during", "face", "following", "since", "wake"})
_LASTING = frozenset(
    {"ban", "bans", "blockade", "embargo", "embargoes", "occupation", "sanction", "sanctions", "tariff", "tariffs"}
)
"""Acts that last until they are lifted."""
_CLAIMING = frozenset(form for verb in ("acknowledge", "admit", "claim", "confess") for form in inflections(verb))
_FORESEEING = frozenset(
    form
    for verb in (
        "ask",
        "call",
        "expect",
        "fear",
        "pledge",
        "plan",
        "predict",
        "threaten",
        "urge",
        "vow",
        "want",
        "warn",
    )
    for form in inflections(verb)
)
_ENABLING = frozenset(
    form
    for verb in ("allow", "authorise", "authorize", "deploy", "dispatch", "order", "permit", "prepare", "send", "train")
    for form in inflections(verb)
)
_BORDERING = frozenset({"brink", "close", "ready", "verge"})
_YEAR = re.compile(r"(?:1[89]|20)[0-9][0-9]")
_NO = frozenset({"no", "without", "neither"})


def verb_status(tree: Tree, clauses: Clauses, verb: int, date: datetime.date | None) -> dict[str, bool]:
    """Return the flags of a verb."""
    flags = clauses.flags(verb)
    head = tree.heads[verb]
    claimed = head >= 0 and tree.relations[verb] == "ccomp" and tree.words[head] in _CLAIMING
    flags["modal"] |= _has_mark(tree, verb) or tree.words[max(verb - 1, 0)] == "test" or _is_left_open(tree, verb)
    reported = _reported(tree, verb) or (claimed and not _is_of_claimer(tree, verb))
    if flags["modal"] and _is_perfect_infinitive(tree, verb):
        # The rebels claim to have captured the town; others are said to have done it.
        claims = head >= 0 and tree.words[head] in _CLAIMING
        flags["modal"], reported = False, reported or not claims
    return {**flags, "reported": reported, "past": _past(tree, verb, date)}


def noun_status(
    tree: Tree, clauses: Clauses, nominal: NominalClauses, noun: int, date: datetime.date | None
) -> dict[str, bool]:
    """Return the flags of a noun: by its modifiers, by the verb that carries it, and by what governs it."""
    near = {_contexts().get(tree.words[word], "") for word in tree.children[noun] if word < noun}
    head = tree.heads[noun]
    governed = head >= 0 and tree.relations[noun] in ("nmod", "compound", "obl", "obj", "conj")
    if governed and not _is_presupposed(tree, noun):
        near.add(_contexts().get(tree.words[head], ""))
    in_force = False
    negated = "negated" in near or any(tree.words[word] in _NO for word in tree.dependents(noun, "det", "case"))
    start = min([noun, *tree.children[noun]])
    modal = "modal" in near or "ahead" in tree.words[max(start - 1, 0) : start + 1]
    for verb, _, status in nominal.carriers(noun):
        flags = clauses.flags(verb)
        left_open = flags["modal"] or status == "modal" or _has_mark(tree, verb) or _is_left_open(tree, verb)
        # What somebody promises to lift is in force.
        in_force |= status == "negated" and left_open and not flags["negated"] and tree.words[noun] in _LASTING
        negated |= flags["negated"] or status == "negated"
        modal |= left_open
    if head >= 0 and tree.relations[noun] == "nsubj" and tree.tags[head].startswith("VB"):
        flags = clauses.flags(head)
        negated, modal = negated | flags["negated"], modal | flags["modal"]
    return {
        "negated": negated and not in_force,
        "modal": modal and not in_force,
        "reported": "reported" in near or _reported(tree, noun),
        "past": "past" in near or _past(tree, noun, date),
    }


def is_suspected(tree: Tree, actor: int) -> bool:
    """Return whether an actor, by its head, is called suspected or alleged."""
    return any(_contexts().get(tree.words[word]) == "reported" for word in tree.dependents(actor, "amod"))


def _has_mark(tree: Tree, verb: int) -> bool:
    """Return whether a verb is an infinitive that modifies a noun (a plan to attack)."""
    return tree.relations[verb] == "acl" and any(tree.words[word] == "to" for word in tree.dependents(verb, "mark"))


def _is_perfect_infinitive(tree: Tree, verb: int) -> bool:
    marked = any(tree.words[word] == "to" for word in tree.dependents(verb, "mark"))
    return marked and any(tree.words[word] == "have" for word in tree.dependents(verb, "aux"))


def _is_of_claimer(tree: Tree, verb: int) -> bool:
    """Return whether a verb's subject can be who claims it (the army claims it captured the town; its troops did)."""
    subjects = tree.dependents(verb, "nsubj")
    owners = [owner for subject in subjects for owner in tree.dependents(subject, "nmod:poss")]
    return any(tree.tags[word].startswith("PRP") for word in (*subjects, *owners))


def _is_left_open(tree: Tree, verb: int) -> bool:
    """Return whether a verb depends on what leaves it open: warn that, call on somebody to, close to being."""
    head = tree.heads[verb]
    if head < 0 or tree.relations[verb] not in ("ccomp", "advcl", "acl"):
        return False
    marks = {tree.words[word] for word in tree.dependents(verb, "mark")}
    if tree.words[head] in _FORESEEING:
        return tree.relations[verb] == "ccomp" or "to" in marks
    return "to" in marks and (tree.words[head] in _ENABLING or tree.words[head] in _BORDERING)


def _reported(tree: Tree, word: int) -> bool:
    """Return whether a word is only an accusation or suspicion, or hedged by an adverb."""
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
    if tree.relations[word] == "nmod":
        near += tree.children[tree.heads[word]]  # the 1989 crackdown on protesters
    years = [
        int(tree.words[each])
        for each in near
        if _YEAR.fullmatch(tree.words[each]) and tree.words[max(each - 1, 0)] != "since"
    ]
    return bool(years) and max(years) < date.year - 1


def _is_presupposed(tree: Tree, word: int) -> bool:
    """Return whether a word is a fact whatever governs it (accused of silence after the attack)."""
    return any(tree.words[case] in _PRESUPPOSING for case in tree.dependents(word, "case", "mark"))


def _governed(tree: Tree, word: int, status: str) -> bool:
    for _ in range(_NEAR):
        relation, head = tree.relations[word], tree.heads[word]
        if head < 0 or relation not in _REPORTING:
            return False
        if _is_presupposed(tree, word):
            return False
        if relation != "nsubj" and _contexts().get(tree.words[head]) == status:
            return True
        word = head
    return False


@cache
def _contexts() -> dict[str, str]:
    rows = (Path(__file__).parent / "nominal" / "contexts.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {form: status for status, forms in (row.split("\t") for row in rows) for form in forms.split()}
