"""What the rule files have before their first rule, which is Python: targets and the options of rules."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace

RULES = Path(__file__).parents[2] / "workflow/rules"
EVENTS = (RULES / "events.smk").read_text(encoding="utf-8")


def test_only_our_own_events_have_pages_to_explore():
    """Those of a model or another system lack the audit of the pages: one such page would stop the whole run."""
    head = (RULES / "calibration.smk").read_text(encoding="utf-8").partition("\nrule ")[0]
    names = {
        "Path": Path,
        "config": {"explorer": True, **{chapter: {"datasets": []} for chapter in ("sentiment", "tagging", "coref")}},
        "CLASSIFIERS": (),
        "TAGGERS": (),
        "EVENTS": ["mine/attack", "mine/protest", "theirs/attack"],
        "SYSTEM_EVENTS": ["theirs"],
        "CATEGORY_QUERIES": ["protest"],
    }
    exec(compile(head, "calibration.smk", "exec"), names)
    assert names["explorer_targets"]() == ["results/events/mine/attack/explorer.html"]


def test_a_document_that_names_an_actor_alone_is_kept_for_queries_that_know_actors():
    """Putin, Hezbollah and Kabul stand for countries in categories."""
    options = {"lexicon": ["packaged"], "countries_only": True}
    datasets = {
        "paper": {"format": "dated", "events": options | {"queries": ["attack"]}},
        "acts": {"format": "dated", "events": options},
        "own": {"format": "dated", "events": options | {"actors": ["mine.tsv"]}},
        "all": {"format": "dated", "events": {"lexicon": ["packaged"]}},
    }
    queries = {"attack": {"verbs": ["attack"]}, "protest": {"category": ["protest"]}}
    names = {
        "Path": Path,
        "config": {"datasets": datasets, "events": {"datasets": [], "queries": queries}},
        "dataset_format": lambda _: SimpleNamespace(simulated=False),
        "partial": partial,
        "of_each": list,
    }
    exec(compile(EVENTS.partition("scattergather:")[0], "events.smk", "exec"), names)
    assert {name: names["named_only"](SimpleNamespace(dataset=name)) for name in datasets} == {
        "paper": ["packaged"],
        "acts": ["packaged", "cities", "actors"],
        "own": ["packaged", "mine.tsv"],
        "all": None,
    }
