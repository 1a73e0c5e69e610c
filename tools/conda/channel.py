"""Make a conda channel of packages that are installed here, and a `conda` that solves and installs from it, offline.

    python tools/conda/channel.py FOLDER
    PATH="FOLDER/bin:$PATH" snakemake --cores 2 --sdm conda

The packages are those that the environments in `envs/` name and all that these require, repacked from the running
interpreter's own, whose every file has to have the hash that its wheel recorded. Their versions and requirements are
those of the wheels, so that solving is real. Two things are not conda-forge's: the files are those of PyPI's wheels,
and `python` is no interpreter but links to the running one, as in a virtual environment: apart from the standard
library, it sees nothing that its own environment does not hold. Needs the extra `conda`.
"""

import asyncio
import hashlib
import os
import platform
import shlex
import shutil
import stat
import sys
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Collection
from importlib.metadata import Distribution, distribution
from pathlib import Path

import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rattler.index import index_fs
from rattler_build import assemble_package

ROOT = Path(__file__).parents[2]
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
"""Packages that conda-forge calls otherwise than PyPI does."""
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
SITE_PACKAGES = f"lib/{PYTHON}/site-packages"


def main(folder: Path) -> None:
    """Write the channel to `folder`/channel and the command to `folder`/bin."""
    with tempfile.TemporaryDirectory() as staged:
        build_python(folder / "channel", Path(staged, "python"))
        for package in closure(named_in_environments()):
            build_package(folder / "channel", Path(staged, package), package)
    asyncio.run(index_fs(folder / "channel"))
    write_commands(folder)


def named_in_environments() -> set[str]:
    """Return the packages that the environments name, python left out, by their names on PyPI."""
    pypi_names = {conda: pypi for pypi, conda in CONDA_NAMES.items()}
    environments = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in (ROOT / "envs").glob("*.yaml"))
    named = {package.split()[0] for environment in environments for package in environment["dependencies"]}
    return {pypi_names.get(name, name) for name in named - {"python"}}


def requirements(package: str, extras: Collection[str] = ()) -> list[Requirement]:
    """Return what an installed package requires here; conda has no extras, so theirs stand among the others."""
    needs = [Requirement(line) for line in distribution(package).requires or []]
    chosen = [need for need in needs if not need.marker or holds(need.marker, extras)]
    return chosen + [inner for need in chosen if need.extras for inner in requirements(need.name, need.extras)]


def holds(marker: Marker, extras: Collection[str]) -> bool:
    """Return whether a requirement counts here with any of the extras, or with none."""
    return any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def closure(packages: set[str]) -> list[str]:
    """Return the packages and all that they require, directly or not, sorted."""
    found: set[str] = set()
    waiting = list(packages)
    while waiting:
        package = canonicalize_name(waiting.pop())
        if package not in found:
            found.add(package)
            waiting += [need.name for need in requirements(package)]
    return sorted(found)


def build_python(channel: Path, staged: Path) -> None:
    """Pack a virtual environment of the running interpreter as the package `python`."""
    interpreter = Path(sys.executable).resolve()
    (staged / "bin").mkdir(parents=True)
    (staged / SITE_PACKAGES).mkdir(parents=True)
    (staged / SITE_PACKAGES / "README.txt").write_text("The interpreter of the tests.\n", encoding="utf-8")
    lines = (
        f"home = {interpreter.parent}",
        "include-system-site-packages = false",
        f"version = {platform.python_version()}",
    )
    (staged / "pyvenv.cfg").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in ("python", "python3", PYTHON):
        (staged / "bin" / name).symlink_to(interpreter)
    pack(channel, staged, "python", platform.python_version(), [])


def build_package(channel: Path, staged: Path, package: str) -> None:
    """Pack an installed package, with what it requires as conda writes it."""
    installed = distribution(package)
    depends = [f"python >={sys.version_info.major}.{sys.version_info.minor}"]
    for need in requirements(package):
        depends.append(f"{conda_name(need.name)} {need.specifier}".strip())
    copy_files(installed, staged / SITE_PACKAGES)
    pack(channel, staged, conda_name(package), installed.version, depends)


def conda_name(package: str) -> str:
    """Return what conda-forge calls a package of PyPI."""
    name = canonicalize_name(package)
    return CONDA_NAMES.get(name, name)


def copy_files(installed: Distribution, target: Path) -> None:
    """Copy the files that a package's wheel recorded, commands left out; the installer's own have no hash there."""
    for file in installed.files or []:
        if file.hash is None or file.parts[0] == "..":
            continue
        content = Path(file.locate()).read_bytes()
        digest = urlsafe_b64encode(hashlib.new(file.hash.mode, content).digest()).decode().rstrip("=")
        assert digest == file.hash.value, f"{file.locate()}: found {digest}, its wheel recorded {file.hash.value}"
        copied = target / file
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_bytes(content)


def pack(channel: Path, staged: Path, name: str, version: str, depends: list[str]) -> None:
    """Write a package from the files below `staged`, and delete those."""
    assemble_package(
        name=name,
        version=version,
        target_platform="linux-64",
        build_string="wheel_0",
        output_dir=channel / "linux-64",
        files_dir=staged,
        depends=depends,
        compression_level=1,
        detect_prefix=False,
    )
    shutil.rmtree(staged)


def write_commands(folder: Path) -> None:
    """Write `conda` and `activate`, which Snakemake looks for next to it."""
    double = Path(__file__).with_name("conda_commands.py")
    words = shlex.join([sys.executable, str(double), str(folder)])
    activate = 'export CONDA_PREFIX="$1" PATH="$1/bin:$PATH"\n'
    (folder / "bin").mkdir(exist_ok=True)
    for name, text in (("conda", f'#!/bin/sh\nexec {words} "$@"\n'), ("activate", activate)):
        (folder / "bin" / name).write_text(text, encoding="utf-8")
        (folder / "bin" / name).chmod(stat.S_IRWXU)


if __name__ == "__main__":
    (folder,) = sys.argv[1:]
    main(Path(folder).resolve())
    os._exit(0)  # one of rattler's threads may still run, which can crash an interpreter that shuts down
