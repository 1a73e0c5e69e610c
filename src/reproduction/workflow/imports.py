"""Which modules of this package a script depends on, read from its import statements."""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_json, write_json

_STATEMENT = re.compile(
    r"^(?P<inside>[ \t]*)(?:from[ \t]+(?P<package>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n]*)"
    r"|import[ \t]+(?P<modules>[^\n]*))",
    re.MULTILINE,
)
_OF_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+[^\n]*\n|\n)+", re.MULTILINE)
_NAME = re.compile(r"([\w.]+)(?:[ \t]+as[ \t]+\w+)?")
_COMMENT = re.compile(r"#[^\n]*")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_KEPT = Path(f".snakemake/modules-{sys.implementation.cache_tag}.json")
"""Each Python writes syntax trees in its own way."""
_NEW: dict[str, list[Any]] = {}


def imported_files(script: Path, source: Path) -> list[Path]:
    """Return the package's files below the folder `source` that `script` imports, directly or not, sorted.

    A package's `__init__` counts only where a name is imported from the package itself: those of this project gather
    names for users and do nothing else, so that importing a module does not depend on its neighbours. Of an `__init__`
    only what it imports at once counts, and nothing counts that is imported for type checkers. The data files of a
    module are returned with it: those that differ from it in their ending, and those in a folder of its name.
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
    """Return a checksum, 16 hexadecimal digits, of the names of `imported_files` and what they do.

    The `modules` are further ones that the script loads by their name, such as the reader of a format.
    """
    digest = hashlib.sha256()
    loaded = {path for name in modules if (path := _module(name, source))}
    files = loaded.union(*(imported_files(path, source) for path in (script, *loaded)))
    for path in sorted(files.union(*map(_data_files, loaded))):
        digest.update(f"{path.relative_to(source).as_posix()} {code_checksum(path)}\n".encode())
    return digest.hexdigest()[:16]


@cache
def code_checksum(path: Path) -> str:
    """Return a checksum of a file; of a module without its comments, blank lines and docstrings.

    Parsing all modules takes a second: `keep_checksums` keeps each one's until the module's time or size changes.
    """
    if path.suffix != ".py":
        return hashlib.sha256(path.read_bytes()).hexdigest()
    file, name = path.stat(), str(path.resolve())
    kept = _kept().get(name, [])
    if kept[:2] == [file.st_mtime_ns, file.st_size]:
        return kept[2]
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    checksum = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    _NEW[name] = [file.st_mtime_ns, file.st_size, checksum]
    return checksum


def keep_checksums() -> None:
    """Keep the checksums that are new, for jobs and for later starts, in the folder of Snakemake's own files."""
    if _NEW:
        _KEPT.parent.mkdir(exist_ok=True)
        write_json(_KEPT, {**_kept(), **_NEW})


@cache
def _kept() -> dict[str, list[Any]]:
    """Return time in ns, size in bytes and checksum of modules by their paths."""
    try:
        return read_json(_KEPT)
    except InputError:
        return {}


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
    for statement in _STATEMENT.finditer(_OF_TYPES.sub("", path.read_text(encoding="utf-8"))):
        if statement["inside"] and path.name == "__init__.py":
            continue
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
