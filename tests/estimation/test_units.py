"""Where documents are read whole, the variance knows how large each of them is, and the interval holds."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm, t

from nlpcalib.estimation.changes import estimate_changes
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.score import Family
from nlpcalib.estimation.units import UnitEffect, anticipated_effect
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import level_of
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.plan import draw_plan, extend_plan
from nlpcalib.sampling.samples import Sample, count_cells

SIZES = np.array([2, 3, 5, 2, 8, 4, 30, 6, 2, 12, 3, 7])
UNIT = np.repeat(np.arange(12), SIZES)
RANDOM = np.random.default_rng(5)
Q = RANDOM.uniform(0.05, 0.9, len(UNIT))
Y = (RANDOM.random(len(UNIT)) < Q).astype(float)


def sample_of(units, strata=None, weights=(3.0,), expansion=None):
    rows = np.flatnonzero(np.isin(UNIT, units))
    strata = np.zeros(12, dtype=np.int64) if strata is None else strata
    return Sample(
        strata[UNIT], np.array(weights), rows, Y[rows], UNIT, None if expansion is None else expansion[UNIT[rows]]
    )


def effect_by_hand(sample, level=0.95):
    """Return d as the page states it, in loops over documents."""
    cells, _ = count_cells(Q, sample)
    family = Family(cells, fit_working_model(cells))
    at = np.array([0.3])
    cell = {(s, v): c for c, (s, v) in enumerate(zip(cells.stratum, cells.level, strict=True))}
    of = np.array([cell[key] for key in zip(sample.stratum, level_of(Q), strict=True)])
    p, g = family.p(at)[0][of], family.g[0][of]
    weight = sample.weights[sample.stratum]
    omega = dict(
        zip(UNIT[sample.rows], weight[sample.rows] if sample.expansion is None else sample.expansion, strict=True)
    )
    certain = {unit for unit, each in zip(UNIT, weight, strict=True) if each <= 1}
    moved = {unit: np.sum((g * p * (1 - p))[unit == UNIT]) for unit in range(12)}
    slope = sum(moved[unit] for unit in range(12)) / sum(omega[unit] * moved[unit] for unit in omega)
    slope = min(max(slope, 0.2), 5)
    a = {unit: np.sum((p * (1 - p))[unit == UNIT]) for unit in range(12)}
    b = {unit: np.sum(np.sqrt(p * (1 - p))[unit == UNIT]) ** 2 - a[unit] for unit in range(12)}
    squares = {}
    for unit in omega:
        leverage = min(omega[unit] * moved[unit] / sum(omega[other] * moved[other] for other in omega), 0.6)
        squares[unit] = np.sum((Y - p)[unit == UNIT]) ** 2 / (1 - leverage)
    grid, likelihood = np.linspace(0, 0.95, 20), []
    mean_a, mean_b = (np.mean([part[unit] for unit in omega]) for part in (a, b))
    for rho in grid:
        value = sum(np.log(a[u] + rho * b[u]) + squares[u] / (a[u] + rho * b[u]) for u in omega)
        prior = mean_a + rho * mean_b
        likelihood.append(-(value + 2 * (np.log(prior) + (mean_a + 0.2 * mean_b) / prior)) / 2)
    weights = np.exp(np.array(likelihood) - max(likelihood))
    rho = grid @ weights / weights.sum()
    n = len(omega)
    phi = (sum(squares[u] / (a[u] + rho * b[u]) for u in omega) + 2) / (n + 2)
    v = {unit: phi * (a[unit] + rho * b[unit]) for unit in range(12)}
    off = {unit: 0.0 if unit in certain else (slope * omega[unit] - 1) ** 2 for unit in omega}
    sampled = sum(off[u] * v[u] for u in omega)
    model = sampled + sum(v[unit] for unit in range(12) if unit not in omega)
    robust = model * sum(off[u] * squares[u] for u in omega) / sampled
    df = max((n - 1 + min(sampled**2 / sum((off[u] * v[u]) ** 2 for u in omega), n - 1)) / 2, 1)
    student = (t.ppf((1 + level) / 2, df) / norm.ppf((1 + level) / 2)) ** 2
    independent = np.sum(np.maximum(weight - 1, 0) * p * (1 - p))
    found = UnitEffect(cells, Q, sample, None, level)(family, at)[0]
    return found, max(student * (model + robust) / 2 / (slope**2 * independent), 1.0)


@pytest.mark.parametrize(
    "sample",
    [
        sample_of([0, 4, 5, 9]),
        sample_of([1, 2, 3, 7, 6], np.where(np.arange(12) == 6, 1, 0), (11 / 4, 1.0)),
        sample_of([0, 2, 4, 9, 10], np.where(SIZES > 6, 1, 0), (8 / 3, 2.0), np.arange(12) % 5 * 0.3 + 1.7),
        sample_of([0, 1, 3, 8], weights=(1.5,)),
        sample_of([4, 6, 9, 11], weights=(40.0,)),
        sample_of([6]),
    ],
    ids=["random", "the largest for certain", "two phases", "tiny ones", "far too heavy", "one document"],
)  # fmt: skip
def test_the_variance_is_the_pages_formula_in_loops_over_documents(sample):
    found, expected = effect_by_hand(sample)
    assert found == pytest.approx(expected, rel=1e-9)
    assert expected > 1


def test_the_anticipated_effect_is_students_factor_on_what_the_correlation_adds():
    """Of 40 documents 8 are read: Σ (ω − 1) m (1 + .2 (m − 1)) over Σ (ω − 1) m, and 7 degrees of freedom."""
    student = (t.ppf(0.975, 7) / norm.ppf(0.975)) ** 2
    assert anticipated_effect(np.full(40, 11), np.full(40, 5.0)) == pytest.approx(student * 3)
    sizes, weights = np.repeat([2, 6, 50], [20, 15, 5]), np.repeat([10.0, 15, 1], [20, 15, 5])
    expected = (180 * 2 * 1.2 + 210 * 6 * 2) / (180 * 2 + 210 * 6)
    assert anticipated_effect(sizes, weights) == pytest.approx(student * expected)
    alone = (t.ppf(0.975, 1) / norm.ppf(0.975)) ** 2
    assert anticipated_effect(np.ones(4), np.full(4, 4.0)) == pytest.approx(alone)
    assert anticipated_effect(np.ones(4), np.ones(4)) == 0, "all are read"


def test_a_giant_that_was_not_read_widens_the_interval():
    """With the same labels and as many items: the documents that are not read are small, or one is a giant."""
    unit = np.r_[np.repeat(np.arange(20), 5), np.repeat(np.arange(20, 120), 5)]
    giant = np.where(unit >= 60, 60, unit)
    y = np.repeat(np.arange(20) % 3 == 0, 5).astype(float)
    q, width = np.full(600, 0.3), {}
    for name, of in (("small", unit), ("giant", giant)):
        sample = Sample(np.zeros(600, dtype=np.int64), np.array([6.0]), np.arange(100), y, of)
        found = estimate_totals(q, sample)[0]
        width[name] = found.high - found.low
    assert width["giant"] > 1.3 * width["small"]


def test_units_of_one_item_are_items():
    q, y = RANDOM.random(3000), (RANDOM.random(3000) < 0.3).astype(float)
    rows = np.arange(0, 3000, 10)
    sample = Sample(np.zeros(3000, dtype=np.int64), np.array([10.0]), rows, y[rows])
    one, unit = (estimate_totals(q, each)[0] for each in (sample, replace(sample, unit=np.arange(3000))))
    assert unit.total == one.total
    assert (unit.high - unit.low) / (one.high - one.low) == pytest.approx(1, abs=0.1)


def corpus(random, documents=200):
    """Return documents of 2 to 100 items, of which a model misses a third: q, y, unit, and the group of each item."""
    sizes = np.minimum(2 * random.random(documents) ** (-1 / 1.4), 100).astype(int)
    unit = np.repeat(np.arange(documents), sizes)
    latent = np.sqrt(0.3) * random.standard_normal(documents)[unit] + np.sqrt(0.7) * random.standard_normal(len(unit))
    y = latent < norm.ppf(0.25)
    seen = y & (random.random(documents) > 1 / 3)[unit]
    q = expit(logit(0.25) + 2 * (random.standard_normal(len(unit)) + 2 * (seen - 0.5)))
    return q, y.astype(float), unit, (random.random(len(unit)) < 0.4).astype(int)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["random", "stratified", "two-phase"])
def test_intervals_of_documents_and_of_their_groups_and_differences_hold(design):
    """Over 200 samples of 20 corpora; two standard errors of a coverage of .95 are .03."""
    held, errors = [], []
    for seed in range(20):
        random = np.random.default_rng([8, seed])
        q, y, unit, group = corpus(random)
        frame, truth = Frame([str(number) for number in range(200)], q, unit), np.bincount(group, y)
        size = np.bincount(group)
        for draw in range(10):
            plan = draw_plan(frame, 30, 100 * seed + draw, design)
            queue = plan.queue(frame)
            if not plan.complete:
                plan = extend_plan(plan, frame, queue, np.bincount(unit, y)[queue.first(plan.read[-1])])
            rows = frame.rows_of(queue.first(plan.read[-1]))
            weights = plan.unit_weights(queue)[unit[rows]]
            sample = Sample(queue.strata[unit], plan.weights, rows, y[rows], unit, weights)
            whole = estimate_totals(q, sample)[0]
            first, second = estimate_totals(q, sample, group, ["a", "b"])
            (change,) = estimate_changes(q, sample, [("ab"[number],) for number in group])
            gap = truth[1] / size[1] - truth[0] / size[0]
            held.append(
                [whole.low <= y.sum() <= whole.high, first.low <= truth[0] <= first.high,
                 second.low <= truth[1] <= second.high, change.low <= gap <= change.high]
            )  # fmt: skip
            errors.append((whole.total - y.sum()) / len(y))
    assert np.mean(held, axis=0).min() >= 0.92
    assert abs(np.mean(errors)) < 0.12 * np.std(errors) + 3 * np.std(errors) / np.sqrt(len(errors))
