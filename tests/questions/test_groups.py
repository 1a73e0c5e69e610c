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
