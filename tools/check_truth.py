"""Find truth tests on values that may be absent, where 0, False and an empty text would be taken for nothing.

Run `python tools/check_truth.py`. An answer of a user's file may be 0, false or empty, and `if value:` is then as if it
were not there: `value is None` asks what is meant. Found are tests of

* arguments, variables and fields whose type is a number, a text or anything, or None;
* what `get` returns for a key that may be missing, where nothing else is returned in its place.

A collection or an object that may be None is not found: no answer is one.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHECKED = ("estimation", "examination", "predictions", "questions", "sampling", "systems/events/learn", "tables")
"""Folders of the library that read a user's answers."""
ANSWERS = {"str", "int", "float", "bool", "Any", "object"}
"""Types of answers, for which a value that is not absent may be false."""


def is_optional_answer(annotation: ast.expr | None) -> bool:
    """Return whether a type is that of an answer or None: `float | None`, `str | Path | None`."""
    parts: list[str] = []

    def split(node: ast.expr) -> None:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            split(node.left)
            split(node.right)
        elif isinstance(node, ast.Constant):
            parts.append(str(node.value))
        else:
            parts.append(ast.unparse(node).split("[")[0])

    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated":
        inner = annotation.slice
        annotation = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
    if annotation is not None:
        split(annotation)
    return "None" in parts and bool(ANSWERS & set(parts))


def tested(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions whose truth a node asks for."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        yield node.test
    elif isinstance(node, ast.BoolOp) and not is_empty_collection(node.values[-1]):
        yield from node.values[:-1]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.comprehension):
        yield from node.ifs
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "bool":
        yield from node.args


def is_empty_collection(node: ast.expr) -> bool:
    """Return whether an expression is {}, [] or ()."""
    elements = getattr(node, "elts", getattr(node, "keys", None))
    return isinstance(node, ast.Dict | ast.List | ast.Tuple) and not elements


def may_be_missing(node: ast.expr) -> bool:
    """Return whether an expression is what `get` returns for a key, or None."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get"), args=[_], keywords=[]):
            return True
        case _:
            return False


def optional_names(function: ast.AST) -> set[str]:
    """Return the names in a function, or fields of a class, whose type is that of an answer or None."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and is_optional_answer(node.annotation):
            found.add(node.arg)
        elif isinstance(node, ast.AnnAssign) and is_optional_answer(node.annotation):
            found.add(ast.unparse(node.target))
        elif isinstance(node, ast.Assign | ast.NamedExpr) and may_be_missing(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def truth_tests(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the expression of each test of an answer that may be absent."""
    fields = {
        f"self.{name}" for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
        for name in optional_names(ast.Module([each for each in node.body if isinstance(each, ast.AnnAssign)], []))
    }  # fmt: skip
    seen = set()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.Lambda):
            continue
        names = optional_names(function) | fields
        for node in ast.walk(function):
            for value in tested(node):
                value = value.value if isinstance(value, ast.NamedExpr) else value
                found = ast.unparse(value)
                if (found in names or may_be_missing(value)) and (value.lineno, found) not in seen:
                    seen.add((value.lineno, found))
                    yield value.lineno, found


def main() -> int:
    """Print what is found, and return 1 if there is anything."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: the truth of {name}, which may be absent, or 0 or empty: ask `is None`"
        for folder in CHECKED
        for path in sorted((ROOT / "src/nlpcalib" / folder).rglob("*.py"))
        for line, name in sorted(truth_tests(ast.parse(path.read_text(encoding="utf-8"))))
    ]
    print(*found or ["no answer that may be absent is tested for its truth"], sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
