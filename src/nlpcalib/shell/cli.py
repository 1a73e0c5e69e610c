"""The `nlpcalib` command."""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import nlpcalib
from nlpcalib.examination.report import shortened
from nlpcalib.io.destinations import check_outputs
from nlpcalib.shell import (
    calibrate,
    compare,
    coref,
    estimate,
    events,
    explore,
    learn,
    plan_items,
    plan_labels,
    recalibrate,
    score,
    spans,
    verify,
)
from nlpcalib.shell.arguments import OUTPUTS, input_paths
from nlpcalib.shell.exits import OverLimitError, run_command
from nlpcalib.shell.options import Run, add_command

RUNS: dict[str, Run | dict[str, Run]] = {
    "calibrate": calibrate.run,
    "explore": explore.run,
    "compare": compare.run,
    "recalibrate": recalibrate.run,
    "plan": {"labels": plan_labels.run, "items": plan_items.run},
    "estimate": estimate.run,
    "verify": verify.run,
    "coref": coref.run,
    "events": events.run,
    "learn": learn.run,
    "spans": spans.run,
    "score": score.run,
}
"""What runs each subcommand."""


_MAX_LINES = 5
"""Lines about the tables that were read: what each was taken to be, and warnings."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status, which `run_command` describes, after one line on standard error."""

    def command() -> None:
        options = _parse(arguments)
        logging.basicConfig(format="nlpcalib: warning: %(message)s", level=logging.WARNING)
        held: list[str] = []  # a command that fails has one line
        warnings.showwarning = partial(_show, held)
        warnings.simplefilter("always", nlpcalib.InputWarning)
        _check_outputs(options)
        options.run(options)
        tables = () if getattr(options, "quiet", False) else getattr(options, "tables", ())
        summaries = [f"{path}: {facts.summary()}" for path, facts in tables]
        warned = [f"warning: {line}" for line in shortened(held, _MAX_LINES - len(summaries))]
        print(*(f"nlpcalib: {line}\n" for line in (*summaries, *warned)), sep="", end="", file=sys.stderr)
        if passed := getattr(options, "passed", ""):
            raise OverLimitError(passed)

    with warnings.catch_warnings():
        return run_command("nlpcalib", command)


def _check_outputs(options: argparse.Namespace) -> None:
    """Raise `InputError` before any work where an output cannot be written, or would replace what is read."""
    inputs = [*input_paths(options), *map(Path, filter(None, [getattr(options, "parser", None)]))]
    if options.writes:
        check_outputs(inputs, folder=options.out, names=options.writes)
    else:
        check_outputs(inputs, [path for name in OUTPUTS if (path := getattr(options, name, None)) is not None])


def _show(held: list[str], message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print a warning, or hold it back for the end of the command if it is about the input."""
    if issubclass(category, nlpcalib.InputWarning):
        held.append(str(message))
    else:
        print(f"nlpcalib: warning: {message}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors begin with what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message}\n{self.format_usage()}{self.prog} --help explains each option.\n")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _Parser(prog="nlpcalib", description=nlpcalib.__doc__)
    parser.add_argument("--version", action="version", version=f"nlpcalib {nlpcalib.__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run in RUNS.items():
        add_command(commands, name, run)
    if not (sys.argv[1:] if arguments is None else arguments):
        parser.print_help()
        parser.exit()
    options, unknown = parser.parse_known_args(arguments)
    if unknown:  # answered by the subcommand, whose usage lists what it takes
        options.command.error(f"unrecognized arguments: {' '.join(unknown)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
