"""Maps of single tags give distributions, and rare tags keep their probabilities."""

import numpy as np
import pytest

from reproduction.tagging.flat_maps import fit_by_class


@pytest.mark.parametrize("method", ["temperature", "beta"])
def test_maps_by_class_give_distributions_and_rare_classes_keep_theirs(method):
    rng = np.random.default_rng(0)
    truth = rng.dirichlet([2, 1, 0.5], 4000)
    gold = (truth.cumsum(axis=1) < rng.random((4000, 1))).sum(axis=1)
    q = np.column_stack([truth**2, np.full(4000, 1e-4)])
    q /= q.sum(axis=1, keepdims=True)
    found = fit_by_class(q[:2000], gold[:2000], method=method)(q[2000:])
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    assert (found >= 0).all()
    assert np.mean((found[:, :3] - truth[2000:]) ** 2) < 0.2 * np.mean((q[2000:, :3] - truth[2000:]) ** 2)
    assert 1e-5 < found[:, 3].max() < 1e-3
