"""`nlpcalib.compare` finds the better calibrated model, and none where there is none."""

import numpy as np
import pytest
from scipy.special import expit

import nlpcalib as nc
from nlpcalib.api.compare import compare_pairs
from nlpcalib.calibration import Categories, Pairs
from nlpcalib.io.files import read_csv


def events(rng, n=2500):
    logit = rng.normal(-1, 1.5, n)
    return logit, rng.random(n) < expit(logit)


def test_the_worse_model_is_found_on_either_side():
    logit, y = events(np.random.default_rng(0))
    good, bad = expit(logit), expit(2 * logit)
    report = nc.compare(bad, good, y, names=("sharp", "true"))
    assert report.better == "true"
    assert report.difference > 0
    mirrored = nc.compare(good, bad, y, names=("true", "sharp"))
    assert mirrored.better == "true"
    assert mirrored.p_value == pytest.approx(report.p_value)
    assert report.lines()[-1].startswith("true is better calibrated")


def test_equal_models_do_not_differ():
    logit, y = events(np.random.default_rng(1))
    report = nc.compare(expit(logit), expit(logit), y)
    assert report.p_value == 1
    assert report.better is None


def test_the_order_of_rows_does_not_matter():
    rng = np.random.default_rng(2)
    logit, y = events(rng)
    a, b = expit(1.2 * logit).round(2), expit(logit - 0.2).round(2)
    order = rng.permutation(y.size)
    assert nc.compare(a[order], b[order], y[order]).p_value == pytest.approx(nc.compare(a, b, y).p_value, rel=1e-9)


@pytest.mark.slow
def test_two_equally_wrong_models_differ_in_one_comparison_of_twenty():
    rng = np.random.default_rng(4)
    rejected = 0
    for _ in range(200):
        logit = rng.normal(0, 1.2, (2, 3000))
        y = rng.random(3000) < expit(logit.sum(axis=0) / 2)
        rejected += nc.compare(*expit(logit), y).p_value < 0.05
    assert rejected <= 20  # 10 expected, the 99.8 % quantile of a binomial is 20


def test_classes_are_compared_over_all_of_them(tmp_path):
    rng = np.random.default_rng(5)
    q = rng.dirichlet(np.ones(3), 1500)
    y = (q.cumsum(axis=1) > rng.random(1500)[:, None]).argmax(axis=1)
    sharp = q**2 / np.sum(q**2, axis=1, keepdims=True)
    report = nc.compare(sharp, q, y, labels=["x", "y", "z"])
    assert report.better == "B"
    assert {row["label"] for row in report.by_label} == {"x", "y", "z"}
    report.save(tmp_path)
    assert len(read_csv(tmp_path / "by_label.csv")) == 3
    assert {row["model"] for row in read_csv(tmp_path / "reliability.csv")} == {"A", "B"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": np.array([1, 0, 0])}, "row 2: found y True in one and False in the other"),
        ({"q": np.array([0.5, 0.5]), "y": np.array([1, 1]), "unit": None}, "found 3 and 2 rows"),
        ({"unit": Categories(np.array([0, 1, 1]), ("a", "c"))}, "row 2: found unit b in one and c in the other"),
    ],
)
def test_tables_of_other_events_are_refused(change, message):
    columns = {
        "q": np.array([0.1, 0.2, 0.3]),
        "y": np.array([1, 1, 0]),
        "unit": Categories(np.array([0, 1, 1]), ("a", "b")),
    }
    with pytest.raises(nc.InputError, match=message):
        compare_pairs(Pairs(**columns), Pairs(**{**columns, **change}))


def test_too_few_events_are_not_tested():
    report = nc.compare([0.1] * 30, [0.2] * 30, np.arange(30) < 3)
    assert report.p_value is None
    assert report.better is None
    assert "too few events" in repr(report)
