"""Ratings, shares and other numbers in a known range: their mean has an interval that holds with 100 labels."""

import json

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.estimation.values import value_totals
from nlpcalib.sampling.samples import Sample, simple_random_sample


def ratings(random, items=5000):
    """Return a model's ratings and those that people give, from 1 to 5."""
    quality = random.normal(3.4, 0.9, items)
    return np.clip(quality, 1, 5), np.clip(np.round(quality + random.normal(0, 0.7, items)), 1, 5)


def test_labels_of_yes_and_no_have_nearly_the_interval_of_a_share():
    random = np.random.default_rng(1)
    q = random.beta(0.5, 2, 4000)
    y = (random.random(4000) < q).astype(float)
    rows = np.sort(random.choice(4000, 200, replace=False))
    share = nc.estimate(nc.read(q, dict(zip(rows.tolist(), y[rows].tolist(), strict=True))))
    [found] = value_totals(q, simple_random_sample(4000, rows, y[rows]))
    assert [found.total, found.low, found.high] == pytest.approx([share.total, share.low, share.high], rel=0.06)


def test_the_mean_rating_of_the_corpus_and_of_groups_is_between_the_ends_and_narrower_than_labels_alone():
    random = np.random.default_rng(2)
    predicted, rated = ratings(random)
    rows = random.choice(5000, 200, replace=False)
    group = np.where(np.arange(5000) % 2, "odd", "even")
    labels = {int(row): rated[row] for row in rows}
    found = nc.estimate(nc.read(predicted, labels, values=(1, 5)), by=group)
    mean, low, high = found.share
    assert low <= rated.mean() <= high
    assert low < mean < high
    assert high - low < 3.92 * rated.std() / np.sqrt(200)
    for name, each in found.groups.items():
        assert each.share[1] <= rated[group == name].mean() <= each.share[2]
    assert found.whole.predicted == pytest.approx(predicted.sum())
    assert f"the mean of 5,000 items is {mean:.3g} (95 % interval {low:.3g} to {high:.3g})" in str(found)


def test_scale_and_direction_of_the_range_make_no_difference():
    random = np.random.default_rng(3)
    predicted, rated = ratings(random)
    rows = random.choice(5000, 100, replace=False)
    one = nc.estimate(nc.read(predicted, {int(row): rated[row] for row in rows}, values=(1, 5))).share
    ten = nc.estimate(nc.read(10 * predicted, {int(row): 10 * rated[row] for row in rows}, values=(10, 50))).share
    assert np.array(ten) == pytest.approx(10 * np.array(one))
    turned = nc.estimate(nc.read(6 - predicted, {int(row): 6 - rated[row] for row in rows}, values=(1, 5))).share
    assert 6 - turned[0] == pytest.approx(one[0], abs=0.01)
    assert 6 - turned[1] == pytest.approx(one[2], abs=0.01)


def test_items_that_are_alike_in_their_documents_widen_the_interval():
    random = np.random.default_rng(4)
    unit = np.repeat(np.arange(500), 10)
    value = np.clip(0.5 + 0.2 * random.normal(size=500)[unit] + 0.02 * random.normal(size=5000), 0, 1)
    drawn = random.choice(500, 20, replace=False)
    rows = np.flatnonzero(np.isin(unit, drawn))
    sample = Sample(np.zeros(5000, np.int64), np.array([25.0]), rows, value[rows])
    [alone] = value_totals(np.full(5000, 0.5), sample)
    [together] = value_totals(np.full(5000, 0.5), Sample(sample.stratum, sample.weights, rows, value[rows], unit))
    assert together.high - together.low > 2 * (alone.high - alone.low)
    assert together.low <= value.sum() <= together.high


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ratings", "mostly 5", "shares", "two values"])
def test_intervals_hold_with_a_hundred_labels(kind):
    """The normal interval of the labels alone held in .87 to .98 of samples."""
    held = []
    for draw in range(120):
        random = np.random.default_rng([5, draw])
        predicted, value = ratings(random)
        if kind == "mostly 5":
            bad = random.random(5000) < 0.08
            value = np.where(bad, random.integers(1, 4, 5000), 5 - (random.random(5000) < 0.1))
            predicted = np.where(random.random(5000) < np.where(bad, 0.6, 0.03), 2.5, 4.9)
        elif kind == "shares":
            value = 1 + 4 * random.beta(0.2, 1.5, 5000)
        elif kind == "two values":
            value = np.where(random.random(5000) < 0.03, 5.0, 1.0)
        place = (value - 1) / 4
        rows = np.sort(random.choice(5000, 100, replace=False))
        [found] = value_totals((predicted - 1) / 4, simple_random_sample(5000, rows, place[rows]))
        held.append(found.low <= place.sum() <= found.high)
    assert np.mean(held) >= 0.92


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ((5, 1), {}, "values: found 5, 1, expected the ends of a range"),
        ((1, 4), {}, "row 2: found prediction 4.5, expected a number from 1 to 4"),
        ((1, 5), {"label_error": 0.05}, "label_error: found 0.05 with numbers"),
    ],
)
def test_what_values_cannot_be_is_refused(values, options, message):
    with pytest.raises(InputError, match=message):
        nc.estimate(nc.read(np.array([1.0, 3.0, 4.5]), {0: 1, 1: 4}, values=values), **options)


def test_labels_beyond_the_range_are_refused():
    with pytest.raises(InputError, match="labels, row 1: found the label '6', expected a number from 1 to 5"):
        nc.estimate(nc.read(np.array([1.0, 3.0, 4.5]), {0: 1, 1: 6}, values=(1, 5)))


def test_the_command_reads_ratings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(6)
    predicted, rated = ratings(random, 2000)
    cells = (f"d{row},{each:.3f}\n" for row, each in enumerate(predicted))
    (tmp_path / "items.csv").write_text("id,q\n" + "".join(cells))
    assert main(["plan", "items", "items.csv", "--budget", "150", "--values", "1,5", "--out", "plan"]) == 0
    drawn = nc.plan_items(nc.read("items.csv", values=(1, 5)), budget=150).rows
    rows = "".join(f"d{row},{rated[row]:.0f}\n" for row in drawn)
    (tmp_path / "labels.csv").write_text("item,label\n" + rows)
    capsys.readouterr()
    words = "items.csv labels.csv --plan plan/plan.json --values 1,5 --json --out out"
    assert main(["estimate", *words.split(" ")]) == 0
    [whole] = json.loads(capsys.readouterr().out)["estimates"]
    assert whole["low"] / 2000 <= rated.mean() <= whole["high"] / 2000
    assert (tmp_path / "out" / "intervals.csv").exists()


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-2.5, 7.5)])
def test_shares_and_other_fractions_are_read_alike_from_sheets_and_by_id(tmp_path, monkeypatch, capsys, low, high):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(8)
    true = low + (high - low) * random.beta(1, 3, 1200)
    predicted = np.clip(true + 0.1 * (high - low) * random.standard_normal(1200), low, high)
    cells = (f"d{row},{each:.4f},{'ab'[row % 2]}\n" for row, each in enumerate(predicted))
    (tmp_path / "items.csv").write_text("id,q,system\n" + "".join(cells))
    planned = ["items.csv", f"--values={low},{high}", "--by", "system"]
    assert main(["plan", "items", *planned, "--budget", "100", "--out", "plan"]) == 0
    made = nc.plan_items(nc.read("items.csv", values=(low, high)), budget=100, by="system")
    assert f"if all values are at the ends of the range: {made.width:.2g}." in capsys.readouterr().out
    labels = {f"d{row}": round(true[row], 3) for row in made.rows.tolist()}
    sheets = {"ann": labels, "bob": labels | dict.fromkeys(list(labels)[:2], round((low + high) / 2, 3))}
    for name, sheet in sheets.items():
        rows = "".join(f"{item},{label:.3f}\n" for item, label in sheet.items())
        (tmp_path / f"{name}.csv").write_text("item,label\n" + rows)
    words = [*planned, "--plan", "plan/plan.json", "--json", "--out"]
    for files, given in ((["ann.csv"], labels), (["ann.csv", "bob.csv"], sheets)):
        folder = f"out{len(files)}"
        assert main(["estimate", *planned[:1], *files, *words[1:], folder]) == 0
        printed = json.loads(capsys.readouterr().out)["estimates"]
        found = nc.estimate(nc.read("items.csv", given, plan="plan/plan.json", values=(low, high)), by="system")
        ends = [end for row in printed for end in (row["low"], row["high"])]
        assert ends == pytest.approx([end for each in found.estimates for end in (each.low, each.high)])
        assert printed[0]["low"] <= true.sum() <= printed[0]["high"]
        assert made.width >= found.whole.share[2] - found.whole.share[1]
    sheet = (tmp_path / "out2" / "disagreements.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(sheet) == 3
    assert f"{labels[sheet[1].split(',')[0].removeprefix('item ')]:g}" in sheet[1].split(",")
    (tmp_path / "bob.csv").write_text((tmp_path / "bob.csv").read_text().replace(f"{(low + high) / 2:.3f}", "a third"))
    assert main(["estimate", *planned[:1], "bob.csv", *words[1:], "out3"]) == 2
    assert f"found the label 'a third', expected a number from {low:g} to {high:g}" in capsys.readouterr().err
