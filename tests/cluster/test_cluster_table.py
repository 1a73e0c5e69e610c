"""What docs/how-to/cluster.md says that each rule asks for is what the rule files say."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs/how-to/cluster.md").read_text(encoding="utf-8")
RULES = {
    re.match(r"rule (\w+)", text)[1]: text
    for path in (ROOT / "workflow/rules").glob("*.smk")
    for text in re.split(r"^(?=rule )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
}
# A rule that is another one with other files asks for what that one asks.
RULES |= {
    name: RULES[base]
    for path in (ROOT / "workflow/rules").glob("*.smk")
    for base, name in re.findall(r"^use rule (\w+) as (\w+) with:", path.read_text(encoding="utf-8"), re.MULTILINE)
}
SUBMITTED = {name: text for name, text in RULES.items() if not re.search(r"^    localrule: True$", text, re.MULTILINE)}


def asked(text, default_memory, default_minutes):
    """Return the group of a rule, the MB and the minutes of its first attempt, from the rule's text."""
    group = re.search(r'^    group:\s*"(\w+)"', text, re.MULTILINE)
    memory = re.search(r"mem_mb=lambda wildcards, attempt: (\d+) \* attempt,", text)
    minutes = re.search(r"runtime=lambda wildcards, attempt: (\d+) \* attempt,", text)
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
