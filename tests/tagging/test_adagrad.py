"""AdaGrad minimises the objective that CRFsuite's L-BFGS does, with gradients that are those of the objective."""

from itertools import product

import numpy as np
import pytest

from nlpcalib.errors import InputError
from reproduction.tagging.adagrad import Objective, fit_crf_adagrad
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.crf import fit_crf
from reproduction.tagging.data import TaggedCorpus


def simulate(seed, sentences=60, tags=4, words=25, several=True):
    """Return a corpus in which attributes and the previous tag speak for a tag, one sentence of it empty."""
    rng = np.random.default_rng(seed)
    lengths = np.append(rng.integers(1, 9, sentences), 0)
    gold = np.concatenate([np.cumsum(rng.integers(1, 3, length)) % tags for length in lengths]).astype(np.int64)
    names = [f"w{(tag * 5 + rng.integers(words)) % words}" for tag in gold]
    lists = [[name, name[-1], "bias"] if several else [name] for name in names]
    return TaggedCorpus(
        tokens=Attributes.of_lists(lists) if several else Attributes.of_words(names),
        tags=tuple(f"T{tag}" for tag in range(tags)),
        gold=gold,
        lengths=lengths,
        units=tuple(map(str, range(len(lengths)))),
    )


def weights_of(chain, objective):
    """Return a model's weights in the objective's order; that the others are zero is part of the claim."""
    tags = len(chain.tags)
    weights = np.concatenate(
        [
            chain.state[
                np.repeat(np.arange(len(chain.attributes)), np.diff(objective.state_start)), objective.state_tag
            ],
            chain.transition.reshape(-1)[objective.transition],
        ]
    )
    assert np.count_nonzero(chain.state) + np.count_nonzero(chain.transition) <= len(weights)
    assert chain.transition.shape == (tags, tags)
    return weights


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("part", [None, np.array([3, 4, 9, 60])])
def test_the_gradient_is_that_of_the_value(several, part):
    corpus = simulate(0, several=several)
    objective = Objective.of(corpus, 0.3)
    rng = np.random.default_rng(1)
    weights = rng.normal(0, 0.5, objective.features)
    _, gradient = objective.evaluate(weights, part)
    for _ in range(5):
        direction = rng.normal(size=objective.features)
        ahead, behind = (objective.evaluate(weights + move * direction, part)[0] for move in (1e-5, -1e-5))
        assert gradient @ direction == pytest.approx((ahead - behind) / 2e-5, rel=1e-7)


def test_the_value_is_the_likelihood_of_all_tag_sequences_enumerated():
    corpus = simulate(2, sentences=6, tags=3)
    objective = Objective.of(corpus, 0.2)
    weights = np.random.default_rng(3).normal(size=objective.features)
    chain = objective.chain(weights, {})
    scores = chain.scores(corpus.tokens)
    expected, start = 0.2 * weights @ weights, 0
    for length in corpus.lengths[corpus.lengths > 0]:
        rows = scores[start : start + length]

        def score(path, rows=rows):
            return rows[np.arange(len(path)), path].sum() + chain.transition[path[:-1], path[1:]].sum()

        paths = [score(np.array(path)) for path in product(range(3), repeat=int(length))]
        expected += np.logaddexp.reduce(paths) - score(corpus.gold[start : start + length])
        start += length
    assert objective.evaluate(weights)[0] == pytest.approx(expected, rel=1e-12)


def test_batches_add_up_to_the_whole():
    corpus = simulate(4)
    objective = Objective.of(corpus, 0.5)
    weights = np.random.default_rng(5).normal(size=objective.features)
    parts = [objective.evaluate(weights, np.arange(61)[start::3]) for start in range(3)]
    value, gradient = objective.evaluate(weights)
    assert sum(part for part, _ in parts) == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(sum(part for _, part in parts), gradient, atol=1e-9)


@pytest.mark.parametrize("several", [True, False])
def test_it_comes_to_the_optimum_of_l_bfgs(several):
    corpus = simulate(6, several=several)
    objective = Objective.of(corpus, 0.5)
    best = fit_crf(corpus, c2=0.5)
    optimum, _ = objective.evaluate(weights_of(best, objective))
    found = fit_crf_adagrad(corpus, c2=0.5, epochs=400, step=0.5, seed=0, batch_size=20)
    assert optimum <= found.metadata["objective"] * (1 + 1e-5) < optimum * 1.002
    marginals = [chain.marginals(corpus.tokens, corpus.lengths).single for chain in (best, found)]
    assert np.abs(marginals[0] - marginals[1]).max() < 0.05


def test_no_feature_that_does_not_occur_gets_a_weight():
    corpus = simulate(7)
    chain = fit_crf_adagrad(corpus, c2=0.1, epochs=2, step=1.0, seed=0)
    seen = np.zeros_like(chain.state, dtype=bool)
    seen[corpus.tokens.indices, np.repeat(corpus.gold, np.diff(corpus.tokens.indptr))] = True
    np.testing.assert_array_equal(chain.state != 0, seen)
    assert not chain.initial.any()


def test_equal_seeds_give_equal_models_and_others_do_not():
    corpus = simulate(8, sentences=250)
    arguments = {"c2": 0.1, "epochs": 2, "step": 1.0}
    one, same, other = (fit_crf_adagrad(corpus, **arguments, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.state, same.state)
    assert (one.state != other.state).any()
    assert one.metadata["sentences"] == 250


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"c2": -1.0}, "c2 is -1.0; expected a number that is not negative"),
        ({"step": 0.0}, "step is 0.0; expected a positive number"),
        ({"step": float("inf")}, "step is inf"),
        ({"epochs": 0}, "epochs is 0; expected at least 1"),
        ({"batch_size": 0}, "batch_size is 0"),
    ],
)
def test_unusable_settings_are_refused(changed, message):
    arguments = {"c2": 1.0, "epochs": 1, "step": 1.0, "seed": 0} | changed
    with pytest.raises(InputError, match=message):
        fit_crf_adagrad(simulate(9), **arguments)


def test_no_tokens_are_refused():
    with pytest.raises(InputError, match="no tokens"):
        fit_crf_adagrad(simulate(10).subset([60]), c2=1.0, epochs=1, step=1.0, seed=0)


def test_every_epoch_draws_its_batches_anew(monkeypatch):
    """Batches are of other sentences in each epoch, all epochs go through every sentence, and the seed decides."""
    corpus = simulate(3)
    batches = []
    evaluate = Objective.evaluate

    def observed(self, weights, sentences=None):
        if sentences is not None:
            batches.append(tuple(sentences.tolist()))
        return evaluate(self, weights, sentences)

    monkeypatch.setattr(Objective, "evaluate", observed)
    settings = {"c2": 0.1, "epochs": 3, "step": 0.1, "batch_size": 25}
    fit_crf_adagrad(corpus, seed=4, **settings)
    epochs = [batches[start : start + 3] for start in range(0, 9, 3)]
    assert len(batches) == 9
    assert all(sorted(sum(epoch, ())) == list(range(60)) for epoch in epochs)
    assert len({frozenset(epoch) for epoch in epochs}) == 3
    drawn, batches = list(batches), []
    fit_crf_adagrad(corpus, seed=4, **settings)
    assert batches == drawn
    fit_crf_adagrad(corpus, seed=5, **settings)
    assert batches[9:] != drawn
