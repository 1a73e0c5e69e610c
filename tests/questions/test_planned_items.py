"""Items are chosen with the probabilities that the plan states, so that what is estimated from their labels holds."""

import shlex
from pathlib import Path

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main

RANDOM = np.random.default_rng(7)
Q = RANDOM.beta(0.3, 2, 1500)
Y = RANDOM.random(1500) < 0.6 * Q + 0.01


def labels_of(rows):
    return {int(row): int(Y[row]) for row in rows}


def test_two_calls_lead_to_an_interval_that_holds():
    held, error = [], []
    for seed in range(10):
        pilot = nc.plan_items(Q, budget=200, design="two-phase", seed=seed)
        assert (len(pilot.rows), pilot.complete) == (80, False)
        labels = labels_of(pilot.rows)
        rest = nc.plan_items(nc.read(Q, labels, plan=pilot))
        assert (len(rest.rows), rest.complete) == (120, True)
        assert not set(rest.rows) & set(pilot.rows)
        found = nc.estimate(nc.read(Q, labels | labels_of(rest.rows), plan=rest))
        by_inclusion = nc.estimate(nc.read(Q, labels | labels_of(rest.rows), plan=rest.inclusion))
        assert by_inclusion.total == pytest.approx(found.total, rel=0.05)
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
    plan = nc.plan_items(nc.read(Q, unit=unit), width=0.1, design="stratified")
    assert plan.width <= 0.1
    assert (np.bincount(unit[plan.rows], minlength=500)[np.unique(unit[plan.rows])] == 3).all()
    assert len(plan.rows) == 3 * plan.budget
    assert repr(plan).startswith(f"<{len(plan.rows)} items to annotate now")


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({}, "expected one: the labels to make"),
        ({"budget": 9, "width": 0.1}, "expected one: the labels to make"),
        ({"budget": 9, "unit": [1]}, "unit: found an array of shape"),
        ({"plan": nc.plan_items(Q, budget=9), "labels": {0: 1}}, "found no label of"),
        ({"budget": 9, "design": "best"}, "design: found 'best'"),
    ],
)
def test_what_cannot_be_planned_is_refused(named, message):
    labels, read = named.get("labels"), {name: named[name] for name in ("plan", "unit") if name in named}
    asked = {name: value for name, value in named.items() if name not in ("plan", "unit", "labels")}
    with pytest.raises(nc.InputError, match=message):
        nc.plan_items(nc.read(Q, labels, **read), **asked)


@pytest.mark.parametrize(
    ("q", "labels", "message"),
    [
        (["a", "b"], {0: 1}, "found the verdict 'a', expected yes or no"),
        (0.5, {0: 1}, "predictions: found an array of shape"),
        ([0.1, 0.2], {"a": 1}, "labels: found a, expected ids of rows, or their numbers from 0 to 1"),
        ([0.1, 0.2], {0.5: 1}, "labels: found 0.5, expected ids of rows, or their numbers from 0 to 1"),
        ([0.1, 0.2], {2: 1}, "labels: found 2, expected ids of rows, or their numbers from 0 to 1"),
    ],
)
def test_what_is_no_prediction_or_label_is_refused_in_both_calls(q, labels, message):
    with pytest.raises(nc.InputError, match=message):
        nc.estimate(nc.read(q, labels))
    with pytest.raises(nc.InputError, match=message):
        nc.plan_items(nc.read(q, labels, plan=nc.plan_items([0.1, 0.2], budget=2)))


GROUPS = np.arange(1500) % 3


@pytest.mark.parametrize("by", [GROUPS, GROUPS.tolist(), GROUPS.astype(str), {"country": GROUPS}])
def test_groups_of_arrays_are_those_of_the_next_part_too(by):
    pilot = nc.plan_items(Q, budget=200, by=by, design="two-phase")
    labels = labels_of(pilot.rows)
    rest = nc.plan_items(nc.read(Q, labels, plan=pilot))
    assert rest.width == nc.plan_items(nc.read(Q, labels, plan=pilot), by=by).width
    assert rest.width != nc.plan_items(nc.read(Q, labels, plan=nc.plan_items(Q, budget=200, design="two-phase"))).width
    assert "of the widest group, from" in str(rest)


def test_a_second_part_replaces_no_other_plan(tmp_path):
    pilot, other = (nc.plan_items(Q, budget=n, design="two-phase", seed=n) for n in (200, 100))
    rest = nc.plan_items(nc.read(Q, labels_of(pilot.rows), plan=pilot))
    pilot.save(tmp_path / "pilot")
    other.save(tmp_path / "other")
    before = (tmp_path / "other" / "plan.json").read_bytes()
    with pytest.raises(nc.InputError, match="found another plan, expected the one that this part continues"):
        rest.save(tmp_path / "other")
    assert (tmp_path / "other" / "plan.json").read_bytes() == before
    rest.save(tmp_path / "pilot")
    assert {"sheet-1.csv", "sheet-2.csv"} <= {path.name for path in (tmp_path / "pilot").iterdir()}


@pytest.mark.parametrize("right", [0.6, 0.85, 0.97])
def test_a_judge_keeps_the_width_that_its_plan_promises(right):
    random = np.random.default_rng(31)
    ids = [f"c{n}" for n in range(1000)]
    for seed in range(10):
        truth = random.random(1000) < 0.6
        verdicts = np.where(random.random(1000) < right, truth, ~truth).astype(float)
        plan = nc.plan_items(nc.read(verdicts, id=ids), budget=100, seed=seed)
        labels = {ids[row]: int(truth[row]) for row in plan.rows}
        _, low, high = nc.judge(nc.read(verdicts, labels, id=ids, plan=plan)).estimation.share
        assert high - low <= plan.width


def test_the_command_after_a_plan_for_a_judge_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(4)
    rows = [f"c{n},{'pass' if each else 'fail'},{'AB'[n % 2]}" for n, each in enumerate(random.random(400) < 0.6)]
    Path("my verdicts.csv").write_text("\n".join(["case,said,system", *rows]))
    assert main(["plan", "labels", "my verdicts.csv", "--q", "said", "--detect", ".1"]) == 2
    [error] = capsys.readouterr().err.splitlines()[-1:]
    told = error.partition("; ")[2].removesuffix(" plans the labels of a judge")
    assert main(shlex.split(told)[1:]) == 0
    capsys.readouterr()
    options = ["--q", "said", "--id", "case", "--by", "system", "--budget", "60", "--out", "p"]
    assert main(["plan", "items", "my verdicts.csv", *options]) == 0
    [then] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("next: nlpcalib judge 'my")]
    sheet = Path("p/sheet-1.csv").read_text(encoding="utf-8-sig").splitlines()
    answers = [line + ("pass" if n % 3 else "fail") for n, line in enumerate(sheet[1:])]
    Path("p/sheet-1.csv").write_text("\n".join([sheet[0], *answers]))
    assert main(shlex.split(then)[2:]) == 0
    assert "60 of 400 items have a label" in capsys.readouterr().out
