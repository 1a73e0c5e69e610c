"""English inflection: regular forms by rule, irregular verbs from `inflection.tsv`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")

_ALSO_LEMMAS = frozenset(("bound", "fell", "felt", "found", "ground", "lay", "saw", "wound"))


@dataclass(frozen=True)
class Forms:
    """The inflected forms of a verb."""

    lemma: str
    third: str
    past: str
    participle: str
    gerund: str


def plural_of(lemma: str) -> str:
    """Return the regular plural of a noun."""
    if lemma.endswith("sis"):
        return lemma[:-2] + "es"
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + "s"


def third_person_of(lemma: str) -> str:
    """Return the third person singular present of a verb."""
    irregular = {"be": "is", "have": "has", "do": "does", "go": "goes", "undergo": "undergoes", "veto": "vetoes"}
    return irregular.get(lemma, plural_of(lemma))


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


@cache
def _irregular() -> dict[str, dict[str, str]]:
    header, *lines = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()
    rows = (dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines)
    return {row["lemma"]: row for row in rows}


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
