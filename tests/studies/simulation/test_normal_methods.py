"""The methods of others are the textbook's: unbiased over all samples, with the variance of the design."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm

from nlpcalib.sampling.cells import Cells, level_of
from nlpcalib.sampling.samples import Sample, count_cells, simple_random_sample
from studies.simulation.normal_methods import active, classical, normal_totals, ppi

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


@pytest.mark.parametrize("method", ["classical", "active"])
def test_the_difference_estimator_is_unbiased_over_all_samples_of_a_stratified_corpus(method):
    random = np.random.default_rng(0)
    q, y, stratum = random.random(9), random.random(9) < 0.4, np.repeat([0, 1], [4, 5])
    totals = []
    for first in combinations(range(4), 2):
        for second in combinations(range(4, 9), 3):
            rows = np.array([*first, *second])
            sample = Sample(stratum, np.array([4 / 2, 5 / 3]), rows, y[rows].astype(float))
            totals.append(normal_totals(q, sample, method).value[0])
    assert np.mean(totals) == pytest.approx(y.sum(), abs=1e-9)


def test_the_difference_estimator_is_exact_where_predictions_are_right():
    rows = np.array([*range(5), *range(95, 100)])
    sample = simple_random_sample(100, rows, np.repeat([0.0, 1.0], 5))
    found = normal_totals(np.repeat([0.0, 1.0], [70, 30]), sample, "active")
    assert [found.value[0], found.low[0], found.high[0]] == pytest.approx([30, 30, 30])


@pytest.mark.parametrize("kind", ["good", "opposed", "far too weak"])
def test_ppi_has_the_weight_that_its_authors_give_to_predictions(kind):
    """λ = Cov(y, q) / ((1 + n/N) Var(q)), of the labelled items and of all; 0 or 1 where it lies outside."""
    q = np.repeat([0.1, 0.3, 0.5, 0.7], [400, 300, 200, 100])
    q = 0.4 + 0.25 * (q - 0.4) if kind == "far too weak" else q
    rows = np.flatnonzero(np.arange(1000) % 5 == 0)
    share = np.repeat([0.1, 0.2, 0.6, 0.7], [400, 300, 200, 100])[rows]
    y = (np.arange(200) % 10 < 10 * (1 - share if kind == "opposed" else share)).astype(float)
    sample = simple_random_sample(1000, rows, y)
    cells, _ = count_cells(q, sample)
    slope = np.cov(y, q[rows], ddof=0)[0, 1] / (1.2 * q.var())
    tuned = min(max(slope, 0), 1)
    assert (tuned, kind) in {(0, "opposed"), (1, "far too weak"), (slope, "good")}
    assert 0.5 < slope < 0.95 or kind != "good"
    residual = y - tuned * q[rows]
    total, found = tuned * q.sum() + 5 * residual.sum(), ppi(cells)
    half = norm.ppf(0.975) * np.sqrt(1000**2 * (1 - 0.2) * residual.var(ddof=1) / 200)
    assert [found.value[0], found.low[0], found.high[0]] == pytest.approx([total, total - half, total + half])


@pytest.mark.parametrize("method", [classical, ppi, active])
def test_groups_have_the_estimates_of_their_own_cells_alone(method):
    size, read, positive = np.array([[[40.0, 0], [40, 20]], [[10, 0], [10, 5]], [[3, 0], [3, 2]]])
    columns = (size, size * [0.3, 0.6], np.full((2, 2), 4.0), read, positive, read * 4, positive * 4)
    found = method(Cells(np.array([5, 30]), np.array([0, 0]), *columns))
    for group, kept in ((0, [0]), (1, [0, 1])):
        own = (column[group : group + 1, kept] for column in columns)
        expected = method(Cells(np.array([5, 30])[kept], np.array([0, 0])[kept], *own))
        for name in ("value", "low", "high"):
            assert getattr(found, name)[group] == pytest.approx(getattr(expected, name)[0])
