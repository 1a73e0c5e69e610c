"""`nlpcalib plan labels` and `nlpcalib plan items`: how many labels does it take, and of what?"""

from __future__ import annotations

import argparse

from nlpcalib.shell import plan_items
from nlpcalib.shell.arguments import check_files, read_pairs
from nlpcalib.shell.options import add_command


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
    add_command(parts, "plan_labels", run)
    plan_items.add(parts)


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
