"""What each rule asks for by docs/how-to/cluster.md is what the rule files have."""

import re
from pathlib import Path

import yaml

from reproduction.workflow.rules import read_rules

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs/how-to/cluster.md").read_text(encoding="utf-8")
SUBMITTED = {name: rule for name, rule in read_rules(ROOT, "studies/Snakefile").items() if not rule.local}


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
    wanted = {
        name: (rule.group, rule.resources.get("mem_mb", memory), rule.resources.get("runtime", minutes))
        for name, rule in SUBMITTED.items()
    }
    assert table == {name: needs for name, needs in wanted.items() if needs[1:] != (memory, minutes)}
    assert f"All other jobs ask for {memory:,} MB and {minutes} minutes." in DOCS
