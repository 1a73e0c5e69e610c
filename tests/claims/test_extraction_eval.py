"""The verdicts on Lowe & King's claims: on tables that have their pattern, and on tables that have the other."""

import pytest

from reproduction.claims import extraction_eval
from reproduction.claims.verdicts import Results, judges_of, outcome

JUDGES = judges_of(extraction_eval)


def frequency(leads, sampled=10, level=1.0):
    return {"category": "", "level": level, "leads": leads, "share": leads / 100_000, "sampled": sampled}


def naive(naive_bias, bayes_bias):
    return {"naive_bias": naive_bias, "naive_se": 0.01, "bayes_bias": bayes_bias, "bayes_se": 0.01}


def saved(random_error):
    """Errors of a design that reads 50 leads, and of random samples that reach `random_error` with 1,000."""
    errors = {("per category", 50): 0.1, ("per category", 1000): 0.02, ("random", 50): 0.9}
    return [
        {"measure": measure, "category": "war", "design": design, "leads": leads, "population": 100_000, "rmse": error}
        for measure in ("answer_given_truth", "both")
        for (design, leads), error in (errors | {("random", 1000): random_error}).items()
    ]


def verdicts(**tables):
    frequencies = tables.pop("frequencies", [frequency(90_000, level=None), *map(frequency, (9_000, 500, 3, 2))])
    given = Results({"leads_frequencies": frequencies, **tables})
    return [outcome(judge(given)) for judge in JUDGES.values()]


def test_their_own_pattern_reproduces():
    """The rarer half, of 3 and 2 leads in 100,000, is missed by 50 random ones."""
    assert verdicts(leads_naive=[naive(0.2, 0.01), naive(-0.2, -0.01)], saving=saved(0.1)) == ["holds"] * 4


def test_the_opposite_pattern_differs():
    even = [frequency(20_000) for _ in range(5)]
    given = {"leads_naive": [naive(0.02, 0.2), naive(0.01, 0.01)], "saving": saved(0.01)}
    assert verdicts(frequencies=even, **given) == ["does not hold"] * 4


@pytest.mark.parametrize("frequencies", [[frequency(50)], [frequency(50), frequency(0), frequency(9, level=None)]])
def test_what_needs_two_categories_or_the_truth_is_not_judged(frequencies):
    """A category without leads is not used, and no event is no category."""
    assert verdicts(frequencies=frequencies) == ["not applicable"] * 4


def test_most_of_the_rarer_half_is_more_than_half_of_it():
    """One of the two rarer categories is likelier than not to be missed by 50 leads: 3 in 100,000, but not 1 in 10."""
    assert (
        verdicts(frequencies=[frequency(60_000), frequency(20_000), frequency(10_000), frequency(3)])[0]
        == "does not hold"
    )


def test_the_most_frequent_category_is_reported_with_the_rarest():
    given = Results({"leads_frequencies": [frequency(3), frequency(60_000), frequency(20_000)]})
    assert JUDGES["random_samples_miss"](given).measured.startswith(
        "60,000 leads of the most frequent category, 3 of the rarest; 1 of the 1 rarer"
    )
