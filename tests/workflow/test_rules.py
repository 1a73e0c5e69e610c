"""What the rule files have before their first rule, which is Python: targets, and names that the library has too."""

import ast
from pathlib import Path

from nlpcalib.events.lexicon import SOURCES

RULES = Path(__file__).parents[2] / "workflow/rules"
EVENTS = (RULES / "events.smk").read_text(encoding="utf-8")


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


def test_only_our_own_events_have_pages_to_explore():
    """Those of another system lack the audit that the pages are made of: one such page would stop the whole run."""
    head = (RULES / "calibration.smk").read_text(encoding="utf-8").partition("\nrule ")[0]
    names = {
        "Path": Path,
        "config": {"explorer": True, **{chapter: {"datasets": []} for chapter in ("sentiment", "tagging", "coref")}},
        "CLASSIFIERS": (),
        "TAGGERS": (),
        "EVENTS": ["mine/attack", "theirs/attack"],
        "SYSTEM_EVENTS": ["theirs"],
    }
    exec(compile(head, "calibration.smk", "exec"), names)
    assert names["explorer_targets"]() == ["results/events/mine/attack/explorer.html"]
