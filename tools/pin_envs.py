"""Pin each environment in envs/ to the very packages that conda installs for it here.

    python tools/pin_envs.py

writes `<env>.<platform>.pin.txt` next to each `<env>.yaml`: the address and the SHA-256 of every package, from which
`snakemake --sdm conda` installs without solving. All files are written or none. Needs conda 24.9 or later, conda-forge,
and room for the environments while it runs.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path

import yaml

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_folder

ENVS = Path(__file__).parents[1] / "envs"
PACKAGE = re.compile(
    r"https://conda\.anaconda\.org/conda-forge/(?P<platform>[\w-]+)/"
    r"(?P<name>[\w.-]+)-(?P<version>[^-/]+)-[^-/]+\.(conda|tar\.bz2)#(sha256:)?[0-9a-f]{64}"
)


def main() -> None:
    """Solve, install and pin every environment."""
    platform = json.loads(conda("info", "--json"))["platform"]
    with atomic_folder(ENVS) as written, tempfile.TemporaryDirectory() as installed:
        for env in sorted(ENVS.glob("*.yaml")):
            prefix = f"{installed}/{env.stem}"
            conda("env", "create", "--quiet", "--file", str(env), "--prefix", prefix)
            pins = written / f"{env.stem}.{platform}.pin.txt"
            pins.write_text(conda("list", "--explicit", "--sha256", "--prefix", prefix), encoding="utf-8")
            check_pins(env, pins)
            print(f"{env.name}: {len(read_pins(pins))} packages")


def conda(*arguments: str) -> str:
    """Return what a command of conda prints; its errors go to the terminal."""
    command = ["conda", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def check_pins(env: Path, pins: Path) -> None:
    """Raise InputError if a pin file lacks a package of its environment or has another version of it."""
    found = read_pins(pins)
    for package in yaml.safe_load(env.read_text(encoding="utf-8"))["dependencies"]:
        name, wanted = package.split()
        version = found.get(name, "no version")
        if not matches(version, wanted):
            raise InputError(
                f"{pins}: found {version} of {name}, expected {wanted} as in {env.name}; run tools/pin_envs.py"
            )


def matches(version: str, wanted: str) -> bool:
    """Return whether a version is the one wanted (`==1.2`) or begins with it (`=1.2`)."""
    return version == wanted[2:] if wanted.startswith("==") else f"{version}.".startswith(f"{wanted[1:]}.")


def read_pins(path: Path) -> dict[str, str]:
    """Return the version of each package of a pin file, by the package's name.

    Raises InputError if a line is not a package of conda-forge with its SHA-256, for the platform in the file's name or
    for all, or if a package stands there twice.
    """
    platform = path.name.removesuffix(".pin.txt").rpartition(".")[2]
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    stated = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not stated or stated[0][1] != "@EXPLICIT":
        raise InputError(f"{path}: found no @EXPLICIT above the packages, expected it as conda writes it")
    versions: dict[str, str] = {}
    for number, line in stated[1:]:
        package = PACKAGE.fullmatch(line)
        if not package or package["platform"] not in (platform, "noarch") or package["name"] in versions:
            raise InputError(
                f"{path}, line {number}: found {line!r}, expected the only package of its name, "
                f"of conda-forge for {platform} or noarch, with its SHA-256"
            )
        versions[package["name"]] = package["version"]
    return versions


if __name__ == "__main__":
    main()
