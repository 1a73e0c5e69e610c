"""Labels that were chosen by the human answer: the rate holds, and the sign of the choice is nearly never false."""

import numpy as np
import pytest
from scipy.stats import binomtest

from nlpcalib.estimation.answer_sample import chosen_by_answer, disputes_chosen, rate_by_answer, rates_by_answer
from nlpcalib.estimation.judges import Verdicts

JUDGES = [(0.85, 0.92, 0.75), (0.6, 0.85, 0.9), (0.25, 0.7, 0.95), (0.08, 0.9, 0.97), (0.95, 0.97, 0.7)]


def cells_of(judge, random, items=2000):
    """Return items yes by label and verdict, yes by label only, by verdict only, and by neither."""
    rate, se, sp = judge
    return random.multinomial(items, [rate * se, rate * (1 - se), (1 - rate) * (1 - sp), (1 - rate) * sp])


def verdicts(true_yes, yes, true_no, no, called, items):
    """Return verdicts, of which the first are labelled."""
    said = np.repeat([1.0, 0, 0, 1], [true_yes, yes - true_yes, true_no, no - true_no])
    rest = np.arange(items - len(said)) < called - said.sum()
    y = np.arange(len(said)) < yes
    return Verdicts(np.r_[said, rest], np.arange(len(said)), y.astype(float), np.ones(len(said)))


def by_answer(cells, random, yes, no):
    both, missed, alarm, neither = cells
    yes, no = min(yes, both + missed), min(no, alarm + neither)
    return random.hypergeometric(both, missed, yes), yes, random.hypergeometric(neither, alarm, no), no


@pytest.mark.parametrize("judge", [*JUDGES, (0.5, 0.65, 0.6), (0.7, 1.0, 1.0), (0.3, 0.99, 0.9)])
@pytest.mark.parametrize(("yes", "no"), [(50, 50), (25, 25), (40, 120)])
def test_the_rate_holds(judge, yes, no):
    random, held = np.random.default_rng([1, yes, no]), []
    for _ in range(400):
        cells = cells_of(judge, random)
        found = rate_by_answer(*by_answer(cells, random, yes, no), cells[0] + cells[2], 2000)
        truth = (cells[0] + cells[1]) / 2000
        held.append(found.low is None or found.low - 1e-9 <= truth <= found.high + 1e-9)
    assert np.mean(held) >= 0.925


def test_sensitivity_and_specificity_are_shares_of_the_labels_of_each_answer():
    accuracy, sensitivity, specificity, kappa, rate = rates_by_answer(verdicts(45, 50, 40, 50, 1480, 2000))
    assert accuracy.value is kappa.value is None
    assert accuracy.note == "labels were chosen by their answer"
    for found, k in ((sensitivity, 45), (specificity, 40)):
        exact = binomtest(k, 50).proportion_ci()
        assert (found.value, found.low, found.high) == pytest.approx((k / 50, exact.low, exact.high))
    assert rate.value == pytest.approx((0.74 + 0.8 - 1) / (0.9 + 0.8 - 1))


def test_a_judge_that_does_not_tell_answers_apart_corrects_nothing():
    assert "tell answers apart" in rate_by_answer(20, 50, 25, 50, 900, 2000).note
    assert rate_by_answer(0, 0, 25, 50, 900, 2000).value is None


def test_a_rate_is_no_less_than_what_people_labelled_yes_and_no_more_than_what_they_left():
    few, many = rate_by_answer(58, 80, 53, 80, 191, 560), rate_by_answer(70, 80, 70, 80, 490, 560)
    assert (few.value, few.low) == (80 / 560, 80 / 560)
    assert many.high == 1 - 80 / 560


def signs(judge, draw, draws):
    random, found = np.random.default_rng(3), 0
    for _ in range(draws):
        cells = cells_of(judge, random)
        both, missed, alarm, neither = draw(cells, random)
        found += chosen_by_answer(
            verdicts(both, both + missed, neither, alarm + neither, cells[0] + cells[2], sum(cells))
        )
    return found


def at_random(cells, random):
    return random.multivariate_hypergeometric(cells, 100)


def half_of_each_verdict(cells, random):
    called, others = (min(50, cells[0] + cells[2]), min(50, cells[1] + cells[3]))
    both, missed = random.hypergeometric(cells[0], cells[2], called), random.hypergeometric(cells[1], cells[3], others)
    return both, missed, called - both, others - missed


def half_of_each_answer(cells, random):
    right, yes, rejected, no = by_answer(cells, random, 50, 50)
    return right, yes - right, no - rejected, rejected


@pytest.mark.parametrize("draw", [at_random, half_of_each_verdict])
def test_samples_at_random_and_by_the_verdict_have_no_sign(draw):
    assert sum(signs(judge, draw, 300) for judge in JUDGES) <= 1


@pytest.mark.parametrize("judge", [JUDGES[0], JUDGES[4]])
def test_fifty_of_each_answer_have_it_where_the_rate_is_far_from_half(judge):
    assert signs(judge, half_of_each_answer, 200) >= 120


def test_an_expert_who_reads_disputes_is_noticed_and_one_who_reads_at_random_is_not():
    random = np.random.default_rng(4)
    disputed = random.random(400) < 0.08
    labelled = np.zeros(400, bool)
    labelled[random.choice(400, 60, replace=False)] = True
    part = random.integers(0, 2, 400)
    assert not disputes_chosen(disputed, labelled, part)
    assert disputes_chosen(disputed, disputed, part)
    assert disputes_chosen(disputed, disputed | labelled, part)


def test_parts_that_are_read_at_different_rates_are_no_choice_by_disputes():
    random = np.random.default_rng(5)
    part = (random.random(2000) < 0.1).astype(int)
    disputed, labelled = (random.random(2000) < np.where(part, often, 0.05) for often in (0.6, 0.5))
    assert disputes_chosen(disputed, labelled, np.zeros(2000, dtype=int))
    assert not disputes_chosen(disputed, labelled, part)
