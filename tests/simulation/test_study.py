"""The thesis' synthetic study against closed forms, enumeration and quadrature, and the claims read from it."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy import integrate, stats

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.intervals import mean_square
from reproduction.claims import simulation as claims_of_simulation
from reproduction.claims.verdicts import Results, judges_of, outcome
from reproduction.simulation.synthetic import Predictor, distorted, expected_score, study

JUDGES = judges_of(claims_of_simulation)

BETAS = [(0.5, 0.5), (1, 1), (2, 5), (0.1, 0.9)]
SMALL = {
    "shift": 0.1,
    "pairs": 20_000,
    "steps": range(500, 10_001, 500),
    "sizes": range(1_000, 8_001, 500),
    "replicates": 40,
    "seed": 1,
}


@pytest.fixture(scope="module")
def rows():
    return list(study(0.5, 0.5, **SMALL))


def test_distortion_moves_probabilities_away_from_one_half_and_stays_in_range():
    p = np.array([0, 0.05, 0.1, 0.3, 0.5, 0.51, 0.7, 0.95, 1])
    assert distorted(p, 0.1) == pytest.approx([0, 0, 0, 0.2, 0.4, 0.61, 0.8, 1, 1])
    assert np.array_equal(distorted(p, 0), p)


def test_the_printed_distortion_would_make_every_event_above_one_half_impossible():
    upper = np.linspace(0.51, 1, 50)
    assert np.all(np.minimum(0, upper + 0.1) == 0)
    assert np.all(distorted(upper, 0.1) > upper - 1e-12)


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("k", [0, 0.02, 0.1, 0.3, 0.5])
def test_the_true_error_is_the_integral(beta, k):
    distribution = stats.beta(*beta)

    def square(u):
        q = distribution.ppf(u)
        return (q - distorted(q, k)) ** 2

    kinks = sorted({float(distribution.cdf(q)) for q in (k, 0.5, 1 - k)} - {0, 1})
    edges = [0, *kinks, 1]
    integral = sum(integrate.quad(square, low, high, epsabs=1e-12, limit=200)[0] for low, high in pairwise(edges))
    assert Predictor(*beta, k).mean_square() == pytest.approx(integral, rel=1e-6, abs=1e-12)


def test_the_expected_score_is_the_mean_over_all_labels():
    q = np.array([0.05, 0.1, 0.3, 0.45, 0.5, 0.7, 0.8, 0.97])
    probability = distorted(q, 0.1)
    starts = np.array([0, 3, 5])
    mean = 0.0
    for labels in product((False, True), repeat=q.size):
        y = np.array(labels)
        chance = np.prod(np.where(y, probability, 1 - probability))
        mean += chance * mean_square(SortedPairs(q, y).summarise(starts))
    bin_error, noise = expected_score(q, probability, starts)
    assert bin_error + noise == pytest.approx(mean, rel=1e-12)


def test_scores_scatter_around_their_expectation(rows):
    z = np.array([(row["redrawn_mean"] - row["expected"]) / row["redrawn_error"] for row in rows])
    assert np.abs(z).max() < 5
    assert 0.7 < np.sqrt(np.mean(z**2)) < 1.3


def test_calibrated_predictions_score_nothing_but_noise(rows):
    for row in rows:
        if row["predictor"] == "calibrated":
            assert row["truth"] == row["bin_error"] == 0
            # E[q(1 − q)] of Beta(½, ½) is 1/8; a last bin may hold nearly two bins' pairs
            assert 1 / 8 / (2 * row["bin_size"]) * 0.9 < row["noise"] <= 1 / 8 / row["bin_size"] * 1.1


def test_bins_hide_error_and_never_add_to_it(rows):
    doubled = [row["bin_error"] for row in rows if row["varied"] == "doubled" and row["predictor"] == "distorted"]
    assert np.all(np.diff(doubled) <= 1e-15)
    assert doubled[0] == pytest.approx(Predictor(0.5, 0.5, 0.1).mean_square(), rel=0.02)
    assert doubled[-1] < 0.01 * doubled[0]  # one bin: the errors of both halves cancel


def test_rows_do_not_depend_on_what_else_is_studied(rows):
    alone = list(study(0.5, 0.5, **SMALL | {"steps": [500], "sizes": [2_000]}))
    assert [row for row in rows if row["pairs"] == 2_000] == [row for row in alone if row["pairs"] == 2_000]
    assert {row["score"] for row in alone} <= {row["score"] for row in rows}


def test_claims_are_judged_by_what_is_in_the_table(rows):
    assert {outcome(judge(Results({"beta": rows}))) for judge in JUDGES.values()} == {"holds"}


def test_claims_report_as_many_steps_as_there_are_between_bin_sizes(rows):
    sizes = {row["bin_size"] for row in rows if (row["varied"], row["predictor"]) == ("stepped", "distorted")}
    assert f" of {len(sizes) - 1} steps, " in JUDGES["trend"](Results({"beta": rows})).measured


@pytest.mark.parametrize(
    ("claim", "varied", "predictor", "change"),
    [
        ("doubling", "doubled", "distorted", lambda row: row["score"] * row["bin_size"] ** 2),
        ("trend", "stepped", "calibrated", lambda row: row["bin_size"]),
        ("unpredictable", "stepped", "distorted", lambda row: 1 / row["bin_size"]),
        ("to_zero", "growing", "calibrated", lambda row: 0.01),
        ("weakly", "growing", "distorted", lambda row: row["expected"] + 1e-9 * (row["pairs"] % 1000)),
    ],
)
def test_each_claim_can_fail(rows, claim, varied, predictor, change):
    other = [
        row | {"score": change(row), "redrawn": " ".join([str(change(row))] * SMALL["replicates"])}
        if (row["varied"], row["predictor"]) == (varied, predictor)
        else row
        for row in rows
    ]
    assert outcome(JUDGES[claim](Results({"beta": other}))) == "does not hold"


def test_scores_that_differ_by_rounding_alone_do_not_rise(rows):
    even = [row | {"score": 0.3 - 1e-15 * (row["bin_size"] == 2)} for row in rows if row["varied"] == "doubled"]
    others = [*even, *(row for row in rows if row["varied"] != "doubled")]
    first = JUDGES["doubling"](Results({"beta": others}))
    assert first.measured.startswith("it rises in 0 of ")
    assert first.holds


def test_the_error_of_two_redraws_is_half_of_their_distance():
    """The standard error of a mean of two, whose quantiles of .025 and .975 are 95 % of their distance apart."""
    for row in study(0.5, 0.5, **SMALL | {"replicates": 2, "steps": [100], "sizes": []}):
        assert row["redrawn_error"] == pytest.approx((row["redrawn_high"] - row["redrawn_low"]) / 0.95 / 2)
