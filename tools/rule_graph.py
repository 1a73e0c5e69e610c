"""Draw the rules of each chapter: docs/images/rules_<chapter>.png, for docs/reference/rules.md.

    python tools/rule_graph.py

Rules stand in columns, each to the right of all that it takes files from. A line that follows from others is left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from matplotlib import pyplot as plt

from nlpcalib.figures.style import house_style

ROOT = Path(__file__).parents[1]
CHAPTERS = ("sentiment", "tagging", "coref", "events", "extraction_eval")
STAGES = {
    "measure": "#f6d7c3", "recalibrate": "#f6d7c3", "train": "#d7e3f4", "select": "#d7e3f4", "apply": "#dcebd5",
    "extract": "#dcebd5", "draw": "#ece4f2",
}  # fmt: skip
"""Colours of what trains, applies, measures and draws, by the first word of a rule's name."""
SWEEPS = 20
"""Times that columns are sorted by their neighbours, to cross fewer lines."""


def rule_graph(chapter: str) -> dict[str, set[str]]:
    """Return the rules that each rule of a chapter takes files from."""
    command = [sys.executable, "-m", "snakemake", "--rulegraph", "dot", "--forceall", chapter]
    dot = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = dict(re.findall(r'^\s*(\d+)\[label = "(\w+)"', dot, re.MULTILINE))
    taken: dict[str, set[str]] = {name: set() for name in names.values()}
    for source, target in re.findall(r"^\s*(\d+) -> (\d+)", dot, re.MULTILINE):
        taken[names[target]].add(names[source])
    targets = {name for name in taken if name == chapter or re.fullmatch(r"figure_\w+", name)}
    return {name: others - targets - {name} for name, others in taken.items() if name not in targets}


def without_cycles(taken: dict[str, set[str]]) -> tuple[dict[str, set[str]], list[tuple[str, str]]]:
    """Return a graph of rules without the lines that close a cycle, and these: a rule's jobs may stand on both sides.

    The size of a CRF follows from the HMM that a development set selects, and the same rule selects the CRF.
    """
    kept: dict[str, set[str]] = {}
    closing: list[tuple[str, str]] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in kept:
            return
        closing.extend((source, name) for source in sorted(taken[name]) if source in path)
        for source in sorted(taken[name] - {*path}):
            visit(source, (*path, name))
        kept[name] = taken[name] - {*path}

    for name in sorted(taken):
        visit(name, (name,))
    return kept, closing


def columns(taken: dict[str, set[str]]) -> list[list[str]]:
    """Return the rules column by column: each after all that it takes from, sorted by their neighbours."""

    @cache
    def depth(name: str) -> int:
        return 1 + max(map(depth, taken[name]), default=-1)

    found: list[list[str]] = [[] for _ in range(1 + max(map(depth, taken)))]
    for name in sorted(taken):
        found[depth(name)].append(name)
    near = {name: sorted({*taken[name], *(other for other in taken if name in taken[other])}) for name in taken}
    for _ in range(SWEEPS):
        place = {name: row - (len(column) - 1) / 2 for column in found for row, name in enumerate(column)}
        for column in found:
            column.sort(key=lambda name: sum(place[each] for each in near[name]) / max(len(near[name]), 1))
    return found


def reduced(taken: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Return the lines from rule to rule, without those that a way over other rules implies."""

    @cache
    def before(name: str) -> frozenset[str]:
        return frozenset(taken[name]).union(*(before(each) for each in taken[name]))

    return [
        (source, name)
        for name, sources in sorted(taken.items())
        for source in sorted(sources)
        if not any(source in before(other) for other in sources - {source})
    ]


def draw(chapter: str) -> None:
    """Draw the rules of a chapter."""
    taken, closing = without_cycles(rule_graph(chapter))
    found = columns(taken)
    place = {
        name: (number, (len(column) - 1) / 2 - row)
        for number, column in enumerate(found)
        for row, name in enumerate(column)
    }
    rows = max(map(len, found))
    figure, axis = plt.subplots(figsize=(1.6 * len(found), 0.42 * rows + 0.3), layout="constrained")
    boxes = {}
    for name, (x, y) in place.items():
        box = {
            "boxstyle": "round,pad=0.35",
            "fc": STAGES.get(name.split("_")[0], "#f2f2f2"),
            "ec": "#777777",
            "lw": 0.6,
        }
        text = axis.text(x, y, name, ha="center", va="center", fontsize=7, bbox=box, zorder=2)
        boxes[name] = text.get_bbox_patch()
    for source, target in [*reduced(taken), *closing]:
        ends = {"patchA": boxes[source], "patchB": boxes[target], "shrinkA": 0, "shrinkB": 1}
        arrow = {"arrowstyle": "-|>", "color": "#888888", "lw": 0.6, **ends}
        axis.annotate("", place[target], place[source], arrowprops=arrow, zorder=1)
    axis.set(xlim=(-0.55, len(found) - 0.45), ylim=(-rows / 2 - 0.1, rows / 2 + 0.1))
    axis.axis("off")
    figure.savefig(ROOT / f"docs/images/rules_{chapter}.png", dpi=130, metadata={"Software": None})
    plt.close(figure)


if __name__ == "__main__":
    with house_style():
        for chapter in CHAPTERS:
            draw(chapter)
