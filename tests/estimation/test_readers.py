"""Readers who err: their rates and the corrected total by a model, by an expert, and with the answers of machines."""

import json

import numpy as np
import pytest
from scipy.special import expit, logit

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.estimation.readers import PatternCounts, reader_model, strata_of


def corpus(random, positive=0.2, items=5000):
    y = random.random(items) < positive
    return expit(logit(positive) + 2 * (random.standard_normal(items) + 2 * (y - 0.5))), y


def read(random, y, rows, errors):
    return {name: {int(row): int(y[row] ^ (random.random() < error)) for row in rows} for name, error in errors.items()}


def test_the_model_corrects_what_errors_add_and_an_interval_of_labels_as_truth_does_not_hold():
    """Of rare items, false alarms outnumber true ones: at .05, errors of 10 % make the rate .14."""
    random = np.random.default_rng(3)
    q, y = corpus(random, 0.05)
    labels = read(random, y, np.sort(random.choice(5000, 400, replace=False)), {"ann": 0.1, "bob": 0.1})
    found = nc.estimate(q, labels, readers="model")
    assert found.low <= y.sum() <= found.high
    assert y.sum() < nc.estimate(q, labels["ann"]).low
    for reader in found.readers:
        assert reader.specificity.low <= 0.9 <= reader.specificity.high
    assert "sensitivity" in str(found)
    assert "taken for the truth" not in str(found)


def test_readers_of_different_skill_are_told_apart():
    random = np.random.default_rng(4)
    q, y = corpus(random, 0.4)
    labels = read(random, y, range(3000), {"careful": 0.02, "hasty": 0.2})
    careful, hasty = nc.estimate(q, labels, readers="model").readers
    assert careful.sensitivity.low > hasty.sensitivity.high
    assert hasty.sensitivity.low <= 0.8 <= hasty.sensitivity.high
    assert hasty.specificity.low <= 0.8 <= hasty.specificity.high


def test_three_readers_need_no_predictions_and_two_do():
    random = np.random.default_rng(5)
    q, y = np.full(4000, 0.3), random.random(4000) < 0.3
    labels = read(random, y, range(1000), {"ann": 0.05, "bob": 0.1, "cid": 0.1})
    three = nc.estimate(q, labels, readers="model")
    assert three.low <= y.sum() <= three.high
    del labels["cid"]
    with pytest.raises(InputError, match="of two readers nothing else shows who errs"):
        nc.estimate(q, labels, readers="model")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"readers": "all"}, "readers: found 'all', expected settle or model"),
        ({"readers": "model", "expert": "ann"}, "found readers='model' with expert="),
        ({"readers": "model", "label_error": 0.05}, "found readers='model' with label_error="),
        ({"expert": "eva"}, "expert: found ann, bob, expected 'eva' among the annotators"),
        ({"readers": "model"}, "found 20 items with labels of two readers, expected 50"),
        ({"readers": "model", "inclusion": np.linspace(0.1, 0.9, 5000)}, "probabilities of their own"),
    ],
)
def test_what_cannot_be_had_is_refused(options, message):
    random = np.random.default_rng(6)
    q, y = corpus(random)
    labels = read(random, y, range(20), {"ann": 0.1, "bob": 0.1})
    with pytest.raises(InputError, match=message):
        nc.estimate(q, labels, **options)


@pytest.mark.parametrize("inverted", [False, True])
def test_an_experts_labels_with_machines_hold_and_are_narrower_whatever_the_machines_do(inverted):
    """Machines are right in .7, .8 and .9 of the items: √(1 − R²) = .55 of the width of the labels alone."""
    random = np.random.default_rng(7)
    y = random.random(5000) < 0.3
    machines = np.array([y ^ (random.random(5000) < error) ^ inverted for error in (0.3, 0.2, 0.1)], float).T
    q = np.full(5000, 0.3)
    ratio, held = [], []
    for draw in range(20):
        rows = np.random.default_rng([7, draw]).choice(5000, 100, replace=False)
        labels = {int(row): int(y[row]) for row in rows}
        alone, found = nc.estimate(q, labels), nc.estimate(q, labels, machines=machines)
        ratio.append((found.high - found.low) / (alone.high - alone.low))
        held.append(found.low <= y.sum() <= found.high)
    design = np.c_[np.ones(5000), machines]
    explained = np.corrcoef(design @ np.linalg.lstsq(design, y, rcond=None)[0], y)[0, 1] ** 2
    assert np.mean(held) >= 0.85
    assert np.mean(ratio) <= 1.2 * np.sqrt(1 - explained)


def test_the_expert_shows_how_right_others_are():
    random = np.random.default_rng(8)
    q, y = corpus(random)
    labels = read(random, y, range(400), {"ann": 0.1}) | {"eva": {row: int(y[row]) for row in range(0, 400, 2)}}
    found = nc.estimate(q, labels, expert="eva")
    assert found.whole.read == 200
    [ann] = found.readers
    assert (ann.name, ann.items) == ("ann", 200)
    right = np.mean([labels["ann"][row] == y[row] for row in range(0, 400, 2) if y[row]])
    assert ann.sensitivity.value == pytest.approx(right, abs=0.03)
    assert ann.sensitivity.low < 0.9 < ann.sensitivity.high


def test_the_command_has_the_same_answer(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(9)
    q, y = corpus(random, items=3000)
    (tmp_path / "items.csv").write_text("id,q\n" + "".join(f"d{row},{each:.4f}\n" for row, each in enumerate(q)))
    plan = nc.plan_items("items.csv", budget=300, design="random")
    plan.save("plan")
    for name, error in (("ann", 0.1), ("bob", 0.05)):
        wrong = random.random(3000) < error
        cells = "".join(f"d{row},{'yes' if y[row] ^ wrong[row] else 'no'}\n" for row in plan.rows)
        (tmp_path / f"{name}.csv").write_text("item,label\n" + cells)
    capsys.readouterr()
    words = "items.csv ann.csv bob.csv --plan plan/plan.json --readers model --json"
    assert main(["estimate", *words.split(" ")]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = nc.estimate("items.csv", ["ann.csv", "bob.csv"], plan="plan/plan.json", readers="model")
    assert printed["estimates"][0]["total"] == found.total
    assert [each["name"] for each in printed["readers"]] == ["ann", "bob"]


@pytest.mark.slow
@pytest.mark.parametrize(("positive", "error"), [(0.3, 0.1), (0.05, 0.05), (0.05, 0.02)])
def test_intervals_of_the_model_hold_where_those_of_one_reader_do_not(positive, error):
    corpora, totals, held = [], [], []
    for draw in range(40):
        random = np.random.default_rng([10, draw])
        q, y = corpus(random, positive, 10_000)
        rows = np.sort(random.choice(10_000, 200, replace=False))
        labels = np.array([y[rows] ^ (random.random(200) < error) for _ in range(2)], float).T
        corpora.append((q, strata_of(q), rows, labels))
        totals.append(y.sum())
    counts = PatternCounts.of(corpora)
    points = counts.draws()
    for number, total in enumerate(totals):
        try:
            found = counts.found(number, points)
        except InputError:
            continue
        held.append(found.low <= total <= found.high)
    assert len(held) >= 30
    assert np.mean(held) >= 0.88


def test_corpora_that_are_drawn_together_have_the_interval_that_each_has_alone():
    random = np.random.default_rng(12)
    corpora = []
    for positive in (0.1, 0.4):
        q, y = corpus(random, positive, 4000)
        rows = np.sort(random.choice(4000, 300, replace=False))
        labels = np.array([y[rows] ^ (random.random(300) < 0.05) for _ in range(2)], float).T
        corpora.append((q, strata_of(q), rows, labels))
    counts = PatternCounts.of(corpora)
    points = counts.draws()
    for number, each in enumerate(corpora):
        together, alone = counts.found(number, points), reader_model(*each)
        for end in ("total", "low", "high"):
            assert getattr(together, end) == pytest.approx(getattr(alone, end), abs=0.15 * (alone.high - alone.low))
