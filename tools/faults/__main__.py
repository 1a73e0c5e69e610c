"""Hurt runs of the workflow, run them again as a user would, and compare every byte with a run that was left in peace.

    python -m tools.faults --small
    python -m tools.faults --folder ../campaign
    python -m tools.faults --folder ../campaign --faults kill disk_full --times 50 --seed 2

Each fault has fresh copies of the project, which are removed if nothing was lost. A line is printed for each fault, and
the exit status is 1 if one did harm. Some faults need root, and all need Linux.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.checks import Checks, require
from tools.faults.campaign import Campaign
from tools.faults.commands import COMMANDS
from tools.faults.damages import damage, well_formed
from tools.faults.interruptions import clock, kill, signals, two_runs
from tools.faults.outcomes import Outcome, table
from tools.faults.shortages import address_space, disk_full, memory, read_only

RUNS = {
    each.__name__: each
    for each in (kill, signals, disk_full, memory, address_space, damage, well_formed, two_runs, clock, read_only)
}
SMALL = {
    **{"stopped": 6, "replaced": 6, "mixtures": 6},
    **{"signals": 3, "kill": 3, "two_runs": 1, "clock": 1, "damage": 1, "well_formed": 40},
}
"""How often each fault strikes before every merge, on one chapter."""
CHAPTER = ("results/tables/timeline/sentiment.csv", "results/figures/timeline/figure_2.csv")


def arguments() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, help="where copies of the project are made (default: a temporary one)")
    parser.add_argument("--small", action="store_true", help="few strikes on one chapter, a few minutes")
    parser.add_argument("--faults", nargs="+", choices=RUNS | COMMANDS)
    parser.add_argument("--times", type=int, default=50, help="how often to strike (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: %(default)s)")
    parser.add_argument("--configs", nargs="+", default=["configs/smoke.yaml"])
    parser.add_argument("--targets", nargs="*", default=[], help="of Snakemake (default: all)")
    return parser.parse_args()


def campaign(options: argparse.Namespace, folder: Path) -> int:
    """Strike with each fault, print how it came out, and return the exit status."""
    faults = options.faults or list(SMALL if options.small else RUNS | COMMANDS)
    targets = CHAPTER if options.small else tuple(options.targets)
    checks, outcomes = Checks(), []
    runs: Campaign | None = None
    for fault in faults:
        times = SMALL.get(fault, 1) if options.small else options.times
        struck: list[Outcome] = []
        with checks.claim(f"{fault}: it struck, and each rerun ended well"):
            found: Iterator[Outcome]
            if fault in COMMANDS:
                found = COMMANDS[fault](folder, times, random.Random(options.seed))
            else:
                runs = runs or Campaign(folder, tuple(options.configs), options.cores, options.seed, times, targets)
                runs.times = times
                found = RUNS[fault](runs)
            for outcome in found:
                struck.append(outcome)
                with checks.claim(f"{outcome.fault}: nothing in part, different, lost or believed"):
                    outcome.check()
            require(sum(outcome.times for outcome in struck) > 0, "it never struck")
        outcomes += struck
    print(table(outcomes))
    return checks.status


def main() -> int:
    """Run a campaign in a folder."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it
    options = arguments()
    if sys.platform != "linux":
        raise SystemExit("processes and files are watched as Linux allows it")
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
        return campaign(options, options.folder.resolve())
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        return campaign(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
