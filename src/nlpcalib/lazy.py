"""Public names of a package, imported at first use."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any

_IMPORT = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)
_NAME = re.compile(r"\b([A-Za-z]\w*) as \1\b")


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` for a package (PEP 562), whose stub `__init__.pyi` has its names.

    Type checkers and editors read the stub, so that a name has its type although it is imported at first use. A script
    that needs one module of a package does not wait for the others.
    """
    stub = (get_data(package, "__init__.pyi") or b"").decode()
    homes = {name: module for module, names in _IMPORT.findall(stub) for name in _NAME.findall(names)}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    def names() -> list[str]:
        return sorted([*homes, *(name for name in vars(sys.modules[package]) if name.startswith("__"))])

    return get, names, sorted(homes)
