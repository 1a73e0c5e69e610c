"""The page of labels states which way the predictions of a label err, and the answer what is pooled."""

import re

import numpy as np

import nlpcalib as nc
from nlpcalib.extras import install_command
from nlpcalib.questions.report import direction_of_class


def labelled(seed=4, n=4000):
    """Predictions of four labels: too high, too low, too extreme, and right."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(4, n))
    true = 1 / (1 + np.exp(-z))
    shown = 1 / (1 + np.exp(-np.array([z[0] + 1, z[1] - 1, 2.5 * z[2], z[3]])))
    names = np.repeat(["above", "below", "extreme", "right"], n)
    return shown.ravel(), (rng.random((4, n)) < true).ravel(), names


def test_the_page_has_the_direction_of_each_miscalibrated_label(tmp_path):
    q, y, names = labelled()
    report = nc.calibrate(nc.read(q, y=y, predicted=names))
    expected = {"above": "too high", "below": "too low", "extreme": "both", "right": ""}
    assert {row["predicted"]: direction_of_class(row) for row in report.by_class} == expected
    report.save(tmp_path / "out")
    page = (tmp_path / "out/by_class.html").read_text(encoding="utf-8")
    assert set(re.findall('data-name="direction">([^<]*)<', page)) == set(expected.values())
    assert "direction" not in (tmp_path / "out/by_class.csv").read_text(encoding="utf-8").partition("\n")[0]


def test_errors_that_cancel_over_labels_are_said_to_be_of_labels_taken_alone():
    q = np.full(3000, 0.5)
    names = np.repeat(["high", "low"], [1000, 2000])
    y = np.arange(3000) % 20 < np.where(names == "high", 8, 11)
    report = nc.calibrate(nc.read(q, y=y, predicted=names))
    assert "none is shown over all classes together, up to" in report.answer()
    assert "miscalibrated (Holm): high .0988, low .0487" in str(report)
    assert "over all labels" not in nc.calibrate(q, y).answer()


def test_what_an_extra_needs_is_installed_by_name_and_not_from_an_index_without_nlpcalib():
    assert "vl-convert-python" in install_command("explorer")
    assert "openpyxl" in install_command("excel")
    assert "nlpcalib[" not in install_command("coref")
