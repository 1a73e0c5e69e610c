"""Counts of units that err together: every probability is kept, and intervals hold as often as they promise."""

from itertools import product

import numpy as np
import pytest
from scipy import optimize, special, stats

from nlpcalib.errors import InputError
from nlpcalib.estimation import poisson_binomial, shared_effect
from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.estimation.shared_effect import INDEPENDENT, LOADINGS, SharedEffect, fit_shared_effect, level_effect
from reproduction.estimation.count_rows import quantile_distance


def known(loading):
    return SharedEffect(np.array([loading]), np.ones(1))


def drawn(q, group, loading, rng):
    """Labels from the definition of the model, in its latent variables."""
    shared = rng.normal(size=group.max() + 1)[group]
    latent = loading * shared + np.sqrt(1 - loading**2) * rng.normal(size=q.size)
    return latent < special.ndtri(q)


def documents(rng, number, size):
    """A tagger's probabilities: most of them near 0, few in between."""
    sizes = rng.integers(1, 2 * size, number)
    return rng.beta(0.15, 0.6, sizes.sum()), np.repeat(np.arange(number), sizes)


def judged(effect, q, y, group):
    """How often intervals hold, what they promise, and how wide they are."""
    rows = [np.flatnonzero(group == each) for each in np.unique(group)]
    found = [(*effect.interval(q[part]), np.count_nonzero(y[part])) for part in rows]
    low, high, promised, count = np.array(found).T
    return np.mean((low <= count) & (count <= high)), promised.mean(), (high - low).mean()


@pytest.mark.parametrize("loading", [0.0, 0.3, 0.6, 0.9])
def test_distribution_is_that_of_enumerated_outcomes_under_a_fine_quadrature(loading):
    q = np.array([0.001, 0.05, 0.3, 0.5, 0.9, 0.999])
    u = np.linspace(-8, 8, 4001)
    weight = np.exp(-(u**2) / 2) / np.exp(-(u**2) / 2).sum()
    given = special.ndtr((special.ndtri(q)[:, None] - loading * u) / np.sqrt(1 - loading**2))
    expected = np.zeros(7)
    for outcome in product((0, 1), repeat=6):
        chance = np.prod(np.where(np.array(outcome)[:, None], given, 1 - given), axis=0)
        expected[sum(outcome)] += chance @ weight
    np.testing.assert_allclose(known(loading).distribution(q), expected, atol=2e-6)


@pytest.mark.parametrize("loading", [0.3, 0.6, 0.9])
def test_counts_of_a_long_document_are_a_mixture_of_binomials_to_the_eighth_digit(loading):
    u = np.linspace(-5, 5, 20_001)
    weight = np.exp(-(u**2) / 2) / np.exp(-(u**2) / 2).sum()
    given = special.ndtr((special.ndtri(0.3) - loading * u) / np.sqrt(1 - loading**2))
    expected = [weight @ stats.binom.pmf(count, 800, given) for count in range(40, 800, 40)]
    found = known(loading).distribution(np.full(800, 0.3))[40:800:40]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


def test_the_posterior_of_the_loading_is_the_product_of_the_groups_likelihoods():
    """The prior is uniform on 0, .05 … .9."""
    rng = np.random.default_rng(8)
    q, group = rng.uniform(0.2, 0.8, 60), np.repeat([4, 1, 9, 2], 15)
    y = drawn(q, group, 0.7, rng)
    found = fit_shared_effect(q, y, group)
    likelihood = np.array([
        np.prod([known(loading).distribution(q[group == each])[y[group == each].sum()] for each in (1, 2, 4, 9)])
        for loading in np.arange(0, 0.95, 0.05)
    ])  # fmt: skip
    np.testing.assert_allclose(found.loadings, np.arange(0, 0.95, 0.05), atol=1e-12)
    np.testing.assert_allclose(found.weights, likelihood / likelihood.sum(), rtol=1e-6)


@pytest.mark.parametrize("size", [1, 30, 1500])
def test_the_mean_stays_the_sum_of_the_probabilities_whatever_is_shared(size):
    q = np.random.default_rng(size).beta(0.2, 1, size)
    for loading in LOADINGS[::6]:
        mean = known(loading).distribution(q) @ np.arange(size + 1)
        assert mean == pytest.approx(q.sum(), abs=1.1e-4 + 3e-6 * size)


def test_a_level_that_labels_set_moves_counts_as_much_as_other_labels_would_have_moved_it():
    """The oracle fits the level to new labels of the same units, by the score equation of a probit."""
    rng = np.random.default_rng(3)
    q, others = rng.beta(0.6, 2, 400), rng.beta(0.6, 2, 2000)
    z, sums = special.ndtri(q), []
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    weight = density / (q * (1 - q))
    for _ in range(400):
        y = rng.random(400) < q
        level = optimize.brentq(lambda each, y=y: weight @ (y - special.ndtr(z + each)), -3, 3)
        sums.append(special.ndtr(special.ndtri(others) + level).sum())
    count = level_effect((q, np.ones(400))).count(others)
    independent = PoissonBinomial(others)
    assert count.mean == independent.mean
    assert np.sqrt(count.sd**2 - independent.sd**2) == pytest.approx(np.std(sums), rel=0.1)
    assert count.sd == pytest.approx(np.sqrt(count.pmf @ np.arange(2001) ** 2 - (count.pmf @ np.arange(2001)) ** 2))


def test_more_labels_leave_less_error_of_a_level_and_those_of_certain_units_none_less():
    few, many = (level_effect((np.array([0.2, 1.0]), np.array([number, 50]))) for number in (20, 2000))
    both = level_effect(*[(np.array([0.2]), np.array([20]))] * 2)
    assert many.loading < few.loading < both.loading
    assert level_effect((np.array([0.0, 1.0]), np.ones(2))).loading == LOADINGS[-1]
    assert type(INDEPENDENT.count(np.array([0.5]))) is PoissonBinomial


def test_units_that_share_nothing_have_the_poisson_binomial_count():
    q = np.random.default_rng(0).beta(0.3, 1, 300)
    np.testing.assert_allclose(INDEPENDENT.distribution(q), PoissonBinomial(q).pmf, atol=1e-4)


def test_long_documents_have_the_distribution_of_units_that_are_added_one_at_a_time(monkeypatch):
    q = np.random.default_rng(2).beta(0.3, 1, 1100)
    effect = SharedEffect(LOADINGS[::6], np.full(4, 0.25))
    divided = effect.distribution(q)
    monkeypatch.setattr(poisson_binomial, "_EVENTS_PER_BLOCK", q.size)
    monkeypatch.setattr(shared_effect, "BLOCK_NUMBERS", 1 << 30)
    np.testing.assert_allclose(divided, effect.distribution(q), atol=1e-14, rtol=0)


def test_certain_and_impossible_units_are_counted_as_such():
    np.testing.assert_array_equal(known(0.5).distribution(np.array([1.0, 1.0, 0.0])), [0, 0, 1, 0])
    assert known(0.5).interval(np.ones(4)) == (4, 4, 1.0)
    assert known(0.5).interval(np.zeros(4)) == (0, 0, 1.0)
    assert known(0.5).interval(np.zeros(0)) == (0, 0, 1.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_interval_is_the_narrowest_that_reaches_the_level(seed):
    rng = np.random.default_rng(seed)
    q, effect = rng.beta(0.3, 1, rng.integers(1, 60)), known(rng.choice(LOADINGS))
    level = rng.uniform(0.5, 0.99)
    pmf = effect.distribution(q)
    low, high, probability = effect.interval(q, level=level)
    assert probability == pytest.approx(pmf[low : high + 1].sum())
    assert probability >= level - 1e-9
    others = [
        pmf[start : start + width + 1].sum() for width in range(high - low + 1) for start in range(q.size - width + 1)
    ]
    assert max(others) <= probability + 1e-9
    narrower = [pmf[start : start + high - low].sum() for start in range(q.size + 1)]
    assert max(narrower, default=0) < level


@pytest.mark.parametrize("loading", [0.0, 0.3, 0.7])
def test_intervals_hold_what_they_promise_and_the_loading_is_found(loading):
    rng = np.random.default_rng(int(10 * loading))
    q, group = documents(rng, 150, 40)
    effect = fit_shared_effect(q, drawn(q, group, loading, rng), group)
    assert effect.loading == pytest.approx(loading, abs=0.12)
    q, group = documents(rng, 400, 40)
    y = drawn(q, group, loading, rng)
    held, promised, width = judged(effect, q, y, group)
    assert abs(held - promised) < 3 * np.sqrt(promised * (1 - promised) / 400) + 0.005
    independent, too_much, narrower = judged(INDEPENDENT, q, y, group)
    assert narrower <= width
    if loading > 0.5:
        assert independent < too_much - 0.05


def logit_effect(q, group, rng):
    """Another truth with the same probabilities: a normal effect of sd 1 on the logit, with an offset for each unit."""
    u = np.linspace(-5, 5, 21)
    weight = np.exp(-(u**2) / 2) / np.exp(-(u**2) / 2).sum()
    offset = special.logit(q)
    for _ in range(20):
        offset += special.logit(q) - special.logit(special.expit(offset[:, None] + u) @ weight)
    return rng.random(q.size) < special.expit(offset + rng.normal(size=group.max() + 1)[group])


def repeated_words(q, group, rng):
    """Another truth: a fifth of a document's units are one word, right together or wrong together."""
    y = rng.random(q.size) < q
    for each in np.unique(group):
        rows = np.flatnonzero(group == each)
        same = rows[: rows.size // 5]
        q[same] = rng.uniform(0.1, 0.9)
        y[same] = rng.random() < q[same[:1]]
    return y


@pytest.mark.parametrize("truth", [logit_effect, repeated_words])
def test_intervals_hold_where_the_truth_is_of_another_kind(truth):
    rng = np.random.default_rng(5)
    q, group = documents(rng, 700, 40)
    y = truth(q, group, rng)
    labelled = group < 300
    effect = fit_shared_effect(q[labelled], y[labelled], group[labelled])
    held, _, _ = judged(effect, q[~labelled], y[~labelled], group[~labelled])
    independent, _, _ = judged(INDEPENDENT, q[~labelled], y[~labelled], group[~labelled])
    assert held > 0.93
    assert independent < held


def test_few_labelled_groups_give_wider_intervals():
    rng = np.random.default_rng(3)
    q, group = documents(rng, 200, 60)
    y = rng.random(q.size) < q
    few = group < 3
    new = rng.beta(0.15, 0.6, 300)
    widths = [np.diff(effect.interval(new)[:2])[0] for effect in (
        fit_shared_effect(q[few], y[few], group[few]), fit_shared_effect(q, y, group), INDEPENDENT
    )]  # fmt: skip
    assert widths[0] > widths[1] >= widths[2]


def test_order_changes_nothing_and_a_count_that_cannot_be_is_no_evidence():
    rng = np.random.default_rng(4)
    q, group = documents(rng, 30, 20)
    y = drawn(q, group, 0.5, rng)
    mixed = rng.permutation(q.size)
    one, other = fit_shared_effect(q, y, group), fit_shared_effect(q[mixed], y[mixed], group[mixed])
    assert one.weights.tobytes() == other.weights.tobytes()
    more = fit_shared_effect(np.append(q, 0.0), np.append(y, True), np.append(group, 99))
    np.testing.assert_allclose(more.weights, one.weights)


@pytest.mark.parametrize(
    ("q", "y", "group", "found"),
    [
        ([0.5, np.nan], [0, 1], [0, 1], "outside"),
        ([0.5, 1.5], [0, 1], [0, 1], "outside"),
        ([[0.5, 0.5]], [0, 1], [0, 1], "several axes"),
        ([0.5, 0.5], [0], [0, 1], "2 probabilities, 1 labels"),
        ([0.5, 0.5], [0, 1], [7, 7], "groups: found 1"),
        ([], [], [], "groups: found 0"),
    ],
)
def test_what_cannot_be_fitted_is_refused(q, y, group, found):
    with pytest.raises(InputError, match=found):
        fit_shared_effect(np.array(q), np.array(y), np.array(group))
    with pytest.raises(InputError, match="level: found 1"):
        INDEPENDENT.interval(np.array([0.5]), level=1)


def test_posterior_quantiles_of_continuous_predictions_are_uniform_where_the_posterior_is_right():
    """Kolmogorov's test is the oracle; a posterior half as wide has quantiles near 0 and 1."""
    truth = np.random.default_rng(5).normal(size=2000)
    for scale in (1.0, 0.5):
        quantile = stats.norm(scale=scale).cdf(truth)
        found = quantile_distance(quantile, quantile)
        assert found == pytest.approx(stats.kstest(quantile, "uniform").statistic, abs=0.006)
        assert (found < 0.03) == (scale == 1.0)


def test_posterior_quantiles_of_counts_are_uniform_where_units_share_what_the_posterior_has():
    rng = np.random.default_rng(6)
    q, group = documents(rng, 400, 30)
    y = drawn(q, group, 0.6, rng)
    parts = [np.flatnonzero(group == each) for each in range(400)]
    distance = {}
    for loading in (0.0, 0.6):
        pmfs = [known(loading).distribution(q[part]) for part in parts]
        counts = [np.count_nonzero(y[part]) for part in parts]
        below, at = np.array([(pmf[:k].sum(), pmf[: k + 1].sum()) for pmf, k in zip(pmfs, counts, strict=True)]).T
        distance[loading] = quantile_distance(below, at)
    assert distance[0.6] < 0.05 < 2 * 0.05 < distance[0.0]
