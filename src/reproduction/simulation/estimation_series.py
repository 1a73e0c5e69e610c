"""Series of periods where the model goes blind to some of what it found: which intervals hold before and after."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from nlpcalib.estimation.methods import ppi
from nlpcalib.estimation.score import Totals, score_interval
from nlpcalib.estimation.series import series
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.allocation import after_pilot, by_prediction, pilot_size
from nlpcalib.sampling.cells import LEVELS, Cells, count_cells, level_of
from nlpcalib.sampling.strata import STRATA, stratum_of_level
from nlpcalib.seeding import generator

PERIODS = 21
ITEMS = 500
"""Items of each period."""
CHANGE = 12
"""The period from which the model is blind."""
_SEPARATION = 3.0


def series_rows(prevalence: float, blind: float, labels: int, *, replicates: int, seed: int) -> list[dict]:
    """Return a row for each method: coverage and mean width of its 95 % intervals before and after the change.

    Parameters
    ----------
    prevalence : float
        Of positive items, in every period.
    blind : float
        Of the positive items from `CHANGE` on: those whose predictions are those of negatives.
    labels : int
        Read in two phases, with strata of predictions over all periods.
    replicates : int
        Corpora, each with a sample of its own.
    seed : int
        Seed of everything.
    """
    held: dict[str, list[np.ndarray]] = {}
    width: dict[str, list[np.ndarray]] = {}
    for replicate in range(replicates):
        random = generator(seed, f"series, {prevalence}, {blind}", labels, replicate)
        cells, truth = _draw(prevalence, blind, labels, random)
        eta = np.broadcast_to(fit_working_model(cells.whole), cells.size.shape)
        methods: dict[str, Totals] = {
            "changing rates": series(cells, seed=replicate),
            "score, each period": score_interval(cells, eta),
            "ppi++, each period": ppi(cells),
        }
        for name, found in methods.items():
            held.setdefault(name, []).append((found.low <= truth + 1e-6) & (truth <= found.high + 1e-6))
            width.setdefault(name, []).append(found.high - found.low)
    rows = []
    for name in held:
        coverage, mean_width = np.mean(held[name], axis=0), np.mean(width[name], axis=0)
        rows.append(
            {
                "prevalence": prevalence,
                "blind": blind,
                "labels": labels,
                "method": name,
                "replicates": replicates,
                "coverage_before": float(coverage[:CHANGE].mean()),
                "coverage_after": float(coverage[CHANGE:].mean()),
                "coverage_worst": float(coverage.min()),
                "width_before": float(mean_width[:CHANGE].mean()),
                "width_after": float(mean_width[CHANGE:].mean()),
            }
        )
    return rows


def _draw(prevalence: float, blind: float, labels: int, random: np.random.Generator) -> tuple[Cells, np.ndarray]:
    """Return the cells of the periods, with the labels of a sample in two phases, and the true totals."""
    items = PERIODS * ITEMS
    period = np.repeat(np.arange(PERIODS), ITEMS)
    y = random.random(items) < prevalence
    told = y & ~((random.random(items) < blind) & (period >= CHANGE))
    score = random.standard_normal(items) + _SEPARATION * (told - 0.5)
    q = expit(logit(prevalence) + _SEPARATION * score)
    level = level_of(q)
    strata = stratum_of_level(np.bincount(level, minlength=LEVELS).astype(float))[level]
    sizes = np.bincount(strata, minlength=STRATA)
    spread = np.bincount(strata, np.sqrt(q * (1 - q)), minlength=STRATA) / np.maximum(sizes, 1)
    order = np.lexsort((random.random(items), strata))
    rank = np.empty(items, dtype=np.int64)
    rank[order] = np.arange(items)
    rank -= (np.cumsum(sizes) - sizes)[strata]
    pilot = by_prediction(sizes, spread, pilot_size(labels))
    first = rank < pilot[strata]
    found = np.bincount(strata[first], y[first], minlength=STRATA)
    allocation = after_pilot(sizes, pilot, found * (1 - found / np.maximum(pilot, 1)), labels)
    rows = np.flatnonzero(rank < allocation[strata])
    weights = sizes / np.maximum(allocation, 1)
    cells, _ = count_cells(q, strata, weights, rows, y[rows].astype(float), period, PERIODS)
    return cells, np.bincount(period, y, minlength=PERIODS)
