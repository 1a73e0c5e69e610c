"""What readers who may be wrong report of a probability sample, and totals of groups.

    P(p_gk | errors) ∝ p^(a − 1) (1 − p)^(b − 1) Π_c (p P(c | 1) + (1 − p) P(c | 0))^n_gk(c)

* p_gk is the rate of group g in stratum k, and n_gk(c) its effective count of the pattern of labels c. Groups have
  their own rates and the same readers: errors are those of the whole corpus (`nlpcalib.estimation.readers`).
* a and b are the priors of that module: one label at the mean prediction of the group in the stratum.

Given the errors, rates are independent, so each is drawn by itself on a grid of arcsin √p. Whether groups differ does
not change what readers do: a stratum of the corpus has the mean rate of its groups.

Of units that are read whole, the design effect d is the squared ratio of two widths of the score interval of what most
readers say: with units, and as if items were drawn one by one.

Two readers err on 5 % of 4,000 items. A fifth of the first half is positive, and two fifths of the second:

>>> from nlpcalib.estimation.readers import PatternCounts, Readings
>>> random = np.random.default_rng(2)
>>> group, stratum = np.repeat([0, 1], 2000), np.tile([0, 1], 2000)
>>> rate = np.array([[0.05, 0.35], [0.2, 0.6]])[group, stratum]
>>> truth = random.random(4000) < rate
>>> labels = np.array([truth ^ (random.random(4000) < 0.05) for _ in range(2)], float).T
>>> readings = Readings(rate, stratum, np.arange(4000), labels)
>>> counts = PatternCounts.of([readings])
>>> low, high = np.quantile(totals_of_groups(readings, group, counts.draws())[:, 0], (0.01, 0.99), axis=-1)
>>> [bool(low[g] < truth[group == g].sum() < high[g]) for g in range(2)]
[True, True]
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import betainc, logit

from nlpcalib.errors import InputError, counted
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.readers import HIDDEN_POSITIVES, PatternCounts, Readings, strata_of
from nlpcalib.sampling.samples import Sample

_RATE_CELLS = 256
"""Cells of arcsin √p: with 1,000 labels of a stratum, a standard deviation is 2.6 of them."""
_MAX_GROUP_DRAWS = 600
"""Most draws of the errors that rates are drawn for: ends of an interval vary by a twentieth of its width."""


def readings_of(q: np.ndarray, sample: Sample, labels: np.ndarray) -> Readings:
    """Return what R readers labelled of a probability sample; `labels` is (n, R), NaN where a reader gave none.

    Strata are those that items were drawn in, one by one, with different probabilities; else they are of predictions.
    Raises `InputError` for items that could not be drawn: the model would take them for like the others.
    """
    unreached = int(np.isinf(sample.weights[sample.stratum]).sum())
    if unreached:
        raise InputError(
            f"readers: found {counted(unreached, 'item')} that no label could reach, expected none; leave them out, or "
            "state a bound (label_error=)"
        )
    one_by_one = sample.unit is None and sample.expansion is None
    planned = one_by_one and len(set(sample.weights.tolist())) > 1
    stratum = np.unique(sample.stratum, return_inverse=True)[1] if planned else strata_of(q)
    weight = sample.label_weights
    effect = 1.0 if sample.unit is None else _effect_of_units(q, sample, labels)
    return Readings(q, stratum, sample.rows, labels, weight, effect)


def _effect_of_units(q: np.ndarray, sample: Sample, labels: np.ndarray) -> float:
    """Return d; what as many readers say as do not is taken for no."""
    said = np.nan_to_num(labels).sum(axis=1) > (~np.isnan(labels)).sum(axis=1) / 2
    most = replace(sample, y=said.astype(np.float64))
    [units], [items] = (estimate_totals(q, each) for each in (most, replace(most, unit=None)))
    return max((units.high - units.low) / max(items.high - items.low, 1e-9), 1.0) ** 2


def totals_of_groups(readings: Readings, group: np.ndarray, draws: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return draws of the positive items of each group, float64 (G, 2, D), with the priors of the lower and upper end.

    `group`, int (N,), has the group of each item, from 0. `draws` are of the posterior of the whole corpus, from
    `PatternCounts.draws`.
    """
    random = np.random.default_rng(seed)
    strata = int(readings.stratum.max()) + 1
    kept = np.linspace(0, draws.shape[-1] - 1, min(_MAX_GROUP_DRAWS, draws.shape[-1])).astype(int)
    shared = draws[strata:, :, 0, kept]
    cells = PatternCounts.of([replace(readings, stratum=group * strata + readings.stratum)])
    p = _rates(cells, shared, random)
    totals = cells.totals(0, np.concatenate([logit(np.clip(p, 1e-12, 1 - 1e-12)), shared]), random)
    groups = int(group.max()) + 1
    found = np.zeros((groups, *totals.shape[1:]))
    np.add.at(found, np.arange(len(totals)) // strata, totals)
    return found


def _rates(cells: PatternCounts, shared: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return draws of the rate of each of C cells, float64 (C, 2, D), for errors in log odds, (2 R + 1, 2, D)."""
    edge, middle = (np.linspace(0, np.pi / 2, 2 * _RATE_CELLS + 1)[start::2] for start in (0, 1))
    p = np.sin(middle)[:, None, None] ** 2
    given = cells.given_class(*cells.errors_of(shared))
    log_chance = np.log(p * given[:, 1, None] + (1 - p) * given[:, 0, None])  # (P, K, 2, D)
    found = np.empty((len(cells.size), *shared.shape[1:]))
    for cell, (prior, count) in enumerate(zip(cells.prior[:, 0], cells.effective[:, :, 0], strict=True)):
        a = prior + np.array([0, HIDDEN_POSITIVES])
        mass = np.diff(betainc(a[:, None], 1 - prior, np.sin(edge) ** 2), axis=1).T[:, :, None]
        log_likelihood = np.tensordot(count, log_chance, axes=1)
        density = mass * np.exp(log_likelihood - log_likelihood.max(axis=0))
        share = np.cumsum(density, axis=0)
        place = (share < share[-1] * random.random(shared.shape[1:])).sum(axis=0)
        found[cell] = np.sin((place + random.random(place.shape)) * (np.pi / 2 / _RATE_CELLS)) ** 2
    return found
