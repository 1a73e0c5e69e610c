"""Copies of the project that can be hurt: Snakemake in them, its jobs, and what they leave."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from watching import UNFINISHED

ROOT = Path(__file__).parents[2]
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")
UNTIMED = ("logs",)
"""Folders of results that tell when and how fast, and so differ between runs."""


@dataclass(frozen=True)
class Checkout:
    """A copy of the project. What its runs print is gathered in a file beside it."""

    folder: Path
    configs: tuple[str, ...]
    cores: int

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def log(self) -> Path:
        return self.folder.with_name(self.folder.name + ".log")

    def copy_project(self) -> Checkout:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in PROJECT:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
                shutil.copytree(ROOT / name, self.folder / name, ignore=ignored)
            else:
                shutil.copy(ROOT / name, self.folder / name)
        return self

    def copy_to(self, folder: Path) -> Checkout:
        """Return a copy with its results, times and what Snakemake knows of them."""
        shutil.copytree(self.folder, folder)
        return Checkout(folder, self.configs, self.cores)

    def start(self, *arguments: str, **options) -> subprocess.Popen:
        """Start Snakemake as the leader of a process group of its own; `options` are those of `Popen`."""
        command = [sys.executable, "-m", "snakemake", *arguments, "--cores", str(self.cores)]
        with self.log.open("ab") as log:
            place = {"cwd": self.folder, "start_new_session": True, "stdout": log, "stderr": subprocess.STDOUT}
            return subprocess.Popen([*command, "--configfile", *self.configs], **place, **options)

    def run(self, *arguments: str, **options) -> tuple[int, str]:
        """Run Snakemake to its end and return its exit status and what it and its jobs printed."""
        before = len(self.printed())
        status = self.start(*arguments, **options).wait()
        return status, self.printed()[before:]

    def printed(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def finished(self) -> int:
        """Return how many jobs have ended well in all runs together."""
        return self.printed().count("\nFinished jobid: ")

    def contents(self) -> dict[str, bytes]:
        """Return the bytes of every result by its path, without those that tell of time and what is left unfinished."""
        paths = (path.relative_to(self.results) for path in self.results.rglob("*") if path.is_file())
        kept = (path for path in paths if path.parts[0] not in UNTIMED and UNFINISHED not in path.as_posix())
        found = {}
        for path in kept:
            with suppress(FileNotFoundError):  # Snakemake may take an output away before it is made again
                found[path.as_posix()] = (self.results / path).read_bytes()
        return found

    def left_over(self) -> int:
        """Return how many temporary folders of killed jobs are left."""
        return sum(path.name.startswith(UNFINISHED) for path in self.results.rglob("*") if path.is_dir())


def running_jobs(process: subprocess.Popen) -> dict[int, str]:
    """Return the scripts that Snakemake is running, by process number."""
    jobs = {}
    for children in Path(f"/proc/{process.pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, children.read_text().split()):
                script = re.search(rb"/scripts/tmp\w{8}\.(\w+)\.py", Path(f"/proc/{child}/cmdline").read_bytes())
                if script:
                    jobs[child] = script[1].decode()
    return jobs


def await_jobs(process: subprocess.Popen, started: int, seconds: float = 300) -> Counter:
    """Wait until so many jobs have been started, or Snakemake has ended, and return which were."""
    seen = {}
    deadline = time.monotonic() + seconds
    while len(seen) < started and process.poll() is None and time.monotonic() < deadline:
        seen |= running_jobs(process)
        time.sleep(0.01)
    return Counter(seen.values())


def alive(group: int) -> bool:
    """Return whether processes of a group are left, such as jobs whose Snakemake was killed."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def await_group(group: int, seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while alive(group) and time.monotonic() < deadline:
        time.sleep(0.05)
