"""Inputs of the kind of public reports on other tools are read as they are meant."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import nlpcalib as nc
from nlpcalib.sampling.answers import CANNOT_TELL
from nlpcalib.sampling.exports import read_entries
from nlpcalib.tables.dates import date_format
from nlpcalib.tables.table import read_rows

N = 60


def written(path, rows):
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl"])
def test_lists_and_objects_in_parquet_are_those_of_json_lines(name, tmp_path):
    rows = [{"id": f"e{n}", "label": [("no", "yes")[n % 2]], "more": {"a": n}} for n in range(4)]
    path = written(tmp_path / name, rows)
    assert [entry.answer for entry in read_entries(path)] == ["no", "yes", "no", "yes"]
    if path.suffix == ".parquet":
        assert read_rows(path, ["more"])[1][1] == {"more": '{"a": 1}'}


def test_an_object_of_probabilities_in_parquet_gives_the_numbers_of_json_lines(tmp_path):
    random = np.random.default_rng(4)
    q = random.dirichlet(np.ones(3), N)
    rows = [
        {"probabilities": dict(zip("abc", each, strict=True)), "gold": "abc"[random.choice(3, p=each)]}
        for each in q.tolist()
    ]
    one, other = (nc.read(written(tmp_path / name, rows)) for name in ("t.parquet", "t.jsonl"))
    assert one.classes == other.classes == ("a", "b", "c")
    np.testing.assert_array_equal(one.q, other.q)
    np.testing.assert_array_equal(one.y, other.y)


@pytest.mark.parametrize("name", ["flat.jsonl", "flat.parquet"])
def test_flat_records_of_argilla_have_the_answers_of_their_users(name, tmp_path):
    states = ("submitted", "discarded", "draft")
    rows = [
        {
            "id": f"e{n}", "status": "completed", "text": "t", "q.responses": ["yes", "no"],
            "q.responses.users": ["u", "v"],
            "q.responses.status": ["submitted", states[n]], "q.suggestion": "no",
        }
        for n in range(3)
    ]  # fmt: skip
    found = [(entry.names[0], entry.annotator, entry.answer) for entry in read_entries(written(tmp_path / name, rows))]
    assert found == [
        ("e0", "u", "yes"), ("e0", "v", "no"), ("e1", "u", "yes"), ("e1", "v", CANNOT_TELL), ("e2", "u", "yes"),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["rating", "number"])
def test_ratings_and_numbers_of_label_studio_are_answers(kind, tmp_path):
    result = [{"id": "r", "type": kind, "from_name": "quality", "to_name": "text", "value": {kind: 4}}]
    tasks = [{"id": 1, "data": {"id": "e"}, "annotations": [{"id": 1, "completed_by": 1, "result": result}]}]
    (tmp_path / "t.json").write_text(json.dumps(tasks))
    assert [entry.answer for entry in read_entries(tmp_path / "t.json")] == ["4"]


def test_notes_before_the_table_of_a_workbook_are_passed_over(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["This workbook was made by the lab"])
    sheet = book.create_sheet("predictions")
    for row in (["Predictions of May"], [], ["q", "y"], [0.25, 1], [0.5, 0]):
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    assert [row for _, row in read_rows(tmp_path / "t.xlsx", ["q", "y"])] == [
        {"q": "0.25", "y": "1"},
        {"q": "0.5", "y": "0"},
    ]


@pytest.mark.parametrize("text", ["20210105", "05-Jan-2021", "5 January 2021"])
def test_the_message_on_a_date_of_another_pattern_names_the_option_that_reads_it(text):
    with pytest.raises(ValueError, match="dates= with a pattern, such as %Y%m%d"):
        date_format(["2004-12-25"]).parse(text)


@pytest.mark.parametrize("least", [-1e-9, -1e-17])
def test_rounding_below_zero_is_zero_as_rounding_above_one_is_one(least, tmp_path):
    (tmp_path / "t.csv").write_text("q,y\n" + f"{least},0\n1.0000001,1\n" + "0.5,1\n0.25,0\n" * 20)
    data = nc.read(tmp_path / "t.csv")
    assert (data.q.min(), data.q.max()) == (0, 1)
