"""What commands take under load: processor time, peak memory, and the power of the size at which each grows.

Every command runs in processes of its own, from the start of Python to the last file. Processor time is that of all its
processes, peak memory that of the largest. Tables and documents are simulated.

    python benchmarks/load.py [--stage NAME …]
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from newsroom.reports import Newsroom
from nlpcalib.systems.text.conllu import write_conllu

ROOT = Path(__file__).parents[1]
BLOCK = 1_000_000
TABLE_ROWS = 2_000
COMMAND = (sys.executable, "-m", "nlpcalib.cli.app")


def table(path: Path, rows: int) -> None:
    """Write predictions of a model that is too sure, in blocks."""
    schema = pa.schema({"q": pa.float64(), "y": pa.bool_()})
    with pa.parquet.ParquetWriter(path, schema) as file:
        for number, first in enumerate(range(0, rows, BLOCK)):
            rng = np.random.default_rng(number)
            q = rng.random(min(BLOCK, rows - first))
            file.write(pa.table({"q": q, "y": rng.random(q.size) < 0.1 + 0.8 * q}, schema))


def calibrate(folder: Path, rows: int) -> list[str]:
    """Return the command that measures a table of so many rows."""
    table(folder / "table.parquet", rows)
    return [*COMMAND, "calibrate", "table.parquet", "--out", "out"]


def coref(folder: Path, documents: int) -> list[str]:
    """Return the command that resolves so many documents of CoNLL-U."""
    reports = Newsroom(seed=1).reports(0, documents)
    write_conllu(folder / "news.conllu", (report.document for report in reports))
    return [*COMMAND, "coref", "news.conllu", "--out", "out.jsonl"]


def predictions(folder: Path, tables: int) -> list[str]:
    """Return the command by which the workflow measures so many tables in a folder of its own."""
    names = [f"table_{number:03}" for number in range(tables)]
    for name in names:
        table(folder / f"{name}.parquet", TABLE_ROWS)
    config = {"predictions": {name: {"path": f"{name}.parquet", "bin_size": 100} for name in names}}
    (folder / "tables.yaml").write_text(json.dumps(config), encoding="utf-8")
    return [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--cores", "2", "--quiet", "all"),
        *("--directory", str(folder), "--workflow-profile", "none", "--configfile", str(ROOT / "config.yaml")),
        *("tables.yaml", "--", *(f"results/predictions/{name}/calibration.json" for name in names)),
    ]


def dry_run(folder: Path, tables: int) -> list[str]:
    """Return the command by which Snakemake plans the same and runs nothing: its own share of the work."""
    command = predictions(folder, tables)
    return [*command[:3], "--dry-run", *command[3:]]


STAGES: dict[str, tuple[Callable[[Path, int], list[str]], str, tuple[int, ...]]] = {
    "calibrate": (calibrate, "rows", (1_000_000, 10_000_000, 50_000_000)),
    "coref": (coref, "documents", (100, 300, 1000)),
    "dry-run": (dry_run, "tables", (20, 60, 200, 600)),
    "predictions": (predictions, "tables", (20, 60, 200)),
}


def measured(command: list[str], folder: Path) -> tuple[float, float]:
    """Run a command and return its processor seconds and peak memory in MB."""
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError((folder / "output").read_text(encoding="utf-8")[-2000:])
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Print the table of all stages, or of those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stage", nargs="+", choices=STAGES, default=list(STAGES))
    print("| command | size | processor | peak memory | power of time |\n|---|---|---|---|---|")
    for stage in parser.parse_args().stage:
        prepare, unit, sizes = STAGES[stage]
        seconds = {}
        for size in sizes:
            with tempfile.TemporaryDirectory() as name:
                seconds[size], memory = measured(prepare(Path(name), size), Path(name))
            known = [each for each in pairwise(sizes) if each[1] == size]
            power = "".join(f"{log(seconds[b] / seconds[a]) / log(b / a):.2f}" for a, b in known)
            print(f"| `{stage}` | {size:,} {unit} | {seconds[size]:.1f} s | {memory:,.0f} MB | {power} |", flush=True)


if __name__ == "__main__":
    main()
