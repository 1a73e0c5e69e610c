"""Countries of the perpetrators in MUC-4's answer keys: true events of real documents.

A perpetrator has a country by the names and organisations in its fillers (SALVADORAN ARMY, FMLN; see
`perpetrators/organisations.tsv`), and if these name none, by the place of the incident.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from nlpcalib.systems.events.read.lexicon import CountryLexicon, load_lexicon
from reproduction.corpora.readers.muc4_keys import KeyTemplate

ORGANISATIONS = Path(__file__).with_suffix("") / "organisations.tsv"
"""Organisations, leaders and misspelt names of countries, as forms and codes."""

_PERPETRATORS = ("PERP: INDIVIDUAL ID", "PERP: ORGANIZATION ID")
_HAPPENED = re.compile("ACCOMPLISHED|ATTEMPTED")
_WORDS = re.compile(r"[\w.'-]*\w|[^\w\s]")


def perpetrators_lexicon() -> CountryLexicon:
    """Return the lexicon of countries, organisations and leaders."""
    return load_lexicon(["packaged", str(ORGANISATIONS)])


def incident_countries(templates: Iterable[KeyTemplate], lexicon: CountryLexicon) -> dict[str, set[str]]:
    """Return, for each message, the countries with a perpetrator of an incident that happened or was attempted.

    Optional templates and uncertain fillers count: the message reports them. Threats do not, nor do incidents whose
    perpetrator the key does not have.
    """
    found: dict[str, set[str]] = {}
    for template in templates:
        countries = found.setdefault(template.message, set())
        perpetrators = " / ".join(template.slots[slot] for slot in _PERPETRATORS if slot in template.slots)
        if not perpetrators or not _HAPPENED.search(template.slots.get("INCIDENT: STAGE OF EXECUTION", "")):
            continue
        places = template.slots.get("INCIDENT: LOCATION", "").split(":")[0]
        countries |= _countries(perpetrators, lexicon) or _countries(places, lexicon)
    return found


def _countries(text: str, lexicon: CountryLexicon) -> set[str]:
    words = _WORDS.findall(text.replace("\\", ""))
    return {code for _, _, code in lexicon.find(words)}
