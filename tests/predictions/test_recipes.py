"""The recipes name every format, and the lines that they show are read."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.predictions import FORMATS, read_predictions
from nlpcalib.predictions.formats.registry import TABLES

PAGE = (Path(__file__).parents[2] / "docs/how-to/predictions-from-other-tools.md").read_text(encoding="utf-8")


def test_the_table_of_the_page_is_the_table_of_formats():
    rows = [line.split("|")[2:] for line in PAGE.splitlines() if line.startswith("|")][2:]
    listed = {name: cells for cells in rows for name in re.findall(r"`([^`]+)`", cells[0])}
    assert set(listed) == {*TABLES, *FORMATS}
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
    assert (pairs.q.tolist(), pairs.y.tolist(), pairs.predicted.names) == ([0.98], [True], ("NOUN",))


UNANSWERED = (
    {"response": "I cannot answer that.", "gold": "a"},
    {"answer": "a", "confidence": "high", "gold": "a"},
    {"answer": "a", "confidence": None, "gold": "a"},
    {"response": "Answer: a\nConfidence: high", "gold": "a"},
    {"response": None, "gold": "a"},
)


@pytest.mark.filterwarnings("default::nlpcalib.predictions.unanswered.UnansweredWarning")
@pytest.mark.parametrize("line", UNANSWERED)
def test_answers_without_a_probability_are_left_out_if_asked_and_counted(line, tmp_path, capsys):
    path = tmp_path / "lines.jsonl"
    lines = [{"answer": "a", "confidence": 0.4 + row / 100, "gold": "a" if row % 2 else "b"} for row in range(40)]
    path.write_text("\n".join(map(json.dumps, [*lines[:7], line, *lines[7:]])), encoding="utf-8")
    assert main(["calibrate", str(path)]) == 2
    capsys.readouterr()
    assert main(["calibrate", str(path), "--skip-unanswered"]) == 0
    printed = capsys.readouterr()
    rest = "state no probability and are left out; the result is of the other 40 alone"
    assert printed.err == f"nlpcalib: warning: {path}: 1 of 41 answers {rest}\n"
    assert printed.out.startswith(f"{path}: 40 pairs, 20 positive")


@pytest.mark.parametrize("confidence", ["about 70 %", "8/10", "120%", 1.5, -0.2, True])
def test_a_number_that_cannot_be_read_is_no_unanswered_question(confidence, tmp_path):
    path = tmp_path / "lines.jsonl"
    lines = [{"answer": "a", "confidence": value, "gold": "a"} for value in (0.3, confidence)]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(InputError):
        read_predictions(path, skip_unanswered=True)


def test_a_table_has_no_unanswered_questions(tmp_path):
    (tmp_path / "t.csv").write_text("q,y\n.5,1\n", encoding="utf-8")
    with pytest.raises(
        InputError, match="found skip_unanswered= with format csv, expected it with verbalised or logprobs alone"
    ):
        read_predictions(tmp_path / "t.csv", skip_unanswered=True)


def test_an_array_is_refused_by_its_name(tmp_path):
    np.save(tmp_path / "p.npy", np.random.default_rng(0).random((50, 3)))
    with pytest.raises(InputError, match=r"p\.npy: found a NumPy array \(in Python: nc\.calibrate"):
        read_predictions(tmp_path / "p.npy")
