"""Which modules of this package a script depends on, read from its import statements."""

from __future__ import annotations

import ast
import hashlib
import re
from functools import cache
from pathlib import Path

_STATEMENT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<package>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n]*)"
    r"|import[ \t]+(?P<modules>[^\n]*))",
    re.MULTILINE,
)
_NAME = re.compile(r"([\w.]+)(?:[ \t]+as[ \t]+\w+)?")
_COMMENT = re.compile(r"#[^\n]*")


def imported_files(script: Path, source: Path) -> list[Path]:
    """Return the package's files below the folder `source` that `script` imports, directly or not, sorted.

    A package's `__init__` counts only where a name is imported from the package itself: those of this project gather
    names for users and do nothing else, so that importing a module does not depend on its neighbours. The data files of
    a module are returned with it: those that differ from it in their ending, and those in a folder of its name.
    """
    found: set[Path] = set()
    waiting = list(_imports(script, source))
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(_imports(module, source))
    return sorted(found.union(*map(_data_files, found)))


def library_digest(script: Path, source: Path, *modules: str) -> str:
    """Return a checksum, 16 hexadecimal digits, of the names and contents of `imported_files`.

    The `modules` are further ones that the script loads by their name, such as the reader of a format.
    """
    digest = hashlib.sha256()
    loaded = {path for name in modules if (path := _module(name, source))}
    files = loaded.union(*(imported_files(path, source) for path in (script, *loaded)))
    for path in sorted(files.union(*map(_data_files, loaded))):
        digest.update(f"{path.relative_to(source).as_posix()} {_checksum(path)}\n".encode())
    return digest.hexdigest()[:16]


@cache
def _checksum(path: Path) -> str:
    """Return a checksum of a file; of a module without its comments, blank lines and docstrings."""
    content = path.read_bytes()
    if path.suffix == ".py":
        tree = ast.parse(content)
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        content = ast.dump(tree).encode()
    return hashlib.sha256(content).hexdigest()


@cache
def _data_files(module: Path) -> tuple[Path, ...]:
    stem = module.with_suffix("")
    beside = (path for path in module.parent.glob(f"{stem.name}.*") if path.suffix not in (".py", ".pyc"))
    return (*beside, *stem.glob("[!_.]*.*"))


@cache
def _imports(path: Path, source: Path) -> tuple[Path, ...]:
    """Return the modules that a file's import statements name.

    Statements are found as text: parsing every file took a second at each start of the workflow. A statement inside a
    string is taken for one too, which can only make a job run once more than it has to.
    """
    modules: list[Path | None] = []
    for statement in _STATEMENT.finditer(path.read_text(encoding="utf-8")):
        if package := statement["package"]:
            names = _NAME.findall(_COMMENT.sub("", statement["names"]))
            inner = [_module(f"{package}.{name}", source) for name in names]
            modules += inner if all(inner) else [_module(package, source), *inner]
        else:
            modules += [_module(name, source) for name in _NAME.findall(_COMMENT.sub("", statement["modules"]))]
    return tuple(module for module in modules if module)


@cache
def _module(name: str, source: Path) -> Path | None:
    base = source.joinpath(*name.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
