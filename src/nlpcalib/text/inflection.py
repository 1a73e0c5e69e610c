"""English inflection: regular forms by rule, irregular ones from `inflection.tsv` and `inflection_nouns.tsv`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")

_CONSONANT_O = re.compile("[^aeiou]o$")

_ALSO_LEMMAS = frozenset(("bound", "fell", "felt", "found", "ground", "lay", "saw", "wound"))


@dataclass(frozen=True)
class Forms:
    """The inflected forms of a verb."""

    lemma: str
    third: str
    past: str
    participle: str
    gerund: str


def noun_forms(lemma: str) -> tuple[str, ...]:
    """Return the singular of a noun and its plural, or both plurals after a consonant and *o* (silos, vetoes).

    A noun that ends in one of `inflection_nouns.tsv` has its plural: airmen, penknives.
    """
    ending = max((noun for noun in _irregular_nouns() if lemma.endswith(noun)), key=len, default="")
    if ending:
        return lemma, lemma.removesuffix(ending) + _irregular_nouns()[ending]
    if lemma.endswith("sis"):
        return lemma, lemma[:-2] + "es"
    if _CONSONANT_O.search(lemma):
        return lemma, lemma + "s", lemma + "es"
    return lemma, _with_s(lemma)


def plural_of(lemma: str) -> str:
    """Return the plural of a noun, the first of `noun_forms`."""
    return noun_forms(lemma)[1]


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
    return lemma + (lemma[-1] if _DOUBLED.fullmatch(lemma) else "") + "ing"


def _past_of(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if _DOUBLED.fullmatch(lemma) else "") + "ed"


def _rows(table: str) -> list[dict[str, str]]:
    header, *lines = (Path(__file__).parent / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


@cache
def _irregular() -> dict[str, dict[str, str]]:
    return {row["lemma"]: row for row in _rows("inflection")}


@cache
def _irregular_nouns() -> dict[str, str]:
    return {row["noun"]: row["plural"] for row in _rows("inflection_nouns")}


@cache
def irregular_lemmas() -> dict[str, str]:
    """Return the lemma of each irregular past and participle that is no lemma of another verb (to found, to wound)."""
    found = {form: row["lemma"] for row in _irregular().values() for form in (row["past"], row["participle"])}
    return {form: lemma for form, lemma in found.items() if form not in _irregular() and form not in _ALSO_LEMMAS}


@cache
def forms(lemma: str) -> Forms:
    """Return the inflected forms of the verb `lemma`: regular unless `inflection.tsv` lists it."""
    row = _irregular().get(lemma)
    prefix, hyphen, stem = lemma.rpartition("-")
    if hyphen:
        inner = forms(stem)
        return Forms(lemma, *(f"{prefix}-{form}" for form in (inner.third, inner.past, inner.participle, inner.gerund)))
    past = row["past"] if row else _past_of(lemma)
    # A consonant doubled in the past (permitted) is doubled in the gerund too.
    doubled = past == lemma + lemma[-1] + "ed"
    gerund = (row and row["gerund"]) or (past[:-2] + "ing" if doubled else _gerund_of(lemma))
    return Forms(lemma, third_person_of(lemma), past, row["participle"] if row else past, gerund)
