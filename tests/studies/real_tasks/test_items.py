"""The items of real tasks: the models are worth something, and err."""

import numpy as np
import pytest

from studies.real_tasks.items import MAKERS, task_pairs
from studies.real_tasks.tasks import TASKS


def test_every_task_has_items():
    assert MAKERS.keys() == TASKS.keys()


@pytest.mark.parametrize(
    "name", [name for name, task in TASKS.items() if "wikipedia_current_events" not in task.corpora]
)
def test_a_model_that_was_trained_elsewhere_is_better_than_a_constant_one_and_errs(name, retrieved):
    pairs = task_pairs(name, {corpus: str(retrieved(corpus)) for corpus in TASKS[name].corpora}, 1)
    assert np.square(pairs.q - pairs.y).mean() < pairs.y.mean() * (1 - pairs.y.mean())
    assert ((pairs.q >= 0.5) != pairs.y).any()
    number = len(pairs.q) if pairs.unit is None else len(pairs.unit.names)
    assert TASKS[name].labels < number / 2
