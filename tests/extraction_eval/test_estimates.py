"""Estimates are the paper's formulas, and intervals those of independent oracles where there are any."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import hypergeom
from sklearn.metrics import cohen_kappa_score

from nlpcalib.errors import InputError
from reproduction.extraction_eval import (
    DrawnLeads,
    Scale,
    agreement,
    annotator_sample,
    evaluate,
    machine_sample,
    measures,
)
from reproduction.extraction_eval.estimates import SIMULATED, simulated_labels
from reproduction.extraction_eval.lead_counts import LeadCounts
from reproduction.extraction_eval.posterior import Posterior

SCALE = Scale.of({"aid": 7.0, "talk": 1.0, "war": -10.0})
SIZES = (50, 30, 15, 5)
# 4 leads of none, 3 of aid, 3 of talk, 2 of war were annotated; the pairs are the machine's category and the truth.
PAIRS = [(0, 0), (0, 0), (0, 0), (0, 3), (1, 1), (1, 1), (1, 2), (2, 2), (2, 2), (2, 0), (3, 3), (3, 2)]
PLAN = DrawnLeads(SCALE.categories, SIZES, {f"l{place}": machine for place, (machine, _) in enumerate(PAIRS)}, True, 0)
TRUTH = {f"l{place}": true for place, (_, true) in enumerate(PAIRS)}


def posterior_of(sample, samples=4000):
    return Posterior(sample, samples=samples, seed=0)


def by_stratum(sizes, counts):
    """A sample with counts[m][t] leads of each kind."""
    counts = np.array(counts)
    answer, truth = np.nonzero(counts)
    return LeadCounts(np.array(sizes), answer, answer, truth, counts[answer, truth], len(counts), by_answer=True)


@pytest.fixture(scope="module")
def evaluation():
    return evaluate(machine_sample(PLAN, TRUTH), SCALE, samples=1000, seed=0)


def test_estimates_are_those_calculated_by_hand(evaluation):
    # The joint table in leads, from equation 3, by the machine's category: none 37.5, 0, 0, 12.5; aid 0, 20, 10, 0;
    # talk 5, 0, 10, 0; war 0, 0, 2.5, 2.5.
    rows = {row["category"]: row for row in evaluation.categories}
    assert [row["answer_share"] for row in evaluation.categories] == pytest.approx([0.5, 0.3, 0.15, 0.05])
    assert [row["truth_share"] for row in evaluation.categories] == pytest.approx([0.425, 0.2, 0.225, 0.15])
    assert rows["war"]["truth_given_answer"] == pytest.approx(1 / 2)
    assert rows["war"]["answer_given_truth"] == pytest.approx(2.5 / 15)
    assert rows["talk"]["answer_given_truth"] == pytest.approx(10 / 22.5)
    # Equation 4: where there is talk, the machine says aid, talk, war in 10, 10 and 2.5 of 22.5 leads.
    g = (7 * 10 + 1 * 10 - 10 * 2.5) / 22.5
    assert rows["talk"]["expected_level"] == pytest.approx(g)
    assert rows["talk"]["bias"] == pytest.approx(g - 1)
    square = (36 * 10 + 121 * 2.5) / 22.5
    assert rows["talk"]["mean_square_error"] == pytest.approx(square)
    assert rows["talk"]["variance"] == pytest.approx(square - (g - 1) ** 2)
    # Misses are no answer, and do not count for the level (M ≠ 0).
    assert rows["war"]["bias"] == pytest.approx(0)
    assert rows["none"]["expected_level"] is None
    summary = {row["measure"]: row["value"] for row in evaluation.summary}
    assert summary["correct"] == pytest.approx((37.5 + 20 + 10 + 2.5) / 100)
    assert summary["correct_events"] == pytest.approx(32.5 / 57.5)
    assert summary["weighted_rate"] == pytest.approx((20 / 20 + 10 / 22.5 + 2.5 / 15) / 3)
    assert summary["mean_level"] == pytest.approx((7 * 20 + 22.5 - 150) / 57.5)
    assert summary["mean_answered_level"] == pytest.approx((7 * 30 + 15 - 50) / 50)
    joint = {(row["answer"], row["truth"]): row for row in evaluation.joint}
    assert joint["none", "war"]["both"] == pytest.approx(0.125)
    assert joint["none", "war"]["answer_given_truth"] == pytest.approx(12.5 / 15)
    assert sum(row["both"] for row in joint.values()) == pytest.approx(1)


def test_every_interval_contains_its_estimate(evaluation):
    for row in evaluation.summary + evaluation.categories + evaluation.joint:
        for name in row:
            if name.endswith("low") and row[name] is not None:
                stem = "value" if name == "low" else name.removesuffix("_low")
                high = row[name.removesuffix("low") + "high"]
                assert row[stem] is None or row[name] - 1e-9 <= row[stem] <= high + 1e-9, (row, name)


def test_known_margins_have_no_uncertainty(evaluation):
    for row in evaluation.categories:
        assert row["answer_share_low"] == row["answer_share"] == row["answer_share_high"]


def test_importance_weights_what_counts():
    rates = {}
    for importance in ({"aid": 2.0}, {"talk": 3.0, "war": 1.0}):
        found = evaluate(machine_sample(PLAN, TRUTH), SCALE, samples=10, seed=0, importance=importance)
        rates[tuple(importance)] = found.summary[2]["value"]
    assert rates["aid",] == pytest.approx(1.0)
    assert rates["talk", "war"] == pytest.approx(0.75 * 10 / 22.5 + 0.25 * 2.5 / 15)
    for bad, message in (
        ({"peace": 1}, "found the category 'peace'"),
        ({"aid": 0.0}, "all 0"),
        ({"aid": -1}, "negative"),
    ):
        with pytest.raises(InputError, match=message):
            evaluate(machine_sample(PLAN, TRUTH), SCALE, samples=10, seed=0, importance=bad)


@pytest.mark.parametrize(
    ("x", "n", "size"), [(0, 5, 40), (2, 5, 40), (5, 5, 40), (1, 20, 25), (3, 8, 4000), (19, 20, 30)]
)
def test_limits_within_a_stratum_are_clopper_and_pearsons_without_replacement(x, n, size):
    sample = by_stratum([10, size], [[1, 0], [n - x, x]])
    estimate = posterior_of(sample, 40_000).estimate(measures.truth_given_answer(2, 1, 1))
    kinds = np.arange(x, size - (n - x) + 1)
    not_too_many = kinds[hypergeom(size, kinds, n).sf(x - 1) > 0.025]
    not_too_few = kinds[hypergeom(size, kinds, n).cdf(x) > 0.025]
    tolerance = 1 / size if size < 100 else 0.004
    assert estimate.value == pytest.approx(x / n)
    assert estimate.low == pytest.approx(not_too_many.min() / size, abs=tolerance + 1e-9)
    assert estimate.high == pytest.approx(not_too_few.max() / size, abs=tolerance + 1e-9)


def test_categories_coded_whole_have_no_uncertainty():
    sample = by_stratum([3, 4], [[2, 1], [1, 3]])
    posterior = posterior_of(sample, 50)
    for measure in (
        measures.answer_given_truth(2, 1, 1), measures.correct(2), measures.truth_share(2, 1),
        measures.LevelVariance(np.array([np.nan, 3.0]), 1), measures.kappa(),
        measures.weighted_rate(np.array([0, 1.0])),
    ):  # fmt: skip
        estimate = posterior.estimate(measure)
        assert estimate.low == pytest.approx(estimate.value, abs=1e-12)
        assert estimate.high == pytest.approx(estimate.value, abs=1e-12)


def test_a_category_that_was_never_sampled_may_be_anything():
    sample = by_stratum([10, 20, 30], [[4, 0, 0], [0, 0, 0], [1, 0, 3]])
    posterior = posterior_of(sample)
    own = posterior.estimate(measures.truth_given_answer(3, 1, 1))
    assert (own.value, own.low, own.high) == (None, 0.0, 1.0)
    # Its leads could all be of category 2, or none of them, which the rate of that category depends on …
    rate = posterior.estimate(measures.answer_given_truth(3, 2, 2))
    assert rate.value is None
    assert rate.low < 0.6 < 0.9 < rate.high
    # … while what the machine made of categories beside it is as certain as without it.
    other = posterior.estimate(measures.truth_given_answer(3, 2, 2))
    assert other.value == pytest.approx(0.75)
    assert posterior.estimate(measures.both(3, 2, 2)).value == pytest.approx(0.75 * 30 / 60)
    correct = posterior.estimate(measures.correct(3))
    assert correct.value is None
    assert correct.high - correct.low > 20 / 60


def test_a_category_that_the_machine_never_uses_is_never_right_and_has_no_precision():
    sample = by_stratum([10, 0, 30], [[3, 1, 0], [0, 0, 0], [0, 1, 3]])
    posterior = posterior_of(sample)
    rate = posterior.estimate(measures.answer_given_truth(3, 1, 1))
    assert (rate.value, rate.low, rate.high) == (0.0, 0.0, 0.0)
    precision = posterior.estimate(measures.truth_given_answer(3, 1, 1))
    assert (precision.value, precision.low, precision.high) == (None, None, None)


def test_a_category_that_was_never_true_in_the_sample_has_no_rate_but_limits():
    sample = by_stratum([10, 20], [[4, 0], [5, 0]])
    rate = posterior_of(sample).estimate(measures.answer_given_truth(2, 1, 1))
    assert (rate.value, rate.low, rate.high) == (None, 0.0, 1.0)
    weighted = posterior_of(sample).estimate(measures.weighted_rate(np.array([0.0, 1.0])))
    assert weighted.value is None


def test_the_joint_estimate_is_unbiased_by_enumeration():
    """Section 4: P(T | M) is estimated without bias, and P(M) adds no error: so P(M, T) is too, but not their ratio."""
    population = [[0, 0, 0, 1], [1, 1, 0]]
    sizes, table = [4, 3], measures.both(2, 1, 1)
    values, rates = [], []
    for first, second in product(combinations(range(4), 2), combinations(range(3), 2)):
        counts = np.zeros((2, 2), dtype=int)
        for machine, chosen in enumerate((first, second)):
            for lead in chosen:
                counts[machine, population[machine][lead]] += 1
        sample = by_stratum(sizes, counts)
        values.append(sample.value(table))
        rates.append(sample.value(measures.answer_given_truth(2, 1, 1)))
    assert np.mean(values) == pytest.approx(2 / 7)
    assert abs(np.mean(rates) - 2 / 3) > 0.05


def test_the_same_seed_gives_the_same_numbers_and_more_coding_narrower_intervals(evaluation):
    again = evaluate(machine_sample(PLAN, TRUTH), SCALE, samples=1000, seed=0)
    assert again == evaluation
    widths = []
    for factor in (1, 5, 25):
        sample = by_stratum([5000, 3000], np.array([[8, 2], [3, 7]]) * factor)
        estimate = posterior_of(sample).estimate(measures.answer_given_truth(2, 1, 1))
        widths.append(estimate.high - estimate.low)
    assert widths[0] > 1.5 * widths[1] > 2.25 * widths[2]


@pytest.mark.parametrize("seed", range(3))
def test_kappa_is_scikit_learns_and_its_gradient_that_of_differences(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(4, size=(2, 60))
    second[:30] = first[:30]
    joint = np.zeros((4, 4))
    np.add.at(joint, (first, second), 1.0)
    kappa = measures.kappa()
    assert kappa.value(joint) == pytest.approx(cohen_kappa_score(first, second))
    for cell in product(range(4), range(4)):
        step = np.zeros((4, 4))
        step[cell] = 1e-5
        difference = (kappa.value(joint + step) - kappa.value(joint - step)) / 2e-5
        assert kappa.gradient(joint)[cell] == pytest.approx(difference, rel=1e-5, abs=1e-8)


def test_the_variance_and_its_limits_are_within_what_levels_allow():
    weights = np.array([np.nan, -10.0, 10.0, 0.0])
    sample = by_stratum([100, 100, 100, 100], [[5, 0, 0, 0], [0, 3, 2, 0], [0, 2, 3, 0], [0, 0, 0, 5]])
    estimate = posterior_of(sample).estimate(measures.LevelVariance(weights, 1))
    assert estimate.value == pytest.approx(100 - (-10 * 60 / 100 + 10 * 40 / 100) ** 2)
    assert 0 <= estimate.low < estimate.value < estimate.high <= 100 + 1e-9


def test_what_never_varied_in_the_sample_may_never_vary():
    """A machine that always gives the right answer has no variance, and the interval has to hold that."""
    weights = np.array([np.nan, -10.0, 10.0, 7.0])
    sample = by_stratum([100, 100, 100, 100], np.diag([5, 5, 5, 5]))
    estimate = posterior_of(sample).estimate(measures.LevelVariance(weights, 3))
    assert (estimate.value, estimate.low) == (0, 0)
    assert estimate.high > 0


def test_coders_are_evaluated_on_the_population_and_not_on_the_sample():
    """P(U, T) sums over the machine's categories (section 4.3): one who misses what is rare is mostly right."""
    misses = {**TRUTH, "l10": 0}
    rows = {
        row["category"]: row
        for row in evaluate(annotator_sample(PLAN, misses, TRUTH), SCALE, samples=500, seed=0).categories
    }
    assert rows["war"]["answer_given_truth"] == pytest.approx(12.5 / 15)
    assert rows["aid"]["answer_given_truth"] == 1.0
    found = agreement(PLAN, {"U1": TRUTH, "U2": misses, "U3": TRUTH}, samples=500, seed=0)
    assert [(row["first"], row["second"]) for row in found] == [("U1", "U2"), ("U1", "U3"), ("U2", "U3")]
    assert found[0]["agreed"] == pytest.approx(1 - 2.5 / 100)
    assert found[0]["agreed_low"] < 0.8 < found[0]["agreed_high"]
    assert found[1]["kappa"] == 1.0
    assert found[0]["kappa_low"] < found[0]["kappa"] < 1
    weights = [SIZES[m] / [4, 3, 3, 2][m] for m, _ in PAIRS]
    expected = cohen_kappa_score(list(TRUTH.values()), list(misses.values()), sample_weight=weights)
    assert found[0]["kappa"] == pytest.approx(expected)


def test_a_random_plan_is_one_stratum():
    plan = DrawnLeads(SCALE.categories, SIZES, PLAN.stratum, False, 0)
    sample = machine_sample(plan, TRUTH)
    assert sample.sizes.tolist() == [100]
    rate = posterior_of(sample).estimate(measures.answer_given_truth(4, 3, 3))
    assert rate.value == pytest.approx(1 / 2)
    assert sample.value(measures.answer_share(4, 0)) == pytest.approx(4 / 12)


def test_bad_samples_are_refused():
    with pytest.raises(InputError, match="found 3 annotated leads of stratum 1, expected at most its 2"):
        LeadCounts.of(np.array([5, 2]), np.ones(3), np.ones(3), np.ones(3), ("none", "war"), by_answer=True)
    with pytest.raises(InputError, match="found no annotated lead"):
        LeadCounts.of(np.array([5, 2]), *np.zeros((3, 0)), ("none", "war"), by_answer=True)
    with pytest.raises(InputError, match="found 2 categories, expected those of the scale: none, aid"):
        evaluate(by_stratum([10, 20], [[4, 0], [5, 0]]), SCALE, samples=10, seed=0)


def test_labels_that_are_missing_and_categories_of_another_scale_are_refused():
    """In another order the same numbers would mean other categories."""
    with pytest.raises(InputError, match="found no label for l3, expected one for each lead of the plan"):
        machine_sample(PLAN, {lead: code for lead, code in TRUTH.items() if lead != "l3"})
    other = Scale.of({"talk": 1.0, "aid": 7.0, "war": -10.0})
    with pytest.raises(InputError, match="categories none, aid, talk, war, expected those of the scale: none, talk"):
        evaluate(machine_sample(PLAN, TRUTH), other, samples=100, seed=0)


def test_leads_on_which_an_annotator_could_not_tell_are_left_out():
    unsure = {**TRUTH, next(iter(PLAN.stratum)): None}
    sample = annotator_sample(PLAN, unsure, TRUTH)
    assert sample.count.sum() == len(PLAN.stratum) - 1
    [row] = agreement(PLAN, {"U1": unsure, "U2": TRUTH}, samples=200, seed=0)
    assert (row["leads"], row["agreed"]) == (len(PLAN.stratum) - 1, 1.0)


def test_simulated_annotators_are_estimated_to_err_as_often_as_they_do():
    """Each is judged from 4,000 leads of a random plan, all of which were annotated."""
    rng = np.random.default_rng(3)
    truth = {f"l{number}": int(label) for number, label in enumerate(rng.integers(0, 4, 4000))}
    plan = DrawnLeads(SCALE.categories, (4000, 0, 0, 0), dict.fromkeys(truth, 0), False, 0)
    for name, labels in simulated_labels(truth, 4, 1).items():
        summary = evaluate(annotator_sample(plan, labels, truth), SCALE, samples=50, seed=0).summary
        correct = next(row["value"] for row in summary if row["measure"] == "correct")
        assert correct == pytest.approx(1 - SIMULATED[name], abs=3 * (0.2 * 0.8 / 4000) ** 0.5)
