"""Imports run downwards: no module needs itself, no layer one that stands above it, and all are reached."""

import ast
import graphlib
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"

ORDER = {
    "nlpcalib": (
        "version errors extras lazy blocks numerics",
        "seeding",
        "io",
        "tables",
        "calibration sampling",
        "examination recalibration",
        "predictions",
        "sklearn",
        "estimation",
        "figures",
        "questions",
        "systems systems.text",
        "systems.chains systems.coref.model",
        "systems.coref.score",
        "systems.coref.answer",
        "systems.coref",
        "systems.events.read",
        "systems.events.learn",
        "systems.events.count",
        "systems.events",
        "nlpcalib",
        "cli",
        "__main__",
    ),
    "newsroom": ("newsroom",),
    "reproduction": (
        "reproduction",
        "workflow",
        "corpora estimation",
        "events extraction_eval parsing sentiment tagging",
        "coref",
        "simulation",
        "claims section7 tables",
        "figures",
        "configuration",
    ),
    "studies": ("studies",),
}
"""The packages, and the layers of each, from the ground up; those of one line do not import each other.

A layer is a folder, or a module outside of all folders. A package is a layer of its own: its `__init__` alone
where there are other layers, else all of it.
"""
FLOORS = {
    (package, layer): (level, floor)
    for level, (package, order) in enumerate(ORDER.items())
    for floor, layers in enumerate(order)
    for layer in layers.split()
}
GROUND = re.compile(r"nlpcalib\.(errors|seeding|io|systems\.text)\b")
"""What the newsroom imports of the library."""


def modules():
    """Return the modules of all packages by name."""
    paths = {path.relative_to(SOURCE).with_suffix("").as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    return {name.removesuffix("/__init__").replace("/", "."): path for name, path in paths.items()}


MODULES = modules()


def module_of(name):
    """Return the module that a dotted name is, or is in."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def imported(path):
    """Return the modules of these packages that a file imports, at its top or where it needs them."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return {module_of(name) for name in names} - {""}


@cache
def arrows():
    """Return the modules that each module imports."""
    return {name: imported(path) - {name} for name, path in MODULES.items()}


LIBRARY = {name for name in MODULES if name.partition(".")[0] == "nlpcalib"}
NEWSROOM = {name for name in MODULES if name.partition(".")[0] == "newsroom"}


def layer(name):
    """Return the package and the layer of a module: the innermost folder or module that `ORDER` has, or itself."""
    package, *parts = name.split(".")
    inside = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    whole = package if len(ORDER[package]) == 1 else name
    return package, next((part for part in inside if (package, part) in FLOORS), whole)


def place(name):
    """Return the folder of a module; a module outside of all folders is a place of its own."""
    folder = MODULES[name].parent.relative_to(SOURCE).parts
    return ".".join(folder) if len(folder) > 1 else name


def test_no_module_imports_itself_by_way_of_others():
    tuple(graphlib.TopologicalSorter(arrows()).static_order())


def test_no_folder_imports_itself_by_way_of_others():
    folders = {}
    for name, others in arrows().items():
        folders.setdefault(place(name), set()).update(map(place, others - {name}))
    tuple(graphlib.TopologicalSorter({name: others - {name} for name, others in folders.items()}).static_order())


def test_no_arrow_points_upward():
    packages = {name.partition(".")[0] for name in MODULES}
    assert {"nlpcalib", "newsroom", "reproduction"} <= packages <= ORDER.keys()
    assert {layer(name) for name in MODULES} == {key for key in FLOORS if key[0] in packages}
    assert [
        f"{name} → {other}"
        for name, others in arrows().items()
        for other in others
        if layer(name) != layer(other) and FLOORS[layer(other)] >= FLOORS[layer(name)]
    ] == []


def test_the_newsroom_imports_the_ground_of_the_library_alone():
    others = {other for name in NEWSROOM for other in arrows()[name] - NEWSROOM}
    assert [other for other in others if not GROUND.match(other)] == []


def test_scripts_of_one_folder_use_the_newsroom():
    users = [name for name in MODULES.keys() - NEWSROOM if arrows()[name] & NEWSROOM]
    assert [name for name in users if layer(name)[0] != "studies"] == []
    scripts = {path.parent.name for path in (ROOT / "scripts").rglob("*.py") if imported(path) & NEWSROOM}
    assert scripts == {"newsroom"}


def test_a_question_reads_no_file():
    """The front door and the shell read; `look` shows what was read, and a saved map says how its predictions are."""
    readers = {name for name in LIBRARY if name.startswith("nlpcalib.predictions.read")}
    for name in ("calibrate", "compare", "estimate", "judge", "plan_items", "plan_labels"):
        todo, reached = {f"nlpcalib.questions.{name}"}, set()
        while todo:
            reached |= todo
            todo = {other for each in todo for other in named_at_run(each)} - reached
        assert reached & readers == set(), name


def named_at_run(name):
    """Return the modules that a module imports, but for types alone."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    typing = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for each in ast.walk(node)
    }
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and id(node) not in typing]
    return {module_of(f"{node.module}.{alias.name}") for node in nodes for alias in node.names} - {""}


def test_estimation_reads_prints_and_draws_nothing():
    allowed = re.compile(r"nlpcalib\.(errors|blocks|numerics|seeding|sampling|estimation|tables\.(names|periods))\b")
    inside = {name for name in LIBRARY if name.startswith("nlpcalib.estimation")}
    assert [f"{name} → {other}" for name in inside for other in arrows()[name] if not allowed.match(other)] == []
    for name in inside:
        names = {node.id for node in ast.walk(ast.parse(MODULES[name].read_text())) if isinstance(node, ast.Name)}
        assert not names & {"print", "open"}, name


def test_the_front_door_loads_nothing_that_is_slow():
    code = "import sys, nlpcalib; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"numpy", "scipy", "spacy", "matplotlib", "pyarrow"} & set(loaded) == set()


def test_measuring_counting_and_drawing_load_no_statistics_of_scipy():
    """They take half a second, in each job and at each start of a command."""
    names = "nlpcalib.questions.report, reproduction.figures.tagging, reproduction.figures.events"
    code = f"import sys, {names}; print('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def named_in(path, name):
    """Return the modules that load when they are asked for: those of a package's stub, and of texts with a dot."""
    places = (f"{name}.", f"{name.rpartition('.')[0]}.", "nlpcalib.", "")
    texts = [
        node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant)
    ]
    words = [text for text in texts if isinstance(text, str) and re.fullmatch(r"\w+(\.\w+)+", text)]
    stub = path.with_suffix(".pyi")
    words += re.findall(r"^from (\S+)", stub.read_text(encoding="utf-8"), re.MULTILINE) if stub.is_file() else []
    return {module_of(place + word) for word in words for place in places} & LIBRARY


def test_every_module_is_reached():
    """What no front door, subcommand, entry point of spaCy or page of the API reaches belongs to the reproduction."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = [
        "nlpcalib.__main__:main",
        *project["scripts"].values(),
        *project["entry-points"]["spacy_factories"].values(),
    ]
    api = re.findall(r"^::: (\S+)", (ROOT / "docs/reference/api.md").read_text(encoding="utf-8"), re.MULTILINE)
    todo = {"nlpcalib", *(module_of(name.replace(":", ".")) for name in (*points, *api))}
    reached = set()
    while todo:
        name = todo.pop()
        reached.add(name)
        packages = {name.rpartition(".")[0]} - {""}
        todo |= (arrows()[name] | named_in(MODULES[name], name) | packages) & LIBRARY - reached
    assert sorted(LIBRARY - reached) == []


def test_a_concept_has_one_definition_and_a_name_of_its_own():
    """Public classes and types, and what was once defined twice."""
    functions = {"draw_plan", "convolve_all"}
    defined = {}
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names = []
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                names = [node.name]
            elif isinstance(node, ast.Assign) and not (isinstance(node.value, ast.Call)):
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            for name in names:
                if name in functions or re.match(r"[A-Z]\w*[a-z]", name):
                    defined.setdefault(name, []).append(module)
    assert functions <= defined.keys()
    assert {name: places for name, places in defined.items() if len(places) > 1} == {}
