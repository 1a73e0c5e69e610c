"""What a person said is `y` in every file: a file of labels has it as label, y or gold."""

import pytest

import nlpcalib as nc


@pytest.mark.parametrize("name", ["label", "y", "gold"])
def test_a_file_of_labels_calls_them_as_a_table_does(name, tmp_path):
    rows = [f"i{row},{row % 10 / 10}" for row in range(60)]
    (tmp_path / "items.csv").write_text("id,q\n" + "\n".join(rows) + "\n")
    labels = [f"i{row},{'yes' if row % 10 > 4 else 'no'}" for row in range(0, 60, 2)]
    (tmp_path / "labels.csv").write_text(f"id,{name}\n" + "\n".join(labels) + "\n")
    found = nc.estimate(nc.read(tmp_path / "items.csv", tmp_path / "labels.csv")).whole
    assert (found.read, found.positive) == (30, 12)
