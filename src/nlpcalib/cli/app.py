"""The `nlpcalib` command."""

from __future__ import annotations

import inspect
import logging
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from cyclopts import App, CycloptsError, Parameter

import nlpcalib
from nlpcalib.cli import (
    calibrate,
    compare,
    coref,
    estimate,
    events,
    explore,
    learn,
    plan,
    recalibrate,
    score,
    spans,
    verify,
)
from nlpcalib.cli.exits import REFUSED, OverLimitError, run_command
from nlpcalib.errors import InputError, InputWarning
from nlpcalib.predictions.reading import Reading

app = App(
    name="nlpcalib",
    help=nlpcalib.__doc__,
    version=f"nlpcalib {nlpcalib.__version__}",
    help_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=False),
)
for command in (
    calibrate.calibrate, explore.explore, compare.compare, recalibrate.recalibrate, estimate.estimate, verify.verify,
    coref.coref, events.events, learn.learn, spans.spans, score.score,
):  # fmt: skip
    app.command(command)
app.command(plan.app)
app.register_install_completion_command()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status, which `run_command` describes, after one line on standard error."""
    return run_command("nlpcalib", lambda: _run(sys.argv[1:] if arguments is None else list(arguments)))


def _run(arguments: Sequence[str]) -> None:
    """Run a command; warnings of bad input follow when it has ended well."""
    command, bound = _parse(arguments)
    as_options = _namer(command)
    logging.basicConfig(format="nlpcalib: warning: %(message)s", level=logging.WARNING)
    kept: list[str] = []

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        line = f"nlpcalib: warning: {as_options(str(message))}"
        if issubclass(category, InputWarning):
            kept.append(line)
        else:
            print(line, file=sys.stderr)

    warnings.showwarning = show
    warnings.simplefilter("always", InputWarning)
    try:
        command(*bound.args, **bound.kwargs)
    except InputError as error:
        raise InputError(as_options(str(error))) from None
    except OverLimitError:
        _print_lines(kept)
        raise
    _print_lines(kept)


def _print_lines(lines: Sequence[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)


def _parse(arguments: Sequence[str]) -> tuple[Callable[..., Any], inspect.BoundArguments]:
    """Return the function of the command and its arguments; exit with status 2 and one line for others."""
    try:
        command, bound, _ = app.parse_args(list(arguments), exit_on_error=False, print_error=False)
    except CycloptsError as error:
        name = " ".join(("nlpcalib", *(error.command_chain or ())))
        print(f"{name}: error: {_message(error)}\n{name} --help explains each option.", file=sys.stderr)
        raise SystemExit(REFUSED) from None
    return command, bound


def _message(error: CycloptsError) -> str:
    """Return what is wrong, in one line."""
    error.verbose = False
    return " ".join(str(error).split())


def _namer(command: Callable[..., Any]) -> Callable[[str], str]:
    """Return a function that names arguments in a message, such as `by=`, as the options of a command: `--by`."""
    names = {*inspect.signature(command).parameters, *(field.name for field in fields(Reading))}

    def option(match: re.Match[str]) -> str:
        name, value = match.groups()
        if name not in names:
            return match.group()
        return f"--{name.replace('_', '-')}{' ' * bool(value)}{value}"

    return lambda message: re.sub(r"(?<![\w-])([a-z][a-z_]*)=([\w./'\"{-]?)", option, message)


if __name__ == "__main__":
    sys.exit(main())
