"""`nlpcalib plan labels` and `nlpcalib plan items`: how many labels does it take, and of what?"""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.shell import plan_items
from nlpcalib.shell.arguments import add_reading, check_files, read_pairs, share


def add(commands) -> None:
    """Add the two subcommands."""
    command = commands.add_parser("plan", help="plan how many labels to make, or choose the items to annotate")
    refuse = command.error

    def error(message: str) -> None:
        refuse(
            f"{message}: expected `nlpcalib plan labels` with --detect (how many labels), or "
            "`nlpcalib plan items FILE` with --budget, --width or --labels (which items to annotate)"
        )

    command.error = error  # the two were one command, chosen by their options
    parts = command.add_subparsers(required=True, metavar="COMMAND")
    _add_labels(parts)
    plan_items.add(parts)


def _add_labels(commands) -> None:
    command = commands.add_parser(
        "labels",
        help="how many labels it takes to detect a calibration error",
        description="Print how many labels it takes to detect a calibration error. FILE has predictions and labels "
        "that you have: the spread of predictions and the dependence within units are taken from it.",
    )
    command.add_argument("file", type=Path, nargs="?", metavar="FILE", help="predictions with labels, as for calibrate")
    command.add_argument("--detect", type=share, required=True, metavar="E", help="calibration error to detect: .02")
    command.add_argument(
        "--prevalence", type=share, default=0.5, metavar="P", help="share of positive labels, without FILE (default .5)"
    )
    command.add_argument("--power", type=share, default=0.8, metavar="P", help="chance to detect it (default .8)")
    command.add_argument("--level", type=share, default=0.95, metavar="L", help="level of the interval (default .95)")
    add_reading(command)
    command.set_defaults(run=run, command=command)


def run(options: argparse.Namespace) -> None:
    """Print how many labels it takes."""
    if options.file is not None:
        check_files(options.file)
    from nlpcalib.api.plan import estimated_design_effect, plan_labels

    given: dict = {"prevalence": options.prevalence}
    if options.file is not None:
        pairs = read_pairs(options.file, options)
        given = {"q": pairs.q, "design_effect": estimated_design_effect(pairs)}
    plan = plan_labels(detect=options.detect, power=options.power, level=options.level, **given)
    print(*plan.lines(), sep="\n")
