"""However a table is written, all readers give its numbers, or a way out that runs."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
pytest.importorskip("pandas")
import one_table


@pytest.mark.slow
def test_every_spelling_of_a_table_has_one_number_by_all_readers():
    assert sum(len(spellings) for _, spellings, _ in one_table.QUESTIONS.values()) >= 75
    assert list(one_table.contradicted(8_128, 1)) == []


def test_a_contradiction_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = one_table.in_groups(one_table.binary)(one_table.np.random.default_rng(1))

    def found(spelling, sound=table, options=()):
        return list(one_table.contradictions([spelling], [sound], one_table.CALIBRATE, options))

    assert found(one_table.Spelling(table)) == []
    other = one_table.Spelling(one_table.with_columns(table, q=[1 - q for q in table["q"]]), means=table)
    assert any("the file and arrays" in wrong for wrong in found(other))
    assert any("refused otherwise" in wrong for wrong in found(one_table.Spelling(table, refused="found the label")))
