"""Check that a name has one meaning: constants, functions and first lines of docstrings, by the syntax tree.

    tools/check_names.py [FOLDER …]

It reports, with file and line, and ends with status 1 if there is anything:

* module-level constants with one name and different values in several modules;
* numbers whose name is a single word: a limit is named by what it bounds, and of what (`MAX_MODEL_BYTES`);
* public functions and classes with one name in several modules, except readers of one folder with the same parameters
  and commands, which have the name of their question;
* docstrings that begin with a fragment, such as "Of …" or "What … is of".
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
FRAGMENT = re.compile(r"(?:Of|In the place of|By how much|As if)\b|(?:What|Which)\b[^.]*\b(?:of|is|are|on|with)\.")
"""First lines that state no subject. "Of" begins the second half of a sentence whose first half is missing."""
COMMANDS = ("cli", "shell")
"""Folders whose functions are commands: each has the name of the question of `api` that it asks."""
Definitions = dict[str, list[tuple[str, str]]]
"""By name, the place of each definition and what makes it the same as another one."""


def constants(tree: ast.Module) -> Iterator[tuple[str, int, ast.expr]]:
    """Yield name, line and value of each module-level constant, also of those that are assigned together."""
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                yield name, node.lineno, value
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                pairs = zip(names, values, strict=False)
                yield from ((name.id, node.lineno, value) for name, value in pairs if isinstance(name, ast.Name))


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every docstring, also of constants and fields."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield node.lineno, text


def is_number(value: ast.expr) -> bool:
    """Return whether an expression is a number or arithmetic on numbers: 50.0, 1 << 16."""
    match value:
        case ast.Constant(value=int() | float() as number):
            return not isinstance(number, bool)
        case ast.BinOp(left=left, right=right):
            return is_number(left) and is_number(right)
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
    return False


def faults(folders: Sequence[Path]) -> list[str]:
    """Return a line for each fault in the Python files below the folders."""
    found: list[str] = []
    values: Definitions = defaultdict(list)
    functions: Definitions = defaultdict(list)
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        tree, name = ast.parse(path.read_text("utf-8")), path.relative_to(ROOT) if ROOT in path.parents else path
        for constant, line, value in constants(tree):
            if constant.isupper():
                values[constant].append((f"{name}:{line}", ast.dump(value)))
                if "_" not in constant.strip("_") and is_number(value):
                    found.append(f"{name}:{line}: the number {constant} is named by one word: what does it bound?")
        for node in () if path.parent.name in COMMANDS else tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                if any(isinstance(each, ast.Name) and each.id == "overload" for each in node.decorator_list):
                    continue
                parameters = ast.dump(node.args) if isinstance(node, ast.FunctionDef) else ""
                functions[node.name].append((f"{name}:{node.lineno}", f"{path.parent}{parameters}"))
        for line, text in docstrings(tree):
            if FRAGMENT.match(text.split("\n", 1)[0]):
                found.append(f"{name}:{line}: a docstring begins with a fragment: {text.splitlines()[0]}")
    for what, several in (("constant", values), ("function or class", functions)):
        for each, places in sorted(several.items()):
            if len({kind for _, kind in places}) > 1:
                found.append(f"{', '.join(place for place, _ in places)}: the {what} {each} has several meanings")
    return found


if __name__ == "__main__":
    lines = faults([Path(folder).resolve() for folder in sys.argv[1:]] or [ROOT / "src/nlpcalib"])
    print("\n".join(lines) or "each name has one meaning")
    sys.exit(bool(lines))
