"""Names that the rule files repeat, so that a start of Snakemake need not import what they are of."""

import ast
from pathlib import Path

from nlpcalib.corpora.dated_formats import READERS
from nlpcalib.events.lexicon import SOURCES
from nlpcalib.workflow import configuration

EVENTS = (Path(__file__).parents[2] / "workflow/rules/events.smk").read_text(encoding="utf-8")


def constant(name):
    """Return a constant at the head of events.smk, which is Python as far as its first rule."""
    (value,) = [
        node.value
        for node in ast.parse(EVENTS.partition("scattergather:")[0]).body
        if isinstance(node, ast.Assign) and [target.id for target in node.targets] == [name]
    ]
    return ast.literal_eval(value)


def test_formats_of_dated_documents_are_those_that_can_be_read():
    assert set(constant("NEWS")) == READERS.keys()
    assert set(configuration._DATED) == {*READERS, "newswire"}


def test_a_lexicon_that_is_no_path_is_one_that_the_library_knows():
    assert set(constant("LEXICONS")) == SOURCES.keys()
