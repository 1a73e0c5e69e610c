"""The campaign of faults tells files that are moved to their names from files that are written in place."""

import sys

import pytest
from tools.faults.watching import Watch


@pytest.mark.skipif(sys.platform != "linux", reason="files are watched as Linux allows it")
def test_a_watch_separates_files_moved_to_their_names_from_files_written_in_place(tmp_path):
    watch = Watch([tmp_path])
    (tmp_path / ".incomplete-1").mkdir()
    (tmp_path / ".incomplete-1/whole.csv").write_text("1\n", encoding="utf-8")
    (tmp_path / ".incomplete-1/whole.csv").replace(tmp_path / "whole.csv")
    assert watch.begun() == 1
    assert (watch.moved, watch.in_place) == (1, set())
    (tmp_path / "in_place.csv").write_text("1\n", encoding="utf-8")
    watch.begun()
    assert watch.in_place == {tmp_path / "in_place.csv"}
    watch.close()
