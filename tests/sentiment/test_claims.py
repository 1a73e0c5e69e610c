import pytest

from reproduction.claims.sentiment import check_sentiment, range_gap

REGIONS = ("0_0.25", "0.25_0.5", "0.5_0.75", "0.75_1")


def row(f1, error, *gaps):
    known = {f"gap_{region}": gap for region, gap in zip(REGIONS, gaps, strict=True)}
    counts = {f"n_{region}": 0 if gap is None else 10 for region, gap in zip(REGIONS, gaps, strict=True)}
    return {"f1": f1, "calibration_error": error, **known, **counts}


def verdicts(naive_bayes, logistic_regression):
    rows = check_sentiment({"naive_bayes": naive_bayes, "logistic_regression": logistic_regression})
    assert [set(entry) for entry in rows] == [{"place", "claim", "measured", "verdict"}] * 7
    return [entry["verdict"] for entry in rows]


def test_the_papers_own_pattern_reproduces():
    assert verdicts(row(0.738, 0.105, 0.2, 0.1, -0.1, -0.2), row(0.729, 0.041, 0.1, 0.05, -0.05, -0.1)) == [
        "reproduced", "not applicable", "reproduced", "not applicable", "reproduced", "reproduced", "reproduced",
    ]  # fmt: skip


def test_the_opposite_pattern_differs():
    assert verdicts(row(0.6, 0.04, -0.1, -0.1, 0.1, 0.1), row(0.7, 0.1, -0.01, -0.01, 0.01, 0.01)) == [
        "differs", "not applicable", "differs", "not applicable", "differs", "differs", "differs",
    ]  # fmt: skip


def test_a_range_without_predictions_is_not_judged():
    found = verdicts(row(0.7, 0.1, 0.1, 0.1, -0.1, -0.1), row(0.7, 0.1, 0.1, 0.1, None, None))
    assert found[4:] == ["reproduced", "not applicable", "not applicable"]


def test_a_gap_is_weighted_by_predictions():
    entry = row(0.7, 0.1, 0.3, 0.1, None, None) | {"n_0_0.25": 30}
    assert range_gap(entry, REGIONS[:2]) == pytest.approx(0.25)
    assert range_gap(entry, REGIONS[2:]) is None
