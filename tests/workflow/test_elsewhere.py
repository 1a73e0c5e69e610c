"""The workflow where it does not lie: from another folder, in another one, and as a part of another workflow."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.workflow.verify import main as verify

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow

MODULE = """module nlpcalib:
    snakefile: {snakefile}
    config: config
{prefix}

use rule * from nlpcalib{name}
"""
FORGE = 'github("own/project", path="workflow/Snakefile", branch="main")'
WAYS = ("own folder", "--directory", "-s", "module", "module as p_*", "module with a prefix", "module of a forge")
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")
TARGETS = ("figures/timeline/figure_2.csv", "figures/newsroom/figure_3.csv")
SMOKE = ROOT / "configs/smoke.yaml"
SMALLER = """datasets: {newsroom: {documents: {train: 20, dev: 4, test: 4}}}
tagging: {pseudocounts: [0.1], c2: [1.0], crf_sentences: 60}
"""


def command(way, folder, *arguments):
    """Return the command that runs the workflow in one of the `WAYS`, where to start it, and where its results come."""
    start, results = folder, folder / "results"
    if way == "own folder":
        start = folder / "checkout"
        start.mkdir()
        for name in PROJECT:
            (start / name).symlink_to(ROOT / name)
        results = start / "results"
    elif way == "--directory":
        (folder / "there").mkdir()
        start, results = ROOT, folder / "there/results"
        arguments = ("--directory", folder / "there", *arguments)
    elif way == "-s":
        arguments = ("-s", ROOT / "Snakefile", *arguments)
    else:
        prefix = '    prefix: "runs/first"' if "prefix" in way else ""
        snakefile = FORGE if "forge" in way else f'"{ROOT}/Snakefile"'
        text = MODULE.format(snakefile=snakefile, prefix=prefix, name=" as p_*" if "as" in way.split() else "")
        (folder / "Snakefile").write_text(text, encoding="utf-8")
        results = folder / "runs/first/results" if prefix else results
    return [sys.executable, "-m", "snakemake", *arguments], start, results


def forge(folder):
    """Return the environment in which git has the project's repository where the forge is."""
    repository = folder / "repository"
    repository.mkdir()
    for name in PROJECT:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, repository / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, repository / name)
    own = ("-c", "user.name=name", "-c", "user.email=name@example.org")
    for arguments in (("init", "-q", "-b", "main"), ("add", "."), (*own, "commit", "-q", "-m", "all")):
        subprocess.run(["git", *arguments], cwd=repository, check=True)
    key = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{repository}.insteadOf"}
    return os.environ | key | {"GIT_CONFIG_VALUE_0": "https://github.com/own/project", "XDG_CACHE_HOME": str(folder)}


def run(way, folder, *arguments):
    full, start, results = command(way, folder, "--cores", "2", *arguments)
    variables = forge(folder) if "forge" in way else None
    done = subprocess.run(full, cwd=start, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout, results


def jobs(told):
    """Return the number of jobs of each rule, without what another workflow puts before a rule's name."""
    table = told.partition("Job stats:\n")[2].partition("\ntotal")[0].splitlines()[2:]
    return {name.removeprefix("p_"): int(count) for name, count in map(str.split, table)}


@pytest.mark.parametrize("tier", ["default", "open"])
def test_every_way_plans_the_same_jobs(tier, tmp_path):
    planned = {}
    for number, way in enumerate(WAYS):
        folder = tmp_path / str(number)
        folder.mkdir()
        # Corpora of the open tier are fetched only if a job runs.
        chosen = ("--configfile", ROOT / "configs/open.yaml") if tier == "open" else ()
        planned[way] = jobs(run(way, folder, "-n", *chosen)[0])
    assert planned["own folder"]["check"] == 1
    assert [way for way in WAYS if planned[way] != planned["own folder"]] == []


def test_every_way_makes_the_same_bytes_and_records(tmp_path, capsys):
    made = {}
    smaller = tmp_path / "smaller.yaml"
    smaller.write_text(SMALLER, encoding="utf-8")
    for number, way in enumerate(WAYS):
        folder = tmp_path / str(number)
        folder.mkdir()
        prefix = "runs/first/" if "prefix" in way else ""
        targets = [f"{prefix}results/{target}" for target in (*TARGETS, "config.yaml")]
        _, results = run(way, folder, *targets, "--configfile", SMOKE, smaller)
        made[way] = {target: (results / target).read_bytes() for target in TARGETS}
        assert verify([str(results)]) == 0, capsys.readouterr()
        (results / TARGETS[0]).write_bytes(made[way][TARGETS[0]] + b"\n")
        assert verify([str(results)]) == 2
        capsys.readouterr()
    assert [way for way in WAYS if made[way] != made["own folder"]] == []


def test_the_catalogs_test_takes_the_configuration_of_its_folder(tmp_path):
    def plan(*arguments):
        full = [sys.executable, "-m", "snakemake", "-n", "--nolock", "--directory", *arguments]
        done = subprocess.run(full, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout
        return jobs(done.stdout)

    assert plan(".test") == plan(tmp_path, "--configfile", SMOKE) != plan(tmp_path)
