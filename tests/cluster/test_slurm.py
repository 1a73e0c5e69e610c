"""The workflow on a cluster: the project's profiles with a real Slurm of one node, started for these tests alone."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")
SMOKE = "configs/smoke.yaml"
UNTIMED = ("logs", "benchmarks")
"""Folders of results that tell when and how fast, and so differ between runs."""

ONE_NODE = Path(__file__).with_name("one_node_slurm.sh")
INSTALLED = Path("/etc/slurm/slurm.conf")
PREFIX = "slurm-"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol")
PLUGINS = ("snakemake_executor_plugin_slurm", "snakemake_executor_plugin_cluster_generic")
QUICK = {"slurm": ["--slurm-init-seconds-before-status-checks", "2"], "cluster-generic": []}

SENTIMENT = ["results/tables/timeline/sentiment.csv", "results/figures/timeline/figure_2.png"]
CRF = "results/tagging/newsroom/crf/candidates/1.0.npz"

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


def reason_to_skip():
    """Return why no Slurm can be started here, or nothing."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        return f"Slurm or MUNGE is not installed: no {', '.join(missing)}"
    missing = [plugin for plugin in PLUGINS if find_spec(plugin) is None]
    if missing:
        return f"Snakemake's plugins are not installed: no {', '.join(missing)}"
    if os.geteuid() != 0:
        return "only root can start Slurm's daemons"
    if INSTALLED.is_symlink() and INSTALLED.readlink().parent.name.startswith(PREFIX):
        control("stop", INSTALLED.readlink().parent)  # these tests were killed before
    if INSTALLED.exists():
        return "a Slurm is configured on this machine, and these tests start their own"
    return ""


@pytest.fixture(scope="module")
def slurm():
    """The folder of a running Slurm. It is outside of pytest's, which MUNGE's user may not enter."""
    reason = reason_to_skip()
    if reason:
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        Path(folder).chmod(0o755)
        try:
            control("start", folder)
            yield Path(folder)
        finally:
            control("stop", folder)


def control(command, folder):
    subprocess.run([ONE_NODE, command, folder], check=True, timeout=120)


@pytest.fixture(params=QUICK)
def profile(request, slurm):
    return request.param


def copy_project(folder):
    for name in PROJECT:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
            )
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def submitting(profile, *arguments):
    return [sys.executable, "-m", "snakemake", *arguments, "--profile", f"profiles/{profile}", *QUICK[profile]]


def run(folder, command):
    """Run a command that is expected to succeed, and return what it prints."""
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert result.returncode == 0, result.stdout
    return result.stdout


def contents(folder):
    """Return the bytes of every result by its path, but for those that tell of time."""
    paths = [path for path in (folder / "results").rglob("*") if path.is_file()]
    named = {path.relative_to(folder): path for path in paths}
    return {name.as_posix(): path.read_bytes() for name, path in named.items() if name.parts[1] not in UNTIMED}


@pytest.fixture(scope="module")
def local(slurm, tmp_path_factory):
    """The results of a run without a cluster."""
    folder = copy_project(tmp_path_factory.mktemp("local") / "project")
    arguments = [*SENTIMENT, CRF, "--cores", "2", "--configfile", SMOKE]
    run(folder, [sys.executable, "-m", "snakemake", *arguments])
    return contents(folder)


def assert_as_local(folder, local, *targets):
    made = contents(folder)
    assert set(targets) <= set(made)
    assert [path for path in sorted(made) if made[path] != local.get(path)] == []


def test_a_cluster_makes_the_same_bytes_and_chains_of_short_jobs_are_one_submission_each(profile, local, tmp_path):
    folder = copy_project(tmp_path / "project")
    told = run(folder, submitting(profile, *SENTIMENT, "--configfile", SMOKE))
    assert_as_local(folder, local, *SENTIMENT)
    # Simulate, draw and featurise; train two models; measure these two and the truth.
    submissions = [line for line in told.splitlines() if "has been submitted with" in line or "external jobid" in line]
    assert len(submissions) == 1 + 2 + 3


def test_a_job_over_its_memory_is_retried_with_more(profile, tmp_path):
    """The profile's default of 2,000 MB an attempt is what is tried, with a job that holds 2,200 MB."""
    shutil.copytree(ROOT / "profiles", tmp_path / "profiles")
    (tmp_path / "Snakefile").write_text(HUNGRY, encoding="utf-8")
    (tmp_path / "hungry.py").write_text(HOLDS_2200_MB, encoding="utf-8")
    told = run(tmp_path, submitting(profile))
    assert "Trying to restart job" in told
    assert (tmp_path / "fed.txt").read_text(encoding="utf-8") == "4000"
    assert "exceeded memory limit" in told + "".join(path.read_text() for path in tmp_path.glob(".snakemake/*.log"))


def processes_of_jobs():
    """Return the ids of what runs on the node: the daemon of each step first, then what the steps have started."""
    steps = subprocess.run(["pgrep", "-f", r"^slurmstepd: \["], stdout=subprocess.PIPE, text=True, check=True).stdout
    listed = subprocess.run(["scontrol", "listpids"], stdout=subprocess.PIPE, text=True, check=True).stdout
    processes = [*steps.split(), *(line.split()[0] for line in listed.splitlines()[1:])]
    return [int(process) for process in processes if int(process) > 0]


def wait_until(happened, seconds):
    deadline = time.monotonic() + seconds
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert happened()


def node_is_down():
    states = subprocess.run(["sinfo", "-h", "-o", "%T"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return "down" in states


def test_a_node_killed_in_the_middle_of_a_job_is_survived(slurm, local, tmp_path):
    folder = copy_project(tmp_path / "project")
    log = folder / "results/logs/train_crf/1.0_newsroom.log"
    command = submitting("slurm", CRF, "--configfile", SMOKE)
    with (tmp_path / "told.txt").open("w+", encoding="utf-8") as told:
        snakemake = subprocess.Popen(command, cwd=folder, stdout=told, stderr=subprocess.STDOUT)
        try:
            wait_until(lambda: log.exists() or snakemake.poll() is not None, 180)
            for process in [int((slurm / "slurmd.pid").read_text()), *processes_of_jobs()]:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            wait_until(node_is_down, 60)
            assert not (folder / CRF).exists()
            control("node", slurm)
            status = snakemake.wait(180)
        finally:
            snakemake.kill()
        told.seek(0)
        text = told.read()
    assert status == 0, text
    assert "Trying to restart" not in text
    restarted = subprocess.run(["scontrol", "show", "jobs"], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert "Restarts=1" in restarted
    assert_as_local(folder, local, CRF)
