"""The recipes name every format, and the lines that they show are read."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.predictions.tool_records import read_predictions

from nlpcalib.errors import InputError
from nlpcalib.predictions import FORMATS
from nlpcalib.predictions.formats.registry import TABLES

PAGE = (Path(__file__).parents[2] / "docs/how-to/predictions-from-other-tools.md").read_text(encoding="utf-8")


def test_the_table_of_the_page_is_the_table_of_formats():
    rows = [line.split("|")[2:] for line in PAGE.splitlines() if line.startswith("|")][2:]
    listed = {name: cells for cells in rows for name in re.findall(r"`([^`]+)`", cells[0])}
    assert set(listed) == {*TABLES, *FORMATS}
    for name, form in FORMATS.items():
        assert all(key.removesuffix("{}") in listed[name][1] for signs in form.signs for key in signs.split()), name


def test_the_line_of_conllu_is_read(tmp_path):
    path = tmp_path / "line"
    path.write_text(re.search(r"^```\n(1\t.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[1])
    pairs = read_predictions(path)
    assert (pairs.q.tolist(), pairs.y.tolist(), pairs.predicted.names) == ([0.98], [True], ("NOUN",))


def test_an_array_is_refused_by_its_name(tmp_path):
    np.save(tmp_path / "p.npy", np.random.default_rng(0).random((50, 3)))
    with pytest.raises(InputError, match=r"p\.npy: found a NumPy array \(in Python: nc\.calibrate"):
        read_predictions(tmp_path / "p.npy")
