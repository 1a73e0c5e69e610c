"""The studies of section 7: what each computes is right where the answer is known."""

from itertools import product

import numpy as np
import pytest
from scipy import special, stats

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.systems.events.count.counts import EventTable
from reproduction.section7 import (
    curves,
    em,
    event_risk,
    feedback,
    replications,
    smooth,
    tag_samples,
)
from reproduction.section7.penalty import PenalisedCRF
from reproduction.section7.tag_risk import least_expected_cost, loss_matrices, mean_by_unit, path_scores
from reproduction.simulation.regimes import Regime
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.data import TaggedCorpus

RNG = np.random.default_rng(7)


def sentences(number, words=6, tags=("DT", "NN", "NNP"), seed=0):
    """Return random sentences of a few words and tags."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 5, number)
    tokens = rng.integers(0, words, lengths.sum())
    gold = np.minimum(tokens // 2, len(tags) - 1) * (rng.random(tokens.size) < 0.8)
    gold[: len(tags)] = np.arange(len(tags))
    units = tuple(f"d{place // 3}/{place}" for place in range(number))
    return TaggedCorpus(Attributes.of_words(f"w{word}" for word in tokens), tags, gold.astype(np.int64), lengths, units)


def every_path(chain, corpus):
    """Return all tag sequences of a corpus of one sentence, with their probabilities."""
    paths = np.array(list(product(range(len(chain.tags)), repeat=int(corpus.lengths[0]))))
    return paths, special.softmax([path_scores(chain, corpus, path)[0] for path in paths])


@pytest.fixture(scope="module")
def tagger():
    corpus = sentences(12)
    counts = em.path_counts(
        em.LinearChain(corpus.tags, corpus.tokens.names, *em._potentials(3, 6)), corpus, corpus.gold
    )
    return counts.chain(corpus.tags, corpus.tokens.names), corpus


@pytest.mark.parametrize("loss", [0, 1])
def test_tags_of_the_least_risk_are_those_that_enumeration_of_all_sequences_finds(tagger, loss):
    chain, corpus = tagger
    costs = list(loss_matrices(chain.tags).values())[loss]
    for number in np.flatnonzero(corpus.lengths > 1)[:4]:
        one = corpus.subset(np.array([number]))
        paths, chance = every_path(chain, one)
        risk = [chance @ costs[paths, given].sum(axis=1) for given in paths]
        decided = least_expected_cost(chain.marginals(one.tokens, one.lengths).single, costs)
        assert costs[paths, decided].sum(axis=1) @ chance == pytest.approx(min(risk), abs=1e-12)


def test_a_threshold_of_the_costs_is_cheapest_where_probabilities_are_right():
    q = RNG.random(20_000)
    happened = RNG.random(q.size) < q
    losses = {t: event_risk.event_losses(q >= t, happened, 4.0).mean() for t in (0.05, 0.2, 0.5, 0.8)}
    assert min(losses, key=losses.get) == 0.2


def test_an_error_of_a_mean_grows_with_what_units_share():
    values = np.repeat(RNG.standard_normal(200), 5)
    assert mean_by_unit(values, np.repeat(np.arange(200), 5))[1] == pytest.approx(
        mean_by_unit(values, np.arange(1000))[1] * 5**0.5, rel=0.01
    )


def test_the_gaussian_process_finds_a_curve_that_is_linear_in_log_odds_and_covers_it():
    held = []
    for number in range(5):
        rng = np.random.default_rng(number)
        pairs, at = curves.drawn(Regime("strong", "uniform", "independent"), 20_000, rng)
        made = smooth.gaussian_process(pairs, at, rng)
        truth = Regime("strong", "uniform", "independent").frequency(at)
        assert abs(made.value - truth).max() < 0.025
        held.append(np.mean((made.low <= truth) & (truth <= made.high)))
    assert np.mean(held) > 0.9


def test_the_process_has_the_posterior_of_enumeration_in_one_cell():
    """With one cell, Laplace's mode is that of the one latent value under its normal prior."""
    size, frequency, offset = np.array([20.0]), np.array([0.9]), np.zeros(2)
    _, mean, variance = smooth._laplace(size, frequency, offset, np.full((2, 2), 0.7))
    grid = np.linspace(-6, 6, 200_001)
    log = 20 * (0.9 * grid - np.logaddexp(0, grid)) - grid**2 / 1.4
    assert mean[0] == pytest.approx(grid[log.argmax()], abs=1e-3)
    p = special.expit(mean[0])
    assert variance[0] == pytest.approx(1 / (20 * p * (1 - p) + 1 / 0.7), rel=1e-3)


def test_a_kernel_of_all_pairs_shifts_the_diagonal_by_the_mean_residual(monkeypatch):
    monkeypatch.setattr(smooth, "BANDWIDTHS", (1e6,))
    q, y = RNG.random(500), RNG.random(500) < 0.7
    made = smooth.kernel(SortedPairs(q, y), np.array([0.2, 0.5]), np.random.default_rng(0))
    assert made.value - [0.2, 0.5] == pytest.approx(np.full(2, y.mean() - q.mean()), abs=1e-6)


def test_em_never_lowers_the_likelihood_with_its_prior(tagger):
    chain, corpus = tagger
    reached = -np.inf
    for _ in range(12):
        counts, likelihood = em.expected_counts(chain, corpus)
        prior = em.EM_PSEUDOCOUNT * sum(map(np.sum, (chain.state, chain.transition, chain.initial)))
        assert likelihood + prior > reached - 1e-9
        reached = likelihood + prior
        chain = counts.chain(chain.tags, chain.attributes)


def test_expected_counts_are_those_of_all_sequences(tagger):
    chain, corpus = tagger
    one = corpus.subset(np.array([int(np.argmax(corpus.lengths))]))
    counts, _ = em.expected_counts(chain, one)
    paths, chance = every_path(chain, one)
    each = [em.path_counts(chain, one, path) for path in paths]
    for name in ("initial", "transition", "emission"):
        expected = np.tensordot(chance, [getattr(count, name) for count in each], axes=1)
        assert getattr(counts, name) == pytest.approx(expected, abs=1e-12)


def test_the_gradient_of_the_penalty_is_that_of_finite_differences():
    loss = PenalisedCRF(sentences(12), sentences(9, seed=1), 5.0)
    vector = RNG.normal(size=(6 + 3) * 3)
    loss.draw_bins(vector)
    along, step = RNG.normal(size=vector.size), 1e-5
    by_differences = (loss(vector + step * along)[0] - loss(vector - step * along)[0]) / (2 * step)
    assert loss(vector)[1] @ along == pytest.approx(by_differences, rel=1e-6)


def test_without_a_penalty_the_trained_crf_expects_what_it_observes():
    loss = PenalisedCRF(sentences(40), sentences(9, seed=1), 0.0, c2=1e-3)
    assert abs(loss(loss.fit())[1]).max() < 0.01


def test_p_values_are_uniform_where_events_are_drawn_from_the_model():
    documents = np.repeat(np.arange(300), 2)
    rate = RNG.beta(0.5, 2, 300)[documents][:, None]
    samples = (RNG.random((600, 60)) < rate).astype(np.int64)
    table = EventTable(
        documents.astype(str), np.datetime64("2000-01-15") + 30 * (documents % 60),
        np.tile(["A", "B"], 300), samples.mean(axis=1), samples[:, 0], samples,
    )  # fmt: skip
    statistics, found = replications.Statistics(table), {}
    replicated = statistics(replications.whole_documents(table, 300, np.random.default_rng(0)))
    for number in range(8):
        drawn = statistics(replications.whole_documents(table, 1, np.random.default_rng(number + 1)))
        for name, observed in drawn.items():
            p = replications.p_values(observed[:, 0], replicated[name], np.random.default_rng(number))
            found.setdefault(name, []).extend(p)
    assert all(stats.kstest(p, "uniform").pvalue > 0.002 for p in found.values())
    lost = statistics(replications.tenth_lost(table, 300, np.random.default_rng(99)))["events in a quarter"]
    observed = statistics(replications.whole_documents(table, 1, np.random.default_rng(5)))["events in a quarter"]
    assert replications.p_values(observed[:, 0], lost, np.random.default_rng(0)).mean() < 0.45


def test_the_longest_run_is_of_consecutive_periods():
    present = np.array([[1, 0], [1, 1], [0, 1], [1, 1], [1, 0], [1, 0]], dtype=bool)
    assert replications.longest_run(present).tolist() == [3, 3]


def test_an_entity_of_two_countries_is_a_conflict():
    mention, country = np.array([0, 1, 1, 3]), np.array(["USA", "USA", "USA", "RUS"])
    assert feedback.conflicts_of(np.array([0, 0, 2, 3]), mention, country) == 0
    assert feedback.conflicts_of(np.array([0, 0, 2, 0]), mention, country) == 1
    assert feedback.conflicts_of(np.arange(4), mention[:0], country[:0]) == 0


def test_runs_end_with_their_sentence_and_the_same_name_counts_once():
    words = np.array(["Ann", "Lee", "saw", "Bo", ".", "Bo", "left", "Ann", "Lee"], dtype=object)
    inside = np.array([1, 1, 0, 1, 0, 1, 0, 1, 1], dtype=bool)
    sentence = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1])
    assert tag_samples.runs(words, sentence, inside, different=False) == 4
    assert tag_samples.runs(words, sentence, inside, different=True) == 2
    assert tag_samples.runs(words[:2], np.array([0, 1]), inside[:2], different=False) == 2
