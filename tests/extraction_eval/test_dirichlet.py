"""The textbook's posterior against its closed form: the share of a category is a Beta variable."""

import numpy as np
import pytest
from scipy import stats

from reproduction.extraction_eval import measures
from reproduction.extraction_eval.dirichlet import DirichletPosterior
from reproduction.extraction_eval.lead_counts import LeadCounts


def sample(size):
    """Nine leads of answer 0, six of them of truth 0, and one of answer 1."""
    truth = np.array([0] * 6 + [1] * 3 + [1])
    answer = np.array([0] * 9 + [1])
    return LeadCounts.of(np.array([size, 1]), answer, answer, truth, ("no", "yes"), by_answer=True)


@pytest.mark.parametrize("prior", [0.5, 1.0, 3.0])
def test_the_share_of_a_large_population_has_the_interval_of_its_beta_posterior(prior):
    measure = measures.truth_given_answer(2, 0, 1)
    found = DirichletPosterior(sample(10_000_000), prior, samples=20_000, seed=1).estimate(measure)
    assert found.value == pytest.approx(1 / 3)
    expected = stats.beta(3 + prior, 6 + prior).ppf([0.025, 0.975])
    assert [found.low, found.high] == pytest.approx(expected, abs=0.008)


def test_of_a_population_that_was_read_whole_nothing_is_uncertain():
    found = DirichletPosterior(sample(9), 1.0, samples=50, seed=1).estimate(measures.truth_given_answer(2, 0, 1))
    assert found.low == found.high == found.value == pytest.approx(1 / 3)
