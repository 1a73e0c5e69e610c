"""Which modules of this package a script depends on, read from its import statements."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path


def imported_files(scripts: Iterable[Path], source: Path) -> list[Path]:
    """Return the package's files below the folder `source` that `scripts` import, directly or not, sorted.

    A package's `__init__` counts only where a name is imported from the package itself: those of this project gather
    names for users and do nothing else, so that importing a module does not depend on its neighbours. The data files of
    a module, in a folder of its name beside it, are returned with it.
    """
    found: set[Path] = set()
    waiting = [module for script in scripts for module in _imports(script, source)]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(_imports(module, source))
    return sorted(found.union(*(module.with_suffix("").glob("[!_.]*.*") for module in found)))


@cache
def _imports(path: Path, source: Path) -> tuple[Path, ...]:
    modules = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            modules += [_module(alias.name, source) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inner = [_module(f"{node.module}.{alias.name}", source) for alias in node.names]
            modules += inner if all(inner) else [_module(node.module, source), *inner]
    return tuple(module for module in modules if module)


def _module(name: str, source: Path) -> Path | None:
    base = source.joinpath(*name.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
