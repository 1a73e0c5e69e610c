"""Rows that are sorted in files have the order of those that are sorted in memory."""

import random
import tempfile
from pathlib import Path

import pytest

from reproduction.workflow import sorting
from reproduction.workflow.sorting import in_order


@pytest.mark.parametrize("number", [0, 1, 6, 7, 8, 50, 400])
def test_rows_come_by_their_keys_and_in_turn_where_these_are_equal(number, tmp_path, monkeypatch):
    """Seven rows are in memory at a time, and three files are open, so that 400 rows take four levels of files."""
    monkeypatch.setattr(sorting, "MAX_ROWS_IN_MEMORY", 7)
    monkeypatch.setattr(sorting, "MAX_OPEN_RUNS", 3)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rng = random.Random(number)
    keys = ["a", "é", "\U0001f600", "\uffee", "", 'a"\n']
    rows = [((rng.choice(keys), rng.choice(keys)), f"{place} ☂\n") for place in range(number)]
    most = 0
    for place, row in enumerate(in_order(iter(rows))):
        assert row == sorted(rows, key=lambda each: each[0])[place]
        most = max(most, sum(path.is_file() for path in Path(tmp_path).rglob("*")))
    assert most <= 3 * 4
    assert not list(tmp_path.iterdir())
