"""English inflection: regular forms by rule, irregular forms from the tables `verbs` and `nouns`."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from nlpcalib.io.own_tables import own_rows

FORMS_OF_BE = frozenset(("be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "’s", "’re", "’m"))
_DOUBLES_LAST_CONSONANT = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")

_MAY_DOUBLE_LAST_CONSONANT = re.compile(r".*(?:[^aeiou]|qu)[aeiou][bdglmnprt]")
"""Verbs with a doubled consonant if the last syllable is stressed (kidnap), or in British spelling (cancel)."""


class Forms(NamedTuple):
    """The inflected forms of a verb."""

    lemma: str
    third: str
    past: str
    participle: str
    gerund: str


def noun_forms(lemma: str) -> tuple[str, ...]:
    """Return the singular and plural of a noun; after a consonant and *o*, both possible plurals (silos, siloes).

    A noun that ends in a noun of the table `nouns` takes its plural: airmen, penknives.
    """
    ending = max((noun for noun in _IRREGULAR_NOUNS if lemma.endswith(noun)), key=len, default="")
    if ending:
        return lemma, lemma.removesuffix(ending) + _IRREGULAR_NOUNS[ending]
    if lemma.endswith("sis"):
        return lemma, lemma[:-2] + "es"
    if re.search("[^aeiou]o$", lemma):
        return lemma, lemma + "s", lemma + "es"
    return lemma, _with_s(lemma)


def third_person_of(lemma: str) -> str:
    """Return the third person singular present of a verb."""
    with_es = ("do", "embargo", "go", "torpedo", "undergo", "veto")
    irregular = {"be": "is", "have": "has", **{verb: f"{verb}es" for verb in with_es}}
    return irregular.get(lemma) or _with_s(lemma)


def _with_s(lemma: str) -> str:
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + "s"


def _gerund_of(lemma: str) -> str:
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "be")):
        return lemma[:-1] + "ing"
    if lemma.endswith("c"):
        return lemma + "king"
    return lemma + (lemma[-1] if _DOUBLES_LAST_CONSONANT.fullmatch(lemma) else "") + "ing"


def _past_of(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ied"
    if lemma.endswith("c"):
        return lemma + "ked"
    return lemma + (lemma[-1] if _DOUBLES_LAST_CONSONANT.fullmatch(lemma) else "") + "ed"


IRREGULAR_VERBS = {lemma: others for lemma, *others in own_rows(__file__, "verbs")}
"""Past, participle and gerund of irregular verbs; an empty gerund is regular."""
_IRREGULAR_NOUNS = dict(own_rows(__file__, "nouns"))


@cache
def forms(lemma: str) -> Forms:
    """Return the inflected forms of the verb `lemma`: regular unless the table `verbs` lists it."""
    prefix, hyphen, stem = lemma.rpartition("-")
    if hyphen:
        return Forms(lemma, *(f"{prefix}-{form}" for form in forms(stem)[1:]))
    past, participle, gerund = IRREGULAR_VERBS.get(lemma) or (_past_of(lemma), "", "")
    # A consonant doubled in the past (permitted) is doubled in the gerund too.
    doubled = past == lemma + lemma[-1] + "ed"
    regular = past[:-2] + "ing" if doubled else _gerund_of(lemma)
    return Forms(lemma, third_person_of(lemma), past, participle or past, gerund or regular)


def spellings(lemma: str) -> tuple[str, ...]:
    """Return the forms of a verb in all spellings, by which texts are searched: canceled and cancelled.

    Whether the last consonant is doubled depends on stress and country.
    """
    regular = forms(lemma)
    if lemma in IRREGULAR_VERBS or not _MAY_DOUBLE_LAST_CONSONANT.fullmatch(lemma):
        return regular
    stems = lemma, lemma + lemma[-1]
    return (*regular[:2], *(stem + ending for ending in ("ed", "ing") for stem in stems))
