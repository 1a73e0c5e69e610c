"""Draw the simulated text with ten seeds, and write how each claim came out: workflow/draws.csv.

    python tools/draws.py --cores 2

Each draw is a run of the default configuration with another seed in build/draws/<seed>, as far as claims need it: about
seven minutes on two cores. A draw that is there already is not made again. Claims about text that is not simulated
do not change with the seed and are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import yaml

from nlpcalib.io.files import read_csv, write_csv
from reproduction.claims.verdicts import DRAW_SEEDS
from reproduction.corpora.formats import FORMATS

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "workflow/draws.csv"
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")


def draw(seed: str, cores: int) -> list[dict[str, str]]:
    """Return the claims of one draw."""
    folder = ROOT / "build/draws" / seed
    folder.mkdir(parents=True, exist_ok=True)
    for name in PROJECT:
        if not (folder / name).exists():
            (folder / name).symlink_to(ROOT / name)
    tables = [folder / f"results/tables/{name}.csv" for name in ("check", "own_claims")]
    target = tables[0].relative_to(folder).as_posix()
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), target, "--config", f"seed={seed}"]
    subprocess.run(command, cwd=folder, check=True)
    return [row for table in tables for row in read_csv(table)]


def outcomes(draws: dict[str, list[dict[str, str]]], simulated: set[str]) -> list[dict[str, str]]:
    """Return a row for each claim on simulated data, with how it came out in each draw."""
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    for seed, claims in draws.items():
        for claim in claims:
            key = claim["dataset"], claim["place"], claim["claim"]
            if key[0].partition("/")[0] in simulated:
                rows.setdefault(key, dict(zip(("dataset", "place", "claim"), key, strict=True)))[seed] = claim["holds"]
    return list(rows.values())


def main() -> None:
    """Make the draws and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    datasets = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["datasets"]
    simulated = {name for name, dataset in datasets.items() if FORMATS[dataset["format"]].simulated} | {"synthetic"}
    write_csv(TABLE, outcomes({seed: draw(seed, options.cores) for seed in DRAW_SEEDS}, simulated))


if __name__ == "__main__":
    main()
