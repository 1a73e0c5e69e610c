"""However a table is written, all doors give its numbers, or a way out that runs."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
pytest.importorskip("pandas")
import doors


@pytest.mark.slow
def test_every_spelling_of_a_table_has_one_number_by_all_doors():
    assert sum(len(spellings) for _, spellings, _ in doors.QUESTIONS.values()) >= 75
    assert list(doors.doors(8_128, 1)) == []


def test_a_contradiction_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = doors.in_groups(doors.binary)(doors.np.random.default_rng(1))

    def found(spelling, sound=table, options=()):
        return list(doors.contradictions([spelling], [sound], doors.CALIBRATE, options))

    assert found(doors.Spelling(table)) == []
    other = doors.Spelling(doors.with_columns(table, q=[1 - q for q in table["q"]]), means=table)
    assert any("the file and arrays" in wrong for wrong in found(other))
    assert any("refused otherwise" in wrong for wrong in found(doors.Spelling(table, refused="found the label")))
