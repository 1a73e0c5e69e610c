"""Write what a change makes a finished run do again: docs/reference/reruns.md.

In the folder of a finished run of the default configuration, it plans each change and adds up the CPU time of the jobs
that Snakemake would run, from the records next to the logs of the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/reference/reruns.md"


class Change(NamedTuple):
    """A change of a finished run."""

    shown: str
    before: tuple[int, int]
    """Jobs and percent of the CPU time before calibration was a stage of its own (commit a082ecda)."""
    config: Mapping[str, Any] = MappingProxyType({})
    module: str = ""
    """A module of the library that gets a comment and a longer docstring."""


CHANGES = (
    Change("a comment in `nlpcalib/errors.py`", (100, 100), module="nlpcalib/errors.py"),
    Change("a comment in `calibration/estimates.py`", (66, 54), module="nlpcalib/calibration/estimates.py"),
    Change("`calibration.bin_size`", (19, 12), {"calibration": {"bin_size": 4000}}),
    Change("`calibration.draws`", (33, 20), {"calibration": {"draws": 9000}}),
    Change("`sentiment.bin_size`", (8, 1), {"sentiment": {"bin_size": 400}}),
    Change("one more verb in a query", (22, 17), {"events": {"queries": {"attack": {"verbs": ["attack", "bomb"]}}}}),
    Change("one more `c2`", (17, 13), {"tagging": {"c2": [0.003, 0.01, 0.03, 0.1]}}),
    Change("`events.countries`", (15, 6), {"events": {"countries": 12}}),
)


def pending_jobs(config: Mapping[str, Any]) -> set[str]:
    """Return the logs of the jobs that Snakemake would run with some keys of the configuration changed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "change.yaml")
        path.write_text(json.dumps(dict(config)), encoding="utf-8")
        # The configuration is written down for any change, by one job of a few milliseconds.
        command = [sys.executable, "-m", "snakemake", "--summary", "--cores", "1"]
        command += ["--configfile", str(path)] if config else []
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    columns = rows[0]
    return {
        row[columns.index("log-file(s)")]
        for row in rows[1:]
        if len(row) == len(columns) and row[columns.index("plan")] == "update pending"
    } - {"results/logs/merged_config.log"}


def cpu_seconds(log: str) -> float:
    """Return the CPU time of the job that wrote a log, 0 for a job that the finished run did not have."""
    path = (ROOT / log).with_suffix(".json")
    return json.loads(path.read_text(encoding="utf-8")).get("cpu_seconds", 0.0) if path.is_file() else 0.0


def planned(change: Change) -> set[str]:
    """Return the logs of the jobs that a change reruns; a module is as before afterwards."""
    if not change.module:
        return pending_jobs(change.config)
    path = ROOT / "src" / change.module
    before = path.read_bytes()
    try:
        path.write_bytes(before.replace(b'"""', b'"""As before: ', 1) + b"# a comment\n")
        return pending_jobs({})
    finally:
        path.write_bytes(before)


def page() -> str:
    """Return the page."""
    total = sum(cpu_seconds(path.relative_to(ROOT).as_posix()) for path in ROOT.glob("results/logs/**/*.json"))
    if not total:
        raise SystemExit("results/logs: found no finished run, expected one of the default configuration")
    lines = [
        "# What a change runs again\n",
        "Shares are of the CPU time of the default run. `tools/rerun_table.py` writes this page from a finished run.",
        "*Before* is commit a082ecda.\n",
        "| change | jobs before | CPU before | jobs | CPU |",
        "| --- | --- | --- | --- | --- |",
    ]
    for change in CHANGES:
        logs = planned(change)
        share = sum(map(cpu_seconds, logs)) / total
        jobs, percent = change.before
        lines.append(f"| {change.shown} | {jobs} | {percent} % | {len(logs)} | {100 * share:.0f} % |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
