"""docs/reference/figures.md is what the workflow says now, and lists every figure of the three texts."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from reproduction.workflow.imports import imported_files
from reproduction.workflow.rules import read_rules

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("figures_table", ROOT / "tools/figures_table.py")
figures_table = sys.modules[SPEC.name] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(figures_table)
PAPER, THESIS, LOWE_KING = figures_table.ITEMS


def names(text):
    """Return the items of a text by name, each figure of "Figures 4.1 to 4.3" by its own."""
    found = set()
    for item in figures_table.ITEMS[text]:
        several = re.fullmatch(r"Figures 4\.(\d+) to 4\.(\d+)", item.name)
        found |= {f"Figure 4.{n}" for n in range(int(several[1]), int(several[2]) + 1)} if several else {item.name}
    return found


def test_every_figure_and_algorithm_of_the_texts_is_listed():
    """As counted in the texts: none of them has a numbered table."""
    assert {f"Figure {number}" for number in range(1, 7)} | {"Algorithm 1", "Algorithm 2"} <= names(PAPER)
    assert {f"Figure 4.{number}" for number in range(1, 12)} <= names(THESIS)
    assert "Figure 1" in names(LOWE_KING)


def test_what_nothing_makes_has_a_reason():
    for items in figures_table.ITEMS.values():
        for item in items:
            assert item.target or item.note, item.name


@pytest.mark.slow
def test_the_page_is_not_stale():
    assert figures_table.PAGE.read_text(encoding="utf-8") == figures_table.page(), "run tools/figures_table.py"


def file_of(function):
    """Return the file of `module:function`."""
    return ROOT / "src" / f"{function.partition(':')[0].replace('.', '/')}.py"


def test_each_function_is_one_that_its_rule_imports():
    """What draws a figure seldom computes its numbers: the row then names the rule that does."""
    page, rules = figures_table.PAGE.read_text(encoding="utf-8"), read_rules(ROOT, "studies/Snakefile")
    for item in (item for items in figures_table.ITEMS.values() for item in items if item.computed):
        row = next(
            line for line in page.splitlines() if line.startswith(f"| {item.name} | {figures_table.shown(item)} |")
        )
        for function in item.computed:
            module, _, rule = function.partition("@")
            made = rules[rule or re.search(r"\[`(\w+)`\]", row)[1]]
            starts = [file_of(place) for place in made.made_by.values()] or [made.script]
            imported = {file for start in starts for file in imported_files(start, ROOT / "src")}
            assert file_of(module) in imported, f"{item.name}: {function}"


def test_links_of_the_page_lead_somewhere():
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", figures_table.PAGE.read_text(encoding="utf-8")):
        linked = figures_table.PAGE.parent / target
        assert linked.is_file(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert anchor in anchors, f"{target}#{anchor}"
