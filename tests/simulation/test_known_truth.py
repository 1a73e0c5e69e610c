"""Statements of the texts about methods, against known answers."""

import numpy as np
import pytest

from reproduction.claims import known_truth
from reproduction.claims.verdicts import Results, judges_of, outcome
from reproduction.simulation.known_truth import SYMMETRIC, UNIFORM, statement_table

TIMES = [{"part": part, "ratio": 1.1, "low": 1.0, "high": 1.2} for part in ("all", "choice")]


@pytest.fixture(scope="module")
def rows():
    return statement_table(seed=5)[0][1]


def test_statements_come_out_as_theory_has_them(rows):
    results = Results({"statements": rows, "sampling_time": TIMES})
    found = {name: judge(results) for name, judge in judges_of(known_truth).items()}
    assert {name: outcome(each) for name, each in found.items()} == {
        "published_interval_covers": "does not hold",
        "bin_intervals_work": "does not hold",
        "sampling_is_slightly_slower": "holds",
        "overconfident_is_too_narrow": "holds",
        "calibrated_is_unbiased": "holds",
        "mean_error_is_a_tenth": "holds",
        "only_if_uniform": "does not hold",
    }
    assert found["published_interval_covers"].sure
    assert found["only_if_uniform"].sure


def test_a_skewed_prior_gives_equal_conditionals_where_answers_are_as_frequent_as_truths():
    """Lowe & King: "only when P(M) is uniform"; Bayes: where P(M = i) = P(T = i)."""
    joint = np.array(SYMMETRIC)
    assert joint.sum() == pytest.approx(1)
    assert joint.sum(axis=1) == pytest.approx(joint.sum(axis=0))
    assert joint.sum(axis=1) == pytest.approx([0.7, 0.3])
    other = np.array(UNIFORM)
    assert other.sum(axis=1) == pytest.approx([0.5, 0.5])
    assert abs(np.diag(other / other.sum(axis=0)) - np.diag(other) / other.sum(axis=1)).max() > 0.2
