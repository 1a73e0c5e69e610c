"""The verdicts on the paper's claims of sentiment."""

import pytest

from reproduction.claims import sentiment
from reproduction.claims.sentiment import REGIONS, range_gap
from reproduction.claims.verdicts import Results, judges_of, outcome

JUDGES = judges_of(sentiment)

UNDER_THEN_OVER = ("underconfident", "unclear", "unclear", "overconfident")


def row(model, f1, error, gaps, directions=UNDER_THEN_OVER):
    known = {f"gap_{region}": gap for region, gap in zip(REGIONS, gaps, strict=True)}
    counts = {f"n_{region}": 0 if gap is None else 10 for region, gap in zip(REGIONS, gaps, strict=True)}
    tested = {f"direction_{region}": each for region, each in zip(REGIONS, directions, strict=True)}
    numbers = {
        "f1": f1,
        "published_error": error,
        "published_low": 0.9 * error,
        "published_high": 1.1 * error,
        "bin_size": 500,
    }
    return {"model": model, **numbers, **known, **counts, **tested}


def judged(naive_bayes, logistic_regression):
    rows = [row("naive_bayes", *naive_bayes), row("logistic_regression", *logistic_regression)]
    first, second = rows
    for name, own in (("f1", "f1"), ("gap_0_0.5", "gap_0_0.25"), ("gap_0.5_1", "gap_0.75_1")):
        apart = None if None in (first[own], second[own]) else second[own] - first[own]
        ends = {"": 0.0, "_low": -0.002, "_high": 0.002}
        second |= {f"{name}_difference{end}": None if apart is None else apart + by for end, by in ends.items()}
    found = {name: judge(Results({"sentiment": rows})) for name, judge in JUDGES.items()}
    return {name: (outcome(each), getattr(each, "sure", False)) for name, each in found.items()}


def test_a_half_is_unsure_where_the_intervals_overlap_it():
    gaps = (0.2, 0.1, -0.1, -0.2)
    assert judged((0.7, 0.1, gaps), (0.7, 0.048, gaps))["less_than_half"] == ("holds", False)


def test_directions_that_no_test_sees_decide_nothing():
    found = judged((0.7, 0.1, (0.1, 0.1, -0.1, -0.1), ("unclear",) * 4), (0.7, 0.1, (0.1, 0.1, None, None)))
    assert found["naive_bayes_direction"] == ("unclear", False)
    assert found["logistic_regression_direction"] == ("not applicable", False)
    assert found["more_pronounced"] == ("not applicable", False)


def test_a_gap_is_weighted_by_predictions():
    entry = row("naive_bayes", 0.7, 0.1, (0.3, 0.1, None, None)) | {"n_0_0.25": 30}
    assert range_gap(entry, REGIONS[:2]) == pytest.approx(0.25)
    assert range_gap(entry, REGIONS[2:]) is None
