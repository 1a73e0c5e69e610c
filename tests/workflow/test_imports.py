"""Which library files a script depends on: all that it imports, and no more."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.workflow.imports import code_checksum, imported_files, library_digest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
SCRIPTS = sorted([*(ROOT / "scripts").glob("*/*.py"), *(ROOT / "studies/scripts").glob("*/*.py")])


@pytest.fixture
def package(tmp_path):
    """A package with modules a → b → c and d by themselves, a sub-package whose __init__ gathers d, and a script."""
    modules = {
        "pkg/__init__.py": "def __getattr__(name):\n    import pkg.d",
        "pkg/a.py": "import numpy\nfrom pkg.b import f",
        "pkg/b.py": "def f():\n    import pkg.c",
        "pkg/c.py": "from pkg import a",
        "pkg/d.py": "",
        "pkg/sub/__init__.py": "from pkg.d import x",
        "pkg/sub/e.py": "",
        "pkg/sub/e/words.tsv": "",
        "pkg/sub/other/words.tsv": "",
    }
    for name, text in modules.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def found(package, text):
    script = package / "script.py"
    script.write_text(text, encoding="utf-8")
    return [path.relative_to(package / "pkg").as_posix() for path in imported_files(script, package)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os, numpy", []),
        ("from pkg.d import x", ["d.py"]),
        ("import pkg.d as short", ["d.py"]),
        ("from pkg import d", ["d.py"]),
        ("if True:\n    def f():\n        import pkg.d", ["d.py"]),
        ("from pkg.a import f", ["a.py", "b.py", "c.py"]),
        ("from pkg.sub.e import g", ["sub/e/words.tsv", "sub/e.py"]),
        ("from pkg.sub import e", ["sub/e/words.tsv", "sub/e.py"]),
        ("from pkg.sub import x", ["d.py", "sub/__init__.py"]),
        ("from pkg import version", ["__init__.py"]),
        ("import pkg", ["__init__.py"]),
        (
            "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import pkg.d\n\nimport pkg.sub.e",
            ["sub/e/words.tsv", "sub/e.py"],
        ),
    ],
)
def test_imports_are_followed(package, text, expected):
    assert found(package, text) == expected


@pytest.mark.parametrize(
    ("edited", "reruns"), [("e.py", True), ("e/words.tsv", True), ("../d.py", True), ("../a.py", False)]
)
def test_a_module_that_is_loaded_by_its_name_counts_with_what_it_imports(package, edited, reruns):
    """The reader of a format: an edit of it, its tables or its imports reruns those datasets, and no others."""
    script = package / "script.py"
    script.write_text("from pkg import version", encoding="utf-8")
    (package / "pkg/sub/e.py").write_text("from pkg.d import x", encoding="utf-8")

    def digests():
        code_checksum.cache_clear()
        return library_digest(script, package, "pkg.sub.e"), library_digest(script, package)

    before = digests()
    (package / "pkg/sub" / edited).write_text("edited = 1", encoding="utf-8")
    after = digests()
    assert (before[0] != after[0]) == reruns
    assert before[1] == after[1]


BEFORE = '''"""A module."""

def area(side):
    """Return it."""
    return side * side  # of a square
'''


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (BEFORE.replace("square", "tile"), True),
        (BEFORE.replace("A module.", "One.\n\nOf areas."), True),
        (BEFORE.replace('    """Return it."""\n', ""), True),
        (BEFORE.replace("\n\n", "\n\n\n# Areas.\n"), True),
        (BEFORE.replace("side * side", "side + side"), False),
        (BEFORE.replace("return side", "return 'side' and side"), False),
    ],
)
def test_what_a_module_does_counts_and_not_what_it_says(tmp_path, text, same):
    digests = []
    for number, content in enumerate((BEFORE, text)):
        (tmp_path / f"{number}.py").write_text(content, encoding="utf-8")
        digests.append(code_checksum(tmp_path / f"{number}.py"))
    assert (digests[0] == digests[1]) == same


READ_TWICE = """
import ast, sys
from pathlib import Path
from reproduction.workflow.imports import code_checksum, keep_checksums
parse, parsed = ast.parse, []
ast.parse = lambda text: parsed.append(text) or parse(text)
print(code_checksum(Path("module.py")), len(parsed))
keep_checksums()
"""


def test_a_module_is_parsed_again_when_it_has_changed(tmp_path):
    def start():
        command = [sys.executable, "-c", READ_TWICE]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()

    module = tmp_path / "module.py"
    module.write_text(BEFORE, encoding="utf-8")
    first, again = start(), start()
    module.write_text(BEFORE.replace("side * side", "side + side"), encoding="utf-8")
    edited = start()
    assert (first[1], again[1], edited[1]) == ("1", "0", "1")
    assert first[0] == again[0] != edited[0]


LOAD_ALONE = """
import json, runpy, sys, types
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
compiled = cache(lambda data, path: compile(data, path, "exec", dont_inherit=True))
SourceFileLoader.source_to_code = lambda self, data, path, **_: compiled(data, path)
source, scripts = Path(sys.argv[1]), sys.argv[2:]
loaded = {}
packages = ("newsroom", "nlpcalib", "reproduction", "studies")
for script in scripts:
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]
    for init in sorted(source.rglob("__init__.py")):
        folder = init.parent.relative_to(source)
        bare = sys.modules[".".join(folder.parts)] = types.ModuleType(".".join(folder.parts))
        bare.__path__ = [str(init.parent)]
    runpy.run_path(script)
    loaded[script] = [
        module.__file__
        for name, module in sys.modules.items()
        if name.partition(".")[0] in packages and getattr(module, "__file__", None)
    ]
print(json.dumps(loaded))
"""


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param({path.parent: path for path in SCRIPTS}.values(), id="one of each folder"),
        pytest.param(SCRIPTS, id="all", marks=pytest.mark.slow),
    ],
)
def test_every_module_that_a_script_loads_is_among_those_declared(scripts):
    """Python is asked what each script imports; packages' `__init__` files, which only gather names, are left out."""
    command = [sys.executable, "-c", LOAD_ALONE, SOURCE, *scripts]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    for script, loaded in json.loads(result.stdout).items():
        declared = imported_files(Path(script), SOURCE)
        assert loaded, script
        assert set(map(Path, loaded)) <= set(declared), script


def test_what_trains_and_applies_models_does_not_depend_on_questions():
    """A change of how a number is asked for or drawn trains nothing. Pairs are written for later stages."""
    models = [path for verb in ("train", "apply", "parse", "extract") for path in ROOT.glob(f"scripts/*/{verb}_*.py")]
    assert len(models) > 10
    folders = [SOURCE / "nlpcalib" / folder for folder in ("predictions", "questions", "figures", "cli")]
    found = {module for path in models for module in imported_files(path, SOURCE) if {*module.parents} & {*folders}}
    assert found == {SOURCE / "nlpcalib/predictions/pair_files.py"}


def test_no_job_takes_what_it_uses_from_the_front_door():
    """The door imports at first use, which a reader of import statements cannot follow."""
    asked = {
        node.attr
        for path in [
            *SCRIPTS,
            *(path for folder in ("reproduction", "studies") for path in (SOURCE / folder).rglob("*.py")),
        ]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("nlpcalib", "nc")
    }
    assert asked == {"__version__"}


def test_the_newsrooms_words_count_as_code():
    words = set((SOURCE / "newsroom/lexicon").glob("*.tsv"))
    assert words
    assert words <= set(imported_files(ROOT / "scripts/newsroom/simulate_newsroom.py", SOURCE))


def test_changing_a_name_of_a_package_itself_counts():
    """The summary states the version, so what measures calibration depends on the file that has it."""
    assert SOURCE / "nlpcalib/version.py" in imported_files(ROOT / "scripts/calibration/calibrate.py", SOURCE)
    assert SOURCE / "nlpcalib/version.py" not in imported_files(ROOT / "scripts/tagging/train_crf.py", SOURCE)
