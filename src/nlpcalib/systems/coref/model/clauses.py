"""The clause of a word, and who acts in it."""

from __future__ import annotations

from nlpcalib.systems.text.tree import Tree

_RELATIVES = frozenset(("who", "which", "that"))
_SHARING = ("conj", "xcomp")
"""Relations of verbs without a subject of their own: theirs is the subject or the object of the verb above."""


def clause_of(tree: Tree, place: int) -> int:
    """Return the nearest verb above a word, or the root; the walk stops at a cycle of heads."""
    above = place
    for above in tree.ancestors(place):
        if tree.tags[above].startswith("VB"):
            break
    return above


def actor_of(tree: Tree, place: int) -> int:
    """Return the noun whose relative clause or participle has it as subject and a word as object, or -1.

    The owner of the subject is no actor: *Ana, whose sister saw her*.
    """
    if tree.relations[place] not in ("obj", "iobj"):
        return -1
    verb, subjects = -1, []
    for verb in tree.ancestors(place):
        subjects = [child for child in tree.children[verb] if tree.relations[child] == "nsubj"]
        if subjects or tree.relations[verb] != "conj":
            break
    if verb < 0 or tree.relations[verb] != "acl":
        return -1
    is_actor = all(tree.labels[one] == "nsubj" and tree.words[one] in _RELATIVES for one in subjects)
    # Without a subject, a passive or an infinitive has another actor: *a man given it*, *a letter to send her*.
    is_active = bool(subjects) or tree.tags[tree.heads[place]] in ("VBG", "VBD", "VBZ", "VBP")
    return tree.heads[verb] if is_actor and is_active else -1


def shared_verb(tree: Tree, place: int) -> int:
    """Return the verb whose subject a word's governor shares (*called* for *me* in *Tom called and saw me*), or -1.

    It is the governor itself if this has a subject.
    """
    verb = -1
    for verb in tree.ancestors(place):
        if tree.dependents(verb, "nsubj", "expl") or tree.relations[verb] not in _SHARING:
            break
    return verb
