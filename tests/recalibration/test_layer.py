"""What labels teach predictions by the words of texts, and that no interval rests on it."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.recalibration.fitting import fold_of_rows, logistic_weights
from nlpcalib.recalibration.layer import layered
from nlpcalib.sampling.samples import simple_random_sample
from nlpcalib.estimation.words import word_features

N, READ = 1000, 250
SCENARIOS = [(3, 0.0, None), (0, 1.0, None), (1, 2.0, 30), (2, 6.0, None), (1, 6.0, 30), (0, 12.0, 6)]
"""In which each of the prior variances is the best."""


def corpus(seed, informative=True):
    """Return texts, predictions and labels: of 60 words, ten are likelier in positive texts, which q does not show."""
    random = np.random.default_rng(seed)
    y = random.random(N) < 0.15
    rate = np.full((N, 60), 0.08)
    rate[:, :10] += 0.25 * (y if informative else random.permutation(y))[:, None]
    has = random.random((N, 60)) < rate
    texts = [" ".join(f"w{chr(97 + w // 26)}{chr(97 + w % 26)}" for w in np.flatnonzero(row)) for row in has]
    return texts, np.full(N, 0.15), y.astype(float), np.sort(random.choice(N, READ, replace=False))


def test_a_penalty_moves_weights_to_where_its_gradient_and_the_likelihoods_cancel():
    random = np.random.default_rng(1)
    design, y = random.normal(size=(80, 4)), (random.random(80) < 0.3).astype(float)
    precision, centre = np.array([0.0, 1.0, 10.0, 1e9]), np.array([0.0, 1.0, -1.0, 2.0])
    weights = logistic_weights(design, y, precision, centre)
    slack = design.T @ (y - 1 / (1 + np.exp(-design @ weights)))
    assert slack == pytest.approx(precision * (weights - centre), abs=1e-5)
    assert weights[3] == pytest.approx(2)


def test_words_that_go_with_labels_improve_predictions_where_no_label_is():
    texts, q, y, rows = corpus(2)
    better, gain, _ = layered(q, word_features(texts), rows, y[rows], seed=0)
    rest = np.setdiff1d(np.arange(N), rows)
    assert np.mean((better[rest] - y[rest]) ** 2) < 0.8 * np.mean((q[rest] - y[rest]) ** 2)
    assert 0.1 < gain < 1


def test_words_that_go_with_nothing_hardly_move_predictions():
    for seed in range(5):
        texts, q, y, rows = corpus(seed, informative=False)
        moved, gain, _ = layered(q, word_features(texts), rows, y[rows], seed=0)
        assert np.mean((moved - y) ** 2) < 1.05 * np.mean((q - y) ** 2)
        assert gain or moved is q


def test_no_label_moves_the_prediction_of_its_own_item_or_unit():
    """With one variance nothing is chosen, and an item's fold is not fitted to its label."""
    texts, q, y, rows = corpus(3)
    unit, features = np.arange(N) // 2, word_features(texts)
    before, *_ = layered(q, features, rows, y[rows], unit=unit, seed=0)
    for place in (0, 100):
        turned = y.copy()
        turned[rows[place]] = 1 - turned[rows[place]]
        after, *_ = layered(q, features, rows, turned[rows], unit=unit, seed=0)
        same = unit == unit[rows[place]]
        assert np.all(before[same] == after[same]), place
        assert np.any(before != after)


@pytest.mark.parametrize(("seed", "strength", "units"), SCENARIOS)
def test_the_layer_is_the_mode_of_its_prior_with_the_variance_that_predicts_held_out_labels_best(seed, strength, units):
    """a has the variance 4 about 0, b that of 1/4 about 1, and w one of six; by another optimiser, fold by fold."""
    random = np.random.default_rng(seed)
    q = np.concatenate([[0, 1], random.random(118)])
    features = random.normal(0, 0.5, (120, 2))
    z = logit(q.clip(1e-4, 1 - 1e-4))
    y = (random.random(120) < expit(0.5 + 0.7 * z + strength * features[:, 0])).astype(float)
    rows = np.arange(90)
    y[3] = np.nan
    unit = None if units is None else np.arange(120) % units
    fold = fold_of_rows(np.arange(120) if unit is None else unit, min(10, units or 10), 7)
    design = np.column_stack([np.ones(120), z, features])
    losses, scores = [], []
    for variance in (1e-9, 1, 3, 10, 30, 100):
        centre, deviation = np.array([0, 1, 0, 0]), np.array([2, 1 / 2, variance**0.5, variance**0.5])
        scores.append(np.empty(120))
        for number in range(fold.max() + 1):
            others = (fold != number) & (np.arange(120) < 90) & ~np.isnan(y)

            def negative(u, others=others, centre=centre, deviation=deviation):
                score = design[others] @ (centre + deviation * u)
                return np.sum(np.logaddexp(0, score) - y[others] * score) + u @ u / 2

            u = minimize(negative, np.zeros(4), method="BFGS").x
            scores[-1][fold == number] = design[fold == number] @ (centre + deviation * u)
        held_out = np.flatnonzero(~np.isnan(y[:90]))
        losses.append(np.sum(np.logaddexp(0, scores[-1][held_out]) - y[held_out] * scores[-1][held_out]))
    better, gain, _ = layered(q, features, rows, y[rows], unit=unit, seed=7)
    assert gain == pytest.approx(1 - min(losses) / losses[0], abs=1e-5)
    assert np.argmin(losses) == SCENARIOS.index((seed, strength, units))
    assert better == pytest.approx(expit(scores[np.argmin(losses)]) if gain else q, abs=1e-4)
    assert (gain > 0) == (strength > 0)


@pytest.mark.slow
def test_intervals_are_narrower_and_hold_as_often():
    """60 corpora: a coverage of .95 is .85 or less with a probability of 1e-3."""
    held, widths = [], []
    for seed in range(60):
        texts, q, y, rows = corpus(seed)
        sample = simple_random_sample(N, rows, y[rows])
        better, *_ = layered(q, word_features(texts), rows, y[rows], seed=0)
        own, shared = (estimate_totals(each, sample)[0] for each in (q, better))
        held.append(shared.low <= y.sum() <= shared.high)
        widths.append((shared.high - shared.low) / (own.high - own.low))
    assert np.mean(held) > 0.85
    assert np.mean(widths) < 0.85


def test_texts_without_words_in_common_have_no_features():
    none = word_features(["one", "two", "", "three"])
    assert none.shape == (4, 0)
    q = np.array([0.2, 0.4, 0.6, 0.8])
    same, gain, _ = layered(q, none, np.arange(4), np.array([0, 1, 0, 1]), seed=0)
    assert same is q
    assert gain == 0
    features = word_features(["a flood", "the flood", "the fire", "a fire", "", "the flood fire"] * 3)
    assert np.linalg.norm(features, axis=1).round(9).tolist() == [1, 1, 1, 1, 0, 1] * 3
    assert features[0] == pytest.approx(features[6])


def test_a_gain_is_shown_where_words_go_with_labels_and_hardly_ever_where_they_do_not():
    """Of samples whose words go with nothing, a quarter have a smaller loss with words."""
    found = {
        informative: [
            layered(q, word_features(texts), rows, y[rows], seed=0)[1:]
            for texts, q, y, rows in (corpus(seed, informative=informative) for seed in range(12))
        ]
        for informative in (False, True)
    }
    assert sum(shown for _, shown in found[False]) <= 1
    assert all(shown for _, shown in found[True])
    assert all(gain > 0 for gain, shown in found[True] + found[False] if shown)
