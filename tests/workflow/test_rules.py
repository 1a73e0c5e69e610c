"""Names that the rule files repeat, so that a start of Snakemake need not import what they are of."""

import ast
from pathlib import Path

from nlpcalib.events.lexicon import SOURCES

EVENTS = (Path(__file__).parents[2] / "workflow/rules/events.smk").read_text(encoding="utf-8")


def constant(name):
    """Return a constant at the head of events.smk, which is Python as far as its first rule."""
    (value,) = [
        node.value
        for node in ast.parse(EVENTS.partition("scattergather:")[0]).body
        if isinstance(node, ast.Assign) and [target.id for target in node.targets] == [name]
    ]
    return ast.literal_eval(value)


def test_a_lexicon_that_is_no_path_is_one_that_the_library_knows():
    assert set(constant("LEXICONS")) == SOURCES.keys()
