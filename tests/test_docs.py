"""What the documentation shows works as it is shown."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from nlpcalib.cli import main
from nlpcalib.workflow.configuration import check_config

ROOT = Path(__file__).parents[1]


def blocks(page, language):
    return re.findall(
        rf"^ *```{language}\n(.*?)^ *```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


@pytest.mark.filterwarnings("ignore::nlpcalib.calibration.SmallSampleWarning")  # the pipeline's four rows are few
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


def headings(page):
    """Return the anchors that GitHub gives the headings of a page."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_between_pages_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
            linked = page.parent / target if target else page
            assert linked.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in headings(linked), f"{page.name} links to {target}#{anchor}"


@pytest.mark.parametrize("page", ["corpora", "events", "extraction_eval", "parsing", "predictions", "sentiment"])
def test_configurations_are_valid(page):
    """The blocks of a page may be laid over each other, from top to bottom; parsing's name corpora of the open tier."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    if page == "parsing":
        update_config(config, yaml.safe_load((ROOT / "configs/open.yaml").read_text(encoding="utf-8")))
    shown = blocks(f"docs/{page}.md", "yaml")
    assert shown
    for block in shown:
        update_config(config, yaml.safe_load(block))
        check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
