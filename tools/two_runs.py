"""Run the workflow in two clones whose surroundings differ in all that results may not depend on, and compare bytes.

    .venv/bin/python tools/two_runs.py --folder ../two_runs

The clones are of what is committed. They differ in their folder, locale, time zone, umask, hash seed, threads of the
numerical libraries and number of cores. Logs, which contain times, are no results.
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Surroundings:
    """What a run has around it."""

    folder: str
    locales: tuple[str, ...]
    """The first that the system has."""
    zone: str
    umask: int
    hash_seed: str
    threads: int
    cores: int

    def environment(self) -> dict[str, str]:
        """Return the variables of a run."""
        known = run(["locale", "-a"], Path.cwd()).split()
        language = next((each for each in self.locales if each in known), "C")
        names = {"LC_ALL": language, "TZ": self.zone, "PYTHONHASHSEED": self.hash_seed}
        return {**os.environ, **names, **dict.fromkeys(THREADS, str(self.threads))}


BOTH = (
    Surroundings("one", ("C.utf8", "C.UTF-8"), "UTC", 0o022, "0", threads=1, cores=1),
    Surroundings("two, with spaces", ("tr_TR.utf8", "de_DE.utf8", "POSIX"), "Pacific/Apia", 0o077, "4242", 2, 2),
)


def run(command: list[str], folder: Path, **options) -> str:
    """Return what a command prints; exit with it if the command fails."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{done.stdout}\nfound exit status {done.returncode} of {' '.join(command)}, expected 0")
    return done.stdout


def results(parent: Path, around: Surroundings, arguments: list[str]) -> dict[str, bytes]:
    """Run the workflow in a clone and return the bytes of its results by path."""
    clone = parent / around.folder
    command = [sys.executable, "-m", "snakemake", "--cores", str(around.cores), *arguments]
    run(command, clone, env=around.environment(), umask=around.umask)
    files = (path.relative_to(clone / "results") for path in (clone / "results").rglob("*") if path.is_file())
    return {str(path): (clone / "results" / path).read_bytes() for path in files if path.parts[0] != "logs"}


def main(folder: Path, arguments: list[str], *, at_once: bool = False) -> int:
    """Compare two runs, print what differs, and return the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    for around in BOTH:  # before any run, so that no commit comes between
        if not (folder / around.folder).exists():
            run(["git", "clone", "--quiet", str(ROOT), str(folder / around.folder)], folder)
    with ThreadPoolExecutor(2 if at_once else 1) as pool:
        one, two = pool.map(lambda around: results(folder, around, arguments), BOTH)
    different = sorted(path for path in one.keys() | two.keys() if one.get(path) != two.get(path))
    for path in different:
        print(f"{path}: {'bytes differ' if path in one and path in two else 'in one run alone'}")
    size = sum(map(len, one.values()))
    print(f"{len(one)} files, {size:,} bytes: {len(different) or 'none'} of them different")
    return int(bool(different))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="where the clones are made, or go on")
    parser.add_argument("--at-once", action="store_true", help="run both at the same time")
    parser.add_argument("snakemake", nargs="*", default=["--configfile", "configs/smoke.yaml"], help="after --")
    given = parser.parse_args()
    sys.exit(main(given.folder.resolve(), given.snakemake, at_once=given.at_once))
