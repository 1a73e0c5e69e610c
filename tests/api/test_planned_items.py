"""Items are chosen with the probabilities that the plan states, so that what is estimated from their labels holds."""

import numpy as np
import pytest

import nlpcalib as nc

RANDOM = np.random.default_rng(7)
Q = RANDOM.beta(0.3, 2, 1500)
Y = RANDOM.random(1500) < 0.6 * Q + 0.01


def labels_of(rows):
    return {int(row): int(Y[row]) for row in rows}


def test_two_calls_lead_to_an_interval_that_holds():
    held, error = [], []
    for seed in range(10):
        pilot = nc.plan_items(Q, budget=200, seed=seed)
        assert (len(pilot.rows), pilot.complete) == (80, False)
        labels = labels_of(pilot.rows)
        rest = nc.plan_items(Q, budget=200, seed=seed, labels=labels)
        assert (len(rest.rows), rest.complete) == (120, True)
        assert not set(rest.rows) & set(pilot.rows)
        found = nc.estimate(Q, labels | labels_of(rest.rows), inclusion=rest.inclusion)
        held.append(found.low <= Y.sum() <= found.high)
        error.append(found.total - Y.sum())
    assert np.mean(held) >= 0.8
    assert abs(np.mean(error)) < 4 * np.std(error) / np.sqrt(10)


def test_each_item_is_drawn_as_often_as_its_inclusion_promises():
    drawn = np.zeros(1500)
    for seed in range(40):
        plan = nc.plan_items(Q, budget=150, design="stratified", seed=seed)
        drawn[plan.rows] += 1
    spread = np.sqrt(40 * plan.inclusion * (1 - plan.inclusion))
    assert np.abs((drawn - 40 * plan.inclusion) / np.maximum(spread, 1e-9))[spread > 0].max() < 4.5
    assert plan.inclusion.sum() == pytest.approx(150)


def test_units_are_chosen_whole_and_a_width_is_reached():
    unit = np.arange(1500) // 3
    plan = nc.plan_items(Q, width=0.1, unit=unit, design="stratified")
    assert plan.width <= 0.1
    assert (np.bincount(unit[plan.rows], minlength=500)[np.unique(unit[plan.rows])] == 3).all()
    assert len(plan.rows) == 3 * plan.budget
    assert repr(plan).startswith(f"<{len(plan.rows)} items to annotate now")


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({}, "expected either a budget"),
        ({"budget": 9, "width": 0.1}, "expected either a budget"),
        ({"budget": 9, "unit": [1]}, "unit: found an array of shape"),
        ({"budget": 9, "labels": {0: 1}}, "found no label of"),
        ({"budget": 9, "design": "best"}, "design: found 'best'"),
    ],
)
def test_what_cannot_be_planned_is_refused(named, message):
    with pytest.raises(nc.InputError, match=message):
        nc.plan_items(Q, **named)
