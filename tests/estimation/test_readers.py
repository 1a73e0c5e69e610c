"""Readers who err: their rates and the corrected total by a model, by an expert, and with the answers of machines."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.estimation.readers import PatternCounts, Readings, reader_model, strata_of


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
    assert found.record()["method"] == "readers"
    assert found.low <= y.sum() <= found.high
    assert y.sum() < nc.estimate(q, labels["ann"]).low
    for reader in found.readers:
        assert reader.specificity.low <= 0.9 <= reader.specificity.high
    assert "sensitivity" in str(found)
    assert "taken for the truth" not in str(found)
    text, references = found.methods()
    assert "by a latent class model of the readers' errors" in text
    assert "hui1980" in references


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
        ({"readers": "model", "by": ["a"] * 5000, "borrow": "same-rates"}, "found readers='model' with borrow="),
        ({"readers": "model", "machines": np.zeros(5000)}, "found readers='model' with machines="),
        ({"readers": "model", "vectors": np.ones((5000, 2))}, "found readers='model' with vectors="),
        ({"readers": "model", "method": "classical"}, "found readers='model' with method="),
    ],
)
def test_what_cannot_be_had_is_refused(options, message):
    random = np.random.default_rng(6)
    q, y = corpus(random)
    labels = read(random, y, range(20), {"ann": 0.1, "bob": 0.1})
    with pytest.raises(InputError, match=message):
        nc.estimate(q, labels, **options)


def test_groups_have_rates_of_their_own_and_share_the_readers():
    """The model does not know that half of the items have three times as many positive ones."""
    random = np.random.default_rng(14)
    q, y = corpus(random, 0.15)
    group = np.where(random.random(5000) < 0.5, "rare", "often")
    y |= (group == "often") & (random.random(5000) < 0.3)
    labels = read(random, y, np.sort(random.choice(5000, 600, replace=False)), {"ann": 0.1, "bob": 0.05})
    found = nc.estimate(q, labels, readers="model", by=group)
    for name, estimate in found.groups.items():
        assert estimate.low <= y[group == name].sum() <= estimate.high
    assert found.groups["often"].share[1] > found.groups["rare"].share[2]
    assert not found.changes
    assert "Differences between groups are not tested" in str(found)
    text = found.methods()[0]
    assert "share the readers' errors" in text
    assert "have labels that differ" in text
    assert "count both ways" not in text


def test_a_group_of_all_items_has_the_interval_of_the_corpus():
    """Rates of a group are drawn on a grid and those of the corpus by an ensemble: they have the same posterior."""
    random = np.random.default_rng(15)
    q, y = corpus(random, 0.3)
    labels = read(random, y, np.sort(random.choice(5000, 400, replace=False)), {"ann": 0.05, "bob": 0.1})
    found = nc.estimate(q, labels, readers="model", by=["all"] * 5000)
    for end in ("total", "low", "high"):
        assert getattr(found.groups["all"], end) == pytest.approx(
            getattr(found, end), abs=0.1 * (found.high - found.low)
        )


def test_items_of_unequal_probability_count_as_what_they_stand_for():
    """Four items stand for one more each, two for four: (Σ v)²/Σ v² = 144/36 items, shared in proportion to v."""
    readings = Readings(np.full(9, 0.5), np.zeros(9, int), np.arange(6), np.ones((6, 2)), np.array([2, 2, 2, 2, 5, 5]))
    assert readings.effective() == pytest.approx([1 / 3] * 4 + [4 / 3] * 2)
    assert replace(readings, effect=2.0).effective().sum() == pytest.approx(2)
    assert replace(readings, weight=np.full(6, 1.0)).effective() == pytest.approx(np.ones(6))


def test_documents_make_the_interval_of_two_readers_wider_and_unequal_probabilities_do_not_bias_it():
    random = np.random.default_rng(16)
    unit = np.repeat(np.arange(500), 10)
    positive = expit(-1.5 + 2 * random.standard_normal(500))[unit]
    y = random.random(5000) < positive
    q = expit(logit(0.25) + random.standard_normal(5000) + 2 * (y - 0.5))
    rows = np.flatnonzero(np.isin(unit, random.choice(500, 60, replace=False)))
    labels = read(random, y, rows, {"ann": 0.05, "bob": 0.05})
    documents, items = (nc.estimate(q, labels, readers="model", unit=each) for each in (unit, None))
    assert documents.low <= y.sum() <= documents.high
    assert documents.high - documents.low > 1.2 * (items.high - items.low)
    inclusion = np.where(q > 0.5, 0.3, 0.06)
    drawn = np.flatnonzero(random.random(5000) < inclusion)
    labels = read(random, y, drawn, {"ann": 0.05, "bob": 0.05})
    found = nc.estimate(q, labels, readers="model", inclusion=inclusion)
    assert found.low <= y.sum() <= found.high
    assert y[drawn].mean() * 5000 > found.high


def test_texts_change_nothing_in_the_model_and_no_sentence_says_that_they_do():
    random = np.random.default_rng(18)
    q, y = corpus(random)
    labels = read(random, y, np.sort(random.choice(5000, 200, replace=False)), {"ann": 0.05, "bob": 0.05})
    texts = ["a good day" if each else "a bad day" for each in y ^ (random.random(5000) < 0.05)]
    plain, found = (nc.estimate(q, labels, readers="model", texts=each) for each in (None, texts))
    assert (found.total, found.low, found.high) == (plain.total, plain.low, plain.high)
    assert "improve the predictions" not in str(found)
    assert "logistic regression" not in found.methods()[0]


def test_texts_with_a_word_and_the_others_add_up_to_the_corpus_and_leave_no_label_open():
    random = np.random.default_rng(19)
    has = random.random(3000) < 0.1
    y = random.random(3000) < np.where(has, 0.7, 0.02)
    texts = ["a quake" if each else "nothing" for each in has]
    plan = nc.plan_items(texts=texts, match="quake", budget=300, seed=1)
    labels = read(random, y, np.array(plan.rows), {"ann": 0.05, "bob": 0.05})
    found = nc.estimate(None, labels, plan=plan, texts=texts, readers="model")
    worded, others = found.parts
    assert worded.total + others.total == pytest.approx(found.total, abs=0.1 * (found.high - found.low))
    assert worded.low <= y[has].sum() <= worded.high
    assert others.low <= y[~has].sum() <= others.high
    assert "left open" not in str(found)
    with pytest.raises(InputError, match="found readers='model' with by= and a plan by words"):
        nc.estimate(None, labels, plan=plan, texts=texts, readers="model", by=["a"] * 3000)


def test_the_seed_decides_all_draws():
    random = np.random.default_rng(17)
    q, y = corpus(random)
    labels = read(random, y, np.sort(random.choice(5000, 200, replace=False)), {"ann": 0.05, "bob": 0.05})
    by = np.where(np.arange(5000) < 2500, "a", "b")
    first, again, other = (nc.estimate(q, labels, readers="model", by=by, seed=seed) for seed in (1, 1, 2))
    assert first.record() == again.record()
    assert first.low != other.low
    assert first.groups["a"].total != other.groups["a"].total


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
        corpora.append(Readings(q, strata_of(q), rows, labels))
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
        corpora.append(Readings(q, strata_of(q), rows, labels))
    counts = PatternCounts.of(corpora)
    points = counts.draws()
    for number, each in enumerate(corpora):
        together, alone = counts.found(number, points), reader_model(each)
        for end in ("total", "low", "high"):
            assert getattr(together, end) == pytest.approx(getattr(alone, end), abs=0.15 * (alone.high - alone.low))
