"""Solve and install every environment for real from a channel of the packages that are installed here, and use them.

    python -m tools.conda

A line is printed for each check, and the exit status is 1 if one failed. The environments and the channel are for
Python 3.11 on Linux. Elsewhere, or without the extra `conda`, the checks are skipped.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from tools.checks import Checks, SkippedError, require
from tools.copies import ROOT, copy_project, result_bytes

from reproduction.workflow.rules import read_rules

ENVS = sorted(path.stem for path in (ROOT / "envs").glob("*.yaml"))
LAZY = {"crf": ["sklearn_crfsuite"], "explorer": ["vl_convert"], "workflow": ["requests"]}
"""Imports inside of functions that scripts of an environment get to; tests/workflow/test_envs.py has the scripts."""
TARGETS = [
    "results/config.yaml",
    "results/tables/timeline/sentiment.csv",
    "results/figures/timeline/figure_2.png",
    "results/tables/parsing/accuracy_newsroom.html",
    "results/tagging/newsroom/crf/tags/calibration.json",
    "results/tagging/newsroom/crf/tags/explorer.html",
]
"""What takes jobs of every environment."""
IMPORT = """
import importlib, runpy, sys
source, scripts, modules = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
sys.path.insert(0, source)
for script in scripts:
    runpy.run_path(script)
for module in modules:
    importlib.import_module(module)
"""
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

pandas, with dateutil and a module of its own, is next to Snakemake because the package of State of the Union messages
requires it; pyarrow looks whether what it is given is of it.
"""


def printed(*command: str | Path, expect: int = 0, **options) -> str:
    """Run a command, check its exit status, and return what it prints."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    line = " ".join(map(str, command))
    require(result.returncode == expect, f"status {result.returncode} of {line}, expected {expect}:\n{result.stdout}")
    return result.stdout


def snakemake(folder: Path, *arguments: str, **options) -> str:
    """Run the workflow, and return what it prints."""
    command = [sys.executable, "-m", "snakemake", "-s", "studies/Snakefile", *arguments, "--cores", "2"]
    command += ["--configfile", "configs/smoke.yaml"]
    return printed(*command, cwd=folder, **options)


def not_in_the_lock(installed: dict[str, str]) -> set[str]:
    """Return the packages, Python left out, that the lock file does not have at this version."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    lock = [re.sub(r"\[.*\]", "", line.partition(" ")[0]) for line in text.splitlines()]
    pypi_names = {name.replace("matplotlib-base", "matplotlib"): found for name, found in installed.items()}
    return {f"{name}=={found}" for name, found in pypi_names.items() if name != "python"} - set(lock)


def scripts_of_environments() -> dict[str, set[str]]:
    """Return the scripts of each environment, as the rules pair them."""
    scripts = defaultdict(set)
    for rule in read_rules(ROOT, "studies/Snakefile").values():
        assert rule.environment is not None  # every rule names one, which a test of the workflow holds
        scripts[rule.environment.stem].add(rule.script.relative_to(ROOT).as_posix())
    return scripts


def imported(prefix: Path, scripts: Iterable[str] = (), modules: Iterable[str] = (), **options) -> str:
    """Have an environment's own Python import scripts and modules, with the library's source next to it."""
    words = (" ".join(scripts), " ".join(modules))
    return printed(prefix / "bin/python", "-I", "-c", IMPORT, ROOT / "src", *words, cwd=ROOT, **options)


@dataclass(frozen=True)
class Environments:
    """Checks whose files are in a folder."""

    folder: Path

    @cached_property
    def shell(self) -> dict[str, str]:
        """The variables of a shell whose `conda` has the channel alone.

        Modules come without their compiled form, which the first import has to keep, whatever is set outside.
        """
        folder = self.folder / "conda"
        folder.mkdir()
        printed(sys.executable, ROOT / "tools/conda/channel.py", folder)
        path = f"{folder}/bin{os.pathsep}{os.environ['PATH']}"
        return os.environ | {"PATH": path, "PYTHONDONTWRITEBYTECODE": ""}

    @cached_property
    def made(self) -> dict[str, Path]:
        """The folder of each environment, made by the Dockerfile's commands in a folder that stands for its root."""
        root = self.folder / "image"
        root.mkdir()
        made = {}
        text = (ROOT / "envs/Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
        text = text.replace("/conda-envs", f"{root}/conda-envs")
        for instruction, rest in re.findall(r"^(COPY|RUN) (.*)$", text, re.MULTILINE):
            if instruction == "RUN":
                printed("sh", "-c", rest, env=self.shell)
            else:
                source, target = rest.split()
                shutil.copy(ROOT / source, target)
                made[Path(source).stem] = Path(target).parent
        return made

    def packages(self, prefix: Path) -> dict[str, str]:
        """Return the version of each package of an installed environment."""
        listed = printed("conda", "list", "--explicit", "--sha256", "--prefix", prefix, env=self.shell)
        lines = [line for line in listed.splitlines() if line.startswith("https:")]
        names = [line.partition("#")[0].rpartition("/")[2].rsplit("-", 2) for line in lines]
        return {name: version for name, version, _ in names}

    def check_versions(self) -> None:
        """The Dockerfile makes every environment at the versions of the lock file."""
        require(sorted(self.made) == ENVS, f"found {', '.join(sorted(self.made))}, expected {', '.join(ENVS)}")
        for name, prefix in self.made.items():
            installed = self.packages(prefix)
            require(installed["python"].startswith("3.11."), f"{name}: found Python {installed['python']}")
            other = not_in_the_lock(installed)
            require(not other, f"{name}: not in the lock file: {', '.join(sorted(other))}")

    def check_imports(self, name: str) -> None:
        """An environment's own Python imports the scripts of its rules."""
        scripts = scripts_of_environments()[name]
        require(scripts, "found no scripts")
        imported(self.made[name], sorted(scripts), LAZY.get(name, ()))

    def check_nothing_else(self) -> None:
        """An environment's own Python imports nothing else."""
        for name, module in {"base": "spacy", "parsing": "scipy", "crf": "matplotlib", "workflow": "pip"}.items():
            text = imported(self.made[name], modules=[module], expect=1)
            require(f"No module named '{module}'" in text, text)

    def check_bytes(self) -> None:
        """A run in the environments gives the bytes of a run without.

        Scripts find Snakemake's own packages behind those of their environment, and take none but Snakemake does.
        """
        plain, conda = (copy_project(self.folder / name) for name in ("plain", "environments"))
        notes = self.folder / "notes"
        snakemake(plain, *TARGETS)
        snakemake(conda, *TARGETS, "--sdm", "conda", "--conda-create-envs-only", env=self.shell)
        installed = list((conda / ".snakemake/conda").glob("*_/lib/python3.11/site-packages"))
        require(len(installed) == len(ENVS), f"found {len(installed)} environments, expected {len(ENVS)}")
        for folder in installed:
            # A system's Python may have a sitecustomize of its own, which would be found first.
            (folder / "note_outside.py").write_text(NOTE_OUTSIDE, encoding="utf-8")
            (folder / "note_outside.pth").write_text("import note_outside\n", encoding="utf-8")
        notes.mkdir()
        snakemake(conda, *TARGETS, "--sdm", "conda", env=self.shell | {"NOTES": str(notes)})

        expected, found = result_bytes(plain / "results"), result_bytes(conda / "results")
        require(set(found) == set(expected), f"only one has {', '.join(sorted(set(found) ^ set(expected)))}")
        different = [path for path in sorted(found) if found[path] != expected[path]]
        require(not different, f"different: {', '.join(different)}")

        jobs = [path.read_text(encoding="utf-8").splitlines() for path in notes.iterdir()]
        ran = {Path(job).name.partition(".")[2] for job, *_ in jobs}
        require(ran >= {"train_crf.py", "train_parser.py"}, f"found jobs of {', '.join(sorted(ran))}")
        for job, *outside in jobs:
            packages = {name.partition(".")[0] for name in outside}
            other = {package for package in packages if not package.startswith("snakemake")} - OPTIONAL
            require(not other, f"{job}: took {', '.join(sorted(other))} from outside")

    def check_pins(self) -> None:
        """Pins are written and installed without solving.

        Snakemake reports when pins fail and it solves instead.
        """
        project = copy_project(self.folder / "pinned")
        printed(sys.executable, project / "tools/pin_envs.py", env=self.shell)
        read_pins = runpy.run_path(str(project / "tools/pin_envs.py"))["read_pins"]
        for name in ENVS:
            other = not_in_the_lock(read_pins(project / f"envs/{name}.linux-64.pin.txt"))
            require(not other, f"{name}: not in the lock file: {', '.join(sorted(other))}")
        text = snakemake(project, *TARGETS, "--sdm", "conda", "--conda-create-envs-only", env=self.shell)
        require(text.count("Using pinnings from") == len(ENVS), text)
        require("Failed to install" not in text, text)

    def check_missing_version(self) -> None:
        """A version that the channel lacks stops the run before its first job."""
        project = copy_project(self.folder / "missing")
        path = project / "envs/base.yaml"
        path.write_text(re.sub("numpy ==.*", "numpy ==1.0", path.read_text(encoding="utf-8")), encoding="utf-8")
        text = snakemake(project, "--sdm", "conda", env=self.shell, expect=1)
        require("numpy ==1.0" in text, text)
        made = list((project / "results").rglob("*.csv"))
        require(not made, f"found {', '.join(map(str, made))}")


def need_conda() -> None:
    """Skip where no environment can be made."""
    for package in ("rattler", "rattler_build"):
        if find_spec(package) is None:
            raise SkippedError(f"py-{package.replace('_', '-')} is not installed")
    if sys.version_info[:2] != (3, 11) or sys.platform != "linux":
        raise SkippedError("the environments and the channel are for Python 3.11 on Linux")


def main() -> int:
    """Make the checks, and return the exit status."""
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="conda-") as folder, checks.claim("Environments can be made here"):
        need_conda()
        environments = Environments(Path(folder))
        checks.make(environments.check_versions)
        for name in ENVS:
            checks.make(environments.check_imports, name)
        checks.make(environments.check_nothing_else)
        checks.make(environments.check_bytes)
        checks.make(environments.check_pins)
        checks.make(environments.check_missing_version)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
