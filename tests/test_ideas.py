"""What a stranger has to hold may only become less: bounds are the numbers of today."""

import ast
import inspect
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import nlpcalib
from nlpcalib.cli import plan
from nlpcalib.cli.app import COMMANDS
from nlpcalib.cli.reading import Reading

SRC = Path(nlpcalib.__file__).parents[1]
FILES = {
    ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (SRC / "nlpcalib").rglob("*.py")
}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
FUNCTIONS = {name: door for name in nlpcalib.__all__ if inspect.isfunction(door := getattr(nlpcalib, name))}


def imports_of(name: str) -> set[str]:
    """Return the modules that a module imports, those inside of functions too, but none for types alone."""
    typing = {
        id(each)
        for node in ast.walk(TREES[name])
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for each in ast.walk(node)
    }
    found = set()
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in typing:
            for each in node.names:
                full = f"{node.module}.{each.name}"
                found.add(full if full in FILES else node.module)
    return found & set(FILES)


def reached(question: str) -> int:
    """Return how many modules a question reaches by imports."""
    seen: set[str] = set()
    todo = [FUNCTIONS[question].__module__]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += imports_of(name)
    return len(seen)


def loaded() -> int:
    """Return how many modules of the library a measurement of two arrays loads."""
    program = (
        "import sys, nlpcalib\n"
        "nlpcalib.calibrate([0.2, 0.4, 0.6, 0.9] * 9, [0, 1, 0, 1] * 9)\n"
        "print(sum(name.partition('.')[0] == 'nlpcalib' for name in sys.modules))"
    )
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def constants() -> int:
    """Return how many names in capitals the modules of the library define."""
    count = 0
    for tree in TREES.values():
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            names = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
            count += sum(re.fullmatch(r"_?[A-Z][A-Z0-9_]+", name) is not None for name in names)
    return count


def wide() -> int:
    """Return how many functions have more than seven arguments."""
    return sum(
        len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs) > 7
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def parameters() -> dict[str, int]:
    """Return how many parameters each function at the front door has."""
    return {name: len(inspect.signature(door).parameters) for name, door in FUNCTIONS.items()}


def options() -> dict[str, set[str]]:
    """Return the options of each command, those of `nlpcalib.read` among them."""
    found = {}
    for command in (*COMMANDS[:3], plan.items, plan.labels, *COMMANDS[4:]):
        taken = inspect.signature(command).parameters.values()
        named = {each.name for each in taken if each.kind is inspect.Parameter.KEYWORD_ONLY}
        read = {field.name for field in fields(Reading)} if "reading" in named else set()
        found[command.__name__] = (named - {"reading"}) | read
    return found


def thresholds() -> int:
    """Return how many numbers decide about findings: in comparisons and constants of the modules that make some."""
    count = 0
    for name, tree in TREES.items():
        source = FILES[name].read_text(encoding="utf-8")
        if "class InputFinding" in source or not ("examination" in name or re.search(r"\w*Finding\(", source)):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                numbers = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                count += sum(type(each) in (int, float) and each not in (0, 1, 2) for each in numbers)
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Tuple):
                numbered = re.search(r"\d", ast.unparse(node.value)) is not None
                count += numbered * sum(
                    re.fullmatch(r"_?[A-Z][A-Z0-9_]+", ast.unparse(each)) is not None for each in node.targets
                )
    return count


BOUNDS = {
    "commands": (lambda: len(options()), 14),
    "distinct options": (lambda: len(set().union(*options().values())), 59),
    "thresholds of signs": (thresholds, 25),
    "functions at the front door": (lambda: len(FUNCTIONS), 17),
    "their parameters": (lambda: sum(parameters().values()), 119),
    "most parameters": (lambda: max(parameters().values()), 22),
    "modules that calibrate reaches": (lambda: reached("calibrate"), 65),
    "modules that arrays load": (loaded, 82),
    "modules that recalibrate reaches": (lambda: reached("recalibrate"), 86),
    "modules that estimate reaches": (lambda: reached("estimate"), 70),
    "modules that judge reaches": (lambda: reached("judge"), 84),
    "constants": (constants, 580),
    "functions with more than 7 arguments": (wide, 21),
}


@pytest.mark.parametrize("what", BOUNDS)
def test_ideas_do_not_become_more(what):
    count, bound = BOUNDS[what]
    assert count() <= bound
