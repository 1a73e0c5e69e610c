"""Every environment, solved and installed for real from a channel of the packages that are installed here."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from reproduction.workflow.rules import read_rules

pytestmark = pytest.mark.slow

pytest.importorskip("rattler", reason="py-rattler is not installed, which solves and installs")
pytest.importorskip("rattler_build", reason="py-rattler-build is not installed, which makes packages")
if sys.version_info[:2] != (3, 11) or sys.platform != "linux":
    pytest.skip("the environments and the channel are for Python 3.11 on Linux", allow_module_level=True)

ROOT = Path(__file__).parents[2]
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "studies", "tools", "workflow")
ENVS = sorted(path.stem for path in (ROOT / "envs").glob("*.yaml"))
LAZY = {"crf": ["sklearn_crfsuite"], "explorer": ["vl_convert"], "workflow": ["requests"]}
"""Imports inside of functions that scripts of an environment get to; tests/workflow/test_envs.py knows by which."""


def copy_project(folder):
    folder.mkdir(parents=True)
    for name in PROJECT:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
            )
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def told(*command, expect=0, **options):
    """Run a command, check its exit status, and return what it prints."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert result.returncode == expect, result.stdout
    return result.stdout


TARGETS = [
    "results/config.yaml",
    "results/tables/timeline/sentiment.csv",
    "results/figures/timeline/figure_2.png",
    "results/tables/parsing/accuracy_newsroom.html",
    "results/tagging/newsroom/crf/tags/calibration.json",
    "results/tagging/newsroom/crf/tags/explorer.html",
]
"""What takes jobs of every environment."""


def snakemake(folder, *arguments, **options):
    command = [sys.executable, "-m", "snakemake", "-s", "studies/Snakefile", *arguments, "--cores", "2"]
    command += ["--configfile", "configs/smoke.yaml"]
    return told(*command, cwd=folder, **options)


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """The variables of a shell whose `conda` knows the channel alone.

    Modules come without their compiled form, which the first import has to keep, whatever is set outside.
    """
    folder = tmp_path_factory.mktemp("conda")
    told(sys.executable, ROOT / "tests/conda/channel.py", folder)
    path = f"{folder}/bin{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "PYTHONDONTWRITEBYTECODE": ""}


@pytest.fixture(scope="module")
def environments(shell, tmp_path_factory):
    """The folder of each environment, made by the commands of the Dockerfile in a folder that stands for its root."""
    root = tmp_path_factory.mktemp("image")
    made = {}
    text = (ROOT / "envs/Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    for instruction, rest in re.findall(r"^(COPY|RUN) (.*)$", text.replace("/conda-envs", f"{root}/conda-envs"), re.M):
        if instruction == "RUN":
            told("sh", "-c", rest, env=shell)
        else:
            source, target = rest.split()
            shutil.copy(ROOT / source, target)
            made[Path(source).stem] = Path(target).parent
    return made


def packages(prefix, shell):
    """Return the version of each package of an installed environment."""
    lines = told("conda", "list", "--explicit", "--sha256", "--prefix", prefix, env=shell).splitlines()
    names = [line.partition("#")[0].rpartition("/")[2] for line in lines if line.startswith("https:")]
    return dict(name.rsplit("-", 2)[:2] for name in names)


def beside_the_lock(installed):
    """Return the packages, Python left out, that the lock file does not have at this version."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    lock = [re.sub(r"\[.*\]", "", line.partition(" ")[0]) for line in text.splitlines()]
    pypi_names = {name.replace("matplotlib-base", "matplotlib"): found for name, found in installed.items()}
    return {f"{name}=={found}" for name, found in pypi_names.items() if name != "python"} - set(lock)


def test_the_dockerfile_makes_every_environment_at_the_versions_of_the_lock_file(environments, shell):
    assert sorted(environments) == ENVS
    for prefix in environments.values():
        installed = packages(prefix, shell)
        assert installed["python"].startswith("3.11.")
        assert beside_the_lock(installed) == set()


def scripts_of_environments():
    """Return the scripts of each environment, as the rules pair them."""
    scripts = defaultdict(set)
    for rule in read_rules(ROOT, "studies/Snakefile").values():
        scripts[rule.environment.stem].add(rule.script.relative_to(ROOT).as_posix())
    return scripts


IMPORT = """
import importlib, runpy, sys
source, scripts, modules = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
sys.path.insert(0, source)
for script in scripts:
    runpy.run_path(script)
for module in modules:
    importlib.import_module(module)
"""


def imports(prefix, scripts=(), modules=(), **options):
    """Have an environment's own Python import scripts and modules, with the library's source beside it."""
    command = [prefix / "bin/python", "-I", "-c", IMPORT, ROOT / "src", " ".join(scripts), " ".join(modules)]
    return told(*command, cwd=ROOT, **options)


@pytest.mark.parametrize("name", ENVS)
def test_an_environments_own_python_imports_the_scripts_of_its_rules(environments, name):
    scripts = scripts_of_environments()[name]
    assert scripts
    imports(environments[name], sorted(scripts), LAZY.get(name, ()))


def test_an_environments_own_python_imports_nothing_else(environments):
    for name, module in {"base": "spacy", "parsing": "scipy", "crf": "matplotlib", "workflow": "pip"}.items():
        assert f"No module named '{module}'" in imports(environments[name], modules=[module], expect=1)


NOTE_OUTSIDE = """
import atexit, os, sys

def note():
    files = {name: getattr(module, "__file__", None) or "" for name, module in list(sys.modules.items())}
    outside = [name for name, file in files.items() if "/site-packages/" in file and not file.startswith(sys.prefix)]
    with open(os.path.join(os.environ["NOTES"], str(os.getpid())), "w") as file:
        file.write("\\n".join([sys.argv[0], *outside]))

atexit.register(note)
"""
"""Has a Python note in the folder NOTES what it ran and which modules it took from outside of its environment."""

OPTIONAL = {"charset_normalizer", "cloudpickle", "psutil", "rich", "socks", "pandas", "dateutil", "_cyutility", "idna"}
"""What NumPy, pyarrow, joblib, scikit-learn, urllib3 and jsonschema import where they find it, and can do without.

pandas, with dateutil and a module of its own, is beside Snakemake because the package of State of the Union messages
requires it; pyarrow looks whether what it is given is of it.
"""


def results(folder):
    """Return the bytes of every result by its path, but for those that tell of time."""
    paths = (path.relative_to(folder / "results") for path in (folder / "results").rglob("*") if path.is_file())
    return {path: (folder / "results" / path).read_bytes() for path in paths if path.parts[0] != "logs"}


def test_a_run_in_the_environments_gives_the_bytes_of_a_run_without(shell, tmp_path):
    """Scripts find Snakemake's own packages behind those of their environment, and take none but Snakemake does."""
    plain, conda, notes = copy_project(tmp_path / "plain"), copy_project(tmp_path / "conda"), tmp_path / "notes"
    snakemake(plain, *TARGETS)
    snakemake(conda, *TARGETS, "--sdm", "conda", "--conda-create-envs-only", env=shell)
    installed = list((conda / ".snakemake/conda").glob("*_/lib/python3.11/site-packages"))
    assert len(installed) == len(ENVS)
    for folder in installed:
        # A system's Python may have a sitecustomize of its own, which would be found first.
        (folder / "note_outside.py").write_text(NOTE_OUTSIDE, encoding="utf-8")
        (folder / "note_outside.pth").write_text("import note_outside\n", encoding="utf-8")
    notes.mkdir()
    snakemake(conda, *TARGETS, "--sdm", "conda", env=shell | {"NOTES": str(notes)})

    expected, found = results(plain), results(conda)
    assert set(found) == set(expected)
    assert [path for path in sorted(found) if found[path] != expected[path]] == []

    jobs = [path.read_text(encoding="utf-8").splitlines() for path in notes.iterdir()]
    assert {Path(job).name.partition(".")[2] for job, *_ in jobs} >= {"train_crf.py", "train_parser.py"}
    for job, *outside in jobs:
        packages = {name.partition(".")[0] for name in outside}
        assert {package for package in packages if not package.startswith("snakemake")} <= OPTIONAL, job


def test_pins_are_written_and_installed_without_solving(shell, tmp_path):
    """Snakemake says so when pins fail and it solves instead."""
    folder = copy_project(tmp_path / "project")
    told(sys.executable, folder / "tools/pin_envs.py", env=shell)
    read_pins = runpy.run_path(str(folder / "tools/pin_envs.py"))["read_pins"]
    for name in ENVS:
        assert beside_the_lock(read_pins(folder / f"envs/{name}.linux-64.pin.txt")) == set()
    said = snakemake(folder, *TARGETS, "--sdm", "conda", "--conda-create-envs-only", env=shell)
    assert said.count("Using pinnings from") == len(ENVS)
    assert "Failed to install" not in said


def test_a_version_that_the_channel_lacks_stops_the_run_before_its_first_job(shell, tmp_path):
    folder = copy_project(tmp_path / "project")
    path = folder / "envs/base.yaml"
    path.write_text(re.sub("numpy ==.*", "numpy ==1.0", path.read_text(encoding="utf-8")), encoding="utf-8")
    said = snakemake(folder, "--sdm", "conda", env=shell, expect=1)
    assert re.search(r"numpy ==1\.0", said)
    assert not list((folder / "results").rglob("*.csv"))
