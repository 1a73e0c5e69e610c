"""Samples are drawn with the probabilities that the plan states, and grow without losing a unit."""

import json
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.sampling.allocation import after_phase, by_prediction, neyman
from nlpcalib.sampling.cells import Q_LEVELS
from nlpcalib.sampling.frame import Frame, Queue
from nlpcalib.sampling.plan import (
    allocated_plan,
    draw_plan,
    expected_plan,
    expected_spread,
    extend_plan,
    read_plan,
    write_plan,
)
from nlpcalib.sampling.strata import ITEM_STRATA, stratum_of_level

Q = np.random.default_rng(0).beta(0.2, 1.5, 400)
IDS = tuple(f"d{number}" for number in range(400))


def drawn_rows(plan, frame):
    return plan.queue(frame).first(plan.read[-1])


@pytest.mark.parametrize("n", [6, 9, 14])
def test_neymans_allocation_has_the_least_variance_of_all(n):
    sizes, spread, least = np.array([3, 8, 6]), np.array([0.5, 0.1, 0.3]), np.array([1, 2, 1])

    def variance(allocation):
        return np.sum(sizes**2 * spread**2 / np.array(allocation))

    possible = [
        each for each in product(*(range(a, b + 1) for a, b in zip(least, sizes, strict=True))) if sum(each) == n
    ]
    best = min(map(variance, possible))
    found = neyman(sizes, spread, n, least)
    assert tuple(found) in possible
    assert variance(found) <= 1.03 * best
    for factor in (1e-4, 1e4):
        assert neyman(sizes, factor * spread, n, least).tolist() == found.tolist(), "the ratio of spreads decides"


def test_a_budget_is_spent_in_proportion_to_size_where_no_stratum_has_a_spread():
    assert neyman(np.array([100, 300]), np.zeros(2), 40, np.array([2, 2])).tolist() == [10, 30]


def test_an_allocation_is_possible_in_every_replicate():
    random = np.random.default_rng(1)
    sizes = np.array([1000, 3, 0, 20])
    spread, least = random.random((200, 4)), random.integers(0, 3, (200, 4))
    for n in (60, random.integers(8, 1024, 200)):
        found = neyman(sizes, spread, n, least)
        assert (found.sum(axis=1) == n).all()
        assert (found <= sizes).all()
        assert (found >= np.minimum(least, sizes)).all()
    with pytest.raises(InputError, match="allocation"):
        neyman(sizes, spread[0], 1024, least[0])


def test_strata_between_do_not_depend_on_how_often_the_model_is_sure():
    size = np.ones(Q_LEVELS)
    strata = stratum_of_level(size)
    assert (np.diff(strata) >= 0).all()
    assert set(strata) == set(range(ITEM_STRATA))
    for level in (0, -1):
        often = size.copy()
        often[level] = 1e6
        assert stratum_of_level(often).tolist() == strata.tolist()


@pytest.mark.parametrize("q", [0.5, 0.2, 0.9])
def test_the_spread_that_a_model_expects_is_that_of_its_labels(q):
    """Levels are as fine as a tenth."""
    one = np.sqrt(q * (1 - q))
    frame = Frame(tuple("abcd"), np.full(4, q))
    assert expected_spread(frame, np.array([0, 0, 0, 2]), 3) == pytest.approx([one, 0, one], rel=0.1)


def test_items_with_a_prediction_of_0_are_read_too():
    plan = draw_plan(Frame(IDS, np.r_[np.zeros(380), np.full(20, 0.5)]), 40, seed=1)
    assert plan.units[0] == 380
    assert plan.read[0][0] >= 2
    assert np.isfinite(plan.weights[np.array(plan.units) > 0]).all()
    assert (by_prediction(np.array([0, 50]), np.array([0.0, 0.0]), 10) == [0, 10]).all()


@pytest.mark.parametrize("design", ["two-phase", "stratified", "random"])
def test_every_item_is_drawn_as_often_as_its_stratum_promises(design):
    frame = Frame(IDS, Q)
    plans = [draw_plan(frame, 100, seed, design) for seed in range(400)]
    drawn = np.zeros(400)
    for plan in plans:
        drawn[drawn_rows(plan, frame)] += 1
    expected = 400 / plans[0].weights[frame.strata(design)]
    spread = np.sqrt(expected * (1 - expected / 400))
    assert np.abs((drawn - expected) / np.maximum(spread, 1e-9))[spread > 0].max() < 4.5
    assert (drawn[spread == 0] == 400).all()


def test_a_larger_plan_contains_the_smaller_and_the_order_of_items_does_not_matter():
    frame = Frame(IDS, Q)
    plan = draw_plan(frame, 100, seed=3)
    pilot = drawn_rows(plan, frame)
    assert len(pilot) == 40
    assert not plan.complete
    second = extend_plan(plan, frame, plan.queue(frame), np.random.default_rng(0).random(40) < 0.2)
    assert second.complete
    third = extend_plan(second, frame, plan.queue(frame), np.zeros(100), budget=150)
    samples = [set(pilot), set(drawn_rows(second, frame)), set(drawn_rows(third, frame))]
    assert [len(sample) for sample in samples] == [40, 100, 150]
    assert samples[0] < samples[1] < samples[2]
    turned = Frame(IDS[::-1], Q[::-1])
    assert {399 - row for row in drawn_rows(draw_plan(turned, 100, seed=3), turned)} == samples[0]


@pytest.mark.parametrize("budget", [1, 2, 400])
def test_a_pilot_has_at_least_one_item(budget):
    plan = draw_plan(Frame(IDS, Q), budget, seed=0)
    assert sum(plan.read[0]) == max(round(0.4 * budget), 1)
    assert plan.complete == (budget == 1)


def test_the_second_phase_is_neymans_for_the_labels_of_the_pilot_and_half_a_positive():
    frame = Frame(IDS, Q)
    plan = draw_plan(frame, 150, seed=3)
    queue = plan.queue(frame)
    y = np.random.default_rng(1).random(60) < 0.3
    strata = queue.strata[queue.first(plan.read[0])]
    squares = [np.sum((y[strata == h] - y[strata == h].sum() / max(n, 1)) ** 2) for h, n in enumerate(plan.read[0])]
    spread = [np.sqrt((square + 0.5) / (n + 1)) for square, n in zip(squares, plan.read[0], strict=True)]
    expected = neyman(np.array(plan.units), np.array(spread), 150, np.array(plan.read[0]))
    assert extend_plan(plan, frame, queue, y).read[1] == tuple(expected)


def test_before_the_pilot_the_second_phase_is_expected_from_the_predictions():
    """Of 200 items at 0 and 200 at .5: standard deviations .0995 and .5, in both phases."""
    plan = expected_plan(Frame(IDS, np.repeat([0.0, 0.5], 200)), 100)
    assert plan.units == (200, 0, 200, 0, 0)
    # 40 as .5 + .0995/.5995 to .5 + .5/.5995; then 100 as √((13 · .0099 + .5)/14) to √((27 · .25 + .5)/28).
    assert plan.read == ((13, 0, 27, 0, 0), (29, 0, 71, 0, 0))


def test_documents_of_three_phases_weigh_what_the_shares_leave_them():
    """Of 20 documents 6, then 10, then 16 are read: λ = 6 · 10/(10 · 14) = 3/7, and then 4 · 4/(10 · 10) = .16."""
    frame = Frame(IDS[:20], np.full(40, 0.2), np.arange(40) // 2)
    plan = draw_plan(frame, 6, 0, "random")
    queue = plan.queue(frame)
    for budget in (10, 16):
        plan = extend_plan(plan, frame, queue, np.zeros(sum(plan.read[-1])), budget)
    assert plan.read == ((6,), (10,), (16,))
    np.testing.assert_allclose(plan.shares, [[3 / 7], [0.16]])
    found = plan.unit_weights(queue)[queue.order]
    third = 4 / 7 * 0.84 * 10 / 6
    np.testing.assert_allclose(found, np.repeat([2, 4 / 7 * (0.16 * 14 / 4 + 0.84), third, 0], [6, 4, 6, 4]))
    assert extend_plan(plan, frame, queue, np.zeros(16), 16) == plan, "nothing more is to be read"


@pytest.mark.parametrize("budget", [24, 45])
def test_the_next_documents_are_those_of_strata_whose_counts_were_off(budget):
    """Against loops over documents: residuals over what was anticipated, with four documents more as anticipated."""
    unit = np.repeat(np.arange(60), np.arange(60) % 5 + 2)
    frame = Frame(IDS[:60], np.random.default_rng(4).beta(0.5, 2, len(unit)), unit)
    plan = draw_plan(frame, budget, 0, "two-phase")
    queue = plan.queue(frame)
    done, sizes = queue.first(plan.read[0]), np.array(plan.units)
    positive = 6 * (queue.strata[done] % 2)
    spread, squares = np.zeros(len(sizes)), np.zeros(len(sizes))
    for document in range(60):
        spread[queue.strata[document]] += frame.spread[document] ** 2 / sizes[queue.strata[document]]
    for document, count in zip(done, positive, strict=True):
        residual = count - frame.q[unit == document].sum()
        squares[queue.strata[document]] += (residual / frame.spread[document]) ** 2
    read = np.array(plan.read[0])
    ratio = np.sqrt((squares + 4) / (read + 4))
    more = after_phase(sizes - read, 1 - np.array(plan.shares[0]), np.sqrt(spread), ratio, budget - len(done))
    assert extend_plan(plan, frame, queue, positive).read[1] == tuple(read + more)
    assert ratio.max() > 1.2 * ratio.min()


def test_documents_are_drawn_whole_and_those_without_a_likely_item_too():
    unit = np.repeat(np.arange(80), 5)
    frame = Frame(tuple(f"document {number}" for number in range(80)), Q, unit)
    plan = draw_plan(frame, 30, seed=0, design="stratified")
    assert len(drawn_rows(plan, frame)) == 30
    assert (np.array(plan.read[0]) >= 2).all()


def test_the_largest_documents_are_read_for_certain():
    sizes = np.r_[np.full(60, 3), 400, 500]
    frame = Frame(IDS[:62], np.full(sizes.sum(), 0.2), np.repeat(np.arange(62), sizes))
    plan = draw_plan(frame, 24, 0, "stratified")
    assert len(plan.units) == 8
    assert {60, 61} <= set(drawn_rows(plan, frame))
    assert plan.unit_weights(plan.queue(frame))[60:] == pytest.approx([1, 1])


def every_sample_of_two_phases(frame, plan, y):
    """Yield each sample of units with its probability: its plan, and the order in which its units joined it."""
    strata = frame.strata(plan.design, len(plan.units))
    members = [np.flatnonzero(strata == number).tolist() for number in range(len(plan.units))]
    found = np.bincount(frame.unit, y)

    def every(groups, sizes):
        return list(product(*(combinations(group, n) for group, n in zip(groups, sizes, strict=True))))

    pilots = every(members, plan.read[0])
    for first in pilots:
        rest = [[unit for unit in group if unit not in done] for group, done in zip(members, first, strict=True)]
        order = [unit for done, left in zip(first, rest, strict=True) for unit in (*done, *left)]
        queue = Queue(strata, plan.units, np.array(order))
        whole = extend_plan(plan, frame, queue, found[queue.first(plan.read[0])])
        seconds = every(rest, np.subtract(whole.read[1], plan.read[0]))
        for second in seconds:
            order = [
                unit
                for done, now, left in zip(first, second, rest, strict=True)
                for unit in (*done, *now, *(each for each in left if each not in now))
            ]
            yield whole, Queue(strata, plan.units, np.array(order)), 1 / len(pilots) / len(seconds)


def test_two_phases_of_documents_are_unbiased_whatever_the_pilot_decides():
    """Over all samples: with one weight for both phases of a stratum the total is biased."""
    unit = np.repeat(np.arange(10), np.repeat([5, 7], 5))
    y = np.isin(unit, [1, 2, 8])
    frame = Frame(IDS[:10], np.full(len(unit), 0.05), unit)
    plan = draw_plan(frame, 6, 0, "two-phase")
    found, fixed, alike, chance = np.bincount(unit, y), 0.0, 0.0, 0.0
    allocations = set()
    for whole, queue, probability in every_sample_of_two_phases(frame, plan, y):
        weights = whole.unit_weights(queue)
        assert (weights[queue.first(whole.read[-1])] >= 1 - 1e-12).all()
        fixed += probability * weights @ found
        alike += probability * (whole.weights[queue.strata] * (weights > 0)) @ found
        chance += probability
        allocations.add(whole.read[-1])
    assert len(allocations) > 1
    assert chance == pytest.approx(1)
    assert fixed == pytest.approx(y.sum(), rel=1e-12)
    assert abs(alike - y.sum()) > 0.01


def test_documents_that_are_all_read_as_planned_weigh_as_many_as_they_stand_for():
    unit = np.repeat(np.arange(60), np.arange(60) % 7 + 2)
    frame = Frame(IDS[:60], np.full(len(unit), 0.2), unit)
    planned = expected_plan(frame, 24, design="two-phase")
    queue = planned.queue(frame)
    weights = planned.unit_weights(queue)
    read = queue.first(planned.read[-1])
    assert weights[read] == pytest.approx(planned.weights[queue.strata[read]])


def test_the_expected_plan_reads_where_the_model_is_unsure():
    plan = expected_plan(Frame(IDS, Q), 100)
    assert plan.complete
    share = np.array(plan.read[-1]) / np.maximum(plan.units, 1)
    assert share[3] > share[0]


def test_a_plan_is_read_as_it_was_written_and_another_corpus_is_refused(tmp_path):
    frame = Frame(IDS, Q)
    plan = draw_plan(frame, 100, seed=3)
    write_plan(tmp_path / "plan.json", plan)
    assert read_plan(tmp_path / "plan.json") == plan
    with pytest.raises(InputError, match=r"found the plan's 400 items with other ids, predictions, units or texts"):
        plan.queue(Frame(IDS, Q**2))
    with pytest.raises(InputError, match=r"found 399 items in 399 units, expected the 400 in 400 when the plan was dr"):
        plan.queue(Frame(IDS[1:], Q[1:]))
    with pytest.raises(InputError, match=r"found 400 items in 200 units, expected the 400 in 400 when the plan was dr"):
        plan.queue(Frame(IDS[:200], Q, np.arange(400) // 2))
    of_keywords = replace(plan, match="flood")
    write_plan(tmp_path / "plan.json", of_keywords)
    assert read_plan(tmp_path / "plan.json") == of_keywords
    documents = draw_plan(Frame(IDS[:200], Q, np.arange(400) // 2), 30, 3)
    for share in (0.0, 1.0):
        documents = replace(documents, shares=((share,) * len(documents.units),))
        write_plan(tmp_path / "plan.json", documents)
        assert read_plan(tmp_path / "plan.json") == documents


def test_another_order_id_prediction_unit_or_text_is_another_frame(monkeypatch):
    """However many ids are hashed at once."""
    unit, texts = np.array([0, 1, 1]), ["x", "yz", ""]
    frames = [
        Frame(["ab", "c"], Q[:3], unit, texts),
        Frame(["a", "bc"], Q[:3], unit, texts),
        Frame(["c", "ab"], Q[:3], unit, texts),
        Frame(["ab", "c"], Q[1:4], unit, texts),
        Frame(["ab", "c"], Q[:3], np.array([0, 0, 1]), texts),
        Frame(["ab", "c"], Q[:3], unit, ["xy", "z", ""]),
        Frame(["ab", "c"], Q[:3], unit),
    ]
    found = [frame.checksum for frame in frames]
    assert len(set(found)) == len(frames)
    monkeypatch.setattr("nlpcalib.sampling.frame.BLOCK_ROWS", 1)
    assert [replace(frame).checksum for frame in frames] == found


@pytest.mark.parametrize(
    "change",
    [
        {"seed": "1"},
        {"units": [1, 2]},
        {"read": []},
        {"read": [[1, "2"]]},
        {"more": 1},
        {"read": [[9999] * 5]},
        {"shares": [[2.0] * 5]},
        {"shares": [[0.5]]},
        {"shares": [[-0.5] * 5]},
        {"shares": [[1] * 5]},
        {"shares": [[0.5] * 5] * 2},
        {"units": [-1] * 5},
        {"read": [[-1] * 5]},
        {"read": [[1.0] * 5]},
        {"read": [[2] * 5, [1] * 5]},
        {"read": [[1] * 5, 7]},
    ],
)
def test_what_is_no_plan_is_refused(tmp_path, change):
    write_plan(tmp_path / "plan.json", draw_plan(Frame(IDS, Q), 100, seed=3))
    content = json.loads((tmp_path / "plan.json").read_text())
    (tmp_path / "plan.json").write_text(json.dumps({**content, **change}))
    with pytest.raises(InputError, match=r"plan\.json: found"):
        read_plan(tmp_path / "plan.json")


def test_budgets_that_cannot_be_are_refused():
    frame = Frame(IDS, Q)
    for budget in (0, 401):
        with pytest.raises(InputError, match="budget: found"):
            draw_plan(frame, budget, seed=0)
    plan = draw_plan(frame, 20, seed=0, design="random")
    for budget in (19, 401):
        with pytest.raises(InputError, match=f"budget: found {budget} units to read, expected 20 to 400"):
            extend_plan(plan, frame, plan.queue(frame), np.zeros(20), budget)
    for allocation in (np.array([-1]), np.array([401])):
        with pytest.raises(InputError, match=rf"found {allocation[0]} units of stratum 0, expected 0 to 400"):
            allocated_plan(frame, np.array([400]), allocation, 0, "random")
    with pytest.raises(InputError, match="design: found"):
        draw_plan(frame, 10, seed=0, design="uncertainty")
    with pytest.raises(InputError, match="1 id again"):
        Frame(("a", "a"), np.array([0.1, 0.2]))
