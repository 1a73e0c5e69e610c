"""Profiles: their keys are options of Snakemake or of their executor, and a comment explains each."""

import re
from pathlib import Path

import pytest
import yaml
from snakemake.cli import get_argument_parser

ROOT = Path(__file__).parents[2]
PROFILES = sorted((ROOT / "profiles").glob("*/profile.yaml"))
WITHOUT_SHARED_DISK = ("aws-batch", "googlebatch", "kubernetes")
OPTIONS = {option for action in get_argument_parser()._actions for option in action.option_strings}


@pytest.mark.parametrize("path", PROFILES, ids=[path.parent.name for path in PROFILES])
def test_each_key_is_an_option_of_snakemake_or_of_the_executor(path):
    profile = yaml.safe_load(path.read_text(encoding="utf-8"))
    own = f"{profile.get('executor', 'nothing')}-"
    assert [key for key in profile if f"--{key}" not in OPTIONS and not key.startswith(own)] == []


@pytest.mark.parametrize("name", WITHOUT_SHARED_DISK)
def test_jobs_without_a_shared_disk_have_a_storage_and_each_key_is_explained(name):
    text = (ROOT / f"profiles/{name}/profile.yaml").read_text(encoding="utf-8")
    profile = yaml.safe_load(text)
    assert profile["shared-fs-usage"] == "none"
    assert profile["default-storage-provider"]
    lines = re.findall(r"^(?:# )?([\w-]+): .*$", text, re.MULTILINE)
    assert profile.keys() - {"default-resources"} <= set(lines)
    unexplained = [line for line in text.splitlines() if re.match(r"[\w-]+: ", line) and " # " not in line]
    assert unexplained == [f"executor: {name}"]
