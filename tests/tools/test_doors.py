"""However a table is written, Python and the shell give its number, or refuse it with a way out that runs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import doors


def test_every_spelling_of_a_table_has_one_number_by_both_doors():
    assert len(doors.SPELLINGS) + len(doors.CLASS_SPELLINGS) >= 35
    assert list(doors.doors(8_128, 1)) == []


def test_a_contradiction_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = doors.binary(doors.np.random.default_rng(1))
    other = doors.Spelling(doors.with_columns(table, q=[1 - q for q in table["q"]]))
    assert any("expected" in wrong for wrong in doors.contradictions(other, doors.expected_of(table), tmp_path))
    understood = doors.Spelling(table, refused="found the label")
    assert any("refused otherwise" in wrong for wrong in doors.contradictions(understood, lambda rows: 0.0, tmp_path))
