"""Where the truth is known: what is unbiased, what covers, and what it saves."""

import math

import numpy as np
import pytest

from nlpcalib.errors import InputError
from reproduction.extraction_eval import measures, per_category
from reproduction.extraction_eval.population import Population, draw_samples, estimates, simulated_population
from reproduction.extraction_eval.study import (
    measure_coverage_rows,
    naive_rows,
    reported_measures,
    saving,
    saving_rows,
)


@pytest.fixture(scope="module")
def world():
    return simulated_population(20_000, 9, skew=200, accuracy=(0.4, 0.9), seed=2)


def test_the_simulated_population_is_as_skewed_as_it_says(world):
    population, weights = world
    truth = population.joint.sum(axis=0)
    assert truth.sum() == 20_000
    assert truth[0] == pytest.approx(10_000, abs=5)
    assert truth[1] / truth[-1] == pytest.approx(200, rel=0.05)
    assert weights.shape == (9,)
    rates = [population.truth_of(measures.answer_given_truth(9, number, number)) for number in range(1, 5)]
    assert all(0.3 < rate < 0.95 for rate in rates)


def test_the_truth_is_that_of_the_leads():
    machine, truth = np.array([0, 1, 1, 1, 0]), np.array([1, 1, 0, 1, 0])
    population = Population.of(machine, truth, 2)
    assert population.truth_of(measures.answer_given_truth(2, 1, 1)) == pytest.approx(2 / 3)
    assert population.truth_of(measures.truth_given_answer(2, 1, 1)) == pytest.approx(2 / 3)
    assert population.truth_of(measures.correct(2)) == pytest.approx(3 / 5)
    with pytest.raises(InputError, match="found 5 labels of the machine and 4 true ones"):
        Population.of(machine, truth[:4], 2)
    with pytest.raises(InputError, match="found 2 in row 3 of truth, expected 0 to 1"):
        Population.of(machine, np.array([0, 1, 1, 2, 0]), 2)
    with pytest.raises(InputError, match="found -1 in row 0 of machine"):
        Population.of(np.array([-1, 1, 1, 1, 0]), truth, 2)


def test_estimates_of_many_samples_are_those_of_each(world):
    population, weights = world
    allocation = per_category(population.sizes, 3)
    allocation[3] = 0
    drawn = draw_samples(population, allocation, 20, np.random.default_rng(0))
    assert (drawn.sum(axis=2) == allocation).all()
    assert (drawn <= population.joint).all()
    for measure in (measures.answer_given_truth(9, 2, 2), measures.both(9, 4, 4), measures.truth_given_answer(9, 3, 3),
                    measures.truth_given_answer(9, 8, 8), measures.mean_answered_level(weights)):  # fmt: skip
        single = [population.sample_of(counts, stratified=True).value(measure) for counts in drawn]
        found = estimates(population, drawn, measure)
        assert found == pytest.approx([np.nan if each is None else each for each in single], nan_ok=True)


def test_joint_shares_are_unbiased_and_the_naive_reading_is_not(world):
    population, _ = world
    allocation = per_category(population.sizes, 5)
    drawn = draw_samples(population, allocation, 4000, np.random.default_rng(1))
    for number in range(1, 9):
        for measure in (measures.both(9, number, number), measures.truth_share(9, number)):
            found = estimates(population, drawn, measure)
            assert abs(found.mean() - population.truth_of(measure)) < 4 * found.std() / 4000**0.5
    rows = naive_rows(population, per_category(population.sizes, 50), replicates=2000, seed=0)
    # What precision is off from the rate is no sampling error: more coding does not help.
    for row in rows:
        expected = population.truth_of(measures.truth_given_answer(9, row["category"], row["category"]))
        assert row["naive_mean"] == pytest.approx(expected, abs=4 * row["naive_se"] + 1e-9)
    assert max(abs(row["naive_bias"]) / row["naive_se"] for row in rows if row["naive_se"]) > 10


def test_the_ratio_is_biased_where_misses_are_too_rare_to_be_sampled(world):
    """The paper calls P(M | T) unbiased (section 4). A ratio is not: most samples see no miss of a rare category."""
    population, _ = world
    few, many = (naive_rows(population, per_category(population.sizes, k), replicates=2000, seed=0) for k in (5, 1000))
    rarest, commonest = few[-1], few[0]
    assert rarest["bayes_bias"] > 0.1
    assert abs(commonest["bayes_bias"]) < 0.06
    assert abs(many[-1]["bayes_bias"]) < 0.5 * rarest["bayes_bias"]


def test_what_is_saved_is_what_random_sampling_would_need(world):
    population, _ = world
    number = 8
    wanted = {
        ("both", number): measures.both(9, number, number),
        ("answer_given_truth", number): measures.answer_given_truth(9, number, number),
    }
    rows = saving_rows(population, wanted, (2, 4, 8), replicates=3000, seed=0)
    assert {row["design"] for row in rows} == {"random", "per category", "minimum variance"}
    p = population.truth_of(wanted["both", number])
    for row in rows:
        if (row["measure"], row["design"]) == ("both", "random"):
            exact = (p * (1 - p) / row["leads"] * (20_000 - row["leads"]) / 19_999) ** 0.5
            assert row["rmse"] == pytest.approx(exact, rel=0.15)
    saved = saving(rows, "both")
    assert [row["leads"] for row in saved] == [per_category(population.sizes, k).sum() for k in (2, 4, 8)]
    for row in saved:
        exact = p * (1 - p) / (row["rmse"] ** 2 + p * (1 - p) / 20_000)
        assert row["random_leads"] == pytest.approx(exact, rel=0.1)
        assert row["factor"] == row["random_leads"] / row["leads"] > 100
        assert 0.5 * row["factor"] < row["factor_low"] < row["factor"] < row["factor_high"] < 2 * row["factor"]
        assert row["bound"] == ""


def test_a_random_sample_needs_what_it_takes_to_err_less_for_the_first_time():
    """The error of a ratio may rise before it falls: what lies between is passed over."""
    errors = {"random": {10: 0.3, 20: 0.35, 40: 0.32, 80: 0.1}, "per category": {10: 0.31, 20: 0.29, 40: 0.2, 80: 0.05}}
    rows = [
        {"measure": "both", "design": design, "leads": leads, "population": 1000}
        | {"rmse": rmse, "rmse_low": 0.98 * rmse, "rmse_high": 1.02 * rmse}
        for design, each in errors.items()
        for leads, rmse in each.items()
    ]
    worse, little, much, better = saving(rows, "both")
    assert (worse["random_leads"], worse["bound"]) == (pytest.approx(10), "at most")
    assert (little["bound"], much["bound"]) == ("", "")
    assert 40 < little["random_leads"] < 45 < much["random_leads"] < 60
    assert (better["random_leads"], better["bound"]) == (pytest.approx(80), "at least")
    assert (worse["factor_low"], better["factor_high"]) == (0, math.inf)
    assert much["factor_low"] < much["factor"] < much["factor_high"]


@pytest.mark.slow
def test_intervals_cover(world):
    population, weights = world
    wanted = {key: measure for key, measure in reported_measures(weights).items() if key[1] in (None, 1, 4, 8)}
    rows = measure_coverage_rows(
        population, wanted, per_category(population.sizes, 5), replicates=500, samples=500, seed=0
    )
    for row in rows:
        assert row["coverage"] >= 0.95 - 3 * row["coverage_se"], row


def test_the_rate_of_events_is_the_mean_rate_of_right_answers_of_their_categories():
    population, weights = simulated_population(2000, 5, skew=20, accuracy=(0.4, 0.9), seed=3)
    made = reported_measures(weights)
    rates = [population.truth_of(made["answer_given_truth", number]) for number in range(1, len(weights))]
    assert population.truth_of(made["weighted_rate", None]) == pytest.approx(np.mean(rates))
