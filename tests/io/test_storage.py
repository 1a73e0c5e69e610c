import dataclasses

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.chains.forward_backward import forward_backward
from reproduction.tagging.storage import load_marginals, save_marginals


@pytest.fixture
def marginals():
    rng = np.random.default_rng(0)
    return forward_backward(rng.normal(size=(9, 3)), np.array([4, 0, 5]), rng.normal(size=(3, 3)), np.zeros(3))


def test_marginals_come_back_equal_and_as_the_same_bytes(tmp_path, marginals):
    save_marginals(tmp_path / "one.npz", marginals)
    save_marginals(tmp_path / "two.npz", load_marginals(tmp_path / "one.npz"))
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_damaged_marginals_are_refused(tmp_path, marginals):
    path = tmp_path / "marginals.npz"
    save_marginals(path, marginals)
    whole = path.read_bytes()
    for damaged in (b"", whole[:100], whole[:-40], b"no archive at all"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"marginals\.npz: .* expected marginals saved by save_marginals"):
            load_marginals(path)


@pytest.mark.parametrize(
    ("name", "array", "found"),
    [
        ("single", np.zeros((9, 2)), "left of float64 and shape"),
        ("lengths", np.array([4.0, 0, 5]), "lengths of float64"),
        ("lengths", np.array([4, 0, 6]), "lengths that do not add up to 9 tokens"),
        ("lengths", np.array([10, 0, -1]), "lengths that do not add up to 9 tokens"),
        ("weights", np.zeros(3), r"weights of float64 and shape \(3,\)"),
    ],
)
def test_marginals_that_do_not_agree_are_refused(tmp_path, marginals, name, array, found):
    save_marginals(tmp_path / "m.npz", dataclasses.replace(marginals, **{name: array}))
    with pytest.raises(InputError, match=rf"m\.npz: found {found}"):
        load_marginals(tmp_path / "m.npz")
