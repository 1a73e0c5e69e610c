"""Agreement is that of the corpus: known values, and what scikit-learn finds where every item was read."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from nlpcalib.sampling.agreement import Agreement, annotator_agreement, cohen_kappa


def test_kappa_is_that_of_scikit_learn_where_all_items_are_read():
    random = np.random.default_rng(2)
    first = random.integers(0, 3, 400)
    second = np.where(random.random(400) < 0.7, first, random.integers(0, 3, 400))
    labels = [{str(item): int(label) for item, label in enumerate(each)} for each in (first, second)]
    [found] = annotator_agreement({"a": labels[0], "b": labels[1]}, dict.fromkeys(labels[0], 1.0))
    assert found.kappa == pytest.approx(cohen_kappa_score(first, second))
    assert found.agreed == pytest.approx((first == second).mean())
    assert (found.items, found.differ) == (400, (first != second).sum())


def test_items_count_as_many_as_they_stand_for():
    """Cohen (1960): 10 items of which each stands for 8, and one dispute that stands for 20."""
    one = {str(number): number % 2 for number in range(10)} | {"x": 1}
    two = one | {"x": 0}
    [found] = annotator_agreement({"a": one, "b": two}, dict.fromkeys(map(str, range(10)), 8.0) | {"x": 20.0})
    assert found.agreed == pytest.approx(0.8)
    assert found.kappa == pytest.approx((0.8 - (0.6 * 0.4 * 2)) / (1 - 0.6 * 0.4 * 2))


def test_two_who_err_alike_and_independently_differ_on_what_one_of_them_has_wrong():
    """They differ on 2e (1 − e): .095 for e = .05. Coins differ on half, and nobody errs more often than a coin."""
    for agreed, error in ((0.905, 0.05), (0.5, 0.5), (0.2, 0.5), (1, 0)):
        assert Agreement("a", "b", 9, 0, agreed, 0).error == pytest.approx(error)


def test_cannot_tell_is_a_category_and_strangers_are_no_pair():
    found = annotator_agreement(
        {"a": {"x": None, "y": 1}, "b": {"x": None, "y": 0}, "c": {"z": 1}}, {"x": 1.0, "y": 1.0, "z": 1.0}
    )
    assert [(each.first, each.second, each.agreed) for each in found] == [("a", "b", 0.5)]


def test_kappa_of_a_stack_of_tables_and_where_nothing_varies():
    tables = np.array([[[20, 5], [10, 15]], [[50, 0], [0, 0]]])
    values = cohen_kappa(tables)
    assert values[0] == pytest.approx(0.4)
    assert np.isnan(values[1])
