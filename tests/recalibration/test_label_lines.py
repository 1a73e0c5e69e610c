"""A map may differ by label: only where held-out labels are predicted better so, and it then mends each label."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit, logit

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.recalibration.label_lines import LabelLines
from nlpcalib.recalibration.shrinkage import fit_shrinkage

NAMES = ("LOC", "ORG", "PER")


def entities(shift_of_org, rows=400, seed=0):
    """Return predictions, labels, codes and true probabilities: ORG has log odds that are too high by a shift."""
    rng = np.random.default_rng(seed)
    label, z = np.repeat(np.arange(3), rows), rng.normal(1, 1, 3 * rows)
    truth = expit(z - shift_of_org * (label == 1))
    return expit(z), rng.random(3 * rows) < truth, label, truth


def test_lines_are_the_highest_penalised_likelihood():
    q, y, label, _ = entities(1.0, rows=40)
    s, ridge = logit(q), np.array([2.0, 5.0])
    found = LabelLines.of(s, y.astype(float), label, ridge)
    for code in range(3):
        own = s[label == code]
        x, target = own - own.mean(), y[label == code]

        def loss(theta, own=own, x=x, target=target):
            odds = own + theta[0] + theta[1] * x
            return np.sum(np.logaddexp(0, odds) - target * odds) + ridge @ np.square(theta) / 2

        best = optimize.minimize(loss, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).x
        np.testing.assert_allclose([found.shift[code], found.slope[code]], best, atol=1e-5)


def test_a_label_that_alone_is_wrong_is_mended_and_the_others_are_left():
    q, y, label, truth = entities(1.5)
    before, pooled = (q - truth) ** 2, (fit_shrinkage(q, y).q - truth) ** 2
    report = nc.recalibrate(nc.read(q, y=y, predicted=np.array(NAMES)[label]))
    after = (report.q - truth) ** 2
    assert after[label == 1].mean() < 0.1 * before[label == 1].mean()
    assert after[label != 1].mean() < 0.5 * pooled[label != 1].mean()
    assert report.finished
    assert "worse for these classes" not in str(report)


def test_labels_that_err_alike_keep_one_map():
    excess = []
    for seed in range(5):
        q, y, label, truth = entities(0.0, rows=100, seed=seed)
        found = fit_shrinkage(q, y, label=label, label_names=NAMES, seed=seed)
        excess.append(np.mean((found.q - truth) ** 2))
    assert np.mean(excess) < 0.0005


def test_a_label_that_was_not_seen_takes_the_shared_map_and_is_named():
    q, y, label, _ = entities(1.5)
    report = nc.recalibrate(nc.read(q, y=y, predicted=np.array(NAMES)[label]))
    applied = nc.apply_map(nc.read([0.5, 0.5], predicted=["MISC", "ORG"]), report.map)
    assert applied.new_labels == ("MISC",)
    assert applied.q[0] > applied.q[1]
    with pytest.raises(
        nc.InputError, match="predictions: found no column predicted, expected one, or its name: the map differs by it"
    ):
        report.predict([0.5])


def test_a_map_by_class_is_saved_and_applied_to_a_table(tmp_path, capsys):
    q, y, label, _ = entities(1.5)
    report = nc.recalibrate(nc.read(q, y=y, predicted=np.array(NAMES)[label]))
    report.save(tmp_path / "out")
    assert json.loads((tmp_path / "out/map.json").read_text())["labels"] == list(NAMES)
    table = tmp_path / "new.csv"
    table.write_text("q,type\n.5,ORG\n.5,PER\n", encoding="utf-8")
    command = ["recalibrate", str(table), "--map", str(tmp_path / "out/map.json"), "--out", str(tmp_path / "new")]
    assert main(command) == 2
    assert "found no column predicted, expected one, or its name: the map differs by it" in capsys.readouterr().err
    assert main([*command, "--predicted", "type"]) == 0
    rows = (tmp_path / "new/recalibrated.csv").read_text(encoding="utf-8").splitlines()[1:]
    np.testing.assert_array_equal([float(row.split(",")[0]) for row in rows], report.predict([0.5] * 2, ["ORG", "PER"]))


def test_a_named_method_that_spoils_a_label_is_told():
    q, y, label, _ = entities(1.5)
    report = nc.recalibrate(nc.read(q, y=y, predicted=np.array(NAMES)[label]), method="logistic")
    (line,) = (line for line in report.lines() if line.startswith("worse for these classes"))
    assert "LOC" in line
    assert "PER" in line
    assert "ORG" not in line
    assert line.endswith("method='shrinkage', the default, has a map that differs by class")


def test_no_further_step_never_stands_beside_a_miscalibrated_label():
    q, y, label, _ = entities(1.5)
    pooled = nc.recalibrate(nc.read(q, y=y, predicted=np.array(NAMES)[label]), method="temperature").after
    report = replace(pooled, next_step="no further step")
    assert "miscalibrated (Holm)" in str(report)
    assert "next: an error is left in classes taken alone, ORG" in str(report)
