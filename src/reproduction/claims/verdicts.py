"""Published claims and verdicts on them: what every chapter's claims share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

REPRODUCED, DIFFERS = "reproduced", "differs"
UNDECIDED = "undecided"
"""The data allow neither verdict."""
NOT_APPLICABLE = "not applicable"
"""The claim is about something that this corpus does not have, such as the paper's own numbers."""

Row = Mapping[str, Any]
"""A row of a table that the workflow wrote, whose columns have types; see `nlpcalib.io.typed_csv`."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A published statement and the rule by which it is judged."""

    place: str
    text: str
    judge: Callable[[Any], tuple[str, str]]
    """Takes a chapter's results on one dataset and returns what was measured and the verdict."""


def verdict(holds: bool) -> str:
    """Return the verdict on a claim that can be decided."""
    return REPRODUCED if holds else DIFFERS


def p_text(p_value: float) -> str:
    """Return a p-value as it is printed; NaN is that of a test with too few units."""
    return "too few units for a test" if math.isnan(p_value) else f"p = {p_value:.2g}"


def judge_all(claims: Iterable[Claim], results: object) -> list[dict]:
    """Return one row per claim: where it is made, what it says, what was measured, and the verdict."""
    rows = []
    for claim in claims:
        measured, judgement = claim.judge(results)
        rows.append({"place": claim.place, "claim": claim.text, "measured": measured, "verdict": judgement})
    return rows


def side_by_side(tiers: Mapping[str, Iterable[Mapping[str, str]]]) -> list[dict[str, str]]:
    """Return one row per claim with the verdicts of each tier, by dataset, in the order in which claims first come.

    `tiers` has the rows of `check.csv`, by the name of the tier.
    """
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for tier, claims in tiers.items():
        for claim in claims:
            key = claim["place"], claim["claim"]
            row = rows.setdefault(key, {"place": key[0], "claim": key[1], **dict.fromkeys(tiers, "")})
            judged = f"{claim['dataset']}: {claim['verdict']}"
            row[tier] = f"{row[tier]}; {judged}" if row[tier] else judged
    return list(rows.values())
