"""What the documentation shows works as it is shown."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from nlpcalib.cli import main
from nlpcalib.configuration import check_config

ROOT = Path(__file__).parents[2]


def blocks(page, language):
    return re.findall(
        rf"^ *```{language}\n(.*?)^ *```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


@pytest.mark.parametrize(("produces", "bin_size"), [("digits.csv", 300), ("pipeline.tsv", 2)])
def test_examples_make_tables_that_the_command_takes(produces, bin_size, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = next(block for block in blocks("docs/predictions.md", "python") if produces in block)
    exec(compile(example, produces, "exec"), {})
    assert main(["calibrate", produces, "--out", "out", "--bin-size", str(bin_size)]) == 0
    assert (tmp_path / "out/reliability.png").stat().st_size > 10_000


def test_the_scikit_learn_command_is_the_one_shown(tmp_path):
    [command] = [
        line for block in blocks("docs/predictions.md", "sh") for line in block.splitlines() if "digits" in line
    ]
    assert shlex.split(command) == ["nlpcalib", "calibrate", "digits.csv", "--out", "digits", "--bin-size", "300"]


def test_links_between_pages_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_configurations_of_messages_are_valid():
    for block in blocks("docs/sentiment.md", "yaml"):
        config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
        update_config(config, yaml.safe_load(block))
        check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
