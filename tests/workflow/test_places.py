"""The workflow where people put it, and its configuration as people damage it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")

pytestmark = pytest.mark.slow


@pytest.fixture
def checkout(tmp_path):
    """The project, in a folder with what a shell would take for something else in its name."""
    folder = tmp_path / "my texts; $(touch x) 'q' (2)"
    folder.mkdir()
    for name in PROJECT:
        (folder / name).symlink_to(ROOT / name)
    (folder / "config.yaml").unlink()
    shutil.copy(ROOT / "config.yaml", folder)
    # An environment in the folder, as the README makes one; Python finds what is installed there by this path.
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def run(folder, *arguments):
    python = folder / ".venv/bin/python"
    command = [python, "-m", "snakemake", "--cores", "1", *arguments]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_a_folder_with_spaces_and_quotes_in_its_name_is_fine(checkout):
    result = run(checkout, "results/config.yaml")
    assert result.returncode == 0, result.stdout
    assert (checkout / "results/config.yaml").stat().st_size > 1000
    assert not list(checkout.rglob("x"))


def test_a_broken_configuration_is_named_with_line_and_column(checkout):
    config = (checkout / "config.yaml").read_text(encoding="utf-8")
    lines = config.count("\n")
    for damage, message in {
        "events: [1\n": f"line {lines + 2}, column 1: found while parsing a flow sequence, expected",
        "x: &x {y: *x}\n": f"line {lines + 1}, column 11: found the alias *x inside of what it names",
    }.items():
        (checkout / "config.yaml").write_text(config + damage, encoding="utf-8")
        result = run(checkout, "-n")
        assert result.returncode != 0
        assert f"config.yaml: {message}" in result.stdout
        assert "Traceback" not in result.stdout
