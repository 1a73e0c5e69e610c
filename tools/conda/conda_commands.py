"""The commands of conda that Snakemake and `tools/pin_envs.py` give, answered by rattler's solver and installer.

Called by the `conda` that `channel.py` writes, with its folder as the first argument. The channel in that folder stands
for conda-forge, and its packages for those at conda-forge's address.
"""

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Literal

import yaml
from rattler import Channel, Gateway, PrefixRecord, RepoDataRecord, VirtualPackage, install, solve

ADDRESS = "https://conda.anaconda.org/conda-forge/"
PLATFORMS: tuple[Literal["linux-64"], Literal["noarch"]] = ("linux-64", "noarch")


def main(folder: Path, arguments: list[str]) -> None:
    """Do what one command line of conda asks for; any other than the known ones is an error."""
    parser = argparse.ArgumentParser("conda", allow_abbrev=False)
    parser.add_argument("command", nargs="*")
    parser.add_argument("--version", action="version", version="conda 24.9.0")
    for option in ("--file", "--prefix", "--get"):
        parser.add_argument(option)
    for flag in (
        "--json",
        "--quiet",
        "--yes",
        "-y",
        "--no-default-packages",
        "--explicit",
        "--sha256",
        "--all",
        "--tarballs",
    ):
        parser.add_argument(flag, action="store_true")
    given = parser.parse_args(arguments)
    channel = Channel((folder / "channel").as_uri())
    match given.command:
        case ["info"]:
            print(json.dumps({"conda_prefix": str(folder), "platform": PLATFORMS[0]}))
        case ["config"]:
            print(json.dumps({"get": {given.get: "strict"}}))
        case ["env", "create"]:
            make(folder, given.prefix, asyncio.run(solved(channel, Path(given.file))))
        case ["create"]:
            make(folder, given.prefix, asyncio.run(pinned(channel, Path(given.file))))
        case ["list"]:
            print(f"# platform: {PLATFORMS[0]}\n@EXPLICIT")
            for path in sorted(Path(given.prefix, "conda-meta").glob("*.json")):
                record = PrefixRecord.from_path(path)
                print(f"{record.url.replace(address(channel), ADDRESS)}#{bytes(record.sha256 or b'').hex()}")
        case ["clean"]:
            pass
        case unknown:
            parser.error(f"not answered here: {unknown}")


def address(channel: Channel) -> str:
    """Return the address of a channel, with a slash at its end."""
    return channel.base_url.rstrip("/") + "/"


async def solved(channel: Channel, path: Path) -> list[RepoDataRecord]:
    """Return the packages that satisfy an environment file."""
    environment = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert environment["channels"] == ["conda-forge", "nodefaults"], environment["channels"]
    return await solve(
        [channel], environment["dependencies"], Gateway(), PLATFORMS, virtual_packages=VirtualPackage.detect()
    )


async def pinned(channel: Channel, path: Path) -> list[RepoDataRecord]:
    """Return the packages that a pin file names, each of which has to have the hash that stands there."""
    _, _, lines = path.read_text(encoding="utf-8").partition("@EXPLICIT\n")
    hashes = dict(line.replace(ADDRESS, address(channel)).split("#") for line in lines.splitlines())
    names = {url.rpartition("/")[2].rsplit("-", 2)[0] for url in hashes}
    records = [record for each in await Gateway().query([channel], PLATFORMS, sorted(names)) for record in each]
    chosen = [record for record in records if hashes.get(record.url) == bytes(record.sha256 or b"").hex()]
    missing = set(hashes) - {record.url for record in chosen}
    assert not missing, f"not in the channel, or with another hash: {missing}"
    return chosen


def make(folder: Path, prefix: str, records: list[RepoDataRecord]) -> None:
    """Install packages into an environment."""
    asyncio.run(install(records, prefix, cache_dir=folder / "packages", show_progress=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
    sys.stdout.flush()
    os._exit(0)  # one of rattler's threads may still run, which can crash an interpreter that shuts down
