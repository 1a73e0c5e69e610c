"""`nlpcalib plan`: how many labels does it take, and of what?"""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.shell.arguments import add_reading, check_files, read_pairs, share
from nlpcalib.shell.estimate import add_sampling, run_sampling

_FOR_DETECTING = (
    "q",
    "y",
    "unit",
    "document",
    "label",
    "format",
    "view",
    "skip_unanswered",
    "power",
    "prevalence",
    "level",
)
_FOR_SAMPLING = ("out", "codebook", "design", "seed", "question")


def _refuse(options: argparse.Namespace, names: tuple[str, ...], why: str) -> None:
    """End the command with its usage if options are given that it would not use."""
    given = [name for name in names if getattr(options, name) != options.command.get_default(name)]
    if given:
        options.command.error(f"{', '.join(f'--{name}' for name in given).replace('_', '-')} {why}")


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "plan",
        help="plan how many labels to make, and choose the items to read",
        description="Print how many labels it takes to detect a calibration error. FILE has predictions and labels "
        "that you have: the spread of predictions and the dependence within units are taken from it. With --budget or "
        "--width, write a plan, a blind sheet and a page of the items of FILE to annotate, for `nlpcalib estimate`.",
    )
    command.add_argument("file", type=Path, nargs="?", metavar="FILE", help="predictions with labels, as for calibrate")
    detecting = command.add_argument_group("detect", "how many labels a calibration error takes")
    detecting.add_argument("--detect", type=share, metavar="E", help="calibration error to detect: .02")
    detecting.add_argument(
        "--prevalence", type=share, default=0.5, metavar="P", help="share of positive labels, without FILE (default .5)"
    )
    detecting.add_argument("--power", type=share, default=0.8, metavar="P", help="chance to detect it (default .8)")
    detecting.add_argument("--level", type=share, default=0.95, metavar="L", help="level of the interval (default .95)")
    add_reading(command)
    add_sampling(command)
    command.set_defaults(run=run, command=command, writes=("plan.json",))


def run(options: argparse.Namespace) -> None:
    """Print the answer, or choose items to annotate."""
    sampling = options.budget is not None or options.width is not None or bool(options.sampled)
    if sampling == (options.detect is not None):
        options.command.error("expected either --detect, or one of --budget, --width and --labels")
    if sampling:
        if options.file is None:
            options.command.error("expected FILE, whose items are to be read")
        _refuse(options, _FOR_DETECTING, "belong to --detect")
        run_sampling(options)
        return
    _refuse(options, _FOR_SAMPLING, "belong to --budget and --width")
    if options.file is not None:
        check_files(options.file)
    from nlpcalib.api.plan import estimated_design_effect, plan_labels

    given: dict = {"prevalence": options.prevalence}
    if options.file is not None:
        pairs = read_pairs(options.file, options)
        given = {"q": pairs.q, "design_effect": estimated_design_effect(pairs)}
    plan = plan_labels(detect=options.detect, power=options.power, level=options.level, **given)
    print(*plan.lines(), sep="\n")
