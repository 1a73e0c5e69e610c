"""Statements of the texts about methods, against known answers."""

import numpy as np
import pytest

from reproduction.claims import known_truth
from reproduction.claims.verdicts import Results, judges_of, outcome
from reproduction.simulation.known_truth import statement_table

TIMES = [{"part": part, "ratio": 1.1, "low": 1.0, "high": 1.2} for part in ("all", "choice")]


@pytest.fixture(scope="module")
def rows():
    return statement_table(seed=5)[0][1]


def test_statements_come_out_as_theory_has_them(rows):
    results = Results({"statements": rows, "sampling_time": TIMES})
    found = {name: judge(results) for name, judge in judges_of(known_truth).items()}
    assert {name: (outcome(each), each.sure) for name, each in found.items()} == {
        "published_interval_covers": ("does not hold", True),
        "bin_intervals_work": ("does not hold", True),
        "sampling_is_slightly_slower": ("holds", True),
        "mean_error_is_a_tenth": ("does not hold", True),
    }


def test_calibrated_models_have_rows_of_their_own_and_their_error_of_0_is_hardly_ever_held(rows):
    shares = {row["quantity"]: row["value"] for row in rows}
    calibrated = [share for name, share in shares.items() if name.endswith(", calibrated")]
    miscalibrated = [share for name, share in shares.items() if name.endswith(", miscalibrated")]
    assert len(calibrated) == len(miscalibrated) == 2
    assert max(calibrated) < 0.1 < 0.4 < min(miscalibrated)


def test_stratified_samples_have_means_closer_than_those_of_independent_samples(rows):
    """Of 100 independent samples the mean errs by a tenth of a deviation."""
    [row] = [row for row in rows if row["quantity"].startswith("standard error")]
    assert 0.03 < row["value"] < row["high"] < 0.1


@pytest.mark.parametrize(
    ("joint", "uniform", "equal"),
    [([[0.6, 0.1], [0.1, 0.2]], False, True), ([[0.4, 0.1], [0.3, 0.2]], True, False)],
)
def test_conditionals_are_equal_where_answers_are_as_frequent_as_truths_and_not_where_p_of_m_is_uniform(
    joint, uniform, equal
):
    """Lowe & King: "the only circumstances … is when P(M) is uniform"; by Bayes it is P(M = i) = P(T = i)."""
    table = np.array(joint)
    of_answers = table.sum(axis=1)
    assert np.allclose(of_answers, 0.5) == uniform
    apart = np.diag(table / table.sum(axis=0)) - np.diag(table / table.sum(axis=1, keepdims=True))
    assert np.allclose(apart, 0) == equal
