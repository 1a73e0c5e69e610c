"""Draw the simulated text with ten seeds, and write how each claim came out: workflow/draws.csv.

    python tools/draws.py --cores 2
    python tools/draws.py --cores 2 --only sentiment    # this chapter, and the synthetic pairs, which take seconds

Each draw is a run of the default configuration with another seed in build/draws/<seed>, as far as claims need it: about
seven minutes on two cores. A draw that is there already is not made again. Claims about text that is not simulated
do not change with the seed and are left out.

The table has a row for each claim and draw: the version of the claim's judge, the checksum of the code and the
configuration that made the text and its predictions, the outcome in words, and the number that decided with its
interval, if one decides. A draw of another version, or of other code, does not count. Claims that are not drawn again
keep their rows.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import yaml

from nlpcalib.io.files import read_csv, write_csv
from reproduction.claims.draws import DRAW_SEEDS
from reproduction.claims.verdicts import SYNTHETIC
from reproduction.corpora.formats import FORMATS

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "workflow/draws.csv"
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")


CHAPTERS = ("sentiment", "tagging", "coref", "events", "extraction_eval")
"""Sections of the configuration whose datasets claims are about."""
COLUMNS = ("dataset", "place", "claim", "version", "made_from", "seed", "outcome", "value", "low", "high")


def draw(seed: str, cores: int, chapters: Sequence[str], simulated: set[str]) -> list[dict[str, str]]:
    """Return the claims of one draw on the simulated datasets of some chapters."""
    folder = ROOT / "build/draws" / seed
    folder.mkdir(parents=True, exist_ok=True)
    for name in PROJECT:
        if not (folder / name).exists():
            (folder / name).symlink_to(ROOT / name)
    tables = [folder / f"results/tables/{name}.csv" for name in ("check", "own_claims")]
    target = tables[0].relative_to(folder).as_posix()
    settings = []
    needed = {*chapters, *(("tagging",) if "coref" in chapters else ())}  # a claim compares coreference with taggers
    for name in CHAPTERS:
        drawn = [each for each in CONFIG[name]["datasets"] if name in needed and each in simulated]
        more = "" if drawn or name != "tagging" else ", ablation: {datasets: []}"
        settings.append(f"{name}={{datasets: [{', '.join(drawn)}]{more}}}")
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), target, "--config", f"seed={seed}", *settings]
    subprocess.run(command, cwd=folder, check=True)
    return [row for table in tables for row in read_csv(table)]


def drawn_rows(seed: str, claims: Iterable[Mapping[str, str]], simulated: set[str]) -> list[dict[str, str]]:
    """Return a row for each claim on simulated data in one draw."""
    return [
        {"seed": seed, "outcome": claim["holds"], **{name: claim[name] for name in COLUMNS if name in claim}}
        for claim in claims
        if claim["dataset"].partition("/")[0] in simulated
    ]


def updated(kept: Iterable[dict[str, str]], drawn: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return the rows of a table with those of claims that were drawn again in their place, new claims last."""
    again: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in drawn:
        again.setdefault(_claim(row), []).append({name: row[name] for name in COLUMNS})
    rows: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in kept:
        rows.setdefault(_claim(row), []).append(row)
    return [row for each in (rows | again).values() for row in each]


def _claim(row: Mapping[str, str]) -> tuple[str, ...]:
    return row["dataset"], row["place"], row["claim"]


def main() -> None:
    """Make the draws and update the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--only", choices=CHAPTERS, nargs="*", default=CHAPTERS)
    options = parser.parse_args()
    simulated = {name for name, dataset in CONFIG["datasets"].items() if FORMATS[dataset["format"]].simulated} | {
        SYNTHETIC
    }
    drawn = [
        row
        for seed in DRAW_SEEDS
        for row in drawn_rows(seed, draw(seed, options.cores, options.only, simulated), simulated)
    ]
    write_csv(TABLE, updated(read_csv(TABLE), drawn))


if __name__ == "__main__":
    main()
