"""The recipes name every format, and the lines that they show are read."""

import re
from pathlib import Path

import pytest

from nlpcalib.predictions import FORMATS, read_predictions

PAGE = (Path(__file__).parents[2] / "docs/how-to/predictions-from-other-tools.md").read_text(encoding="utf-8")


def test_the_table_of_the_page_is_the_table_of_formats():
    rows = [line.split("|")[2:] for line in PAGE.splitlines() if line.startswith("|")][2:]
    listed = {name: cells for cells in rows for name in re.findall(r"`([^`]+)`", cells[0])}
    assert set(listed) == {"parquet", "csv", "tsv", *FORMATS}
    for name, form in FORMATS.items():
        assert all(key.removesuffix("{}") in listed[name][1] for signs in form.signs for key in signs.split()), name


@pytest.mark.parametrize(
    ("number", "q", "y"), [(0, [0.85, 0.4], [True, False]), (1, [0.75], [True])], ids=["verbalised", "sampled"]
)
def test_lines_of_json_are_read_as_the_page_explains(number, q, y, tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[number])
    pairs = read_predictions(path)
    assert (pairs.q.tolist(), pairs.y.tolist()) == (q, y)


def test_the_line_of_conllu_is_read(tmp_path):
    path = tmp_path / "line"
    path.write_text(re.search(r"^```\n(1\t.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[1])
    pairs = read_predictions(path)
    assert (pairs.q.tolist(), pairs.y.tolist(), pairs.label.names) == ([0.98], [True], ("NOUN",))
