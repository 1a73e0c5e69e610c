"""The chains of a series are exact on their grids, and its intervals hold where rates jump."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.estimation.score import score_interval
from nlpcalib.estimation.series import Chains, series
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import Cells

PERIODS = 10


@pytest.mark.parametrize("moves", [False, True])
def test_filter_and_draws_are_those_of_all_paths_of_a_small_grid(moves):
    """Four periods of three states: 81 paths, each with its probability."""
    random = np.random.default_rng(1)
    start, move = np.array([0.5, 0.3, 0.2]), np.array([[0.7, 0.3, 0], [0.2, 0.6, 0.2], [0, 0.4, 0.6]])
    stay, anew = np.array([0.8, 0.5]), np.array([0.1, 0.2]) if moves else np.array([0.2, 0.5])
    likelihood = np.log(random.random((4, 2, 3)))
    chains = Chains(start, stay, anew, move if moves else None)
    filtered, total = chains.filter(likelihood)
    paths = np.array(list(product(range(3), repeat=4)))
    for case in (0, 1):
        step = stay[case] * np.eye(3) + anew[case] * start
        step = step + (1 - stay[case] - anew[case]) * move if moves else step
        weight = start[paths[:, 0]] * np.exp(likelihood[0, case, paths[:, 0]])
        for period in (1, 2, 3):
            here = paths[:, period]
            weight = weight * step[paths[:, period - 1], here] * np.exp(likelihood[period, case, here])
        assert total[case] == pytest.approx(np.log(weight.sum()))
        last = np.bincount(paths[:, 3], weight) / weight.sum()
        np.testing.assert_allclose(filtered[3, case], last)
        drawn = chains.draw(filtered, (np.full(60_000, case),), random)
        found = np.bincount(np.ravel_multi_index(tuple(drawn), (3,) * 4), minlength=81) / 60_000
        np.testing.assert_allclose(found, weight / weight.sum(), atol=5 * np.sqrt(0.25 / 60_000))


def cells_of(missed, read=30, seed=0):
    """Return periods of 1,000 sure and 50 unsure items, of which `missed` (PERIODS,) of the sure ones are positive."""
    random = np.random.default_rng(seed)
    size = np.tile([1000.0, 50.0], (PERIODS, 1))
    n = np.tile([float(read), 10.0], (PERIODS, 1))
    k = np.stack([random.binomial(read, missed), random.binomial(10, 0.5, PERIODS)], axis=1).astype(float)
    weight = np.tile([1000 / read, 5.0], (PERIODS, 1))
    q = np.array([0.001, 0.5])
    return Cells(np.array([0, 21]), np.array([0, 1]), size, size * q, weight, n, k, n * weight, k * weight)


def test_a_jump_is_found_where_labels_show_it():
    expected, held = np.repeat([25.0, 225.0], 5), []
    for seed in range(12):
        found = series(cells_of(np.repeat([0.0, 0.2], 5), read=100, seed=seed))
        held.append((found.low <= expected) & (expected <= found.high))
        assert found.high[:5].max() < found.low[5:].min()
    assert np.mean(held) > 0.93


def test_a_series_without_a_change_is_narrower_than_its_periods_alone():
    cells = cells_of(np.full(PERIODS, 0.02))
    alone = score_interval(cells, np.broadcast_to(fit_working_model(cells.whole), cells.size.shape))
    carried, own = (np.mean(totals.high - totals.low) for totals in (series(cells), alone))
    assert carried < 0.75 * own


def test_periods_without_a_label_are_less_certain_and_keep_the_rates_of_their_neighbours():
    cells = cells_of(np.full(PERIODS, 0.05))
    unread = np.ones((PERIODS, 1))
    unread[4:7] = 0
    columns = ("read", "positive", "expanded", "expanded_positive")
    found = series(replace(cells, **{name: getattr(cells, name) * unread for name in columns}))
    width = found.high - found.low
    assert width[5] > 1.1 * np.delete(width, [4, 5, 6]).mean()
    assert found.low[5] < 75 < found.high[5]


def test_the_same_seed_gives_the_same_series():
    cells = cells_of(np.full(PERIODS, 0.05))
    first, again, other = (series(cells, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.high, again.high)
    np.testing.assert_allclose(other.high, first.high, rtol=0.2)


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
