"""Random streams are functions of a seed and a name, and of nothing else."""

import numpy as np
import pytest

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


def test_a_seed_that_is_no_whole_number_is_refused_and_not_rounded():
    for draw in (generator, lambda seed: permanent_numbers(seed, ids=["a"])):
        with pytest.raises(InputError, match=r"found seed=1\.5, expected a whole number"):
            draw(1.5)
