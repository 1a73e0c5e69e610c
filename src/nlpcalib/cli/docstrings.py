"""Docstrings as help: the terminal breaks their lines anew."""

from __future__ import annotations

import inspect
from collections.abc import Callable


def unwrapped(command: Callable[..., object]) -> str:
    """Return a command's docstring with each paragraph in one line; lines of a paragraph have one indentation."""
    lines: list[str] = []
    for line in (inspect.getdoc(command) or "").splitlines():
        before = lines[-1] if lines else ""
        rules = line.startswith("---") or before.startswith("---")
        if line.strip() and before.strip() and not rules and _indent(line) == _indent(before):
            lines[-1] = f"{before} {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
