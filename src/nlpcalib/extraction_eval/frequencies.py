"""How often the machine uses each category: what makes random samples so poor (Lowe & King, section 3)."""

from __future__ import annotations

import numpy as np

from nlpcalib.extraction_eval.codings import Codings
from nlpcalib.extraction_eval.plan import Plan
from nlpcalib.extraction_eval.scale import Scale


def frequency_rows(codings: Codings, scale: Scale, plan: Plan) -> list[dict]:
    """Return a row for each category, the most frequent first and `none` before all.

    Returns
    -------
    list of dict
        `category`, its `level` on the scale, `leads` that the machine gives it, their `share` P(M), `sampled` leads,
        and `random_leads`, how many leads a random sample needs on average until it has one of the category.
    """
    sampled = np.bincount(list(plan.stratum.values()), minlength=len(codings.categories))
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
