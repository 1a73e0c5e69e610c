"""What the rule files have before their first rule, which is Python: targets and the options of rules."""

import re
from functools import partial
from pathlib import Path

from snakemake.io import expand

ROOT = Path(__file__).parents[2]


def head_of(rules, **names):
    """Return the names that a rule file defines before its first rule."""
    head = (ROOT / rules).read_text(encoding="utf-8").partition("\nrule ")[0].partition("\nwildcard_constraints:")[0]
    exec(compile(head, rules, "exec"), names)
    return names


def events_of(datasets, queries):
    """Return the names of events.smk, where all datasets are counted in."""
    named = {name: {"simulated": False, **dataset} for name, dataset in datasets.items()}
    return head_of(
        "workflow/rules/events.smk",
        Path=Path,
        config={
            "datasets": named,
            "events": {"datasets": list(datasets), "queries": queries, "samples": 100},
            "extraction_eval": {"datasets": []},
            "parsing": {"model": None},
            "recalibrated": False,
        },
        PARSER_FILES={},
        PARSER_CARDS={},
        partial=partial,
        of_dataset=print,
        branch=lambda *_, **__: None,
        user_file=str,
    )


def test_only_our_own_events_have_pages_to_explore():
    """Those of a model or another system lack the audit of the pages: one such page would stop the whole run."""
    datasets = {"mine": {"events": {}}, "theirs": {"events": {"queries": ["attack"], "system_events": "found.csv"}}}
    audited = events_of(datasets, {"attack": {"verbs": ["attack"]}, "protest": {"category": ["protest"]}})["AUDITED"]
    assert audited == ["mine/attack"]
    chapters = {chapter: {"datasets": []} for chapter in ("sentiment", "tagging", "coref")}
    config = {"predictions": {}, **chapters}
    given = {"CLASSIFIERS": (), "TAGGERS": (), "AUDITED": audited, "expand": expand}
    names = head_of("studies/rules/explorer.smk", config=config, **given)
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
    names = events_of(datasets, {"attack": {"verbs": ["attack"]}, "protest": {"category": ["protest"]}})
    given = {"DATED": "", "datasets_with": lambda **_: [], "FILES_OF_YEARS": {}, "parts_of": lambda _: None}
    names = head_of("workflow/rules/news.smk", **{**names, "of_dataset": print}, **given)
    assert names["NAMED_ONLY"] == {
        "paper": ["packaged"],
        "acts": ["packaged", "cities", "actors"],
        "own": ["packaged", "mine.tsv"],
        "all": None,
    }


RULES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "workflow").rglob("*.smk")))
MAX_FUNCTIONS = 30
"""Functions and lambdas in all rule files: what depends on a dataset stands in tables and in `lookup`."""


def test_each_figure_of_the_texts_is_a_rule_that_a_search_for_its_name_finds():
    for name in ("1", "2", "3", "4", "5", "6", "thesis", "levels", "synthetic"):
        assert len(re.findall(rf"^rule figure_{name}:$", RULES, re.MULTILINE)) == 1, name
    assert not re.search(r"^\s*rule\s*:", RULES, re.MULTILINE)  # made in a loop


def test_rule_files_have_few_functions():
    assert len(re.findall(r"^ *def |\blambda\b", RULES, re.MULTILINE)) <= MAX_FUNCTIONS
