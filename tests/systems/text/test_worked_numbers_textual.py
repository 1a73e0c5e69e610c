"""The number that each model's module works out is what its functions compute."""

import doctest
from importlib import import_module

import pytest

MODULES = (
    "coref.model.decoding",
    "coref.model.model",
    "coref.model.quotations",
    "coref.model.posterior",
    "coref.model.recalibration",
    "events.count.comparison",
    "events.count.counts",
    "events.count.mixture",
    "events.count.series",
    "events.learn.candidates",
    "events.learn.logistic",
    "events.learn.model",
    "events.read.probability",
    "text.parsing.parser",
    "text.parsing.sampling",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_worked_number_of_a_model_is_what_it_computes(name: str) -> None:
    found = doctest.testmod(import_module(f"nlpcalib.systems.{name}"))
    assert found.attempted
    assert not found.failed
