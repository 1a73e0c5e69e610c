"""Groups have names of their own, whatever commas they hold and whatever they are called."""

import csv

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main

FIRST = ["a, b", "a", 'a "b"', "all", "total", "", "(whole)"]
SECOND = ["c", "b, c", "c", "all", "", "total", "x"]


def corpus(n=700, seed=0):
    random = np.random.default_rng(seed)
    q = random.random(n)
    y = random.random(n) < q
    rows = np.arange(0, n, 2)
    labels = dict(zip(rows.tolist(), y[rows].astype(int).tolist(), strict=True))
    return q, labels, [FIRST[row % 7] for row in range(n)], [SECOND[row % 7] for row in range(n)]


def test_each_pair_of_values_is_a_group_with_its_own_sum_of_predictions():
    q, labels, first, second = corpus()
    report = nc.estimate(nc.read(q, labels, by={"first": first, "second": second}), by="first,second")
    assert len(report.groups) == 7
    assert sum(each.items for each in report.groups.values()) == 700
    sums = sorted(sum(q[row::7]) for row in range(7))
    assert sorted(each.predicted for each in report.groups.values()) == pytest.approx(sums)
    assert "" not in report.groups
    assert report.whole.group == ""


def test_one_column_has_the_values_as_they_are():
    q, labels, first, _ = corpus()
    report = nc.estimate(nc.read(q, labels), by=first)
    assert set(report.groups) == {*FIRST, "(empty)"} - {""}


def test_a_group_that_is_called_empty_next_to_empty_ones_is_refused():
    q, labels, first, _ = corpus()
    with pytest.raises(nc.InputError, match=r"found empty groups and '\(empty\)', expected one of them"):
        nc.estimate(nc.read(q, labels), by=[each.replace("total", "(empty)") for each in first])


def test_a_column_whose_name_has_a_comma_groups_in_the_shell_and_in_python(tmp_path):
    q, _, first, second = corpus()
    path = tmp_path / "items.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = zip(range(700), np.round(q, 6), first, second, strict=True)
        csv.writer(file).writerows([("id", "q", "last, first", "year"), *rows])
    plan = tmp_path / "plan"
    both = '"last, first",year'
    assert main(["plan", "items", str(path), "--budget", "40", "--out", str(plan), "--by", both]) == 0
    assert (
        nc.plan_items(path, budget=40, by="last, first").plan == nc.plan_items(path, budget=40, by=["last, first"]).plan
    )
    assert '"by": "\\"last, first\\", year"' in (plan / "planned.json").read_text(encoding="utf-8")


def test_the_figure_tells_the_whole_from_a_group_called_all(tmp_path):
    from nlpcalib.figures.intervals import draw_intervals

    row = {"items": 10, "predicted": 2.0, "total": 3.0, "low": 1.0, "high": 5.0}
    for name, whole in (("a", "all"), ("all", "(all)")):
        figure, _ = draw_intervals([{**row, "group": ""}, {**row, "group": name}], 0.95)
        assert [each.get_text() for each in figure.axes[0].get_yticklabels()] == [whole, name]


@pytest.mark.parametrize("kind", ["estimate", "judge", "classes"])
def test_labels_that_are_all_of_one_group_are_named(kind):
    random = np.random.default_rng(3)
    y = (random.random(200) < 0.5).astype(float)
    group = np.repeat(["a", "b"], 100)

    def lines(rows):
        known = np.full(200, np.nan)
        known[rows] = y[rows]
        if kind == "classes":
            q = np.column_stack([0.6 - 0.2 * y, 0.4 + 0.2 * y])
            return nc.estimate(nc.read(q, y=known, by={"g": group}), by="g").lines()
        if kind == "judge":
            return nc.judge(nc.read(y, y=known, by={"g": group}), by="g").lines()
        return nc.estimate(nc.read(0.3 + 0.4 * y, y=known, by={"g": group}), by="g").lines()

    said = "All 40 labels are of a: the interval of all takes them for a random sample of every group."
    assert said in lines(np.arange(40))
    assert not any("labels are of" in line for line in lines(np.arange(80, 120)))


def test_means_have_three_digits_each():
    y = np.array([3.4, 3.32] * 30)
    rows = np.repeat(["a", "b"], 30)
    lines = nc.estimate(nc.read(y, y=y, values=(1, 5), by={"g": rows}), by="g").lines()
    assert lines[0].startswith("the mean of 60 items is 3.36 ")
    y = np.concatenate([np.full(30, 3.4), np.full(30, 3.32)])
    table = nc.estimate(nc.read(y, y=y, values=(1, 5), by={"g": rows}), by="g").lines()
    assert [line.split()[4] for line in table if line[:2] in ("a ", "b ")] == ["3.40", "3.32"]
