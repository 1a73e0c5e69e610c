"""Write what rules ask for and how many jobs a submission has, from the records of an earlier run: a part of a profile.

    python tools/measured_resources.py RUN >> profiles/slurm/profile.yaml

RUN is the folder of a finished run, which has `results`. A rule asks for the largest memory and time of its jobs, with
a margin. Inputs larger than those of its largest job ask for as many times more as they are larger. Inputs below 1 MB
do not show how needs grow: most of such a job is its start. A second attempt asks for twice as much.

Short jobs of a rule are submitted together, as many as fill ten minutes of one processor. Where the workflow has a
group of several rules, its chains are submitted together instead.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from reproduction.workflow.rules import read_rules

ROOT = Path(__file__).parents[1]

MEMORY_MARGIN = 1.5
"""What is asked for, as a multiple of the measured peak: the node's own view of memory has more than the process."""
TIME_MARGIN = 4.0
"""The same of the time: another machine may be slower, or busy."""
MIN_MEMORY_MB, MIN_MINUTES = 500, 10
"""The least that a job asks for."""
MIN_MINUTES_IN_GROUP = 3
"""The same of a job among others in a submission, which starts Snakemake once for all of them."""
GROUP_SECONDS = 600
"""Processor time that the jobs of a submission fill: a submission costs a few seconds, and some waiting."""
MAX_JOBS_IN_GROUP = 50
"""Most jobs, or chains of jobs, of a submission: if one fails, all of them are submitted again."""
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
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    """The files of its record."""


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
            files_of = (frozenset(whole["inputs"]), frozenset(whole["files"]))
            yield Job(whole["rule"], size, used["peak_mb"], used["seconds"], *files_of)


def group_sizes(jobs: Iterable[Job], group_of: Mapping[str, str]) -> dict[str, int]:
    """Return how many jobs of a rule, or chains of jobs of a group of rules, are one submission, where it is several.

    `group_of` has the group of each rule that is submitted: the workflow's or, without one, the rule's own name. A rule
    with one job in the run stays alone. So does one with jobs that wait for each other by way of another rule: together
    they would wait for themselves.
    """
    submitted = [job for job in jobs if job.rule in group_of]
    longest: dict[str, float] = defaultdict(float)
    for job in submitted:
        longest[job.rule] = max(longest[job.rule], job.seconds)
    seconds: dict[str, float] = defaultdict(float)
    for rule, each in longest.items():
        seconds[group_of[rule]] += each
    several = {group_of[rule] for rule, number in Counter(job.rule for job in submitted).items() if number > 1}
    after = _later(submitted, group_of)
    sizes = {
        group: min(MAX_JOBS_IN_GROUP, int(GROUP_SECONDS / max(seconds[group], 1)))
        for group in sorted(several)
        if group not in after[group]
    }
    return {group: size for group, size in sizes.items() if size > 1}


def _later(jobs: list[Job], group_of: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the groups whose jobs wait for one of a group, directly or not, by way of another group."""
    written_by = {file: group_of[job.rule] for job in jobs for file in job.writes}
    next_groups: dict[str, set[str]] = defaultdict(set)
    for job in jobs:
        group = group_of[job.rule]
        for file in job.reads & written_by.keys():
            if written_by[file] != group:
                next_groups[written_by[file]].add(group)
    later: dict[str, set[str]] = defaultdict(set)
    for group in list(next_groups):
        waiting = [*next_groups[group]]
        while waiting:
            found = waiting.pop()
            if found not in later[group]:
                later[group].add(found)
                waiting += next_groups.get(found, ())
    return later


def resources(jobs: Iterable[Job], in_groups: Collection[str] = ()) -> dict[str, dict[str, str]]:
    """Return `mem_mb` and `runtime` of each rule, as expressions of `input.size_mb` and `attempt`.

    `in_groups` are the rules whose jobs are submitted together: each job's minutes are added there.
    """
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
            "runtime": _expression(
                TIME_MARGIN * job.seconds / 60,
                MIN_MINUTES_IN_GROUP if job.rule in in_groups else MIN_MINUTES,
                job.input_mb,
            ),
        }
        for _, job in sorted(largest.items())
    }


def _expression(amount: float, least: int, input_mb: float) -> str:
    """Return an expression for `amount`, or `least` if it is more, that grows with inputs above `input_mb`."""
    asked = max(math.ceil(amount), least)
    if input_mb < MIN_TELLING_INPUT_MB:
        return f"{asked} * attempt"
    return f"int(max({asked}, {amount / input_mb:.3g} * input.size_mb)) * attempt"


def profile_lines(jobs: Iterable[Job], group_of: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a profile for the rules of these jobs."""
    jobs = list(jobs)
    sizes = group_sizes(jobs, group_of)
    in_groups = {rule: group for rule, group in group_of.items() if group in sizes}
    asked = resources(jobs, in_groups)
    yield "set-resources:"
    for rule, expressions in asked.items():
        yield f"  {rule}:"
        yield from (f"    {name}: {expression}" for name, expression in expressions.items())
    if sizes:
        yield "groups:"
        yield from (f"  {rule}: {in_groups[rule]}" for rule in asked if rule in in_groups)
        yield "group-components:"
        yield from (f"  {group}: {size}" for group, size in sizes.items())


def main() -> None:
    """Print the parts `set-resources`, `groups` and `group-components` of a profile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="the folder of a finished run")
    run = parser.parse_args().run
    jobs = list(measured_jobs(run))
    if not jobs:
        parser.error(f"{run}: found no record of a job in results/logs, expected those of a finished run")
    rules = read_rules(ROOT, "studies/Snakefile")
    group_of = {name: rule.group or name for name, rule in rules.items() if not rule.local}
    print("\n".join(profile_lines(jobs, group_of)))


if __name__ == "__main__":
    main()
