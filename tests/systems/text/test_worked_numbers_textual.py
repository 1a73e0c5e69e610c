"""The number that each model's module works out is what its functions compute."""

import doctest
from importlib import import_module

import pytest

MODULES = (
    "systems.coref.model.decoding",
    "systems.coref.model.model",
    "systems.coref.model.quotations",
    "systems.coref.model.posterior",
    "systems.events.count.comparison",
    "systems.events.count.counts",
    "systems.events.count.mixture",
    "systems.events.count.series",
    "systems.events.learn.candidates",
    "systems.events.learn.logistic",
    "systems.events.learn.model",
    "systems.events.read.probability",
    "systems.text.parsing.sampling",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_worked_number_of_a_model_is_what_it_computes(name: str) -> None:
    found = doctest.testmod(import_module(f"nlpcalib.{name}"))
    assert found.attempted
    assert not found.failed
