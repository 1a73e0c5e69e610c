"""`nlpcalib.recalibrate` removes error that labels can show, and reports it on labels it has not seen."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import expit, logit

import nlpcalib as nc
from nlpcalib.errors import decimals
from nlpcalib.io.files import read_csv
from nlpcalib.questions.recalibrate import _next_step
from nlpcalib.recalibration.fitting import RECALIBRATIONS
from nlpcalib.tables.columns import column_probabilities
from nlpcalib.tables.table import Table


@pytest.fixture
def sharp():
    rng = np.random.default_rng(0)
    truth = expit(rng.normal(-0.5, 1.5, 4000))
    return expit(2 * logit(truth)), rng.random(4000) < truth


@pytest.mark.parametrize("method", ["shrinkage", *RECALIBRATIONS])
def test_every_method_lowers_an_error_that_is_there(sharp, method):
    report = nc.recalibrate(*sharp, method=method)
    assert report.before.interval[0] > report.after.interval[1]
    assert report.comparison.worse("before")[0] == "calibration error"
    assert report.q.shape == sharp[0].shape
    np.testing.assert_array_equal(report.before.pairs.q, sharp[0])


def test_the_map_applies_to_new_predictions(sharp):
    report = nc.recalibrate(*sharp, method="temperature")
    assert report.predict([0.5])[0] == pytest.approx(0.5)
    assert np.all(np.diff(report.predict(np.linspace(0, 1, 20))) >= 0)
    with pytest.raises(nc.InputError, match=r"found an array of shape \(1, 2\), expected \(any\)"):
        report.predict([[0.5, 0.5]])
    for wrong in (2.0, -1.0, np.nan):
        with pytest.raises(nc.InputError, match=f"row 1: found prediction {wrong}, expected a probability"):
            report.predict([0.5, wrong])


def test_classes_still_sum_to_one(tmp_path):
    rng = np.random.default_rng(1)
    q = rng.dirichlet(np.ones(3), 2000)
    y = (q.cumsum(axis=1) > rng.random(2000)[:, None]).argmax(axis=1)
    sharpened = q**2 / np.sum(q**2, axis=1, keepdims=True)
    for method in ("temperature", "shrinkage"):
        report = nc.recalibrate(sharpened, y, method=method)
        np.testing.assert_allclose(report.q.sum(axis=1), 1, atol=1e-12)
        assert report.after.error < 0.5 * report.before.error
    report.save(tmp_path)
    assert nc.read(tmp_path / "recalibrated.parquet").pairs().q.size == 6000


def test_a_report_saves_and_prints_itself(sharp, tmp_path):
    q, y = sharp
    report = nc.recalibrate(nc.read(q, y=y, unit=np.arange(q.size) // 4), method="logistic")
    report.save(tmp_path)
    rows = read_csv(tmp_path / "recalibration.csv")
    assert [row["stage"] for row in rows] == ["before", "after"]
    assert float(rows[1]["error"]) == report.after.error
    np.testing.assert_array_equal(nc.read(tmp_path / "recalibrated.parquet").pairs().q, report.q)
    assert repr(report).startswith("<logistic: error .")
    assert len(report.lines()) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"q": [0.2, 0.8], "y": [0, 1], "method": "logistic"},
            "logistic: found 1 positive labels, expected at least 20",
        ),
        ({"method": "vector"}, "method: found 'vector', expected one of shrinkage, temperature"),
        ({"unit": np.zeros(4000, int), "method": "logistic"}, "found 1 positive units with labels"),
        ({"unit": np.zeros(4000, int)}, "folds: found labels of 1 unit for 2 folds"),
        ({"q": [[0.5, 0.5]], "y": [[1, 0]]}, "folds: found labels of 1 unit for 2 folds"),
    ],
)
def test_labels_that_do_not_support_it_are_refused(sharp, change, message):
    arguments = {"q": sharp[0], "y": sharp[1], **change}
    with pytest.raises(nc.InputError, match=message):
        nc.recalibrate(nc.read(arguments.pop("q"), y=arguments.pop("y"), unit=arguments.pop("unit", None)), **arguments)


def test_new_predictions_of_classes_have_to_be_distributions():
    rng = np.random.default_rng(3)
    q = rng.dirichlet(np.ones(3), 500)
    report = nc.recalibrate(q, (q.cumsum(axis=1) > rng.random(500)[:, None]).argmax(axis=1))
    with pytest.raises(nc.InputError, match="row 0, column 0: found prediction"):
        report.predict([[2, -1, 0]])
    with pytest.raises(nc.InputError, match="row 1: found probabilities that sum to"):
        report.predict([[0.5, 0.5, 0], [0.2, 0.2, 0.2]])
    with pytest.raises(nc.InputError, match=r"expected \(any, 3\)"):
        report.predict([[0.5, 0.5]])


def test_predictions_of_exactly_0_and_1_are_probabilities(tmp_path):
    def written() -> np.ndarray:
        table = Table(tmp_path / "new.csv")
        return column_probabilities(table.read({"q": "number"})["q"], table.place)

    (tmp_path / "new.csv").write_text("q\n0\n1\n0.5\n")
    assert written().tolist() == [0, 1, 0.5]
    for value in ("-0.1", "1.1", "nan", "x"):
        (tmp_path / "new.csv").write_text(f"q\n0\n{value}\n")
        with pytest.raises(nc.InputError, match=f"new.csv, line 3: found prediction '?{value}'?, expected"):
            written()


def test_decisions_that_change_are_counted_and_temperature_changes_none():
    """A bias of one class makes its predictions likeliest too often: the repair gives some of them another class."""
    rng = np.random.default_rng(11)
    logits = rng.normal(0, 1, (1500, 3))
    true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = (rng.random((1500, 1)) > true.cumsum(axis=1)).sum(axis=1)
    stated = np.exp(2 * logits + [1.5, 0, 0])
    stated /= stated.sum(axis=1, keepdims=True)
    found = nc.recalibrate(stated, y)
    before, after = (np.mean(q.argmax(axis=1) == y) for q in (stated, found.q))
    changed = np.mean(stated.argmax(axis=1) != found.q.argmax(axis=1))
    assert changed > 0.05
    assert found.record()["accuracy"] == pytest.approx([before, after])
    lines = found.lines()
    place = next(number for number, line in enumerate(lines) if line.startswith("accuracy"))
    shown = re.fullmatch(
        r"accuracy (\S+) before, (\S+) after \(change (\S+) to (\S+), 95 % interval\)\n(\S+) % of the predictions "
        "change class; with keep_classes=True none does",
        "\n".join(lines[place : place + 2]),
    )
    low, high = float(shown[3]), float(shown[4])
    assert low < after - before < high
    right = (found.q.argmax(axis=1) == y).astype(float) - (stated.argmax(axis=1) == y)
    assert (low + high) / 2 == pytest.approx(after - before, abs=2e-4)
    assert high - low == pytest.approx(2 * 1.96 * right.std() / np.sqrt(1500), rel=0.02)
    assert float(shown[5]) == pytest.approx(100 * changed, abs=0.5)
    kept = nc.recalibrate(stated, y, keep_classes=True)
    assert kept.method == "temperature"
    assert (kept.q.argmax(axis=1) == stated.argmax(axis=1)).all()
    assert not [line for line in kept.lines() if line.startswith("accuracy")]
    for arguments, message in (
        ({"method": "shrinkage"}, "found method='shrinkage', expected method='temperature'"),
        ({}, "found one prediction in each row, expected a column for each class"),
    ):
        q, right = (stated, y) if arguments else (stated[:, 0], y == 0)
        with pytest.raises(nc.InputError, match=message):
            nc.recalibrate(q, right, keep_classes=True, **arguments)


def test_an_error_that_is_left_is_no_end_and_none_that_is_shown_is_no_proof():
    left = SimpleNamespace(q=np.zeros(120), finished=True, sharpens=False)
    assert _next_step(left, (0.0, 0.05)).startswith("nothing, since no other method does better on held-out labels")
    said = _next_step(left, (0.0048, 0.054))
    assert said.startswith("an error of .0048 or more is left, but no method reduces it with 120 labels: label more")
    rng = np.random.default_rng(3)
    q = rng.random(3000)
    answers = [nc.calibrate(q, rng.random(3000) < q) for _ in range(8)]
    none = [each for each in answers if each.error < 0.00005]
    assert none
    for each in none:
        assert each.answer().endswith(f"(none is shown, up to {decimals(each.interval[1])} is possible)")
    assert not any("none is shown" in each.answer() for each in answers if each.error >= 0.00005)
