"""Shares of several classes sum to 1, and their intervals hold together."""

import csv
import json

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.estimation.classes import class_totals
from nlpcalib.sampling.samples import simple_random_sample

NAMES = ("politics", "sport", "science", "weather")
CLASSES = ",".join(f"q_{name}" for name in NAMES)


def corpus(random, sharpness=1.0, items=4000):
    """Return probabilities of four classes, and classes that have others where sharpness is not 1."""
    score = random.normal([1.5, 0.5, -0.5, -2], 1.5, (items, 4))
    p = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    sharp = np.exp(sharpness * score)
    truth = (random.random((items, 1)) > np.cumsum(p, axis=1)).sum(axis=1).clip(max=3)
    return sharp / sharp.sum(axis=1, keepdims=True), truth


def test_shares_sum_to_one_and_lie_between_their_ends():
    random = np.random.default_rng(1)
    p, truth = corpus(random, 3)
    rows = random.choice(4000, 150, replace=False)
    found = nc.estimate(nc.read(p, {int(row): NAMES[truth[row]] for row in rows}, classes=NAMES))
    assert sum(share for share, _, _ in found.shares.values()) == pytest.approx(1)
    for number, (name, (share, low, high)) in enumerate(found.shares.items()):
        assert name == NAMES[number]
        assert low <= share <= high
        assert low <= np.mean(truth == number) <= high
    assert "all 95 % intervals hold together" in str(found)


def test_labels_are_codes_names_or_columns():
    random = np.random.default_rng(2)
    p, truth = corpus(random)
    rows = random.choice(4000, 100, replace=False)
    column = np.full(4000, np.nan)
    column[rows] = truth[rows]
    by_code = nc.estimate(nc.read(p, column))
    by_name = nc.estimate(nc.read(p, {int(row): NAMES[truth[row]] for row in rows}, classes=NAMES))
    assert list(by_code.shares.values()) == list(by_name.shares.values())


@pytest.mark.slow
@pytest.mark.parametrize("sharpness", [1.0, 2.5])
def test_all_intervals_hold_together(sharpness):
    held = []
    for draw in range(100):
        random = np.random.default_rng([3, draw])
        p, truth = corpus(random, sharpness)
        rows = np.sort(random.choice(4000, 100, replace=False))
        [found] = class_totals(p, simple_random_sample(4000, rows, truth[rows].astype(float)), NAMES)
        counts = np.bincount(truth, minlength=4)
        held.append(all(each.low <= count <= each.high for each, count in zip(found, counts, strict=True)))
    assert np.mean(held) >= 0.9


@pytest.mark.parametrize(
    ("p", "labels", "classes", "message"),
    [
        (np.full((3, 2), 0.5), {0: "d"}, ("a", "b"), "labels, row 0: found class 'd', expected one of a, b"),
        (np.full((3, 2), 0.5), {0: "a"}, ("a", "a"), "classes: found a, a, expected 2 different names"),
        (np.full(3, 0.5), {0: 1}, ("a", "b"), r"classes: found names, expected predictions of shape \(N, K\)"),
    ],
)
def test_what_are_no_classes_is_refused(p, labels, classes, message):
    with pytest.raises(InputError, match=message):
        nc.estimate(nc.read(p, labels, classes=classes))


@pytest.fixture
def topics(tmp_path, monkeypatch):
    """Return the path of a table of 1,500 items with 120 labels, and the class of each item by its id."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(4)
    p, truth = corpus(random, items=1500)
    read = set(random.choice(1500, 120, replace=False).tolist())
    with (tmp_path / "topics.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "date", "label", *(f"q_{name}" for name in NAMES)])
        for row, each in enumerate(p):
            cells = (f"{value:.9f}" for value in each)
            label = NAMES[truth[row]] if row in read else ""
            writer.writerow([f"d{row}", f"{2001 + row % 3}-05-01", label, *cells])
    return tmp_path / "topics.csv", {f"d{row}": NAMES[code] for row, code in enumerate(truth)}


def write_labels(path, labels):
    path.write_text("id,label\n" + "".join(f"{item},{label}\n" for item, label in labels.items()), encoding="utf-8")


def columns_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    p = np.array([[float(row[f"q_{name}"]) for name in NAMES] for row in rows])
    return p, {number: row["label"] for number, row in enumerate(rows) if row["label"]}, rows


def test_arrays_the_table_and_the_command_have_the_same_shares_by_year(topics, capsys):
    path, _ = topics
    p, labels, rows = columns_of(path)
    of_arrays = nc.estimate(nc.read(p, labels, classes=NAMES), by=[row["date"][:4] for row in rows])
    of_table = nc.estimate(nc.read(path), by="year(date)")
    assert of_table.rows() == of_arrays.rows()
    assert main(["estimate", str(path), "--by", "year(date)", "--out", "found"]) == 0
    of_table.save("python")
    assert (path.parent / "found/classes.csv").read_text() == (path.parent / "python/classes.csv").read_text()
    assert str(of_table) in capsys.readouterr().out
    assert main(["estimate", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["classes"][0]["class"] == "politics"


def test_the_shares_of_each_group_sum_to_one_and_its_labels_are_its_own(topics):
    path, truth = topics
    found = nc.estimate(nc.read(path), by="year(date)")
    assert list(found.groups) == ["2001", "2002", "2003"]
    held = []
    for number, classes in enumerate(found.groups.values()):
        assert sum(each.share[0] for each in classes.values()) == pytest.approx(1)
        own = [label for item, label in truth.items() if int(item[1:]) % 3 == number]
        assert {each.items for each in classes.values()} == {len(own)}
        held += [each.low <= own.count(name) <= each.high for name, each in classes.items()]
    assert sum(held) >= 11
    read = sum(each["politics"].read for each in found.groups.values())
    assert read == found.classes["politics"].read == 120


def test_a_plan_of_any_class_weights_its_labels_and_disputes_are_open(topics, capsys):
    """Items near the threshold of one class are read more often: without the plan's weights shares would lean."""
    path, truth = topics
    plan = nc.plan_items(nc.read(path, q="q_weather", yes="weather"), budget=90, design="stratified", seed=2)
    plan.save("plan")
    ids = [f"d{row}" for row in plan.rows]
    write_labels(path.parent / "ann.csv", {item: truth[item] for item in ids})
    bob = {item: truth[item] for item in ids} | dict.fromkeys(ids[:2], "science")
    write_labels(path.parent / "bob.csv", bob)
    differ = [item for item in ids[:2] if truth[item] != "science"]
    found = nc.estimate(nc.read(path, ["ann.csv", "bob.csv"], q=CLASSES, plan="plan/plan.json"))
    assert list(found.disputed) == differ
    alone = nc.estimate(nc.read(path, "ann.csv", q=CLASSES, plan="plan/plan.json"))
    unweighted = nc.estimate(nc.read(path, "ann.csv"))
    assert found.classes["weather"].high >= alone.classes["weather"].high
    assert alone.classes["weather"].total != unweighted.classes["weather"].total
    assert main(["estimate", str(path), "ann.csv", "--q", CLASSES, "--plan", "plan/plan.json"]) == 0
    assert str(alone) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace(",sport,", ",spurt,", 1), "found class 'spurt', expected one of politics"),
        (
            lambda text: text.replace("label", "said"),
            "found the columns .*said.*; expected one named 'y', or y= with its name",
        ),
        (
            lambda text: text.replace("q_", "").replace("sport,science", "a,b"),
            "expected one of politics, a, b, weather",
        ),
        (
            lambda text: text.replace("q_", "x_"),
            "found the columns .*; expected one named 'q', .* or a column for each class",
        ),
    ],
)
def test_a_table_that_has_no_classes_is_refused(change, message, topics):
    path, _ = topics
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        nc.estimate(nc.read(path))


def test_look_names_the_command_for_classes(topics):
    path, _ = topics
    found = nc.look(path)
    assert "4 classes: politics, sport, science, weather" in found.sentences
    assert ("estimate", str(path)) in found.commands
