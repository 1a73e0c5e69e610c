"""The width that is expected before anything is read, against the textbook's."""

import numpy as np
import pytest
from scipy.stats import norm

from nlpcalib.estimation.estimates import forecast_width
from nlpcalib.estimation.planning import labels_for_width, rates
from nlpcalib.sampling.cells import Q_LEVELS
from nlpcalib.sampling.samples import Sample, count_cells

N = 1_000_000


@pytest.mark.parametrize("p", [0.5, 0.2])
@pytest.mark.parametrize("n", [400, 1600])
@pytest.mark.parametrize("effect", [1, 4])
def test_without_information_in_predictions_the_width_is_that_of_a_random_sample(p, n, effect):
    """A model that predicts one probability for all items is no help. A score interval is a little wider."""
    nothing = np.array([], dtype=np.int64)
    q, weights = np.full(N, p), np.array([N / n])
    cells = count_cells(q, Sample(np.zeros(N, dtype=np.int64), weights, nothing, np.array([])))[0]
    expected = 2 * norm.ppf(0.975) * np.sqrt(effect * p * (1 - p) / n)
    found = forecast_width(cells, rates(cells.whole, False), weights, effect=effect)
    assert found == pytest.approx([expected], rel=0.06)


def test_the_fewest_labels_whose_width_is_small_enough_are_found():
    assert labels_for_width(lambda n: 1 / n, 0.01, 1000) == 100
    assert labels_for_width(lambda n: 1 / n, 1.0, 1000) == 1
    assert labels_for_width(lambda n: 1 / n, 0.001, 1000) == 1000
    assert labels_for_width(lambda n: 1 / n, 0.0009, 1000) is None


def test_where_the_model_is_sure_the_expected_rate_is_that_of_the_labels_and_the_predictions():
    """Of 100 items at .005, 4 are read and 1 is positive; of 100 at .995, 3 of 3: one label more is the prediction."""
    q, stratum = np.repeat([0.005, 0.4, 0.995], 100), np.zeros(300, dtype=np.int64)
    rows = np.array([0, 1, 2, 3, 110, 120, 297, 298, 299])
    y = np.array([1.0, 0, 0, 0, 1, 0, 1, 1, 1])
    cells = count_cells(q, Sample(stratum, np.array([300 / 9]), rows, y))[0].whole
    expected = rates(cells, True)
    assert expected[cells.level == 0] == pytest.approx((1 + 0.005) / 5)
    assert expected[cells.level == Q_LEVELS - 1] == pytest.approx((3 + 0.995) / 4)
