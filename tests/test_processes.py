"""Tests of a file run in one process, which sets up once what they share."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILE = """
import pytest

@pytest.mark.parametrize("number", range(8))
def test_passes(number):
    pass
"""


@pytest.mark.slow
def test_a_file_is_not_divided_between_processes(tmp_path):
    for name in ("test_one.py", "test_other.py"):
        (tmp_path / name).write_text(FILE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-v", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    printed = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, check=True).stdout
    runs = re.findall(r"^\[(gw\d)\] .* PASSED .*(test_\w+\.py)::", printed, re.MULTILINE)
    assert len(runs) == 16
    assert sorted({file: process for process, file in runs}) == ["test_one.py", "test_other.py"]
    assert len(set(runs)) == 2
