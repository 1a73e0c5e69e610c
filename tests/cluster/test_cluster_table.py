"""What docs/how-to/cluster.md says that each rule asks for is what the rule files say."""

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


def test_the_table_has_the_group_memory_and_minutes_of_every_rule_that_is_submitted():
    rows = re.findall(r"^\| `(\w+)` \| (\w*) ?\| ([\d,]+) MB \| (\d+) \|", DOCS, re.MULTILINE)
    table = {name: (group, int(memory.replace(",", "")), int(minutes)) for name, group, memory, minutes in rows}
    assert len(table) == len(rows), "a rule has two rows"
    profile = yaml.safe_load((ROOT / "profiles/slurm/profile.yaml").read_text(encoding="utf-8"))["default-resources"]
    memory, minutes = (int(re.fullmatch(r"(\d+) \* attempt", profile[key])[1]) for key in ("mem_mb", "runtime"))
    assert table == {name: asked(text, memory, minutes) for name, text in SUBMITTED.items()}


def test_every_rule_on_the_login_node_is_named_or_a_figure_or_a_table():
    paragraph = re.search(r"^These rules run on the login node.*?:\n\n(.*?)\n\n", DOCS, re.MULTILINE | re.DOTALL)[1]
    named = set(re.findall(r"`(\w+)`", paragraph))
    drawn = {name for name in RULES if re.match(r"figure_|.*_tables?$", name)}
    assert named <= RULES.keys() - SUBMITTED.keys()
    assert RULES.keys() - SUBMITTED.keys() - drawn <= named
