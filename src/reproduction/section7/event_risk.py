"""Which documents to call events, by what a missed one costs, next to the one best clustering (paper, section 7).

A false event costs 1 and a missed one c. The least expected cost calls a document an event where its probability is at
least 1 / (1 + c). The same rule is tried with probabilities that labels of other documents have recalibrated.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.io.files import read_csv
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.recalibration.fitting import cross_fit, fit_logistic
from reproduction.section7.tag_risk import mean_by_unit

COSTS_OF_A_MISS = (0.1, 0.25, 1.0, 4.0, 10.0)
EVENT_FOLDS = 5


def rows(seed: int, pairs: str, document_events: str) -> list[dict]:
    """Return a row for each cost and decision: expected and measured cost, and the saving over the one best clustering.

    Costs are per 1,000 rows of a document and a country; `low` and `high` are the ends of the saving's 95 % interval.
    """
    found = read_written_pairs(pairs)
    assert found.predicted is not None
    assert found.unit is not None
    best_of = {
        (row["document"], row["country"]): row["map_event"] in ("True", "1") for row in read_csv(document_events)
    }
    best = np.array([best_of[key] for key in zip(found.unit.texts(), found.predicted.texts(), strict=True)])
    recalibrated = cross_fit(fit_logistic, found.q, found.y, found.unit.codes, folds=EVENT_FOLDS, seed=seed)
    made = []
    for cost in COSTS_OF_A_MISS:
        decisions = {
            "best clustering": (best, found.q),
            "threshold": (found.q >= 1 / (1 + cost), found.q),
            "threshold, recalibrated": (recalibrated >= 1 / (1 + cost), recalibrated),
        }
        losses = {name: event_losses(called, found.y, cost) for name, (called, _) in decisions.items()}
        for name, (called, q) in decisions.items():
            saving, error = mean_by_unit(losses["best clustering"] - losses[name], found.unit.codes)
            made.append(
                {
                    "missed_costs": cost, "decision": name, "called": int(called.sum()),
                    "expected": 1000 * float(np.where(called, 1 - q, cost * q).mean()),
                    "measured": 1000 * float(losses[name].mean()), "saved": 1000 * saving,
                    "low": 1000 * (saving - 1.96 * error), "high": 1000 * (saving + 1.96 * error),
                }
            )  # fmt: skip
    return made


def event_losses(called: np.ndarray, happened: np.ndarray, cost: float) -> np.ndarray:
    """Return the cost of each decision, float64 (n,): 1 for a false event, `cost` for a missed one."""
    return np.where(called & ~happened, 1.0, np.where(~called & happened, cost, 0.0))
