"""Jobs on machines that share no disk: inputs and outputs go through a storage, the library is in their environment."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("rsync"), reason="the storage in a folder copies files by rsync"),
]

ROOT = Path(__file__).parents[2]
SENT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")
PACKAGED = (*SENT, "pyproject.toml", "README.md", "LICENSE", "NOTICE")
SMOKE = "configs/smoke.yaml"
TARGETS = ("results/events/newswire/attack/series.csv", "results/figures/newswire/figure_6_attack.png")
"""Four kinds of jobs elsewhere, two of them in shards, and a figure, which is drawn where Snakemake runs."""

SUBMIT = """#!/bin/sh
# submit.sh SCRIPT: run it in a new folder with nothing in it, with the environment of the image alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "$here/jobs/XXXXXX")
cp "$1" "$folder/job.sh"
(
  cd "$folder"
  state=failed
  env -i PATH="$PATH" HOME="$folder" LANG=C.UTF-8 PYTHONPATH="$here/image" sh job.sh > log 2>&1 && state=success
  echo $state > state
) > /dev/null 2>&1 &
echo "$folder"
"""
STATUS = '#!/bin/sh\ncat "$1/state" 2>/dev/null || echo running\n'


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A checkout, an image with the library from its wheels, an empty storage, and programs that start jobs."""
    folder = tmp_path_factory.mktemp("apart")
    (folder / "checkout").mkdir()
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
    for name in PACKAGED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / "checkout" / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder / "checkout" / name)
    # Snakemake sends jobs what git knows.
    subprocess.run(["git", "init", "-q"], cwd=folder / "checkout", check=True)
    subprocess.run(["git", "add", *SENT], cwd=folder / "checkout", check=True)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    shutil.copytree(folder / "checkout", folder / "build", ignore=shutil.ignore_patterns(".git"))
    wheels = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "wheels", ".", "./src"]
    subprocess.run(wheels, cwd=folder / "build", check=True)
    found = list((folder / "wheels").glob("*.whl"))
    subprocess.run([*pip, "install", "--no-deps", "--target", folder / "image", *found], check=True)
    for name, text in {"submit.sh": SUBMIT, "status.sh": STATUS}.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    for name in ("jobs", "storage"):
        (folder / name).mkdir()
    return folder


def snakemake(folder, *arguments, cores=1, **variables):
    """Run Snakemake, and return its exit status and what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "snakemake", *arguments, "--configfile", SMOKE, "--cores", str(cores)]
    result = subprocess.run(
        command,
        cwd=folder / "checkout",
        env={**os.environ, "PATH": path, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return result.returncode, result.stdout


def storage(folder):
    """Return the arguments that name the storage and say that nothing else is shared."""
    place = ("--default-storage-provider", "fs", "--default-storage-prefix", str(folder / "storage"))
    return (*place, "--shared-fs-usage", "none")


def results(folder):
    """Return the bytes of all results by path, without logs and the records that a run in one place keeps."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix(): (folder / path).read_bytes() for path in paths if path.parts[0] not in ("logs", "records")}


def test_jobs_that_share_no_disk_make_the_same_bytes_with_the_library_of_their_environment(place):
    started = ("--executor", "cluster-generic", "--jobs", "2", "--job-deploy-sources")
    commands = ("--cluster-generic-submit-cmd", "../submit.sh", "--cluster-generic-status-cmd", "../status.sh")
    often = ("--max-status-checks-per-second", "10", "--seconds-between-status-checks", "1", "--latency-wait", "5")
    status, told = snakemake(place, *TARGETS, *started, *commands, *often, *storage(place))
    logs = {path: path.read_text(encoding="utf-8") for path in place.glob("jobs/*/log")}
    assert status == 0, "\n".join([told, *logs.values()])
    assert len(logs) == 6
    assert not (place / "checkout/results").exists()
    assert not list(place.glob("jobs/*/results"))

    status, told = snakemake(place, *TARGETS)
    assert status == 0, told
    apart, together = results(place / "storage/results"), results(place / "checkout/results")
    assert set(apart) == set(together)
    assert [path for path in sorted(apart) if apart[path] != together[path]] == []
    assert {path.partition("/")[0] for path in apart} == {"coref", "corpora", "events", "figures"}


def test_a_job_refuses_an_environment_without_the_library_of_the_checkout(place, tmp_path):
    image = shutil.copytree(place / "image", tmp_path / "image")
    module = image / "reproduction/events/storage.py"
    message = "found no reproduction/events/storage.py as in the checkout"
    module.write_text(f"{module.read_text(encoding='utf-8')}# edited\n", encoding="utf-8")
    for _ in ("another", "none"):
        status, told = snakemake(place, TARGETS[0], "--mode", "remote", *storage(place), PYTHONPATH=str(image))
        assert status
        assert message in told
        module.unlink(missing_ok=True)
