"""docs/reference/contract.md: what it names exists, and no published claim is missing from the pages of results."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.claims.verdicts import read_claims

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/contract.md").read_text(encoding="utf-8")
LINES = [line for line in PAGE.splitlines() if re.match(r"\| (?!place|---)", line)]
ROWS = [[cell.strip() for cell in re.split(r" \|(?= |$)", line[1:])[:-1]] for line in LINES]
PUBLISHED = [claim.claim.replace("|", "∣") for claim in read_claims() if claim.quote]
STATES = ("deviates", "in part", "not done")


def state(row):
    """Return the state that a row's last cell begins with; without one it is as described."""
    return next((name for name in STATES if row[3].startswith(name)), "as described")


def test_each_row_has_a_place_a_text_a_location_and_what_differs():
    assert len(ROWS) + len(PUBLISHED) >= 124
    for row in ROWS:
        assert len(row) == 4, row
        assert row[2] != "–" or state(row) in ("in part", "not done"), row


def test_what_is_not_as_described_has_a_reason():
    for row in ROWS:
        assert state(row) == "as described" or re.search(r": \w|at ties", row[3]), row


def test_most_of_the_texts_is_as_described_or_deviates_for_a_reason():
    assert sum(state(row) in ("as described", "deviates") for row in ROWS) >= 115 / 124 * len(ROWS)


def test_every_function_of_the_page_exists():
    named = re.findall(r"`((?:nlpcalib|reproduction)[\w.]*):([\w.]+)`", PAGE)
    assert len(named) > 120
    for module, name in named:
        source = (ROOT / "src" / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        for part in name.split("."):
            assert re.search(rf"^ *(?:def |class |(?=\w+ =|\w+: )){part}\b", source, re.MULTILINE), f"{module}:{name}"


OUTPUTS_AS_JSON = """
import json
from pathlib import Path
from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, OutputSettings, Quietness, ResourceSettings

with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
    settings = {"resource_settings": ResourceSettings(cores=1), "snakefile": Path("Snakefile")}
    flow = api.workflow(config_settings=ConfigSettings(configfiles=[Path("config.yaml")]), **settings)._workflow
    print(json.dumps([str(file) for rule in flow.rules for file in rule.output]))
"""


@pytest.mark.slow
def test_every_target_of_the_page_is_what_a_rule_makes():
    command = [sys.executable, "-c", OUTPUTS_AS_JSON]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    patterns = {re.sub(r"\\\{.*?\\\}", "[^/]*", re.escape(each)) for each in json.loads(listed)}
    for target in re.findall(r"`(results/[^` ]+)`", PAGE):
        assert any(re.fullmatch(each, target) for each in patterns), target


def test_every_published_claim_is_on_the_page_of_verdicts():
    page = (ROOT / "docs/results/verdicts.md").read_text(encoding="utf-8")
    assert [claim for claim in PUBLISHED if claim not in page] == []
