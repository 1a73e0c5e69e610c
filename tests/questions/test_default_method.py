"""One line of the registry is the default: reports, tables by label, files, comparisons and figures follow it."""

import csv
import json

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import DEFAULT_ESTIMATORS, METHODS, Settings
from nlpcalib.figures.reliability import describe_error


@pytest.fixture(scope="module")
def predictions():
    rng = np.random.default_rng(4)
    q = rng.random(6000)
    return q, rng.random(q.size) < q**1.4, rng.choice(["a", "b", "c"], q.size)


def measured(predictions, folder):
    q, y, label = predictions
    report = nc.calibrate(nc.read(q, y=y, predicted=label))
    report.save(folder)
    with (folder / "by_class.csv").open(encoding="utf-8") as file:
        return report, json.loads((folder / "calibration.json").read_text(encoding="utf-8")), list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("estimator", "method"),
    [("ten_bins_rms", "ten_bins_rms/score"), pytest.param("cox_rms", "cox_rms", marks=pytest.mark.slow)],
)
def test_the_default_of_the_registry_is_what_reports_tables_and_files_have(
    predictions, tmp_path, monkeypatch, estimator, method
):
    q, y, label = predictions
    usual, usual_file, usual_rows = measured(predictions, tmp_path / "usual")
    monkeypatch.setitem(DEFAULT_ESTIMATORS, "rms", estimator)
    other, other_file, other_rows = measured(predictions, tmp_path / "other")
    expected = METHODS[method](SortedPairs(q, y), Settings())
    assert usual.error != other.error == expected.value
    assert (other.interval or (None, None)) == (expected.low, expected.high)
    assert (usual_file["method"], other_file["method"]) == ("bias_corrected_rms/score", method)
    assert next(each["value"] for each in other_file["estimates"] if each["estimator"] == estimator) == expected.value
    assert other_file["resolution"]["bins"] == expected.bins
    for before, after in zip(usual_rows, other_rows, strict=True):
        rows = label == after["predicted"]
        own = METHODS[method](SortedPairs(q[rows], y[rows]), Settings())
        assert after["method"] == method != before["method"]
        assert float(after["error"]) == pytest.approx(own.value, rel=1e-9) != float(before["error"])
        assert [after["error_low"], after["error_high"]] != [before["error_low"], before["error_high"]]
        kept = ("published_error", "published_low", "published_high", "p_value", "noise_floor", "brier")
        assert [after[name] for name in kept] == [before[name] for name in kept]
    assert METHODS[method].words in describe_error(other.calibration)


def test_the_comparison_of_models_by_class_follows_the_default(predictions, monkeypatch):
    q, y, label = predictions
    usual = nc.compare(nc.read(q, y=y, predicted=label), nc.read(q**1.4, y=y, predicted=label)).by_class
    monkeypatch.setitem(DEFAULT_ESTIMATORS, "rms", "ten_bins_rms")
    other = nc.compare(nc.read(q, y=y, predicted=label), nc.read(q**1.4, y=y, predicted=label)).by_class
    assert all(one["value_first"] != two["value_first"] for one, two in zip(usual, other, strict=True))
