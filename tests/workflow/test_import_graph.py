"""Imports run downwards: no module needs itself, and no topic one that stands above it."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"

ORDER = (
    "version errors lazy seeding claims inflection",
    "io",
    "calibration",
    "predictions",
    "corpora",
    "parsing",
    "estimation",
    "annotation",
    "sentiment tagging coref",
    "events",
    "extraction_eval",
    "newsroom",
    "simulation",
    "plots",
    "report",
    "front_door",
    "workflow",
    "shell",
    "cli",
)
"""Rooms from the ground up. Those of one line do not import each other."""
FLOOR = {room: floor for floor, rooms in enumerate(ORDER) for room in rooms.split()}
NEWSROOM = {"corpora.document", "corpora.messages", "errors", "seeding", "inflection"}
"""What the simulated newsroom may import, so that it could leave."""


def modules():
    """Return the library's modules by name, without `nlpcalib.`; the package itself is the empty name."""
    found = {}
    for path in sorted((SOURCE / "nlpcalib").rglob("*.py")):
        *_, name = path.relative_to(SOURCE).with_suffix("").as_posix().removesuffix("/__init__").partition("/")
        found[name.replace("/", ".")] = path
    return found


MODULES = modules()


def module_of(name):
    """Return the module that a dotted name is, or is in."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def imported(path):
    """Return the modules of the library that a file imports, at its top or where it needs them."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return {module_of(name.partition(".")[2]) for name in names if name.partition(".")[0] == "nlpcalib"}


ARROWS = {name: imported(path) - {name} for name, path in MODULES.items()}


def room(name):
    """Return the room of a module; commands belong to the shell, whatever their topic."""
    return "shell" if name.endswith(".command") else name.partition(".")[0]


def test_every_room_has_its_place():
    assert {room(name) for name in MODULES} - {""} <= FLOOR.keys()


def test_no_module_imports_itself_by_way_of_others():
    tuple(graphlib.TopologicalSorter(ARROWS).static_order())


def test_no_arrow_points_upward():
    upward = [
        f"{name} → {other}"
        for name, others in ARROWS.items()
        for other in others
        if name and room(name) != room(other) and (not other or FLOOR[room(other)] >= FLOOR[room(name)])
    ]
    # The shell answers with the version of the package, and offers its names.
    assert [arrow for arrow in upward if not arrow.startswith(("cli → ", "shell"))] == []


@pytest.mark.parametrize("top", ["calibration", "newsroom"])
def test_the_instrument_and_the_newsroom_stand_by_themselves(top):
    allowed = NEWSROOM if top == "newsroom" else set(ORDER[0].split()) | {"io"}
    outside = {other for name, others in ARROWS.items() if room(name) == top for other in others if room(other) != top}
    assert {other for other in outside if other not in allowed and room(other) not in allowed} == set()


def test_nothing_imports_the_newsroom():
    assert [
        name for name, others in ARROWS.items() if room(name) != "newsroom" and "newsroom" in map(room, others)
    ] == []
    scripts = {path.parent.name for path in (ROOT / "scripts").rglob("*.py") if "newsroom" in map(room, imported(path))}
    assert scripts == {"newsroom"}


def test_the_front_door_loads_nothing_that_is_slow():
    code = "import sys, nlpcalib; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"numpy", "scipy", "spacy", "matplotlib", "pyarrow"} & set(loaded) == set()
