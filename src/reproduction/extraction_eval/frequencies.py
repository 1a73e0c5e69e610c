"""How often the machine uses each category: what makes random samples so poor (Lowe & King, section 3)."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from reproduction.extraction_eval.codings import Codings
from reproduction.extraction_eval.drawn import DrawnLeads
from reproduction.extraction_eval.scale import Scale


class FrequencyRow(TypedDict):
    """How often the machine uses a category."""

    category: str
    level: float | None
    """The category's place on the scale; None for no event."""
    leads: int
    share: float
    """P(M)."""
    sampled: int
    random_leads: float | None
    """How many leads a random sample needs on average until it has one of the category."""


def frequency_rows(codings: Codings, scale: Scale, drawn: DrawnLeads) -> list[FrequencyRow]:
    """Return a row for each category, the most frequent first and `none` before all."""
    sampled = np.bincount(list(drawn.stratum.values()), minlength=len(codings.categories))
    order = [0, *sorted(range(1, len(codings.categories)), key=lambda number: -codings.sizes[number])]
    return [
        {
            "category": codings.categories[number],
            "level": float(scale.weights[number]) if number else None,
            "leads": int(codings.sizes[number]),
            "share": float(codings.shares[number]),
            "sampled": int(sampled[number]),
            "random_leads": float(1 / codings.shares[number]) if codings.sizes[number] else None,
        }
        for number in order
    ]
