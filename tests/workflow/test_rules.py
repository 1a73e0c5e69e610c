"""What the rule files have before their first rule, which is Python: targets and the options of rules."""

from pathlib import Path
from types import SimpleNamespace

RULES = Path(__file__).parents[2] / "workflow/rules"
EVENTS = (RULES / "events.smk").read_text(encoding="utf-8")


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


def test_a_document_that_names_an_actor_alone_is_kept_for_queries_that_know_actors():
    """Putin, Hezbollah and Kabul stand for countries in the reading acts."""
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
    }
    exec(compile(EVENTS.partition("scattergather:")[0], "events.smk", "exec"), names)
    assert {name: names["named_only"](SimpleNamespace(dataset=name)) for name in datasets} == {
        "paper": ["packaged"],
        "acts": ["packaged", "cities", "actors"],
        "own": ["packaged", "mine.tsv"],
        "all": None,
    }


def test_counting_in_own_documents_alone_trains_nothing_for_the_study_of_parsers():
    """`events.parsers` of config.yaml stays where a configuration of the user's names other datasets."""
    datasets = {
        "mine": {"format": "dated", "events": {"queries": ["attack"]}},
        "newswire": {"format": "newswire", "events": {"queries": ["attack"]}},
        "bagged": {"format": "newswire", "events": {"queries": ["attack"]}},
    }

    def studies(*counted):
        names = {
            "Path": Path,
            "config": {
                "datasets": datasets,
                "events": {"datasets": counted, "parsers": ["bagged"], "queries": {"attack": {"verbs": ["attack"]}}},
            },
            "dataset_format": lambda name: SimpleNamespace(simulated=name != "mine"),
            "expand": lambda target, **_: [target],
        }
        exec(compile(EVENTS.partition("scattergather:")[0], "events.smk", "exec"), names)
        return [target for target in names["event_targets"]() if "event_parsers" in target]

    assert not studies("mine")
    assert len(studies("mine", "newswire")) == 1
