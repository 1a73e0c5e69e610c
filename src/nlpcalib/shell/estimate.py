"""`nlpcalib estimate`, and the options of `nlpcalib plan` that choose whom to read."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.sampling.choices import BORROWING, DESIGNS, METHODS
from nlpcalib.shell.arguments import at_least, share

WRITTEN = (
    "estimates.csv", "estimates.json", "intervals.png", "intervals.pdf", "intervals.csv", "agreement.csv",
    "disagreements.csv",
)  # fmt: skip
_YES = "the label that counts as positive (default: yes, true, 1)"


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "estimate",
        help="estimate how many items of a corpus are positive, from predictions and labels",
        description="Print the number of positive items in FILE with an interval that holds whatever the model misses, "
        f"from the labels of the items that `nlpcalib plan` chose. With --out, write {', '.join(WRITTEN[:5])} and,"
        f" where several annotators read the same items, {' and '.join(WRITTEN[5:])}.",
    )
    command.add_argument(
        "file", type=Path, metavar="FILE", help="Parquet, CSV or TSV with q[, id, unit, …] of each item"
    )
    command.add_argument(
        "labels", type=Path, nargs="+", metavar="LABELS",
        help="annotated sheets, of one or more annotators, or exports of Label Studio, Prodigy, Argilla or doccano",
    )  # fmt: skip
    command.add_argument("--plan", type=Path, required=True, metavar="PLAN", help="plan.json that chose the items")
    command.add_argument("--by", default="", metavar="A,B", help="columns of FILE whose groups are estimated too")
    command.add_argument(
        "--borrow", choices=BORROWING, default="none",
        help="what groups share: nothing; rates with one change at most over the last column of --by, a period; all "
        "rates (default: none)",
    )  # fmt: skip
    command.add_argument("--yes", metavar="NAME", help=_YES)
    command.add_argument(
        "--settled", type=Path, metavar="SHEET",
        help="labels that decide where annotators differ: disagreements.csv of an earlier call, filled in",
    )  # fmt: skip
    command.add_argument(
        "--method", choices=METHODS, default="score",
        help="how labels and predictions are joined (default: score). Score: labels correct a working model, and the "
        "interval holds for rare events. Classical: the labels alone. PPI++: predictions weighted by their fit to the "
        "labels. Active: predictions plus the weighted errors of what was read",
    )  # fmt: skip
    command.add_argument("--level", type=share, default=0.95, metavar="L", help="level of the interval (default .95)")
    command.add_argument("--out", type=Path, metavar="DIR", help="folder for the results (default: nothing is written)")
    command.set_defaults(run=run, command=command, writes=WRITTEN)


def run(options: argparse.Namespace) -> None:
    """Print the answer and, if a folder is named, write the results."""
    from nlpcalib.shell.estimate_files import estimate_file

    estimate_file(
        options.file, options.labels, options.plan, by=[name for name in options.by.split(",") if name],
        out=options.out, method=options.method, level=options.level, yes=options.yes,
        settled=options.settled, borrow=options.borrow,
    )  # fmt: skip


def add_sampling(command: argparse.ArgumentParser) -> None:
    """Add the options of `nlpcalib plan` that choose items to annotate."""
    sampling = command.add_argument_group("sample of items", "with one of --budget, --width and --labels")
    sampling.add_argument(
        "--budget", type=at_least(1), metavar="N", help="items to annotate in all (units, if FILE has some)"
    )
    sampling.add_argument("--width", type=share, metavar="W", help="width of the interval for the share to aim at: .02")
    sampling.add_argument(
        "--labels", type=Path, nargs="+", default=(), metavar="LABELS", dest="sampled",
        help="labels of what is planned so far, to plan the rest",
    )  # fmt: skip
    sampling.add_argument("--yes", metavar="NAME", help=_YES)
    sampling.add_argument(
        "--design", choices=DESIGNS, default="two-phase", help="how items are drawn (default: two-phase)"
    )
    sampling.add_argument("--seed", type=at_least(0), default=0, metavar="K", help="seed of the sample (default 0)")
    sampling.add_argument("--question", default="Is this item positive?", metavar="TEXT", help="what the page asks")
    sampling.add_argument("--codebook", type=Path, metavar="FILE", help="text that the page shows to annotators")
    sampling.add_argument("--out", type=Path, metavar="DIR", help="folder for plan, sheet and page")


def run_sampling(options: argparse.Namespace) -> None:
    """Write the plan, the sheet and the page, and print what they are for."""
    from nlpcalib.errors import InputError
    from nlpcalib.io.files import check_file
    from nlpcalib.shell.estimate_files import plan_file

    if options.out is None:
        raise InputError("plan: found no --out, expected a folder for plan, sheet and page")
    codebook = ""
    if options.codebook is not None:
        check_file(options.codebook)
        try:
            codebook = options.codebook.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"{options.codebook}: found bytes that are not UTF-8, expected UTF-8 text") from None
    plan_file(
        options.file, options.out, budget=options.budget, width=options.width, labels=options.sampled, yes=options.yes,
        design=options.design, seed=options.seed, question=options.question, codebook=codebook,
    )  # fmt: skip
