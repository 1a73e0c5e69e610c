"""The number that each model's module works out is what its functions compute."""

import doctest
from importlib import import_module

import pytest

MODULES = (
    "nlpcalib.systems.coref.model.decoding",
    "nlpcalib.systems.coref.model.model",
    "nlpcalib.systems.coref.model.quotations",
    "nlpcalib.systems.coref.model.posterior",
    "nlpcalib.systems.events.count.mixture",
    "nlpcalib.systems.events.count.series",
    "nlpcalib.systems.events.learn.candidates",
    "nlpcalib.systems.events.learn.logistic",
    "nlpcalib.systems.events.learn.model",
    "nlpcalib.systems.events.read.probability",
    "nlpcalib.systems.text.parsing.sampling",
    "reproduction.events.comparison",
    "reproduction.events.series",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_worked_number_of_a_model_is_what_it_computes(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted
    assert not found.failed
