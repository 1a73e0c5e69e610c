"""The conda environments say what the lock file says, and each has all that the scripts of its rules import."""

import ast
import importlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from nlpcalib.errors import InputError
from reproduction.workflow.imports import library_digest
from reproduction.workflow.rules import read_rules

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
ENVS = sorted((ROOT / "envs").glob("*.yaml"))
CONDA_NAMES = {"matplotlib-base": "matplotlib"}
"""Packages that conda-forge calls otherwise than PyPI does."""
PARSERS = {"evaluate_parser.py", "parse_documents.py", "parse_news.py", "prepare_gap.py", "train_parser.py"}
"""Scripts that load a parser."""
LAZY = {
    "matplotlib": set(),
    "openpyxl": set(),
    "pandas": set(),
    "pyarrow": set(),
    "pycrfsuite": set(),
    "requests": {"retrieve_corpus.py"},
    "scipy": set(),
    "sklearn_crfsuite": {"make_items.py", "train_crf.py"},
    "spacy": PARSERS,
    "thinc": PARSERS,
    "vl_convert": {"explore_events.py", "explore_pairs.py"},
    "yaml": {"make_items.py"},
}
"""Imports inside of functions, and the scripts that get there; others reach the module, not the function."""


def locked_with_hashes():
    """Return the requirements of the lock file with the SHA-256 of each of their files."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8").replace("\\\n", "")
    lines = [line.split(" --hash=") for line in text.splitlines() if not line.startswith("#")]
    return [(Requirement(first), [each.strip() for each in hashes]) for first, *hashes in lines]


def locked():
    return {each.name: str(each.specifier).removeprefix("==") for each, _ in locked_with_hashes()}


def pins(env):
    """Return the packages of an environment, by their name on PyPI, with what follows the name."""
    packages = yaml.safe_load(env.read_text(encoding="utf-8"))["dependencies"]
    named = dict(re.fullmatch(r"(\S+) (==?\S+)", package).groups() for package in packages)
    return {CONDA_NAMES.get(name, name): version for name, version in named.items()}


def rules():
    return read_rules(ROOT, "studies/Snakefile")


def scripts_of_envs():
    scripts = defaultdict(set)
    for rule in rules().values():
        scripts[rule.environment].add(rule.script)
    return scripts


def modules_loaded_by_name(env):
    """Return the modules that make figures and tables in an environment: scripts load them by their names."""
    own = (rule for rule in rules().values() if rule.environment == env)
    return {place.partition(":")[0] for rule in own for place in rule.made_by.values()}


@pytest.mark.parametrize("env", ENVS, ids=lambda path: path.stem)
def test_pins_are_exact_and_those_of_the_lock_file(env):
    versions = pins(env)
    assert versions.pop("python") == "=3.11"
    assert versions == {name: f"=={locked()[name]}" for name in versions}


@pytest.mark.parametrize("env", ENVS, ids=lambda path: path.stem)
def test_channels_are_free_ones_alone(env):
    assert yaml.safe_load(env.read_text(encoding="utf-8"))["channels"] == ["conda-forge", "nodefaults"]


def test_lock_file_has_exact_versions_that_the_project_accepts():
    """But for what the workflow needs on a cluster alone."""
    assert all(re.fullmatch(r"[\w.]+", version) for version in locked().values())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [
        line
        for extra in ("coref", "excel", "explorer", "workflow", "test")
        for line in project["optional-dependencies"][extra]
    ]
    for requirement in map(Requirement, [*project["dependencies"], *extras]):
        if requirement.name == project["name"]:
            assert requirement.extras <= {"coref", "excel", "explorer"}
        elif canonicalize_name(requirement.name) in locked() or requirement.marker is None:
            assert requirement.specifier.contains(locked()[canonicalize_name(requirement.name)]), requirement


def test_the_lock_file_has_hashes_and_names_neither_hosts_nor_files():
    for requirement, hashes in locked_with_hashes():
        assert hashes, requirement
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", each) for each in hashes), requirement
        assert requirement.url is None, requirement
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "index" not in text


def test_the_lock_file_names_the_command_that_makes_it_and_the_documentation_has_the_same():
    command = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()[1].removeprefix("#").strip()
    assert command.startswith("uv pip compile pyproject.toml ")
    assert f"\n{command}\n" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").replace("\\\n    ", "")


def test_every_command_that_installs_from_the_lock_works_with_hashes():
    """With hashes pip refuses whatever else stands in the same command."""
    pages = [ROOT / "README.md", ROOT / ".ci/run", ROOT / "tools/set_up", *(ROOT / "docs").rglob("*.md")]
    lines = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    commands = [each for line in lines for each in line.split(" && ") if "-r requirements.lock" in each]
    assert commands
    for command in commands:
        assert re.search(r"pip install( -\S+)* -r requirements\.lock$", command), command


def test_every_rule_has_an_environment_that_exists_and_each_environment_and_script_is_used():
    assert {rule.environment for rule in rules().values()} == set(ENVS)
    assert {rule.script for rule in rules().values()} == {
        *(ROOT / "scripts").glob("*/*.py"),
        *(ROOT / "studies/scripts").glob("*/*.py"),
    }


def test_every_rule_has_a_log_of_its_own_with_its_wildcards():
    logs = [re.sub(r"\{(\w+)[^}]*\}", r"{\1}", rule.log) for rule in rules().values()]
    assert all(re.fullmatch(r"results/logs/[\w/.{}-]+\.log", log) for log in logs)
    assert len(set(logs)) == len(logs)


def test_a_rule_whose_script_draws_at_random_has_the_seed_of_the_configuration():
    for name, rule in rules().items():
        if "seed: int" in rule.script.read_text(encoding="utf-8"):
            assert rule.params["seed"] == 2015, name


def test_every_rule_reruns_when_its_script_or_a_module_that_it_loads_by_name_changes():
    """Where readers of datasets are loaded, the checksum is a function of the dataset."""
    for name, rule in rules().items():
        found = rule.params["library"]
        if callable(found):
            continue
        modules = []
        for place in rule.made_by.values():
            module, _, function = place.partition(":")
            assert hasattr(importlib.import_module(module), function), name
            modules.append(module)
        assert found == library_digest(rule.script, SOURCE, *modules), name


def lazy_imports(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) else []
                yield from (name.partition(".")[0] for name in names)


def test_lazy_imports_are_known():
    """An import that a script may or may not get to has to be listed here with the scripts that do."""
    found = {name for path in SOURCE.rglob("*.py") for name in lazy_imports(path)}
    assert found - set(sys.stdlib_module_names) - {"newsroom", "nlpcalib", "reproduction", "studies"} == set(LAZY)


IMPORT_IN = """
import importlib.metadata as metadata, json, re, runpy, sys
from packaging.requirements import Requirement

def name_of(text):
    return re.sub(r"[-_.]+", "-", text).lower()

def closure(names):
    found, waiting = set(), [name_of(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            needs = map(Requirement, metadata.requires(name) or [])
            waiting += [name_of(need.name) for need in needs if not need.marker or need.marker.evaluate({"extra": ""})]
    return found

owners = metadata.packages_distributions()
allowed = closure(json.loads(sys.argv[1]))
for name in [name for name in sys.modules if name.partition(".")[0] == "packaging"]:
    del sys.modules[name]

class Finder:
    def find_spec(self, name, path=None, target=None):
        owner = {name_of(owner) for owner in owners.get(name.partition(".")[0], [])}
        if owner and not owner & (allowed | {"nlpcalib"}):
            raise ModuleNotFoundError(f"{name} is not in the environment", name=name)

sys.meta_path.insert(0, Finder())
for script in json.loads(sys.argv[2]):
    runpy.run_path(script)
for module in json.loads(sys.argv[3]):
    __import__(module)
"""


@pytest.mark.parametrize("env", ENVS, ids=lambda path: path.stem)
def test_an_environment_has_all_that_its_scripts_import(env):
    """Scripts are imported where nothing else can be: the packages pinned there and what those require."""
    scripts = scripts_of_envs()[env]
    lazy = [module for module, users in LAZY.items() if users & {script.name for script in scripts}]
    lazy += sorted(modules_loaded_by_name(env))
    packages = [name for name in pins(env) if name != "python"]
    arguments = (packages, sorted(map(str, scripts)), lazy)
    command = [sys.executable, "-c", IMPORT_IN, *map(json.dumps, arguments)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def check_pins(env, pins):
    runpy.run_path(str(ROOT / "tools/pin_envs.py"))["check_pins"](env, pins)


def test_pin_files_are_those_of_their_environments():
    """There are none until somebody who reaches conda-forge has run tools/pin_envs.py."""
    for pins in (ROOT / "envs").glob("*.pin.txt"):
        check_pins(ROOT / "envs" / f"{pins.name.partition('.')[0]}.yaml", pins)


CONDA_FORGE = "https://conda.anaconda.org/conda-forge"
SHA256 = "0123456789abcdef" * 4


@pytest.fixture
def pin_file(tmp_path):
    """Write an environment of two packages and a pin file of these lines, and return both paths."""

    def write(*lines):
        env, pins = tmp_path / "small.yaml", tmp_path / "small.linux-64.pin.txt"
        env.write_text("dependencies: [python =3.11, python-crfsuite ==0.9.12]", encoding="utf-8")
        pins.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return env, pins

    return write


PINNED = (
    "# platform: linux-64",
    "@EXPLICIT",
    f"{CONDA_FORGE}/linux-64/python-3.11.15-hd63d673_0_cpython.conda#{SHA256}",
    f"{CONDA_FORGE}/linux-64/python-crfsuite-0.9.12-py311h724c32c_0.tar.bz2#{SHA256}",
    f"{CONDA_FORGE}/noarch/tzdata-2026a-h78e105d_0.conda#sha256:{SHA256}",
)


def test_a_pin_file_as_conda_writes_it_is_taken(pin_file):
    check_pins(*pin_file(*PINNED))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("python-crfsuite-0.9.12-", "python-crfsuite-0.9.11-", "found 0.9.11 of python-crfsuite, expected ==0.9.12"),
        ("python-crfsuite-0.9.12-", "crfsuite-0.9.12-", "found no version of python-crfsuite"),
        ("python-3.11.15-", "python-3.1.1-", "found 3.1.1 of python, expected =3.11"),
        ("noarch", "osx-arm64", "line 5: found .*, expected .* for linux-64 or noarch"),
        (f"#sha256:{SHA256}", "", "line 5: found .* with its SHA-256"),
        (f"#sha256:{SHA256}", f"#{SHA256[:32]}", "line 5: found .* with its SHA-256"),
        ("conda-forge/noarch", "main/noarch", "line 5: found .* of conda-forge"),
        ("tzdata", "python", "line 5: found .*, expected the only package of its name"),
        ("@EXPLICIT", "", "found no @EXPLICIT"),
    ],
)
def test_another_pin_file_is_refused(pin_file, before, after, told):
    with pytest.raises(InputError, match=told):
        check_pins(*pin_file(*(line.replace(before, after) for line in PINNED)))


CONDA = """#!/bin/sh
case "$1" in
  --version) echo "conda 24.9.0" ;;
  info) echo '{"conda_prefix": "/nowhere", "platform": "linux-64"}' ;;
  config) echo '{"get": {"channel_priority": "strict"}}' ;;
esac
"""


def test_the_dockerfile_is_what_snakemake_writes_for_these_environments(tmp_path):
    """Snakemake asks conda for nothing but its platform."""
    for name in ("envs", "profiles", "scripts", "src", "studies", "workflow"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Snakefile", "config.yaml"):
        shutil.copy(ROOT / name, tmp_path)
    conda = tmp_path / "bin/conda"
    conda.parent.mkdir()
    conda.write_text(CONDA, encoding="utf-8")
    conda.chmod(0o755)
    path = f"{conda.parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "snakemake", "-s", "studies/Snakefile", "--containerize"]
    result = subprocess.run(command, cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout == (ROOT / "envs/Dockerfile").read_text(encoding="utf-8"), (
        "see docs/how-to/environments.md to renew it"
    )
