"""The `nlpcalib` command."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence

import nlpcalib
from nlpcalib.errors import InputError
from nlpcalib.shell import calibrate, compare, coref, plan, recalibrate

SUBCOMMANDS = (calibrate, compare, recalibrate, plan, coref)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 2 after one line on standard error if the input cannot be used."""
    options = _parse(arguments)
    warnings.showwarning = lambda message, *_, **__: print(f"nlpcalib: warning: {message}", file=sys.stderr)
    try:
        options.run(options)
    except (InputError, OSError) as error:
        print(f"nlpcalib: {error}", file=sys.stderr)
        return 2
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="nlpcalib", description=nlpcalib.__doc__)
    parser.add_argument("--version", action="version", version=f"nlpcalib {nlpcalib.__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for subcommand in SUBCOMMANDS:
        subcommand.add(commands)
    options, unknown = parser.parse_known_args(arguments)
    if unknown:  # answered by the subcommand, whose usage lists what it takes
        options.command.error(f"unrecognized arguments: {' '.join(unknown)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
