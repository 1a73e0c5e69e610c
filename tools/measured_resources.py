"""Write what rules ask for, by the size of their inputs, from the records of an earlier run: a part of a profile.

    python tools/measured_resources.py RUN >> profiles/slurm/profile.yaml

RUN is the folder of a finished run, which has `results`. A rule asks for the largest memory and time of its jobs, with
a margin. Inputs larger than those of its largest job ask for as many times more as they are larger. Inputs below 1 MB
do not show how needs grow: most of such a job is its start. A second attempt asks for twice as much.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

MEMORY_MARGIN = 1.5
"""What is asked for, as a multiple of the measured peak: the node's own view of memory has more than the process."""
TIME_MARGIN = 4.0
"""The same of the time: another machine may be slower, or busy."""
MIN_MEMORY_MB, MIN_MINUTES = 500, 10
"""The least that a job asks for."""
MIN_TELLING_INPUT_MB = 1.0
"""Inputs below which needs are not taken to grow with them."""
_BYTES_PER_MB = 1 << 20
"""As in Snakemake's `input.size_mb`."""


class Job(NamedTuple):
    """What one job took."""

    rule: str
    input_mb: float
    peak_mb: float
    seconds: float


def measured_jobs(run: Path) -> Iterator[Job]:
    """Yield the jobs of a run that ended well, with the size of those of their inputs that are still there."""
    for path in sorted((run / "results/logs").rglob("*.json")):
        used = json.loads(path.read_text(encoding="utf-8"))
        if "peak_mb" not in used:
            continue
        records = (json.loads((run / name).read_text(encoding="utf-8")) for name in used["records"])
        whole = next((record for record in records if "inputs" in record), None)
        if whole is not None:
            files = [run / name for name in whole["inputs"]]
            size = sum(file.stat().st_size for file in files if file.is_file()) / _BYTES_PER_MB
            yield Job(whole["rule"], size, used["peak_mb"], used["seconds"])


def resources(jobs: Iterable[Job]) -> dict[str, dict[str, str]]:
    """Return `mem_mb` and `runtime` of each rule, as expressions of `input.size_mb` and `attempt`."""
    largest: dict[str, Job] = {}
    for job in jobs:
        known = largest.setdefault(job.rule, job)
        # Smaller inputs may still have taken more, and what they took has to be enough.
        peak, seconds = max(job.peak_mb, known.peak_mb), max(job.seconds, known.seconds)
        size = max(job.input_mb, known.input_mb)
        largest[job.rule] = Job(job.rule, size, peak, seconds)
    return {
        job.rule: {
            "mem_mb": _expression(MEMORY_MARGIN * job.peak_mb, MIN_MEMORY_MB, job.input_mb),
            "runtime": _expression(TIME_MARGIN * job.seconds / 60, MIN_MINUTES, job.input_mb),
        }
        for _, job in sorted(largest.items())
    }


def _expression(amount: float, least: int, input_mb: float) -> str:
    """Return an expression for `amount`, or `least` if it is more, that grows with inputs above `input_mb`."""
    asked = max(math.ceil(amount), least)
    if input_mb < MIN_TELLING_INPUT_MB:
        return f"{asked} * attempt"
    return f"int(max({asked}, {amount / input_mb:.3g} * input.size_mb)) * attempt"


def main() -> None:
    """Print the part `set-resources` of a profile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="the folder of a finished run")
    run = parser.parse_args().run
    found = resources(measured_jobs(run))
    if not found:
        parser.error(f"{run}: found no record of a job in results/logs, expected those of a finished run")
    print("set-resources:")
    for rule, asked in found.items():
        print(f"  {rule}:")
        for name, expression in asked.items():
            print(f"    {name}: {expression}")


if __name__ == "__main__":
    main()
