"""The `nlpcalib` command."""

from __future__ import annotations

import inspect
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from cyclopts import App, CycloptsError, MissingArgumentError, Parameter, UnusedCliTokensError

import nlpcalib
from nlpcalib.cli import (
    calibrate,
    compare,
    coref,
    estimate,
    events,
    judge,
    learn,
    look,
    plan,
    recalibrate,
    score,
    spans,
    verify,
)
from nlpcalib.cli.docstrings import unwrapped, usage_of
from nlpcalib.cli.example import with_example
from nlpcalib.cli.exits import REFUSED_STATUS, OverLimitError, run_command
from nlpcalib.cli.parameters import after_options
from nlpcalib.cli.reading import Reading
from nlpcalib.cli.terminal import print_note
from nlpcalib.errors import OPTIONS, InputWarning

app = App(
    name="nlpcalib",
    help=nlpcalib.__doc__,
    version=f"nlpcalib {nlpcalib.__version__}",
    help_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=False),
)
COMMANDS: tuple[App | Callable[..., None], ...] = (
    calibrate.calibrate, compare.compare, recalibrate.recalibrate, plan.app, estimate.estimate, judge.judge, look.look,
    verify.verify, coref.coref, score.score, events.events, learn.learn, spans.spans,
)  # fmt: skip
for number, command in enumerate(COMMANDS):
    if isinstance(command, App):
        command.sort_key = number
        app.command(command)
    else:
        command.__doc__ = unwrapped(command)
        app.command(command, sort_key=number, usage=usage_of(command, command.__name__))
app.register_install_completion_command()


MAX_WARNING_LINES = 3
"""Most lines of warnings about input: the last has all that are left."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status, which `run_command` describes, after one line on standard error."""
    return run_command("nlpcalib", lambda: _run(sys.argv[1:] if arguments is None else list(arguments)))


def _run(arguments: Sequence[str]) -> None:
    """Run a command; warnings of bad input follow when it has ended well."""
    words = after_options(with_example(arguments))
    command, bound = _parse(words)
    logging.basicConfig(format="nlpcalib: warning: %(message)s", level=logging.WARNING)
    kept: list[str] = []

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if issubclass(category, InputWarning):
            kept.append(str(message))
        else:
            print_note(f"nlpcalib: warning: {message}")

    over = None
    named = OPTIONS.set(_options(words))
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show
            warnings.simplefilter("always", InputWarning)
            command(*bound.args, **bound.kwargs)
    except OverLimitError as error:
        over = error
    finally:
        OPTIONS.reset(named)
    for line in shortened(kept, MAX_WARNING_LINES):
        print_note(f"nlpcalib: warning: {line}")
    if over is not None:
        raise over


def _options(words: Sequence[str]) -> dict[str, str]:
    """Return the options of the command that words call, by the names of parameters.

    `look`, which has none of those that read a table, prints what other commands are called with.
    """
    reading = {each.name: f"--{each.name.replace('_', '-')}" for each in fields(Reading)}
    *_, command = app.parse_commands(words)[1]
    if not getattr(command.default_command, "__module__", "").startswith(nlpcalib.__name__):  # cyclopts prints help
        return {}
    taken = command.assemble_argument_collection(parse_docstring=False)
    own = {each.field_info.name: each.names[0] for each in taken if each.parse and each.names[0].startswith("--")}
    return (reading if command.name == ("look",) else {}) | own


def _parse(words: Sequence[str]) -> tuple[Callable[..., Any], inspect.BoundArguments]:
    """Return the function of the command and its arguments; exit with status 2 and one line for others."""
    try:
        command, bound, _ = app.parse_args(words, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        name = " ".join(("nlpcalib", *(error.command_chain or ())))
        for line in (f"{name}: error: {_message(error)}", f"{name} --help explains each option."):
            print_note(line)
        raise SystemExit(REFUSED_STATUS) from None
    return command, bound


def _message(error: CycloptsError) -> str:
    """Return what is wrong, in one line."""
    usage = usage_of(error.target, " ".join(error.command_chain)) if error.target and error.command_chain else ""
    expected = usage.removeprefix("Usage: ")
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        return f"found no {error.argument.name}, expected {expected or 'it'}"
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens and expected:
        return f"found {' '.join(error.unused_tokens)} too, expected {expected}"
    error.verbose = False
    return " ".join(str(error).split())


def shortened(sentences: Sequence[str], most: int) -> list[str]:
    """Return at most so many sentences, the last of which has all that are left."""
    different = list(dict.fromkeys(sentences))
    rest = "; ".join(different[most - 1 :])
    return [*different[: most - 1], *([rest] if rest else [])]


if __name__ == "__main__":
    sys.exit(main())
