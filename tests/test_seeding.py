"""Random streams are functions of a seed and a name, and of nothing else."""

import inspect

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator, permanent_numbers


def draws(seed, *unit):
    return generator(seed, *unit).integers(0, 2**63, 4).tolist()


def test_a_stream_does_not_depend_on_what_was_drawn_before():
    alone = draws(1, "b")
    np.random.default_rng(0).random(100)
    draws(1, "a")
    assert draws(1, "b") == alone


def test_a_stream_stays_what_it_is():
    """Stored results depend on it: a change here is a change of every number that is drawn."""
    assert draws(2015, "algorithm2", "NN")[0] == 2483421517955963772


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1, "a"), (2, "a")),
        ((1, "a"), (1, "b")),
        ((1, "1"), (1, 1)),
        ((1, "a", "b"), (1, "ab")),
        ((1, "a", "b"), (1, "a, b")),
        ((1, "a'", "b"), (1, "a", "'b")),
        ((1,), (1, "")),
        ((11,), (1, 1)),
    ],
)
def test_different_units_have_different_streams(one, other):
    assert draws(*one) != draws(*other)


def test_numpy_integers_are_seeds_too():
    assert draws(np.int64(5), "a") == draws(5, "a")


def test_neighbouring_streams_are_uncorrelated():
    streams = np.array([generator(0, "unit", number).standard_normal(2000) for number in range(40)])
    correlation = np.corrcoef(streams)[np.triu_indices(40, 1)]
    assert np.abs(correlation).max() < 5 / np.sqrt(2000)


def test_permanent_numbers_depend_on_seed_and_id_alone_and_are_uniform():
    names = [f"d{number}" for number in range(4000)]
    numbers = permanent_numbers(1, "plan", ids=names)
    assert (numbers[::-1] == permanent_numbers(1, "plan", ids=names[::-1])).all()
    assert (numbers != permanent_numbers(2, "plan", ids=names)).all()
    assert len(np.unique(numbers)) == 4000
    assert np.histogram(numbers / 2.0**64, 10, (0, 1))[0].min() > 330


REFUSED = {-1: "found -1", 1.5: "found 1.5", "x": "found 'x'", None: "found None"}


@pytest.mark.parametrize("seed", REFUSED)
def test_a_seed_that_is_no_whole_number_from_0_on_is_refused_and_not_rounded(seed):
    for draw in (generator, lambda seed: permanent_numbers(seed, ids=["a"])):
        with pytest.raises(InputError, match=rf"seed: {REFUSED[seed]}, expected a whole number of at least 0"):
            draw(seed)


CALLS = {
    "calibrate": lambda seed: nc.calibrate([0.5], [1], seed=seed),
    "estimate": lambda seed: nc.estimate(nc.read([0.5] * 9, {0: 1}), seed=seed),
    "find_events": lambda seed: nc.find_events([], "attack", seed=seed),
    "plan_items": lambda seed: nc.plan_items([0.5] * 9, budget=3, seed=seed),
    "recalibrate": lambda seed: nc.recalibrate([0.5], [1], seed=seed),
    "resolve_files": lambda seed: nc.resolve_files([], seed=seed),
}


def test_every_public_function_with_a_seed_refuses_a_bad_one_in_the_same_words():
    public = [name for name in nc.__all__ if inspect.isfunction(getattr(nc, name))]
    assert CALLS.keys() == {name for name in public if "seed" in inspect.signature(getattr(nc, name)).parameters}
    for call in CALLS.values():
        for seed in (-1, 1.5):
            with pytest.raises(InputError, match=rf"^seed: found {seed}, expected a whole number of at least 0$"):
                call(seed)
