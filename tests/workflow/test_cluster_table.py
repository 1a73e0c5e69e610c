"""What each rule asks for by docs/how-to/cluster.md is what the rule files have."""

import re
from pathlib import Path

import yaml

from reproduction.workflow.rule_files import read_rules

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs/how-to/cluster.md").read_text(encoding="utf-8")
RULES = read_rules(ROOT)
SUBMITTED = {name: rule.text for name, rule in RULES.items() if not rule.local}


def asked(text, default_memory, default_minutes):
    """Return the group of a rule, the MB and the minutes of its first attempt, from the rule's text."""
    group = re.search(r'^    group:\s*"(\w+)"', text, re.MULTILINE)
    memory, minutes = (re.search(rf"\*\*growing\(.*{key}=(\d+)", text) for key in ("mem_mb", "runtime"))
    assert ("mem_mb" in text, "runtime" in text) == (memory is not None, minutes is not None), text
    return (
        group[1] if group else "",
        int(memory[1]) if memory else default_memory,
        int(minutes[1]) if minutes else default_minutes,
    )


def test_the_table_has_every_rule_that_asks_for_more_than_the_profile_and_no_other():
    lines = re.findall(r"^\| ([\d,]+) MB, (\d+) min \| (\w*) ?\| (.*) \|$", DOCS, re.MULTILINE)
    rows = [
        (name, (group, int(memory.replace(",", "")), int(minutes)))
        for memory, minutes, group, rules in lines
        for name in re.findall(r"`(\w+)`", rules)
    ]
    table = dict(rows)
    assert len(table) == len(rows), "a rule is there twice"
    profile = yaml.safe_load((ROOT / "profiles/slurm/profile.yaml").read_text(encoding="utf-8"))["default-resources"]
    memory, minutes = (int(re.fullmatch(r"(\d+) \* attempt", profile[key])[1]) for key in ("mem_mb", "runtime"))
    wanted = {name: asked(text, memory, minutes) for name, text in SUBMITTED.items()}
    assert table == {name: needs for name, needs in wanted.items() if needs[1:] != (memory, minutes)}
    assert f"All other jobs ask for {memory:,} MB and {minutes} minutes." in DOCS
