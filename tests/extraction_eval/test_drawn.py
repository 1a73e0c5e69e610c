"""Who is in the sample depends on the seed and the leads of a category, and how many are annotated on what is asked."""

from itertools import product

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from reproduction.extraction_eval import drawn_leads, minimum_variance, per_category, plan_leads, plan_random_leads
from reproduction.extraction_eval.codings import Codings
from reproduction.extraction_eval.measures import answer_given_truth, mean_level, truth_given_answer, truth_share


def codings_of(machine, categories=("none", "a", "b"), order=None):
    order = np.arange(len(machine)) if order is None else order
    leads = tuple(f"lead {number}" for number in order)
    return Codings(categories, leads, leads, ("",) * len(leads), np.asarray(machine)[order])


def planned(codings, allocation, seed):
    return drawn_leads(codings, plan_leads(codings, allocation, seed))


def planned_at_random(codings, n, seed):
    return drawn_leads(codings, plan_random_leads(codings, n, seed))


def test_the_papers_population_and_samples():
    """Section 3: of 45,000 events 10,605 comments, 4 apologies, 35 threats; section 4: 5 leads each, 20 without."""
    categories = ("none", "comment", "apology", "threat", "other")
    sizes = np.array([0, 10_605, 4, 35, 45_000 - 10_605 - 4 - 35])
    machine = np.repeat(np.arange(5), sizes)
    codings = Codings(categories, tuple(map(str, range(45_000))), ("",) * 45_000, ("",) * 45_000, machine)
    assert codings.shares == pytest.approx([0, 0.23567, 0.0000889, 0.000778, 0.76347], abs=5e-6)
    assert codings.shares.sum() == pytest.approx(1)
    # "relative frequencies of event categories in this data can be 2,500 to 1", and "about 300 comments" for a threat
    assert 2500 < sizes[1] / sizes[2] < 2700
    assert 295 < sizes[1] / sizes[3] < 310
    assert per_category(sizes, 5).tolist() == [0, 5, 4, 5, 5]
    # An ontology of about 200 categories, and four times as many leads without one: some thousand instead of 45,000.
    assert per_category(np.array([20_000] + [125] * 200), 5).sum() == 1020
    # A random sample of that size contains no apology in nine cases of ten.
    assert np.prod(1 - 1020 / (45_000 - np.arange(4))) == pytest.approx(0.91, abs=0.005)


def test_a_leads_inclusion_does_not_depend_on_the_tables_order():
    machine = np.arange(300) % 3
    order = np.random.default_rng(0).permutation(300)
    allocation = np.array([20, 5, 7])
    plans = [planned(codings_of(machine, order=each), allocation, seed=4) for each in (None, order)]
    assert plans[0] == plans[1]
    random = [planned_at_random(codings_of(machine, order=each), 30, seed=4) for each in (None, order)]
    assert random[0] == random[1]


def test_leads_that_join_a_category_change_its_sample_and_no_other():
    machine = np.arange(300) % 3
    before, after = (
        planned(codings_of(each), np.array([20, 5, 7]), seed=4).stratum
        for each in (machine, np.append(machine, [1] * 200))
    )
    for category, same in ((0, True), (1, False), (2, True)):
        drawn = [{lead for lead, code in each.items() if code == category} for each in (before, after)]
        assert (drawn[0] == drawn[1]) == same


def test_a_larger_sample_contains_the_smaller_and_other_seeds_others():
    codings = codings_of(np.arange(300) % 3)
    small, large = (planned(codings, np.array(each), seed=4) for each in ([20, 5, 7], [20, 9, 30]))
    assert small.stratum.items() < large.stratum.items()
    assert np.bincount(list(large.stratum.values())).tolist() == [20, 9, 30]
    assert planned(codings, np.array([20, 5, 7]), seed=5).stratum != small.stratum
    assert planned_at_random(codings, 10, 4).stratum.items() < planned_at_random(codings, 50, 4).stratum.items()


def test_the_leads_are_those_with_the_smallest_numbers_of_their_category():
    """As in versions before there was one plan, so that sheets that are annotated stay valid."""
    codings = codings_of(np.arange(300) % 3)
    number = {lead: generator(4, "extraction_eval", "plan", lead).random() for lead in codings.leads}
    expected = set()
    for category, n in enumerate((20, 5, 7)):
        own = [lead for lead in codings.leads if codings.machine[codings.row_of[lead]] == category]
        expected |= set(sorted(own, key=number.get)[:n])
    assert planned(codings, np.array([20, 5, 7]), 4).stratum.keys() == expected
    assert planned_at_random(codings, 30, 4).stratum.keys() == set(sorted(codings.leads, key=number.get)[:30])


def test_every_lead_of_a_category_is_as_likely():
    codings = codings_of([1] * 10 + [2] * 5)
    counts = np.zeros(15)
    for seed in range(600):
        for lead in planned(codings, np.array([0, 4, 1]), seed).stratum:
            counts[codings.row_of[lead]] += 1
    for part, share in ((counts[:10], 0.4), (counts[10:], 0.2)):
        assert np.abs(part / 600 - share).max() < 4 * (share * (1 - share) / 600) ** 0.5


def expected_variance(sizes, annotated, allocation, measure):
    """The variance of the linearised estimate, by drawing from the posterior instead of by formula."""
    rng = np.random.default_rng(0)
    truth = np.stack([rng.dirichlet(row + 1 / len(sizes), size=4000) for row in annotated])
    mean = (annotated + 1 / len(sizes)) / (annotated + 1 / len(sizes)).sum(axis=1, keepdims=True)
    part, whole = (np.sum(mean * sizes[:, None] * table) for table in (measure.part, measure.whole))
    residual = (measure.part - part / whole * measure.whole) / whole
    within = np.einsum("sdt,st->sd", truth, residual**2) - np.einsum("sdt,st->sd", truth, residual) ** 2
    return np.sum(sizes**2 * within.mean(axis=1) * (1 / allocation - 1 / sizes))


@pytest.mark.parametrize(
    "measure", [mean_level(np.array([np.nan, -5.0, 8.0])), truth_share(3, 1), answer_given_truth(3, 2, 2)]
)
def test_no_other_allocation_has_a_smaller_expected_variance(measure):
    sizes = np.array([60, 30, 8])
    annotated = np.array([[3, 1, 0], [0, 2, 1], [0, 0, 2]])
    found = minimum_variance(sizes, annotated, 22, measure)
    assert found.sum() == 22
    others = [
        np.array(each)
        for each in product(range(4, 23), range(3, 20), range(2, 9))
        if sum(each) == 22 and all(each <= sizes)
    ]
    best = min(expected_variance(sizes, annotated, each, measure) for each in others)
    assert expected_variance(sizes, annotated, found, measure) <= best * 1.02


def test_minimum_variance_codes_what_tells_of_the_measure_and_no_more_than_there_is():
    sizes = np.array([1000, 500, 10])
    annotated = np.array([[5, 1, 0], [1, 4, 0], [0, 1, 2]])
    assert minimum_variance(sizes, annotated, 18, truth_given_answer(3, 2, 2)).tolist() == [6, 5, 7]
    assert minimum_variance(sizes, annotated, 21, truth_given_answer(3, 2, 2)).tolist()[2] == 10
    assert minimum_variance(sizes, annotated, 1510, truth_share(3, 1)).tolist() == sizes.tolist()


def test_minimum_variance_begins_where_nothing_is_known():
    sizes = np.array([1000, 50, 10, 0])
    annotated = np.zeros((4, 4), dtype=int)
    annotated[0, 0] = 3
    assert minimum_variance(sizes, annotated, 4, truth_share(4, 1)).tolist() == [3, 1, 0, 0]
    assert minimum_variance(sizes, annotated, 5, truth_share(4, 1)).tolist() == [3, 1, 1, 0]


def test_impossible_allocations_are_refused():
    sizes = np.array([10, 5, 0])
    codings = codings_of(np.repeat([0, 1], [10, 5]))
    with pytest.raises(InputError, match="found 6 leads of 'a', expected 0 to 5"):
        planned(codings, np.array([0, 6, 0]), 0)
    with pytest.raises(InputError, match="found 16 leads to sample, expected 1 to 15"):
        planned_at_random(codings, 16, 0)
    with pytest.raises(InputError, match=r"found 2 leads to annotate, expected 3 \(annotated\) to 15"):
        minimum_variance(sizes, np.diag([3, 0, 0]), 2, truth_share(3, 1))
    with pytest.raises(InputError, match="a measure that no lead tells of"):
        minimum_variance(sizes, np.diag([3, 0, 0]), 5, truth_given_answer(3, 2, 2))
