"""Docstrings and signatures as help: the terminal breaks lines anew, and usage names each argument."""

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


def usage_of(command: Callable[..., object], name: str) -> str:
    """Return the usage of a command: required options, then its arguments by name, in brackets if they are optional."""
    parameters = inspect.signature(command).parameters.values()
    options = [each for each in parameters if each.kind is each.KEYWORD_ONLY]
    required = [f"--{each.name.replace('_', '-')} {each.name.upper()}" for each in options if _is_required(each)]
    positional = [_argument(each) for each in parameters if each.kind is each.POSITIONAL_ONLY]
    return " ".join(
        ["Usage: nlpcalib", name.replace("_", "-"), *required, *(["[OPTIONS]"] if options else []), *positional]
    )


def _argument(parameter: inspect.Parameter) -> str:
    several = "list[Path]" in parameter.annotation or parameter.annotation == "AllFiles"
    word = parameter.name.upper() + "..." * several
    return word if _is_required(parameter) else f"[{word}]"


def _is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
