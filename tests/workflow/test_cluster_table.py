"""What rules ask for by docs/how-to/cluster.md is what the rule files have."""

import re
from pathlib import Path

import yaml

from reproduction.workflow.rules import read_rules

ROOT = Path(__file__).parents[2]
DOCS = " ".join((ROOT / "docs/how-to/cluster.md").read_text(encoding="utf-8").split())


def test_the_page_names_the_rules_that_ask_for_the_most_memory_and_time():
    profile = yaml.safe_load((ROOT / "profiles/slurm/profile.yaml").read_text(encoding="utf-8"))["default-resources"]
    usual = {key: int(re.fullmatch(r"(\d+) \* attempt", profile[key])[1]) for key in ("mem_mb", "runtime")}
    rules = read_rules(ROOT, "studies/Snakefile")
    asked = {name: {**usual, **rule.resources} for name, rule in rules.items() if not rule.local}
    assert f"The first attempt of a job asks for {usual['mem_mb']:,} MB and {usual['runtime']} minutes." in DOCS
    more = [name for name, needs in asked.items() if {key: needs[key] for key in usual} != usual]
    assert f"{len(more)} rules ask for more" in DOCS
    for key, unit in (("mem_mb", "MB"), ("runtime", "minutes")):
        most = max(needs[key] for needs in asked.values())
        names = re.search(rf"{most:,} {unit} \(([^)]*)\)", DOCS)[1]
        assert re.findall(r"`(\w+)`", names) == sorted(name for name, needs in asked.items() if needs[key] == most)
