"""A series shares its labels as far as they cannot exclude a change, and no further."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency, norm

from nlpcalib.errors import InputError
from nlpcalib.estimation.drift import _ANY_CHANGE, _ONE_CHANGE, _change_statistics, series
from nlpcalib.estimation.score import score_interval
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import Cells

PERIODS = 10


def cells_of(missed, read=30, seed=0):
    """Return periods of 1,000 sure and 50 unsure items, of which `missed` (PERIODS,) of the sure ones are positive."""
    random = np.random.default_rng(seed)
    size = np.tile([1000.0, 50.0], (PERIODS, 1))
    n = np.tile([float(read), 10.0], (PERIODS, 1))
    k = np.stack([random.binomial(read, missed), random.binomial(10, 0.5, PERIODS)], axis=1).astype(float)
    weight = np.tile([1000 / read, 5.0], (PERIODS, 1))
    q = np.array([0.001, 0.5])
    return Cells(np.array([0, 21]), np.array([0, 1]), size, size * q, weight, n, k, n * weight, k * weight)


def test_a_change_that_labels_show_is_found_where_it_is():
    found = series(cells_of(np.repeat([0.0, 0.2], 5), read=100))
    assert found.drifts
    assert found.changes.tolist() == [5]
    expected = np.repeat([25.0, 225.0], 5)
    assert ((found.totals.low <= expected) & (expected <= found.totals.high)).all()
    assert found.totals.high[:5].max() < found.totals.low[5:].min()


def test_a_series_without_a_change_is_narrower_than_its_periods_alone():
    cells = cells_of(np.full(PERIODS, 0.02))
    found = series(cells)
    alone = score_interval(cells, np.broadcast_to(fit_working_model(cells.whole), cells.size.shape))
    assert not found.drifts
    assert 0 in found.changes
    middle = slice(2, -2)
    carried, own = ((totals.high - totals.low)[middle].mean() for totals in (found.totals, alone))
    assert carried < 0.75 * own


def test_the_ends_of_a_series_are_less_certain_than_its_middle():
    found = series(cells_of(np.full(PERIODS, 0.02)))
    width = found.totals.high - found.totals.low
    assert min(width[0], width[-1]) >= width[4] * 0.99
    assert max(width[0], width[-1]) > width[4]


def test_periods_that_no_label_reaches_are_refused_in_words():
    cells = cells_of(np.full(PERIODS, 0.02))
    reached = np.r_[np.zeros(3), np.ones(PERIODS - 3)][:, None]
    columns = ("read", "positive", "expanded", "expanded_positive")
    first = replace(cells, **{name: getattr(cells, name) * reached for name in columns})
    with pytest.raises(InputError, match="no label in the first 3 periods"):
        series(first)
    last = replace(cells, **{name: getattr(cells, name) * reached[::-1] for name in columns})
    with pytest.raises(InputError, match="no label in the last 3 periods"):
        series(last)
    with pytest.raises(InputError, match="at least two"):
        series(replace(cells, **{name: getattr(cells, name)[:1] for name in ("size", "predicted", "weight", *columns)}))


def test_the_statistic_of_a_change_is_that_of_the_contingency_table_before_and_after():
    cells = cells_of(np.repeat([0.02, 0.1], 5), read=200)
    n, k = cells.read[:, 0], cells.positive[:, 0]
    tables = [[[part.sum() for part in (k[:at], k[at:])], [part.sum() for part in (n[:at] - k[:at], n[at:] - k[at:])]]
              for at in range(1, PERIODS)]  # fmt: skip
    expected = [chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic for table in tables]
    assert series(cells).statistic == pytest.approx(max(expected))


def test_the_limit_of_any_change_is_that_of_the_largest_square_of_a_brownian_bridge():
    """Andrews (1993): the supremum over the middle 70 % of B(t)² / t(1 − t); steps make it a little smaller."""
    step = np.random.default_rng(0).normal(size=(4000, 1000)).cumsum(axis=1) / 1000**0.5
    t = np.arange(1, 1001) / 1000
    middle = (t >= 0.15) & (t <= 0.85)
    bridge = (step - t * step[:, -1:])[:, middle]
    largest = (bridge**2 / (t * (1 - t))[middle]).max(axis=1)
    assert np.mean(largest > _ANY_CHANGE) == pytest.approx(0.045, abs=0.012)
    assert norm.cdf(_ONE_CHANGE**0.5) == pytest.approx(0.975, abs=1e-4)


def test_few_still_series_are_called_changed():
    still = (cells_of(np.full(PERIODS, 0.05), read=60, seed=seed) for seed in range(1000))
    called = np.mean([_change_statistics(cells).max() > _ANY_CHANGE for cells in still])
    assert 0.005 <= called <= 0.05


def test_changes_are_kept_whose_likelihood_is_near_that_of_the_likeliest():
    cells = cells_of(np.repeat([0.02, 0.1], 5), read=60)
    statistics = _change_statistics(cells)
    near = np.flatnonzero(statistics.max() - statistics <= chi2.isf(0.05, 1)) + 1
    found = series(cells)
    assert found.drifts
    assert 1 < near.size < PERIODS - 1
    assert found.changes.tolist() == near.tolist()
