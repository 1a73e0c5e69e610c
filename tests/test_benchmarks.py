"""Benchmarks start."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
START = """
import runpy, sys, traceback
for path in sys.argv[1:]:
    sys.argv = [path, "--help"]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        started = end.code == 0
    except BaseException:
        started = traceback.print_exc()
    print("\\nstarts" if started else "\\nfails", path)
"""


@pytest.mark.slow
def test_every_benchmark_starts_without_the_packages_that_it_measures():
    paths = [path for path in sorted(BENCHMARKS.glob("*.py")) if path.name != "side_by_side.py"]
    command = [sys.executable, "-c", START, *map(str, paths)]
    done = subprocess.run(command, cwd=BENCHMARKS, capture_output=True, text=True, check=True)
    found = [line for line in done.stdout.splitlines() if line.startswith(("starts ", "fails "))]
    assert found == [f"starts {path}" for path in paths], done.stderr
