"""The chains of a series are exact on their grids, and its intervals hold where rates jump."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import betabinom, binom, norm

import nlpcalib.estimation.series as module
from nlpcalib.errors import InputError
from nlpcalib.estimation.score import score_interval
from nlpcalib.estimation.series import Chains, series_totals
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import LEVEL_LOG_ODDS, LEVELS, Cells

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


def check_distribution(drawn, values, probabilities):
    """Compare draws with a distribution on a few values, to five standard errors of its cumulative probabilities."""
    order = np.argsort(values)
    below = np.mean(drawn[:, None] <= values[order] + 1e-9, axis=0)
    cumulated = np.cumsum(probabilities[order] / probabilities.sum())
    last = np.append(np.diff(values[order]) > 1e-9, True)
    np.testing.assert_allclose(below[last], cumulated[last], rtol=0, atol=5 * np.sqrt(0.25 / len(drawn)))


@pytest.mark.parametrize(("n", "k"), [((60, 40), (1, 12)), ((30, 6), (0, 6)), ((200, 200), (10, 10))])
def test_what_is_missed_has_the_posterior_of_all_pairs_of_rates(monkeypatch, n, k):
    """Two periods: every exponent, chance of a jump and pair of rates, with the probability that the module states."""
    monkeypatch.setattr(module, "_TOTAL_DRAWS", 20_000)
    rates = np.geomspace(0.0002, 0.6, 40)
    start = np.sqrt(rates) / np.sqrt(rates).sum()
    near = norm.pdf(np.subtract.outer(np.log(rates), np.log(rates)), scale=0.5)
    near /= near.sum(axis=1, keepdims=True)
    jumps = (0.02, 0.08, 0.2, 0.5, 1)
    step = sum((1 - jump) * np.eye(40) + jump / 2 * start + jump / 2 * near for jump in jumps)
    values, probabilities = [], []
    for exponent in (0, 0.5, 1):
        # The model finds four times as many in the second period: half and twice their geometric mean.
        rate = np.minimum(np.outer(np.array([0.5, 2]) ** exponent, rates), 0.99)
        first, second = binom.pmf(np.array(k)[:, None], np.array(n)[:, None], rate)
        joint = (start * first)[:, None] * step * second
        values.append(rate)
        probabilities.append([joint.sum(axis=1), joint.sum(axis=0)])
    values, probabilities = np.concatenate(values, axis=1), np.concatenate(probabilities, axis=1)
    drawn = module._missed(np.array(n, float), np.array(k, float), np.array([0.05, 0.2]), np.random.default_rng(0))
    for period in (0, 1):
        check_distribution(drawn[period], values[period], probabilities[period])


def test_offsets_have_the_posterior_of_all_pairs_on_the_grid(monkeypatch):
    """Two periods and two lines: every standard deviation, chance to be drawn anew, and pair of offsets."""
    monkeypatch.setattr(module, "_TOTAL_DRAWS", 20_000)
    value, lines = np.array([-2.0, 0, 1.5]), np.array([[0.3, 0.8], [-0.4, 1.1]])
    n, k = np.array([[9.0, 5, 4], [2, 8, 3]]), np.array([[4.0, 4, 3], [0, 2, 1]])
    u, of = module._offsets(value, n, k, lines, np.random.default_rng(0))
    grid = np.linspace(-3, 3, 25)
    start = norm.pdf(grid) / norm.pdf(grid).sum()
    step = sum((1 - anew) * np.eye(25) + anew * start for anew in (0.2, 1))
    for a, b in lines:
        values, probabilities = [], []
        for sd, prior in ((0.3, 0.3), (0.6, 0.35), (1.0, 0.35)):
            rate = expit(a + b * value + sd * grid[:, None])
            first, second = (binom.pmf(k[period], n[period], rate).prod(axis=1) for period in (0, 1))
            joint = prior * (start * first)[:, None] * step * second
            values.append(sd * grid)
            probabilities.append([joint.sum(axis=1), joint.sum(axis=0)])
        mine = (of == [a, b]).all(axis=1)
        assert mine.mean() == 0.5
        for period in (0, 1):
            check_distribution(u[period, mine], np.concatenate(values), np.concatenate(probabilities, axis=1)[period])


def cells_at(level, size, n, k):
    """Return cells of periods, each level in a stratum of its own."""
    size, n, k = (np.array(part, float) for part in (size, n, k))
    weight = size / n
    return Cells(np.array(level), np.arange(len(level)), size, size * 0.5, weight, n, k, size, k * weight)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_where_the_model_is_sure_of_an_event_counts_are_beta_binomial(monkeypatch, level):
    monkeypatch.setattr(module, "_TOTAL_DRAWS", 20_000)
    found = series_totals(cells_at([LEVELS - 1], [[300], [200]], [[20], [10]], [[15], [8]]), level)
    for period, (unread, k) in enumerate(((280, 15), (190, 8))):
        law = betabinom(unread, 23.5, 7.5)
        ends = k + law.ppf([(1 - level) / 2, (1 + level) / 2])
        assert [found.low[period], found.high[period]] == pytest.approx(ends, abs=0.1 * law.std())
        assert found.value[period] == pytest.approx(k + law.mean(), abs=0.05 * law.std())


def test_between_counts_of_a_known_rate_are_binomial_and_no_more_than_there_are(monkeypatch):
    """The first and the last of the 40 levels; the rates are known from 50,000 labels in each period."""
    monkeypatch.setattr(module, "_TOTAL_DRAWS", 20_000)
    level = np.array([1, LEVELS - 2])
    rate = expit(0.3 * LEVEL_LOG_ODDS[level])
    n = np.full((3, 2), 50_000)
    k = np.round(n * rate)
    found = series_totals(cells_at(level, np.add(n, [[1000, 500], [3, 0], [0, 3]]), n, k))
    mean, sd = rate @ [1000, 500], np.sqrt((rate * (1 - rate)) @ [1000, 500])
    known = k.sum(axis=1)
    expected = known[0] + mean + np.array([0, -1.96, 1.96]) * sd
    assert [found.value[0], found.low[0], found.high[0]] == pytest.approx(expected, abs=0.15 * sd)
    assert (found.low[1], found.high[2]) == (known[1], known[2] + 3)


@pytest.mark.parametrize(("level", "rate"), [(21, 0.5), (LEVELS - 1, 1)])
def test_a_model_that_misses_a_share_of_events_misses_more_where_it_finds_more(level, rate):
    """Of all events a tenth is missed; a period without labels has as many as its neighbours, or ten times as many."""
    labelled, missed = np.arange(8) != 4, []
    for found in (200, 2000):
        size = np.column_stack([np.full(8, 20_000), [200, 2000, 200, 2000, found, 200, 2000, 200]])
        n = np.tile([1500, 100], (8, 1))
        k = np.round(n * np.column_stack([size[:, 1] * rate / 9 / 20_000, np.full(8, rate)]))
        cells = cells_at([0, level], size, n, k)
        columns = ("read", "positive", "expanded", "expanded_positive")
        cells = replace(cells, **{name: getattr(cells, name) * labelled[:, None] for name in columns})
        missed.append(series_totals(cells).value[4] - found * rate)
    assert missed[1] > 3 * missed[0]


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
        found = series_totals(cells_of(np.repeat([0.0, 0.2], 5), read=100, seed=seed))
        held.append((found.low <= expected) & (expected <= found.high))
        assert found.high[:5].max() < found.low[5:].min()
    assert np.mean(held) > 0.93


def test_a_series_without_a_change_is_narrower_than_its_periods_alone():
    cells = cells_of(np.full(PERIODS, 0.02))
    alone = score_interval(cells, np.broadcast_to(fit_working_model(cells.whole), cells.size.shape))
    carried, own = (np.mean(totals.high - totals.low) for totals in (series_totals(cells), alone))
    assert carried < 0.75 * own


def test_periods_without_a_label_are_less_certain_and_keep_the_rates_of_their_neighbours():
    cells = cells_of(np.full(PERIODS, 0.05))
    unread = np.ones((PERIODS, 1))
    unread[4:7] = 0
    columns = ("read", "positive", "expanded", "expanded_positive")
    found = series_totals(replace(cells, **{name: getattr(cells, name) * unread for name in columns}))
    width = found.high - found.low
    assert width[5] > 1.1 * np.delete(width, [4, 5, 6]).mean()
    assert found.low[5] < 75 < found.high[5]


def test_the_same_seed_gives_the_same_series():
    cells = cells_of(np.full(PERIODS, 0.05))
    first, again, other = (series_totals(cells, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.high, again.high)
    np.testing.assert_allclose(other.high, first.high, rtol=0.2)


def test_periods_that_no_label_reaches_are_refused_in_words():
    cells = cells_of(np.full(PERIODS, 0.02))
    reached = np.r_[np.zeros(3), np.ones(PERIODS - 3)][:, None]
    columns = ("read", "positive", "expanded", "expanded_positive")
    first = replace(cells, **{name: getattr(cells, name) * reached for name in columns})
    with pytest.raises(InputError, match="no label in the first 3 periods"):
        series_totals(first)
    last = replace(cells, **{name: getattr(cells, name) * reached[::-1] for name in columns})
    with pytest.raises(InputError, match="no label in the last 3 periods"):
        series_totals(last)
    with pytest.raises(InputError, match="at least two"):
        series_totals(
            replace(cells, **{name: getattr(cells, name)[:1] for name in ("size", "predicted", "weight", *columns)})
        )
