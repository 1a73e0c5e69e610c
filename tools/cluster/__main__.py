"""Check the project's profiles with a real Slurm of one node, started for these checks alone.

    python -m tools.cluster

A line is printed for each check, and the exit status is 1 if one failed. The checks need root, Slurm, MUNGE and the
extra `cluster`, and are skipped without them.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from tools.checks import Checks, SkippedError, require
from tools.copies import ROOT, copy_project, result_bytes

SMOKE = "configs/smoke.yaml"
ONE_NODE = Path(__file__).with_name("one_node_slurm.sh")
INSTALLED = Path("/etc/slurm/slurm.conf")
PREFIX = "slurm-"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol")
PLUGINS = ("snakemake_executor_plugin_slurm", "snakemake_executor_plugin_cluster_generic")
QUICK = {"slurm": ["--slurm-init-seconds-before-status-checks", "2"], "cluster-generic": []}
"""Profiles, each with the options that make its checks quick."""

SENTIMENT = ["results/tables/timeline/sentiment.csv", "results/figures/timeline/figure_2.png"]
CRF = "results/tagging/newsroom/crf/candidates/1.0.npz"
CRFS = [CRF, "results/tagging/newsroom/crf/candidates/0.1.npz"]

HUNGRY = """
rule hungry:
    output:
        "fed.txt",
    script:
        "hungry.py"
"""
HOLDS_2200_MB = """
import pathlib, time
held = bytearray(b"x") * (2200 * 2**20)
time.sleep(4)
pathlib.Path(snakemake.output[0]).write_text(str(snakemake.resources.mem_mb))
"""


@contextmanager
def running_slurm(folder: Path) -> Iterator[None]:
    """Start Slurm, with its files in a folder, for the block."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        raise SkippedError(f"Slurm or MUNGE is not installed: no {', '.join(missing)}")
    missing = [plugin for plugin in PLUGINS if find_spec(plugin) is None]
    if missing:
        raise SkippedError(f"Snakemake's plugins are not installed: no {', '.join(missing)}")
    if os.geteuid() != 0:
        raise SkippedError("only root can start Slurm's daemons")
    if INSTALLED.is_symlink() and INSTALLED.readlink().parent.name.startswith(PREFIX):
        control("stop", INSTALLED.readlink().parent)  # these checks were killed before
    if INSTALLED.exists():
        raise SkippedError("a Slurm is configured on this machine, and these checks start their own")
    try:
        control("start", folder)
        yield
    finally:
        control("stop", folder)


def control(command: str, folder: Path) -> None:
    """Start or stop Slurm, or start its node again."""
    subprocess.run([ONE_NODE, command, folder], check=True, timeout=120)


def submitting(profile: str, *arguments: str) -> list[str]:
    """Return the command that runs the workflow with a profile."""
    return [sys.executable, "-m", "snakemake", *arguments, "--profile", f"profiles/{profile}", *QUICK[profile]]


def printed(command: list[str], folder: Path | None = None) -> str:
    """Run a command that is expected to succeed, and return what it prints."""
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    require(result.returncode == 0, f"status {result.returncode} of {' '.join(command)}:\n{result.stdout}")
    return result.stdout


@dataclass(frozen=True)
class Cluster:
    """A running Slurm, whose files and whose runs of the workflow are in a folder."""

    folder: Path

    @cached_property
    def local(self) -> dict[str, bytes]:
        """The results of a run without a cluster."""
        project = copy_project(self.folder / "local")
        arguments = [*SENTIMENT, *CRFS, "--cores", "2", "--configfile", SMOKE]
        printed([sys.executable, "-m", "snakemake", *arguments], project)
        return result_bytes(project / "results")

    def require_as_local(self, project: Path, *targets: str) -> None:
        """Raise `FailedError` unless the targets are there, and all results have the bytes of the local run."""
        made = result_bytes(project / "results")
        missing = [target for target in targets if target.removeprefix("results/") not in made]
        require(not missing, f"not made: {', '.join(missing)}")
        different = [path for path in sorted(made) if made[path] != self.local.get(path)]
        require(not different, f"different: {', '.join(different)}")

    def check_bytes_and_groups(self, profile: str) -> None:
        """A cluster makes the same bytes, and chains of short jobs are one submission each."""
        project = copy_project(self.folder / f"project_{profile}")
        text = printed(submitting(profile, *SENTIMENT, "--configfile", SMOKE), project)
        self.require_as_local(project, *SENTIMENT)
        # Simulate, draw and featurise; train all models; measure them and the truth.
        require_submissions(text, 3)

    def check_measured_groups(self, profile: str) -> None:
        """Short jobs of a rule are one submission, by what `tools/measured_resources.py` adds to a profile."""
        project = copy_project(self.folder / f"measured_{profile}")
        _ = self.local
        added = printed([sys.executable, "tools/measured_resources.py", str(self.folder / "local")], ROOT)
        with (project / f"profiles/{profile}/profile.yaml").open("a", encoding="utf-8") as file:
            file.write("\n" + added)
        text = printed(submitting(profile, *CRFS, "--configfile", SMOKE), project)
        self.require_as_local(project, *CRFS)
        # Simulate; train with two values of c2.
        require_submissions(text, 2)

    def check_memory(self, profile: str) -> None:
        """A job that holds 2,200 MB is retried with more than the default of 2,000 MB an attempt."""
        project = self.folder / f"hungry_{profile}"
        shutil.copytree(ROOT / "profiles", project / "profiles")
        (project / "Snakefile").write_text(HUNGRY, encoding="utf-8")
        (project / "hungry.py").write_text(HOLDS_2200_MB, encoding="utf-8")
        text = printed(submitting(profile), project)
        require("Trying to restart job" in text, text)
        fed = (project / "fed.txt").read_text(encoding="utf-8")
        require(fed == "4000", f"found {fed} MB at the attempt that succeeded, expected 4000")
        logs = "".join(path.read_text() for path in project.glob(".snakemake/*.log"))
        require("exceeded memory limit" in text + logs, text)

    def check_killed_node(self) -> None:
        """A node that is killed in the middle of a job is survived."""
        project = copy_project(self.folder / "killed")
        log = project / "results/logs/train_crf/1.0_newsroom.log"
        with (self.folder / "killed.txt").open("w+", encoding="utf-8") as output:
            command = submitting("slurm", CRF, "--configfile", SMOKE)
            snakemake = subprocess.Popen(command, cwd=project, stdout=output, stderr=subprocess.STDOUT)
            try:
                wait_until(lambda: log.exists() or snakemake.poll() is not None, 600)
                for process in [int((self.folder / "slurmd.pid").read_text()), *processes_of_jobs()]:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                wait_until(lambda: "down" in printed(["sinfo", "-h", "-o", "%T"]), 300)
                require(not (project / CRF).exists(), f"{CRF} was made before the node was killed")
                control("node", self.folder)
                status = snakemake.wait(600)
            finally:
                snakemake.kill()
            output.seek(0)
            text = output.read()
        require(status == 0, text)
        require("Trying to restart" not in text, text)
        jobs = printed(["scontrol", "show", "jobs"])
        require("Restarts=1" in jobs, jobs)
        self.require_as_local(project, CRF)


def require_submissions(text: str, expected: int) -> None:
    """Raise `FailedError` unless a run that printed `text` has submitted so many jobs and groups of jobs."""
    lines = [line for line in text.splitlines() if "has been submitted with" in line or "external jobid" in line]
    require(len(lines) == expected, f"found {len(lines)} submissions, expected {expected}:\n{text}")


def processes_of_jobs() -> list[int]:
    """Return the ids of what runs on the node: the daemon of each step first, then what the steps have started."""
    steps = printed(["pgrep", "-f", r"^slurmstepd: \["])
    listed = printed(["scontrol", "listpids"])
    processes = [*steps.split(), *(line.split()[0] for line in listed.splitlines()[1:])]
    return [int(process) for process in processes if int(process) > 0]


def wait_until(happened: Callable[[], bool], seconds: float) -> None:
    """Wait until something happened; raise `FailedError` if it takes too long."""
    deadline = time.monotonic() + seconds
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.05)
    require(happened(), f"waited for {seconds} seconds in vain")


def main() -> int:
    """Make the checks, and return the exit status."""
    checks = Checks()
    # MUNGE's user must be able to enter the folder.
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name, checks.claim("Slurm of one node starts and stops"):
        folder = Path(name)
        folder.chmod(0o755)
        with running_slurm(folder):
            cluster = Cluster(folder)
            for profile in QUICK:
                for check in (cluster.check_bytes_and_groups, cluster.check_memory, cluster.check_measured_groups):
                    checks.make(check, profile)
            checks.make(cluster.check_killed_node)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
