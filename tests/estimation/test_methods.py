"""The methods of others are the textbook's: unbiased over all samples, with the variance of the design."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm

from nlpcalib.estimation.methods import active, classical, ppi
from nlpcalib.sampling.cells import Cells, level_of

STRATUM = np.repeat([0, 1], [5, 4])
Y = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0.0])
Q = np.array([0.8, 0.2, 0.6, 0.7, 0.4, 0.1, 0.3, 0.3, 0.2])
READ = (3, 2)


def all_samples():
    """Return the rows of each sample of 3 of the first 5 items and 2 of the other 4, bool (60, 9)."""
    rows = [[*one, *other] for one in combinations(range(5), READ[0]) for other in combinations(range(5, 9), READ[1])]
    drawn = np.zeros((len(rows), Y.size))
    np.put_along_axis(drawn, np.array(rows), 1, axis=1)
    return drawn


@pytest.mark.parametrize(("method", "part"), [(classical, 0.0), (active, 1.0)])
def test_estimates_are_unbiased_and_intervals_have_cochrans_variance(method, part):
    drawn = all_samples()
    size, weight = np.ones(drawn.shape), np.broadcast_to(np.array([5 / 3, 2])[STRATUM], drawn.shape)
    sums = (size * Q, weight, drawn, drawn * Y, drawn * weight, drawn * weight * Y)
    found = method(Cells(level_of(Q), STRATUM, size, *sums), 0.9)
    assert found.value.mean() == pytest.approx(Y.sum())
    residual = Y - part * Q
    variance = np.zeros(len(drawn))
    for stratum, n in enumerate(READ):
        each = residual[stratum == STRATUM] * np.ones((len(drawn), 1))
        read = each[drawn[:, stratum == STRATUM] > 0].reshape(len(drawn), n)
        total = np.count_nonzero(stratum == STRATUM)
        variance += total**2 * (1 - n / total) * read.var(axis=1, ddof=1) / n
    half = (found.high - found.low) / 2
    np.testing.assert_allclose(half, norm.ppf(0.95) * np.sqrt(variance))
    assert np.mean(variance) == pytest.approx(found.value.var())


@pytest.mark.parametrize("method", [classical, ppi, active])
def test_a_group_without_items_in_a_cell_has_the_estimate_of_its_other_cells(method):
    size, weight, read, positive = (
        np.array([[40.0, 0], [40, 20]]),
        np.full((2, 2), 4.0),
        *np.array([[[10.0, 0], [10, 5]], [[3, 0], [3, 4]]]),
    )
    cells = Cells(np.array([5, 30]), np.array([0, 0]), size, size * 0.3, weight, read, positive, read * 4, positive * 4)
    alone = Cells(
        cells.level[:1], cells.stratum[:1], *(part[:1, :1] for part in (size, size * 0.3, weight, read, positive)),
        read[:1, :1] * 4, positive[:1, :1] * 4,
    )  # fmt: skip
    found, expected = method(cells), method(alone)
    for name in ("value", "low", "high"):
        assert getattr(found, name)[0] == pytest.approx(getattr(expected, name)[0])
